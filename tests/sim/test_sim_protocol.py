# SPDX-License-Identifier: Apache-2.0
"""The rules of the common port other than correct products: all cores, and test-core mutants.

Each rule of `montcore_port_checker` detects its violation, in both simulators.
"""

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from core_styles import ARRAY_BITS, port_styles
from fixture_core import FixtureCore
from needs import require
from programs import output_of, program

from montcore.cores import all_cores
from montcore.cores.core import Core
from montcore.sim.build import RtlBuild
from montcore.sim.port_checker import CHECKER
from montcore.sim.process import EXIT_RULE
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.sim.wire import BeatFormat, Configure, Operands, RunFlag, WireRun
from montcore.support.errors import CheckFailedError
from montcore.support.paths import HW_DIR
from montcore_lab.lint.dialects import copies_for_icarus_11
from montcore_lab.mutation.port_rules import (
    RULES,
    nothing_leaves_after_zeroize,
    zeroize_leaves_nothing_that_depends_on_the_numbers,
)

pytestmark = pytest.mark.usefixtures("one_simulator")

BITS = 72
#: Widths for the last point of a core whose size grows with the square of its width.
SMALLER = {"mx": ARRAY_BITS}
#: Builds that no sweep has.
MORE = [("op", ARRAY_BITS, {"w": "8", "shape": "2d"})]


def subjects() -> Iterator[Any]:
    """Yield every core in its first usual build and, nightly, in its last one and in more."""
    yield pytest.param(FixtureCore(bits=BITS, bus=8), id="fixture")
    for core in all_cores().values():
        first, last = core.points(BITS)[0], core.points(SMALLER.get(core.name, BITS))[-1]
        more = [core.configure(item[2], item[1]) for item in MORE if item[0] == core.name]
        for point in dict.fromkeys((first, last, *more)):
            marks = [] if point is first else [pytest.mark.nightly]
            yield pytest.param(point, id=f"{core.name} {point.label()}", marks=marks)


def all_styles() -> Iterator[Any]:
    """Each core with each value of its named choices."""
    yield pytest.param(FixtureCore(bits=BITS, bus=8), id="fixture")
    for point in port_styles(BITS):
        yield pytest.param(point, id=f"{point.name} {point.label()}")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("core", list(subjects()))
@pytest.mark.one_in(6)
def test_every_core_holds_to(core: Core, rule: Callable[[Core], None]) -> None:
    rule(core)


@pytest.mark.parametrize("core", list(all_styles()))
@pytest.mark.one_in(4)  # test_sim_sequences.py counts the answers around zeroize in each style
def test_nothing_leaves_after_zeroize(core: Core) -> None:
    nothing_leaves_after_zeroize(core)


# ---- the tests above can fail ------------------------------------------------------------------


def test_mutant_that_forgets_to_clear_a_register_is_caught() -> None:
    with pytest.raises(AssertionError, match="zeroize"):
        zeroize_leaves_nothing_that_depends_on_the_numbers(FixtureCore(bits=BITS, bug=7))


def test_mutant_whose_product_ends_after_zeroize_is_caught() -> None:
    with pytest.raises(AssertionError, match="PULSE"):
        nothing_leaves_after_zeroize(FixtureCore(bits=BITS, bug=16))


BENCH = Path(__file__).parents[1] / "support" / "rtl"
GOOD = Product(0x1234, 0x0FF1, 0xFFFD, 16)

