# SPDX-License-Identifier: Apache-2.0
"""Table 8 of riscv-2021 with our rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.papers.base import Column, Paper, Row, Table
from montcore.papers.riscv2021 import published as riscv2021
from montcore.papers.riscv2021.elements import ELEMENTS
from montcore.papers.subject import Figures, Subject, measured_by
from montcore.riscv.bench import multiplier_cell
from montcore.riscv.extensions import EXTENSIONS
from montcore.riscv.machine import CPUS, Machine, get_cpu
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore.synth import identity

_LENGTHS = tuple(riscv2021.CYCLES)


@dataclass(frozen=True)
class Routine(Subject):
    """Cycles of a multiplication routine on a simulated processor.

    Attributes:
        cpu: name of the processor.
        name: the routine in the library.
        schedule: how the library was built.
    """

    cpu: str
    name: str
    schedule: str

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return measured_by("riscv-2021", f"{self.name} {self.schedule} on {self.cpu}")

    def sources(self) -> Sequence[Path]:
        """Return the library's assembly, and the instructions' RTL where they are used."""
        found = [*(REPO_ROOT / "sw" / "riscv" / "src").rglob("*.S")]
        found += (REPO_ROOT / "sw" / "riscv" / "src").rglob("*.inc")
        if "rvx" in self.cpu:
            found += (HW_DIR / "rvx" / "rtl").glob("*.sv")
        return sorted(found)

    def parameters(self) -> Mapping[str, object]:
        """Return nothing: the command says it all."""
        return {}

    def flow(self) -> Mapping[str, object]:
        """Return the simulation, and the packages that provide the processors."""
        flow = identity.flow_of(identity.SIMULATION)
        processors = [name for name in identity.pinned() if name.startswith("pythondata-cpu-")]
        own = [name for name in processors if self.cpu.startswith(name.rpartition("-")[2])]
        return {**flow, "tools": {**flow["tools"], **identity.pins(own)}}

    def measure(self) -> Figures:
        """Simulate products of every length; each is checked.

        Raises:
            CheckFailedError: a product is wrong.
        """
        machine = Machine(get_cpu(self.cpu), self.schedule)
        found: dict[str, float | int | None] = {}
        for length in _LENGTHS:
            cell = multiplier_cell(machine, self.name, length)
            found |= {"code_bytes": cell.code_bytes, f"cycles_{length}": cell.cycles}
        return found


def _measured(cpu: str, name: str, schedule: str, what: str) -> Row:
    return Row("montcore", what, CPUS[cpu].title, subject=Routine(cpu, name, schedule))


def _cycles(counts: dict[int, int]) -> dict[str, float | int | None]:
    return {f"cycles_{length}": count for length, count in counts.items()}


PAPER = Paper(
    "riscv-2021",
    "H. Seo et al., scalable multi-precision multiplication on RISC-V (2021)",
    (
        Table(
            "Table 8: products on RV32",
            (
                *(Column(f"cycles, {length} bits", f"cycles_{length}") for length in _LENGTHS),
                Column("code bytes", "code_bytes"),
            ),
            (
                Row(
                    "paper",
                    "one routine for all lengths",
                    "SiFive E31",
                    {**_cycles(riscv2021.CYCLES), "code_bytes": riscv2021.CODE_BYTES},
                ),
                Row(
                    "paper",
                    "[4] Stoffelen 2019, row by row",
                    "",
                    _cycles(riscv2021.EARLIER_CYCLES),
                    about=frozenset(_cycles(riscv2021.EARLIER_CYCLES)),
                ),
                _measured("rocket-e31", "mc_mul_paper", "iterative", "the paper's schedule"),
                _measured("rocket-e31", "mc_mul_raw", "iterative", "mul"),
                _measured("rocket-fast", "mc_mul_raw", "pipelined", "mul"),
                _measured("vexriscv", "mc_mul_raw", "pipelined", "mul"),
                _measured("picorv32", "mc_mul_raw", "pipelined", "mul"),
                _measured("cv32e40p", "mc_mul_raw", "pipelined", "mul"),
                *(
                    _measured("vexriscv-rvx", extension.routine, "pipelined", extension.what)
                    for extension in EXTENSIONS
                ),
            ),
            "The paper measures silicon; rocket-e31 is the same generator's core in the E31's "
            "shape, simulated cycle by cycle. Call and return are counted. The paper's title names "
            "post-quantum cryptography; what it measures are integer products of 256 to 1024 bits. "
            "So are these rows: montcore has no post-quantum scheme, and products and reductions "
            "for the primes of SIKE and CSIDH-512 are not measured.",
        ),
    ),
    ELEMENTS,
)
