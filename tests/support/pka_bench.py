# SPDX-License-Identifier: Apache-2.0
"""A simulated accelerator behind AXI4-Lite, accessed by the C driver."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import sanitizers
from programs import output_of, write_script

from montcore.cores import get_core
from montcore.sim.build import FLAGS_VARIABLE, build_simulator
from montcore.soc.design import AcceleratorDesign
from montcore.soc.wrapper import find_bus, top
from montcore.support.files import generated_file
from montcore.support.paths import PREFIX, REPO_ROOT

DRIVER = REPO_ROOT / "sw" / "driver"
BENCH = REPO_ROOT / "tests" / "support" / "driver" / "pka_bench.cpp"
#: The driver's parts for an accelerator.
PARTS = ("pka", "rsa", "ecc", "ecc_curves", "x25519", "eddsa")
#: Files of the driver, in an order in which they can be concatenated.
FILES = (
    *(
        DRIVER / name
        for name in ("montcore_pka.h", "montcore_rsa.h", "montcore_ecc.h", "montcore_eddsa.h")
    ),
    DRIVER / "montcore_pka_registers.h",
    *(DRIVER / f"montcore_{name}_inner.h" for name in ("pka", "ecc")),
    *(DRIVER / f"montcore_{name}.c" for name in PARTS),
    DRIVER / "montcore_pka_verilated.hpp",
)
NAME = "pka_bench_top"


def one_file(folder: Path) -> Path:
    """Write driver and bench as one source, so that the simulator's key covers both."""
    parts = [path.read_text() for path in (*FILES, BENCH)]
    for name in (path.name for path in FILES):
        parts = [part.replace(f'#include "{name}"', "") for part in parts]
    path = folder / "pka_bench.cpp"
    path.write_text("\n".join(parts))
    return path


def sources(design: AcceleratorDesign, bus: str = "axi4-lite") -> list[Path]:
    """Return the files of an accelerator behind a bus, the generated top module last."""
    chosen = find_bus(bus)
    name = f"{PREFIX}{NAME}"
    made = generated_file(NAME, top(design, chosen, name))
    return [*design.sources(shell=chosen.shell), made]


@dataclass(frozen=True)
class PkaAnswer:
    """One line of the bench's output: the status and its text."""

    status: int
    said: str

    @property
    def value(self) -> int:
        """The text as a hexadecimal number."""
        return int(self.said, 16)


@dataclass(frozen=True)
class PkaBench:
    """A simulator of one accelerator."""

    design: AcceleratorDesign
    program: Path

    def run(self, lines: Sequence[str]) -> list[PkaAnswer]:
        """Run command lines; each gives one answer."""
        found = []
        for line in output_of(self.program, text="\n".join(lines) + "\n").splitlines():
            status, _, said = line.partition(" ")
            found.append(PkaAnswer(int(status), said))
        assert len(found) == len(lines)
        return found

    def played(self, *parts: list[str]) -> list[list[PkaAnswer]]:
        """Run lists of lines in sequence from rest on; return the answers of each list."""
        start = [f"idle {LIMIT}", write(INTR, 3)]
        answers = iter(self.run([*start, *(line for part in parts for line in part)])[2:])
        return [[next(answers) for _ in part] for part in parts]

    def errors(self, *parts: list[str]) -> list[int]:
        """Return the value read by the last line of each list."""
        return [part[-1].value for part in self.played(*parts)]


def joined(answers: Sequence[PkaAnswer]) -> int:
    """Return the number whose words were read, each of which must have been allowed."""
    assert all(answer.status == 0 for answer in answers)
    return sum(answer.value << 32 * place for place, answer in enumerate(answers))


def result(bits: int, slot: int = 3) -> list[str]:
    """Return the lines that read an operand slot."""
    return [f"r {slot_at(slot) + place // 8:x}" for place in range(0, bits, 32)]


def load(m: int, bits: int) -> list[str]:
    """Return the lines that load a modulus."""
    return [write(LENGTH, bits), *number(OPERANDS, m, bits), *command(LOAD, x=0)]


def bench(folder: Path, core: str, bits: int, settings: Mapping[str, str]) -> PkaBench:
    """Return the bench of an exponentiator over a core, built if necessary."""
    return bench_of(folder, AcceleratorDesign(get_core(core).configure(dict(settings), bits)))


