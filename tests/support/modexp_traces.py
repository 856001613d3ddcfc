# SPDX-License-Identifier: Apache-2.0
"""The products of a run of the exponentiator, in order, with their operands and results."""

from dataclasses import dataclass, field

from montcore.model.modexp import ModelMultiplier, sliding_window

#: Leading bits of the exponent of R^2 that doublings make; squares make the other bits.
LEAD_BITS = 5


def paper_worst_case(bits: int) -> int:
    """Return the paper's bound for a window of 5 bits: t + ceil((t + 1) / 5) + 20, t = bits - 1."""
    top = bits - 1
    return top + -(-(top + 1) // 5) + 20


@dataclass(frozen=True)
class ModelProduct:
    """One product: its operands, the multiplier's result, and its kind."""

    x: int
    y: int
    z: int
    canonical: bool


@dataclass
class Trace:
    """The operations of one run of the exponentiator, in order.

    Attributes:
        products: all products.
        table: powers written to the table: index, and number in the domain.
        digits: indices of the powers that are selected.
        result: the result.
    """

    products: list[ModelProduct] = field(default_factory=list)
    table: list[tuple[int, int]] = field(default_factory=list)
    digits: list[int] = field(default_factory=list)
    result: int = 0

    def multiply(self, unit: ModelMultiplier, x: int, y: int, *, canonical: bool = False) -> int:
        """Compute and record a product, and return it."""
        z = unit.product(x, y, canonical=canonical)
        self.products.append(ModelProduct(x, y, z, canonical))
        return z

    def leave(self, unit: ModelMultiplier, value: int) -> None:
        """Take the result out of the domain."""
        self.result = self.multiply(unit, value, unit.leave, canonical=True) % unit.m


def trace_setup(unit: ModelMultiplier, width: int) -> Trace:
    """Return the computation of R^2 mod m with beats of `width` bits.

    With lazy products the result is not below m.
    """
    trace = Trace()
    if unit.lazy_set_up:
        v = pow(2, unit.radix + width // 2, unit.m << width)
        squares = unit.power.bit_length()
        for _ in range(squares):
            v = trace.multiply(unit, v, v)
        factor = unit.power - (1 << squares - 1)
        trace.result = trace.multiply(unit, v, 1 << width * factor)
        return trace
    top = (unit.m.bit_length() - 1) // width * width
    bits = f"{unit.power:b}"
    lead = int(bits[:LEAD_BITS], 2)
    v = (1 << top) * pow(2, unit.radix + lead - top, unit.m) % unit.m
    for bit in bits[LEAD_BITS:]:
        v = trace.multiply(unit, v, v, canonical=True)
        if bit == "1":
            v = 2 * v % unit.m
    trace.result = v % unit.m
    return trace


def trace_product(unit: ModelMultiplier, square: int, x: int, y: int) -> Trace:
    """Return a modular product; the second factor is converted into the domain."""
    trace = Trace()
    v = trace.multiply(unit, y, square)
    v = trace.multiply(unit, v, square)
    trace.leave(unit, trace.multiply(unit, v, x))
    return trace


def trace_constant(
    unit: ModelMultiplier, square: int, base: int, exponent: int, bits: int, window: int
) -> Trace:
    """Return a power by fixed windows: all powers are computed, and each window is multiplied."""
    trace = Trace()
    powers = {1: trace.multiply(unit, base, square)}
    powers[0] = trace.multiply(unit, 1, square)
    powers[2] = trace.multiply(unit, powers[1], powers[1])
    for k in range(3, 1 << window):
        powers[k] = trace.multiply(unit, powers[k - 1], powers[1])
    trace.table = [(k, powers[k]) for k in (1, 0, *range(2, 1 << window))]
    first = (bits - 1) % window + 1
    for low in range(bits - first, -1, -window):
        trace.digits.append(exponent >> low & ((1 << window) - 1))
    total = powers[trace.digits[0]]
    for digit in trace.digits[1:]:
        for _ in range(window):
            total = trace.multiply(unit, total, total)
        total = trace.multiply(unit, total, powers[digit])
    trace.leave(unit, total)
    return trace


def trace_sliding(
    unit: ModelMultiplier, square: int, base: int, exponent: int, bits: int, window: int
) -> Trace:
    """Return a power by sliding windows, each with a 1 at both ends; leading zeros are skipped."""
    window = sliding_window(bits, window)
    trace = Trace()
    powers = {1: trace.multiply(unit, base, square)}
    twice = trace.multiply(unit, powers[1], powers[1]) if window > 1 else 0
    for k in range(3, 1 << window, 2):
        # x^3 is x^2 x; from then on x^2 is stored in place of x.
        factors = (twice, powers[1]) if k == 3 else (powers[k - 2], twice)
        powers[k] = trace.multiply(unit, *factors)
    trace.table = sorted(powers.items())
    text = f"{exponent:b}"
    total, at = 0, 0
    while at < len(text):
        if text[at] == "0":
            total, at = trace.multiply(unit, total, total), at + 1
            continue
        part = text[at : at + window].rstrip("0")
        trace.digits.append(int(part, 2))
        if at:
            for _ in part:
                total = trace.multiply(unit, total, total)
            total = trace.multiply(unit, total, powers[trace.digits[-1]])
        else:
            total = powers[trace.digits[0]]
        at += len(part)
    trace.leave(unit, total)
    return trace


def trace_ladder(
    unit: ModelMultiplier, square: int, base: int, exponent: int, bits: int, window: int
) -> Trace:
    """Return a power by the Montgomery ladder."""
    del window
    trace = Trace()
    high = trace.multiply(unit, base, square)
    low = trace.multiply(unit, 1, square)
    factors = (low, high)
    for place in range(bits - 1, -1, -1):
        mixed = trace.multiply(unit, *factors)
        chosen = high if exponent >> place & 1 else low
        squared = trace.multiply(unit, chosen, chosen)
        low, high = (mixed, squared) if exponent >> place & 1 else (squared, mixed)
        factors = (mixed, squared)
    trace.leave(unit, low)
    return trace
