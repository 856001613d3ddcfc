# SPDX-License-Identifier: Apache-2.0
"""The fast schedule of `smm`: results and cycles of the RTL against specification and model."""

import random
from functools import cache

import pytest
from products import SMALL_AND_8_BITS, check, check_all_products, check_stream, dense_modulus, mixed

from montcore.cores.smm import WORD_SIZES, Smm
from montcore.cores.technology import Tech
from montcore.model.smm import uncorrected_fast
from montcore.sim.build import RtlBuild
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.synth.fpga.ecp5 import ECP5

nightly = pytest.mark.nightly

#: The model of ECP5's multiplier.
(LATTICE,) = ECP5.headers


def simulator(config: Smm, *, tree: bool = False, gaps: bool = False) -> Simulator:
    """Return the simulation of a build; `tree` takes the explicit multiplier trees of ASICs."""
    parameters = {**config.sv_parameters(), "Tech": int(Tech.ASIC if tree else Tech.GENERIC)}
    rtl = RtlBuild(Smm.main_top(), tuple(Smm.sources()), parameters)
    return Simulator(config, gaps=gaps, seed=1, rtl=rtl)


@SMALL_AND_8_BITS
@pytest.mark.parametrize("tree", [False, True], ids=["inferred", "tree"])
@pytest.mark.parametrize(("built", "npe"), [(44, 1), (8, 1), (8, 2)])
@pytest.mark.one_in(12)
def test_all_products_of_small_moduli(built: int, npe: int, tree: bool, widths: range) -> None:
    """Of one and two words; built for more, the last digit comes from element 0."""
    config = Smm(bits=built, npe=npe, w=4)
    for bits in widths:
        check_all_products(simulator(config, tree=tree), config, bits)


