# SPDX-License-Identifier: Apache-2.0
"""Sums of words and of products of two, and their reduction to what has no definition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from montcore.support.errors import CheckFailedError
from montcore_riscv.words import Terms, Value, W, Word, pair


def number(words: Iterable[Value], scale: int = 1) -> Terms:
    """Return the number that words make, times a scale."""
    found: Terms = {}
    constant = 0
    for word in words:
        if isinstance(word, int):
            constant += scale * word
        else:
            found[word] = found.get(word, 0) + scale
        scale <<= 32
    if constant:
        found[1] = constant
    return found


def product(x: Iterable[Word], y: Iterable[Word], scale: int = 1) -> Terms:
    """Return the product of two numbers, times a scale."""
    first, second = list(x), list(y)
    scales = [scale << 32 * at for at in range(len(first) + len(second))]
    found: Terms = {}
    for i, one in enumerate(first):
        for at, other in enumerate(second, i):
            key = pair(one, other)
            found[key] = found.get(key, 0) + scales[at]
    return found


def reduced(parts: Iterable[Terms], modulus: int) -> Terms:
    """Return a sum in terms of what has no definition, modulo `modulus`."""
    linear: dict[Word, int] = {}
    products: dict[Word, dict[Word, int]] = {}  # by the later word
    constant = 0

    def take(terms: Terms, times: int) -> None:
        nonlocal constant
        for key, c in terms.items():
            if isinstance(key, Word):
                linear[key] = linear.get(key, 0) + c * times
                todo[key.index] = key
            elif isinstance(key, tuple):
                early, late = key
                row = products.get(late)
                if row is None:
                    row = products[late] = {}
                    todo[late.index] = late
                row[early] = row.get(early, 0) + c * times
            else:
                constant += c * times

    todo: dict[int, Word] = {}
    for part in parts:
        take(part, 1)
    order = _Latest(todo)
    left: Terms = {}
    while (word := order.next()) is not None:
        c = linear.pop(word, 0) % modulus
        row = products.pop(word, {})
        if word.terms is not None:
            if c:
                take(word.terms, c)
            for other, k in row.items():
                if k % modulus:
                    take(_times(word.terms, other), k % modulus)
        elif word.link is not None and c and c % W == 0:
            take(word.link, c // W)
        else:
            group = word.group
            if c and group is not None and word is group.words[-1]:
                c -= modulus if c > modulus >> 1 else 0
                scale = c >> 32 * (len(group.words) - 1 + group.shift)
                take(number(group.words[:-1], -scale << 32 * group.shift), 1)
                take(group.terms, scale)
                c -= scale << 32 * (len(group.words) - 1 + group.shift)
            for key, k in _partners(word, row, modulus).items():
                if key is word:
                    c += k
                else:
                    left[key] = k
            if c % modulus:
                left[word] = c % modulus
    if constant % modulus:
        left[1] = constant % modulus
    return left


def _partners(word: Word, row: dict[Word, int], modulus: int) -> Terms:
    """Return the products of a word in terms of words without definition."""
    left: Terms = {}
    defined = {other.index: other for other in row if other.terms is not None}
    while defined:
        other = defined.pop(max(defined))
        c = row.pop(other) % modulus
        assert other.terms is not None
        for key, k in _times(other.terms, word).items():
            if isinstance(key, tuple):
                one = key[0] if key[1] is word else key[1]
                row[one] = row.get(one, 0) + c * k
                if one.terms is not None:
                    defined[one.index] = one
            elif isinstance(key, Word):
                left[key] = left.get(key, 0) + c * k
    left |= {(other, word): c % modulus for other, c in row.items() if c % modulus}
    return left


def _times(terms: Terms, word: Word) -> Terms:
    found: Terms = {}
    for key, c in terms.items():
        if isinstance(key, tuple):
            raise ValueError("a product of three words")
        if isinstance(key, Word):
            found[pair(key, word)] = c
        else:
            found[word] = c
    return found


class _Latest:
    """Takes words from the last defined to the first, while earlier ones come in."""

    def __init__(self, todo: dict[int, Word]) -> None:
        self._todo = todo
        self._at = max(todo, default=0)

    def next(self) -> Word | None:
        while self._todo:
            if self._at < 0:
                raise ValueError("a square of a word that has a definition")
            word = self._todo.pop(self._at, None)
            self._at -= 1
            if word is not None:
                return word
        return None


def holds(parts: Iterable[Terms], bits: int, what: str) -> None:
    """Check that a sum is 0 modulo 2^bits.

    Raises:
        CheckFailedError: it is not, or at least not shown to be.
    """
    left = reduced(parts, 1 << bits)
    if left:
        raise CheckFailedError(f"{what}: {len(left)} terms are left")


def times(x: Value, y: Sequence[Value], scale: int = 1) -> Terms:
    """Return the product of a word and a number, times a scale."""
    if isinstance(x, int):
        return number(y, scale * x)
    found: Terms = {}
    for at, other in enumerate(y):
        key = pair(x, other) if isinstance(other, Word) else x
        c = (scale if isinstance(other, Word) else scale * other) << 32 * at
        found[key] = found.get(key, 0) + c
    return found


def added(one: Terms, other: Terms) -> Terms:
    """Return the sum of two sums; the first may be changed."""
    for key, c in other.items():
        one[key] = one.get(key, 0) + c
    return one
