# SPDX-License-Identifier: Apache-2.0
"""The digit-serial rows (`mx`, `cs`, `op`, `cs4`, `rc`) and the array: results, cycles, outputs."""

import random
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from icarus import run_bench
from products import SMALL_AND_8_BITS, check_all_products

from montcore.cores import all_cores, get_core
from montcore.cores.row import WORD_SIZES, RowCore
from montcore.cores.row_array import ArrayCore
from montcore.model import rows
from montcore.model.spec import montgomery_product
from montcore.sim.build import RtlBuild
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.support.errors import CheckFailedError
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.yosys import run_yosys
from montcore.verification.cases import edge_moduli, edge_operands
from montcore.verification.run import verify
from montcore_lab.lint import rtl as lint_rtl
from montcore_lab.pages import reservation
from montcore_lab.papers.base import throughput
from montcore_lab.papers.mx2006 import published as mx2006

nightly = pytest.mark.nightly

CORES = [core for core in all_cores().values() if issubclass(core, RowCore)]


@dataclass(frozen=True)
class RowCase:
    """A core in one shape."""

    core: type[RowCore]
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return " ".join([self.core.name, *self.settings.values()])

    @property
    def w(self) -> int:
        """The smallest word size."""
        return int(self.core.allowed()["w"].values[0])

    @property
    def words(self) -> int:
        """Words of the edge build; an array has just a first, a middle and a last one."""
        return 3 if self.settings else 5

    def built(self, bits: int, w: int) -> RowCore:
        return self.core.configure({**self.settings, "w": str(w)}, bits)


ROWS = [
    RowCase(core, settings)
    for core in CORES
    for settings in ([{}, {"shape": "2d"}] if issubclass(core, ArrayCore) else [{}])
]
ARRAYS = [row.core for row in ROWS if row.settings]
every_array = pytest.mark.parametrize("core", ARRAYS, ids=[core.name for core in ARRAYS])
every_row = pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])


def test_the_algorithms_and_the_arrays_are_registered() -> None:
    assert {"mx", "mx 2d", "cs", "cs 2d", "op", "op 2d", "cs4", "rc"} <= {row.name for row in ROWS}


@SMALL_AND_8_BITS
@every_row
@pytest.mark.one_in(16)
def test_all_products_of_small_moduli(row: RowCase, widths: range) -> None:
    core = row.built(8 if row.settings else row.words * row.w, row.w)  # that of the edges
    for bits in widths:
        check_all_products(Simulator(core), core, bits)


@every_row
@nightly
def test_very_many_random_products(row: RowCase) -> None:
    """A million products of 128 bits and ten thousand of 1024; an array streams its million."""
    if row.settings.get("shape") == "2d":
        for seed in range(20):
            check_sustained(row.core, {}, 128, 50_000, seed)
        return
    for bits, count in ((128, 1_000_000), (1024, 10_000)):
        result = verify(row.built(bits, 32), random_count=count, seed=bits)
        assert result.checked >= count and result.failed == 0, result.failures[:1]


@every_row
@pytest.mark.one_in(12)
def test_edges_at_every_number_of_words(row: RowCase) -> None:
    """Several words, fewer at run time than built, single and back to back, also with gaps."""
    rng = random.Random(5)
    w, words = row.w, row.words
    core = row.built(words * w, w)
    products = []
    for length in (2, w - 1, w, w + 1, (words - 1) * w, words * w - 1, words * w):
        for m in edge_moduli(length, w, rng)[:6]:
            pairs = edge_operands(m, core.r_bits(length), w, rng)
            products += [
                Product(x, y, m, length) for x, y in rng.sample(pairs, min(12, len(pairs)))
            ]
    for mode, gaps in (("single", False), ("stream", False), ("stream", True)):
        simulator = Simulator(core, gaps=gaps, seed=3)
        outcomes = simulator.run(products, "single" if mode == "single" else "stream")
        for product, outcome in zip(products, outcomes, strict=True):
            r_bits = core.r_bits(product.length)
            z = montgomery_product(product.x, product.y, product.m, r_bits)
            assert outcome.z == z, f"{mode} {product}: {outcome}"
            if mode == "single":
                assert outcome.core_cycles == core.core_cycles(product.length)
                model = core.run_model(product.x, product.y, product.m, product.length)
                assert outcome.cycles == model.cycles and outcome.core_cycles == model.core_cycles
            elif not gaps and outcome.interval is not None:
                # The first interval of a modulus may be longer: operands are still coming in.
                assert outcome.interval >= core.interval(product.length)


