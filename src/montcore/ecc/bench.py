# SPDX-License-Identifier: Apache-2.0
"""Cycles of a curve engine's operations, with results as in the model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from montcore.ecc.curves import Curve, Family
from montcore.ecc.engine import Engine, EngineRequest, Result
from montcore.ecc.isa import EngineStatus
from montcore.ecc.program import Operation
from montcore.support.errors import CheckFailedError


@dataclass(frozen=True)
class EngineRow:
    """Cycles of one curve over one core.

    Attributes:
        cycles: those of each of `usual_requests`.
        clear: those from the first beat of an answer until the next operation can begin.
    """

    core: str
    curve: str
    cycles: dict[str, int]
    set_up: int
    clear: int


def usual_requests(curve: Curve) -> dict[str, EngineRequest]:
    """Return a usual operation of each kind that the curve supports."""
    n, point = curve.n, (curve.x, curve.y)
    if curve.family is Family.MONTGOMERY:
        return {"ladder": EngineRequest(Operation.LADDER, (n // 3,), (9, 0))}
    found = {
        "multiply": EngineRequest(Operation.MULTIPLY, (n // 3,), point),
        "base": EngineRequest(Operation.BASE, (n // 3,)),
    }
    two = n // 3, n // 5
    if curve.family is Family.EDWARDS:
        return {**found, "verify": EngineRequest(Operation.JOINT, two, point)}
    return {
        **found,
        "sign": EngineRequest(Operation.SIGN, two, (n // 7,)),
        "verify": EngineRequest(Operation.VERIFY, two, (n // 7, *point)),
    }


def _curve_for(curve: Curve, request: EngineRequest) -> Curve:
    """Return the curve as it is set up for an operation: for public scalars if it has only them."""
    return replace(curve, public=request.operation in (Operation.VERIFY, Operation.JOINT))


def compare(
    unit: Engine,
    curve: Curve,
    requests: Sequence[EngineRequest],
    results: Sequence[Result],
    what: str = "the RTL",
) -> None:
    """Compare results with the model's."""
    model = unit.model(curve)
    for request, result in zip(requests, results, strict=True):
        wanted = model.run(request.operation, request.x, request.y)
        if (result.status, result.x, result.y) != (wanted.status, wanted.x, wanted.y):
            raise CheckFailedError(
                f"{what} is wrong: {request.operation.name} on {curve.name} differs from the model"
            )
        if result.status not in (EngineStatus.OK, EngineStatus.SIGNATURE):
            raise CheckFailedError(
                f"{what} refuses {request.operation.name} on {curve.name}: {result.status.name}"
            )


def measure(unit: Engine, curve: Curve) -> EngineRow:
    """Return the cycles of a curve's operations."""
    results, set_ups = dict[str, Result](), list[int]()
    for name, request in usual_requests(curve).items():
        on = _curve_for(curve, request)
        results[name] = unit.single(on, request)
        compare(unit, on, [request], [results[name]])
        set_ups.append(unit.set_up_cycles)
    timing = next(iter(results.values())).timing
    cycles = {name: result.cycles for name, result in results.items()}
    core = unit.design.core
    name = f"{core.name} {core.label()}"
    return EngineRow(name, curve.name, cycles, set_ups[0], timing[6] - timing[4])


def interval(unit: Engine, curve: Curve, operation: Operation) -> int:
    """Return the cycles between results on average when operations follow each other.

    This includes loading the operands and clearing the engine in between. With several contexts
    results arrive in groups; the average is taken over a group.
    """
    contexts = unit.design.contexts
    (usual,) = (item for item in usual_requests(curve).values() if item.operation is operation)
    requests = [replace(usual, x=(usual.x[0] + i, *usual.x[1:])) for i in range(2 * contexts)]
    curve = _curve_for(curve, usual)
    results = unit.stream(curve, requests)
    compare(unit, curve, requests, results)
    return round(sum(result.interval for result in results[-contexts:]) / contexts)
