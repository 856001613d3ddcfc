# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact model of the carry-save row of radix 2^k, `hr` (hw/rows/hr).

T <- (T - q_i) / 2^k + q_(i-1) N + a_i B, where N = 2^(-2k) mod M is a number between -2 M / 3 and
M / 3, q_i is T mod 2^k in digits from {-2, -1, 0, 1} and a_i has digits from {-1, 0, 1, 2}. After n
iterations V = 2^k T + q_(n-1) is divided by 2^(2k), with M itself: S = (V + q* M) / 2^(2k).

The blocks of the row are words of cells, each one cycle behind the block below. S and C of a block
are non-negative numbers; the topmost block has k + 2 more cells, in which T is held with an offset.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from montcore.model.result import ModelResult
from montcore.model.rows import checked_words, full_add

#: Bits of R beyond those of the operands' words, so that results can be operands.
MARGIN = 4


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

    @property
    def pairs(self) -> int:
        """Number of radix-4 digits in a digit."""
        return self.radix // 2

    def iterations(self, words: int) -> int:
        """Return n, so that k n is at least the bits of the words in use plus `MARGIN`."""
        return -(-(self.w * words + MARGIN) // self.radix)

    def interval(self, words: int) -> int:
        """Return the cycles between results when products follow each other.

        A product is run again as long as the previous result is still in the memory, which happens
        only for few words. The next operands are read after that.
        """
        once = self.iterations(words)
        free = 5 + 2 * words
        return once * -(-(free + 4) // once)

    def core_cycles(self, words: int) -> int:
        """Return the cycles from the operands' acceptance to done; the row begins earlier."""
        return self.iterations(words) + 8


def quotient_digits(value: int, count: int) -> tuple[list[int], int]:
    """Return `count` digits of value mod 4^count from {-2, -1, 0, 1}, and the carry above them."""
    digits, carry = [], 0
    for place in range(count):
        digit = (value >> 2 * place & 3) + carry
        carry = int(digit >= 2)
        digits.append(digit - 4 * carry)
    return digits, carry


def operand_digits(value: int, count: int) -> list[int]:
    """Return `count` digits from {-1, 0, 1, 2} with value = sum of digit(i) 4^i.

    Raises:
        ValueError: the number has no such digits.
    """
    digits, rest = [], value
    for _ in range(count):
        digit = -1 if rest % 4 == 3 else rest % 4
        digits.append(digit)
        rest = (rest - digit) // 4
    # The sign extension is infinite: -1 and a carry gives the same in the next digit.
    if rest:
        raise ValueError(f"{count} digits do not suffice")
    return digits


def weigh(digits: Sequence[int]) -> int:
    """Return the value of radix-4 digits, lowest first."""
    return sum(digit << 2 * place for place, digit in enumerate(digits))


def divide(value: int, m: int, radix: int) -> tuple[list[int], int]:
    """Return the digits of q* and (value + q* m) / 2^(2 radix)."""
    digits, _ = quotient_digits(-value * pow(m, -1, 1 << 2 * radix), radix)
    quotient, rest = divmod(value + weigh(digits) * m, 1 << 2 * radix)
    if rest:
        raise AssertionError("the last division leaves a rest")
    return digits, quotient


def scaled(m: int, radix: int) -> int:
    """Return N = 2^(-2 radix) mod m, between -2 m / 3 and m / 3."""
    return divide(1, m, radix)[1]


def multiple(digit: int, place: int, number: int) -> int:
    """Return digit * number * 4^place, minus 1 if the digit is negative (a ones' complement)."""
    return digit * (number << 2 * place) - int(digit < 0)


def compress(vectors: Sequence[int], carries: Sequence[int], mask: int) -> tuple[list[int], int]:
    """Add vectors with full adders, three at a time in order, until two are left.

    Args:
        vectors: three or more numbers.
        carries: carry into the lowest cell of each layer of adders but the last.
        mask: the cells.

    Returns:
        the sum and the unshifted carries of the last layer; and the carries out of the other
        layers, the first one in bit 0.
    """
    queue, out = list(vectors), 0
    top = (mask >> 1) + 1
    for layer in range(len(vectors) - 2):
        carry, total = full_add(*queue[:3])
        if layer == len(vectors) - 3:
            return [total & mask, carry & mask], out
        out |= int(bool(carry & top)) << layer
        queue = [*queue[3:], total & mask, (carry << 1 | carries[layer]) & mask]
    raise ValueError("fewer than three vectors")


@dataclass
class HighBlock:
    """Registers of a block of cells, except the lowest cells of block 0, which are in `Lowest`.

    Attributes:
        low: index of the lowest cell; those below are in `Lowest`.
        width: number of cells.
        s: S.
        c: C; bit p has the weight of cell p + 1.
        up: carries for the block above, a bit for each layer of adders.
        b: all of B.
        a: digits of A in this cycle.
        q: quotient digits in this cycle.
    """

    low: int
    width: int
    s: int = 0
    c: int = 0
    up: int = 0
    b: int = 0
    a: list[int] = field(default_factory=list)
    q: list[int] = field(default_factory=list)


@dataclass
class Lowest:
    """Registers of the lowest k columns and of the quotient digits.

    Attributes:
        low: contents of the columns as one number.
        q: digits of low mod 2^k.
        carry: the part above these digits: low mod 2^k = their value + 2^k carry.
        before: the two vectors to which the columns' multiples were reduced in the previous cycle.
        out: carries of that reduction.
        extra: one more carry, which the next iteration uses.
        late: the `extra` of the previous iteration.
    """

    low: int = 0
    q: list[int] = field(default_factory=list)
    carry: int = 0
    before: tuple[int, int] = (0, 0)
    out: int = 0
    extra: int = 0
    late: int = 0


@dataclass(frozen=True)
class HighCycle:
    """State of the row before a clock edge; cycle 0 is block 0's first of the product.

    Attributes:
        number: the cycle.
        a: digits of A of each block in this cycle.
        q: quotient digits of each block in this cycle.
        s: S of each block.
        c: C of each block.
        up: carries of each block for the one above.
        low: the lowest k columns of block 0 as one number.
        late: a carry out of these columns that only the next iteration adds.
        digits: quotient digits of that number.
    """

    number: int
    a: tuple[tuple[int, ...], ...]
    q: tuple[tuple[int, ...], ...]
    s: tuple[int, ...]
    c: tuple[int, ...]
    up: tuple[int, ...]
    low: int
    late: int
    digits: tuple[int, ...]


class HighRow:
    """A row with a modulus loaded.

    Args:
        sizes: its sizes.
        n: N of the modulus.
    """

    def __init__(self, sizes: HighSizes, n: int) -> None:
        self.sizes, self.n = sizes, n
        k, w = sizes.radix, sizes.w
        widths = [w] * (sizes.built - 1) + [w + k + 2]
        self.blocks = [HighBlock(0 if j else k, width) for j, width in enumerate(widths)]
        self.lowest = Lowest()

    def trace(self, x: int, y: int, words: int) -> Iterator[HighCycle]:
        """Yield the cycles of one product until the last block has its result.

        Args:
            x: multiplier, between -m and m.
            y: multiplicand, likewise.
            words: words of the modulus.
        """
        sizes, blocks = self.sizes, self.blocks
        count, last = sizes.iterations(words), sizes.iterations(words) + sizes.built + 1
        none = [0] * sizes.pairs
        every = operand_digits(x, count * sizes.pairs)
        digits = [every[i : i + sizes.pairs] for i in range(0, len(every), sizes.pairs)]
        digits += [none] * (last + 1 - count)
        a_way, q_way = [none] * sizes.built, [none] * sizes.built
        low, q_now = Lowest(q=none), none
        self._prepare(low, digits[0], none, y)
        for number in range(last):
            a_way = [digits[number], *a_way[:-1]]
            q_way = [q_now, *q_way[:-1]]
            for j, block in enumerate(blocks):
                block.a, block.q, block.b = a_way[j], q_way[j], y
            yield HighCycle(
                number,
                tuple(map(tuple, a_way)),
                tuple(map(tuple, q_way)),
                tuple(block.s for block in blocks),
                tuple(block.c for block in blocks),
                tuple(block.up for block in blocks),
                low.low,
                low.late,
                tuple(low.q),
            )
            q_now = low.q
            self._edge(number, count, low)
            self._prepare(low, digits[number + 1], q_now, y)

    def _prepare(self, low: Lowest, a: Sequence[int], q: Sequence[int], y: int) -> None:
        """Reduce the lowest columns of the next cycle's multiples to two vectors."""
        k = self.sizes.radix
        mask = (1 << k) - 1
        vectors = [multiple(digit, p, y) & mask for p, digit in enumerate(a)]
        vectors += [multiple(digit, p, self.n) & mask for p, digit in enumerate(q)]
        ones = [int(digit < 0) for digit in (*a, *q)]
        total, other, low.out = vectors[0], vectors[1], 0
        if k > 2:
            (total, carry), out = compress(vectors, ones, mask)
            other = (carry << 1 | ones[k - 3]) & mask
            low.out = out | (carry >> (k - 1)) << (k - 3)
        carry, total = full_add(total, other, ones[-2])
        low.before = (total, (carry << 1 | ones[-1]) & mask)
        low.late, low.extra = low.extra, carry >> (k - 1)

    def _edge(self, number: int, count: int, low: Lowest) -> None:
        """Apply one clock edge to all blocks and to the lowest columns."""
        k, blocks = self.sizes.radix, self.blocks
        mask = (1 << k) - 1
        below = [(block.s & mask, block.c << 1 & mask) for block in blocks]
        first = number == 0
        s, c = (0, 0) if first else (blocks[0].s >> k & mask, blocks[0].c >> (k - 1) & mask)
        over = 0 if first else low.low >> k
        up = 0 if first or number == count - 1 else low.carry
        # The columns: two adders in each, and a sum.
        carry, total = full_add(s, c, low.before[0])
        middle = (carry << 1 | (0 if first else low.late)) & mask
        end, rest = full_add(total, middle, low.before[1])
        ups = [low.out | (carry >> (k - 1)) << (k - 2), *(block.up for block in blocks[:-1])]
        value = rest + ((end << 1 | up) & mask) + over
        if value >> (k + 1):
            raise AssertionError(f"{value} is too much for the lowest columns")
        for j, block in enumerate(blocks):
            above = below[j + 1] if j + 1 < len(blocks) and number > j + 1 else (0, 0)
            self._step(j, block, number == j, above, ups[j])
        blocks[0].c |= (end >> (k - 1)) << (k - 1)
        low.low = value
        low.q, low.carry = quotient_digits(value, k // 2)

    def _step(self, j: int, block: HighBlock, first: bool, above: tuple[int, int], up: int) -> None:
        """Apply one clock edge to a block, with the late bits from above and carries from below.

        The carries into block 0 enter above the lowest columns.
        """
        k, w = self.sizes.radix, self.sizes.w
        top = j == self.sizes.built - 1
        mask = (1 << block.width) - (1 << block.low)
        s, c = (0, 0) if first else (block.s >> k, block.c >> (k - 1))
        if not top:
            s, c = _with_late(s, c, above, k, w)
        base = w * j
        vectors = [
            self._signed(digit, p, number, base, block.width, top)
            for number, digits in ((block.b, block.a), (self.n, block.q))
            for p, digit in enumerate(digits)
        ]
        if top:
            if first:
                s |= 1 << (w + 1)
            self._offset(vectors)
        shift = block.low
        carries = [up >> layer & 1 for layer in range(k - 1)]
        wide = mask >> shift
        (total, carry), out = compress([v >> shift & wide for v in (*vectors, s, c)], carries, wide)
        block.s, block.c, block.up = total << shift, carry << shift, out
        if top and (out or carry >> (block.width - shift - 1)):
            raise AssertionError("the topmost block has a carry")

    def _signed(self, digit: int, p: int, number: int, base: int, width: int, top: bool) -> int:
        """Return the cells of a multiple; in the topmost block its sign is inverted."""
        value = multiple(digit, p, number) >> base
        if not top:
            return value & ((1 << width) - 1)
        sign = self.sizes.w + 2 * p + 1
        return value & ((1 << sign) - 1) | int(value >= 0) << sign

    def _offset(self, vectors: list[int]) -> None:
        """Add a 1 in the cell of each pair of signs u, v: 1 + u + v = 2 (u or v) + (u xnor v)."""
        pairs, w = self.sizes.pairs, self.sizes.w
        for p in range(pairs):
            sign = w + 2 * p + 1
            u, v = vectors[p] >> sign & 1, vectors[pairs + p] >> sign & 1
            vectors[p] &= ~(1 << sign)
            vectors[pairs + p] &= ~(1 << sign)
            vectors[p] |= (1 ^ u ^ v) << sign | (u | v) << (sign + 1)


def _with_late(s: int, c: int, above: tuple[int, int], k: int, w: int) -> tuple[int, int]:
    """Add the late bits: two adders in each of k cells, and one in the cell above them."""
    late = ((1 << k) - 1) << (w - 2 * k)
    shifted = [bits << (w - 2 * k) for bits in above]
    carry, total = full_add(s & late, c & late, shifted[0])
    carry_2, total = full_add(total, carry << 1 & late, shifted[1])
    cell = w - k
    up, one = full_add(c >> cell & 1, carry >> (cell - 1) & 1, carry_2 >> (cell - 1) & 1)
    s = s & ~late | total | one << cell
    return s, c & ~late & ~(1 << cell) | carry_2 << 1 & late | up << (cell + 1)


def row_result(sizes: HighSizes, words: int, cycles: Sequence[HighCycle]) -> int:
    """Return V / 2^k without its fraction's sign: T minus the last digit's carry.

    Block j is read j cycles after block 0; the cells above the words are read with the topmost
    block.
    """
    k, w = sizes.radix, sizes.w
    mask = (1 << k) - 1
    end, total = sizes.iterations(words), 0
    for j in range(words + 1):
        if j == sizes.built:
            break
        seen = cycles[end + j]
        s, c = seen.s[j], 2 * seen.c[j]
        if j == 0:
            s, c = s + seen.low % (1 << k), c + ((seen.low >> k) + seen.late << k)
        if j + 1 < sizes.built:
            s += ((seen.s[j + 1] & mask) + (2 * seen.c[j + 1] & mask)) << (w - k)
            total += (s + c) << (w * j)
        else:
            total += (s + c - (1 << (w + k + 1))) << (w * j)
    width = w * (words + 1)
    total %= 1 << width
    return total - (total >> (width - 1) << width)


def divided(sizes: HighSizes, words: int, cycles: Sequence[HighCycle], m: int) -> int:
    """Return S, the result of the final division, from the cycles of a product."""
    mask = (1 << sizes.radix) - 1
    last = cycles[sizes.iterations(words) - 1].low & mask
    value = (row_result(sizes, words, cycles) << sizes.radix) + last
    return divide(value, m, sizes.radix)[1]


def signed_product(sizes: HighSizes, words: int, x: int, y: int, m: int) -> int:
    """Return the number between -m and m that leaves the row for operands between -m and m."""
    cycles = list(HighRow(sizes, scaled(m, sizes.radix)).trace(x, y, words))
    signed = divided(sizes, words, cycles, m)
    if not -m < signed < m:
        raise AssertionError(f"the result {signed:#x} is out of range")
    return signed


def run(sizes: HighSizes, x: int, y: int, m: int, length: int) -> ModelResult:
    """Run one product from idle.

    Args:
        sizes: sizes of the row.
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus, odd, 3 <= m < 2^length.
        length: run-time length in bits.

    Raises:
        ValueError: the modulus or an operand is out of range.
    """
    words = checked_words(sizes.w, x, y, m, length)
    signed = signed_product(sizes, words, x, y, m)
    core_cycles = sizes.core_cycles(words)
    return ModelResult(signed % m, core_cycles, core_cycles + 1)