@every_row
@pytest.mark.one_in(8)  # every run has a product every cycle of an array below
def test_rows_never_rest_between_products(row: RowCase) -> None:
    rng = random.Random(6)
    w = row.w
    core = row.built(row.words * w, w)
    for words in (1, 2, row.words):
        m = rng.getrandbits(w * words) | 1 | 1 << (w * words - 1)
        products = [Product(rng.randrange(m), rng.randrange(m), m, w * words) for _ in range(99)]
        outcomes = Simulator(core).run(products, "stream")
        assert {item.interval for item in outcomes[2:]} == {core.interval(w * words)}


@pytest.mark.parametrize("bits", [64, pytest.param(1024, marks=nightly)])
def test_mx_takes_at_most_two_cycles_a_bit_and_the_conversion(bits: int) -> None:
    """The paper's own point: 1024 bits in 2 (k + 2) cycles, then the conversion."""
    config, rng = all_cores()["mx"].configure({}, bits), random.Random(7)
    m = rng.getrandbits(bits) | 1 | 1 << (bits - 1)
    products = [Product(rng.randrange(m), rng.randrange(m), m, bits) for _ in range(4)]
    outcomes = Simulator(config).run(products, "stream")
    assert {item.interval for item in outcomes[2:]} == {2 * (bits + 2)}
    for product, outcome in zip(products, outcomes, strict=True):
        assert outcome.z == montgomery_product(product.x, product.y, m, bits + 2)
        assert outcome.core_cycles == 2 * (bits + 2) + bits // 32 + 4


@every_array
@nightly
def test_array_takes_a_product_every_one_or_two_cycles_at_256_bits(core: type[RowCore]) -> None:
    """Far more products than are in progress at a time, each of them checked."""
    check_sustained(core, {}, 256, 2000)


@every_array
@pytest.mark.one_in(3)
def test_array_takes_a_product_every_one_or_two_cycles(core: type[RowCore]) -> None:
    """Two in Design 1 of the paper, one in its rivals; the build is that of the sequences."""
    check_sustained(core, {"w": "8"}, 24, 400)


def check_sustained(
    core: type[RowCore], settings: dict[str, str], bits: int, count: int, seed: int = 1
) -> None:
    config = core.configure({"shape": "2d", **settings}, bits)
    rng = random.Random(seed)
    m = rng.getrandbits(bits) | 1 | 1 << (bits - 1)
    products = [Product(rng.randrange(m), rng.randrange(m), m, bits) for _ in range(count)]
    sim = Simulator(config, rtl=replace(RtlBuild.of_core(config), savable=True))
    if bits == 24:
        check_all_products(sim, config, 5)
    outcomes = sim.run(products, "stream")
    # The simulation passes its products in portions, between which there is no interval.
    interval = {"mx": 2, "cs": 1, "op": 1}[core.name]
    assert {item.interval for item in outcomes[1:]} - {None} == {interval}
    assert sum(item.interval is None for item in outcomes[1:]) <= count // 8192
    for product, outcome in zip(products, outcomes, strict=True):
        assert outcome.z == montgomery_product(product.x, product.y, m, bits + 2)


# ---- the model ----------------------------------------------------------------------------------


def test_model_keeps_below_2m_with_operands_below_2m() -> None:
    """The corrected Algorithm 3: k + 2 iterations, no final subtraction between products."""
    rng = random.Random(8)
    for words in (1, 3):
        k = 8 * words
        for m in (*edge_moduli(k - 1, 8, rng), *edge_moduli(k, 8, rng)):
            for x, y in ((2 * m - 1, 2 * m - 1), (m, 2 * m - 1), (0, 2 * m - 1)):
                lazy = rows.uncorrected(rows.MX, x, y, m, k + 2)
                assert lazy < 2 * m and lazy * (1 << (k + 2)) % m == x * y % m


@pytest.mark.parametrize("digits", [1, 2, 5])
def test_recoded_digits_are_those_of_the_number(digits: int) -> None:
    for x in range(4 ** (digits - 1)):
        found = rows.recode(x, digits)
        assert set(found) <= {-1, 0, 1, 2} and len(found) == digits
        assert sum(digit << 2 * i for i, digit in enumerate(found)) == x
    with pytest.raises(ValueError, match="do not suffice"):
        rows.recode(4**digits - 1, digits)


