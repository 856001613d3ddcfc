# SPDX-License-Identifier: Apache-2.0
"""Models of `karatsuba`: every number in its datapath, and the cycle in which it is available.

The multiplications themselves are exact, so that plain integers model the trees and tiles; the
times are those of hw/karatsuba/rtl/montcore_karatsuba_pkg.sv.
"""

from dataclasses import dataclass

from montcore.model.result import ModelResult
from montcore.model.spec import check_operands

UNIT_CYCLES = 4
TIME_LOW = 2 * UNIT_CYCLES + 1

#: Cycles between products of the fast schedule, by its multipliers: eight products of halves.
INTERVALS = {4: 2, 3: 3}

#: Cycles of the paper's integer multiplier, and of its product, by depth.
PAPER_MULTIPLIER_CYCLES = {1: 7, 2: 10}
PAPER_CYCLES = {1: 29, 2: 38}


def time_modulus(units: int) -> int:
    """Return the cycle of a product in which q m begins; three multipliers delay it by one."""
    return TIME_LOW + UNIT_CYCLES + (0 if units == 4 else 1)


def time_done(units: int) -> int:
    """Return the cycles of a product of the fast schedule with `units` multipliers."""
    return time_modulus(units) + UNIT_CYCLES + 3


@dataclass(frozen=True)
class Constants:
    """Constants that are computed when a modulus is loaded.

    Attributes:
        inverse: n0' = -1 / m mod 2^half.
        scaled: M' = 2^-half mod m.
        rounds: values of Newton's iteration, from the first to n0'.
    """

    inverse: int
    scaled: int
    rounds: tuple[int, ...]


def constants(m: int, half: int) -> Constants:
    """Return the constants of the modulus, by the iteration of `montcore_karatsuba_setup`.

    Args:
        m: the modulus, odd.
        half: bits of half a number.
    """
    mask = (1 << half) - 1
    x = 1
    rounds = [x]
    for _ in range((half - 1).bit_length()):
        x = x * ((m * x + 2) & mask) & mask
        rounds.append(x)
    return Constants(x, (m * x + 1) >> half, tuple(rounds))


@dataclass(frozen=True)
class FastTrace:
    """Numbers of one product of the fast schedule, with the cycle in which each is in a register.

    With three multipliers, `total` and all later values are available one cycle later.

    Attributes:
        low: (cycle 4) lowest quarter of T = x y, half a number.
        difference: (5) |x1 - x0| |y1 - y0|.
        upper: (6) floor(T / 2^half).
        with_low: (8) low half of M' times `low`, plus the lower part of `upper`.
        with_high: (8) high half of M' times `low`, plus the upper part of `upper`.
        next_low: (9) T' mod 2^half.
        kept: (9) floor(T' / 2^half).
        quotient: (13) q.
        total: (18) S, below 3 m.
        subtracted: how often m is subtracted from `total`.
        z: (20) the result.
    """

    low: int
    difference: int
    upper: int
    with_low: int
    with_high: int
    next_low: int
    kept: int
    quotient: int
    total: int
    subtracted: int
    z: int


def trace_fast(x: int, y: int, m: int, half: int) -> FastTrace:
    """Return the numbers of one product of the fast schedule.

    Args:
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus, odd, 3 <= m < 2^(2 half).
        half: bits of half a number.

    Raises:
        ValueError: the operands do not meet the precondition.
    """
    check_operands(x, y, m)
    mask = (1 << half) - 1
    made = constants(m, half)
    x1, x0, y1, y0 = x >> half, x & mask, y >> half, y & mask
    p0, p1 = x0 * y0, x1 * y1
    difference = abs(x1 - x0) * abs(y1 - y0)
    negative = (x1 < x0) != (y1 < y0)
    upper = (p1 << half) + (p0 >> half) + p0 + p1 + (difference if negative else -difference)
    low = p0 & mask
    with_low = low * (made.scaled & mask) + (upper & ((1 << 2 * half) - 1))
    with_high = low * (made.scaled >> half) + (upper >> 2 * half << half)
    next_low = with_low & mask
    kept = with_high + (with_low >> half)
    quotient = next_low * made.inverse & mask
    total = (quotient * (m & mask) >> half) + quotient * (m >> half) + kept + (next_low != 0)
    subtracted = min(total // m, 2)
    return FastTrace(
        low,
        difference,
        upper,
        with_low,
        with_high,
        next_low,
        kept,
        quotient,
        total,
        subtracted,
        total - subtracted * m,
    )


def run_fast(x: int, y: int, m: int, half: int, units: int) -> ModelResult:
    """Run one product of the fast schedule with `units` multipliers, from idle."""
    cycles = time_done(units)
    return ModelResult(trace_fast(x, y, m, half).z, cycles, cycles + 1)


@dataclass(frozen=True)
class PaperTrace:
    """Numbers of one product of the paper's schedule; `c` are the cycles of the multiplier.

    Attributes:
        inverse: M1 = -1 / m mod R.
        first: (in cycle c + 1) D = x y.
        second: (2 c + 3) D mod R times M1; its low half is E.
        third: (3 c + 5) E m.
        total: (3 c + 6) S = (D + E m) / R, below 2 m.
        subtracted: whether m is subtracted from it.
        z: (3 c + 8) the result.
    """

    inverse: int
    first: int
    second: int
    third: int
    total: int
    subtracted: bool
    z: int


def trace_paper(x: int, y: int, m: int, bits: int) -> PaperTrace:
    """Return the numbers of one product of the paper's schedule; R = 2^bits.

    Raises:
        ValueError: the operands do not meet the precondition.
    """
    check_operands(x, y, m)
    mask = (1 << bits) - 1
    inverse = constants(m, bits).inverse
    first = x * y
    second = (first & mask) * inverse
    third = (second & mask) * m
    total = (first >> bits) + (third >> bits) + (first & mask != 0)
    subtracted = total >= m
    return PaperTrace(
        inverse, first, second, third, total, subtracted, total - m if subtracted else total
    )


def run_paper(x: int, y: int, m: int, bits: int, depth: int) -> ModelResult:
    """Run one product of the paper's schedule, from idle."""
    cycles = PAPER_CYCLES[depth]
    return ModelResult(trace_paper(x, y, m, bits).z, cycles, cycles + 1)
