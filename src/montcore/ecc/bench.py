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
    """Cycles of one curve over one core; None for an operation that the curve does not support."""

    core: str
    curve: str
    multiply: int | None
    base: int | None
    sign: int | None
    verify: int | None
    ladder: int | None
    set_up: int
    clear: int


def _compare(
    unit: Engine, curve: Curve, requests: Sequence[EngineRequest], results: Sequence[Result]
) -> None:
    """Compare results with the model's.

    Raises:
        CheckFailedError: one differs.
    """
    model = unit.model(curve)
    for request, result in zip(requests, results, strict=True):
        wanted = model.run(request.operation, request.x, request.y)
        if (result.status, result.x, result.y) != (wanted.status, wanted.x, wanted.y):
            raise CheckFailedError(
                f"{request.operation.name} on {curve.name} differs from the model"
            )


def _cycles(unit: Engine, curve: Curve, request: EngineRequest) -> tuple[int, int]:
    """Return the cycles of an operation, and of the clearing after it.

    Raises:
        CheckFailedError: the hardware and the model differ.
    """
    result = unit.single(curve, request)
    _compare(unit, curve, [request], [result])
    if result.status not in (EngineStatus.OK, EngineStatus.SIGNATURE):
        raise CheckFailedError(f"{request.operation.name} on {curve.name}: {result.status.name}")
    clear = result.timing[6] - result.timing[4]
    return result.cycles, clear


def measure(unit: Engine, curve: Curve) -> EngineRow:
    """Return the cycles of a curve's operations."""
    n, point = curve.n, (curve.x, curve.y)
    public = replace(curve, public=True)
    core = unit.design.core
    name = f"{core.name} {core.label()}"
    if curve.family is Family.MONTGOMERY:
        cycles, clear = _cycles(unit, curve, EngineRequest(Operation.LADDER, (n // 3,), (9, 0)))
        return EngineRow(
            name, curve.name, None, None, None, None, cycles, unit.set_up_cycles, clear
        )
    multiply, clear = _cycles(unit, curve, EngineRequest(Operation.MULTIPLY, (n // 3,), point))
    set_up = unit.set_up_cycles
    base, _ = _cycles(unit, curve, EngineRequest(Operation.BASE, (n // 3,)))
    if curve.family is Family.EDWARDS:
        joint, _ = _cycles(unit, public, EngineRequest(Operation.JOINT, (n // 3, n // 5), point))
        return EngineRow(name, curve.name, multiply, base, None, joint, None, set_up, clear)
    sign, _ = _cycles(unit, curve, EngineRequest(Operation.SIGN, (n // 3, n // 5), (n // 7,)))
    verify, _ = _cycles(
        unit, public, EngineRequest(Operation.VERIFY, (n // 3, n // 5), (n // 7, *point))
    )
    return EngineRow(name, curve.name, multiply, base, sign, verify, None, set_up, clear)


def interval(unit: Engine, curve: Curve, operation: Operation) -> int:
    """Return the cycles between results on average when operations follow each other.

    This includes loading the operands and clearing the engine in between. With several contexts
    results arrive in groups; the average is taken over a group.

    Raises:
        CheckFailedError: the hardware and the model differ.
    """
    n, point, contexts = curve.n, (curve.x, curve.y), unit.design.contexts
    if operation in (Operation.VERIFY, Operation.JOINT):
        curve = replace(curve, public=True)
    rest = {
        Operation.MULTIPLY: ((), point),
        Operation.BASE: ((), ()),
        Operation.SIGN: ((n // 5,), (n // 7,)),
        Operation.VERIFY: ((n // 5,), (n // 7, *point)),
        Operation.JOINT: ((n // 5,), point),
    }[operation]
    count = 2 * contexts
    requests = [
        EngineRequest(operation, (n // 3 + index, *rest[0]), rest[1]) for index in range(count)
    ]
    results = unit.stream(curve, requests)
    _compare(unit, curve, requests, results)
    return round(sum(result.interval for result in results[-contexts:]) / contexts)
