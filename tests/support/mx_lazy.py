# SPDX-License-Identifier: Apache-2.0
"""Beats and times of the row of `mx` with unreduced results fed back (montcore.model.row_lazy)."""

from dataclasses import dataclass

from montcore.model import rows


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
