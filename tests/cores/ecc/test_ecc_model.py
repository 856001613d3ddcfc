# SPDX-License-Identifier: Apache-2.0
"""The curve engine's formulas, schedules and model, without hardware."""

import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from ecc_tools import points_of, small_curve, small_montgomery

from montcore.cores import get_core
from montcore.ecc import routines
from montcore.ecc.curves import Curve, Family, Point, all_curves, get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.edwards import montgomery
from montcore.ecc.elements import registers
from montcore.ecc.formulas import FORMULAS, Dag, trace
from montcore.ecc.isa import BANK, ONE, ZERO, EngineOp, EngineStatus, Instruction
from montcore.ecc.model import EngineModel, Random
from montcore.ecc.program import Operation, program
from montcore.ecc.schedule import EngineTiming, run, schedule
from montcore.support.errors import RequestError

TIMINGS = {
    "smm": EngineTiming(8, 23, 16, 2),
    "cs4": EngineTiming(8, 143, 130, 2),
    "karatsuba": EngineTiming(2, 21, 2, 2),
    "one beat": EngineTiming(1, 9, 8, 1),
}
NAMES = {
    Family.MINUS_3: "minus_3",
    Family.ANY_A: "any",
    Family.ZERO_A: "zero",
    Family.EDWARDS: "edwards",
}


def projective(curve: Curve, point: Point, factor: int) -> tuple[int, int, int]:
    if point is None:
        return 0, factor % curve.p, 0
    return point[0] * factor % curve.p, point[1] * factor % curve.p, factor % curve.p


def affine(curve: Curve, found: dict[str, int]) -> Point:
    x, y, z = found["X1"], found["Y1"], found["Z1"]
    if z == 0:
        assert curve.family is not Family.EDWARDS
        assert x == 0
        assert y != 0
        return None
    inverse = pow(z, -1, curve.p)
    return x * inverse % curve.p, y * inverse % curve.p


def values(dag: Dag, given: Mapping[str, int], p: int) -> dict[str, int]:
    """Return the outputs of a formula modulo p for given inputs; the ladder does not swap."""
    names = {node: name for name, node in dag.inputs.items()}
    found = list[int]()
    for index, (kind, left, right) in enumerate(dag.nodes):
        if kind == "input":
            found.append(given[names[index]] % p)
            continue
        x, y = found[left], found[right]
        found.append({"*": x * y, "+": x + y, "-": x - y, "?": x}[kind] % p)
    return {name: found[node] for name, node in dag.outputs.items()}


@pytest.mark.parametrize("p", [13, 31])
@pytest.mark.parametrize("family", NAMES)
def test_formulas_hold_for_every_pair_of_points(family: Family, p: int) -> None:
    curve = small_curve(family, p)
    rng = random.Random(p)
    neutral: list[Point] = [] if family is Family.EDWARDS else [None]
    points: list[Point] = [*neutral, *points_of(curve)]
    adding, doubling = (trace(FORMULAS[f"{verb}_{NAMES[family]}"]) for verb in ("add", "double"))
    constants = {"a": curve.a, "b": curve.b, "b3": 3 * curve.b, "zero": 0}
    for left in points:
        for right in points:
            one = projective(curve, left, rng.randrange(1, p))
            two = projective(curve, right, rng.randrange(1, p))
            given = dict(zip(("X1", "Y1", "Z1", "X2", "Y2", "Z2"), (*one, *two), strict=True))
            assert affine(curve, values(adding, given | constants, p)) == curve.add(left, right)
        assert affine(curve, values(doubling, given | constants, p)) == curve.add(left, left)


def executed(order: list[Instruction], values: dict[int, int], p: int) -> dict[int, int]:
    """Return the elements after a schedule; those with no value yet may not be read."""
    elements = {**values, ZERO: 0, ONE: 1}
    for item in order:
        x, y = elements[item.a], elements[item.b]
        result = {EngineOp.MUL: x * y, EngineOp.ADD: x + y, EngineOp.SUB: x - y, EngineOp.SEL: x}[
            item.op
        ] % p
        assert (item.d >= BANK) == (item.op is not EngineOp.MUL)
        elements[item.d] = result
    return elements