def test_model_of_cs4_keeps_between_a_third_of_minus_m_and_m() -> None:
    """Both ends of the range are nearly reached: one correction is necessary and sufficient."""
    rng = random.Random(10)
    found = []
    for words in (1, 3):
        k = 16 * words
        for m in (*edge_moduli(k - 1, 16, rng), *edge_moduli(k, 16, rng)):
            pairs = [(m - 1, m - 1), (1, m - 1), (0, m - 1), (m // 3, m // 3)]
            pairs += [(rng.randrange(m), rng.randrange(m)) for _ in range(40)]
            for x, y in pairs:
                signed = rows.uncorrected(rows.CS4, x, y, m, k + 2)
                assert signed * (1 << (k + 2)) % m == x * y % m
                assert -m < 3 * signed and 12 * signed < 11 * m
                found.append(signed / m)
    assert min(found) < -0.32 and max(found) > 0.75


@every_array
@pytest.mark.parametrize("bits", [8, 21, pytest.param(64, marks=nightly)])
@pytest.mark.one_in(2)
def test_array_is_clean_for_verilator_and_icarus(core: type[RowCore], bits: int) -> None:
    """With the narrowest words; the source checks have wider arrays (20 and 72 bits)."""
    built = core.configure({"shape": "2d", "w": "8"}, bits)
    parameters = built.sv_parameters()
    assert not lint_rtl.verilator(built.top, built.sources(), parameters)
    assert not lint_rtl.icarus(built.top, built.sources(), parameters)


def test_every_word_size_is_offered() -> None:
    assert {int(w) for core in CORES for w in core.allowed()["w"].values} == set(WORD_SIZES)
    assert all(Path(source).exists() for core in CORES for source in core.sources())


# ---- the paper's figures -----------------------------------------------------------------------


def test_throughput_of_the_papers_table_follows_from_its_clock() -> None:
    """A bit every two cycles for Design 2, every cycle for Optimized, to the paper's rounding."""
    for name, per_bit in (("Design 2", 2), ("Optimized", 1)):
        (row,) = (row for row in mx2006.TABLE_1 if row.name == name)
        bits = mx2006.TABLE_1_BITS
        assert row.mbit_per_s == pytest.approx(throughput(bits, per_bit * bits, row.mhz), abs=0.11)


def test_the_papers_architectures_are_our_cores() -> None:
    names = {row.core for row in (*mx2006.TABLE_1, *mx2006.TABLE_2) if row.core}
    assert names <= {core.name for core in CORES}


def test_reservation_table_is_that_of_the_paper() -> None:
    """Figure 3(b): row i begins product p in cycle 2 (i + p), for two cycles."""
    pairs = reservation.operands()
    cycles = reservation.simulate(pairs)
    cells, done = reservation.table(cycles, pairs)
    expected = {
        (row, 2 * (row + product) + half): (product, half)
        for row in range(reservation.ROWS)
        for product in range(len(pairs))
        for half in (0, 1)
    }
    assert reservation.ROWS == 10
    assert cells == {key: value for key, value in expected.items() if key[1] <= done}
    # The table comes from the registers, not from their expected values.
    with pytest.raises(CheckFailedError, match="row 0"):
        reservation.table(cycles, [*pairs[:3], (1, 1), *pairs[4:]])


BUILDS = [
    *(("cs", 64, "w=8"), ("cs4", 64, "w=16"), ("op", 64, "w=8"), ("rc", 64, "w=8")),
    *(("mx", 64, "w=8"), ("hr", 128, "w=16 radix=4"), ("hr", 256, "w=32 radix=8")),
    *(("mx", 16, "w=16"), ("hr", 16, "w=16 radix=4")),
]


@pytest.mark.parametrize(("name", "bits", "settings"), BUILDS)
@pytest.mark.one_in(8)
def test_the_result_stream_comes_from_registers(
    name: str, bits: int, settings: str, tmp_path: Path
) -> None:
    core = get_core(name).configure(dict(item.split("=") for item in settings.split()), bits)
    values = " ".join(f"-G {key}={value}" for key, value in core.sv_parameters().items())
    files = " ".join(str(path) for path in core.sources())
    commands = [
        f"read_slang {values} --top {core.top} {files}",
        f"prep -flatten -top {core.top}",
        # Two steps, since the port may be another name of the register.
        "select -set drivers o:z_* %ci2 c:* %i o:core_done_o %ci2 c:* %i %u",
        "select -assert-min 4 @drivers",
        "select -assert-none @drivers t:$*dff* %d",
    ]
    run_yosys(commands, tmp_path, "outputs", DEFAULT_OPTIONS)


@pytest.mark.nightly  # every run has random sequences with a consumer that waits
@pytest.mark.parametrize("name", ["mx", "op"])
def test_array_waits_for_its_consumer(tmp_path: Path, name: str) -> None:
    core = get_core(name)
    run_bench(tmp_path, "row_array_queue", core.configure({"w": "8", "shape": "2d"}, 16))
