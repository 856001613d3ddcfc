# SPDX-License-Identifier: Apache-2.0
"""The sources of the accelerator: its own modules, and its units over their multiplier cores."""

from dataclasses import dataclass
from pathlib import Path

from montcore.cores.core import ConfiguredCore
from montcore.cores.technology import SIMULATION, Technology
from montcore.ecc.design import Design as EccDesign
from montcore.modexp.design import Design as ModexpDesign
from montcore.support.errors import RequestError
from montcore.support.paths import PREFIX, module_files

#: The accelerator behind its register interface.
TOP = f"{PREFIX}pka"
#: Files in compile order; those of the units come before them.
OWN_MODULES = (
    *("pka_pkg", "soc_gear", "pka_registers", "pka_memory", "pka_feeder", "pka_answer"),
    *("pka_link", "pka_check", "pka_sequence"),
)
#: What only an accelerator with curves has.
CURVE_MODULES = ("pka_draw",)
#: What is between the clock of a bus and a clock of the accelerator's own.
CROSSING_MODULES = ("soc_sync", "soc_cdc")


@dataclass(frozen=True)
class Design:
    """An accelerator: an exponentiator, a curve engine, or both, each over a multiplier of its own.

    Attributes:
        core: the exponentiator's multiplier, configured; None: there is no exponentiator.
        curves: the curve engine's multiplier, configured; None: there is no curve engine.
        clocks: 1: that of the bus; 2: the accelerator has a clock of its own. The blocks' clock of
            twice the speed is not counted.
    """

    core: ConfiguredCore | None
    curves: ConfiguredCore | None = None
    clocks: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be built.

        Raises:
            RequestError: there is another number of clocks than one or two, a unit cannot be
                built over its core, there is none, or the slots, which have the exponentiator's
                width, would be shorter than the curves.
        """
        if self.clocks not in (1, 2):
            raise RequestError(f"an accelerator has one clock or two, not {self.clocks}")
        if self.modexp is None and self.ecc is None:
            raise RequestError("an accelerator has an exponentiator, curves or both")
        if self.core is not None and self.curves is not None and self.core.bits < self.curves.bits:
            raise RequestError(
                f"the curves have {self.curves.bits} bits, more than the {self.core.bits} "
                "that were asked for"
            )

    @property
    def modexp(self) -> ModexpDesign | None:
        """The exponentiator inside."""
        return ModexpDesign(self.core) if self.core is not None else None

    @property
    def ecc(self) -> EccDesign | None:
        """The curve engine inside."""
        return EccDesign(self.curves) if self.curves is not None else None

    @property
    def main(self) -> ConfiguredCore:
        """The multiplier by which the accelerator is named."""
        found = self.core or self.curves
        assert found is not None
        return found

    @property
    def length(self) -> int:
        """Built width in bits."""
        return self.main.bits

    @property
    def units(self) -> int:
        """The units as the register has them: bit 0 exponentiator, bit 1 curves."""
        return (self.core is not None) + 2 * (self.curves is not None)

    @property
    def double(self) -> bool:
        """Whether the multiplier has a second clock of twice the speed."""
        return self.modexp is not None and self.modexp.double

    @property
    def defines(self) -> tuple[str, ...]:
        """What the sources are compiled with."""
        return self.modexp.defines if self.modexp is not None else ()

    def parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameters, in the style for a technology."""
        name = int.from_bytes(self.main.name.encode()[:4], "little")
        found = {"Units": self.units, "Length": self.length}
        if self.modexp is not None:
            found |= self.modexp.parameters(technology)
        if self.ecc is not None:
            own = self.ecc.parameters(technology)
            found |= {f"Curve{key}": value for key, value in own.items() if key != "Tech"}
        return {**found, "Tech": int(technology.tech), "CoreName": name}

    def sources(self, technology: Technology = SIMULATION, shell: str = "") -> list[Path]:
        """Return the SystemVerilog files, with a shell (named without the prefix) and crossing."""
        units = (unit for unit in (self.modexp, self.ecc) if unit is not None)
        found = [path for unit in units for path in unit.sources(technology)]
        names = (*OWN_MODULES, *(CURVE_MODULES if self.curves is not None else ()), "pka")
        crossing = CROSSING_MODULES if self.clocks == 2 else ()
        found += module_files((*names, *crossing, shell) if shell else names)
        return list(dict.fromkeys(found))
