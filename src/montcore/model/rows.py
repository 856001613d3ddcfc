# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact model of the radix-2 rows `mx`, `cs` and `op` (hw/rows/mx, hw/rows/cs, hw/rows/op).

Every block of a row is a word of cells, one cycle behind the block below. The model has the same
registers as the hardware, as integers with a bit for each cell, so that a simulation trace can be
compared register by register.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from montcore.model.result import ModelResult
from montcore.model.spec import check_operands

HEAD_BITS = 3


@dataclass(frozen=True)
class Algorithm:
    """Properties of one algorithm of the paper.

    Attributes:
        name: name of the core.
        cycles_per_digit: cycles of an iteration.
        delay: cycles from the acceptance by the front end to the first word at the output stage.
        digit_bits: bits of A per iteration.
    """

    name: str
    cycles_per_digit: int
    delay: int
    digit_bits: int = 1

    @property
    def stages(self) -> int:
        """Cycles of a product that are neither iterations nor words of the conversion."""
        return 3 + self.delay

    def row_cycles(self, k: int) -> int:
        """Return the cycles of the iterations, two more than the digits of k bits."""
        return self.cycles_per_digit * (k // self.digit_bits + 2)


MX = Algorithm("mx", 2, 1)
CS = Algorithm("cs", 1, 2)
OP = Algorithm("op", 1, 2)


def full_add(a: int, b: int, c: int) -> tuple[int, int]:
    """Return carry and sum vectors of parallel full adders."""
    return a & b | a & c | b & c, a ^ b ^ c


@dataclass
class Block:
    """Registers of one block: S and up to two carry vectors, B, N, B + N."""

    width: int
    n: int = 0
    b: int = 0
    both: int = 0
    s: int = 0
    c: int = 0
    c2: int = 0
    up: int = 0
    a: int = 0
    q: int = 0
    second: bool = False
    first: bool = False
    first_before: bool = False


@dataclass(frozen=True)
class RowCycle:
    """State of the blocks before a clock edge; cycle 0 is block 0's first of the product.

    Attributes:
        number: the cycle.
        q: quotient digit of each block in this cycle.
        s: S of each block.
        c: C (or C1) of each block.
        c2: C2 of each block, zero if it has none.
    """

    number: int
    q: tuple[int, ...]
    s: tuple[int, ...]
    c: tuple[int, ...]
    c2: tuple[int, ...]


@dataclass
class ModelRow:
    """The row of one core with a modulus loaded, before a product.

    Args:
        algorithm: the algorithm.
        w: word size in bits.
        words: words built.
        m: the modulus.
    """

    algorithm: Algorithm
    w: int
    words: int
    m: int
    blocks: list[Block] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Build the blocks; the head holds the bits above the words."""
        mask = (1 << self.w) - 1
        self.blocks = [
            Block(self.w, n=self.m >> (self.w * j) & mask) for j in range(self.words)
        ] + [Block(HEAD_BITS)]

    def trace(self, x: int, y: int, k: int) -> Iterator[RowCycle]:
        """Yield the cycles of one product until the last block in use holds its result."""
        cycles = self.algorithm.row_cycles(k)
        used = k // self.w
        per_bit = self.algorithm.cycles_per_digit
        feed: list[tuple[int, bool, bool]] = []  # bit of A, second cycle, first cycle of all
        for cycle in range(cycles + used + 2):
            second = per_bit == 2 and cycle % 2 == 1
            active = cycle < cycles
            bit = x >> (cycle // per_bit) & 1 if active and not second else 0
            feed.append((bit, second, cycle == 0))
        digits = [0] * (len(self.blocks) + 1)
        for cycle in range(cycles + used + 2):
            for j, block in enumerate(self.blocks):
                when = cycle - j
                block.first_before = block.first
                block.a, block.second, block.first = feed[when] if when >= 0 else (0, False, False)
                if when == 0:
                    # An operand below 2 m may have a bit above the words, which goes to the head.
                    mask = (1 << block.width) - 1
                    block.b = y >> (self.w * j) & mask
                    block.both = (y + self.m) >> (self.w * j) & mask
            digits = [self._digit(), *digits[: len(self.blocks) - 1]]
            for block, digit in zip(self.blocks, digits, strict=True):
                block.q = digit
            yield RowCycle(
                cycle,
                tuple(digits),
                tuple(block.s for block in self.blocks),
                tuple(block.c for block in self.blocks),
                tuple(block.c2 for block in self.blocks),
            )
            self._edge()

    def _digit(self) -> int:
        """Return block 0's quotient digit in this cycle."""
        block = self.blocks[0]
        if self.algorithm is MX:
            return block.s & int(block.second)
        s, c, c2 = (0, 0, 0) if block.first else (block.s >> 1, block.c, block.c2)
        return (s ^ c ^ c2 ^ (block.b & -block.a)) & 1

    def _edge(self) -> None:
        above = [block.s & 1 for block in self.blocks[1:]] + [0]
        carries = [0] + [block.up for block in self.blocks[:-1]]
        step = self._mx_block if self.algorithm is MX else self._one_cycle_block
        for block, late, carry in zip(self.blocks, above, carries, strict=True):
            step(block, late, carry)

    def _mx_block(self, block: Block, late: int, carry_in: int) -> None:
        top = block.width - 1
        low = (1 << top) - 1
        first = block.first or block.first_before
        gated = (block.b & -block.a) | (block.n & -block.q)
        if not block.second:
            s, c = (0, 0) if first else (block.s >> 1, block.c)
            carry, total = full_add(s & low, c & low, gated & low)
            block.s = total | (gated >> top & 1) << top
            block.c = carry | (c >> top & 1) << top
            block.up = 0
            return
        c_in = (block.c << 1 | carry_in) & low
        carry, total = full_add(block.s & low, c_in, gated & low)
        up, one = full_add(block.s >> top & 1, block.c >> top & 1, 0 if first else late)
        stays, last = full_add(one, block.c >> (top - 1) & 1, gated >> top & 1)
        block.s = total | last << top
        block.c = carry | stays << top
        block.up = up

    def _one_cycle_block(self, block: Block, late: int, _: int) -> None:
        top = block.width - 1
        s, c, c2 = (0, 0, 0) if block.first else (block.s, block.c, block.c2)
        bit = 0 if block.first or block.first_before else late
        up, here = full_add(s >> top & 1, c >> (top - 1) & 1, bit)
        s_in = (s >> 1) & ~(1 << (top - 1)) | here << (top - 1) | up << top
        c_in = c & ~(1 << (top - 1))
        mask = (1 << block.width) - 1
        if self.algorithm is CS:
            block.c, mid = full_add(s_in, c_in, block.b & -block.a & mask)
            block.c2, block.s = full_add(mid, c2, block.n & -block.q & mask)
        else:
            chosen = (0, block.n, block.b, block.both)[2 * block.a + block.q]
            block.c, block.s = full_add(s_in, c_in, chosen)


def lazy_result(algorithm: Algorithm, w: int, k: int, trace: list[RowCycle]) -> int:
    """Return the row's result, below 2 m; block j is read j cycles after block 0."""
    end, used = algorithm.row_cycles(k), k // w
    total = 0
    for j in range(used + 1):
        cycle = trace[end + j]
        total += (cycle.s[j] + 2 * cycle.c[j] + 2 * cycle.c2[j]) << (w * j)
        if algorithm is not MX and j + 1 < len(cycle.s):
            # The late bit of the last iteration but one.
            total += (cycle.s[j + 1] & 1) << (w * j + w - 1)
    if total & 1:
        raise AssertionError("the last shift drops a one")
    return total >> 1


def run(
    algorithm: Algorithm, w: int, bits: int, x: int, y: int, m: int, length: int
) -> ModelResult:
    """Run one product from idle.

    Args:
        algorithm: the algorithm.
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
    trace = list(ModelRow(algorithm, w, -(-bits // w), m).trace(x, y, w * words))
    lazy = lazy_result(algorithm, w, w * words, trace)
    return model_result(algorithm, w, words, canonical(lazy, m))


def checked_words(w: int, x: int, y: int, m: int, length: int) -> int:
    """Return the words of a modulus of `length` bits.

    Raises:
        ValueError: the modulus or an operand is out of range, or the modulus is longer.
    """
    check_operands(x, y, m)
    if m >> length:
        raise ValueError(f"the modulus has more than {length} bits")
    return -(-length // w)


def canonical(lazy: int, m: int) -> int:
    """Return a row's result, which must be below 2 m, minus m if it is not below m."""
    if lazy >= 2 * m:
        raise AssertionError(f"the result {lazy:#x} is not below 2 m")
    return lazy - m if lazy >= m else lazy


def model_result(algorithm: Algorithm, w: int, words: int, z: int) -> ModelResult:
    """Return a result with its cycle counts from idle.

    From start (cycle -1), block 0 is read after its last cycle, the word words_i follows words_i
    cycles later, and the output stage adds, subtracts and selects.
    """
    core_cycles = algorithm.row_cycles(w * words) + words + algorithm.stages
    return ModelResult(z, core_cycles, core_cycles + 2)


#: Cycles from the last operand beat to the first result beat of an array beyond its core's.
ARRAY_PORT_CYCLES = 3


@dataclass(frozen=True)
class ArrayStep:
    """The part of one product that a row of the array computes.

    Attributes:
        digit: quotient digit, block 0's in the last cycle of the row.
        cycles: the vectors of each block after each cycle of the row: S, C, and C2 or zero.
    """

    digit: int
    cycles: tuple[tuple[tuple[int, int, int], ...], ...]


def array_steps(
    algorithm: Algorithm, w: int, words: int, x: int, y: int, m: int
) -> Iterator[ArrayStep]:
    """Yield each row's part of one product; products before and after it have no influence.

    Row i of the array performs iteration i of the one-dimensional core's row, block by block: in
    block j, from cycle i cycles_per_digit + j on.
    """
    trace = list(ModelRow(algorithm, w, words, m).trace(x, y, w * words))
    per_row = algorithm.cycles_per_digit

    def after(cycle: int) -> tuple[tuple[int, int, int], ...]:
        seen = [(trace[cycle + j], j) for j in range(words + 1)]
        return tuple((row.s[j], row.c[j], row.c2[j]) for row, j in seen)

    for i in range(w * words + 2):
        end = per_row * (i + 1)
        cycles = tuple(after(cycle) for cycle in range(per_row * i + 1, end + 1))
        yield ArrayStep(trace[end - 1].q[0], cycles)


def run_array(algorithm: Algorithm, w: int, bits: int, x: int, y: int, m: int) -> ModelResult:
    """Run one product through an array.

    Args:
        algorithm: the algorithm.
        w: word size in bits.
        bits: built width in bits, at least those of m.
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus, odd, at least 3.

    Raises:
        ValueError: the modulus or an operand is out of range.
    """
    # The latency is the same, except for the result memory before the port.
    result = run(algorithm, w, bits, x, y, m, bits)
    return ModelResult(result.z, result.core_cycles, result.core_cycles + ARRAY_PORT_CYCLES)
