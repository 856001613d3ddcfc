# SPDX-License-Identifier: Apache-2.0
"""Measures the multiplication routines on simulated cores, beside the paper's Table 8."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from montcore.errors import CheckFailedError, RequestError
from montcore.papers import riscv2021
from montcore.riscv.calls import MULTIPLIERS, Call, product_call, random_operand
from montcore.riscv.machine import CPUS, DEFAULT_CPUS, Machine, get_cpu

DEFAULT_BITS = (256, 512, 1024, 2048, 4096)

#: Operand pairs measured for each length; all must take the same cycles.
PAIRS = 4


@dataclass(frozen=True)
class Cell:
    """One measurement.

    Attributes:
        cpu: name of the core.
        routine: name of the routine.
        schedule: how `mul` was built.
        code_bytes: size of the routine.
        bits: length of an operand.
        cycles: of a call, call and return included, or None if the cycles differed.
        cycles_max: the largest; equal to `cycles` unless they differed.
    """

    cpu: str
    routine: str
    schedule: str
    code_bytes: int
    bits: int
    cycles: int | None
    cycles_max: int


@dataclass(frozen=True)
class Bench:
    """What was measured, and which cores could not be and why."""

    cells: tuple[Cell, ...]
    skipped: dict[str, str]

    def as_object(self) -> dict[str, object]:
        """Return what ``montcore riscv bench --json`` prints."""
        return {
            "paper": {
                "core": "SiFive E31",
                "cycles": {str(bits): count for bits, count in riscv2021.CYCLES.items()},
                "code_bytes": riscv2021.CODE_BYTES,
            },
            "measured": [vars(cell) for cell in self.cells],
            "skipped": self.skipped,
        }


def limbs_of(bits: int) -> int:
    """Return the 64-bit limbs of a length.

    Raises:
        RequestError: it is not a multiple of 64 from 64 to 4096.
    """
    if bits % 64 or not 64 <= bits <= 4096:
        raise RequestError(f"--bits takes a multiple of 64 from 64 to 4096, not {bits}")
    return bits // 64


def operands(n: int, pairs: int, seed: int) -> list[tuple[int, int]]:
    """Return operand pairs: all ones first, then of every kind."""
    random = Random(f"{seed} {n}")
    ones = (1 << 64 * n) - 1
    found = [(ones, ones)]
    found += [(random_operand(random, n), random_operand(random, n)) for _ in range(pairs - 1)]
    return found


def cycles_of(machine: Machine, calls: Sequence[Call]) -> list[int]:
    """Run calls, check what each left behind, and return their cycles.

    Raises:
        CheckFailedError: a result is wrong.
    """
    found = []
    for call, run in zip(calls, machine.run(calls), strict=True):
        if run.memory != call.expected or call.value not in (None, run.value):
            raise CheckFailedError(f"{machine.cpu.name}: {call.function} left a wrong result")
        found.append(run.cycles)
    return found


def bench(
    bits: Sequence[int] = DEFAULT_BITS,
    cpus: Sequence[str] | None = None,
    *,
    pairs: int = PAIRS,
    seed: int = 0,
    step: Callable[[str], None] = lambda text: None,
) -> Bench:
    """Measure all routines on cores.

    Args:
        bits: lengths of an operand.
        cpus: names of cores, all of which must be there; by default the usual ones, and the Rocket
            cores too where they can be generated.
        pairs: operand pairs for each length.
        seed: of the operands.
        step: told what is being done.

    Raises:
        RequestError: a length or a core is not possible, or the compiler is missing.
        CheckFailedError: a product is wrong.
    """
    lengths = [limbs_of(length) for length in bits]
    skipped: dict[str, str] = {}
    chosen = []
    for name in cpus or (*DEFAULT_CPUS, "rocket-e31", "rocket-fast"):
        cpu = get_cpu(name)
        lack = cpu.missing()
        if lack is None:
            chosen.append(cpu)
        elif cpus:
            raise RequestError(lack)
        else:
            skipped[name] = lack
    cells = []
    for cpu in chosen:
        step(f"{cpu.name}: simulator and program")
        machines = {"": Machine(cpu)}
        other = "iterative" if cpu.schedule == "pipelined" else "pipelined"
        machines[other] = Machine(cpu, other)
        for routine in MULTIPLIERS:
            for schedule, machine in machines.items():
                if schedule and routine != "mc_mul_raw":
                    continue  # only this routine knows schedules
                for length, n in zip(bits, lengths, strict=True):
                    step(f"{cpu.name}: {routine} {schedule} {length} bits")
                    pairs_ = operands(n, pairs, seed)
                    calls = [product_call(routine, machine.arena, n, a, b) for a, b in pairs_]
                    counts = cycles_of(machine, calls)
                    cells.append(
                        Cell(
                            cpu.name,
                            routine,
                            schedule or cpu.schedule,
                            machine.program.function_bytes(routine),
                            length,
                            counts[0] if len(set(counts)) == 1 else None,
                            max(counts),
                        )
                    )
    return Bench(tuple(cells), skipped)


def table_rows(result: Bench) -> list[list[str]]:
    """Return the rows of the table that people see: core, routine, bytes, cycles by length."""
    lengths = list(dict.fromkeys(cell.bits for cell in result.cells))
    paper = [f"{riscv2021.CYCLES[bits]:,}" if bits in riscv2021.CYCLES else "" for bits in lengths]
    rows = [["SiFive E31", "the paper, Table 8", str(riscv2021.CODE_BYTES), *paper]]
    found: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in result.cells:
        found.setdefault((cell.cpu, cell.routine, cell.schedule), []).append(cell)
    for (cpu, routine, schedule), cells in found.items():
        title = MULTIPLIERS[routine]
        if routine == "mc_mul_raw":
            meant = " (meant for it)" if CPUS[cpu].schedule == schedule else ""
            title += f", {schedule}{meant}"
        counts = [
            f"{cell.cycles:,}" if cell.cycles is not None else f"up to {cell.cycles_max:,}"
            for cell in cells
        ]
        rows.append([cpu, title, str(cells[0].code_bytes), *counts])
    return rows
