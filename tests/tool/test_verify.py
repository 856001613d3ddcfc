# SPDX-License-Identifier: Apache-2.0
"""Verification: a correct core passes, every mutant fails, and the counts are correct."""

import random
from pathlib import Path

import pytest
from fixture_core import FixtureCore

from montcore.cores import get_core
from montcore.model.fields import get_field
from montcore.model.spec import (
    from_montgomery,
    montgomery_product,
    n0_inverse,
    r_squared,
    to_montgomery,
)
from montcore.support.errors import RequestError
from montcore.verification.cases import (
    all_batches,
    edge_moduli,
    edge_operands,
    product_count,
    random_products,
)
from montcore.verification.run import verify
from montcore.verification.vectors import read_products

pytestmark = pytest.mark.usefixtures("one_simulator")

RIGHT = FixtureCore(bits=16, bus=8)


def test_right_core_passes_and_its_cycles_are_constant() -> None:
    result = verify(RIGHT, random_count=400, seed=9)
    assert (result.failed, result.failures, result.seed) == (0, [], 9)
    assert result.checked > 400 and result.rejected > 20
    assert result.cycles_min == result.cycles_max == 20


#: Mutants of the test core that products alone reveal, with a word of the expected message.
MUTANTS = {
    1: "expected 0x0",
    2: "watchdog",
    3: "cycles depend on data",
    4: "z_last_o",
    5: "the modulus is even",
    6: "changed or vanished",
    8: "not below the modulus",
    9: "with gaps",
    10: "busy_o is low",
    13: "cfg_done_o",
    15: "busy_o stays high",
}


#: A mutant that fails alone, and one that fails only among other products: the command that
#: reproduces each.
WITH_WAVE = {1: "montcore mul fixture --set bus=8 --set bug=1", 6: "montcore verify fixture"}


