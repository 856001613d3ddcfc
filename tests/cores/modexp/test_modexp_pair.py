# SPDX-License-Identifier: Apache-2.0
"""Two exponentiators with a modulus each over one row of `dsp`."""

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import dsp_pair_model as model
import pytest
from command_line import Tool
from icarus import run_exponentiator
from modexp_port import Port, Step
from mutants import faulty

from montcore.cores import get_core
from montcore.model.dsp import sizes
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import SECOND_SHIFT, Exponentiator, Policy, Power
from montcore.sim import wire
from montcore.support.errors import CheckFailedError, RequestError
from montcore_lab.lint.rtl import verilator

nightly = pytest.mark.nightly

#: Builds: half-iterations of one pair of words; of several, in which squares are too short for
#: lockstep; in lockstep, with one clock and with two; of a full row.
BUILDS = {
    "short": (40, 3, "single"),
    "one block": (40, 1, "single"),
    "lockstep": (140, 3, "single"),
    "double": (140, 3, "double"),
    "five blocks": (256, 5, "single"),
    "secrets": (72, 2, "single"),
}
PACES = (wire.RunFlag.STREAM, wire.RunFlag.STREAM | wire.RunFlag.GAPS)


@cache
def design(build: str) -> ExponentiatorDesign:
    bits, alpha, clocking = BUILDS[build]
    chosen = {"alpha": str(alpha), "clocking": clocking}
    return ExponentiatorDesign(get_core("dsp").configure(chosen, bits), pair=True)


def odd(rng: random.Random, bits: int) -> int:
    return rng.getrandbits(bits) | 1 << (bits - 1) | 1


def second(port: Port, m: int, length: int) -> Step:
    """Return the step that loads the modulus of the second exponentiator."""
    return port.configure(m, length, marks=1 << SECOND_SHIFT)


def both(port: Port, moduli: tuple[int, int], length: int) -> list[Step]:
    """Return the steps that load both moduli."""
    return [port.configure(moduli[0], length), second(port, moduli[1], length)]


