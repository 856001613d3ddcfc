# SPDX-License-Identifier: Apache-2.0
"""Selects the products for verification: edge cases, random ones and those of vector files.

Every case includes the expected answer: the product from the Python specification (or the vector
file), or the status with which the core must refuse it.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from montcore.cores.core import Core
from montcore.model.spec import r_inverse
from montcore.sim.simulator import ArrayBatch
from montcore.sim.types import Product, Status
from montcore.verification.vectors import ProductVector

#: Products per random modulus: enough to fill a pipeline, few enough to cover many moduli.
PRODUCTS_PER_MODULUS = 16


@dataclass(frozen=True)
class Case:
    """A product and its expected answer: `z`, or the status `error` if that is not 0."""

    product: Product
    z: int | None
    error: int = 0


@dataclass(frozen=True)
class BadModulus:
    """A modulus that the core must refuse with one of these statuses."""

    m: int
    statuses: tuple[Status, ...]


def expected_cases(core: Core, products: Sequence[Product]) -> list[Case]:
    """Return the products together with the specification's results."""
    inverses: dict[tuple[int, int], int] = {}
    cases = []
    for product in products:
        key = (product.m, product.length)
        if key not in inverses:
            inverses[key] = r_inverse(product.m, core.r_bits(product.length))
        cases.append(Case(product, product.x * product.y % product.m * inverses[key] % product.m))
    return cases


def expected_array(
    core: Core, batch: ArrayBatch, x: npt.NDArray[np.uint64], y: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]:
    """Return the specification's results of an array of small products with these operands."""
    m = np.uint64(batch.m)
    inverse = np.uint64(r_inverse(batch.m, core.r_bits(batch.length)))
    found: npt.NDArray[np.uint64] = x * y % m * inverse % m
    return found


