# SPDX-License-Identifier: Apache-2.0
"""The exponentiator's sequences of operations: number and kind of products.

Source: dsp48-2007, Algorithm 3, for the sliding window. Its first squares, of 1, are omitted: the
accumulator begins with the power selected by the first window.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sequence:
    """The products of one exponentiation.

    Attributes:
        table: products for the table of powers, including the conversion into the domain.
        squares: squares of the accumulator.
        products: products of the accumulator with a power, or of the ladder's two numbers.
    """

    table: int
    squares: int
    products: int

    @property
    def multiplications(self) -> int:
        """All products, including the one out of the domain."""
        return self.table + self.squares + self.products + 1


#: A modular product: two conversions into the domain, the product, and one out of it.
PRODUCT = Sequence(table=2, squares=0, products=1)
#: Leading bits of the exponent of R^2 that doublings make; squares make the other bits.
LEAD_BITS = 5


def constant(bits: int, window: int) -> Sequence:
    """Return the fixed windows' sequence, which depends only on the exponent's length."""
    windows = -(-bits // window)
    return Sequence(1 << window, window * (windows - 1), windows - 1)


def sliding_window(bits: int, window: int) -> int:
    """Return the bits of the longest sliding window for an exponent whose header says `bits`.

    Windows of one bit need no table; they cost a short exponent at most as many products more.
    """
    return 1 if bits <= (1 << (window - 1)) + 1 else window


def sliding(exponent: int, bits: int, window: int) -> Sequence:
    """Return the sliding windows' sequence for an exponent of 1 or more in `bits` bits."""
    window = sliding_window(bits, window)
    text = f"{exponent:b}"
    squares = products = at = 0
    first = True
    while at < len(text):
        if text[at] == "0":
            squares, at = squares + 1, at + 1
            continue
        part = text[at : at + window].rstrip("0")
        at += len(part)
        if not first:
            squares, products = squares + len(part), products + 1
        first = False
    table = 1 if window == 1 else (1 << (window - 1)) + 1
    return Sequence(table, squares, products)


def ladder(bits: int) -> Sequence:
    """Return the ladder's sequence: R0 R1 and a square for each bit."""
    return Sequence(2, bits, bits)


def paper_worst_case(bits: int) -> int:
    """Return the paper's bound for a window of 5 bits: t + ceil((t + 1) / 5) + 20, t = bits - 1."""
    top = bits - 1
    return top + -(-(top + 1) // 5) + 20


@dataclass(frozen=True)
class ModelMultiplier:
    """The arithmetic of the multiplier for one modulus.

    Attributes:
        m: the modulus.
        radix: log2 of the radix of the products that lead to R^2: canonical ones, or lazy ones with
            `lazy_set_up`.
        power: e, for which 2^e times that radix is R^2, R the radix of a product that is not
            canonical; with `lazy_set_up` R^2 = 2^(w e), w the bits of a beat.
        leave: the factor that takes a number out of the domain.
        lazy: maps two operands, and whether the result is reduced below 2 m, to a lazy product;
            None for a core whose products are all canonical.
        lazy_set_up: whether R^2 is made with lazy products, from numbers modulo 2^w m.
    """

    m: int
    radix: int
    power: int
    leave: int
    lazy: Callable[[int, int, bool], int] | None = None
    lazy_set_up: bool = False

    @classmethod
    def of_core(cls, m: int, radix: int) -> "ModelMultiplier":
        """Return the arithmetic of a core with the common port."""
        return cls(m, radix, radix, 1)

    def product(self, x: int, y: int, *, canonical: bool) -> int:
        """Return the product: below m, or lazy, or with `canonical` lazy and below 2 m."""
        if self.lazy is None:
            return x * y * pow(2, -self.radix, self.m) % self.m
        return self.lazy(x, y, canonical)


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
