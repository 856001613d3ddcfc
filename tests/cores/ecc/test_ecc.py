# SPDX-License-Identifier: Apache-2.0
"""The curve engine's RTL on small curves: every point and scalar, statuses, secrets, clearing."""

import random
from dataclasses import replace

import pytest
from ecc_tools import (
    all_scalars,
    answers,
    engine,
    last_state,
    points_of,
    sample,
    small_curve,
    small_engine,
    words,
)

from montcore.cores import get_core
from montcore.ecc.curves import Curve, Family, Point, get_curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import Engine, EngineRequest
from montcore.ecc.isa import EngineStatus
from montcore.ecc.program import Operation
from montcore.sim import wire

nightly = pytest.mark.nightly
FORMS = [Family.MINUS_3, Family.ANY_A, Family.ZERO_A, Family.EDWARDS]
#: A prime over which there is a curve of each form.
SMALL = 13


def status_of(point: Point) -> EngineStatus:
    return EngineStatus.INFINITY if point is None else EngineStatus.OK


def check_products(unit: Engine, curve: Curve, requests: list[tuple[int, EngineRequest]]) -> None:
    """Check scalar products of points, and that all of them take the same cycles."""
    seen = set()
    results = unit.run(curve, [item for _, item in requests])
    for (k, item), result in zip(requests, results, strict=True):
        wanted = curve.multiply(k, (item.y[0], item.y[1]) if item.y else curve.base)
        found = (result.x, result.y) if result.status is EngineStatus.OK else None
        assert (result.status, found) == (status_of(wanted), wanted), f"{k} times {item.y}"
        seen.add((result.cycles, *result.timing[4:-1]))
    assert len(seen) == 1, "cycles depend on the scalar or the point"


@pytest.mark.parametrize("family", FORMS)
@pytest.mark.one_in(3)
def test_scalars_and_points_of_a_small_curve(family: Family) -> None:
    """Points of every order: on an Edwards curve, with components of small order."""
    curve = small_curve(family, SMALL)
    points = points_of(curve)
    requests = all_scalars(curve, points)
    edges = [(k, item) for k, item in requests if k in (0, 1, curve.n - 1, curve.n)]
    others = sample(requests, 12 if curve.cofactor == 1 else 40)
    check_products(small_engine(), curve, [*sample(edges, 8), *others])
    check_base(curve, 16)


#: For the smallest primes some forms have no curve. From 61 on, two of the scalars above the order,
#: which repeat those below it, are tried.
EVERY = [(family, p) for p in (13, 31, 61) for family in FORMS]
EVERY += [(family, 163 if family is Family.ZERO_A else 131) for family in FORMS]
EVERY += [(family, p) for p in (5, 7) for family in FORMS[:2]] + [(Family.ZERO_A, 7)]
SMALLEST_OF_LAST = 61


def check_base(curve: Curve, count: int) -> None:
    """Check products of the base point with that many of the scalars that the engine takes."""
    every = [(k, EngineRequest(Operation.BASE, (k,))) for k in range(2 * curve.n)]
    check_products(small_engine(), curve, sample(every, count))


@nightly
@pytest.mark.parametrize(("family", "p"), EVERY)
def test_every_scalar_and_point_over_primes_of_8_bits(family: Family, p: int) -> None:
    curve = small_curve(family, p)
    n = curve.n
    points = points_of(curve)
    requests = all_scalars(curve, points)
    last = max(k for k, _ in requests)
    scalars = {*range(last + 1 if p < SMALLEST_OF_LAST else n + 1), last}
    requests = [(k, item) for k, item in requests if k in scalars]
    assert len(requests) == len(points) * len(scalars) >= (n - 1) * (n + 2)
    check_products(small_engine(), curve, requests)
    check_base(curve, 2 * n)


@nightly
@pytest.mark.parametrize("family", FORMS)
@pytest.mark.parametrize("p", [127, 241])
def test_many_scalars_and_points_over_larger_primes(family: Family, p: int) -> None:
    curve = small_curve(family, p)
    check_products(small_engine(), curve, sample(all_scalars(curve, points_of(curve)), 1000))
    check_base(curve, 2 * curve.n)