#: Faults of the test piece (see fixture_core.sv), and the rule that each of them breaks.
CORE_FAULTS = {
    4: "z_last_o is on the wrong beat",
    6: "a result beat changed or vanished before it was taken",
    10: "busy_o is low with work under way",
    12: "a beat of a modulus was taken with a product under way",
    13: "cfg_done_o is high for more than one cycle",
    14: "z_valid_o is high with no pair of operands to answer for",
    16: "core_done_o is high with no product started",
    17: "a control output is unknown after reset",
    18: "z_last_o or z_error_o is unknown while z_valid_o is high",
    19: "z_valid_o is high with no pair of operands to answer for",
    20: "an error answer has no status, or more than one beat",
    21: "cfg_done_o is high with no modulus to answer for",
    22: "cfg_error_o is not a status of a modulus",
    23: "cfg_error_o changed before the next modulus",
    24: "core_start_o is high with no operands to take up",
    25: "operands are taken and never answered",
    26: "core_start_o is high again for the same operands",
}
#: The same of port_bench.sv.
HOST_FAULTS = {
    1: "the host changed a beat of the modulus before it was taken",
    2: "the host changed a beat of X before it was taken",
    3: "the host changed a beat of Y before it was taken",
    4: "two signals of a one-hot selection are high",
}


def test_every_rule_has_a_fault_that_it_finds() -> None:
    rules = set(re.findall(r'else\s+\$fatal\(1, "(.*)"\)', CHECKER.read_text()))
    assert len(rules) == 20
    assert rules == {*CORE_FAULTS.values(), *HOST_FAULTS.values()}


def icarus(folder: Path, bug: int = 0, host_bug: int = 0) -> str:
    """Return the output of a simulation of the bench with Icarus Verilog."""
    require("iverilog")
    rtl = (HW_DIR / "common" / "rtl" / "montcore_pkg.sv", BENCH / "fixture_core.sv")
    copies = copies_for_icarus_11((*rtl, CHECKER, BENCH / "port_bench.sv"), folder)
    settings = {"Bug": bug, "HostBug": host_bug, "Products": 1100 if bug == 25 else 4}
    overrides = [f"-Pport_bench.{name}={value}" for name, value in settings.items()]
    bench = folder / "bench.vvp"
    output_of("iverilog", "-g2012", "-s", "port_bench", *overrides, "-o", bench, *copies)
    return program("vvp", bench).stdout


def test_a_right_core_breaks_no_rule_in_icarus(tmp_path: Path) -> None:
    assert icarus(tmp_path).splitlines() == ["PASS"]


@pytest.mark.parametrize("bug", CORE_FAULTS)
def test_a_fault_of_the_core_is_found_in_icarus(tmp_path: Path, bug: int) -> None:
    first = icarus(tmp_path, bug).splitlines()[0]
    assert first.startswith("FATAL: ") and first.endswith(CORE_FAULTS[bug])


@pytest.mark.parametrize("bug", HOST_FAULTS)
def test_a_fault_of_the_host_is_found_in_icarus(tmp_path: Path, bug: int) -> None:
    first = icarus(tmp_path, host_bug=bug).splitlines()[0]
    assert first.startswith("FATAL: ") and first.endswith(HOST_FAULTS[bug])


@pytest.mark.parametrize("bug", [22, 23, 24])
def test_a_broken_rule_ends_the_run_with_one_sentence(bug: int) -> None:
    simulator = Simulator(FixtureCore(bits=16, bus=8, bug=bug))
    with pytest.raises(CheckFailedError) as caught:
        simulator.run([GOOD] * 3)
    told = f"a rule of the port of fixture_core is broken: {CORE_FAULTS[bug]}"
    assert str(caught.value) == told


@pytest.mark.parametrize("bug", [4, 6, 10, 13, 20])
@pytest.mark.one_in(3)
def test_a_fault_that_the_harness_answers_for_is_found_in_verilator_too(bug: int) -> None:
    build = RtlBuild.of_core(FixtureCore(bits=16, bus=8, bug=bug))
    beat = BeatFormat(8)
    operands = [Operands(x, 5, 2, 2) for x in (3, 0xFFFE, 7)]
    run = WireRun(operands, 2, RunFlag.STREAM | RunFlag.GAPS)
    commands = Configure(0xFFFD, 2).encode(beat) + run.encode(beat)
    options = ("--beat-bytes", str(beat.beat_bytes), "--seed", "3")
    done = subprocess.run([build.executable(), *options], input=commands, capture_output=True)
    assert f": {CORE_FAULTS[bug]}\n" in done.stderr.decode()
    assert done.returncode != EXIT_RULE
