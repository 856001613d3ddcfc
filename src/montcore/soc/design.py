# SPDX-License-Identifier: Apache-2.0
"""The sources of the accelerator: its own modules, and the exponentiator over a multiplier core."""

from dataclasses import dataclass
from pathlib import Path

from montcore.cores.core import ConfiguredCore
from montcore.cores.technology import SIMULATION, Technology
from montcore.modexp.design import Design as ModexpDesign
from montcore.support.errors import RequestError
from montcore.support.paths import PREFIX, module_files

#: The accelerator behind its register interface.
TOP = f"{PREFIX}pka"
#: Files in compile order; those of the exponentiator come before them.
OWN_MODULES = (
    *("pka_pkg", "soc_gear", "pka_registers", "pka_memory", "pka_feeder", "pka_sequence", "pka"),
)
#: The buses that there are shells for, with the module of each shell.
SHELLS = {"axi4-lite": "soc_axi4_lite", "apb": "soc_apb", "wishbone": "soc_wishbone", "tl-ul": "soc_tl_ul"}


def bus_top(bus: str) -> str:
    """Return the name of the accelerator's top module behind a bus.

    Raises:
        RequestError: there is no such bus.
    """
    if bus not in SHELLS:
        raise RequestError(f"there is no bus '{bus}' for the accelerator; there are {', '.join(SHELLS)}")
    return f"{TOP}_{bus.replace('-', '_')}"


@dataclass(frozen=True)
class Design:
    """An accelerator over one core in one configuration.

    Attributes:
        core: the multiplier core, configured.
        bus: one of `SHELLS`, or nothing for the register interface itself.
    """

    core: ConfiguredCore
    bus: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be built.

        Raises:
            RequestError: the exponentiator cannot be built over the core, or there is no such bus.
        """
        _ = self.modexp, self.top

    @property
    def modexp(self) -> ModexpDesign:
        """The exponentiator inside."""
        return ModexpDesign(self.core)

    @property
    def top(self) -> str:
        """Name of the top module."""
        return bus_top(self.bus) if self.bus else TOP

    @property
    def length(self) -> int:
        """Built width in bits."""
        return self.core.bits

    @property
    def double(self) -> bool:
        """Whether the multiplier has a second clock of twice the speed."""
        return self.modexp.double

    @property
    def defines(self) -> tuple[str, ...]:
        """Macros that the sources are compiled with."""
        return ("MONTCORE_CLK2X",) if self.double else ()

    def parameters(self) -> dict[str, int]:
        """Return the top module's parameters."""
        name = int.from_bytes(self.core.name.encode()[:4], "little")
        return {**self.modexp.parameters(), "CoreName": name}

    def sources(self, technology: Technology = SIMULATION) -> list[Path]:
        """Return the SystemVerilog files."""
        own = module_files(OWN_MODULES)
        if self.bus:
            own += module_files((SHELLS[self.bus], f"pka_{self.bus.replace('-', '_')}"))
        return [*self.modexp.sources(technology), *own]