#: How many random cases `make test` takes, and `make nightly`.
COUNTS = [10, pytest.param(60, marks=nightly)]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("family", FORMS)
def test_joint_products_of_a_small_curve(family: Family, count: int) -> None:
    curve = replace(small_curve(family, SMALL), public=True)
    rng = random.Random(2)
    points = points_of(curve)
    chosen = [
        (rng.randrange(curve.n), rng.randrange(curve.n), rng.choice(points)) for _ in range(count)
    ]
    chosen += [(0, 0, points[0]), (0, 1, points[1]), (1, 0, points[1]), (1, curve.n - 1, points[0])]
    requests = [EngineRequest(Operation.JOINT, (u, v), q) for u, v, q in chosen]
    for (u, v, q), result in zip(chosen, small_engine().run(curve, requests), strict=True):
        wanted = curve.add(curve.multiply(u, curve.base), curve.multiply(v, q))
        found = (result.x, result.y) if result.status is EngineStatus.OK else None
        assert (result.status, found) == (status_of(wanted), wanted)


def reference(curve: Curve, k: int, d: int, e: int) -> tuple[EngineStatus, int, int]:
    point = curve.multiply(k, curve.base)
    assert point is not None
    r = point[0] % curve.n
    s = pow(k, -1, curve.n) * (e + r * d) % curve.n
    return (EngineStatus.OK, r, s) if r and s else (EngineStatus.RETRY, 0, 0)


def accepts(curve: Curve, r: int, s: int, e: int, key: tuple[int, int]) -> bool:
    w = pow(s, -1, curve.n)
    point = curve.add(
        curve.multiply(e * w % curve.n, curve.base), curve.multiply(r * w % curve.n, key)
    )
    return point is not None and point[0] % curve.n == r


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("family", FORMS[:3])
@pytest.mark.parametrize("p", [SMALL, pytest.param(31, marks=nightly)])
def test_signatures_on_a_small_curve(family: Family, p: int, count: int) -> None:
    curve = small_curve(family, p)
    n, rng = curve.n, random.Random(3)
    asked = [(rng.randrange(1, n), rng.randrange(1, n), rng.randrange(2 * n)) for _ in range(count)]
    asked = [(k, d, e) for k, d, e in asked if e < 1 << n.bit_length()]
    requests = [EngineRequest(Operation.SIGN, (k, d), (e,)) for k, d, e in asked]
    for (k, d, e), result in zip(asked, small_engine().run(curve, requests), strict=True):
        assert (result.status, result.x, result.y) == reference(curve, k, d, e)
    key = curve.multiply(5, curve.base)
    assert key is not None
    claims = [(r, s, e) for r in range(n + 1) for s in range(n + 1) for e in (0, 1, n - 1)]
    claims = rng.sample(claims, 2 * count)
    requests = [EngineRequest(Operation.VERIFY, (r, s), (e, *key)) for r, s, e in claims]
    public = replace(curve, public=True)
    for (r, s, e), result in zip(claims, small_engine().run(public, requests), strict=True):
        if not (0 < r < n and 0 < s < n):
            assert result.status is EngineStatus.RANGE
        else:
            right = accepts(curve, r, s, e, key)
            wanted = EngineStatus.OK if right else EngineStatus.SIGNATURE
            assert result.status is wanted, (r, s, e)


def test_product_and_sum_modulo_the_order() -> None:
    curve = small_curve(Family.EDWARDS, SMALL)
    n, rng = curve.n, random.Random(4)
    numbers = [tuple(rng.randrange(n) for _ in range(3)) for _ in range(20)]
    requests = [EngineRequest(Operation.MULTIPLY_ADD, (x, y), (z,)) for x, y, z in numbers]
    for (x, y, z), result in zip(numbers, small_engine().run(curve, requests), strict=True):
        assert (result.status, result.x) == (EngineStatus.OK, (x * y + z) % n)


