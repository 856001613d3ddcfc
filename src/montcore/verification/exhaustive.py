# SPDX-License-Identifier: Apache-2.0
"""All products of a small width: every odd modulus m >= 3, every x and y below it."""

from functools import partial

import numpy as np
import numpy.typing as npt

from montcore.sim.simulator import ArrayBatch

#: The largest width of an exhaustive run: 22 million products.
MAX_BITS = 9


def product_count(bits: int) -> int:
    """Return the number of products x, y < m over all odd m, 3 <= m < 2^bits."""
    odd = (1 << bits) // 2  # 1 + 9 + 25 + ... over the odd numbers, minus the 1 of m = 1
    return odd * (4 * odd * odd - 1) // 3 - 1


def all_batches(bits: int) -> list[ArrayBatch]:
    """Return all x, y < m for every odd modulus, one batch for each modulus."""
    return [ArrayBatch(m, bits, m * m, partial(_pairs, m)) for m in range(3, 1 << bits, 2)]


def _pairs(m: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    numbers = np.arange(m, dtype=np.uint64)
    return np.repeat(numbers, m), np.tile(numbers, m)
