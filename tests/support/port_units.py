# SPDX-License-Identifier: Apache-2.0
"""Units behind the common port by their names, for benches in a process of their own."""

from typing import Any

from montcore.bundle.styles import Design
from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.ecc.design import EngineDesign
from montcore.modexp.design import ExponentiatorDesign

#: Variable with a number of packets, a target, and the name of the unit.
UNIT = "MONTCORE_BENCH_UNIT"
#: Variable with the name of an exponentiator, or of a core whose unit for lazy products is driven.
DESIGN = "MONTCORE_BENCH_DESIGN"
#: Variable with the largest modulus that a unit for lazy products is tested with all operands of.
MOST = "MONTCORE_BENCH_MOST"


def named(
    core: str, settings: dict[str, str], bits: int, kind: str = "", copies: int = 1
) -> Design:
    """Return a multiplier, or what is built over it: ``slots``, a ``pair``, ``contexts``."""
    chosen = get_core(core).configure(settings, bits)
    if kind == "contexts":
        return EngineDesign(chosen, copies)
    if kind:
        return ExponentiatorDesign(chosen, slots=copies, pair=kind == "pair")
    return chosen


def name_of(design: Core | ExponentiatorDesign | EngineDesign) -> list[Any]:
    """Return the arguments of `named` for a unit."""
    core, rest = design, list[Any]()
    if isinstance(design, EngineDesign):
        core, rest = design.core, ["contexts", design.contexts]
    elif isinstance(design, ExponentiatorDesign):
        core, rest = design.core, ["pair" if design.pair else "slots", design.slots]
    assert isinstance(core, Core)
    settings = {name: str(value) for name, value in core.settings().items()}
    return [core.name, settings, core.bits, *rest]