def test_points_off_the_curve_and_numbers_out_of_range_are_refused() -> None:
    curve = small_curve(Family.ANY_A, SMALL)
    n, p = curve.n, curve.p
    off = next((x, y) for x in range(p) for y in range(p) if not curve.holds((x, y)))
    good = (curve.x, curve.y)
    cases = [
        (EngineRequest(Operation.MULTIPLY, (1,), off), EngineStatus.POINT),
        (EngineRequest(Operation.MULTIPLY, (1,), (p, 0)), EngineStatus.RANGE),
        (EngineRequest(Operation.MULTIPLY, (1,), (curve.x, curve.y + p)), EngineStatus.RANGE),
        (EngineRequest(Operation.MULTIPLY, (2 * n,), good), EngineStatus.RANGE),
        (EngineRequest(Operation.BASE, (2 * n,)), EngineStatus.RANGE),
        (EngineRequest(Operation.SIGN, (0, 1), (1,)), EngineStatus.RANGE),
        (EngineRequest(Operation.SIGN, (n, 1), (1,)), EngineStatus.RANGE),
        (EngineRequest(Operation.SIGN, (1, 0), (1,)), EngineStatus.RANGE),
        (EngineRequest(Operation.SIGN, (1, n), (1,)), EngineStatus.RANGE),
        (EngineRequest(Operation.SIGN, (1, 1), (2 * n,)), EngineStatus.RANGE),
        (EngineRequest(Operation.VERIFY, (1, 1), (1, *off)), EngineStatus.POINT),
        (EngineRequest(Operation.VERIFY, (1, 1), (1, p, 0)), EngineStatus.RANGE),
        (EngineRequest(Operation.JOINT, (n, 1), good), EngineStatus.RANGE),
        (EngineRequest(Operation.JOINT, (1, n), good), EngineStatus.RANGE),
        (EngineRequest(Operation.MULTIPLY_ADD, (n, 1), (1,)), EngineStatus.RANGE),
        (EngineRequest(Operation.LADDER, (1,), (1, n)), EngineStatus.LENGTH),
        (EngineRequest(Operation.BASE, (1, 1)), EngineStatus.LENGTH),
        (EngineRequest(Operation.BASE, (1,), (1,)), EngineStatus.LENGTH),
        (EngineRequest(Operation.MULTIPLY, (1,), (1,)), EngineStatus.LENGTH),
        (EngineRequest(Operation.MULTIPLY, (1,), (1, 1, 1, 1, 1)), EngineStatus.LENGTH),
        (EngineRequest(Operation.SIGN, (1, 1, 1, 1, 1, 1, 1, 1, 1), (1,)), EngineStatus.LENGTH),
        (EngineRequest(Operation.SET_UP, (1,), ()), EngineStatus.LENGTH),
    ]
    # Each is followed by a valid operation, which must not be affected.
    fine = EngineRequest(Operation.MULTIPLY, (3,), good)
    requests = [item for case, _ in cases for item in (case, fine)]
    results = list(small_engine().run(curve, requests))
    for (case, wanted), result in zip(cases, results[::2], strict=True):
        assert (result.status, result.x, result.y) == (wanted, 0, 0), case
    assert {(item.x, item.y) for item in results[1::2]} == {curve.multiply(3, good)}


def test_an_engine_for_public_scalars_only_verifies() -> None:
    curve = replace(small_curve(Family.ANY_A, SMALL), public=True)
    good = (curve.x, curve.y)
    requests = [
        EngineRequest(Operation.MULTIPLY, (1,), good),
        EngineRequest(Operation.BASE, (1,)),
        EngineRequest(Operation.SIGN, (1, 1), (1,)),
        EngineRequest(Operation.MULTIPLY_ADD, (1, 1), (1,)),
    ]
    assert {item.status for item in small_engine().run(curve, requests)} == {EngineStatus.LENGTH}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"p": 12}, 1),
        ({"n": 12}, 1),
        ({"x": 1, "y": 1}, 4),
        ({"b": SMALL}, 4),
        ({"a": SMALL}, 4),
        ({"p": 1 << 20 | 1}, 3),
        ({"n": 1}, 3),
        ({"p": 3}, 3),
    ],
)
def test_bad_curves_are_refused_and_nothing_runs(change: dict[str, int], error: int) -> None:
    curve = small_curve(Family.ANY_A, SMALL)
    for name, value in change.items():
        object.__setattr__(curve := replace(curve), name, value)
    unit = small_engine()
    (answer,) = answers(unit, [unit.configuration(curve)])
    assert answer.status == error


@pytest.mark.parametrize("mode", [1, 2, 3, 4])
def test_a_source_of_randomness_that_fails_ends_the_operation(mode: int) -> None:
    wanted = EngineStatus.OK if mode == 4 else EngineStatus.RANDOM
    unit, curve = small_engine(), small_curve(Family.ANY_A, SMALL)
    requests = [
        EngineRequest(Operation.MULTIPLY, (3,), (curve.x, curve.y)),
        EngineRequest(Operation.BASE, (3,)),
        EngineRequest(Operation.SIGN, (3, 2), (1,)),
        EngineRequest(Operation.JOINT, (3, 2), (curve.x, curve.y)),
    ]
    commands: list[wire.Command] = [
        unit.configuration(curve, mode),
        *(unit.request(curve, [item]) for item in requests),
    ]
    found = [words(answer) for answer in answers(unit, commands)[1:]]
    assert [item[0] for item in found[:3]] == [wanted] * 3
    if wanted is EngineStatus.RANDOM:
        assert all(item[1:] == [0, 0] for item in found[:3])
    # Public scalars need no randomness.
    assert found[3][0] == EngineStatus.OK


