# SPDX-License-Identifier: Apache-2.0
"""Published products, and the primes and orders of published curves, on every core."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from products import check_stream, expected

from montcore.bundle.styles import port, targets
from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.support.paths import VECTORS_DIR
from montcore.verification.cases import edge_operands
from montcore.verification.run import verify
from montcore.verification.vectors import read_curves, read_products


def builds(*widths: int) -> Iterator[Any]:
    """Yield every style of every core; all but the first of a core at the first width nightly."""
    for core in all_cores().values():
        for bits in (width for width in widths if width <= core.widths()[1]):
            for number, style in enumerate(core.styles(bits)):
                array = style.settings().get("shape") == "2d"
                if array and bits > widths[0]:
                    continue  # its size grows with the square of the width
                marks = [pytest.mark.nightly] if number or bits > widths[0] else []
                yield pytest.param(style, id=f"{core.name} {style.label()}", marks=marks)


@pytest.mark.parametrize("core", list(builds(256, 1024)))
@pytest.mark.one_in(99)
def test_products_of_boringssl_and_openssl_are_right(core: Core) -> None:
    """In the Montgomery domain and plain ones; even moduli, and those too long, are refused."""
    found = verify(core, vectors="boringssl-p256-montgomery")
    assert (found.checked, found.failed, found.rejected) == (57, 0, 0)
    found = verify(core, vectors="openssl-bnmod")
    assert found.failed == 0, found.failures[:1]
    assert found.checked + found.rejected == 297 and found.checked > 140


def styled() -> Iterator[Any]:
    """Yield the builds of other technologies than simulation; one of DSP blocks in every run."""
    for name in ("karatsuba", "smm"):
        for style in get_core(name).styles(256):
            for target in targets(style)[1:]:
                daily = (style.settings().get("element"), target) == ("paper", "xc5v")
                marks = [] if daily else [pytest.mark.nightly]
                yield pytest.param(
                    style, target, id=f"{name} {style.label()} {target}", marks=marks
                )


@pytest.mark.parametrize(("core", "target"), list(styled()))
def test_products_of_boringssl_are_right_in_the_style_of_a_technology(
    core: Core, target: str
) -> None:
    vectors = read_products(VECTORS_DIR / "boringssl-p256-montgomery.txt")
    products = [Product(vector.x, vector.y, vector.m, 256) for vector in vectors]
    outcomes = Simulator(core, rtl=port(core, target).rtl).run(products, "stream")
    for vector, product, outcome in zip(vectors, products, outcomes, strict=True):
        assert outcome.z == expected(core, product), f"line {vector.line}"
        assert core.r_bits(256) != vector.r_bits or outcome.z == vector.result


@pytest.mark.parametrize("core", list(builds(256, 521)))
@pytest.mark.one_in(99)
def test_primes_and_orders_of_25_curves_are_moduli(core: Core) -> None:
    """Each at its own length; an order may be one bit longer than its prime."""
    rng = random.Random(25)
    curves = read_curves(VECTORS_DIR / "prime-curves.txt").values()
    moduli = [m for curve in curves for m in (curve.p, curve.n) if m < 1 << core.bits]
    assert len(moduli) == (40 if core.bits == 256 else 50)
    products = []
    for m in moduli:
        pairs = edge_operands(m, core.r_bits(m.bit_length()), core.bus_width, rng)
        products += [Product(x, y, m, m.bit_length()) for x, y in rng.sample(pairs, 6)]
    check_stream(Simulator(core), core, products)