@pytest.mark.parametrize("bits", range(2, 8))
@nightly
def test_all_products_of_builds_that_do_not_fill_their_words(bits: int) -> None:
    for npe in range(1, -(-bits // 4) + 1):
        config = Smm(bits=bits, npe=npe, w=4)
        check_all_products(simulator(config), config, bits)


#: Rare cases with 4-bit words, about one in ten thousand random products, as (length, x, y, m).
RARE = [
    # A word of T defers a carry of 4 to the pass of the last quotient digit.
    *((12, x, y, m) for x, y, m in ((3069, 2716, 3147), (3039, 3871, 3873), (3872, 3871, 3873))),
    *((16, x, y, m) for x, y, m in ((40687, 14719, 57921), (62192, 62185, 62193))),
    *((16, x, y, m) for x, y, m in ((63479, 64319, 64321), (56063, 52603, 65533))),
    *((20, x, y, m) for x, y, m in ((997152, 997146, 997153), (966143, 6557, 999201))),
    # S is below 2 M by less than the bit of 2 M that crosses from one slot into the next.
    *((12, x, y, m) for x, y, m in ((2730, 2725, 2731), (3276, 3276, 3277))),
    *((16, x, y, m) for x, y, m in ((49614, 51854, 51857), (37596, 37591, 37597))),
    *((16, x, y, m) for x, y, m in ((50412, 50404, 50413), (41034, 45018, 45019))),
    *((20, x, y, m) for x, y, m in ((952745, 962338, 962341), (957789, 964703, 964713))),
    *((20, x, y, m) for x, y, m in ((1009376, 1009366, 1009377), (793516, 793515, 793517))),
]


def rare(config: Smm) -> list[Product]:
    """Return the rare products that a build with words of 4 bits can take."""
    return [Product(x, y, m, length) for length, x, y, m in RARE if length <= config.bits]


@pytest.mark.parametrize(
    ("npe", "tree"), [(2, False), (1, False), (3, True), (4, False), (5, False)]
)
@pytest.mark.one_in(6)
def test_many_small_words(npe: int, tree: bool) -> None:
    """4-bit words: every carry occurs often, and every number of rows up to 5 is run."""
    rng = random.Random(npe)
    config = Smm(bits=20, npe=npe, w=4)
    products = mixed(config, config.w, range(2, 21), rng, 12)
    assert {config.rows(product.length) for product in products} == set(
        range(1, config.rows(20) + 1)
    )
    check(simulator(config, tree=tree), config, products + rare(config))


@pytest.mark.parametrize(("bits", "npe"), [(160, 1), (256, 8)])
@pytest.mark.one_in(2)
def test_elements_of_registered_dsp_blocks(bits: int, npe: int) -> None:
    """The ECP5 multipliers, with the model of the block: any run-time length."""
    config = Smm(bits=bits, npe=npe, w=32)
    parameters = {**config.sv_parameters(), "Tech": int(Tech.MULT18)}
    rtl = RtlBuild(Smm.main_top(), (LATTICE, *Smm.sources()), parameters)
    sim = Simulator(config, seed=1, rtl=rtl)
    check(sim, config, mixed(config, config.w, run_time_lengths(config), random.Random(bits), 8))


def test_many_rows_of_small_words() -> None:
    """Eleven rows: T and F live in memories; every number of rows is run."""
    config = Smm(bits=44, npe=1, w=4)
    products = mixed(config, config.w, range(2, 45), random.Random(44), 3)
    check(simulator(config), config, products + rare(config))


@pytest.mark.parametrize("npe", range(1, 6))
@pytest.mark.parametrize("tree", [False, True], ids=["inferred", "tree"])
@nightly
def test_very_many_products_of_small_words(npe: int, tree: bool) -> None:
    rng = random.Random(100 + npe)
    config = Smm(bits=20, npe=npe, w=4)
    check(simulator(config, tree=tree), config, mixed(config, config.w, range(2, 21), rng, 400))


#: Word counts even, odd and not a multiple of npe; one row, two, three and more; a word more than
#: a whole number of rows.
WIDE = [
    (136, 17, 8, False),
    (224, 5, 16, False),
    (96, 3, 32, True),
    (256, 4, 32, False),
    (521, 1, 32, False),
    (521, 6, 32, False),
    (384, 2, 64, False),
]


def run_time_lengths(config: Smm) -> list[int]:
    """Return the built length, one bit less, and the first and last of some numbers of rows."""
    rows = config.rows(config.bits)
    found = {config.bits, config.bits - 1, config.w, config.w + 1}
    for count in {1, 2, 3, 4, rows}:
        found.add(((count - 1) * config.npe + 1) * config.w)
        found.add(count * config.npe * config.w)
    return sorted(length for length in found if 2 <= length <= config.bits)


@pytest.mark.parametrize(("bits", "npe", "w", "tree"), WIDE)
@nightly  # every run has words of 32 bits with gaps and with the final subtractions
def test_wide_words(bits: int, npe: int, w: int, tree: bool) -> None:
    rng = random.Random(bits + npe)
    config = Smm(bits=bits, npe=npe, w=w)
    check(
        simulator(config, tree=tree),
        config,
        mixed(config, config.w, run_time_lengths(config), rng, 6),
    )


#: Every number of elements at the narrowest words, where carries meet most often; at wider ones the
#: smallest, which differ in the ends of the chain, and the largest. Each with either multiplier.
NPE_AND_WORDS = [
    (w, npe, tree)
    for w in WORD_SIZES
    for npe in (range(1, 18) if w == min(WORD_SIZES) else (1, 2, 3, 8, 17))
    for tree in (False, True)
]


@pytest.mark.parametrize(("w", "npe", "tree"), NPE_AND_WORDS)
@nightly
def test_every_npe_and_word_size(w: int, npe: int, tree: bool) -> None:
    rng = random.Random(1000 * w + npe)
    config = Smm(bits=w * (npe + npe // 2 + 1) - 1, npe=npe, w=w)
    products = mixed(config, config.w, run_time_lengths(config), rng, 8)
    check(simulator(config, tree=tree), config, products)


def test_gaps_and_back_pressure_change_no_result() -> None:
    rng = random.Random(7)
    for config in (Smm(bits=20, npe=2, w=4), Smm(bits=256, npe=8, w=32)):
        sim = simulator(config, gaps=True)
        products = mixed(config, config.w, run_time_lengths(config), rng, 8)
        check_stream(sim, config, products)


@cache
def subtraction_cases(w: int, words: int) -> dict[int, list[Product]]:
    """Return products by the number of final subtractions of M in the model.

    S comes near 3 M when the scaled modulus is near M (n0' = 2^w - 1, so M = 1 mod 2^w), and the
    top word of X, Y and the last digits are large.
    """
    rng = random.Random(w * words)
    length = w * words
    found: dict[int, list[Product]] = {0: [], 1: [], 2: []}
    for attempt in range(2000):
        m = (1 << length) - (1 << w) + 1 if attempt % 2 else dense_modulus(rng, length)
        top = m >> (length - w) << (length - w)
        x = (top + rng.getrandbits(length - w)) if words > 1 else rng.randrange(m)
        x, y = min(x, m - 1), m - 1 - rng.randrange(min(m, 16))
        cases = found[uncorrected_fast(w, words, x, y, m) // m]
        if len(cases) < 12:
            cases.append(Product(x, y, m, length))
        if all(len(cases) == 12 for cases in found.values()):
            break
    return found


@pytest.mark.parametrize(
    ("w", "words", "npe", "tree"), [(4, 5, 2, False), (4, 5, 5, True), (32, 8, 8, False)]
)
def test_final_subtraction_of_nothing_m_and_2m(w: int, words: int, npe: int, tree: bool) -> None:
    cases = subtraction_cases(w, words)
    counts = {times: len(found) for times, found in cases.items()}
    assert min(counts.values()) >= 5, f"subtractions: {counts}"
    config = Smm(bits=w * words, npe=npe, w=w)
    products = [product for found in cases.values() for product in found]
    check(simulator(config, tree=tree), config, products)


#: Latencies of the first four products of a stream by elements and words of 4 bits: cycles of the
#: datapath, and from the last beat of the operands; then the last one stays.
LATENCIES = {
    (1, 2): [(14, 15), (14, 23), (14, 29), (14, 29)],
    (1, 5): [(55, 56), (55, 102), (55, 113), (55, 113)],
    (2, 2): [(10, 11), (12, 18), (12, 25), (12, 27)],
    (2, 5): [(38, 39), (41, 64), (41, 70), (41, 70)],
    (5, 2): [(10, 11), (12, 18), (12, 25), (12, 27)],
    (5, 5): [(16, 17), (19, 24), (19, 28), (19, 30)],
}


@pytest.mark.parametrize(("npe", "words"), LATENCIES)
def test_latencies_of_a_stream_from_its_first_product_on(npe: int, words: int) -> None:
    """No formula gives those behind the first; they are the same for all numbers."""
    rng, length = random.Random(npe), 4 * words
    config = Smm(bits=44 if npe == 1 else 20, npe=npe, w=4)  # the builds of the tests above
    for m in (dense_modulus(rng, length), 3):
        products = [Product(rng.randrange(m), rng.randrange(m), m, length) for _ in range(8)]
        outcomes = simulator(config, tree=npe == 5).run(products, "stream")
        found = [(outcome.core_cycles, outcome.cycles) for outcome in outcomes]
        wanted = LATENCIES[npe, words]
        assert found == [*wanted, *wanted[-1:] * 4]
        intervals = [None, *[config.interval(length)] * 7]
        assert [outcome.interval for outcome in outcomes] == intervals


@pytest.mark.parametrize(("bits", "npe"), [(256, 8), (256, 4), (521, 1), (521, 17), (521, 6)])
@pytest.mark.one_in(5)
def test_the_multipliers_never_rest(bits: int, npe: int) -> None:
    """A product every 2 m r cycles, and from four rows on one more for the last digit."""
    config = Smm(bits=bits, npe=npe, w=32)
    m = (1 << bits) - 1
    rng = random.Random(bits)
    products = [Product(rng.randrange(m), rng.randrange(m), m, bits) for _ in range(20)]
    outcomes = simulator(config).run(products, "stream")
    words, rows = config.words(bits), config.rows(bits)
    digit = int(config.shares)
    assert {outcome.interval for outcome in outcomes[2:]} == {2 * words * rows + digit}
    if words % npe == 0:
        assert config.word_products(bits) == npe * 2 * words * rows
