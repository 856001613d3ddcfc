# SPDX-License-Identifier: Apache-2.0
"""The exponentiator's sequences of operations: number and kind of products.

Source: dsp48-2007, Algorithm 3, for the sliding window. Its first squares, of 1, are omitted: the
accumulator begins with the power selected by the first window.
"""

from collections.abc import Callable
from dataclasses import dataclass


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


@dataclass(frozen=True)
class ModelMultiplier:
    """The arithmetic of the multiplier for one modulus.

    Attributes:
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
