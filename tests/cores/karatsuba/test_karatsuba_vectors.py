# SPDX-License-Identifier: Apache-2.0
"""`karatsuba`: products of public vector files, through the RTL."""

import random

import pytest
from test_karatsuba import check, simulator

from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore.cores.technology import Tech
from montcore.sim.types import Product
from montcore.support.paths import VECTORS_DIR
from montcore.verification.cases import edge_operands, vector_cases
from montcore.verification.vectors import read_curves, read_products

nightly = pytest.mark.nightly

# Depth, schedule, tech.
FAST = (1, KaratsubaSchedule.FAST, Tech.GENERIC)
PAPER = (1, KaratsubaSchedule.PAPER, Tech.DSP48E)
DEEP = (2, KaratsubaSchedule.PAPER, Tech.DSP48E1)
TREE = (1, KaratsubaSchedule.FAST, Tech.ASIC)


@pytest.mark.parametrize(
    ("depth", "schedule", "tech"),
    [FAST, PAPER, pytest.param(*DEEP, marks=nightly), pytest.param(*TREE, marks=nightly)],
)
def test_boringssl_in_the_montgomery_domain(
    depth: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    """R = 2^256 at 256 bits: the file's numbers are used unchanged."""
    config = Karatsuba(bits=256, depth=depth, schedule=schedule)
    vectors = read_products(VECTORS_DIR / "boringssl-p256-montgomery.txt")
    assert len(vectors) == 57 and {vector.r_bits for vector in vectors} == {256}
    assert config.r_bits(256) == 256
    outcomes = simulator(config, tech).run([Product(v.x, v.y, v.m, 256) for v in vectors])
    for vector, outcome in zip(vectors, outcomes, strict=True):
        assert outcome.z == vector.result, f"line {vector.line}"


@pytest.mark.parametrize(
    ("bits", "count", "depth", "schedule", "tech"),
    [
        (256, 100, *FAST),
        (256, 100, *PAPER),
        pytest.param(1024, 200, *FAST, marks=nightly),
        pytest.param(1024, 200, *PAPER, marks=nightly),
        pytest.param(512, 100, *DEEP, marks=nightly),
    ],
)
def test_openssl_products(
    bits: int, count: int, depth: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    """Plain products, x R and y in, x y mod m out; an even modulus is refused."""
    config = Karatsuba(bits=bits, depth=depth, schedule=schedule)
    vectors = read_products(VECTORS_DIR / "openssl-bnmod.txt")
    vectors = [vector for vector in vectors if vector.kind == "ModMul"]
    cases, refused = vector_cases(config, vectors)
    assert len(cases) + len(refused) == 400 and len(cases) == count
    sim = simulator(config, tech)
    for case, outcome in zip(cases, sim.run([case.product for case in cases]), strict=True):
        assert outcome.z == case.z, f"{case}"
    refused = [bad for bad in refused if bad.m < 1 << bits]
    for bad, outcome in zip(
        refused, sim.run([Product(0, 0, bad.m, bits) for bad in refused]), strict=True
    ):
        assert outcome.error in bad.statuses, f"{bad}: {outcome}"


@pytest.mark.parametrize(
    ("bits", "moduli", "depth", "schedule", "tech"),
    [
        (256, 40, *FAST),
        pytest.param(521, 50, *FAST, marks=nightly),
        pytest.param(521, 50, *PAPER, marks=nightly),
        pytest.param(521, 50, *DEEP, marks=nightly),
        pytest.param(384, 46, *FAST, marks=nightly),
        pytest.param(384, 46, *PAPER, marks=nightly),
        pytest.param(512, 48, *FAST, marks=nightly),
        pytest.param(512, 48, *PAPER, marks=nightly),
        pytest.param(512, 48, *DEEP, marks=nightly),
    ],
)
def test_primes_and_orders_of_25_curves(
    bits: int, moduli: int, depth: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    """Each at its own length, as far as the built width goes; 521 bits are padded to 524 or 528."""
    rng = random.Random(25)
    config = Karatsuba(bits=bits, depth=depth, schedule=schedule)
    curves = read_curves(VECTORS_DIR / "prime-curves.txt").values()
    found = [m for curve in curves for m in (curve.p, curve.n) if m < 1 << bits]
    assert len(found) == moduli
    products = []
    for m in found:
        pairs = edge_operands(m, config.r_bits(m.bit_length()), config.half, rng)
        products += [Product(x, y, m, m.bit_length()) for x, y in rng.sample(pairs, 6)]
    check(simulator(config, tech), config, products)
