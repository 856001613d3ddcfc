# SPDX-License-Identifier: Apache-2.0
"""Throughput of powers with several slots: simulated, and by a formula.

The products of one power depend on each other: one slot needs P cycles for each. The multiplier can
accept a product every I cycles. N concurrent powers then run a product every max(P / N, I) cycles
(`expected`); `product_cycles` measures this, and tests compare both.
"""

import random
from dataclasses import replace

from montcore.cores.core import Core
from montcore.modexp.design import MAX_SLOTS, WINDOW, ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, Policy, Power, multiplications
from montcore.support.errors import CheckFailedError
from montcore.support.terminal import output, print_table

#: Powers per slot in a measurement, and how many of the last ones are evaluated.
_GROUPS, _COUNTED = 5, 2


def _modulus(bits: int) -> int:
    return random.Random(bits).getrandbits(bits) | 1 << (bits - 1) | 1


def _exponents(design: ExponentiatorDesign) -> tuple[int, int]:
    """Return two exponent lengths with equal beat counts, which differ by whole windows."""
    long = min(design.length, max(1, min(design.length, 64) // design.width) * design.width)
    most = (long - 1) % design.width
    return long - max(1, most // WINDOW - 1) * WINDOW, long


def group(design: ExponentiatorDesign, bits: int) -> float:
    """Return the average cycles in which one power per slot completes.

    Args:
        design: the exponentiator.
        bits: length of the exponents, which are all ones.
    """
    m, slots = _modulus(design.length), design.slots
    powers = [Power(number + 2, (1 << bits) - 1, m) for number in range(_GROUPS * slots)]
    found = Exponentiator(design).stream(powers)
    for power, outcome in zip(powers, found, strict=True):
        if outcome.result != pow(power.base, power.exponent, m):
            raise CheckFailedError(f"a power over {design.title()} is wrong")
    return sum(outcome.interval for outcome in found[-_COUNTED * slots :]) / _COUNTED


def product_cycles(design: ExponentiatorDesign) -> float:
    """Return the cycles between products with all slots busy, by simulation.

    It is the increase in cycles with longer exponents, divided by the increase in products.
    """
    short, long = _exponents(design)
    m = _modulus(design.length)
    counts = [
        multiplications(Power(1, (1 << bits) - 1, m), Policy.CONSTANT) for bits in (short, long)
    ]
    cycles = [group(design, bits) for bits in (short, long)]
    return (cycles[1] - cycles[0]) / (counts[1] - counts[0]) / design.slots


def expected(alone: float, interval: float, slots: int) -> float:
    """Return the cycles between products by the formula.

    Args:
        alone: cycles of a product of one slot.
        interval: cycles between products that the multiplier can accept.
        slots: number of concurrent powers.
    """
    return max(alone / slots, interval)


def taking_up(design: ExponentiatorDesign) -> float:
    """Return the cycles between products that the multiplier can accept."""
    core, unit = design.core, design.lazy_unit()
    if unit is None:
        return core.interval(core.bits)
    if unit.interval is not None:
        return unit.interval(core.bits)
    # Such products follow each other at the rate of a single slot.
    return product_cycles(replace(design, slots=1))


def rows(core: Core) -> list[list[str]]:
    """Return the rows of a multiplier for each number of slots, as `show` prints them."""
    one = ExponentiatorDesign(core)
    interval, alone = taking_up(one), product_cycles(one)
    found = []
    for slots in range(1, MAX_SLOTS + 1):
        design = replace(one, slots=slots)
        product = product_cycles(design) if slots > 1 else alone
        formula = expected(alone, interval, slots)
        period = group(design, design.length) / slots
        cells = (f"{product:.2f}", f"{formula:.2f}", f"{period:,.0f}", f"{1e6 / period:.2f}")
        found.append([str(slots), *cells])
    return found


def show(core: Core) -> None:
    """Print the rows of a multiplier."""
    headings = ("slots", "cycles a product", "formula", "cycles a power", "powers in 1 M")
    title = f"Powers over {core.name} {core.label()}"
    print_table(output(), title, headings, rows(core), right=headings)
    print(
        "policy constant, exponents as long as the modulus, results accepted immediately;\n"
        "cycles between the results of back-to-back powers, clearing included"
    )
