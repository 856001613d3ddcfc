# SPDX-License-Identifier: Apache-2.0
"""Builds a core in Icarus Verilog and runs the tests of a cocotb module on it."""

import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner
from needs import require
from port_units import DESIGN, MOST, UNIT, name_of, named

from montcore.bundle.styles import port
from montcore.cores.core import Core
from montcore.ecc.design import EngineDesign
from montcore.modexp.design import COMMON_MODULES, LENGTH_BITS, ExponentiatorDesign
from montcore.sim.build import RtlBuild
from montcore.sim.port_checker import CHECKER, CheckedPort
from montcore.support.paths import REPO_ROOT, module_files
from montcore_lab.checkout.remembered import Question, remembered
from montcore_lab.lint.dialects import copies_for_icarus_11

#: Folder of the cocotb modules.
BENCHES = Path(__file__).with_name("cocotb")
EXAMPLE = REPO_ROOT / "examples" / "cocotb"

#: Characters of the simulation's output that are shown on failure.
LOG_TAIL = 6000

#: Disables cocotb's import of pytest with all its plugins into each simulator. It only serves to
#: show the values of a failed assertion, and takes longer than most simulations.
NO_REWRITING = {"COCOTB_REWRITE_ASSERTION_FILES": ""}


#: Second top module of a simulation: the checkers of the ports.
BESIDE = "montcore_port_beside"


def beside(port: CheckedPort) -> str:
    """Return a checker that accesses the one instance of a port from another hierarchy."""
    instance = port.instance(f"{port.path}.", str(port.width))
    return instance.replace("u_port_checker", f"u_{port.path.replace('.', '_')}")


def beside_text(build: RtlBuild) -> str:
    """Return the module `BESIDE`."""
    return f"module {BESIDE};\n{''.join(map(beside, build.checked_ports()))}endmodule\n"


def run_bench(
    folder: Path, bench: str, core: Core, extra_parameters: dict[str, int] | None = None
) -> None:
    """Run all cocotb tests of a module on one build of a core.

    Args:
        folder: an empty folder for the build and its logs.
        bench: name of the module in tests/support/cocotb.
        core: the core.
        extra_parameters: parameters of the top module in addition to the core's.

    Raises:
        AssertionError: a test failed, or the module has none.
    """
    parameters = {**core.sv_parameters(), **(extra_parameters or {})}
    run_sources(folder, bench, replace(RtlBuild.of_core(core), parameters=parameters))


def run_sources(
    folder: Path, bench: str, build: RtlBuild, environment: dict[str, str] | None = None
) -> None:
    """Run all cocotb tests of a module on arbitrary sources.

    Args:
        folder: an empty folder for the build and its logs.
        bench: name of the module in tests/support/cocotb or examples/cocotb.
        build: top module, sources, parameters, and flags of the form -DNAME.
        environment: variables that the module reads.

    Raises:
        AssertionError: a test failed, or the module has none.
    """
    require("iverilog", "libpython")
    parts = [bench, build.top, dict(build.parameters), list(build.extra_flags), environment or {}]
    parts.append(beside_text(build))
    files = (
        *build.sources,
        CHECKER,
        Path(__file__),
        *sorted(BENCHES.glob("*.py")),
        *EXAMPLE.glob("*.py"),
    )
    programs = ("iverilog", "vvp")
    question = Question(parts, files, asked_by=("montcore", "montcore_lab.lint"), programs=programs)
    # A bench that failed is run again next time; nothing reads the files that it leaves.
    remembered(question, lambda: _run(folder, bench, build, environment))


def play_sequences(
    folder: Path,
    packets: int,
    design: Core | ExponentiatorDesign | EngineDesign,
    target: str = "",
    rtl: RtlBuild | None = None,
) -> None:
    """Play random sequences at the port of a unit.

    Args:
        folder: an empty folder for the build and its logs.
        packets: number of packets.
        design: the unit.
        target: the target in whose style it is built, empty for that of simulation.
        rtl: other sources of the unit.

    Raises:
        AssertionError: the unit broke the contract.
    """
    name = name_of(design)
    assert named(*name) == design, "the bench would judge another unit than the one that is built"
    environment = {UNIT: json.dumps([packets, target, *name])}
    run_sources(folder, "port_sequence", rtl or port(design, target).rtl, environment)


def run_exponentiator(
    folder: Path, design: ExponentiatorDesign, rtl: RtlBuild | None = None, only: str = ""
) -> None:
    """Run powers in an exponentiator, or in several at once; nothing may be left of them.

    Args:
        folder: an empty folder for the build and its logs.
        design: one exponentiator, several slots or a pair.
        rtl: other sources of it.
        only: part of the name of the tests that run; empty: all.

    Raises:
        AssertionError: a test failed.
    """
    environment = {DESIGN: json.dumps(name_of(design))}
    if only:
        environment["COCOTB_TEST_FILTER"] = only
    several = "_several" if design.pair or design.slots > 1 else ""
    run_sources(folder, f"modexp{several}_internal", rtl or design.build(), environment)


def run_lazy_unit(folder: Path, core: Core, most: int = 0) -> None:
    """Compare a core's unit for lazy products with its arithmetic.

    Args:
        folder: an empty folder for the build and its logs.
        core: the core.
        most: the largest modulus that is tested with all operands.

    Raises:
        AssertionError: a test failed.
    """
    unit = core.lazy_unit()
    assert unit is not None
    own = {key: value for key, value in core.sv_parameters().items() if key not in unit.without}
    bits = {"BeatBits": unit.beats(core.bits).bit_length(), "LengthBits": LENGTH_BITS}
    common = module_files(COMMON_MODULES)
    sources = (*common, *(path for path in unit.sources if path not in common))
    # The unit alone does not have the common port, so that there is none to check.
    build = RtlBuild(unit.top, sources, own | bits, ports=())
    environment = {DESIGN: json.dumps(name_of(core)), MOST: str(most)}
    run_sources(folder, "lazy_unit", build, environment)


def _run(folder: Path, bench: str, build: RtlBuild, environment: dict[str, str] | None) -> bool:
    """Do what `run_sources` does; return True."""
    copies = copies_for_icarus_11((*build.sources, CHECKER), folder)
    copies.append(folder / f"{BESIDE}.sv")
    copies[-1].write_text(beside_text(build))
    runner = get_runner("icarus")
    runner.build(
        sources=copies,
        hdl_toplevel=build.top,
        parameters=dict(build.parameters),
        defines={flag.removeprefix("-D"): "1" for flag in build.extra_flags},
        build_args=["-s", BESIDE],
        build_dir=folder / "build",
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
    )
    results = folder / "results.xml"
    # The runner raises SystemExit when a test fails; the log is more informative.
    with suppress(SystemExit):
        runner.test(
            test_module=bench,
            hdl_toplevel=build.top,
            build_dir=folder / "build",
            test_dir=BENCHES if (BENCHES / f"{bench}.py").exists() else EXAMPLE,
            results_xml=str(results),
            log_file=folder / "run.log",
            extra_env={**NO_REWRITING, **(environment or {})},
        )
    log = (folder / "run.log").read_text()
    broken = re.search(r"^FATAL: \S+ (.*)$", log, re.M)
    assert broken is None, f"a rule of the port is broken: {broken[1]}"
    count, failed = get_results(results)
    assert count > 0 and failed == 0, log[-LOG_TAIL:]
    return True