def bench_of(folder: Path, design: AcceleratorDesign, sanitizer: str | None = None) -> PkaBench:
    """Return the bench of an accelerator, built if necessary, with a sanitizer if one is named."""
    with pytest.MonkeyPatch.context() as patch:
        if sanitizer:
            options = " ".join(sanitizers.flags(sanitizer))
            # It has no other way to options.
            linking = write_script(folder / "g++", f'exec g++ "$@" {options}')
            patch.setenv("CXX", str(linking))
            patch.setenv(FLAGS_VARIABLE, options)
        program = build_simulator(
            f"{PREFIX}{NAME}",
            sources(design),
            {},
            [f"-D{name}" for name in design.defines],
            harness=one_file(folder),
            defines=(*design.defines, "MONTCORE_RSA_USES=5u"),
        )
    return PkaBench(design, program)


#: For a fixture: without a sanitizer and, in nightly tests, with one, which takes ten times as long
#: to compile.
BUILDS = (
    pytest.param(None, id="plain"),
    pytest.param("address", id="address", marks=pytest.mark.nightly),
)


#: Addresses and commands of hw/soc/montcore_pka.rdl.
CONTROL, STATUS, ERROR, INTR, ENABLE, LENGTH, Y_LENGTH, COMMAND, CYCLES = range(0x10, 0x34, 4)
CURVE, CURVES = 0x34, 0x38
OPERANDS, KEY, SLOT = 0x4000, 0x8000, 0x400
LOAD, POWER, PRODUCT, KEY_LOAD, KEY_POWER, CLEAR, LOCK = range(1, 8)
LOAD_CURVE, POINT, KEY_CURVE, KEY_POINT, CURVE_LOCK, DRAW = range(8, 14)
#: Bit of CONTROL: a locked key stays; bits of STATUS: a key is locked, it is one of a curve.
KEEP, LOCKED, KEY_KIND = 2, 8, 0x40
#: Codes of the register `error` in addition to the statuses of the common port.
NO_MODULUS, BAD_COMMAND, BAD_LENGTH, BAD_KEY, ABANDONED = 6, 8, 9, 10, 11
NO_RANDOM, NO_CURVE = 21, 24
#: Cycles after which a command on the small builds is considered hung.
LIMIT = 2_000_000


def slot_at(place: int) -> int:
    """Return the address of a slot: an operand's, from 8 on one of the key's."""
    return OPERANDS + place * SLOT if place < 8 else KEY + (place - 8) * SLOT


def write(address: int, word: int, strobes: int = 0xF) -> str:
    """Return the line that writes a word."""
    return f"w {address:x} {word & 0xFFFFFFFF:x} {strobes:x}"


def number(address: int, value: int, bits: int) -> list[str]:
    """Return the lines that write a number."""
    return [
        write(address + place // 8, value >> place & 0xFFFFFFFF) for place in range(0, bits, 32)
    ]


def access(kind: int, rng: random.Random) -> str:
    """Return a line for an access of kind 0 (read), 1 (write) or 2 (register access)."""
    if kind == 0:
        return f"r {rng.randrange(1 << 16):x}"
    address = rng.randrange(1 << 16) if kind == 1 else 4 * rng.randrange(16)
    return write(address, rng.getrandbits(32), rng.randrange(16))


def orders(seed: int, rng: random.Random) -> list[str]:
    """Return lines that read and write one register and issue two commands, in any state.

    256 consecutive seeds cover every register and every command after every other.
    """
    register, pair = 4 * (seed % 16), (seed % 16, seed // 16 % 16)
    lines = [f"r {register:x}", write(register, rng.getrandbits(32), rng.randrange(16))]
    for op in pair:
        slots = rng.choice((0x32100, 0x50E00, rng.getrandbits(12) << 8))
        word = op | rng.randrange(4) << 4 | slots | rng.randrange(8) << 20
        lines += [write(COMMAND, word), rng.choice((f"idle {LIMIT}", "run 1", "run 100"))]
    return lines


def command(
    op: int, *, policy: int = 0, x: int = 1, y: int = 2, z: int = 3, operation: int = 0
) -> list[str]:
    """Return the lines that issue a command, wait for its end and read its error."""
    word = op | policy << 4 | x << 8 | y << 12 | z << 16 | operation << 20
    return [write(COMMAND, word), f"idle {LIMIT}", f"r {ERROR:x}"]
