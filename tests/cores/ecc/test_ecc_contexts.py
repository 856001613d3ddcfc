# SPDX-License-Identifier: Apache-2.0
"""Several contexts: same answers as with one, in order, faster; no data passes between contexts."""

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from ecc_tools import answers, last_state, small_curve, small_engine, words
from mutants import faulty

from montcore.cores import get_core
from montcore.ecc.bench import interval
from montcore.ecc.curves import Family, get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import Engine, EngineRequest
from montcore.ecc.isa import EngineStatus
from montcore.ecc.program import Operation
from montcore.sim import wire
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import HW_DIR
from montcore_lab.proofs.ecc import engine_faults, knowledge

nightly = pytest.mark.nightly
CURVE = small_curve(Family.ANY_A, 127)
GOOD = (CURVE.x, CURVE.y)
#: Requests of every kind, some of them refused: at once, early in the program and late.
MIXED = [
    EngineRequest(Operation.MULTIPLY, (3,), GOOD),
    EngineRequest(Operation.SIGN, (3, 5), (7,)),
    EngineRequest(Operation.SIGN, (0, 5), (7,)),
    EngineRequest(Operation.BASE, (2 * CURVE.n - 1,)),
    EngineRequest(Operation.BASE, (1, 1)),
    EngineRequest(Operation.MULTIPLY_ADD, (3, 5), (7,)),
    EngineRequest(Operation.MULTIPLY, (CURVE.n,), GOOD),
    EngineRequest(Operation.VERIFY, (3, 5), (7, *GOOD)),
    EngineRequest(Operation.MULTIPLY, (3,), (GOOD[0], GOOD[1] ^ 1)),
    EngineRequest(Operation.JOINT, (3, 5), GOOD),
]


@cache
def several(contexts: int, core: str = "smm", bits: int = 9) -> Engine:
    """Return an engine with several contexts."""
    if (contexts, bits) == (1, 9):
        return small_engine()
    return Engine(EngineDesign(get_core(core).configure({}, bits), contexts))


def shown(unit: Engine, requests: list[EngineRequest]) -> list[tuple[EngineStatus, int, int]]:
    return [(item.status, item.x, item.y) for item in unit.stream(CURVE, requests)]


@pytest.mark.nightly  # every run has several contexts in the sequences
@pytest.mark.parametrize("contexts", [2, 3, 4])
@pytest.mark.one_in(3)
def test_answers_are_those_of_one_context_and_in_order(contexts: int) -> None:
    mixed = [item for seed in range(3) for item in random.Random(seed).sample(MIXED, len(MIXED))]
    assert shown(several(contexts), mixed) == shown(several(1), mixed)


@nightly
@pytest.mark.parametrize("family", list(Family)[:4])
@pytest.mark.parametrize("contexts", [2, 3, 4])
def test_all_scalars_of_a_small_curve(family: Family, contexts: int) -> None:
    curve = small_curve(family, 13)
    requests = [EngineRequest(Operation.BASE, (k,)) for k in range(2 * curve.n)]
    for k, found in enumerate(several(contexts).stream(curve, requests)):
        wanted = curve.multiply(k, curve.base)
        assert ((found.x, found.y) if found.status is EngineStatus.OK else None) == wanted, k


def test_times_are_the_same_for_all_data() -> None:
    unit, rng, n = several(2), random.Random(5), CURVE.n
    times = set()
    for _ in range(2):
        scalars = [rng.randrange(2 * n) for _ in range(4)]
        signed = [(rng.randrange(1, n), rng.randrange(1, n)) for _ in range(2)]
        requests = [EngineRequest(Operation.BASE, (k,)) for k in scalars]
        requests += [EngineRequest(Operation.SIGN, pair, (rng.randrange(n),)) for pair in signed]
        times.add(tuple(item.timing[4:6] for item in unit.stream(CURVE, requests)))
    assert len(times) == 1


@pytest.mark.parametrize("after", [3, 900, 4_000, pytest.param(9_000, marks=nightly)])
def test_zeroize_stops_every_context(after: int) -> None:
    unit = several(2)
    requests = [EngineRequest(Operation.BASE, (k,)) for k in (3, 4, 5)]
    commands: list[wire.Command] = [
        unit.configuration(CURVE),
        wire.Abort(after),
        unit.request(CURVE, requests, wire.RunFlag.STREAM),
        unit.configuration(CURVE),
        unit.request(CURVE, requests[:1]),
    ]
    first, *_, loaded, last = answers(unit, commands)
    assert (first.kind, first.status) == (wire.RecordKind.CONFIG, 0)
    assert (loaded.kind, loaded.status) == (wire.RecordKind.CONFIG, 0)
    assert (last.kind, last.status) == (wire.RecordKind.PRODUCT, 0)
    numbers = words(last, unit.design.width)
    assert numbers == [EngineStatus.OK, *(CURVE.multiply(3, CURVE.base) or ())]


