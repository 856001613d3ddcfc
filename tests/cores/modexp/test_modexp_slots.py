# SPDX-License-Identifier: Apache-2.0
"""Several exponentiators at one multiplier: the answers of one, in order, at the interval."""

import random
from functools import cache
from pathlib import Path

import pytest
from command_line import Tool
from icarus import run_exponentiator
from modexp_port import Port
from mutants import faulty
from test_modexp_pair import odd

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, ModularProduct, Policy, Power
from montcore.modexp.sequences import ExponentiatorPort
from montcore.sim import wire
from montcore.support.errors import RequestError
from montcore.verification.sequences import sequences
from montcore_lab.benches.slots import expected, product_cycles, taking_up
from montcore_lab.lint.rtl import verilator

nightly = pytest.mark.nightly

#: Core, width, parameters: lazy products, which are numbers or two vectors, a number in one beat,
#: in two, in several, two clocks.
OVER = {
    "dsp": (40, {"alpha": "2"}),
    "dsp double": (100, {"alpha": "2", "clocking": "double"}),
    "mx": (40, {"w": "16"}),
    "mx 2d": (24, {"w": "32", "shape": "2d"}),
    "karatsuba": (64, {}),
    "cs4": (40, {"w": "16"}),
    "smm": (50, {"w": "16", "npe": "1"}),
    "hr": (40, {"w": "16", "radix": "4"}),
}
#: Those that the second simulator runs in the nightly tests. (The queue of the array of mx keeps
#: its pointers when it is cleared, so that two states differ in them.)
ICARUS = ("dsp double", "mx", "cs4")


@cache
def design(over: str, slots: int, lazy: bool = True) -> ExponentiatorDesign:
    bits, settings = OVER[over]
    return ExponentiatorDesign(get_core(over.split()[0]).configure(settings, bits), lazy, slots)


@pytest.mark.nightly  # every run has several slots in test_sim_sequences.py
@pytest.mark.parametrize(
    ("over", "most"),
    [("karatsuba", 7), *(pytest.param(n, 15, marks=nightly) for n in ("dsp", "mx 2d"))],
)
def test_all_small_products_and_powers(over: str, most: int) -> None:
    port = Port(design(over, 2 if over == "dsp" else 3))
    steps = []
    for m in range(3, most + 1, 2):
        requests = [port.product(m, 4, x, y) for x in range(m) for y in range(m)]
        for policy in Policy:
            requests += [port.power(m, 4, policy, x, e, 4) for x in range(m) for e in range(1, 16)]
        steps += [port.configure(m, 4), port.run(requests, 4, wire.RunFlag.STREAM)]
    port.play(steps)


@pytest.mark.parametrize("policy", [Policy.CONSTANT, Policy.LADDER])
@pytest.mark.one_in(2)
def test_times_are_the_same_for_all_data(policy: Policy) -> None:
    rng, unit = random.Random(4), Exponentiator(design("karatsuba", 3))
    times = set()
    for number in range(4):
        m = (odd(rng, 64), (1 << 64) - 1, (1 << 63) + 1, odd(rng, 64))[number]
        items: list[Power | ModularProduct] = []
        for exponent in (1, (1 << 40) - 1, rng.getrandbits(40) | 1):
            items.append(Power(rng.randrange(m), exponent, m, exponent_bits=40, length=64))
            items.append(ModularProduct(rng.randrange(m), m - 1, m))
        found = unit.stream(items, policy)
        for item, outcome in zip(items, found, strict=True):
            wanted = (
                pow(item.base, item.exponent, m) if isinstance(item, Power) else item.x * item.y % m
            )
            assert outcome.result == wanted
        times.add(tuple((item.cycles, item.interval, item.setup_cycles) for item in found))
    assert len(times) == 1


@pytest.mark.parametrize(
    ("over", "slots"),
    [
        *(("dsp", 2), ("hr", 2), ("dsp double", 2), ("dsp double", 3), ("cs4", 2), ("cs4", 4)),
        *((over, n) for over in ("karatsuba", "mx 2d") for n in (2, 3, 4)),
    ],
)
@nightly  # every run has streams whose times are the same for all data
def test_products_follow_each_other_at_the_formula(over: str, slots: int) -> None:
    alone, together = (product_cycles(design(over, count)) for count in (1, slots))
    assert together == expected(alone, taking_up(design(over, 1)), slots)