def edge_operands(m: int, r_bits: int, word_bits: int, rng: random.Random) -> list[tuple[int, int]]:
    """Return operand pairs at the limits for a modulus."""
    radix = 1 << r_bits
    words = -(-m.bit_length() // word_bits)
    ones = (1 << word_bits) - 1
    alternating = sum(ones << (index * word_bits) for index in range(0, words, 2))
    singles = [
        0,
        1,
        m - 1,
        m // 2,  # (m - 1) / 2: doubling it gives m - 1
        m // 2 + 1,  # (m + 1) / 2: the inverse of two
        radix % m,
        radix * radix % m,
        -radix % m,
        alternating % m,
        (alternating << word_bits) % m,
        ((1 << (m.bit_length() - 1)) - 1) % m,  # all ones below the top bit
        (1 << (m.bit_length() - 1)) % m,
    ]
    random_one = rng.randrange(m)
    pairs = [(value, value) for value in singles]
    pairs += [(value, m - 1) for value in singles] + [(m - 1, value) for value in singles]
    pairs += [(0, random_one), (random_one, 0), (1, random_one), (random_one, 1)]
    pairs += [(value, random_one) for value in singles[5:8]]
    pairs += _reduction_edges(m, r_bits, rng)
    return list(dict.fromkeys(pairs))


def _reduction_edges(m: int, r_bits: int, rng: random.Random) -> Iterator[tuple[int, int]]:
    """Yield a pair whose result needs the final subtraction, and a pair whose result does not.

    m may be subtracted from (x y + q m) / R, with q = -x y / m mod R.
    """
    radix = 1 << r_bits
    n0 = -pow(m, -1, radix) % radix
    wanted = {True, False}
    for _ in range(64):
        x, y = rng.randrange(m), rng.randrange(m)
        product = x * y
        subtracts = (product + (product * n0 % radix) * m) >> r_bits >= m
        if subtracts in wanted:
            wanted.remove(subtracts)
            yield x, y
        if not wanted:
            return


def edge_moduli(bits: int, word_bits: int, rng: random.Random) -> list[int]:
    """Return moduli of at most `bits` bits that have revealed faults in cores."""
    top = 1 << (bits - 1)
    full = (1 << bits) - 1
    ones = (1 << word_bits) - 1
    low_word = (1 << min(word_bits, bits)) - 1
    words = -(-bits // word_bits)
    candidates = [
        full,  # all ones
        top + 1,  # all words zero except for two bits
        top - 1,  # top bit clear
        full >> 2,
        3,
        5,
        top | (ones << word_bits if words > 1 else 0) | 1,
        sum(ones << (index * word_bits) for index in range(0, words, 2)) & full | 1,
        (rng.getrandbits(bits) | top) & ~low_word | 1,  # low word 1: n0' = -1
        rng.getrandbits(bits) | top | low_word,  # low word all ones: n0' = 1
        rng.getrandbits(bits) | top | 1,
        (rng.getrandbits(bits) & (top - 1)) | 1,
    ]
    return [m for m in dict.fromkeys(candidates) if m >= 3 and m <= full and m % 2 == 1]


def zero_divisor_products(bits: int, length: int, rng: random.Random) -> list[Product]:
    """Return products x y = m of composite moduli: the result is m before the last step.

    A core that compares with > instead of >= returns m instead of 0.
    """
    products = []
    for _ in range(4):
        first = max(2, bits // 2)
        second = max(2, bits - first)
        x = rng.getrandbits(first) | 1 | (1 << (first - 1))
        y = rng.getrandbits(second) | 1 | (1 << (second - 1))
        m = x * y
        if m.bit_length() <= bits:
            products += [Product(x, y, m, length), Product(y, x, m, length)]
    if bits >= 4:
        products += [Product(3, 5, 15, length), Product(3, 3, 9, length)]
    return products


def edge_products(core: Core, modulus: int | None, rng: random.Random) -> list[Product]:
    """Return the edge cases of a build, or those of one modulus only."""
    bits = core.bits
    width = core.bus_width

    def products(m: int, length: int) -> list[Product]:
        pairs = edge_operands(m, core.r_bits(length), width, rng)
        return [Product(x, y, m, length) for x, y in pairs]

    if modulus is not None:
        return products(modulus, bits)
    chosen = [
        product for m in edge_moduli(bits, width, rng) for product in products(m, bits)
    ] + zero_divisor_products(bits, bits, rng)
    for length in _boundary_lengths(bits, width, rng):
        for m in edge_moduli(length, width, rng)[:3]:
            x = rng.randrange(m)
            chosen += [Product(m - 1, m - 1, m, length), Product(x, m - 1, m, length)]
    return chosen


def _boundary_lengths(bits: int, width: int, rng: random.Random) -> list[int]:
    """Return the shortest and the longest length for each number of beats.

    If there are many beat counts, use the lowest three, the highest three and a dozen others.
    """
    counts = list(range(1, -(-bits // width) + 1))
    if len(counts) > 18:
        counts = counts[:3] + rng.sample(counts[3:-3], 12) + counts[-3:]
    lengths = {2, bits}
    for count in counts:
        lengths |= {(count - 1) * width + 1, count * width - 1, count * width}
    return sorted(length for length in lengths if 2 <= length <= bits)


def random_products(
    bits: int, modulus: int | None, count: int, rng: random.Random
) -> Iterator[Product]:
    """Yield random products: moduli of the full length and of all others, top bit set or clear."""
    m, length = modulus or 3, bits
    for index in range(count):
        if modulus is None and index % PRODUCTS_PER_MODULUS == 0:
            choice = rng.random()
            length = bits if choice < 0.7 else rng.randint(2, bits)
            size = length if choice < 0.4 or choice >= 0.85 else rng.randint(2, length)
            m = rng.getrandbits(size) | 1 | (1 << (size - 1))
        yield Product(rng.randrange(m), rng.randrange(m), m, length)


def refused_operands(core: Core, modulus: int | None, rng: random.Random) -> list[Case]:
    """Return products with an operand that is not below the modulus."""
    bits = core.bits
    limit = (1 << (core.beats(bits) * core.bus_width)) - 1
    cases = []
    moduli = [modulus] if modulus is not None else [(1 << (bits - 1)) + 1, 3, (1 << bits) - 1]
    for m in moduli:
        good = rng.randrange(m)
        for bad in {m, min(m + 1, limit), limit}:
            if bad < m:
                continue
            for x, y in ((bad, good), (good, bad), (bad, bad)):
                cases.append(Case(Product(x, y, m, bits), None, Status.OPERAND_RANGE))
    return cases


def refused_moduli(bits: int, rng: random.Random) -> list[BadModulus]:
    """Return moduli that every core refuses: zero, one, even ones."""
    even = [2, (1 << bits) - 2, 1 << (bits - 1), rng.getrandbits(bits) & ~1]
    return [
        BadModulus(0, (Status.MODULUS_EVEN,)),
        BadModulus(1, (Status.MODULUS_ONE,)),
        *(BadModulus(m, (Status.MODULUS_EVEN,)) for m in dict.fromkeys(even)),
    ]


def vector_cases(
    core: Core, vectors: Sequence[ProductVector]
) -> tuple[list[Case], list[BadModulus]]:
    """Return the products of a vector file, and its moduli that the core must refuse.

    Factors are reduced into [0, m). Powers are converted to Montgomery form, as in an
    exponentiation; all other numbers are used as in the file.
    """
    cases, refused = [], []
    for vector in vectors:
        m = vector.m
        statuses = modulus_statuses(m, core.bits)
        if statuses:
            refused.append(BadModulus(m, statuses))
            continue
        length = core.bits
        r_bits = core.r_bits(length)
        into = (1 << r_bits) if vector.power else 1
        x, y = vector.x * into % m, vector.y * into % m
        # The file's own number is the reference, converted from its radix to the core's. A number
        # that is not reduced in the file stays unreduced and fails.
        scale = pow(2, vector.r_bits - r_bits, m) * into * into % m
        z = vector.result * scale % m if 0 <= vector.result < m else vector.result
        cases.append(Case(Product(x, y, m, length), z))
    return cases, refused


def modulus_statuses(m: int, bits: int) -> tuple[Status, ...]:
    """Return the statuses with which a core of `bits` bits may refuse a modulus; empty if valid."""
    statuses = []
    if m % 2 == 0:
        statuses.append(Status.MODULUS_EVEN)
    if m == 1:
        statuses.append(Status.MODULUS_ONE)
    if m.bit_length() > bits:
        statuses.append(Status.MODULUS_LENGTH)
    return tuple(statuses)


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
