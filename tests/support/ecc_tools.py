# SPDX-License-Identifier: Apache-2.0
"""Small curves of every form, small engines, and raw commands for them."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from montcore.cores import get_core
from montcore.ecc.curves import Curve, Family
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import Engine, EngineRequest, Result
from montcore.ecc.model import EngineModel as Model
from montcore.sim import wire
from montcore.sim.process import script


def points_of(curve: Curve) -> list[tuple[int, int]]:
    """Return all finite points of a small curve."""
    places = range(curve.p)
    return [(x, y) for x in places for y in places if curve.holds((x, y))]


def order_of(curve: Curve, point: tuple[int, int]) -> int:
    """Return the order of a point."""
    neutral = (0, 1) if curve.family is Family.EDWARDS else None
    total, count = curve.add(point, neutral), 1
    while total != neutral:
        total, count = curve.add(total, point), count + 1
    return count


def is_prime(n: int) -> bool:
    """Return whether a small number is prime."""
    return n > 1 and all(n % k for k in range(2, int(n**0.5) + 1))


@cache
def small_curve(family: Family, p: int) -> Curve:
    """Return a curve of prime order; for Edwards curves, of 4 or 8 times a prime."""
    for a in range(p):
        for b in range(1, p):
            curve = _shaped(family, p, a, b)
            if curve is None:
                continue
            points = list(points_of(curve))
            if family is Family.EDWARDS:
                orders = {point: order_of(curve, point) for point in points}
                good = [
                    point
                    for point, n in orders.items()
                    if is_prime(n) and n > 3 and len(points) in (4 * n, 8 * n)
                ]
            else:
                good = points if is_prime(len(points) + 1) and len(points) > 3 else []
            if good:
                x, y = good[len(good) // 2]
                n = order_of(curve, (x, y))
                return replace(curve, x=x, y=y, n=n, cofactor=round(len(points) / n))
    raise AssertionError(f"there is no such curve over {p}")


def _shaped(family: Family, p: int, a: int, b: int) -> Curve | None:
    squares = {x * x % p for x in range(1, p)}
    if family is Family.EDWARDS:
        good = a in squares and b not in squares and b != 0
    else:
        kind = {p - 3: Family.MINUS_3, 0: Family.ZERO_A}.get(a, Family.ANY_A)
        good = kind is family and (4 * a**3 + 27 * b * b) % p != 0
    return Curve("small", family, p, a, b, 0, 0, 1) if good else None


def small_montgomery(p: int) -> Curve:
    """Return a Montgomery curve; it and its twist have 4 or 8 times an odd number of points."""
    squares = [x * x % p for x in range(p)]
    for a in range(6, p, 4):
        if (a * a - 4) % p in squares:
            continue
        order = 1 + sum(squares.count((u**3 + a * u * u + u) % p) for u in range(p))
        twist = 2 * p + 2 - order
        if order % 16 and twist % 16 and min(order, twist) > 8:
            n, other = (value // (8 if value % 8 == 0 else 4) for value in (order, twist))
            numbers = ((a - 2) // 4, other, 2, 0, n, order // n)
            return Curve("small", Family.MONTGOMERY, p, *numbers)
    raise AssertionError(p)


class EngineReference(Engine):
    """An engine whose operations are computed by the model of its program, without RTL."""

    def single(self, curve: Curve, item: EngineRequest) -> Result:
        """Run one operation; it has no cycles."""
        self.request(curve, [item])  # what does not fit into the packets is refused
        found = _model(self, curve).run(item.operation, item.x, item.y)
        return Result(found.status, found.x, found.y, 0, 0)


@cache
def _model(unit: Engine, curve: Curve) -> Model:
    return unit.model(curve)


@cache
def engine(core: str, bits: int, *settings: tuple[str, str]) -> Engine:
    """Return an engine."""
    return Engine(EngineDesign(get_core(core).configure(dict(settings), bits)))


@cache
def small_engine() -> Engine:
    """Return an engine for small primes; one simulator also shows its state."""
    design = EngineDesign(get_core("smm").configure({}, 9))
    return Engine(design, rtl=replace(design.build(), savable=True))


def answers(
    unit: Engine, commands: Sequence[wire.Command], *, snapshot: bool = False
) -> list[wire.WireAnswer]:
    """Send commands; return the answers."""
    executable = unit.design.build().executable(snapshot=True) if snapshot else unit.prepare()
    return list(script(executable, wire.BeatFormat(unit.design.width), commands, snapshot=snapshot))


def last_state(found: Sequence[wire.WireAnswer]) -> bytes:
    """Return the state in the last answer, that to a snapshot."""
    state = found[-1].state
    assert state
    return state


def words(answer: wire.WireAnswer, width: int = 32) -> list[int]:
    """Return the three beats of the answer of an engine with numbers of one beat."""
    assert answer.z is not None
    return [answer.z >> place * width & (1 << width) - 1 for place in range(3)]


def all_scalars(curve: Curve, points: Sequence[tuple[int, int]]) -> list[tuple[int, EngineRequest]]:
    """Return requests for all scalars that the engine takes, with these points."""
    from montcore.ecc.program import Operation

    return [
        (k, EngineRequest(Operation.MULTIPLY, (k,), point))
        for point in points
        for k in range((8 if curve.family is Family.EDWARDS else 2) * curve.n)
    ]


def sample(
    items: Sequence[tuple[int, EngineRequest]], count: int
) -> list[tuple[int, EngineRequest]]:
    """Return a reproducible sample of the items."""
    return random.Random(1).sample(list(items), min(count, len(items)))