FAULTS = {
    "answers do not go on to the next slot": ("modexp_slots", "if (left) back_q", "if (0) back_q"),
    "requests do not go on to the next slot": (
        "modexp_slots",
        "if (x_done && y_done) front_q",
        "if (x_done) front_q",
    ),
    "a result is not taken whole": ("modexp_result", "taken_q == beats_i - 1'b1", "taken_q == 0"),
    "a slot at work is not one": ("modexp_share", "(working_q | begin_i)", "(working_q | '0)"),
    "products go to a multiplier without a modulus": (
        "modexp_share",
        "state_q == StServe && loaded_q && !await_q",
        "!await_q",
    ),
    "a beat of what was abandoned is a result": (
        "modexp_share",
        "mul_z_valid_i && state_q != StClear",
        "mul_z_valid_i",
    ),
    "a new modulus is not loaded": ("modexp_share", "if (forget_i) loaded_q", "if (0) loaded_q"),
    "a packet of operands is interrupted": ("turns", "held_q <= !taken", "held_q <= 1'b0"),
    "a result goes to whoever came last": ("turns", "whose_q[head_q]", "whose_q[tail_q]"),
}


@nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_random_sequences_catch(tmp_path: Path, fault: str) -> None:
    built = design("dsp", 2)
    module, old, new = FAULTS[fault]
    rtl = faulty(tmp_path, built.build(), f"montcore_{module}", old, new)
    assert sequences(ExponentiatorPort(built, rtl), 20_000).failed


@nightly  # test_modexp_cocotb.py has one exponentiator over smm in every run
@pytest.mark.parametrize("over", ["smm", *ICARUS])
def test_nothing_of_the_secrets_is_left(tmp_path: Path, over: str) -> None:
    run_exponentiator(tmp_path, design(over, 2))


@nightly
@pytest.mark.parametrize(
    ("file", "old", "new", "only"),
    [
        ("share", "if (clear_i != '0) dirty_q <= 1'b1;", "", "is_left_by_the"),
        ("result", "we_i || busy_q", "we_i", "slot_is_cleared"),
    ],
    ids=["the multiplier", "a result"],
)
def test_what_a_fault_leaves_is_found(
    tmp_path: Path, file: str, old: str, new: str, only: str
) -> None:
    built = design("cs4", 2)
    rtl = faulty(tmp_path, built.build(), f"montcore_modexp_{file}", old, new)
    with pytest.raises(AssertionError, match="leaves"):
        run_exponentiator(tmp_path, built, rtl, only)


def test_one_slot_is_the_exponentiator_as_it_was() -> None:
    alone = ExponentiatorDesign(design("dsp", 1).core)
    assert "Slots" not in alone.parameters() and alone.top == "montcore_modexp"
    names = {path.name for path in alone.sources()}
    assert "montcore_turns.sv" not in names and "montcore_modexp_share.sv" not in names


@pytest.mark.parametrize("slots", [0, 5])
def test_other_numbers_of_slots_are_refused(slots: int) -> None:
    with pytest.raises(RequestError, match="1 to 4 slots"):
        ExponentiatorDesign(get_core("dsp").configure({}, 256), slots=slots)


@pytest.mark.parametrize("slots", [5, 1])
@pytest.mark.one_in(2)
def test_elaboration_refuses_other_numbers_of_slots(slots: int) -> None:
    built = design("cs4", 2)
    found = verilator(built.top, built.sources(), {**built.parameters(), "Slots": slots})
    assert any("2 to 4 exponentiators share a multiplier" in line for line in found)


def test_the_command_takes_slots(tool: Tool) -> None:
    numbers = ["--modulus", "f123456789abcdef", "--base", "0x53", "--exponent", "0x10001"]
    content = tool.json("modexp", "karatsuba", *numbers, "--set", "slots=3", "--bits", "64")
    assert int(content["result"], 16) == pow(0x53, 0x10001, 0xF123456789ABCDEF)
    for wrong in ("slots=5", "slots=0", "slots=two"):
        tool.refuses("slots", "modexp", "karatsuba", *numbers, "--set", wrong)
