# SPDX-License-Identifier: Apache-2.0
"""The digit-serial rows of mmm-mx-2006 (`mx`, `cs`, `op`): results, cycles, registers, refusals."""

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from montcore.cases import edge_moduli, edge_operands, vector_cases
from montcore.cores import all_cores
from montcore.cores._rows import WORD_SIZES, RowConfig, RowCore
from montcore.cores.base import AnyCore
from montcore.errors import RequestError
from montcore.exhaustive import all_batches, product_count
from montcore.model import rows
from montcore.model.spec import montgomery_product, r_inverse
from montcore.papers import mx2006
from montcore.paths import VECTORS_DIR
from montcore.sim import Product, Simulator
from montcore.sim.build import verilator_root
from montcore.vectors import read_products
from montcore.verify import verify

nightly = pytest.mark.nightly

CORES = [core for core in all_cores().values() if isinstance(core, RowCore)]
every_row = pytest.mark.parametrize("core", CORES, ids=[core.name for core in CORES])


def test_the_three_algorithms_are_registered() -> None:
    assert {"mx", "cs", "op"} <= {core.name for core in CORES}


def smallest(core: RowCore) -> int:
    return min(core.word_sizes)


def check_all_products(core: RowCore, built: int, bits: int) -> None:
    config = core.config_type(bits=built, w=smallest(core))
    batches = all_batches(bits)
    simulator = Simulator(core, config)
    for batch, outcome in zip(batches, simulator.run_array_batches(batches, "single"), strict=True):
        x, y = batch.operands()
        inverse = r_inverse(batch.m, core.r_bits(config, bits))
        right = x * y % np.uint64(batch.m) * np.uint64(inverse) % np.uint64(batch.m)
        wrong = np.flatnonzero((outcome.z != right) | (outcome.status != 0))
        assert not len(wrong), f"m = {batch.m}: {x[wrong[0]]} * {y[wrong[0]]}"
        assert (outcome.core_cycles == core.core_cycles(config, bits)).all()
    assert sum(batch.count for batch in batches) == product_count(bits)


@every_row
def test_all_products_of_small_moduli(core: RowCore) -> None:
    for bits in range(3, 7):
        check_all_products(core, 8, bits)


@every_row
@nightly
def test_all_products_of_moduli_up_to_8_bits(core: RowCore) -> None:
    for bits in (7, 8):
        check_all_products(core, 8, bits)


@every_row
@nightly
def test_very_many_random_products(core: RowCore) -> None:
    """A million products of 128 bits and ten thousand of 1024."""
    for bits, count in ((128, 1_000_000), (1024, 10_000)):
        result = verify(core, core.config_type(bits=bits, w=32), random_count=count, seed=bits)
        assert result.checked >= count and result.failed == 0, result.failures[:1]


@every_row
def test_edges_at_every_number_of_words(core: RowCore) -> None:
    """Several words, fewer at run time than built, single and back to back, also with gaps."""
    rng = random.Random(5)
    w = smallest(core)
    config = core.config_type(bits=5 * w, w=w)
    products = []
    for length in (2, w - 1, w, w + 1, 3 * w, 5 * w - 1, 5 * w):
        for m in edge_moduli(length, w, rng)[:6]:
            pairs = edge_operands(m, core.r_bits(config, length), w, rng)
            products += [
                Product(x, y, m, length) for x, y in rng.sample(pairs, min(12, len(pairs)))
            ]
    for mode, gaps in (("single", False), ("stream", False), ("stream", True)):
        simulator = Simulator(core, config, gaps=gaps, seed=3)
        outcomes = simulator.run(products, "single" if mode == "single" else "stream")
        for product, outcome in zip(products, outcomes, strict=True):
            r_bits = core.r_bits(config, product.length)
            z = montgomery_product(product.x, product.y, product.m, r_bits)
            assert outcome.z == z, f"{mode} {product}: {outcome}"
            if mode == "single":
                assert outcome.core_cycles == core.core_cycles(config, product.length)
                assert outcome.cycles == outcome.core_cycles + 2
            elif not gaps and outcome.interval is not None:
                # The first interval of a modulus may be longer: operands are still coming in.
                assert outcome.interval >= core.interval(config, product.length)


@every_row
def test_rows_never_rest_between_products(core: RowCore) -> None:
    rng = random.Random(6)
    w = smallest(core)
    config = core.config_type(bits=5 * w, w=w)
    for words in (1, 2, 5):
        m = rng.getrandbits(w * words) | 1 | 1 << (w * words - 1)
        products = [Product(rng.randrange(m), rng.randrange(m), m, w * words) for _ in range(12)]
        outcomes = Simulator(core, config).run(products, "stream")
        assert {item.interval for item in outcomes[2:]} == {core.interval(config, w * words)}


