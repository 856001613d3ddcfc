# SPDX-License-Identifier: Apache-2.0
"""Table 8 of riscv-2021 with our rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.papers import riscv2021
from montcore.papers.subject import Figures, Subject
from montcore.papers.tables.base import Column, Paper, Row, Table
from montcore.paths import HW_DIR, REPO_ROOT
from montcore.riscv.bench import cycles_of, limbs_of, operands
from montcore.riscv.calls import product_call
from montcore.riscv.extensions import EXTENSIONS
from montcore.riscv.machine import CPUS, Machine, get_cpu

_LENGTHS = tuple(riscv2021.CYCLES)
_PAIRS = 4


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
        """The command that measures it again, with other routines."""
        bits = ",".join(str(length) for length in _LENGTHS)
        return f"montcore riscv bench --bits {bits} --cpu {self.cpu} ({self.name}, {self.schedule})"

    def sources(self) -> Sequence[Path]:
        """Return the library's assembly, and the instructions' RTL where they are used."""
        found = [*(REPO_ROOT / "sw" / "riscv" / "src").rglob("*.S")]
        found += (REPO_ROOT / "sw" / "riscv" / "src").rglob("*.inc")
        if "rvx" in self.cpu:
            found += (HW_DIR / "rvx" / "rtl").glob("*.sv")
        return sorted(found)

    def measure(self) -> Figures:
        """Simulate products of every length; each is checked.

        Raises:
            CheckFailedError: a product is wrong, or the cycles of a length differ.
        """
        machine = Machine(get_cpu(self.cpu), self.schedule)
        found: dict[str, float | int | None] = {
            "code_bytes": machine.program.function_bytes(self.name)
        }
        for length in _LENGTHS:
            n = limbs_of(length)
            calls = [
                product_call(self.name, machine.arena, n, a, b)
                for a, b in operands(n, _PAIRS, seed=0)
            ]
            counts = set(cycles_of(machine, calls))
            found[f"cycles_{length}"] = counts.pop() if len(counts) == 1 else None
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
                Row("paper", "earlier work", "", _cycles(riscv2021.EARLIER_CYCLES)),
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
            "shape, simulated cycle by cycle. Call and return are counted.",
        ),
    ),
)
