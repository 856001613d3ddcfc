# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact model of two operations in one row of `dsp`, with squares of both in lockstep.

Times are ticks, cycles of clk1x. A half-iteration takes `half` ticks in the first block. The values
of all products but squares are those of `montcore.model.dsp`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from montcore.model import spec
from montcore.model.dsp import INVERSE_BITS, MASK, RADIX_BITS, DspRow, DspSizes, Half

#: Half-iterations for which operation 0 waits for the next one of 1.
WAIT = 8
#: Ticks from a product's last half-iteration at the first block to the first pair of its result.
RESULT_TICKS = 5


def part(a: int, i: int, *, lower: bool) -> int:
    """Return the number that word i of a multiplies in part i of a triangle of its square.

    Sum of a_i 2^17i part(a, i) is a^2 for both triangles.
    """
    place = RADIX_BITS * i
    word = (a >> place & MASK) << place
    doubled = a & ((1 << place) - 1) if lower else a >> place + RADIX_BITS << place + RADIX_BITS
    return word + 2 * doubled


def words_of_part(a: int, i: int, digits: int, *, lower: bool) -> list[int]:
    """Return a part as the blocks form it: words of 2 a, word i of a, a bit of word i - 1."""

    def word(j: int) -> int:
        return a >> RADIX_BITS * j & MASK if 0 <= j < digits else 0

    twice = [2 * a >> RADIX_BITS * j & MASK for j in range(digits + 1)]
    if lower:
        diagonal = word(i) + (word(i - 1) >> RADIX_BITS - 1)
        rest = [0] * (digits - i - 1)
        return [*twice[:i], diagonal & MASK, diagonal >> RADIX_BITS, *rest]
    above = [twice[i + 1] & ~1, *twice[i + 2 :]] if i < digits else []
    return [*[0] * i, word(i), *above]


def square(a: int, m: int, digits: int, *, lower: bool, row: DspRow | None = None) -> int:
    """Return the lazy square a^2 2^(-17 n) mod m by one triangle; below 2 Mt if a is."""
    scaled = (spec.n0_inverse(m, INVERSE_BITS) * m + 1) >> INVERSE_BITS
    total, digit, digit_before = 0, 0, 0
    for i in range(digits + 2):
        multiple = (a >> RADIX_BITS * i & MASK) * part(a, i, lower=lower) if i < digits else 0
        total = (total >> RADIX_BITS) + multiple + digit_before * scaled
        digit_before, digit = digit, total & MASK
        if row is not None:
            row.digits.append(digit)
            row.sums.append(total)
    return (total << RADIX_BITS) + digit_before


class PairKind(Enum):
    """A product: any one, or one whose operands are equal."""

    PRODUCT = 0
    SQUARE = 1


class Issue(NamedTuple):
    """A half-iteration at the first block.

    Attributes:
        tick: its first tick there.
        side: the operation, 0 or 1.
        product: index of the product in the chain of that operation.
        half: the half-iteration.
        part: it is a part of a triangle.
    """

    tick: int
    side: int
    product: int
    half: Half
    part: bool


@dataclass
class _Side:
    """One operation: a chain of products, each of which needs the result of the one before."""

    kinds: Sequence[PairKind]
    arrival: int
    halves: tuple[Half, ...]
    lockstep: bool
    product: int = 0
    place: int = 0
    last_slot: int = -(1 << 30)
    results: list[int] = field(default_factory=list)

    @property
    def active(self) -> bool:
        return self.place > 0

    def wants(self, tick: int, free: bool) -> bool:
        return self.active or (
            self.product < len(self.kinds) and self.arrival <= tick and (self.lockstep or free)
        )

    @property
    def next_half(self) -> Half:
        return self.halves[self.place]

    @property
    def in_square(self) -> bool:
        return self.lockstep and self.kinds[self.product] is PairKind.SQUARE

    @property
    def next_step(self) -> int:
        return self.next_half.iteration + int(self.next_half.modulus)

    @property
    def next_part(self) -> bool:
        return self.in_square and not self.next_half.modulus