def test_mx_takes_at_most_two_cycles_a_bit_and_the_conversion() -> None:
    """The paper's own point: 1024 bits in 2 (k + 2) cycles, then the conversion."""
    core = all_cores()["mx"]
    assert isinstance(core, RowCore)
    config = RowConfig(bits=1024, w=32)
    rng = random.Random(7)
    m = rng.getrandbits(1024) | 1 | 1 << 1023
    products = [Product(rng.randrange(m), rng.randrange(m), m, 1024) for _ in range(4)]
    outcomes = Simulator(core, config).run(products, "stream")
    assert {item.interval for item in outcomes[2:]} == {2 * (1024 + 2)}
    for product, outcome in zip(products, outcomes, strict=True):
        assert outcome.z == montgomery_product(product.x, product.y, m, 1026)
        assert outcome.core_cycles == 2 * (1024 + 2) + 1024 // 32 + 4


def test_vectors_of_boringssl_and_openssl() -> None:
    check_vectors(all_cores()["mx"])


@every_row
@nightly
def test_vectors_of_boringssl_and_openssl_on_every_row(core: RowCore) -> None:
    check_vectors(core)


def check_vectors(core: AnyCore) -> None:
    config = core.config_type(bits=1024, w=32)
    cases = []
    for name in ("boringssl-p256-montgomery.txt", "openssl-bnmod.txt"):
        found, _ = vector_cases(core, config, read_products(VECTORS_DIR / name))
        cases += found[::4]
    assert len(cases) > 80
    simulator = Simulator(core, config)
    outcomes = simulator.run([case.product for case in cases])
    for case, outcome in zip(cases, outcomes, strict=True):
        assert outcome.z == case.z, case


# ---- the datapath against the model ------------------------------------------------------------


@pytest.mark.parametrize("name", ["mx", "cs", "op"])
def test_model_keeps_below_2m_with_operands_below_2m(name: str) -> None:
    """The corrected Algorithm 3: k + 2 iterations, no final subtraction between products."""
    algorithm = {"mx": rows.MX, "cs": rows.CS, "op": rows.OP}[name]
    rng = random.Random(8)
    for words in (1, 3):
        k = 8 * words
        for m in edge_moduli(k - 1, 8, rng):
            for x, y in ((2 * m - 1, 2 * m - 1), (m, 2 * m - 1), (0, 2 * m - 1)):
                trace = list(rows.Row(algorithm, 8, words, m).trace(x, y, k))
                lazy = rows.lazy_result(algorithm, 8, k, trace)
                assert lazy < 2 * m and lazy * (1 << (k + 2)) % m == x * y % m


# ---- refusals ----------------------------------------------------------------------------------


def refusals(core: RowCore) -> Iterator[tuple[int, int, str]]:
    sizes = ", ".join(str(w) for w in core.word_sizes[:-1]) + f" or {core.word_sizes[-1]}"
    for w in (4, 24, 512):
        yield 64, w, f"the word size w must be {sizes}"
    yield 1, core.word_sizes[0], "the built width must be at least 2 bits"


def verilator(core: RowCore, bits: int, w: int) -> "subprocess.CompletedProcess[str]":
    root = verilator_root()
    return subprocess.run(
        [
            str(root / "bin" / "verilator_bin"),
            *("--lint-only", "-Wno-lint", "-Wno-style", "--top-module", core.top),
            *(f"-GLength={bits}", f"-GWordBits={w}"),
            *map(str, core.sources()),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"VERILATOR_ROOT": str(root), "PATH": "/usr/bin:/bin"},
    )


@every_row
def test_bad_parameters_are_refused_in_the_same_words(core: RowCore) -> None:
    for bits, w, sentence in refusals(core):
        with pytest.raises(RequestError) as refusal:
            core.configure({"w": str(w)}, bits)
        assert str(refusal.value).endswith(sentence)
        done = verilator(core, bits, w)
        assert done.returncode != 0 and sentence in done.stderr, done.stderr
    assert verilator(core, 2, smallest(core)).returncode == 0


def test_every_word_size_is_offered() -> None:
    assert {w for core in CORES for w in core.word_sizes} == set(WORD_SIZES)
    assert all(Path(source).exists() for core in CORES for source in core.sources())


# ---- the paper's figures -----------------------------------------------------------------------


def test_throughput_of_the_papers_table_follows_from_its_clock() -> None:
    """A bit every two cycles for Design 2, every cycle for Optimized, to the paper's rounding."""
    for name, per_bit in (("Design 2", 2), ("Optimized", 1)):
        (row,) = (row for row in mx2006.TABLE_1 if row.name == name)
        bits = mx2006.TABLE_1_BITS
        assert row.mbit_per_s == pytest.approx(
            mx2006.throughput(bits, per_bit * bits, row.mhz), abs=0.11
        )


def test_the_papers_architectures_are_our_cores() -> None:
    names = {row.core for row in (*mx2006.TABLE_1, *mx2006.TABLE_2) if row.core}
    assert names <= {core.name for core in CORES}
