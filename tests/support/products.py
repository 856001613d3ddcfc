# SPDX-License-Identifier: Apache-2.0
"""Products that a core must multiply, and what is checked of each: the result and the cycles."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from montcore.cores.core import Core
from montcore.model.spec import montgomery_product, r_inverse
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.verification.cases import all_batches, edge_moduli, edge_operands, product_count

#: Widths of all products: small ones in every run, 7 and 8 bits in nightly tests.
SMALL_AND_8_BITS = pytest.mark.parametrize(
    "widths", [range(2, 7), pytest.param(range(7, 9), marks=pytest.mark.nightly)], ids=str
)


def dense_modulus(rng: random.Random, length: int) -> int:
    """Return a random odd modulus whose top bit is set."""
    return rng.getrandbits(length) | 1 | (1 << (length - 1))


def expected(core: Core, product: Product) -> int:
    """Return the result of a product."""
    return montgomery_product(product.x, product.y, product.m, core.r_bits(product.length))


def mixed(
    core: Core, w: int, lengths: Iterable[int], rng: random.Random, count: int
) -> list[Product]:
    """Return edge and random products at some lengths, `count` random ones for each modulus.

    The edges are those of words of `w` bits.
    """
    products = []
    for length in lengths:
        moduli = [*edge_moduli(length, w, rng)[:4], dense_modulus(rng, length)]
        for m in dict.fromkeys(moduli):
            pairs = edge_operands(m, core.r_bits(length), w, rng)
            pairs = rng.sample(pairs, min(len(pairs), count))
            pairs += [(rng.randrange(m), rng.randrange(m)) for _ in range(count)]
            products += [Product(x, y, m, length) for x, y in [*pairs, (m - 1, m - 1)]]
    return products


def check_stream(sim: Simulator, core: Core, products: Sequence[Product]) -> None:
    """Run products as a stream, and check the results alone."""
    for product, outcome in zip(products, sim.run(products, "stream"), strict=True):
        assert outcome.z == expected(core, product), f"{core.label()}: {product}: {outcome}"


def check(sim: Simulator, core: Core, products: Sequence[Product]) -> None:
    """Run products singly and as a stream: check all results, and the cycles by the formulas.

    The port takes one cycle more than the datapath.
    """
    for product, outcome in zip(products, sim.run(products, "single"), strict=True):
        assert outcome.z == expected(core, product), f"{core.label()}: {product}: {outcome}"
        cycles = core.core_cycles(product.length)
        assert (outcome.core_cycles, outcome.cycles) == (cycles, cycles + 1), f"{product}"
    seen: Counter[tuple[int, int]] = Counter()
    for product, outcome in zip(products, sim.run(products, "stream"), strict=True):
        assert outcome.z == expected(core, product), f"{core.label()}: {product}: {outcome}"
        if outcome.interval is not None:
            # The first interval of a modulus may be longer: the operands are still coming in.
            key = product.m, product.length
            seen[key] += 1
            limit = core.interval(product.length)
            assert outcome.interval == limit or seen[key] == 1, f"{core.label()}: {outcome}"


def check_all_products(sim: Simulator, core: Core, bits: int) -> None:
    """Check every x, y < m for every odd m < 2^bits, and that all take the same cycles."""
    batches = all_batches(bits)
    cycles = set()
    for batch, outcome in zip(batches, sim.run_array_batches(batches, "single"), strict=True):
        x, y = batch.operands()
        inverse = r_inverse(batch.m, core.r_bits(bits))
        right = x * y % np.uint64(batch.m) * np.uint64(inverse) % np.uint64(batch.m)
        wrong = np.flatnonzero((outcome.z != right) | (outcome.status != 0))
        assert not len(wrong), f"m = {batch.m}: {x[wrong[0]]} * {y[wrong[0]]}"
        assert (outcome.core_cycles == core.core_cycles(bits)).all()
        cycles |= set(outcome.cycles.tolist())
    assert len(cycles) == 1
    assert sum(batch.count for batch in batches) == product_count(bits)
