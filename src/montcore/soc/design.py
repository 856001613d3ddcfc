# SPDX-License-Identifier: Apache-2.0
"""The accelerator: its own modules, its units over their multiplier cores, and its addresses.

A multiplier by itself is one too, with registers and operand memory and no other unit.
"""

from dataclasses import dataclass
from pathlib import Path

from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.ecc.design import EngineDesign
from montcore.hdl.common_port import declared_port
from montcore.modexp.design import ExponentiatorDesign
from montcore.support.errors import RequestError
from montcore.support.files import generated_file
from montcore.support.paths import PREFIX, module_files

#: The accelerator behind its register interface.
TOP = f"{PREFIX}pka"
#: Files in compile order; those of the units come before them.
OWN_MODULES = (
    *("pka_pkg", "soc_gear", "pka_registers", "pka_memory", "pka_feeder", "pka_answer"),
    *("pka_link", "pka_check", "pka_sequence"),
)
#: What only an accelerator with curves has.
CURVE_MODULES = ("pka_draw", "pka_curves")
#: What only a multiplier by itself has, in place of the link and the units.
MULTIPLIER_MODULES = ("pka_pair",)
#: What the operand memory needs; an exponentiator and a curve engine bring it.
MEMORY_MODULES = ("pkg", "ram_macro", "ram", "block_ram")
#: What is between the clock of a bus and a clock of the accelerator's own.
CROSSING_MODULES = ("soc_sync", "soc_cdc")
#: What is between a reset port of another style than the bus's and the accelerator.
RESET_MODULES = ("soc_reset",)
RESET_STYLES, RESET_LEVELS = ("sync", "async"), ("low", "high")


@dataclass(frozen=True)
class Reset:
    """How a build is reset.

    Attributes:
        style: `sync`: its ports are synchronous to their clocks; `async`: they begin and end at any
            moment.
        level: `low` or `high`; empty: that of the bus, and low for a clock of its own.
    """

    style: str = "sync"
    level: str = ""

    def __post_init__(self) -> None:
        """Refuse what does not exist."""
        if self.style not in RESET_STYLES:
            raise RequestError(f"a reset is {' or '.join(RESET_STYLES)}, not {self.style}")
        if self.level not in ("", *RESET_LEVELS):
            raise RequestError(f"a reset is active {' or '.join(RESET_LEVELS)}, not {self.level}")

    def active_low(self, usual: bool) -> bool:
        """Tell whether a port is active low; `usual` is what the bus has."""
        return self.level == "low" if self.level else usual

    def converted(self, usual: bool) -> bool:
        """Tell whether a port whose usual level is low or not needs `montcore_soc_reset`."""
        return self.style == "async" or self.active_low(usual) != usual

    def suffixes(self, usual: bool) -> list[str]:
        """Return what a module's name says of it."""
        found = ["async"] if self.style == "async" else []
        if self.active_low(usual) != usual:
            found.append(self.level)
        return [f"{'_'.join(found)}_reset"] if found else []


