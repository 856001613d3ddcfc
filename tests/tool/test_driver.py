# SPDX-License-Identifier: Apache-2.0
"""The C driver against the simulated hardware of several cores, and as any C compiler sees it."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from needs import require
from programs import COMPILERS, check_stack, output_of

from montcore.bundle import driver
from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.model.fields import get_field
from montcore.model.spec import montgomery_product, r_squared
from montcore.sim.build import RtlBuild, build_simulator
from montcore.sim.types import Status
from montcore.support.paths import REPO_ROOT

BENCH = REPO_ROOT / "tests" / "support" / "driver" / "bench.cpp"
PORT_FAILED = 33


@dataclass(frozen=True)
class DriverAnswer:
    """One line of the bench: the status and the numbers."""

    status: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Driven:
    """A core's simulation with the driver in front."""

    core: Core
    program: Path

    def run(self, *lines: str) -> list[DriverAnswer]:
        answers = []
        for line in output_of(self.program, text="\n".join(lines) + "\n").splitlines():
            status, *head, last = line.split()  # of load: log2 R in decimal, then R^2
            values = (*map(int, head), int(last, 16))
            answers.append(DriverAnswer(int(status), values))
        return answers


def driven(folder: Path, name: str, settings: dict[str, str], bits: int) -> Driven:
    """Build the bench: driver, header and main program in one file, for one configuration."""
    core = get_core(name)
    config = core.configure(settings, bits)
    header = driver.constants(config, "dut", None).replace('#include "montcore_driver.h"', "")
    parts = [*((driver.DRIVER_DIR / file).read_text() for file in driver.FILES)]
    parts = [part.replace('#include "montcore_driver.h"', "") for part in parts]
    source = folder / "bench.cpp"
    text = [*parts, header, "#define MONTCORE_BUILD dut_build", BENCH.read_text()]
    source.write_text("\n".join(text))
    rtl = RtlBuild.of_core(config)
    program = build_simulator(rtl.top, rtl.sources, rtl.parameters, harness=source)
    return Driven(config, program)


