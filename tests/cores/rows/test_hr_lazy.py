# SPDX-License-Identifier: Apache-2.0
"""Lazy products of `hr`: their bounds, and their cycles."""

import random

import pytest

from montcore.cores.hr import RADICES, Hr
from montcore.model import row_high
from montcore.model.row_high import LIMIT, lazy_product
from montcore.modexp.design import ExponentiatorDesign
from montcore.verification.cases import edge_moduli
from montcore_lab.benches.slots import product_cycles

nightly = pytest.mark.nightly
every_radix = pytest.mark.parametrize("radix", RADICES)


def most(m: int) -> int:
    """Return the largest operand that is allowed."""
    return (m * LIMIT.numerator - 1) // LIMIT.denominator


def check_all_operands(radix: int, bits: int) -> int:
    """Check every product of a width; return the largest result in 24ths of its modulus."""
    n = -(-(bits + row_high.MARGIN) // radix)
    largest = 0
    for m in range(3, 1 << bits, 2):
        for x in range(most(m) + 1):
            for y in range(most(m) + 1):
                z = lazy_product(radix, n, x, y, m)
                assert 0 < z <= most(m), f"{x} * {y} mod {m}: {z}"
                assert (z << radix * n) % m == x * y % m
                if min(x, y) < m:
                    assert z < 2 * m
                largest = max(largest, 24 * z // m)
    return largest


#: What results of moduli of 5 and 6 bits exceed, in 24ths of m, by radix: with more bits per cycle
#: the quotient digits cover less of their range.
REACHED = {2: 36, 4: 36, 6: 32, 8: 31}


@pytest.mark.parametrize("widths", [(2, 3, 4), pytest.param((5, 6), marks=nightly)])
@every_radix
def test_all_lazy_operands_of_small_moduli_give_lazy_results(
    radix: int, widths: tuple[int, ...]
) -> None:
    # Above m: a result need not be canonical, but is a valid operand.
    reached = REACHED[radix] if max(widths) > 4 else 24
    assert max(check_all_operands(radix, bits) for bits in widths) > reached


@every_radix
def test_bounds_hold_in_chains_of_large_operands(radix: int) -> None:
    """Chains start with the largest allowed operands; results come near both bounds."""
    rng = random.Random(9)
    found = []
    for bits in (28, 60, 252):
        n = -(-(bits + row_high.MARGIN) // radix)
        for m in (*edge_moduli(bits, 16, rng), 3):
            for x, y in ((most(m), most(m)), (0, 0), (most(m), 1), (m, m), (m, most(m))):
                for _ in range(12):
                    x, y = lazy_product(radix, n, x, y, m), y
                    assert 9 * x > m and x <= most(m)
                    found.append(x / m)
    assert min(found) < 0.4 and max(found) > 1.35


@nightly
@pytest.mark.parametrize(("radix", "bits"), [(4, 64), (6, 100), (8, 256)])
def test_products_follow_each_other_at_the_cycles_of_the_model(radix: int, bits: int) -> None:
    core = Hr(bits=bits, radix=radix)
    sizes = core.sizes
    n = sizes.iterations(core.words(bits))
    assert product_cycles(ExponentiatorDesign(core)) == n + row_high.STAGES
    # Through the port, every result word waits for the sign before it is fed back.
    port = ExponentiatorDesign(core, lazy=False)
    assert product_cycles(port) == n + row_high.STAGES + core.words(bits)