def state_after(unit: Engine, curve: Curve, k: int, d: int) -> bytes:
    """Return the whole state of the engine after a signature with these secrets."""
    commands: list[wire.Command] = [
        unit.configuration(curve),
        unit.request(curve, [EngineRequest(Operation.SIGN, (k, d), (77,))]),
        wire.Snapshot(),
    ]
    return last_state(answers(unit, commands, snapshot=True))


def test_nothing_of_the_secrets_is_left_after_an_operation() -> None:
    unit, curve = small_engine(), small_curve(Family.ANY_A, 127)
    secrets = ((1, 1), (2, 1), (1, 3), (curve.n - 1, 77))
    # The last beat stays at the port, driven by the host: the key, which has three values here.
    states = {(d, state_after(unit, curve, k, d)) for k, d in secrets}
    assert len(states) == 3


@nightly
def test_nothing_of_long_secrets_is_left_after_an_operation() -> None:
    unit, curve = engine("smm", 112), get_curve("secp112r1")
    secrets = ((1, 1), (5 << 90 | 7, 1), (1, 5 << 60 | 9), (1 << 100, 3 << 90))
    assert len({state_after(unit, curve, k, d) for k, d in secrets}) == 1


def state_after_zeroize(unit: Engine, curve: Curve, after: int) -> bytes:
    """Return the whole state after zeroize some cycles into an operation."""
    commands: list[wire.Command] = [
        unit.configuration(curve),
        wire.Abort(after),
        unit.request(curve, [EngineRequest(Operation.BASE, (3,))]),
        # The curve's last beat is still at the port: replace it by another one, which is refused.
        wire.Configure(0, 1),
        wire.Snapshot(),
    ]
    found = answers(unit, commands, snapshot=True)
    assert [answer.kind for answer in found] == [1, 2, 3, 1, 4]
    assert found[2].status == 0, "something came out after zeroize"
    return last_state(found)


@pytest.mark.parametrize("after", [3, 700, 4_000])
def test_zeroize_stops_any_operation_and_leaves_nothing_of_the_curve(after: int) -> None:
    unit, one = small_engine(), small_curve(Family.ANY_A, 127)
    x, y = one.add(one.base, one.base) or (0, 0)
    other = replace(one, x=x, y=y)
    assert state_after_zeroize(unit, one, after) == state_after_zeroize(unit, other, after)


@nightly
@pytest.mark.parametrize("contexts", [1, 2])
def test_blocks_with_twice_the_clock_give_the_same_in_the_cycles_of_their_core(
    contexts: int,
) -> None:
    """Scalars and signatures; over `dsp`, products and the program take half the cycles."""
    curve = small_curve(Family.ANY_A, 127)
    requests = [
        EngineRequest(Operation.BASE, (5,)),
        EngineRequest(Operation.BASE, (curve.n - 1,)),
        EngineRequest(Operation.SIGN, (3, 5), (7,)),
    ]
    found = {}
    for clocking in ("single", "double"):
        core = get_core("dsp").configure({"alpha": "2", "clocking": clocking}, 40)
        unit = Engine(EngineDesign(core, contexts))
        found[clocking] = list(unit.run(curve, requests))
    numbers = {key: [(i.status, i.x, i.y) for i in items] for key, items in found.items()}
    assert numbers["double"] == numbers["single"]
    assert numbers["double"][0] == (EngineStatus.OK, *(curve.multiply(5, curve.base) or ()))
    assert found["double"][0].cycles == found["double"][1].cycles
    for one, two in zip(found["single"], found["double"], strict=True):
        assert two.cycles < one.cycles < 2 * two.cycles


@nightly
@pytest.mark.parametrize("core", ["smm", "cs", "cs4", "mx", "op", "rc", "dsp", "karatsuba"])
def test_every_core_makes_scalar_products(core: str) -> None:
    unit = engine(core, 256)
    for name in ("prime256v1", "secp256k1", "brainpoolP224r1", "ed25519"):
        curve = get_curve(name)
        point = curve.multiply(3, curve.base)
        assert point is not None
        k = curve.n // 3
        result = unit.single(curve, EngineRequest(Operation.MULTIPLY, (k,), point))
        assert (result.x, result.y) == curve.multiply(k, point)


def test_an_engine_too_narrow_for_its_multiplier_is_refused() -> None:
    assert EngineDesign(get_core("smm").configure({}, 9)).lanes == 1
    assert EngineDesign(get_core("smm").configure({}, 64)).lanes == 2
