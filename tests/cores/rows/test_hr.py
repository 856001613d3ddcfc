# SPDX-License-Identifier: Apache-2.0
"""The carry-save row of radix 2^k (`hr`): results, cycles, the model and its bounds."""

import random

import pytest
from products import check, check_all_products, check_stream, mixed

from montcore.cores.hr import RADICES, Hr
from montcore.model import row_high, rows
from montcore.model.row_high import HighSizes
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.verification.cases import edge_moduli
from montcore.verification.run import verify

nightly = pytest.mark.nightly
every_radix = pytest.mark.parametrize("radix", RADICES)
#: One radix, whose build is shared, in every run.
first_radix = pytest.mark.parametrize(
    "radix", [4, *(pytest.param(radix, marks=nightly) for radix in RADICES if radix != 4)]
)

#: The narrowest words of each radix.
NARROWEST = {2: 16, 4: 16, 6: 32, 8: 32}


def small(radix: int, bits: int) -> Hr:
    return Hr(bits=bits, w=NARROWEST[radix], radix=radix)


@pytest.mark.parametrize("widths", [(3, 4), pytest.param((5, 6, 7, 8), marks=nightly)])
@first_radix
def test_all_products_of_small_moduli(radix: int, widths: tuple[int, ...]) -> None:
    core = small(radix, 3 * NARROWEST[radix])
    for bits in widths:
        check_all_products(Simulator(core), core, bits)


@every_radix
@nightly
def test_very_many_random_products(radix: int) -> None:
    for bits, count in ((128, 200_000), (1024, 10_000)):
        config = Hr(bits=bits, radix=radix)
        result = verify(config, random_count=count, seed=bits)
        assert result.checked >= count and result.failed == 0, result.failures[:1]


@first_radix
def test_edges_at_every_number_of_words(radix: int) -> None:
    """Fewer words at run time than built; single, back to back, and with gaps in every stream."""
    core, w = small(radix, 3 * NARROWEST[radix]), NARROWEST[radix]
    lengths = (2, w, w + 1, 3 * w - 1, 3 * w)
    products = mixed(core, w, lengths, random.Random(5), 10)
    check(Simulator(core, seed=3), core, products)
    check_stream(Simulator(core, gaps=True, seed=3), core, products)


def test_interval_is_that_of_the_iterations_from_a_few_words_on() -> None:
    """One simulator, several run-time lengths: with few words a product is run again."""
    rng = random.Random(6)
    core = small(2, 48)
    found = {}
    for words in (1, 2, 3):
        bits = core.w * words
        m = rng.getrandbits(bits) | 1 | 1 << (bits - 1)
        products = [Product(rng.randrange(m), rng.randrange(m), m, bits) for _ in range(20)]
        outcomes = Simulator(core).run(products, "stream")
        (found[words],) = {item.interval for item in outcomes[2:]}
        assert found[words] == core.interval(bits)
    iterations = {words: core.sizes.iterations(words) for words in found}
    assert found == {**iterations, 1: 2 * iterations[1]}


# ---- the model ---------------------------------------------------------------------------------


@every_radix
def test_results_of_operands_of_either_sign_are_operands_again(radix: int) -> None:
    """With R at least 16 times the words' range, numbers between -m and m map into themselves."""
    rng = random.Random(7)
    found = []
    for words in (1, 2):
        sizes = HighSizes(radix, NARROWEST[radix], words)
        k = sizes.w * words
        for m in (*edge_moduli(k - 1, 16, rng)[:4], *edge_moduli(k, 16, rng)[:4], 3):
            pairs = [(m - 1, m - 1), (1 - m, m - 1), (1 - m, 1 - m), (0, 1 - m), (1, m - 1)]
            pairs += [(rng.randrange(1 - m, m), rng.randrange(1 - m, m)) for _ in range(8)]
            for x, y in pairs:
                signed = row_high.signed_product(radix, sizes.iterations(words), x, y, m)
                assert signed * (1 << radix * sizes.iterations(words)) % m == x * y % m
                assert -m < signed < m
                found.append(signed / m)
    # The bounds are -2/3 and 1/3 plus the product's part, at most 1/16: both signs occur.
    assert min(found) < -0.5 and 0.3 < max(found) < 0.4


@every_radix
def test_scaled_modulus_is_small_and_right(radix: int) -> None:
    for m in (3, 5, 7, 139, (1 << 61) - 1, (1 << 64) - 59):
        n = row_high.scaled(m, radix)
        assert (n << 2 * radix) % m == 1 % m
        assert -2 * m < 3 * n <= m


@pytest.mark.parametrize("pairs", [1, 2, 4])
def test_digits_are_those_of_the_number(pairs: int) -> None:
    for value in range(4**pairs):
        digits, carry = row_high.quotient_digits(value, pairs)
        assert set(digits) <= {-2, -1, 0, 1}
        assert row_high.weigh(digits) + (carry << 2 * pairs) == value
    for value in range(-(4**pairs) // 3 + 1, 4**pairs // 2):
        digits = rows.recode(value, pairs)
        assert set(digits) <= {-1, 0, 1, 2} and row_high.weigh(digits) == value
    with pytest.raises(ValueError, match="do not suffice"):
        rows.recode(4**pairs - 1, pairs)
