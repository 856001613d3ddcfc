# SPDX-License-Identifier: Apache-2.0
"""Random sequences of packets at the port of every unit, against the model of the contract."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from core_styles import port_styles
from fixture_core import FixtureCore
from icarus import play_sequences
from port_units import named

from montcore.bundle.styles import Design, Stream, port, targets, verify_replay
from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.ecc.design import EngineDesign
from montcore.ecc.sequences import BITS as CURVE_BITS
from montcore.ecc.sequences import EnginePort
from montcore.modexp.design import ExponentiatorDesign
from montcore.sim.build import RtlBuild
from montcore.sim.sequence import Event, EventKind, SequenceOp, parse, text_of
from montcore.sim.wire import BeatFormat
from montcore.support.errors import RequestError
from montcore.verification.multiplier_port import MultiplierPort
from montcore.verification.port import BrokenContractError, PortModel
from montcore.verification.sequences import sequences

pytestmark = pytest.mark.usefixtures("one_simulator")

nightly = pytest.mark.nightly
#: Width of the builds of test_sim_protocol.py, whose simulators are shared.
BITS = 72
#: Answers of each style in `make test`, and of each unit in the nightly tests.
FEW, MANY = 400, 1_000_000


#: Each core with each value of its named choices.
MULTIPLIERS = list(port_styles(BITS))
#: Slow to compile. Every run has the array of `cs`, and the schedule in the style of ECP5.
SLOW = ("mx w=8 shape=2d", "op w=8 shape=2d", "karatsuba depth=1 schedule=paper")


def exponentiators() -> Iterator[ExponentiatorDesign]:
    """Yield the pair, and slots over each kind of multiplier, lazy and not."""
    # With 140 bits squares run in lockstep, with 40 they are too short for it.
    for bits, clocking in ((140, "single"), (40, "single"), (40, "double")):
        row = get_core("dsp").configure({"alpha": "3", "clocking": clocking}, bits)
        yield ExponentiatorDesign(row, pair=True)
    for slots in (2, 3, 4, 1):
        for name, bits, settings in (
            ("hr", 40, {"w": "16", "radix": "4"}),
            ("dsp", 40, {"alpha": "2"}),
            ("mx", 40, {"w": "16"}),
            ("cs4", 40, {"w": "16"}),
            ("karatsuba", 64, {}),
        ):
            yield ExponentiatorDesign(get_core(name).configure(settings, bits), slots=slots)


def engines(bits: int) -> Iterator[EngineDesign]:
    """Yield the curve engine with several contexts and one."""
    for contexts in (1, 3, 2, 4):
        yield EngineDesign(get_core("smm").configure({}, bits), contexts)


def label(value: object) -> str:
    if isinstance(value, Core):
        return f"{value.name} {value.label()}"
    if isinstance(value, Stream):
        return f"stream of {label(value.core)}"
    return value.title() if isinstance(value, ExponentiatorDesign | EngineDesign) else str(value)


def holds(design: Design, count: int, target: str = "", seed: int = 1) -> None:
    """Play random sequences; a long run shows its progress with `pytest -s`."""
    unit = port(design, target)
    # Other tests build the same simulator of one multiplier or of an engine with one context.
    several = getattr(unit, "bus", "") or getattr(design, "contexts", 1) > 1
    if isinstance(unit, MultiplierPort | EnginePort) and not several:
        unit = replace(unit, rtl=replace(unit.rtl, savable=True))

    def show(done: int, total: int) -> None:
        print(f"\r{done:,} of {total:,} packets, seed {seed} ", end="", flush=True)

    found = sequences(unit, count, seed=seed, progress=show if count > FEW else None)
    assert not found.failed, f"{found.failures[0].what}\n{found.failures[0].command}"
    assert found.checked >= count and found.rejected > count // 20


@pytest.mark.parametrize(
    "core",
    [pytest.param(core, marks=[nightly] * label(core).startswith(SLOW)) for core in MULTIPLIERS],
    ids=label,
)
def test_every_multiplier_keeps_the_contract(core: Core) -> None:
    holds(core, FEW)


@pytest.mark.parametrize(
    ("core", "target"),
    [
        (get_core("karatsuba").configure({"schedule": "paper"}, BITS), "ecp5"),
        *((core, target) for core in MULTIPLIERS for target in targets(core)[1:]),
    ],
    ids=label,
)
@pytest.mark.one_in(64)  # every run has the others of xc5v and ecp5 in a second simulator
def test_every_multiplier_keeps_it_in_the_style_of_each_target(core: Core, target: str) -> None:
    holds(core, FEW, target)


@pytest.mark.parametrize(
    "core",
    [
        get_core("karatsuba").configure({}, 40),  # beats of 20 bits, in three bytes
        *(pytest.param(core, marks=nightly, id=label(core)) for core in MULTIPLIERS),
    ],
    ids=label,
)
def test_multiplier_behind_streams_keeps_it(core: Core) -> None:
    holds(Stream(core), FEW)


@pytest.mark.parametrize("design", list(exponentiators()), ids=label)
@pytest.mark.one_in(12)
def test_every_exponentiator_keeps_it(design: ExponentiatorDesign) -> None:
    holds(design, FEW)


@pytest.mark.parametrize("design", list(engines(9)), ids=label)
@pytest.mark.one_in(2)
def test_every_curve_engine_keeps_it(design: EngineDesign) -> None:
    holds(design, FEW // 2)


@pytest.mark.parametrize(
    ("design", "target"),
    [
        *((core, "") for core in MULTIPLIERS),
        *((core, target) for core in MULTIPLIERS for target in targets(core)[1:]),
        *((design, "") for design in exponentiators()),
    ],
    ids=label,
)
@pytest.mark.one_in(32)
def test_every_unit_keeps_it_in_a_second_simulator(
    design: Core | ExponentiatorDesign, target: str, tmp_path: Path
) -> None:
    """Icarus Verilog, in which registers without reset are unknown; with one clock and two."""
    play_sequences(tmp_path, 12, design, target)


@nightly
@pytest.mark.parametrize(
    "design",
    [
        *(Stream(core) for core in MULTIPLIERS),
        *MULTIPLIERS,
        *exponentiators(),
        *engines(CURVE_BITS),
    ],
    ids=label,
)
def test_every_unit_keeps_it_for_a_million_packets(design: Design) -> None:
    holds(design, MANY, seed=2)


#: Sequences that once failed, with their units and targets: found by these tests or by an audit.
ONCE: dict[str, Any] = {
    "a pair without a modulus leaves word 1 of the refused one": (
        ("mx", {"w": "16"}, 37),
        "c:2,0 x:1,1 y:1,1 idle c:d1c3 idle x:1746 y:c10b",
    ),
    "the same the other way: an operand is too large": (
        ("mx", {"w": "16"}, 37),
        "c:2,ffff x:1,1 y:1,1 idle c:3 idle x:fffe y:fffe",
    ),
    "a modulus that waits for the end of the clear": (
        ("karatsuba", {"schedule": "paper"}, 192),
        "zeroize! c:9bb327ec60101c427640803f,a125f2c4c56af4a6be545f34 x:2,0 y:3,0",
        "ecp5",
    ),
    "a refused pair waits for room for as long as a step of the set-up takes": (
        ("karatsuba", {"schedule": "paper"}, 32),
        "c:41c3,4a50 idle ready:0 x:1,0 y:1,0 x:1 y:1 wait:37 ready:8 idle x:2,0 y:3,0",
        "ecp5",
    ),
    "a request is refused while the modulus is set up": (
        ("hr", {"w": "16", "radix": "4"}, 37, "slots", 2),
        "c:25,5,0,0 x:7,0,0 y:4002,3 idle x:2,0,0 y:4002,3",
    ),
    "the second modulus of a pair is refused, with fewer beats": (
        ("dsp", {"alpha": "3"}, 40, "pair"),
        "c:28,3ffffffff,3f x:0,40 y:4002,1 y:1,1 x:0,0 c:c022,3ffffffff",
    ),
    "a curve that is cut leaves its mode to the bench's random source": (
        ("smm", {}, CURVE_BITS, "contexts", 1),
        "idle c:20401807,40e,7f~20 wait:30 zeroize! c:401807,40e,7f,25,2,1b,2,0 idle x:3 y:5,9,2",
    ),
}


# Five need simulators of their own; every run has random sequences in these styles.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[nightly] * (name in list(ONCE)[2:])) for name in ONCE]
)
def test_sequence_that_once_failed(name: str) -> None:
    unit, text, *target = ONCE[name]
    found = verify_replay(named(*unit), text, target=target[0] if target else "")
    assert not found.failed, found.failures[0].what


# ---- the tests above can fail ------------------------------------------------------------------

#: Faults of the test core, each with a word of what is said about it.
MUTANTS = {
    1: "expected z:",
    2: "no answer within",
    4: "expected z:",
    5: "cfg_error_o",
    6: "changed or vanished",
    8: "expected error 4",
    10: "busy_o is low",
    11: "expected error 5",
    12: "with a product under way",
    13: "cfg_done_o with no modulus",
    14: "no pair of operands",
    15: "busy_o stays high",
    16: "core_done_o is high",
    20: "expected error",
}


@pytest.mark.parametrize("bug", MUTANTS)
@pytest.mark.one_in(3)
def test_fault_is_found_and_shrunk_to_a_few_packets(bug: int) -> None:
    core = FixtureCore(bits=16, bus=8, bug=bug)
    found = sequences(MultiplierPort(core, RtlBuild.of_core(core)), 20_000, seed=3)
    assert found.failed == 1
    assert MUTANTS[bug] in found.failures[0].what
    words = shlex.split(found.failures[0].command)
    seed, text = (words[words.index(name) + 1] for name in ("--seed", "--replay"))
    assert len(text.split()) <= 12
    again = verify_replay(core, text, seed=int(seed))
    assert again.failures == found.failures


#: Events of a port that breaks the contract: modulus 139 of one beat and the operands 5 and 6.
_LOADED = [Event(EventKind.CFG, 1, 1, 0x8B), Event(EventKind.DONE, 0, 9, 0)]
_PAIR = [Event(EventKind.X, 1, 10, 5), Event(EventKind.Y, 1, 10, 6)]
BROKEN = {
    "with no modulus to answer for": [Event(EventKind.DONE, 0, 3, 0)],
    "not 'done'": [Event(EventKind.CFG, 1, 1, 0x8B), Event(EventKind.DONE, 1, 9, 0)],
    "comes after": [Event(EventKind.CFG, 1, 1, 0x8B), Event(EventKind.DONE, 0, 102, 0)],
    "the answer comes after": [*_LOADED, *_PAIR, Event(EventKind.VALID, 0, 111, 0)],
    "no pair of operands": [*_LOADED, _PAIR[0], Event(EventKind.VALID, 0, 12, 0)],
    "expected z:": [*_LOADED, *_PAIR, Event(EventKind.RESULT, 1, 12, 1)],
    "expected error 6": [*_PAIR, Event(EventKind.RESULT, 3, 12, 5)],
    "more than one beat": [*_PAIR, Event(EventKind.RESULT, 2, 12, 6)],
    "no answer": [*_LOADED, *_PAIR, Event(EventKind.REST, 0, 50, 0)],
    "no cfg_done_o": [_LOADED[0], Event(EventKind.REST, 8, 200, 0)],
    "modulus is not taken": [Event(EventKind.REST, 9, 200, 0)],
    "operands are not taken": [Event(EventKind.REST, 14, 200, 0)],
    "stays high": [Event(EventKind.REST, 24, 200, 0)],
    "with a product under way": [*_LOADED, _PAIR[0], Event(EventKind.CFG, 1, 12, 3)],
    "during a set-up": [_LOADED[0], _LOADED[0]],
    "in the middle of a modulus": [Event(EventKind.CFG, 0, 1, 3), _PAIR[0]],
}


@pytest.mark.parametrize("what", BROKEN)
def test_model_names_what_breaks_the_contract(what: str) -> None:
    core = FixtureCore(bits=8, bus=8)
    model = PortModel(MultiplierPort(core, RtlBuild.of_core(core)), 100)
    *before, last = BROKEN[what]
    for event in before:
        model.take(event)
    with pytest.raises(BrokenContractError, match=what):
        model.take(last)


def test_sequence_is_its_text() -> None:
    text = "c:2,ff@3~1 x:1 y:1,0~2 ready:4 wait:12 idle zeroize:2! reset zeroize break:7"
    ops = parse(text, BeatFormat(8))
    assert text_of(ops) == text
    assert ops[0] == SequenceOp("c", (2, 255), delay=3, gap=1) and ops[6].drop


@pytest.mark.parametrize("text", ["", "q:1", "x:", "c:100", "wait:70000", "x:1@70000", "idle x:1!"])
def test_text_that_is_no_sequence_is_refused(text: str) -> None:
    with pytest.raises(RequestError):
        parse(text, BeatFormat(8))
