# SPDX-License-Identifier: Apache-2.0
"""`dsp`: results and cycles of the RTL against specification, model and the paper's arithmetic."""

import random
from collections.abc import Iterable, Sequence

import pytest
from products import check_all_products, expected, mixed

from montcore.cores.dsp import Clocking, Dsp
from montcore.model import dsp as model
from montcore.model.spec import montgomery_product
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore_lab.papers.dsp2007 import published as dsp2007

nightly = pytest.mark.nightly


def products_at(config: Dsp, lengths: Iterable[int], count: int) -> list[Product]:
    """Return edge and random products at some run-time lengths."""
    return mixed(config, 17, lengths, random.Random(repr(config)), count)


def check(config: Dsp, products: Sequence[Product], *, gaps: bool = False) -> None:
    """Run products singly and as a stream: right results, and the model's cycles without gaps."""
    sim = Simulator(config, gaps=gaps, seed=3)
    for product, outcome in zip(products, sim.run(products), strict=True):
        wanted = config.run_model(product.x, product.y, product.m, product.length)
        assert wanted.z == expected(config, product)
        assert outcome.z == wanted.z, f"{config.label()}: {product}: {outcome}"
        if not gaps:
            assert (outcome.core_cycles, outcome.cycles) == (wanted.core_cycles, wanted.cycles)
    for product, outcome in zip(products, sim.run(products, "stream"), strict=True):
        assert outcome.z == expected(config, product)
        if outcome.interval is not None and not gaps:
            assert outcome.interval == config.interval(product.length)


@pytest.mark.parametrize("alpha", [1, 2])
@pytest.mark.parametrize("bits", [4, *(pytest.param(n, marks=nightly) for n in (6, 8))])
@pytest.mark.one_in(12)
def test_all_products_of_a_small_width(alpha: int, bits: int) -> None:
    core = Dsp(bits=32, alpha=alpha)  # one of the builds below
    check_all_products(Simulator(core), core, bits)


@pytest.mark.parametrize("built", [1024, pytest.param(2048, marks=nightly)])
def test_one_build_multiplies_at_each_length_of_the_paper_and_others(built: int) -> None:
    config = Dsp(bits=built)
    lengths = *dsp2007.LENGTHS, 32, 33, 64, 544, 545, 1023, 1100, 1500, 2047
    check(config, products_at(config, [length for length in lengths if length <= built], 1))


@pytest.mark.parametrize(
    ("x", "y"), [(0x3BE2A176, 0x5F860019), (0xB734B980, 0x2CC3DEF2), (0x320DB082, 0xB4DA1555)]
)
def test_product_whose_lowest_word_is_zero_is_reduced_too(x: int, y: int) -> None:
    config, m = Dsp(bits=32, alpha=1), 0xC0FFEE11
    lazy = model.product(y, x, m, config.sizes(32).digits)
    assert lazy > 0 and lazy & model.MASK == 0
    check(config, [Product(x, y, m, 32), Product(y, x, m, 32)])


def test_gaps_and_back_pressure_change_no_result() -> None:
    config = Dsp(bits=1024)
    check(config, products_at(config, (512, 96), 3), gaps=True)


@nightly  # every run has rows of one block and of 17
@pytest.mark.parametrize(("alpha", "bits"), [(5, 256), (1, 130)])
def test_rows_of_other_sizes(alpha: int, bits: int) -> None:
    config = Dsp(bits=bits, alpha=alpha)
    check(config, products_at(config, (bits, 64, 32), 4))


@nightly
@pytest.mark.parametrize("alpha", [1, 2, 3, 4, 6, 7, 9, 13, 17, 34])
@pytest.mark.parametrize("bits", [2, 31, 65, 256, 521, 543])
def test_rows_and_widths_of_all_sorts(alpha: int, bits: int) -> None:
    config = Dsp(bits=bits, alpha=alpha)
    lengths = {bits, *(length for length in range(32, bits, 32))}
    check(config, products_at(config, sorted(lengths), 6))


