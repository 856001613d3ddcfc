# SPDX-License-Identifier: Apache-2.0
"""Model of the carry-save row of radix 2^k, `hr` (hw/rows/hr): results and cycles.

T <- (T - q_i) / 2^k + q_(i-1) N + a_i B, where N = 2^(-2k) mod M is a number between -2 M / 3 and
M / 3, q_i is T mod 2^k in digits from {-2, -1, 0, 1} and a_i has digits from {-1, 0, 1, 2}. After n
iterations V = 2^k T + q_(n-1) is divided by 2^(2k), with M itself: S = (V + q* M) / 2^(2k).

Lazy products, S + M, go back into the row unreduced (hw/modexp). They need neither the sign nor a
comparison, so that word 0 may be an operand before the topmost word is known.

q lies between -2/3 and 1/3 of 2^k and N between -2/3 and 1/3 of M, so that q N lies between -2/9
and 4/9 of 2^k M. All iterations together are a geometric series and contribute between -2/9 and 4/9
of M to S; q* M contributes -2/3 to 1/3 of M. So

    M / 9 < S + M < 16/9 M + A B / R.

With R at least 16 times the range of the words, operands below c M give results below (16/9 + c^2 /
16) M, which is below c M for c = 49/24. So R and n are the same as for reduced operands. If one
operand is below M, the result is below 2 M.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from montcore.model.modexp import ModelMultiplier
from montcore.model.rows import checked_words, recode
from montcore.model.spec import ModelResult, Steps

#: Bits of R beyond those of the operands' words, so that results can be operands.
MARGIN = 4
#: Lazy operands and results are below this multiple of the modulus.
LIMIT = Fraction(49, 24)
#: Bits that lazy operands and results may have beyond those of the modulus.
EXTRA_BITS = 2
#: Cycles from the first beats of lazy operands to the first beat of the result, minus n.
STAGES = 7
#: Cycles of the set-up of a modulus that are neither of the inverse nor of a word.
SETUP_STAGES = 14


@dataclass(frozen=True)
class HighSizes:
    """Sizes of a row.

    Attributes:
        radix: k, bits per iteration; even.
        w: word size in bits, at least 4 k.
        built: words built.
    """

    radix: int
    w: int
    built: int

    def iterations(self, words: int) -> int:
        """Return n, so that k n is at least the bits of the words in use plus `MARGIN`."""
        return -(-(self.w * words + MARGIN) // self.radix)

    def interval(self, words: int) -> int:
        """Return the cycles between results when products follow each other.

        A product is run again as long as the previous result is still in the memory, which happens
        only for few words.
        """
        once = self.iterations(words)
        return once * -(-(2 * words + 9) // once)

    def core_cycles(self, words: int) -> int:
        """Return the cycles from the operands' acceptance to done; the row begins earlier."""
        return self.iterations(words) + 7

    @property
    def setup_cycles(self) -> int:
        """Return the cycles from a modulus's last beat to its end: of the inverse, of the words."""
        return 2 * self.radix + 2 * self.built + SETUP_STAGES


def beats(w: int, length: int) -> int:
    """Return the words of a lazy operand for a modulus of `length` bits."""
    return -(-(length + EXTRA_BITS) // w)


def quotient_digits(value: int, count: int) -> tuple[list[int], int]:
    """Return `count` digits of value mod 4^count from {-2, -1, 0, 1}, and the carry above them."""
    digits, carry = [], 0
    for place in range(count):
        digit = (value >> 2 * place & 3) + carry
        carry = int(digit >= 2)
        digits.append(digit - 4 * carry)
    return digits, carry


def weigh(digits: Sequence[int]) -> int:
    """Return the value of radix-4 digits, lowest first."""
    return sum(digit << 2 * place for place, digit in enumerate(digits))


def divide(value: int, m: int, radix: int) -> int:
    """Return (value + q* m) / 2^(2 radix)."""
    digits, _ = quotient_digits(-value * pow(m, -1, 1 << 2 * radix), radix)
    quotient, rest = divmod(value + weigh(digits) * m, 1 << 2 * radix)
    if rest:
        raise AssertionError("the last division leaves a rest")
    return quotient


def scaled(m: int, radix: int) -> int:
    """Return N = 2^(-2 radix) mod m, between -2 m / 3 and m / 3."""
    return divide(1, m, radix)


def signed_product(radix: int, n: int, x: int, y: int, m: int, steps: Steps | None = None) -> int:
    """Return S after n iterations: x y / 2^(radix n) mod m, between -m and m.

    Args:
        radix: k.
        n: iterations.
        x: multiplier; between -m and m, or lazy.
        y: multiplicand, likewise.
        m: modulus, odd.
        steps: takes a_i, q_i and T after each iteration.
    """
    pairs = radix // 2
    digits = recode(x, n * pairs)
    scaled_m = scaled(m, radix)
    total = before = 0
    for i in range(n):
        q = weigh(quotient_digits(total, pairs)[0])
        a = weigh(digits[i * pairs : (i + 1) * pairs])
        total = ((total - q) >> radix) + before * scaled_m + a * y
        before = q
        if steps is not None:
            steps.append({"a": a, "q": q, "T": total})
    return divide((total << radix) + before, m, radix)


def run(sizes: HighSizes, x: int, y: int, m: int, length: int) -> ModelResult:
    """Run one product from idle.

    Args:
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus, odd, 3 <= m < 2^length.
        length: run-time length in bits.

    Raises:
        ValueError: the modulus or an operand is out of range.
    """
    words = checked_words(sizes.w, x, y, m, length)
    signed = signed_product(sizes.radix, sizes.iterations(words), x, y, m)
    core_cycles = sizes.core_cycles(words)
    return ModelResult(signed % m, core_cycles, core_cycles + 1)


def lazy_product(radix: int, n: int, x: int, y: int, m: int) -> int:
    """Return S + m, for operands from 0 to below `LIMIT` m (arguments as for `signed_product`)."""
    return signed_product(radix, n, x, y, m) + m


def lazy_multiplier(m: int, sizes: HighSizes, words: int) -> ModelMultiplier:
    """Return the row for the exponentiator: all products are lazy.

    Args:
        m: modulus, odd.
    """
    n = sizes.iterations(words)
    radix = sizes.radix * n

    def lazy(x: int, y: int, canonical: bool) -> int:
        # If one operand is canonical, the result is below 2 m anyway.
        del canonical
        return lazy_product(sizes.radix, n, x, y, m)

    return ModelMultiplier(m, radix, radix, 1, lazy)
