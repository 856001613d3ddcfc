# SPDX-License-Identifier: Apache-2.0
"""Values of registers as exact integers, each defined by values before it.

A word is a number (known: public) or a `Word`: an operand, or the result of an instruction on one.
Its definition holds over the integers, without any modulus:

- x + y is a word, and a carry; s = x + y - 2^32 c
- x - y is a word, and a borrow; d = x - y + 2^32 b
- x y is two words; lo = x y - 2^32 hi

A claim about a routine is an identity of such sums. `sums.reduced` replaces words by their
definitions from the last one to the first; what is left must be nothing. A sum of which the range
shows that it has no carry has none; a carry that a routine drops otherwise is left over.
"""

from __future__ import annotations

from collections.abc import Mapping

W = 1 << 32

#: A sum of words and of products of two, by coefficient; the word 1 stands for the constant.
Terms = dict["Word | int | tuple[Word, Word]", int]


class Word:
    """A secret word.

    Attributes:
        index: its place in the order of definitions.
        high: the most that it can be.
        terms: its definition, or None.
        scaled: 2^32 times the word in terms of others, for carries, borrows and upper halves.
        less: (x, y, before) if it is 1 exactly where x < y + before.
        mask: the bit b if it is -b modulo 2^32.
        even: whether its lowest bit is 0.
        group: the number of several words of which it is one.
        link: 2^32 times the word in terms of earlier ones, if a sum may be replaced by it.
    """

    __slots__ = ("even", "group", "high", "index", "less", "link", "mask", "scaled", "terms")

    def __init__(self, index: int, high: int, terms: Terms | None = None) -> None:
        self.index, self.high, self.terms = index, high, terms
        self.scaled: Terms | None = None
        self.less: tuple[Value, Value, Value] | None = None
        self.mask: Word | None = None
        self.even = False
        self.group: WordGroup | None = None
        self.link: Terms | None = None


Value = Word | int


class WordGroup:
    """Words of which the number is known: sum(word[i] 2^(32 (i + shift))) = terms."""

    def __init__(self, words: list[Word], terms: Terms, shift: int = 0) -> None:
        self.words, self.terms, self.shift = words, terms, shift
        for word in words:
            word.group = self


def plus(*parts: tuple[int, Value | tuple[Word, Word]]) -> Terms:
    """Return the sum of values with coefficients."""
    found: Terms = {}
    for coefficient, value in parts:
        if isinstance(value, int):
            key: Word | int | tuple[Word, Word] = 1
            coefficient *= value
        else:
            key = value
        found[key] = found.get(key, 0) + coefficient
    return {key: c for key, c in found.items() if c}


def pair(x: Word, y: Word) -> tuple[Word, Word]:
    """Return the key of a product."""
    return (x, y) if x.index <= y.index else (y, x)


def most(terms: Mapping[Word | int | tuple[Word, Word], int]) -> int:
    """Return a bound of a sum: words are not negative."""
    total = 0
    for key, c in terms.items():
        if c > 0:
            if isinstance(key, tuple):
                c *= key[0].high * key[1].high
            elif isinstance(key, Word):
                c *= key.high
            total += c
        elif key == 1:
            total += c
    return total


def scaled_most(terms: Terms) -> int:
    """Return a bound of 2^32 times a sum, by what its carries and upper halves stand for."""
    found: Terms = {}
    todo = dict(terms)
    while todo:
        key = max(todo, key=lambda key: key.index if isinstance(key, Word) else 0)
        c = todo.pop(key)
        if isinstance(key, Word) and key.scaled is not None:
            for other, k in key.scaled.items():
                if k % W == 0:
                    todo[other] = todo.get(other, 0) + c * k // W
                else:
                    found[other] = found.get(other, 0) + c * k
        elif isinstance(key, Word) and key.terms and min(key.terms.values()) > 0:
            for other, k in key.terms.items():
                todo[other] = todo.get(other, 0) + c * k
        else:
            found[key] = found.get(key, 0) + c * W
    return most(found)