def _grants(
    sides: tuple[_Side, _Side], wants: list[bool], size: DspSizes, slot: int, turn: int
) -> list[bool]:
    """Return which operations issue: both only in lockstep; if both could, they take turns."""
    second = sides[1]
    start = 2 * size.half + 1
    step = [side.next_step if want else -1 for side, want in zip(sides, wants, strict=True)]
    part_next = [want and side.next_part for side, want in zip(sides, wants, strict=True)]
    left = [
        want and side.in_square and side.next_step < size.digits
        for side, want in zip(sides, wants, strict=True)
    ]
    in_step = wants[0] and wants[1] and step[0] == step[1] + start
    soon = not second.active and slot - second.last_slot - 1 <= WAIT
    behind = second.active and second.in_square and not in_step
    hold_first = part_next[0] and (
        (step[0] == start and (behind or (soon and not wants[1])))
        or (in_step and left[1] and not part_next[1])
    )
    hold_second = part_next[1] and left[0] and (in_step or (step[1] == 0 and step[0] < start))
    if all(part_next) and in_step:
        return [True, True]
    ready = [wants[0] and not hold_first, wants[1] and not hold_second]
    return [turn == 0, turn == 1] if all(ready) else ready


def schedule(
    size: DspSizes, kinds: tuple[Sequence[PairKind], Sequence[PairKind]], arrivals: tuple[int, int]
) -> tuple[list[Issue], tuple[list[int], list[int]]]:
    """Return the half-iterations of two chains of products, and when their results begin.

    Args:
        size: the sizes, common to both.
        kinds: the products of both chains, one or more in the first one. The operands of each but
            the first come with the first pair of the result before it.
        arrivals: the tick of the first operands of both; the row is at rest before the first of
            chain 0, which is not later than that of chain 1.
    """
    half = size.half
    lockstep = half > 1
    sides = (
        _Side(kinds[0], arrivals[0], size.product_halves, lockstep),
        _Side(kinds[1], arrivals[1], size.product_halves, lockstep),
    )
    issues: list[Issue] = []
    turn, slot = 0, 0
    while any(side.product < len(side.kinds) for side in sides):
        tick = arrivals[0] + 1 + slot * half
        wants = [side.wants(tick - 1, slot - side.last_slot > 1) for side in sides]
        ready = _grants(sides, wants, size, slot, turn)
        for number, (side, granted) in enumerate(zip(sides, ready, strict=True)):
            if not granted:
                continue
            issues.append(Issue(tick, number, side.product, side.next_half, side.next_part))
            side.last_slot = slot
            side.place += 1
            if side.place == len(side.halves):
                side.place, side.product = 0, side.product + 1
                side.arrival = tick + RESULT_TICKS
                side.results.append(side.arrival)
        if ready == [True, False]:
            turn = 1
        elif ready == [False, True]:
            turn = 0
        slot += 1
    return issues, (sides[0].results, sides[1].results)


def recall_cycles(size: DspSizes, alpha: int, host_beats: int, *, double: bool) -> int:
    """Return the cycles of a set-up whose R^2 is kept, from the last beat of the modulus on.

    Each beat of an operand passes eight times. The remaining terms are the row's set-up.

    Args:
        size: the sizes; a half-iteration takes two ticks or more.
        alpha: number of DSP blocks.
        host_beats: beats of the modulus at the port.
        double: there are two clocks; else a tick is two cycles.
    """
    row = size.half * (3 * alpha + 2)
    return 8 * size.pairs - host_beats + (row + 66 if double else 2 * row + 107)


@dataclass(frozen=True)
class PairIntervals:
    """Ticks between the results of two chains that both are long.

    Attributes:
        squares: of two squares, one of each chain.
        products: of two other products.
    """

    squares: int
    products: int


def pair_intervals(size: DspSizes) -> PairIntervals:
    """Return the intervals of chains of squares, and of other products."""
    found = []
    for kind in (PairKind.SQUARE, PairKind.PRODUCT):
        chain = [kind] * 8
        _, (_, results) = schedule(size, (chain, chain), (0, 0))
        # Those of the last ones run beside a chain that has ended.
        found.append(results[5] - results[4])
    return PairIntervals(*found)