def state_after(unit: Engine, secrets: list[tuple[int, int]]) -> bytes:
    """Return the whole state after signatures with these secrets.

    Two operations follow that are refused before they use the multiplier, so that the last beats of
    the secrets are no longer at the port.
    """
    requests = [EngineRequest(Operation.SIGN, pair, (77,)) for pair in secrets]
    requests += 2 * [EngineRequest(Operation.BASE, (1, 1), (1,))]
    run = unit.request(CURVE, requests, wire.RunFlag.STREAM)
    commands: list[wire.Command] = [unit.configuration(CURVE), run, wire.Snapshot()]
    return last_state(answers(unit, commands, snapshot=True))


@nightly  # every run has one context (test_ecc.py), and clears several
def test_nothing_of_the_secrets_is_left_when_all_have_ended() -> None:
    unit = several(2)
    found = {state_after(unit, secrets) for secrets in ([(1, 1), (2, 2)], [(3, 77), (100, 1)])}
    assert len(found) == 1


def test_a_source_that_fails_ends_the_operations_of_all_contexts() -> None:
    unit = several(2)
    requests = [EngineRequest(Operation.BASE, (k,)) for k in (3, 4)]
    commands: list[wire.Command] = [unit.configuration(CURVE, 2)]
    commands += [unit.request(CURVE, [item]) for item in requests]
    _, *found = answers(unit, commands)
    assert [words(answer)[0] for answer in found] == [EngineStatus.RANDOM, EngineStatus.RANDOM]


@pytest.mark.nightly
def test_control_does_not_depend_on_numbers() -> None:
    design = EngineDesign(get_core("smm").configure({"npe": "1"}, 40), 2)
    known = knowledge(design)
    assert engine_faults(design) == []
    less = tuple(name for name in known.assumed if not name.endswith("random.fail"))
    assert engine_faults(design, replace(known, assumed=less))


@pytest.mark.nightly
def test_three_contexts_over_a_pipelined_multiplier_are_much_faster() -> None:
    # At 256 bits the nightly test has the limit that counts.
    one, three = (several(count, "karatsuba", 64) for count in (1, 3))
    curve = CURVE
    alone, together = (interval(unit, curve, Operation.SIGN) for unit in (one, three))
    assert together * 2.5 < alone


@nightly
def test_table_of_the_datasheet(capsys: pytest.CaptureFixture[str]) -> None:
    curve = get_curve("prime256v1")
    rows = []
    for count in range(1, 5):
        unit = several(count, "karatsuba", 256)
        times = [interval(unit, curve, item) for item in (Operation.SIGN, Operation.MULTIPLY)]
        rows.append((count, *times, unit.set_up_cycles))
    with capsys.disabled():
        print()
        for row in rows:
            print("| " + " | ".join(map(str, row)) + " |")
    page = (HW_DIR / "ecc" / "README.md").read_text()
    for row in rows:
        assert "| " + " | ".join(map(str, row)) + " |" in page
    for column in (1, 2):
        assert rows[2][column] * 2.5 <= rows[0][column]


@pytest.mark.parametrize("contexts", [0, 5])
def test_other_numbers_of_contexts_are_refused(contexts: int) -> None:
    with pytest.raises(RequestError, match="1 to 4 contexts"):
        EngineDesign(get_core("smm").configure({}, 256), contexts)


def with_few_words(unit: Engine) -> list[int | None]:
    """Return answers of contexts whose source gives a word now and then."""
    requests = [EngineRequest(Operation.BASE, (k,)) for k in (3, 4, 5)]
    run = unit.request(CURVE, requests, wire.RunFlag.STREAM)
    return [answer.z for answer in answers(unit, [unit.configuration(CURVE, 4), run])]


def test_each_random_word_goes_to_one_context() -> None:
    """The bench checks it."""
    assert with_few_words(several(2)) == with_few_words(several(1))


@nightly
def test_a_random_word_that_another_context_gets_is_found(tmp_path: Path) -> None:
    unit = several(2)
    old, new = (f"random_valid[{name}] = random_valid_i;" for name in ("drawer", "drawer_q"))
    rtl = faulty(tmp_path, unit.design.build(), "montcore_ecc_contexts", old, new)
    mutant = Engine(unit.design, rtl=rtl)
    with pytest.raises(CheckFailedError, match="a random word goes to no context or to several"):
        with_few_words(mutant)
