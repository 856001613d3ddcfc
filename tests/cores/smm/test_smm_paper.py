# SPDX-License-Identifier: Apache-2.0
"""The paper's schedule of `smm`: its cycle table, results, and order of operations."""

import random
from pathlib import Path

import pytest
from icarus import run_bench
from products import SMALL_AND_8_BITS, check, check_all_products, mixed
from test_smm_rtl import simulator

from montcore.cores.smm import Smm, SmmElement, SmmSchedule
from montcore.cores.technology import Tech
from montcore.model.fields import FIELDS
from montcore.sim.types import Product
from montcore.support.errors import RequestError
from montcore.verification.cases import edge_operands

#: smm-2021, Table 1: clock cycles by length and N_PE = 1 .. 8. If the table has no number (more
#: elements than words), the one for as many elements as words is used.
TABLE_1 = {
    192: (109, 58, 41, 41, 41, 24, 24, 24),
    224: (140, 83, 64, 45, 45, 45, 26, 26),
    256: (175, 91, 70, 49, 49, 49, 49, 28),
    384: (355, 181, 123, 94, 94, 65, 65, 65),
    521: (670, 358, 241, 202, 163, 124, 124, 124),
}


#: Both circuits of the processing elements.
ELEMENTS = pytest.mark.parametrize("element", list(SmmElement))


def paper(bits: int, npe: int, w: int, element: SmmElement = SmmElement.OURS) -> Smm:
    return Smm(bits=bits, npe=npe, w=w, schedule=SmmSchedule.PAPER, element=element)


@ELEMENTS
@pytest.mark.parametrize("npe", range(1, 9))
def test_the_formula_has_the_cycles_of_table_1(npe: int, element: SmmElement) -> None:
    for length, cycles in TABLE_1.items():
        assert Smm.core_cycles(paper(521, npe, 32, element), length) == cycles[npe - 1]


# One word a row in every run; each is a compilation.
@ELEMENTS
@pytest.mark.parametrize("npe", range(1, 9))
@pytest.mark.one_in(16)
def test_cycles_and_edge_products_at_the_lengths_of_table_1(npe: int, element: SmmElement) -> None:
    """All lengths of the table on one build of 521 bits, and lengths around them."""
    config = paper(521, npe, 32, element)
    rng = random.Random(npe)
    lengths = (*TABLE_1, 520, 513, 65, 33, 32, 2)
    check(simulator(config), config, mixed(config, config.w, lengths, rng, 4))


# The first build is shared with the test above; every run has full and partial rows of 4-bit words.
@pytest.mark.parametrize(
    ("npe", "schedule", "element"),
    [
        (npe, schedule, element)
        for schedule, element in (
            (SmmSchedule.PAPER, SmmElement.OURS),
            (SmmSchedule.PAPER, SmmElement.PAPER),
            (SmmSchedule.FAST, SmmElement.OURS),
        )
        for npe in range(1, 9)
    ],
)
@pytest.mark.one_in(24)
def test_eight_builds_times_eight_primes(
    npe: int, schedule: SmmSchedule, element: SmmElement
) -> None:
    """smm-2021, IV.1: each build of 521 bits multiplies modulo each prime of SEC 2."""
    config = Smm(bits=521, npe=npe, w=32, schedule=schedule, element=element)
    rng, products = random.Random(npe), []
    for field in FIELDS:
        pairs = edge_operands(field.p, config.r_bits(field.bits), 32, rng)
        pairs = [*rng.sample(pairs, 4), (rng.randrange(field.p), rng.randrange(field.p))]
        products += [Product(x, y, field.p, field.bits) for x, y in pairs]
    assert len(FIELDS) == 8
    check(simulator(config), config, products)


@pytest.mark.parametrize(
    ("bits", "npe", "w", "tree"),
    [
        (65, 1, 4, False),  # 17 words, one a row
        (64, 5, 4, True),  # 16 words in rows of 5
        (29, 8, 4, True),  # all words in one row, full
        (4, 1, 4, False),  # a single word
        (200, 4, 64, False),
        # Word sizes between those above.
        pytest.param(64, 3, 8, True, marks=pytest.mark.nightly),
        pytest.param(120, 5, 16, False, marks=pytest.mark.nightly),
    ],
)
@ELEMENTS
@pytest.mark.one_in(14)
def test_every_run_time_length(
    bits: int, npe: int, w: int, tree: bool, element: SmmElement
) -> None:
    config = paper(bits, npe, w, element)
    lengths = range(2, bits + 1, max(1, bits // 24))
    check(
        simulator(config, tree=tree),
        config,
        mixed(config, config.w, {*lengths, bits}, random.Random(bits), 3),
    )


# The build of one word a row is that of the run-time lengths.
@pytest.mark.parametrize(
    "npe", [1, 17, *(pytest.param(npe, marks=pytest.mark.nightly) for npe in (2, 3))]
)
@ELEMENTS
@pytest.mark.one_in(8)
def test_carries_that_run_through_many_words(npe: int, element: SmmElement) -> None:
    """Words of 4 bits, all ones or all zeros in m: the last passes have long carries to resolve."""
    config, length = paper(65, npe, 4, element), 65
    rng = random.Random(7)
    moduli = [
        (1 << 65) - 1,
        (1 << 65) - 3,
        (1 << 64) + 1,
        (1 << 64) | 0xF,
        (1 << 65) - (1 << 9) + 1,
    ]
    products = [
        Product(rng.randrange(m), rng.randrange(m), m, length) for m in moduli for _ in range(200)
    ]
    check(simulator(config), config, products)


@SMALL_AND_8_BITS
@pytest.mark.parametrize("tree", [False, True], ids=["inferred", "tree"])
@pytest.mark.parametrize(("built", "npe"), [(65, 1), (8, 1), (8, 2)])
@ELEMENTS
@pytest.mark.one_in(16)
def test_all_products_of_small_moduli(
    built: int, npe: int, tree: bool, element: SmmElement, widths: range
) -> None:
    config = paper(built, npe, 4, element)
    for bits in widths:
        check_all_products(simulator(config, tree=tree), config, bits)


def test_settings_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(RequestError):
        Smm.configure({"schedule": "slow"}, 256)
    with pytest.raises(RequestError, match="needs the paper's schedule"):
        Smm.configure({"element": "paper"}, 256)


@pytest.mark.parametrize(
    ("bits", "npe", "w", "tree"),
    [
        (19, 1, 4, False),
        (28, 2, 4, False),
        (36, 3, 4, True),
        (32, 8, 4, False),
        (250, 3, 32, False),
    ],
)
@ELEMENTS
@pytest.mark.one_in(12)
def test_every_step_is_as_in_the_algorithm(
    tmp_path: Path, bits: int, npe: int, w: int, tree: bool, element: SmmElement
) -> None:
    tech = Tech.ASIC if tree else Tech.GENERIC
    run_bench(tmp_path, "smm_paper_internal", paper(bits, npe, w, element), {"Tech": int(tech)})
