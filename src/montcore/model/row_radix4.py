# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact model of the radix-4 carry-save row `cs4` (hw/rows/cs4).

T <- (T + q N) / 4 + a B, with a and q from {-1, 0, 1, 2}. The blocks of the row are words of cells,
each one cycle behind the block below. Sum S and carries C of a block are non-negative numbers; only
the head, a small signed number above the blocks, makes T negative. The shift moves a block's two
lowest bits to the block below, one iteration late; the part of its two lowest cells beyond two bits
is a carry of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from montcore.model.result import ModelResult
from montcore.model.rows import Algorithm, checked_words, full_add, model_result

CS4 = Algorithm("cs4", 1, 1, digit_bits=2)

#: Bits of the head, a signed number.
HEAD_BITS = 3


def recode(x: int, count: int) -> list[int]:
    """Return `count` digits from {-1, 0, 1, 2} with x = sum of digit(i) 4^i.

    Raises:
        ValueError: x has no such digits.
    """
    digits = []
    for _ in range(count):
        digit = -1 if x % 4 == 3 else x % 4
        digits.append(digit)
        x = (x - digit) // 4
    if x:
        raise ValueError(f"{count} digits do not suffice")
    return digits


def quotient_digit(low: int, m: int) -> int:
    """Return q from {-1, 0, 1, 2} with low + q m = 0 mod 4, m odd."""
    return (0, 1 if m & 2 else -1, 2, -1 if m & 2 else 1)[low % 4]


@dataclass
class Radix4Block:
    """Registers of a block of cells.

    Attributes:
        width: cells.
        n: N / 2 from the block's position on, one bit more than the block has cells.
        b: 2 B from there on, likewise.
        s: S.
        c: C; bit p has the weight of cell p + 1.
        a: digit of A in this cycle.
        q: quotient digit in this cycle.
        first: the product begins in this cycle.
        first_before: it began in the previous cycle.
    """

    width: int
    n: int = 0
    b: int = 0
    s: int = 0
    c: int = 0
    a: int = 0
    q: int = 0
    first: bool = False
    first_before: bool = False

    @property
    def down(self) -> int:
        """The two bits that belong to the block below after the shift."""
        return (self.s + 2 * self.c) & 3

    @property
    def carry(self) -> int:
        """The part of the two lowest cells beyond two bits."""
        return 0 if self.first else self.s >> 1 & self.c & 1

    def step(self, late: int, carry_in: int) -> None:
        """Apply one clock edge; `late` is the two bits from the block above."""
        width, mask = self.width, (1 << self.width) - 1
        s, c = (0, 0) if self.first else (self.s, self.c)
        late = 0 if self.first or self.first_before else late
        # The shift by two cells, and the late bits two cells lower still.
        s_in, c_in = s >> 2, c >> 1
        up_low, low = full_add(s_in >> (width - 4) & 1, c_in >> (width - 4) & 1, late & 1)
        up_high, high = full_add(s_in >> (width - 3) & 1, c_in >> (width - 3) & 1, late >> 1)
        below = (1 << (width - 4)) - 1
        s_in = s_in & below | low << (width - 4) | high << (width - 3) | up_high << (width - 2)
        c_in = c_in & below | up_low << (width - 3) | c_in & 1 << (width - 2)
        carry, middle = full_add(s_in, c_in, select(self.a, self.b) & mask)
        if carry >> (width - 1):
            raise AssertionError("the top cell has a carry for the block above")
        self.c, self.s = full_add(
            middle, (carry << 1 | carry_in) & mask, select(self.q, self.n) & mask
        )


def select(digit: int, number: int) -> int:
    """Return digit * number, minus 1 if negative; `number` has one extra bit below its unit."""
    return {-1: ~(number >> 1), 0: 0, 1: number >> 1, 2: number}[digit]