@pytest.mark.parametrize(
    ("name", "settings", "bits"),
    [
        ("smm", {"npe": "2", "w": "16"}, 100),
        ("dsp", {"alpha": "3"}, 110),
        ("smm", {"npe": "1", "w": "64"}, 130),
        ("karatsuba", {}, 96),
    ],
)
@pytest.mark.one_in(10)
def test_driver_multiplies_on_the_hardware(
    tmp_path: Path, name: str, settings: dict[str, str], bits: int
) -> None:
    bench = driven(tmp_path, name, settings, bits)
    rng = random.Random(bits)
    lines, wanted = [], []
    for length in (bits, bits - 1, bits // 2 + 1, 33, 2):
        m = rng.getrandbits(length) | 1 | (1 << (length - 1))
        r = bench.core.r_bits(length)
        lines.append(f"load {length} {m:x}")
        wanted.append(DriverAnswer(0, (r, r_squared(m, r))))
        for x, y in ((m - 1, m - 1), (0, 1), (rng.randrange(m), rng.randrange(m))):
            lines += [f"mul {x:x} {y:x}", f"modmul {x:x} {y:x}"]
            wanted.append(DriverAnswer(0, (montgomery_product(x, y, m, r),)))
            wanted.append(DriverAnswer(0, (x * y % m,)))
    assert bench.run(*lines) == wanted


def test_errors_of_the_core_and_of_the_port_reach_the_caller(tmp_path: Path) -> None:
    bench = driven(tmp_path, "smm", {"npe": "2", "w": "16"}, 100)
    answers = bench.run(
        "mul 1 1",
        "load 100 8",
        "mul 1 1",
        "load 101 1ffffffffffffffffffffffff1",
        "load 20 1",
        "load 20 fffff",
        "mul fffff 1",
        "mul 2 3",
        "break",
        "mul 2 3",
        "load 20 fffff",
    )
    good = montgomery_product(2, 3, 0xFFFFF, 32)
    assert [answer.status for answer in answers] == [
        Status.NO_MODULUS,
        Status.MODULUS_EVEN,
        Status.NO_MODULUS,
        Status.MODULUS_LENGTH,
        Status.MODULUS_ONE,
        0,
        Status.OPERAND_RANGE,
        0,
        PORT_FAILED,
        PORT_FAILED,
    ]
    assert answers[6].values == (0,) and answers[7].values == (good,)
    assert answers[8].values == (0,)


def test_radix_depends_on_the_beats_alone_as_the_header_says() -> None:
    for core in all_cores().values():
        for config in core.points(256):
            by_beats: dict[int, set[int]] = {}
            for length in range(2, 257):
                beats = config.beats(length)
                by_beats.setdefault(beats, set()).add(config.r_bits(length))
            assert all(len(found) == 1 for found in by_beats.values()), config.label()


def test_zeroize_through_the_driver_forgets_the_modulus(tmp_path: Path) -> None:
    bench = driven(tmp_path, "smm", {"npe": "2", "w": "16"}, 100)
    load, product = "load 20 fffff", "mul 2 3"
    answers = bench.run(load, product, "zeroize", product, load, product)
    assert [answer.status for answer in answers] == [0, 0, 0, Status.NO_MODULUS, 0, 0]
    assert answers[1] == answers[5]


WIPE = REPO_ROOT / "tests" / "support" / "driver" / "wipe.c"


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("bus", [32, 34, 64, 224])
@pytest.mark.one_in(5)
def test_no_call_leaves_a_number_on_the_stack(tmp_path: Path, level: str, bus: int) -> None:
    """Each call runs on a separate stack, which is searched for its arguments."""
    sources = (WIPE, driver.DRIVER_DIR / "montcore_driver.c")
    flags = ("-std=gnu99", level, "-Wall", "-Wextra", "-Werror", f"-DBUS={bus}")
    output_of("gcc", *flags, f"-I{driver.DRIVER_DIR}", *sources, "-o", tmp_path / "wipe")
    check_stack(tmp_path / "wipe")


@pytest.mark.parametrize("command", COMPILERS, ids=lambda command: command[0])
def test_driver_and_header_compile_without_a_warning(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    require(command[0])
    core, field = get_core("smm"), get_field("p521r1")
    config = core.configure({}, field.bits)
    driver.write(config, "mul", field, tmp_path)
    user = tmp_path / "driver" / "user.c"
    user.write_text(
        '#include "mul.h"\n'
        "montcore_status use(montcore *core, const montcore_port *port, uint32_t *z);\n"
        "montcore_status use(montcore *core, const montcore_port *port, uint32_t *z) {\n"
        "  if (montcore_init(core, &mul_build, port) != MONTCORE_OK) return MONTCORE_BAD_CALL;\n"
        "  if (montcore_load(core, mul_modulus, MUL_BITS) != MONTCORE_OK)\n"
        "    return MONTCORE_PORT_FAILED;\n"
        "  return montcore_modmul(core, mul_r_squared, mul_r_squared, z, z);\n"
        "}\n"
    )
    for file in ("montcore_driver.c", "user.c"):
        output_of(*command, "-Werror", "-c", file, "-o", "out.o", cwd=tmp_path / "driver")


def test_constants_of_a_field_are_right(tmp_path: Path) -> None:
    core, field = get_core("smm"), get_field("p224r1")
    text = driver.constants(core.configure({}, 224), "mul", field)

    def number(what: str) -> int:
        body = text.partition(f"mul_{what}[7] = {{")[2].partition("}")[0]
        limbs = [int(limb.strip().rstrip("u"), 16) for limb in body.split(",")]
        return sum(limb << (32 * place) for place, limb in enumerate(limbs))

    assert number("modulus") == field.p
    assert number("r_squared") == pow(2, 2 * 224, field.p)
