# SPDX-License-Identifier: Apache-2.0
"""The source of random bytes, tested during use; a failing source ends the operation.

Source: NIST SP 800-90B, section 4.4: continuous health tests.
"""

import hashlib
from collections.abc import Callable

from montcore.support.errors import CheckFailedError

Randomness = Callable[[int], bytes]

#: Consecutive equal bytes that fail the repetition count test: once in 2^64 with a good source.
REPETITIONS = 9
#: Bytes of a block, and the number of recent blocks stored; none of them may recur.
BLOCK_BYTES = 8
BLOCKS = 4096
#: Minimum bytes per request; a shorter draw is truncated.
LEAST_BYTES = 32


class TestedRandomness:
    """A source of random bytes with the repetition count test and a test for repeated blocks.

    Zeros, a constant, a repeated value, too few bytes and an exception all raise
    `CheckFailedError`; there are no retries.
    """

    __test__ = False  # not a pytest test class

    def __init__(self, source: Randomness) -> None:
        self._source = source
        self._last = -1
        self._run = 0
        self._blocks: dict[bytes, None] = {}  # in order of arrival

    def __call__(self, size: int) -> bytes:
        """Return `size` random bytes."""
        wanted = max(size, LEAST_BYTES)
        try:
            drawn = self._source(wanted)
        except Exception as error:
            raise _failure(f"it ended with {type(error).__name__}") from None
        if not isinstance(drawn, bytes) or len(drawn) != wanted:
            raise _failure("it gave another number of bytes than was asked for")
        for byte in drawn:
            self._run = self._run + 1 if byte == self._last else 1
            self._last = byte
            if self._run >= REPETITIONS:
                raise _failure("it repeats one byte")
        for at in range(0, wanted - BLOCK_BYTES + 1, BLOCK_BYTES):
            block = drawn[at : at + BLOCK_BYTES]
            if block in self._blocks:
                raise _failure("it repeats a value")
            self._blocks[block] = None
            if len(self._blocks) > BLOCKS:
                del self._blocks[next(iter(self._blocks))]
        return drawn[:size]


def _failure(reason: str) -> CheckFailedError:
    return CheckFailedError(f"the source of random numbers failed: {reason}; nothing is released")


def stream(seed: bytes, number: int, size: int) -> int:
    """Return a pseudo-random number of `size` bytes, derived from seed and number."""
    material = seed + number.to_bytes(size, "big")
    return int.from_bytes(hashlib.shake_256(material).digest(size), "big")
