# SPDX-License-Identifier: Apache-2.0
"""Model of the row of `mx` with unreduced results fed back (hw/modexp, montcore_modexp_mx).

A result consists of the two vectors of the row's last iteration, S shifted and C. A beat of it has
a word of each. The last beat has one more bit, for the bit above the words that one of them may
have.
"""

from collections.abc import Sequence

from montcore.model import rows
from montcore.model.modexp import ModelMultiplier


def number(w: int, beats: Sequence[int]) -> int:
    """Return the number represented by the beats of an operand or a result."""
    mask = (1 << w) - 1
    return sum(
        ((beat & mask) + (beat >> w & mask) + ((beat >> 2 * w) << w)) << w * place
        for place, beat in enumerate(beats)
    )


def multiplier(m: int, r_bits: int) -> ModelMultiplier:
    """Return the row for the exponentiator: products below 2 m, or with `canonical` below m.

    Args:
        r_bits: log2 of the radix, k + 2.
    """
    low = (1 << r_bits) - 1
    inverse = pow(-m, -1, 1 << r_bits)

    def lazy(x: int, y: int, canonical: bool) -> int:
        z = (x * y + (x * y * inverse & low) * m) >> r_bits
        return rows.canonical(z, m) if canonical else z

    return ModelMultiplier(m, r_bits, r_bits, 1, lazy)
