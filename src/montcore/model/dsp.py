# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact model of `dsp`: every quotient digit, every S, and their timing.

Times are cycles of clk1x unless said otherwise. Source: dsp48-2007, Algorithm 2.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from montcore.model import spec
from montcore.model.modexp import ModelMultiplier
from montcore.model.spec import ModelResult

RADIX_BITS = 17
MASK = (1 << RADIX_BITS) - 1
#: Bits of M' mod 2^(k (d + 1)), k = 17, d = 1.
INVERSE_BITS = 34


class Half(NamedTuple):
    """A half-iteration of the row; the first one of an iteration divides S by 2^17."""

    iteration: int
    modulus: bool


#: q of a reduction, two words of z times M'.
DIGIT_HALVES = (Half(0, False), Half(1, False))
#: A reduction: the low word of q times m, S of the product, and the high word of q times m.
REDUCTION_HALVES = (Half(0, True), Half(1, False), Half(1, True))


@dataclass(frozen=True)
class DspSizes:
    """Sizes derived from a run-time length.

    Attributes:
        bits: h, the bits of the modulus.
        digits: n, words of an operand; 4 Mt < 2^(17 n) for every modulus of h bits.
        half: r / 2, word pairs of one block.
    """

    bits: int
    digits: int
    half: int

    @property
    def pairs(self) -> int:
        """Pairs of words of an operand."""
        return (self.digits + 1) // 2

    @property
    def product_halves(self) -> tuple[Half, ...]:
        """The half-iterations of a product, in order.

        Those with an operand that is always 0 are left out, except where a half-iteration takes one
        cycle: there the quotient digits come too late for less.
        """
        every = self.half == 1
        return tuple(
            Half(i, modulus)
            for i in range(self.digits + 2)
            for modulus in (False, True)
            if every or (i >= 2 if modulus else i < self.digits)
        )

    @property
    def row_cycles(self) -> int:
        """Cycles from the first operand pair at a block to the first pair of the lazy result."""
        return (len(self.product_halves) - 1) * self.half + 4

    @property
    def next_start(self) -> int:
        """Cycles from there to the first operand pair of a product that uses the result."""
        # At least 2, and half-iterations of the row stay in step.
        return -(-6 // self.half) * self.half - 4

    @property
    def interval(self) -> int:
        """Cycles between the starts of two dependent products."""
        return self.row_cycles + self.next_start

    @property
    def free_interval(self) -> int:
        """Cycles between the starts of two lazy products of which neither needs the other."""
        # Half-iterations of one cycle end too soon for the next product to follow at once.
        return len(self.product_halves) * self.half + int(self.half == 1)

    @property
    def reduction(self) -> int:
        """Cycles from the last half-iteration of a product to that of its reduction."""
        # Half-iterations of one cycle wait for the digits that they need.
        return 9 if self.half == 1 else (len(DIGIT_HALVES) + len(REDUCTION_HALVES)) * self.half

    @property
    def reduced_interval(self) -> int:
        """Cycles from the start of a product that is reduced to that of an independent one."""
        return self.free_interval + self.reduction


def sizes(bits: int, alpha: int) -> DspSizes:
    """Return the sizes of a product with a modulus of `bits` bits on `alpha` blocks."""
    digits = -(-(bits + 36) // RADIX_BITS)
    return DspSizes(bits, digits, -(-(digits + 1) // (2 * alpha)))


@dataclass
class DspRow:
    """Values in the row of blocks in one operation, for comparison with the hardware.

    Attributes:
        digits: q_(i+1) after iteration i.
        sums: S_(i+1) after iteration i.
    """

    digits: list[int] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)


def product(a: int, b: int, m: int, digits: int, row: DspRow | None = None) -> int:
    """Return the lazy product a b 2^(-17 n) mod m, below 2 Mt, by Algorithm 2."""
    scaled = (spec.n0_inverse(m, INVERSE_BITS) * m + 1) >> INVERSE_BITS
    total, digit, digit_before = 0, 0, 0
    for i in range(digits + 2):
        word = (b >> (RADIX_BITS * i)) & MASK if i < digits else 0
        # S_i / 2^k + b_i A + q_(i-1) M''
        total = (total >> RADIX_BITS) + word * a + digit_before * scaled
        digit_before, digit = digit, total & MASK
        if row is not None:
            row.digits.append(digit)
            row.sums.append(total)
    return (total << RADIX_BITS) + digit_before


def reduce(value: int, m: int) -> int:
    """Return value / 2^34 mod m, below 2 m for a lazy result of canonical operands."""
    inverse = spec.n0_inverse(m, INVERSE_BITS)
    quotient = value * inverse % (1 << INVERSE_BITS)
    return (value + quotient * m) >> INVERSE_BITS


def lazy_multiplier(m: int, digits: int) -> ModelMultiplier:
    """Return the row for the exponentiator: lazy products (below 2 Mt), or reduced ones."""

    def lazy(x: int, y: int, canonical: bool) -> int:
        z = product(y, x, m, digits)
        return reduce(z, m) if canonical else z

    # R^2 = 2^(34 n)
    return ModelMultiplier(
        m, RADIX_BITS * digits, digits, 1 << INVERSE_BITS, lazy, lazy_set_up=True
    )


@dataclass(frozen=True)
class PortCycles:
    """Cycles of the port's clock.

    Attributes:
        latency: from the edge that accepts the last operand beat to the first result beat.
        interval: between results, if operands are always available and results always accepted.
    """

    latency: int
    interval: int


def port_cycles(size: DspSizes, double: bool) -> PortCycles:
    """Return latency and interval, in cycles of clk1x (double) or of the blocks' clock."""
    # Ticks of clk1x. The operands are fed in pairs, with one extra tick after every 16 pairs, which
    # the row must not catch up with.
    pauses = (size.pairs - 1) // 16
    last = (len(size.product_halves) - 1) * size.half
    first = pauses + 3 + last + size.reduction + 6
    # New operands may be written from the half-iteration on in which the reduction reads S, and a
    # product begins `pauses` + 2 ticks after its first operand pair.
    written = last + size.reduction - size.half + int(size.half == 1)
    late = max(0, written + pauses + 2 - size.reduced_interval)
    interval = size.reduced_interval + -(-late // size.half) * size.half
    if double:
        return PortCycles(latency=first + size.pairs + 3, interval=interval)
    return PortCycles(latency=2 * (first + size.pairs) + 3, interval=2 * interval)


def run(size: DspSizes, double: bool, x: int, y: int, m: int) -> ModelResult:
    """Run one product like the hardware: lazy product, reduction by 2^34, one subtraction."""
    value = reduce(product(y, x, m, size.digits), m)
    if not 0 <= value < 2 * m:
        raise AssertionError("the reduced product is not below 2 m")
    z = value - m if value >= m else value
    cycles = (1 if double else 2) * size.row_cycles
    return ModelResult(z, cycles, port_cycles(size, double).latency)