@dataclass(frozen=True)
class AcceleratorDesign:
    """An accelerator: an exponentiator, a curve engine, or both, each over a multiplier of its own.

    Or a multiplier by itself.

    Attributes:
        core: the exponentiator's multiplier, configured; None: there is no exponentiator.
        curves: the curve engine's multiplier, configured; None: there is no curve engine.
        clocks: 1: that of the bus; 2: the accelerator has a clock of its own. The blocks' clock of
            twice the speed is not counted.
        multiplier: a multiplier by itself; the others are None.
    """

    core: Core | None
    curves: Core | None = None
    clocks: int = 1
    multiplier: Core | None = None
    reset: Reset = Reset()

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        if self.clocks not in (1, 2):
            raise RequestError(f"an accelerator has one clock or two, not {self.clocks}")
        if self.multiplier is not None:
            if self.core is not None or self.curves is not None:
                raise RequestError("a multiplier by itself has no other unit")
            return
        units = [self.modexp, self.ecc]  # each refuses a core that it cannot be built over
        if units == [None, None]:
            raise RequestError(
                "an accelerator has an exponentiator, curves or both, or a multiplier by itself"
            )
        if self.core is not None and self.curves is not None and self.core.bits < self.curves.bits:
            raise RequestError(
                f"the curves have {self.curves.bits} bits, more than the {self.core.bits} "
                "that were asked for"
            )

    @property
    def modexp(self) -> ExponentiatorDesign | None:
        """The exponentiator inside."""
        return ExponentiatorDesign(self.core) if self.core is not None else None

    @property
    def ecc(self) -> EngineDesign | None:
        """The curve engine inside."""
        return EngineDesign(self.curves) if self.curves is not None else None

    @property
    def main(self) -> Core:
        """The multiplier by which the accelerator is named."""
        found = self.core or self.curves or self.multiplier
        assert found is not None
        return found

    @property
    def length(self) -> int:
        """Built width in bits."""
        return self.main.bits

    @property
    def units(self) -> int:
        """The units as the register has them: bit 0 exponentiator, 1 curves, 2 multiplier."""
        bits = (self.core, self.curves, self.multiplier)
        return sum((unit is not None) << place for place, unit in enumerate(bits))

    @property
    def double(self) -> bool:
        """Whether a multiplier has a second clock of twice the speed."""
        return self.defines != ()

    @property
    def defines(self) -> tuple[str, ...]:
        """What the sources are compiled with."""
        if self.multiplier is not None:
            return ("MONTCORE_CLK2X",) if self.multiplier.fast_clock else ()
        units = (unit for unit in (self.modexp, self.ecc) if unit is not None)
        return tuple(name for unit in units for name in unit.defines)

    def parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameters, in the style for a technology."""
        name = int.from_bytes(self.main.name.encode()[:4], "little")
        found = {"Units": self.units, "Length": self.length}
        if self.multiplier is not None:
            found |= {"Width": self.multiplier.bus_width}
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
        if self.multiplier is not None:
            found += module_files(MEMORY_MODULES)
            text = _multiplier(self.multiplier, technology)
            found += [*self.multiplier.sources(), generated_file("pka_multiplier", text)]
        names = (
            *OWN_MODULES,
            *(MULTIPLIER_MODULES if self.multiplier is not None else ()),
            *(CURVE_MODULES if self.curves is not None else ()),
            "pka",
        )
        crossing = CROSSING_MODULES if self.clocks == 2 else ()
        resets = RESET_MODULES if self.reset != Reset() else ()
        found += module_files((*names, *crossing, *resets, shell) if shell else names)
        return list(dict.fromkeys(found))


def _multiplier(core: Core, technology: Technology) -> str:
    overrides = core.sv_parameters(technology)
    return _MULTIPLIER.format(
        core=core.name,
        top=core.top,
        ports=declared_port(core.bus_width, second_clock=core.fast_clock != "", datapath=False),
        overrides=", ".join(f".{key}({value})" for key, value in overrides.items()),
    )


_MULTIPLIER = """// SPDX-License-Identifier: Apache-2.0

/// The multiplier by itself of an accelerator: the core {core}. Generated by montcore.soc.design.
///
/// z = x * y * R^-1 mod m, on the common port.
/// Precondition: none; what cannot be computed is answered with an error.
/// Latency: that of the core.
/// Example, a core with R = 2^8, m = 0x8b: x = 0x53, y = 0x2a -> z = 0x45.
module montcore_pka_multiplier (
{ports}
);
  logic start, done, unused;
  assign unused = ^{{start, done}};
  {top} #({overrides}) u_core (.core_start_o(start), .core_done_o(done), .*);
endmodule
"""


LENGTH, Y_LENGTH, COMMAND, CYCLES, CURVE = 0x24, 0x28, 0x2C, 0x30, 0x34
#: Address of the first operand slot, of the first key slot, and the distance of slots.
OPERANDS, KEY, SLOT = 0x4000, 0x8000, 0x400
