# SPDX-License-Identifier: Apache-2.0
"""Lazy products of `hr`: results that are fed back into the row unreduced (hw/modexp).

The output is S + M, S = (V + q* M) / 2^(2k) of `row_high`. It needs neither the sign nor a
comparison, so that word 0 may be an operand before the topmost word is known.

q lies between -2/3 and 1/3 of 2^k and N between -2/3 and 1/3 of M, so that q N lies between -2/9
and 4/9 of 2^k M. All iterations together are a geometric series and contribute between -2/9 and 4/9
of M to S; q* M contributes -2/3 to 1/3 of M. So

    M / 9 < S + M < 16/9 M + A B / R.

With R at least 16 times the range of the words, operands below c M give results below (16/9 + c^2 /
16) M, which is below c M for c = 49/24. So R and n are the same as for reduced operands. If one
operand is below M, the result is below 2 M.
"""

from dataclasses import dataclass
from fractions import Fraction

from montcore.model.modexp import ModelMultiplier
from montcore.model.row_high import (
    HighSizes,
    divide,
    operand_digits,
    quotient_digits,
    scaled,
    weigh,
)

#: Operands and results are below this multiple of the modulus.
LIMIT = Fraction(49, 24)
#: Bits that operands and results may have beyond those of the modulus.
EXTRA_BITS = 2
#: Cycles from the first beats of the operands to the first beat of the result, minus n.
STAGES = 8


@dataclass(frozen=True)
class Step:
    """State of the row at the beginning of an iteration.

    Attributes:
        t: T.
        a: the value of the digit of A.
        q: the value of the quotient digit q_i.
        before: the value of q_(i - 1).
    """

    t: int
    a: int
    q: int
    before: int


def beats(w: int, length: int) -> int:
    """Return the words of an operand for a modulus of `length` bits."""
    return -(-(length + EXTRA_BITS) // w)


def steps(radix: int, n: int, x: int, y: int, scaled_m: int) -> tuple[list[Step], int]:
    """Return the n iterations of a product, and V.

    Args:
        radix: k.
        n: iterations.
        x: multiplier, at least 0.
        y: multiplicand, at least 0.
        scaled_m: N.
    """
    pairs = radix // 2
    digits = operand_digits(x, n * pairs)
    total = before = 0
    found = []
    for i in range(n):
        a = weigh(digits[i * pairs : (i + 1) * pairs])
        q = weigh(quotient_digits(total, pairs)[0])
        found.append(Step(total, a, q, before))
        total = ((total - q) >> radix) + before * scaled_m + a * y
        before = q
    return found, (total << radix) + before


def product(radix: int, n: int, x: int, y: int, m: int) -> int:
    """Return the lazy product S + M.

    Args:
        radix: k.
        n: iterations.
        x: multiplier, at least 0.
        y: multiplicand, at least 0.
        m: modulus, odd.
    """
    _, value = steps(radix, n, x, y, scaled(m, radix))
    return divide(value, m, radix)[1] + m


def lazy_multiplier(m: int, sizes: HighSizes, words: int) -> ModelMultiplier:
    """Return the row for the exponentiator: all products are lazy.

    Args:
        m: modulus, odd.
        sizes: sizes of the row.
        words: words of the modulus.
    """
    n = sizes.iterations(words)
    radix = sizes.radix * n

    def lazy(x: int, y: int, canonical: bool) -> int:
        # If one operand is canonical, the result is below 2 m anyway.
        del canonical
        return product(sizes.radix, n, x, y, m)

    return ModelMultiplier(m, radix, radix, 1, lazy)