@pytest.mark.parametrize("timing", TIMINGS.values(), ids=list(TIMINGS))
@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.one_in(5)
def test_schedules_compute_their_formulas(name: str, timing: EngineTiming) -> None:
    p, dag, places = 10007, trace(FORMULAS[name]), registers(name)
    rng = random.Random(name)
    order = schedule(dag, places, timing)
    kinds = [kind for kind, _, _ in dag.nodes]
    assert len(order) == len(kinds) - kinds.count("input")
    given = {key: 0 if key == "zero" else rng.randrange(p) for key in dag.inputs}
    wanted = values(dag, given, p)
    found = executed(order, {places.fixed[key]: value for key, value in given.items()}, p)
    assert {key: found[places.fixed[key]] for key in wanted} == wanted
    # Constants stay.
    for key in dag.inputs.keys() - wanted.keys():
        assert found[places.fixed[key]] == given[key]
    assert run(order, timing)[0] >= timing.interval * (kinds.count("*") - 1)


def test_program_is_scheduled_once_and_then_read_from_the_cache(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.cache_clear()
    made = program(TIMINGS["smm"])
    program.cache_clear()
    monkeypatch.setattr(routines, "schedule", None)
    assert program(TIMINGS["smm"]) == made
    program.cache_clear()
    with pytest.raises(TypeError):
        program(TIMINGS["karatsuba"])


def model(curve: Curve) -> EngineModel:
    beats = -(-curve.bits // 32)
    return EngineModel(program(TIMINGS["smm"]), curve, 32 * beats, Random(1, 32), beats)


@pytest.mark.parametrize("name", ["brainpoolP160r1", "ed25519"])
def test_model_multiplies_points(name: str) -> None:
    curve = get_curve(name)
    unit = model(curve)
    assert unit.set_up.status is EngineStatus.OK
    rng = random.Random(name)
    point = curve.multiply(rng.randrange(curve.n), curve.base)
    assert point is not None
    for k in (1, rng.randrange(curve.n)):
        found = unit.run(Operation.MULTIPLY, (k,), point)
        assert (found.x, found.y) == curve.multiply(k, point)
        found = unit.run(Operation.BASE, (k,), ())
        assert (found.x, found.y) == curve.multiply(k, curve.base)
        found = unit.run(Operation.JOINT, (k, 3), point)
        assert (found.x, found.y) == curve.add(
            curve.multiply(k, curve.base), curve.multiply(3, point)
        )


def test_model_refuses_operands_that_are_not_reduced() -> None:
    curve = small_curve(Family.ANY_A, 31)
    unit = model(curve)
    unit.elements[4] = curve.p
    with pytest.raises(ValueError, match="not below the modulus"):
        unit._mul(Instruction(EngineOp.MUL, 5, 4, 4))


@pytest.mark.nightly  # every run has the programs of its engines, in their memories
def test_every_program_fits_its_memory_and_its_words() -> None:
    for timing in TIMINGS.values():
        code = program(timing).code
        assert len(code) <= 1024
        assert all(0 <= item.word() < 1 << 22 for item in code)


def test_named_curves_are_consistent() -> None:
    for curve in all_curves().values():
        if curve.family is not Family.MONTGOMERY:
            assert curve.holds(curve.base), curve.name
            neutral = (0, 1) if curve.family is Family.EDWARDS else None
            assert curve.multiply(curve.n, curve.base) == neutral, curve.name
    with pytest.raises(RequestError, match="no curve 'p-257'"):
        get_curve("p-257")


@pytest.mark.parametrize("name", ["x25519", "x448"])
def test_orders_of_curve_and_twist_blind_every_coordinate(name: str) -> None:
    form = montgomery(name)
    curve, k = form.curve, 12345
    assert {form.on_twist(u) for u in range(12)} == {False, True}
    for u in range(12):
        order = curve.b if form.on_twist(u) else curve.n
        assert curve.ladder(k + 8 * order, u) == curve.ladder(k, u)


def test_small_ladder_is_that_of_the_points() -> None:
    curve = small_montgomery(31)
    assert {curve.ladder(1, u) for u in range(31)} == set(range(31))


def test_designs_that_cannot_be_are_refused() -> None:
    with pytest.raises(RequestError, match="at least 32 bits"):
        EngineDesign(get_core("cs4").configure({"w": "16"}, 256))
    with pytest.raises(RequestError, match="at most 1000 bits"):
        EngineDesign(get_core("cs4").configure({}, 1001))