class Words:
    """Makes words by the operations of the processor."""

    def __init__(self) -> None:
        self.count = 0
        self._sums: dict[tuple[Word, Value], Value] = {}
        self._differences: dict[tuple[Value, Value], tuple[Word, Word]] = {}
        self._products: dict[tuple[Word, Word], tuple[Word, Word]] = {}
        self._multiples: dict[tuple[Word, int], tuple[Value, Value]] = {}
        self._bits: dict[tuple[str, Word], Word] = {}
        #: Constants of a reduction: m[0], n0 with m[0] n0 = -1 modulo 2^32; and its digits.
        self.reduction: tuple[Value, Value] | None = None
        self.digits: dict[Word, Word] = {}
        #: The bits of which masks were made by arithmetic.
        self.masks: list[Word] = []

    def new(self, high: int = W - 1, terms: Terms | None = None) -> Word:
        """Return a new word, at most `high`."""
        self.count += 1
        return Word(self.count, high, terms)

    def many(self, count: int) -> list[Word]:
        """Return new words of which nothing is known."""
        return [self.new() for _ in range(count)]

    def add(self, x: Value, y: Value) -> Value:
        """Return x + y modulo 2^32; its carry is what `less` gives for the sum and x or y."""
        if isinstance(x, int) and isinstance(y, int):
            return (x + y) % W
        if x == 0 or y == 0:
            return y if x == 0 else x
        if isinstance(y, Word) and (isinstance(x, int) or x.index > y.index):
            x, y = y, x
        assert isinstance(x, Word)
        if y == W - 1 and x.high == 1:
            opposite = self.new(1, plus((1, 1), (-1, x)))
            self.masks.append(x)
            return self._mask(opposite)
        terms = plus((1, x), (1, y))
        top = most(terms)
        if top < 8:
            top = min(top, scaled_most(terms) // W)
        if top < W or scaled_most(terms) < W * W:
            total, carry = self.new(min(top, W - 1), terms), None
        else:
            carry = self.new(1)
            total = self.new(W - 1, plus((1, x), (1, y), (-W, carry)))
            carry.scaled = plus((1, x), (1, y), (-1, total))
        for part in (x, y):
            self._sums[total, part] = carry if carry is not None else 0
        return total

    def subtract(self, x: Value, y: Value) -> Value:
        """Return x - y modulo 2^32."""
        if isinstance(x, int) and isinstance(y, int):
            return (x - y) % W
        if y == 0:
            return x
        if x == 0 and isinstance(y, Word) and y.mask is not None:
            return y.mask
        if x == 0 and isinstance(y, Word) and y.high == 1:
            self.masks.append(y)
            return self._mask(y)
        return self._difference(x, y)[0]

    def _difference(self, x: Value, y: Value) -> tuple[Word, Word]:
        if (x, y) not in self._differences:
            borrow = self.new(1)
            word = self.new(W - 1, plus((1, x), (-1, y), (W, borrow)))
            borrow.scaled = plus((1, word), (-1, x), (1, y))
            borrow.less = (x, y, 0)
            self._differences[x, y] = word, borrow
        return self._differences[x, y]

    def less(self, x: Value, y: Value) -> Value:
        """Return whether x < y, without signs."""
        if isinstance(x, int) and isinstance(y, int):
            return int(x < y)
        if y == 0 or x is y:
            return 0
        if isinstance(x, Word) and (x, y) in self._sums:
            return self._sums[x, y]
        if x == 0 and isinstance(y, Word):
            return self._bit("nonzero", y)
        return self._difference(x, y)[1]

    def multiply(self, x: Value, y: Value) -> tuple[Value, Value]:
        """Return both halves of a product without signs."""
        if isinstance(x, int) and isinstance(y, int):
            return x * y % W, x * y >> 32
        if isinstance(x, int):
            x, y = y, x
        assert isinstance(x, Word)
        if isinstance(y, int):
            return self._multiple(x, y)
        if self.reduction is not None and self.reduction[1] in (x, y):
            return self._digit(x if y is self.reduction[1] else y), self.new()
        key = pair(x, y)
        if key not in self._products:
            high = self.new((x.high * y.high) >> 32)
            low = self.new(W - 1, plus((1, key), (-W, high)))
            high.scaled = plus((1, key), (-1, low))
            self._products[key] = low, high
        return self._products[key]

    def _multiple(self, x: Word, times: int) -> tuple[Value, Value]:
        if (x, times) not in self._multiples:
            high = self.new(times * x.high >> 32) if times * x.high >= W else 0
            low = self.new(min(times * x.high, W - 1), plus((times, x), (-W, high)))
            if isinstance(high, Word):
                high.scaled = plus((times, x), (-1, low))
            self._multiples[x, times] = low, high
        return self._multiples[x, times] if times else (0, 0)

    def _digit(self, value: Word) -> Word:
        """q = value n0 and m[0] n0 = -1: q m[0] + value = 2^32 (upper half + (value is not 0))."""
        assert self.reduction is not None and isinstance(self.reduction[0], Word)
        digit = self.new()
        self.digits[digit] = value
        high = self.multiply(digit, self.reduction[0])[1]
        bit = self._bit("nonzero", value)
        bit.link = plus((1, pair(digit, self.reduction[0])), (1, value), (-W, high))
        bit.scaled = bit.link
        return digit

    def _bit(self, what: str, x: Word) -> Word:
        if (what, x) not in self._bits:
            self._bits[what, x] = self.new(1)
        return self._bits[what, x]

    def _mask(self, bit: Word) -> Word:
        found = self.new(W - 1, plus((W - 1, bit)))
        found.mask = bit
        return found

    def shift(self, x: Word, count: int, left: bool, arithmetic: bool) -> Value:
        """Return a shift: exact by one to the left and by 31 to the right, else unknown."""
        if left and count == 1:
            found = self.new(W - 2, plus((2, x), (-W, self._bit("top", x))))
            found.even = True
            return found
        if not left and count == 31:
            bit = self._bit("top", x)
            return self._mask(bit) if arithmetic else bit
        return self.new()

    def either(self, x: Value, y: Value) -> Value:
        """Return x | y, exact for bits that are never both set, and for an even word and a bit."""
        if x == 0 or y == 0:
            return y if x == 0 else x
        if not (isinstance(x, Word) and isinstance(y, Word)):
            return self.new()
        terms = plus((1, x), (1, y))
        if x.high == y.high == 1 and scaled_most(terms) < 2 * W:
            found = self.new(1, terms)
            found.less = self._compared(x, y) or self._compared(y, x)
            return found
        if (x.even and y.high == 1) or (y.even and x.high == 1):
            return self.new(W - 1, terms)
        return self.new()

    def _compared(self, first: Word, then: Word) -> tuple[Value, Value, Value] | None:
        """Return (x, y, bit) if one of two borrows is of x - y - bit, taken in either order."""
        if first.less is None or then.less is None:
            return None
        x, y, _ = first.less
        if (x, y) not in self._differences or then.less[0] is not self._differences[x, y][0]:
            return None
        for one, bit in ((y, then.less[1]), (then.less[1], y)):
            if isinstance(bit, Word) and bit.high == 1:
                return x, one, bit
        return None

    def both(self, x: Value, y: Value) -> Value:
        """Return x & y, exact for a mask."""
        for mask, other in ((x, y), (y, x)):
            if mask == 0:
                return 0
            if mask == W - 1:
                return other
            if isinstance(mask, Word) and mask.mask is not None:
                if isinstance(other, int):
                    return self.new(other, plus((other, mask.mask)))
                return self.new(other.high, plus((1, pair(mask.mask, other))))
        return self.new()

    def differ(self, x: Value, y: Value) -> Value:
        """Return x ^ y, exact for a mask: a word or its complement."""
        for mask, other in ((x, y), (y, x)):
            if mask == 0:
                return other
            if mask == W - 1:
                return self.new(W - 1, plus((W - 1, 1), (-1, other)))
            if isinstance(mask, Word) and mask.mask is not None and isinstance(other, Word):
                bit = mask.mask
                terms = plus((1, other), (W - 1, bit), (-2, pair(bit, other)))
                return self.new(W - 1, terms)
        return self.new()
