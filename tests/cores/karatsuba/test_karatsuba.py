# SPDX-License-Identifier: Apache-2.0
"""`karatsuba`: results and cycles of the RTL against specification and model."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from products import check, check_all_products, check_stream, dense_modulus, mixed

from montcore.bundle.styles import port
from montcore.cores.core import Core
from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore.cores.technology import Tech
from montcore.model.karatsuba import uncorrected_fast, uncorrected_paper
from montcore.sim.build import RtlBuild
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.synth.fpga.ecp5 import ECP5
from montcore_lab.mutation import port_rules
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018

nightly = pytest.mark.nightly
(LATTICE,) = ECP5.headers


def simulator(config: Karatsuba, tech: Tech = Tech.GENERIC, *, gaps: bool = False) -> Simulator:
    """Return the simulation of a build with the product style of some target.

    For ECP5 it has the model of the multiplier, which is instantiated.
    """
    return Simulator(config, gaps=gaps, seed=1, rtl=rtl_of(config, tech))


def rtl_of(config: Karatsuba, tech: Tech) -> RtlBuild:
    """Return a build with the product style of some target."""
    parameters = {**config.sv_parameters(), "Tech": int(tech)}
    models = (LATTICE,) if tech is Tech.MULT18 else ()
    sources = (*models, *Karatsuba.sources())
    return RtlBuild(Karatsuba.main_top(), sources, parameters, savable=bool(models))


SMALL = [
    (7, 1, KaratsubaSchedule.FAST, Tech.GENERIC),
    (7, 1, KaratsubaSchedule.FAST, Tech.ASIC),
    (7, 1, KaratsubaSchedule.LEAN, Tech.GENERIC),
    (7, 1, KaratsubaSchedule.PAPER, Tech.DSP48E),
    (6, 2, KaratsubaSchedule.PAPER, Tech.GENERIC),
]
SMALL_NIGHTLY = [
    (8, depth, schedule, tech)
    for depth in (1, 2)
    for schedule in KaratsubaSchedule
    for tech in (Tech.GENERIC, Tech.ASIC, Tech.DSP48E, Tech.DSP48E1)
    if (7, depth, schedule, tech) not in SMALL
]


@pytest.mark.parametrize(("bits", "depth", "schedule", "tech"), [*SMALL, *SMALL_NIGHTLY])
@nightly  # every run has those of five bits, in builds of tests below
def test_every_product_of_a_small_width(
    bits: int, depth: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    config = Karatsuba(bits=bits, depth=depth, schedule=schedule)
    check_all_products(simulator(config, tech), config, bits)


# Built width, depth, schedule, tech.
WIDE = [
    (96, 1, KaratsubaSchedule.FAST, Tech.GENERIC),
    (256, 1, KaratsubaSchedule.FAST, Tech.GENERIC),
    (92, 1, KaratsubaSchedule.FAST, Tech.ASIC),
    (256, 1, KaratsubaSchedule.LEAN, Tech.GENERIC),
    (92, 1, KaratsubaSchedule.LEAN, Tech.ASIC),
    (256, 1, KaratsubaSchedule.PAPER, Tech.DSP48E),
    (48, 2, KaratsubaSchedule.PAPER, Tech.GENERIC),
    (64, 2, KaratsubaSchedule.PAPER, Tech.DSP48E1),
    (192, 1, KaratsubaSchedule.PAPER, Tech.MULT18),
    (29, 1, KaratsubaSchedule.PAPER, Tech.MULT18),
]
WIDE_NIGHTLY = [
    *(
        (bits, 1, KaratsubaSchedule.PAPER, Tech.MULT18)
        for bits in (28, 36, 40, 44, 128, 160, 212, 213)
    ),
    *(
        (bits, 1, schedule, Tech.GENERIC)
        for bits in (192, 384, 521, 1024)
        for schedule in KaratsubaSchedule
    ),
    *((bits, 2, schedule, Tech.ASIC) for bits in (192, 224, 512) for schedule in KaratsubaSchedule),
    *((bits, 1, KaratsubaSchedule.PAPER, Tech.DSP48E) for bits in (192, 224, 384, 512, 521)),
    *((bits, 2, KaratsubaSchedule.PAPER, Tech.GENERIC) for bits in (384, 521)),
    *((bits, 2, KaratsubaSchedule.PAPER, Tech.DSP48E) for bits in (192, 384, 512)),
    *((bits, 2, KaratsubaSchedule.PAPER, Tech.DSP48E1) for bits in (48, 192, 224, 256, 272, 384)),
    (92, 1, KaratsubaSchedule.PAPER, Tech.ASIC),
    (256, 1, KaratsubaSchedule.FAST, Tech.ASIC),
    (256, 1, KaratsubaSchedule.PAPER, Tech.ASIC),
    (256, 2, KaratsubaSchedule.PAPER, Tech.GENERIC),
    (256, 2, KaratsubaSchedule.FAST, Tech.GENERIC),
]


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "tech"),
    [*WIDE, *(pytest.param(*case, marks=nightly) for case in WIDE_NIGHTLY)],
)
@pytest.mark.one_in(70)
def test_wide_numbers_of_every_length(
    bits: int, depth: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    config = Karatsuba(bits=bits, depth=depth, schedule=schedule)
    lengths = sorted({bits, bits - 1, config.half + 1, config.half, config.half - 1, 9, 2})
    check(
        simulator(config, tech), config, mixed(config, config.half, lengths, random.Random(bits), 6)
    )


@pytest.mark.parametrize("bits", [7, 256])
@pytest.mark.parametrize("schedule", [KaratsubaSchedule.FAST, KaratsubaSchedule.LEAN])
@pytest.mark.one_in(2)
def test_final_subtraction_of_nothing_m_and_2m(bits: int, schedule: KaratsubaSchedule) -> None:
    """S comes near 3 m when M' and the digits are near their bounds."""
    config = Karatsuba(bits=bits, schedule=schedule)
    rng = random.Random(bits)
    found: dict[int, list[Product]] = {0: [], 1: [], 2: []}
    for attempt in range(4000):
        # m = 1 mod 2^half makes n0' all ones and M' almost m.
        m = (1 << bits) - (1 << config.half) + 1 if attempt % 2 else dense_modulus(rng, bits)
        x, y = m - 1 - rng.randrange(min(m, 1 << 12)), m - 1 - rng.randrange(min(m, 1 << 12))
        cases = found[uncorrected_fast(x, y, m, config.half) // m]
        if len(cases) < 12:
            cases.append(Product(x, y, m, bits))
        if all(len(cases) == 12 for cases in found.values()):
            break
    assert min(len(cases) for cases in found.values()) >= 5, {
        times: len(cases) for times, cases in found.items()
    }
    sim = simulator(config)
    check(sim, config, [product for cases in found.values() for product in cases])
    check_all_products(sim, config, 5)


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "tech"),
    [
        (96, 1, KaratsubaSchedule.FAST, Tech.GENERIC),
        (92, 1, KaratsubaSchedule.FAST, Tech.ASIC),
        (256, 1, KaratsubaSchedule.PAPER, Tech.DSP48E),
        (256, 1, KaratsubaSchedule.LEAN, Tech.GENERIC),
        (48, 2, KaratsubaSchedule.PAPER, Tech.DSP48E1),
        (64, 2, KaratsubaSchedule.PAPER, Tech.GENERIC),
        (192, 1, KaratsubaSchedule.PAPER, Tech.MULT18),
        pytest.param(40, 1, KaratsubaSchedule.PAPER, Tech.MULT18, marks=nightly),
        pytest.param(212, 1, KaratsubaSchedule.PAPER, Tech.MULT18, marks=nightly),
        pytest.param(256, 1, KaratsubaSchedule.FAST, Tech.ASIC, marks=nightly),
        pytest.param(256, 1, KaratsubaSchedule.FAST, Tech.GENERIC, marks=nightly),
        pytest.param(256, 2, KaratsubaSchedule.PAPER, Tech.DSP48E1, marks=nightly),
        pytest.param(384, 2, KaratsubaSchedule.PAPER, Tech.DSP48E, marks=nightly),
    ],
)
@pytest.mark.one_in(4)
def test_differences_of_both_signs_and_chunks_of_ones(
    bits: int, depth: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    """Every pattern of zeros, ones and all-ones in the four parts of x, against some of y."""
    config = Karatsuba(bits=bits, depth=depth, schedule=schedule)
    part = config.half // 2
    m = (1 << bits) - 189
    chunks = (0, 1, (1 << part) - 1)
    rng = random.Random(4)
    numbers = [
        min(m - 1, a | b << part | c << 2 * part | d << 3 * part)
        for a in chunks
        for b in chunks
        for c in chunks
        for d in chunks
    ]
    products = [Product(x, rng.choice(numbers), m, bits) for x in numbers for _ in range(4)]
    check(simulator(config, tech), config, products)
    check_all_products(simulator(config, tech), config, 4)


@pytest.mark.parametrize(
    ("bits", "schedule", "tech"),
    [
        (96, KaratsubaSchedule.FAST, Tech.GENERIC),
        (256, KaratsubaSchedule.FAST, Tech.GENERIC),
        (256, KaratsubaSchedule.LEAN, Tech.GENERIC),
        (256, KaratsubaSchedule.PAPER, Tech.DSP48E),
        (192, KaratsubaSchedule.PAPER, Tech.MULT18),
    ],
)
@pytest.mark.one_in(5)
def test_gaps_and_back_pressure_change_no_result(
    bits: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    config = Karatsuba(bits=bits, schedule=schedule)
    products = mixed(config, config.half, (bits, bits // 2, 90), random.Random(7), 12)
    check_stream(simulator(config, tech, gaps=True), config, products)


@pytest.mark.parametrize("rule", port_rules.RULES, ids=lambda rule: rule.__name__)
def test_rules_of_the_port_with_the_staged_datapath(
    monkeypatch: pytest.MonkeyPatch, rule: Callable[[Core], None]
) -> None:
    """The rules that every core is tested for, in the build for ECP5."""
    config = Karatsuba(bits=72, schedule=KaratsubaSchedule.PAPER)  # as in test_sim_sequences.py
    staged = replace(port(config, "ecp5").rtl, savable=True)
    monkeypatch.setattr(port_rules, "build", lambda core: staged)
    rule(config)


@pytest.mark.parametrize(
    ("bits", "tech"), [(72, Tech.MULT18), (208, Tech.MULT18), (256, Tech.DSP48E)]
)
@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.one_in(3)
def test_paper_schedule_subtracts_from_equal_and_above(bits: int, tech: Tech, taken: bool) -> None:
    """The final test is >=: S = m must give zero; and S above 2^bits with the top bit set."""
    config = Karatsuba(bits=bits, schedule=KaratsubaSchedule.PAPER)
    rng = random.Random(3)
    products = [Product(0, 5, (1 << bits) - 189, bits)] if not taken else []
    m = (1 << bits) - 189
    while len(products) < 10:
        x, y = rng.randrange(m), rng.randrange(m)
        if (uncorrected_paper(x, y, m, bits) >= m) == taken:
            products.append(Product(x, y, m, bits))
    if taken:
        # S = m exactly: x y is a multiple of m but not zero.
        m = 3 * 5 * 7 * ((1 << bits - 8) + 1)
        products.append(Product(m // 3, 3 * 7, m, bits))
        assert uncorrected_paper(m // 3, 3 * 7, m, bits) == m
    check(simulator(config, tech), config, products)


@pytest.mark.parametrize("bits", [192, 224, 256, 384, 512])
def test_paper_schedule_has_the_cycles_of_the_paper(bits: int) -> None:
    """29 and 38 at each size: the formulas, which the other tests compare with the simulation."""
    for row in karatsuba2018.TABLE_4:
        if row.bits == bits:
            config = Karatsuba(bits=bits, depth=row.depth, schedule=KaratsubaSchedule.PAPER)
            assert config.core_cycles(bits) == row.cycles