@pytest.mark.nightly  # every run has two clocks in test_sim_sequences.py
def test_two_clocks_multiply_in_half_the_cycles() -> None:
    config = Dsp(bits=512, clocking=Clocking.DOUBLE)
    check(config, products_at(config, (512, 500, 256, 32), 2))
    check(config, products_at(config, (512,), 2), gaps=True)


@pytest.mark.parametrize(
    ("alpha", "clocking"),
    [(16, Clocking.DOUBLE), (16, Clocking.SINGLE), (17, Clocking.DOUBLE), (31, Clocking.DOUBLE)],
)
@nightly  # every run has these lengths with one clock, and 512 bits with two
def test_products_overlap_at_each_length_of_the_paper(alpha: int, clocking: Clocking) -> None:
    config = Dsp(bits=2048, alpha=alpha, clocking=clocking)
    check(config, products_at(config, dsp2007.LENGTHS, 2))


@pytest.mark.nightly
def test_most_blocks_and_pauses_do_not_let_the_row_overtake_its_operands() -> None:
    # 33 pairs of words have two pauses, of which half-iterations of one cycle hide none.
    config = Dsp(bits=1088, alpha=40)
    assert config.sizes(1088).half == 1 and config.sizes(1088).pairs > 32
    check(config, products_at(config, (1088, 544, 64), 2))


@pytest.mark.parametrize(
    ("alpha", "bits", "least"),
    [(16, 1024, 0.98), (16, 1536, 0.96), (16, 2048, 0.96), (17, 1024, 0.92), (5, 256, 0.90)],
)
def test_blocks_are_busy_with_independent_products(alpha: int, bits: int, least: float) -> None:
    size = model.sizes(bits, alpha)
    n, r = size.digits, 2 * size.half
    assert size.free_interval == n * r
    assert n**2 / (alpha * size.free_interval) >= least
    assert model.port_cycles(size, double=True).interval <= (n + 4) * r
    assert model.port_cycles(size, double=False).interval <= 2 * (n + 4) * r


def test_cycles_are_not_above_those_of_the_paper() -> None:
    for row in dsp2007.ROWS:
        size = model.sizes(row.bits, dsp2007.BLOCKS)
        assert (size.digits, 2 * size.half) == (row.digits, row.words_per_block)
        assert size.row_cycles <= row.first_output
        assert size.interval <= row.interval
        # The paper's own table follows from its formulas.
        assert 0.99 * row.worst_case < row.products * row.interval <= row.worst_case


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("bits", [2, 64, 128, 256, 521, 1024, 2048, 4096])
def test_no_point_of_the_sweep_has_blocks_that_save_no_cycle(bits: int, full: bool) -> None:
    # With 9 blocks 256 bits take as long as with 5, and with 17 as long as with 10.
    points = Dsp.points(bits, full)
    assert {config.alpha for config in points} >= ({5, 10} if bits == 256 else set())
    for config in points:
        shorter = [
            Dsp(bits=bits, alpha=blocks).sizes(bits).row_cycles for blocks in range(1, config.alpha)
        ]
        assert all(cycles > config.sizes(bits).row_cycles for cycles in shorter), config.alpha


@pytest.mark.parametrize("bits", [510, 512, 526, 527, 543, 1024, 2048])
def test_lazy_results_stay_below_twice_the_scaled_modulus(bits: int) -> None:
    """Worst case of the bound that allows chained products without reduction."""
    rng = random.Random(bits)
    size = model.sizes(bits, 17)
    for m in ((1 << bits) - 1, rng.getrandbits(bits) | 1, 3):
        scaled = pow(-m, -1, 1 << 34) * m
        a = b = 2 * scaled - 1
        for _ in range(3):
            row = model.DspRow()
            z = model.product(a, b, m, size.digits, row)
            assert z < 2 * scaled < 1 << (17 * size.digits - 1)
            assert z % m == montgomery_product(a % m, b % m, m, 17 * size.digits)
            assert row.digits[0] == row.sums[0] & model.MASK
            assert max(row.sums) < 1 << (17 * 2 * size.half * 17)
            a = b = z
