# SPDX-License-Identifier: Apache-2.0
"""Which products an exponentiation takes: the exponentiator's sequences, operation by operation.

Source: dsp48-2007, Algorithm 3, for the sliding window. Its first squares, of 1, are left out here:
the accumulator begins with the power that the first window names.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sequence:
    """The products of one exponentiation.

    Attributes:
        table: products for the table of powers, into the domain included.
        squares: squares of the accumulator.
        products: products of the accumulator with a power, or of the ladder's two numbers.
    """

    table: int
    squares: int
    products: int

    @property
    def multiplications(self) -> int:
        """All products, the one out of the domain included."""
        return self.table + self.squares + self.products + 1


#: A modular product: into the domain twice, times the other factor, and out of it.
PRODUCT = Sequence(table=2, squares=0, products=1)


def constant(bits: int, window: int) -> Sequence:
    """Return the fixed windows' sequence, which depends on the exponent's length alone."""
    windows = -(-bits // window)
    return Sequence(1 << window, window * (windows - 1), windows - 1)


def sliding(exponent: int, window: int) -> Sequence:
    """Return the sliding windows' sequence for an exponent of 1 or more."""
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
    return Sequence((1 << (window - 1)) + 1, squares, products)


def ladder(bits: int) -> Sequence:
    """Return the ladder's sequence: R0 R1 and a square for each bit."""
    return Sequence(2, bits, bits)


def paper_worst_case(bits: int) -> int:
    """Return the paper's bound for a window of 5 bits: t + ceil((t + 1) / 5) + 20, t = bits - 1."""
    top = bits - 1
    return top + -(-(top + 1) // 5) + 20
