# SPDX-License-Identifier: Apache-2.0
"""Model of the row of `mx` with unreduced results fed back (hw/modexp, montcore_modexp_mx).

A result consists of the two vectors of the row's last iteration, S shifted and C. A beat of it has
a word of each. The last beat has one more bit, for the bit above the words that one of them may
have.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from montcore.model import rows
from montcore.model.modexp import ModelMultiplier


def extra_bits(w: int) -> int:
    """Return the bits of a beat beyond one word: the second vector and the bit above the words."""
    return w + 1


def number(w: int, beats: Sequence[int]) -> int:
    """Return the number represented by the beats of an operand or a result."""
    mask = (1 << w) - 1
    return sum(
        ((beat & mask) + (beat >> w & mask) + ((beat >> 2 * w) << w)) << w * place
        for place, beat in enumerate(beats)
    )


def beats(w: int, words: int, total: int, carry: int = 0) -> list[int]:
    """Return the beats of two vectors of `w words` bits, one of which may have a bit more.

    Raises:
        ValueError: both have a bit above the words, or one has more than one.
    """
    mask, top = (1 << w) - 1, (total >> w * words) + (carry >> w * words)
    if top > 1:
        raise ValueError("two vectors have more than one bit above the words")
    found = [
        (total >> w * place & mask) | (carry >> w * place & mask) << w for place in range(words)
    ]
    found[-1] |= top << 2 * w
    return found


@dataclass(frozen=True)
class Times:
    """Times of a product's result, in cycles from its first operand beat.

    Attributes:
        lazy: to the first beat of a lazy result, in which the next product may begin.
        canonical: to the first beat of a result below m.
    """

    lazy: int
    canonical: int

    @classmethod
    def of(cls, w: int, words: int) -> "Times":
        """Return the times for a modulus of `words` words."""
        lazy = rows.MX.row_cycles(w * words) + 4
        return cls(lazy, lazy + words + 1)


def multiplier(m: int, r_bits: int) -> ModelMultiplier:
    """Return the row for the exponentiator: products below 2 m, or with `canonical` below m.

    Args:
        m: the modulus.
        r_bits: log2 of the radix, k + 2.
    """
    low = (1 << r_bits) - 1
    inverse = pow(-m, -1, 1 << r_bits)

    def lazy(x: int, y: int, canonical: bool) -> int:
        z = (x * y + (x * y * inverse & low) * m) >> r_bits
        return rows.canonical(z, m) if canonical else z

    return ModelMultiplier(m, r_bits, r_bits, 1, lazy)