@pytest.mark.parametrize("bug", MUTANTS)
def test_mutant_fails(bug: int, own_waves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if bug not in WITH_WAVE:
        monkeypatch.setattr("montcore.verification.engines.RtlEngine.wave", lambda *_: False)
    result = verify(FixtureCore(bits=16, bus=8, bug=bug), random_count=400, seed=1)
    assert result.failed > 0
    told = "\n".join(failure.what for failure in result.failures)
    assert MUTANTS[bug] in told
    assert len(result.failures) <= 10
    assert all(item.command.startswith("montcore ") for item in result.failures)
    if bug in WITH_WAVE:
        wave = result.failures[0].wave
        assert wave is not None and wave.stat().st_size > 500 and own_waves in wave.parents
        assert result.failures[0].command.startswith(WITH_WAVE[bug])


@pytest.fixture
def own_waves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the waves of failures; the simulators stay in the common cache."""
    monkeypatch.setattr("montcore.verification.checker.cache_dir", lambda: tmp_path)
    return tmp_path


def test_exhaustive_run_checks_every_product_and_finds_a_rare_fault(own_waves: Path) -> None:
    assert product_count(3) == 9 + 25 + 49
    assert product_count(8) == sum(m * m for m in range(3, 256, 2)) == 2796159
    assert sum(batch.count for batch in all_batches(5)) == product_count(5)
    config = FixtureCore(bits=5, bus=3)
    for engine in ("rtl", "model"):
        result = verify(config, exhaustive=True, engine=engine)
        assert (result.checked, result.failed) == (product_count(5), 0)
        assert result.cycles_min == result.cycles_max == 10
    # Wrong only where a product is a multiple of the modulus: m instead of 0.
    wrong = verify(FixtureCore(bits=5, bus=3, bug=1), exhaustive=True)
    multiples = sum(
        x * y % m == 0 for m in range(3, 32, 2) for x in range(1, m) for y in range(1, m)
    )
    assert wrong.failed == multiples
    with pytest.raises(RequestError, match="at most 9 bits"):
        verify(RIGHT, exhaustive=True)


def test_progress_ends_where_it_said(own_waves: Path) -> None:
    seen: list[tuple[int, int]] = []
    verify(RIGHT, random_count=200, progress=lambda done, total: seen.append((done, total)))
    assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1]
    assert seen == sorted(seen) and len({total for _, total in seen}) == 1


def test_vector_files_count_products_and_refusals(vectors_dir: Path) -> None:
    montgomery = vectors_dir / "boringssl-p256-montgomery.txt"
    result = verify(FixtureCore(bits=256, bus=32), vectors=montgomery)
    assert (result.checked, result.failed, result.rejected) == (57, 0, 0)
    openssl = vectors_dir / "openssl-bnmod.txt"
    refused = sum(item.m % 2 == 0 or item.m.bit_length() > 256 for item in read_products(openssl))
    result = verify(FixtureCore(bits=256, bus=32), vectors=openssl)
    assert refused > 140  # the even moduli, and the long ones
    assert (result.checked, result.failed, result.rejected) == (297 - refused, 0, refused)


def test_a_set_is_named_without_its_file(own_waves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = FixtureCore(bits=256, bus=32)
    result = verify(config, vectors="boringssl-p256-montgomery", engine="model")
    assert (result.checked, result.failed, result.rejected) == (57, 0, 0)
    monkeypatch.setattr("fixture_core.montgomery_product", lambda x, y, m, r: x * y % m)
    assert verify(config, vectors="boringssl-p256-montgomery", engine="model").failed > 50


def test_wrong_record_of_a_vector_file_fails(tmp_path: Path, own_waves: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("ModMul = 6\nA = 2\nB = 3\nM = b\n\nModMul = 7\nA = 2\nB = 3\nM = b\n")
    result = verify(RIGHT, vectors=file)
    assert (result.checked, result.failed, result.rejected) == (2, 1, 0)
    file.write_text("ModMul = 11\nA = 2\nB = 3\nM = b\n")  # right but not reduced
    assert verify(RIGHT, vectors=file).failed == 1


def test_vectors_with_random_run_both(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("ModMul = 6\nA = 2\nB = 3\nM = b\n")
    both = verify(RIGHT, vectors=file, random_count=50, seed=3)
    assert both.checked == verify(RIGHT, random_count=50, seed=3).checked + 1


def test_field_fixes_the_modulus() -> None:
    config = FixtureCore(bits=256, bus=32)
    result = verify(config, field=get_field("P-256"), random_count=60)
    assert result.failed == 0 and result.checked >= 60


def test_model_engine_needs_no_simulator(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = verify(RIGHT, random_count=300, engine="model")
    assert result.failed == 0 and result.cycles_min == result.cycles_max == 20
    assert not own_cache.exists()


def test_edge_cases_hold_what_they_promise() -> None:
    rng = random.Random(1)
    for bits in (2, 3, 8, 33, 64, 521):
        moduli = edge_moduli(bits, 32, rng)
        assert {3, (1 << bits) - 1} <= set(moduli)
        assert all(m % 2 and 3 <= m < 1 << bits for m in moduli)
        if bits >= 8:
            assert any(not m >> (bits - 1) for m in moduli)
    m, r_bits = (1 << 64) - 59, 64
    pairs = edge_operands(m, r_bits, 32, rng)
    assert {(0, 0), (1, 1), (m - 1, m - 1), (0xFFFFFFFF, 0xFFFFFFFF)} <= set(pairs)
    subtracts = {(x * y + (x * y * n0_inverse(m, 64) % (1 << 64)) * m) >> 64 >= m for x, y in pairs}
    assert subtracts == {True, False}


def test_random_products_cover_all_lengths() -> None:
    products = list(random_products(12, None, 8000, random.Random(2)))
    assert {product.length for product in products} == set(range(2, 13))
    assert {product.m.bit_length() for product in products} == set(range(2, 13))
    full = [product for product in products if product.length == 12]
    assert any(product.m >> 11 for product in full) and any(not product.m >> 11 for product in full)
    assert all(p.x < p.m and p.y < p.m < 1 << p.length for p in products)


def test_specification() -> None:
    # The example in hw/smm/rtl/montcore_smm.sv.
    assert montgomery_product(0x53, 0x2A, 0x8B, 8) == 0x45
    m, r_bits = get_field("p224r1").p, 224
    x, y = 3**140 % m, 5**96 % m
    inside = montgomery_product(to_montgomery(x, m, r_bits), to_montgomery(y, m, r_bits), m, r_bits)
    assert from_montgomery(inside, m, r_bits) == x * y % m
    assert montgomery_product(x, r_squared(m, r_bits), m, r_bits) == to_montgomery(x, m, r_bits)
    assert n0_inverse(m, 32) * m % (1 << 32) == (1 << 32) - 1
    for bad in ((1, 1, 8), (0, 0, 1), (5, 1, 5), (1, 7, 5), (-1, 1, 5)):
        with pytest.raises(ValueError, match="must"):
            montgomery_product(*bad, 8)


@pytest.mark.nightly
def test_smm_exhaustively_at_eight_bits() -> None:
    smm = get_core("smm")
    for npe in ("1", "2"):
        result = verify(smm.configure({"npe": npe, "w": "4"}, 8), exhaustive=True)
        assert (result.checked, result.failed) == (2796159, 0)
        assert result.cycles_min == result.cycles_max


@pytest.mark.nightly
def test_speed_of_simulation() -> None:
    from montcore_lab.benches.simulation import measure

    smm = get_core("smm")
    config = smm.configure({"npe": "8", "w": "32"}, 256)
    assert measure(config, 50_000, rebuild=False)["products_per_s"] >= 20_000