@dataclass(frozen=True)
class Radix4Cycle:
    """State of the row before a clock edge; cycle 0 is block 0's first of the product.

    Attributes:
        number: the cycle.
        q: quotient digit of each block in this cycle.
        s: S of each block.
        c: C of each block.
        low: the two lowest cells of block 0 as one number, which replaces theirs.
        head: the signed number above the blocks.
    """

    number: int
    q: tuple[int, ...]
    s: tuple[int, ...]
    c: tuple[int, ...]
    low: int
    head: int


def trace(w: int, built: int, x: int, y: int, m: int, k: int) -> Iterator[Radix4Cycle]:
    """Yield the cycles of one product until the last block in use holds its result.

    Args:
        w: word size in bits.
        built: words built.
        x: multiplier, 0 <= x < 2^k.
        y: multiplicand, 0 <= y < 2^k.
        m: modulus, odd, below 2^k.
        k: bits of the words in use.
    """
    mask = (2 << w) - 1
    blocks = [
        Radix4Block(w, n=m >> (w * j + 1) & mask, b=2 * y >> (w * j) & mask) for j in range(built)
    ]
    head, head_b, low = 0, y >> (w * built - 1) & 1, 0
    cycles, last = CS4.row_cycles(k), CS4.row_cycles(k) + k // w + 2
    a_digits = [*recode(x, cycles - 1), *([0] * (last - cycles + 1))]
    # Digits passed from block to block; the last ones are the head's.
    a_way, q_way = [0] * (built + 1), [0] * (built + 1)
    for number in range(last):
        a_way = [a_digits[number], *a_way[:-1]]
        q_way = [0 if number == 0 else quotient_digit(low, m), *q_way[:-1]]
        for j, block in enumerate(blocks):
            block.a, block.q = a_way[j], q_way[j]
            block.first, block.first_before = number == j, number == j + 1
        yield Radix4Cycle(
            number,
            tuple(q_way[:built]),
            tuple(block.s for block in blocks),
            tuple(block.c for block in blocks),
            low,
            head,
        )
        late = [*(block.down for block in blocks[1:]), head & 3]
        up = 0 if number == 0 else -(-low // 4)
        for j, block in enumerate(blocks):
            block.step(late[j], block.carry if j else int(block.a < 0))
        low = up + (blocks[0].s & 3) + 2 * (blocks[0].c & 1)
        if low >= 1 << HEAD_BITS:
            raise AssertionError(f"{low} is too much for the lowest cells")
        before = head if number > built else 0
        head = (before >> 2) + {-1: -1, 2: head_b}.get(a_way[built], 0) - int(q_way[built] < 0)
        if not -4 <= head < 4:
            raise AssertionError(f"{head} is too much for the head")


def signed_result(w: int, k: int, cycles: list[Radix4Cycle]) -> int:
    """Return the row's result, between -m and m; block j is read j cycles after block 0."""
    end, used = CS4.row_cycles(k), k // w
    total = 0
    for j in range(used + 1):
        cycle = cycles[end + j]
        if j == len(cycle.s):
            total += cycle.head << (w * j)
            continue
        s, c = cycle.s[j], cycle.c[j]
        value = (s & ~3) + 2 * (c & ~1) + cycle.low if j == 0 else s + 2 * c
        above = cycle.s[j + 1] + 2 * cycle.c[j + 1] if j + 1 < len(cycle.s) else cycle.head
        total += (value + ((above & 3) << (w - 2))) << (w * j)
    # The word above those in use holds only the sign.
    width = w * (used + 1)
    total %= 1 << width
    return total - (total >> (width - 1) << width)


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
    signed = signed_result(w, w * words, list(trace(w, -(-bits // w), x, y, m, w * words)))
    # (x y + Q m) / R with -R / 3 < Q < 2 R / 3 and x y / R < m / 4.
    if not -m < 3 * signed or not 12 * signed < 11 * m:
        raise AssertionError(f"the result {signed:#x} is out of range")
    return model_result(CS4, w, words, signed + m if signed < 0 else signed)
