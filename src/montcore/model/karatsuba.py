# SPDX-License-Identifier: Apache-2.0
"""Models of `karatsuba`: its schedules in integers, and their cycles.

The times are those of hw/karatsuba/rtl/montcore_karatsuba_pkg.sv.
"""

from montcore.model.spec import ModelResult, Steps, check_operands, n0_inverse

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


def uncorrected_fast(x: int, y: int, m: int, half: int, steps: Steps | None = None) -> int:
    """Return S of the fast schedule, x y 2^(-2 half) mod m below 3 m.

    Args:
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus, odd, 3 <= m < 2^(2 half).
        half: bits of half a number.
        steps: takes x y, T after the product with M', and q.
    """
    check_operands(x, y, m)
    mask = (1 << half) - 1
    inverse = n0_inverse(m, half)
    scaled = (m * inverse + 1) >> half  # M' = 2^-half mod m
    first = x * y
    total = (first & mask) * scaled + (first >> half)
    quotient = (total & mask) * inverse & mask
    if steps is not None:
        steps.append({"xy": first, "T": total, "q": quotient})
    return (total + quotient * m) >> half


def run_fast(x: int, y: int, m: int, half: int, units: int) -> ModelResult:
    """Run one product of the fast schedule with `units` multipliers, from idle."""
    total = uncorrected_fast(x, y, m, half)
    if total >= 3 * m:
        raise AssertionError(f"S = {total:#x} is not below 3 m")
    cycles = time_done(units)
    return ModelResult(total % m, cycles, cycles + 1)


def uncorrected_paper(x: int, y: int, m: int, bits: int, steps: Steps | None = None) -> int:
    """Return S = (D + E m) / R of the paper's schedule, D = x y, R = 2^bits, below 2 m.

    `steps` takes D and E.
    """
    check_operands(x, y, m)
    mask = (1 << bits) - 1
    first = x * y
    second = (first & mask) * n0_inverse(m, bits)
    if steps is not None:
        steps.append({"D": first, "E": second & mask})
    return (first + (second & mask) * m) >> bits


def run_paper(x: int, y: int, m: int, bits: int, depth: int) -> ModelResult:
    """Run one product of the paper's schedule, from idle."""
    total = uncorrected_paper(x, y, m, bits)
    cycles = PAPER_CYCLES[depth]
    return ModelResult(total - m if total >= m else total, cycles, cycles + 1)
