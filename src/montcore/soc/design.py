# SPDX-License-Identifier: Apache-2.0
"""The sources of the accelerator: its own modules, and its units over their multiplier cores.

A multiplier by itself is one too, with registers and operand memory and no other unit.
"""

from dataclasses import dataclass
from pathlib import Path

from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.ecc.design import EngineDesign
from montcore.modexp.design import ExponentiatorDesign, generated_file
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
CURVE_MODULES = ("pka_draw", "pka_curves")
#: What only a multiplier by itself has, in place of the link and the units.
MULTIPLIER_MODULES = ("pka_pair",)
#: What the operand memory needs; an exponentiator and a curve engine bring it.
MEMORY_MODULES = ("pkg", "ram_macro", "ram", "block_ram")
#: What is between the clock of a bus and a clock of the accelerator's own.
CROSSING_MODULES = ("soc_sync", "soc_cdc")
#: What is between a reset port of another style than the bus's and the accelerator.
RESET_MODULES = ("soc_reset",)
#: What `Reset` takes.
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
        """Refuse what does not exist.

        Raises:
            RequestError: there is no such style or level.
        """
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
        reset: how it is reset behind a bus.
    """

    core: Core | None
    curves: Core | None = None
    clocks: int = 1
    multiplier: Core | None = None
    reset: Reset = Reset()

    def __post_init__(self) -> None:
        """Refuse what cannot be built.

        Raises:
            RequestError: there is another number of clocks than one or two, a unit cannot be
                built over its core, there is none, or the slots, which have the exponentiator's
                width, would be shorter than the curves.
        """
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
    """Return the module `montcore_pka_multiplier`: a core in the style for a technology."""
    overrides = core.sv_parameters(technology)
    return _MULTIPLIER.format(
        core=core.name,
        top=core.top,
        high=core.bus_width - 1,
        clock2="\n    /// Clock of the blocks, twice as fast.\n    input logic clk2x_i,"
        if core.fast_clock
        else "",
        clock2_port=".clk2x_i(clk2x_i), " if core.fast_clock else "",
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
    /// Clock.
    input logic clk_i,{clock2}
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Pulse: clear everything.
    input logic zeroize_i,
    /// Something is under way.
    output logic busy_o,
    /// Modulus stream: valid.
    input logic cfg_valid_i,
    /// Modulus stream: ready.
    output logic cfg_ready_o,
    /// Modulus stream: data.
    input logic [{high}:0] cfg_data_i,
    /// Modulus stream: last beat.
    input logic cfg_last_i,
    /// Pulse: the modulus was accepted or refused.
    output logic cfg_done_o,
    /// Why it was refused.
    output logic [2:0] cfg_error_o,
    /// X stream: valid.
    input logic x_valid_i,
    /// X stream: ready.
    output logic x_ready_o,
    /// X stream: data.
    input logic [{high}:0] x_data_i,
    /// X stream: last beat.
    input logic x_last_i,
    /// Y stream: valid.
    input logic y_valid_i,
    /// Y stream: ready.
    output logic y_ready_o,
    /// Y stream: data.
    input logic [{high}:0] y_data_i,
    /// Y stream: last beat.
    input logic y_last_i,
    /// Z stream: valid.
    output logic z_valid_o,
    /// Z stream: ready.
    input logic z_ready_i,
    /// Z stream: data.
    output logic [{high}:0] z_data_o,
    /// Z stream: last beat.
    output logic z_last_o,
    /// Z stream: the beat is an error.
    output logic z_error_o
);
  logic start, done, unused;
  assign unused = ^{{start, done}};
  {top} #({overrides}) u_core (
      .clk_i(clk_i), {clock2_port}.rst_ni(rst_ni), .zeroize_i(zeroize_i), .busy_o(busy_o),
      .cfg_valid_i(cfg_valid_i), .cfg_ready_o(cfg_ready_o), .cfg_data_i(cfg_data_i),
      .cfg_last_i(cfg_last_i), .cfg_done_o(cfg_done_o), .cfg_error_o(cfg_error_o),
      .x_valid_i(x_valid_i), .x_ready_o(x_ready_o), .x_data_i(x_data_i), .x_last_i(x_last_i),
      .y_valid_i(y_valid_i), .y_ready_o(y_ready_o), .y_data_i(y_data_i), .y_last_i(y_last_i),
      .z_valid_o(z_valid_o), .z_ready_i(z_ready_i), .z_data_o(z_data_o), .z_last_o(z_last_o),
      .z_error_o(z_error_o), .core_start_o(start), .core_done_o(done)
  );
endmodule
"""
