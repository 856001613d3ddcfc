# SPDX-License-Identifier: Apache-2.0
"""How fast powers follow each other with several slots: simulated, and by a formula.

The products of one power wait for each other: one slot takes P cycles for each. The multiplier
takes up a product every I cycles. N powers under way then take a product every max(P / N, I)
cycles (`expected`), which `product_cycles` measures and tests compare.
"""

import random
from dataclasses import dataclass, replace

from rich.table import Table

from montcore.cores.core import ConfiguredCore
from montcore.modexp.design import MAX_SLOTS, WINDOW, Design
from montcore.modexp.exponentiator import Exponentiator, Policy, Power, multiplications
from montcore.support.errors import CheckFailedError
from montcore.support.terminal import output

#: Powers of each slot in a measurement; the last ones are counted.
_GROUPS, _COUNTED = 5, 2


def _modulus(bits: int) -> int:
    return random.Random(bits).getrandbits(bits) | 1 << (bits - 1) | 1


def _exponents(design: Design) -> tuple[int, int]:
    """Return two lengths of exponents of equally many beats, with whole windows between them."""
    long = min(design.length, max(1, min(design.length, 64) // design.width) * design.width)
    most = (long - 1) % design.width
    return long - max(1, most // WINDOW - 1) * WINDOW, long


def group(design: Design, bits: int) -> float:
    """Return the cycles in which as many powers end as there are slots, on average.

    Args:
        design: the exponentiator.
        bits: length of the exponents, which are all ones.

    Raises:
        CheckFailedError: a power is wrong.
    """
    m, slots = _modulus(design.length), design.slots
    powers = [Power(number + 2, (1 << bits) - 1, m) for number in range(_GROUPS * slots)]
    found = Exponentiator(design).stream(powers)
    for power, outcome in zip(powers, found, strict=True):
        if outcome.result != pow(power.base, power.exponent, m):
            raise CheckFailedError(f"a power over {design.title()} is wrong")
    return sum(outcome.interval for outcome in found[-_COUNTED * slots :]) / _COUNTED


def product_cycles(design: Design) -> float:
    """Return the cycles between products with all slots at work, by simulation.

    It is what longer exponents of all powers take more, for each product more.

    Raises:
        CheckFailedError: a power is wrong.
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
        interval: cycles in which the multiplier takes up a product.
        slots: powers under way.
    """
    return max(alone / slots, interval)


def taking_up(design: Design) -> float:
    """Return the cycles in which the multiplier takes up products.

    Raises:
        CheckFailedError: a power is wrong.
    """
    core, unit = design.core, design.lazy_unit()
    if unit is None:
        return core.interval(core.bits)
    if unit.interval is not None:
        return unit.interval(core.bits)
    # Such products follow each other at the pace of a slot that is alone.
    return product_cycles(replace(design, slots=1))


@dataclass(frozen=True)
class Row:
    """What an exponentiator with some slots does.

    Attributes:
        slots: powers under way.
        product: cycles between products.
        expected: the same by the formula.
        interval: cycles between powers of the built length.
    """

    slots: int
    product: float
    expected: float
    interval: float


def rows(core: ConfiguredCore) -> list[Row]:
    """Return the rows of a multiplier, for each number of slots.

    Raises:
        CheckFailedError: a power is wrong.
    """
    found: list[Row] = []
    one = Design(core)
    interval = taking_up(one)
    for slots in range(1, MAX_SLOTS + 1):
        design = replace(one, slots=slots)
        product = product_cycles(design)
        alone = found[0].product if found else product
        period = group(design, design.length) / slots
        found.append(Row(slots, product, expected(alone, interval, slots), period))
    return found


def show(core: ConfiguredCore) -> None:
    """Print the rows of a multiplier."""
    table = Table(title=f"Powers over {core.name} {core.label()}", title_justify="left")
    for heading in ("slots", "cycles a product", "formula", "cycles a power", "powers in 1 M"):
        table.add_column(heading, justify="right")
    for row in rows(core):
        cells = (f"{row.product:.2f}", f"{row.expected:.2f}", f"{row.interval:,.0f}")
        table.add_row(str(row.slots), *cells, f"{1e6 / row.interval:.2f}")
    output().print(table)
    output().print(
        "policy constant, exponents as long as the modulus, results accepted immediately;"
    )
    output().print("cycles between the results of back-to-back powers, clearing included")
