# SPDX-License-Identifier: Apache-2.0
"""The sources of the accelerator: its own modules, and the exponentiator over a multiplier core."""

from dataclasses import dataclass
from pathlib import Path

from montcore.cores.core import ConfiguredCore
from montcore.cores.technology import SIMULATION, Technology
from montcore.modexp.design import Design as ModexpDesign
from montcore.support.paths import PREFIX, module_files

#: The accelerator behind its register interface.
TOP = f"{PREFIX}pka"
#: Files in compile order; those of the exponentiator come before them.
OWN_MODULES = (
    *("pka_pkg", "soc_gear", "pka_registers", "pka_memory", "pka_feeder", "pka_sequence", "pka"),
)


@dataclass(frozen=True)
class Design:
    """An accelerator over one core in one configuration.

    Attributes:
        core: the multiplier core, configured.
    """

    core: ConfiguredCore

    def __post_init__(self) -> None:
        """Refuse what cannot be built.

        Raises:
            RequestError: the exponentiator cannot be built over the core.
        """
        _ = self.modexp

    @property
    def modexp(self) -> ModexpDesign:
        """The exponentiator inside."""
        return ModexpDesign(self.core)

    @property
    def length(self) -> int:
        """Built width in bits."""
        return self.core.bits

    @property
    def double(self) -> bool:
        """Whether the multiplier has a second clock of twice the speed."""
        return self.modexp.double

    def parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameters, in the style for a technology."""
        name = int.from_bytes(self.core.name.encode()[:4], "little")
        return {**self.modexp.parameters(technology), "CoreName": name}

    def sources(self, technology: Technology = SIMULATION, shell: str = "") -> list[Path]:
        """Return the SystemVerilog files, with those of a shell (named without the prefix)."""
        own = module_files((*OWN_MODULES, shell) if shell else OWN_MODULES)
        return [*self.modexp.sources(technology), *own]
