# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact model of `rc` (hw/rows/rc), a radix-2 row of words with ripple carries.

S <- (S + a B + q N) / 2. Each word is one cycle behind the word below. Two carries, from adding a B
and q N, go up to the next word; its lowest bit comes down one iteration late. In the first cycle of
a product a block only clears S.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from montcore.model.result import ModelResult
from montcore.model.rows import HEAD_BITS, Algorithm, canonical, checked_words, model_result

RC = Algorithm("rc", 1, 2)


@dataclass
class RippleBlock:
    """Registers of a word.

    Attributes:
        width: bits.
        n: N from the block's position on.
        b: B likewise.
        s: S.
        carry: carries of both additions.
        a: bit of A in this cycle.
        q: quotient digit in this cycle.
    """

    width: int
    n: int = 0
    b: int = 0
    s: int = 0
    carry: tuple[int, int] = (0, 0)
    a: int = 0
    q: int = 0

    def shifted(self, late: int) -> int:
        """Return S / 2 with the late bit added one position below the top."""
        return (self.s >> 1) + (late << (self.width - 2))

    def step(self, late: int, carry_in: tuple[int, int]) -> None:
        """Apply one clock edge of an iteration."""
        mask = (1 << self.width) - 1
        first = self.shifted(late) + (self.b & -self.a) + carry_in[0]
        second = (first & mask) + (self.n & -self.q) + carry_in[1]
        self.carry, self.s = (first >> self.width, second >> self.width), second & mask


@dataclass(frozen=True)
class RippleCycle:
    """State of the row before a clock edge; cycle 0 is block 0's first of the product.

    Attributes:
        number: the cycle.
        q: quotient digit of each block in this cycle.
        s: S of each block.
        carry: both carries of each block.
    """

    number: int
    q: tuple[int, ...]
    s: tuple[int, ...]
    carry: tuple[tuple[int, int], ...]


def trace(w: int, words: int, x: int, y: int, m: int, k: int) -> Iterator[RippleCycle]:
    """Yield the cycles of one product until the last block in use holds its result.

    Args:
        w: word size in bits.
        words: words built.
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus.
        k: bits of the words in use.
    """
    mask = (1 << w) - 1
    blocks = [
        RippleBlock(w, n=m >> (w * j) & mask, b=y >> (w * j) & mask) for j in range(words)
    ] + [RippleBlock(HEAD_BITS)]
    iterations = RC.row_cycles(k) - 1
    digits = [0] * len(blocks)
    for cycle in range(iterations + k // w + 3):
        for j, block in enumerate(blocks):
            # Cycle 1 of a block is its first iteration.
            place = cycle - j - 1
            block.a = x >> place & 1 if 0 <= place < iterations else 0
        below = blocks[0]
        own = (below.shifted(blocks[1].s & 1) ^ (below.b & below.a)) & 1
        digits = [own, *digits[:-1]]
        for block, digit in zip(blocks, digits, strict=True):
            block.q = digit
        yield RippleCycle(
            cycle,
            tuple(digits),
            tuple(block.s for block in blocks),
            tuple(block.carry for block in blocks),
        )
        late = [block.s & 1 for block in blocks[1:]] + [0]
        carries = [(0, 0)] + [block.carry for block in blocks[:-1]]
        for j, block in enumerate(blocks):
            if cycle > j:
                block.step(late[j], carries[j])


def lazy_result(w: int, k: int, cycles: list[RippleCycle]) -> int:
    """Return the row's result, below 2 m; block j is read j cycles after block 0."""
    end = RC.row_cycles(k)
    total = 0
    for j in range(k // w + 1):
        seen = cycles[end + j]
        above = seen.s[j + 1] if j + 1 < len(seen.s) else 0
        # Above it, the late bit of the last iteration but one.
        total += (seen.s[j] + ((above & 1) << (w - 1))) << (w * j)
    if total & 1:
        raise AssertionError("the last shift drops a one")
    return total >> 1


def run(w: int, bits: int, x: int, y: int, m: int, length: int) -> ModelResult:
    """Run one product from idle.

    Args:
        w: word size in bits.
        bits: built width in bits.
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus, odd, 3 <= m < 2^length.
        length: run-time length in bits.

    Raises:
        ValueError: the modulus or an operand is out of range.
    """
    words = checked_words(w, x, y, m, length)
    lazy = lazy_result(w, w * words, list(trace(w, -(-bits // w), x, y, m, w * words)))
    return model_result(RC, w, words, canonical(lazy, m))