@pytest.mark.parametrize(
    "build",
    # In every run the last of the moduli is too short for lockstep.
    ["lockstep", *(pytest.param(n, marks=nightly) for n in ("short", "one block", "five blocks"))],
)
def test_powers_modulo_two_numbers_of_any_lengths(build: str) -> None:
    """Dense, sparse and short moduli, different lengths of moduli and exponents, extreme bases."""
    port, rng = Port(design(build)), random.Random(5)
    length = port.design.length
    dense, top = odd(rng, length), (1 << length) - 1
    short = min(length, 40)
    moduli = [(dense, top, length), (3, dense, length), (top, 0x8B, length)]
    moduli += [(1 << (length // 2) | 1, odd(rng, length // 3), length)]
    moduli += [(odd(rng, short), odd(rng, short - 7), short)]
    steps = []
    for *pair, bits in moduli:
        steps += both(port, (pair[0], pair[1]), bits)
        requests = []
        for m, e_bits in zip(pair * 2, (bits, bits, 23, bits // 2), strict=True):
            x = rng.choice([0, 1, m - 1, rng.randrange(m)])
            e = rng.getrandbits(e_bits) | 1 << (e_bits - 1)
            requests.append(port.power(m, bits, Policy.CONSTANT, x, e, e_bits))
        steps += [port.run(requests, bits, pace) for pace in PACES]
    port.play(steps, 3)


@pytest.mark.parametrize(
    "build", ["lockstep", *(pytest.param(n, marks=nightly) for n in ("double", "short"))]
)
def test_public_exponents_of_every_form_beside_each_other(build: str) -> None:
    """Squares of both run in lockstep: of short exponents, with leading zeros in the header."""
    port, rng = Port(design(build)), random.Random(8)
    length = port.design.length
    moduli = (odd(rng, length), odd(rng, length))
    steps = both(port, moduli, length)
    exponents = [(e, bits) for e in (*range(1, 20), 0x155, 0x1FF) for bits in (e.bit_length(), 17)]
    exponents += [(65537, 17), (0x1FFFF, 17), (0x15555, 17), (1, 17), (0x20001, 18), (0x2AAAA, 30)]
    for e, bits in exponents:
        requests = []
        for number in range(4):
            m = moduli[number % 2]
            e_of, bits_of = (e, bits) if number < 2 else rng.choice(exponents)
            request = port.power(m, length, Policy.SLIDING, rng.randrange(m), e_of, bits_of)
            requests.append(request)
        steps.append(port.run(requests, length, PACES[len(steps) % 2]))
    port.play(steps, 1)


@nightly  # every run has these powers, and times that do not depend on data
def test_squares_of_public_exponents_run_in_lockstep() -> None:
    """At the interval of the model, as squares of fixed windows do; alone they take no longer."""
    built, rng = design("lockstep"), random.Random(2)
    unit, alone = Exponentiator(built), Exponentiator(ExponentiatorDesign(built.core))
    moduli = (odd(rng, built.length), odd(rng, built.length))
    ends = []
    for place in (10, 11, 12):
        powers = [Power(7, 1 << place, m) for m in moduli]
        first, other = unit.pair(powers, Policy.SLIDING)
        ends.append(first.cycles + other.interval)
    interval = model.pair_intervals(sizes(built.length, 3)).squares
    assert ends[1] - ends[0] == ends[2] - ends[1] == 2 * interval
    powers = [Power(7, e, moduli[0]) for e in (1, 3, 65537, 0x1FFFF)]
    cycles = [[item.cycles for item in one.run(powers, Policy.SLIDING)] for one in (unit, alone)]
    assert cycles[0] == cycles[1]


@pytest.mark.parametrize("build", ["lockstep", pytest.param("five blocks", marks=nightly)])
def test_times_are_the_same_for_all_data(build: str) -> None:
    """Also where operands are equal by chance: squares are counted, not found by comparison."""
    unit, rng = Exponentiator(design(build)), random.Random(4)
    length, times = design(build).length, set()
    for number in range(5):
        moduli = (odd(rng, length), ((1 << length) - 1, 3, odd(rng, length))[number % 3])
        bases = [(0, 1, m - 1, rng.randrange(m), 2)[number] % m for m in moduli]
        exponents = [(1, (1 << 40) - 1, rng.getrandbits(40) | 1)[number % 3] for _ in moduli]
        powers = [
            Power(x, e, m, exponent_bits=40, length=length)
            for x, e, m in zip(bases, exponents, moduli, strict=True)
        ]
        found = unit.pair(powers)
        for power, outcome in zip(powers, found, strict=True):
            assert outcome.result == pow(power.base, power.exponent, power.modulus)
        times.add(tuple((item.cycles, item.interval) for item in found))
    assert len(times) == 1


@pytest.mark.parametrize(
    "build", ["lockstep", *(pytest.param(n, marks=nightly) for n in ("double", "five blocks"))]
)
def test_squares_in_lockstep_follow_each_other_at_the_models_interval(build: str) -> None:
    """A window more costs five squares and a product of each power."""
    built, rng = design(build), random.Random(2)
    unit, bits, alpha = Exponentiator(built), built.length, BUILDS[build][1]
    moduli = (odd(rng, bits), odd(rng, bits))
    ends = []
    for windows in (6, 7, 8):
        powers = [Power(7, (1 << 5 * windows) - 1, m, length=bits) for m in moduli]
        first, other = unit.pair(powers)
        ends.append(first.cycles + other.interval)
    kinds = [model.PairKind.SQUARE if k % 6 != 5 else model.PairKind.PRODUCT for k in range(30)]
    size = sizes(bits, alpha)
    _, (_, results) = model.schedule(size, (kinds, kinds), (0, 0))
    ticks = 1 if built.double else 2
    assert ends[1] - ends[0] == ends[2] - ends[1] == ticks * (results[23] - results[17])


@nightly  # simulated for a minute
def test_nothing_of_the_secrets_is_left(tmp_path: Path) -> None:
    run_exponentiator(tmp_path, design("secrets"))


@nightly
@pytest.mark.parametrize(
    ("file", "old", "new", "only"),
    [
        ("modexp_dsp_pair", "if (wipe_i != '0) dirty_q <= 1'b1;", "", "left_by_the_answers"),
        ("modexp_pair_kept", "assign we = busy_o || (move", "assign we = (move", "left_by_zeroize"),
        (
            "dsp_pair_engine",
            "(forget_i || sweep_i < SweepBits'(Pairs)) ? sweep_i : '1",
            "'1",
            "left_by_zeroize",
        ),
    ],
    ids=["the row", "the kept modulus", "its moduli"],
)
def test_what_a_fault_leaves_is_found(
    tmp_path: Path, file: str, old: str, new: str, only: str
) -> None:
    built = design("secrets")
    rtl = faulty(tmp_path, built.build(), f"montcore_{file}", old, new)
    with pytest.raises(AssertionError, match="leaves"):
        run_exponentiator(tmp_path, built, rtl, only)


FAULTS = {
    "the carry of a part is lost": (
        "dsp_pair_block",
        "held_carry_q <= carry_out && hold_i",
        "held_carry_q <= 1'b0",
    ),
    "a word of ones does not carry": ("dsp_pair_lockstep", "above_i && operand_i == '1", "1'b0"),
    "a bit of the word below is doubled": (
        "dsp_pair_lockstep",
        "operand_i + 17'(above_i)",
        "operand_i",
    ),
    "the lowest doubled bit is kept": (
        "dsp_pair_lockstep",
        "pair_i[17] && !(!lower_i && next)",
        "pair_i[17]",
    ),
    "a carry enters at the border": (
        "dsp_pair_row",
        "g_block[k-1].carry && !(part && !below && edge_here)",
        "g_block[k-1].carry",
    ),
    "a bank is not empty": ("dsp_pair_block", "sum_low & {17{!ends_i}}", "sum_low"),
    "the upper blocks keep old sums": ("dsp_pair_engine", "iteration == DigitBits'(2)", "1'b0"),
    "lockstep begins too early": (
        "dsp_pair_turns",
        "{last_slot_i, 1'b1}) + 2;",
        "{last_slot_i, 1'b1}) + 1;",
    ),
    "a product by the base counts as a square": (
        "modexp_squares",
        "product_q <= !product_q && bits_q[ShortBits-1];",
        "product_q <= 1'b0;",
    ),
    "answers do not go on to the other one": ("modexp_pair", "if (left) back_q", "if (0) back_q"),
}


@nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_powers_catch(tmp_path: Path, fault: str) -> None:
    built, rng = design("lockstep"), random.Random(1)
    module, old, new = FAULTS[fault]
    rtl = faulty(tmp_path, built.build(), f"montcore_{module}", old, new)
    unit = Exponentiator(built, rtl=rtl)
    length, right = built.length, True
    try:
        for number in range(6):
            moduli = (odd(rng, length), (1 << length) - 1 if number % 2 else odd(rng, length))
            powers = [
                Power(m - 1 - number // 3, rng.getrandbits(120) | 1, m, exponent_bits=120)
                for m in moduli
            ]
            public = [replace(power, exponent=65537, exponent_bits=0) for power in powers]
            found = [*unit.pair(powers), *unit.pair(public, Policy.SLIDING)]
            for power, outcome in zip([*powers, *public], found, strict=True):
                right &= outcome.result == pow(power.base, power.exponent, power.modulus)
    except CheckFailedError:
        right = False
    assert not right


def test_one_exponentiator_is_as_it_was() -> None:
    alone = ExponentiatorDesign(design("short").core)
    names = {path.name for path in alone.sources()}
    assert alone.top == "montcore_modexp" and not any("pair" in name for name in names)
    pair = {path.name for path in design("short").sources()}
    assert "montcore_dsp_engine.sv" not in pair and "montcore_modexp_dsp.sv" not in pair


def test_pairs_that_cannot_be_built_are_refused() -> None:
    dsp, smm = get_core("dsp").configure({}, 256), get_core("smm").configure({}, 256)
    for core, slots, lazy in ((smm, 1, True), (dsp, 1, False)):
        with pytest.raises(RequestError, match="pair=1 is for the lazy unit of dsp, not for"):
            ExponentiatorDesign(core, lazy, slots, pair=True)
    with pytest.raises(RequestError, match="pair=1 and several slots exclude each other"):
        ExponentiatorDesign(dsp, slots=2, pair=True)
    one = Exponentiator(ExponentiatorDesign(dsp))
    with pytest.raises(RequestError, match="need an exponentiator with pair=1"):
        one.pair([Power(2, 3, 5), Power(2, 3, 7)])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("Length", 1, "the built width must be at least 2 bits"),
        ("Length", 8192, "the exponentiator is built for at most 8191 bits"),
        ("Alpha", 0, "alpha must be at least 1"),
        ("Window", 7, "the window must have 2 to 6 bits"),
    ],
)
@pytest.mark.one_in(4)
def test_elaboration_refuses_what_the_tool_refuses(name: str, value: int, words: str) -> None:
    built = design("short")
    found = verilator(built.top, built.sources(), {**built.parameters(), name: value})
    assert any(words in line for line in found)


def test_the_command_takes_a_pair(tool: Tool) -> None:
    numbers = ["--modulus", "f123456789", "--base", "0x53", "--exponent", "0x1001"]
    build = ["--set", "alpha=3", "--bits", "140", "--set", "pair=1"]
    content = tool.json("modexp", "dsp", *numbers, *build)
    assert int(content["result"], 16) == pow(0x53, 0x1001, 0xF123456789)
    for wrong in ("pair=2", "pair=yes"):
        tool.refuses("pair is 0 or 1", "modexp", "dsp", *numbers, "--set", wrong)
    tool.refuses("for the lazy unit of dsp", "modexp", "smm", *numbers, "--set", "pair=1")
