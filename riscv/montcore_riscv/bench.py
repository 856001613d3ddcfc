# SPDX-License-Identifier: Apache-2.0
"""Measures the multiplication routines on simulated cores, as in Table 8 of the paper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from montcore.support.errors import CheckFailedError, RequestError
from montcore_riscv.calls import (
    MULTIPLIERS,
    WINDOW_BITS,
    Call,
    init_call,
    mod_add_call,
    mod_sub_call,
    modexp_call,
    montmul_call,
    product_call,
    random_operand,
    square_call,
)
from montcore_riscv.machine import CPUS, DEFAULT_CPUS, Machine, get_cpu

DEFAULT_BITS = (256, 512, 1024, 2048, 4096)

#: Table 8 of riscv-2021: cycles by bits of an operand on a SiFive E31, and bytes of its routine.
PAPER_CYCLES = {256: 1_460, 512: 5_625, 1024: 21_857}
PAPER_CODE_BYTES = 640

#: Operand pairs measured for each length; all must take the same cycles.
PAIRS = 4


#: Code of the rows, which product, square and reduction share.
ROWS = ("mc_mul_rows", "mc_rows8", "mc_rows4", "mc_rows2")

#: Code parts of multiplications that have more than one.
PARTS: dict[str, tuple[str, ...]] = {
    "mc_mul_rows": ROWS,
    "mc_mul_karatsuba": ("mc_mul_karatsuba", "difference", "mc_mul_raw"),
}

#: The library's own multiplications, measured with both schedules.
BOTH_SCHEDULES = ("mc_mul_rows", "mc_mul_columns")

#: Routines built on the multiplication, and the code of each except mul.
ARITHMETIC = {
    "mc_sqr_raw": ("mc_sqr_raw", *ROWS[1:]),
    "mc_montmul_raw": ("mc_montmul_raw", "mc_redc_raw"),
    "mc_montsqr_raw": ("mc_montsqr_raw", "mc_sqr_raw", "mc_redc_raw"),
    "mc_mod_add_raw": ("mc_mod_add_raw",),
    "mc_mod_sub_raw": ("mc_mod_sub_raw",),
}


@dataclass(frozen=True)
class BenchCell:
    """One measurement.

    Attributes:
        cpu: name of the core.
        routine: name of the routine.
        schedule: schedule with which `mul` was built.
        code_bytes: size of the routine.
        bits: length of an operand.
        cycles: cycles of a call, including call and return, or None if they differed.
        cycles_max: maximum cycles; equal to `cycles` unless they differed.
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
    """Measurements, and the cores that could not be measured.

    Attributes:
        cells: the multiplication routines.
        arithmetic: the routines built on them.
        powers: set-up and powers, the exponent as long as the modulus or 65537.
        skipped: omitted cores, with reasons.
    """

    cells: tuple[BenchCell, ...]
    arithmetic: tuple[BenchCell, ...]
    powers: tuple[BenchCell, ...]
    skipped: dict[str, str]

    def as_object(self) -> dict[str, object]:
        """Return the output of ``montcore riscv bench --json``."""
        return {
            "paper": {
                "core": "SiFive E31",
                "cycles": {str(bits): count for bits, count in PAPER_CYCLES.items()},
                "code_bytes": PAPER_CODE_BYTES,
            },
            "measured": [vars(cell) for cell in self.cells],
            "arithmetic": [vars(cell) for cell in self.arithmetic],
            "modexp": [vars(cell) for cell in self.powers],
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
    """Return operand pairs: all ones first, then every kind."""
    random = Random(f"{seed} {n}")
    ones = (1 << 64 * n) - 1
    found = [(ones, ones)]
    found += [(random_operand(random, n), random_operand(random, n)) for _ in range(pairs - 1)]
    return found


def cycles_of(machine: Machine, calls: Sequence[Call], repeats: int = 2) -> list[int]:
    """Run calls, check the state after each, and return the cycles of the last of `repeats`.

    Raises:
        CheckFailedError: a result is wrong.
    """
    found = []
    for call, run in zip(calls, machine.run(calls, repeats), strict=True):
        if run.memory != call.expected or call.value not in (None, run.value):
            raise CheckFailedError(f"{machine.cpu.name}: {call.function} left a wrong result")
        found.append(run.cycles)
    return found


def arithmetic_call(routine: str, arena: int, n: int, a: int, b: int, m: int) -> Call:
    """Return a call of one of `ARITHMETIC` with a modulus."""
    if routine == "mc_sqr_raw":
        return square_call(arena, n, a)
    calls = {"mc_mod_add_raw": mod_add_call, "mc_mod_sub_raw": mod_sub_call}
    return calls.get(routine, montmul_call)(arena, n, a % m, b % m, m, routine)


def power_cycles(machine: Machine, n: int, seed: int, window: int = WINDOW_BITS) -> int:
    """Return the cycles of mc_modexp_window_raw with an exponent of n limbs.

    They are extrapolated from exponents of one, two and three windows of words: each word takes the
    same work, except for a few cycles of cache misses.

    Raises:
        CheckFailedError: a power is wrong, or the cycles do not grow linearly with the exponent.
    """
    random, m, name = Random(f"{seed} {n} power"), power_modulus(n, seed), "mc_modexp_window_raw"
    step = 1 if 32 % window == 0 else window
    calls = [
        modexp_call(
            machine.arena,
            *(n, random.randrange(m), random.getrandbits(32 * words), m, words, name, window),
        )
        for words in (step, 2 * step, 3 * step)
    ]
    one, two, three = cycles_of(machine, calls, repeats=1)
    if abs((three - two) / (two - one) - 1) > 0.001:
        raise CheckFailedError(
            f"{machine.cpu.name}: {n} limbs: words of the exponent take {two - one} cycles, "
            f"and the next {three - two}"
        )
    return three + (three - two) * (2 * n - 3 * step) // step


def power_modulus(n: int, seed: int) -> int:
    """Return an odd modulus of n limbs with its highest bit set."""
    return Random(f"{seed} {n} modulus").getrandbits(64 * n) | 1 << (64 * n - 1) | 1


def power_cells(machine: Machine, n: int, seed: int) -> list[BenchCell]:
    """Measure set-up, public power and powers with windows of four and five bits."""
    m, arena = power_modulus(n, seed), machine.arena
    public = modexp_call(arena, n, m // 3, 65537, m, 1, "mc_modexp_public")
    init, power = cycles_of(machine, [init_call(arena, n, m), public], repeats=1)
    counts = {"mc_modulus_init": init, "mc_modexp_public": power}
    counts |= {f"windows of {w} bits": power_cycles(machine, n, seed, w) for w in (4, 5)}
    code = ["mc_modulus_init", "mc_modexp_public_raw", *["mc_modexp_window_raw"] * 2]
    sizes = [machine.program.function_bytes(name) for name in code]
    return [
        BenchCell(machine.cpu.name, name, machine.schedule, size, 64 * n, count, count)
        for size, (name, count) in zip(sizes, counts.items(), strict=True)
    ]


def power_fits(machine: Machine, n: int) -> bool:
    """Tell whether operands, table and stack of mc_modexp fit into the core's memory."""
    words = 2 * n * (1 + 1 + 2 + 1 + 1 + (1 << WINDOW_BITS + 1) + 1)
    free = machine.cpu.ram_start + machine.cpu.ram_bytes - machine.arena
    return 4 * words + 1024 <= free


def bench(
    bits: Sequence[int] = DEFAULT_BITS,
    cpus: Sequence[str] | None = None,
    *,
    modexp: bool = False,
    pairs: int = PAIRS,
    seed: int = 0,
    step: Callable[[str], None] = lambda text: None,
) -> Bench:
    """Measure all routines on cores.

    Args:
        bits: lengths of an operand.
        cpus: names of cores, all of which must be available; by default the usual ones, and the
            Rocket cores if they can be generated.
        modexp: also measure powers, which takes minutes at the larger lengths.
        pairs: operand pairs for each length.
        seed: seed of the operands.
        step: called with the description of each step.

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
    cells: list[BenchCell] = []
    arithmetic: list[BenchCell] = []
    powers: list[BenchCell] = []
    for cpu in chosen:
        step(f"{cpu.name}: simulator and program")
        main = Machine(cpu)
        other = Machine(cpu, "iterative" if cpu.schedule == "pipelined" else "pipelined")
        for length, n in zip(bits, lengths, strict=True):
            step(f"{cpu.name}: {length} bits")
            for routine in MULTIPLIERS:
                for machine in (main, other) if routine in BOTH_SCHEDULES else (main,):
                    cells.append(multiplier_cell(machine, routine, length, pairs, seed))
            arithmetic += [
                arithmetic_cell(main, routine, length, None, pairs, seed) for routine in ARITHMETIC
            ]
            if modexp and power_fits(main, n):
                step(f"{cpu.name}: powers of {length} bits")
                powers += power_cells(main, n, seed)
    return Bench(tuple(cells), tuple(arithmetic), tuple(powers), skipped)


def multiplier_cell(
    machine: Machine, routine: str, bits: int, pairs: int = PAIRS, seed: int = 0
) -> BenchCell:
    """Measure a multiplication at one length.

    Raises:
        RequestError: the length is not possible.
        CheckFailedError: a product is wrong.
    """
    n = limbs_of(bits)
    calls = [product_call(routine, machine.arena, n, *pair) for pair in operands(n, pairs, seed)]
    return _cell(machine, routine, PARTS.get(routine, (routine,)), bits, calls)


def arithmetic_cell(
    machine: Machine,
    routine: str,
    bits: int,
    modulus: int | None = None,
    pairs: int = PAIRS,
    seed: int = 0,
) -> BenchCell:
    """Measure one of `ARITHMETIC` in the limbs needed for `bits` bits.

    Without a modulus it is one of all bits set.

    Raises:
        RequestError: the length is not possible.
        CheckFailedError: a result is wrong.
    """
    n = limbs_of(bits)
    m = modulus or (1 << 64 * n) - 1
    numbers = operands(n, pairs, seed)
    calls = [arithmetic_call(routine, machine.arena, n, a, b, m) for a, b in numbers]
    return _cell(machine, routine, ARITHMETIC[routine], bits, calls)


def _cell(
    machine: Machine, routine: str, parts: Sequence[str], bits: int, calls: Sequence[Call]
) -> BenchCell:
    counts = cycles_of(machine, calls)
    return BenchCell(
        machine.cpu.name,
        routine,
        machine.schedule,
        sum(machine.program.function_bytes(part) for part in parts),
        bits,
        counts[0] if len(set(counts)) == 1 else None,
        max(counts),
    )


def table_rows(result: Bench) -> list[list[str]]:
    """Return the rows of the printed table: core, routine, bytes, cycles by length."""
    lengths = list(dict.fromkeys(cell.bits for cell in result.cells))
    paper = [f"{PAPER_CYCLES[bits]:,}" if bits in PAPER_CYCLES else "" for bits in lengths]
    rows = [["SiFive E31", "the paper, Table 8", str(PAPER_CODE_BYTES), *paper]]
    return rows + _rows(result.cells, lengths)


def arithmetic_rows(result: Bench) -> list[list[str]]:
    """Return the rows of the second table: the arithmetic built on the multiplication."""
    lengths = list(dict.fromkeys(cell.bits for cell in result.cells))
    return _rows((*result.arithmetic, *result.powers), lengths)


def _rows(cells: Sequence[BenchCell], lengths: Sequence[int]) -> list[list[str]]:
    found: dict[tuple[str, str, str], dict[int, BenchCell]] = {}
    for cell in cells:
        found.setdefault((cell.cpu, cell.routine, cell.schedule), {})[cell.bits] = cell
    rows = []
    for (cpu, routine, schedule), row in found.items():
        title = MULTIPLIERS.get(routine, routine)
        if routine in BOTH_SCHEDULES:
            meant = " (meant for it)" if CPUS[cpu].schedule == schedule else ""
            title += f", {schedule}{meant}"
        counts = []
        for bits in lengths:
            entry = row.get(bits)
            if entry is None:
                counts.append("-")
            elif entry.cycles is None:
                counts.append(f"up to {entry.cycles_max:,}")
            else:
                counts.append(f"{entry.cycles:,}")
        rows.append([cpu, title, str(next(iter(row.values())).code_bytes), *counts])
    return rows
