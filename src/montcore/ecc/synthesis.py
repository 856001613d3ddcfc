# SPDX-License-Identifier: Apache-2.0
"""The curve engine's flow: its cycles are those of k P on the widest curve that fits."""

from dataclasses import dataclass, replace

from montcore.ecc.bench import compare, measure, usual_requests
from montcore.ecc.curves import Curve, Family, all_curves
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import Engine, EngineRequest
from montcore.ecc.program import Operation
from montcore.modexp.unit import UnitFlow, same_cycles
from montcore.support.errors import RequestError
from montcore.synth.gatesim.gate_model import GateBuild


def widest_curve(bits: int) -> Curve:
    """Return the widest short Weierstrass curve that an engine supports."""
    fitting = [
        curve
        for curve in all_curves().values()
        if curve.bits <= bits and curve.family <= Family.ZERO_A
    ]
    if not fitting:
        raise RequestError(f"no named curve fits into {bits} bits; the narrowest has 112")
    # Among curves of equal width, prefer a = -3.
    return max(fitting, key=lambda curve: (curve.bits, -curve.family))


@dataclass(frozen=True)
class EngineFlow(UnitFlow):
    """Synthesis and checks of an engine."""

    design: EngineDesign

    def __post_init__(self) -> None:
        widest_curve(self.design.length)

    def simulate(self, seed: int) -> int:
        """Return the cycles of k P."""
        del seed
        curve = widest_curve(self.design.length)
        unit, request = Engine(self.design), usual_requests(curve)["multiply"]
        result = unit.single(curve, request)
        compare(unit, curve, [request], [result])
        return result.cycles

    def check_netlist(self, build: GateBuild, seed: int) -> int:
        """Compare a joint product; public scalars need no source of randomness."""
        del seed
        curve = replace(widest_curve(112), public=True)
        point = curve.multiply(3, curve.base)
        requests = [EngineRequest(Operation.JOINT, (curve.n // 3, curve.n // 5), point or (0, 0))]
        unit = Engine(self.design, rtl=build)
        found = list(unit.run(curve, requests))
        what = f"the netlist {build.sources[0].name}"
        compare(unit, curve, requests, found, what)
        wanted = Engine(self.design).run(curve, requests)
        same_cycles(what, [item.cycles for item in found], [item.cycles for item in wanted])
        return len(requests)

    def verify(self, seed: int) -> dict[str, int]:
        """Compare k P, k G, a signature and its verification with the model."""
        del seed  # the scalars are those of `bench.measure`, so that the cycles match too
        cycles = measure(Engine(self.design), widest_curve(self.design.length)).cycles
        return {"checked": 4, "sign_cycles": cycles["sign"], "verify_cycles": cycles["verify"]}
