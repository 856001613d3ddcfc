# SPDX-License-Identifier: Apache-2.0
"""Units that perform a whole operation over a multiplier, as points of a comparison.

The exponentiator raises to a power, the curve engine multiplies a point and signs. A unit is
identified by its name and its multiplier: ``modexp core=cs4 w=32``. Determining a point's
dependencies starts no tool and schedules no program, so that the atlas answers at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.support.errors import RequestError

if TYPE_CHECKING:
    from montcore.modexp.unit import UnitFlow


@dataclass(frozen=True)
class Unit:
    """A unit over a multiplier core.

    Attributes:
        name: name of the unit for `synth` and `build`.
        title: title of a report about it.
        operation: the operation that its latency refers to.
        flow: returns its flow over a multiplier; raises `RequestError` for an unsuitable one.
    """

    name: str
    title: str
    operation: str
    flow: "Callable[[Core], UnitFlow]"

    def over(self, bits: int, full: bool = False) -> tuple[list[Core], dict[str, str]]:
        """Return the multipliers to compare it over, and the unsuitable ones, with reasons.

        Args:
            full: every point of the cores' small sweeps, instead of each core's fastest one.
        """
        found: list[Core] = []
        refused: dict[str, str] = {}
        for name in all_cores():
            try:
                get_core(name).configure({}, bits)
                own = list(get_core(name).points(bits))
                for core in own:
                    self.flow(core)
            except RequestError as error:
                refused[f"{self.name} over {name}"] = str(error)
                continue
            # Of equally fast ones the smaller: the logic around the multiplier is the same.
            own.sort(key=lambda core: (core.core_cycles(bits), core.multipliers))
            found += own if full else own[:1]
        return found, refused


# The flows take long to import, and most comparisons are of multipliers.
def _exponentiator(core: Core) -> "UnitFlow":
    from montcore.modexp.design import ExponentiatorDesign
    from montcore.modexp.synthesis import ExponentiatorFlow

    return ExponentiatorFlow(ExponentiatorDesign(core))


def _engine(core: Core) -> "UnitFlow":
    from montcore.ecc.design import EngineDesign
    from montcore.ecc.synthesis import EngineFlow

    return EngineFlow(EngineDesign(core))


UNITS: Mapping[str, Unit] = {
    unit.name: unit
    for unit in (
        Unit("modexp", "modular exponentiation", "a power of the built length", _exponentiator),
        Unit("ecc", "elliptic curves", "k P on the widest curve that fits", _engine),
    )
}
