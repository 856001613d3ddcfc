# SPDX-License-Identifier: Apache-2.0
"""The limits of numbers that hw/ecc/README.md states, and the ladder for every u."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from ecc_tools import small_curve, small_engine, small_montgomery

from montcore.ecc.curves import Curve, Family
from montcore.ecc.edwards import is_square
from montcore.ecc.engine import EngineRequest
from montcore.ecc.isa import EngineStatus
from montcore.ecc.program import PACKETS, Operation
from montcore.support.paths import HW_DIR

FORMS = [Family.ANY_A, Family.EDWARDS, Family.MONTGOMERY]
_ROW = re.compile(r"\| (\d) [^|]*\| ([^|]*)\| ([^|]*)\| [^|]*\| ([^|]*)\|")
_LIMIT = re.compile(r"(?:in family 3 )?(0 < )?(\w) < (\d* ?[np]|2)")


def stated() -> Iterator[tuple[Operation, str, str]]:
    """Yield operation, names of its numbers (a point's are x and y) and the limits of its row."""
    page = (HW_DIR / "ecc" / "README.md").read_text()
    table = page.split("| operation | x | y |")[1].split("\n\n")[0]
    for number, x, y, limits in _ROW.findall(table):
        names = [name.strip() for name in f"{x},{y}".split(",") if name.strip()]
        flat = "".join("xy" if name in "PQ" else name for name in names)
        yield Operation(int(number)), flat, limits


def limits_of(operation: Operation, names: str, text: str, curve: Curve) -> Iterator[EngineRequest]:
    """Yield pairs of requests: with a number at its limit, refused, and one that is not."""
    point = curve.x, curve.y
    good = dict.fromkeys(names, 1) | dict(zip("xy", point, strict=True))
    if operation is Operation.LADDER:
        good = {"k": 1, "u": 0, "t": 0}
    bounds = dict[str, tuple[bool, int]]()
    for limit in text.split(","):
        found = _LIMIT.fullmatch(limit.strip())
        assert found, limit
        if limit.strip().startswith("in family") and curve.family is not Family.EDWARDS:
            continue
        positive, name, bound = found.groups()
        factor, unit = re.fullmatch(r"(\d*) ?([np]?)", bound).groups()  # type: ignore[union-attr]
        bounds[name] = bool(positive), int(factor or 1) * {"n": curve.n, "p": curve.p, "": 1}[unit]
    assert set(bounds) == set(names) - set("xy")
    for name in "xy":
        if name in names:
            bounds[name] = False, curve.p
    split = PACKETS[operation][0]

    def request(changed: str, value: int) -> EngineRequest:
        numbers = [value if name == changed else good[name] for name in names]
        return EngineRequest(operation, tuple(numbers[:split]), tuple(numbers[split:]))

    for name, (positive, bound) in bounds.items():
        yield from (request(name, bound), request(name, bound - 1))
        if positive:
            yield from (request(name, 0), request(name, 1))


@pytest.mark.parametrize("family", FORMS)
def test_each_number_is_refused_from_its_stated_limit_on(family: Family) -> None:
    curve = small_montgomery(31) if family is Family.MONTGOMERY else small_curve(family, 31)
    rows = list(stated())
    assert [operation for operation, _, _ in rows] == list(Operation)[:7]
    allowed = {
        Family.ANY_A: set(Operation) - {Operation.LADDER},
        Family.EDWARDS: {
            Operation.MULTIPLY,
            Operation.BASE,
            Operation.JOINT,
            Operation.MULTIPLY_ADD,
        },
        Family.MONTGOMERY: {Operation.LADDER},
    }[family]
    requests = [item for row in rows if row[0] in allowed for item in limits_of(*row, curve)]
    results = list(small_engine().run(curve, requests))
    for item, result in zip(requests[::2], results[::2], strict=True):
        assert result.status is EngineStatus.RANGE, item
    for item, result in zip(requests[1::2], results[1::2], strict=True):
        assert result.status not in (EngineStatus.RANGE, EngineStatus.LENGTH), item


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.nightly)])
def test_ladder_of_a_small_curve(count: int) -> None:
    """Every u is of the curve or of its twist; the operation that says the wrong one is refused."""
    curve = small_montgomery(31)
    p, coefficient, rng = curve.p, 4 * curve.a + 2, random.Random(5)
    twist = [int(not is_square(u * (u * u + coefficient * u + 1), p)) for u in range(p)]
    every = [
        EngineRequest(Operation.LADDER, (k,), (u, twist[u])) for u in range(p) for k in range(2 * p)
    ]
    requests = rng.sample(every, min(count, len(every)))
    lies = [replace(item, y=(item.y[0], 1 - item.y[1])) for item in requests[:20]]
    for item, result in zip(lies, small_engine().run(curve, lies), strict=True):
        # Infinity does not show the group; on a real curve only points of small order lead there.
        assert result.status is EngineStatus.POINT or result.x == 0, item
    # The orders are those of the curve's packet, and no others.
    wrong = [(1, t) for t in (2, 3, curve.n, curve.b, p - 1, p, 1 << 31)]
    refused = [EngineRequest(Operation.LADDER, (1,), y) for y in wrong]
    found = small_engine().run(curve, refused)
    assert {(item.status, item.x) for item in found} == {(EngineStatus.RANGE, 0)}
    seen = set()
    for item, result in zip(requests, small_engine().run(curve, requests), strict=True):
        assert result.status is EngineStatus.OK
        assert result.x == curve.ladder(item.x[0], item.y[0]), item
        seen.add((result.cycles, *result.timing[4:-1]))
    assert len(seen) == 1
