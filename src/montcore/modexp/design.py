# SPDX-License-Identifier: Apache-2.0
"""The exponentiator's sources: `modexp` and, generated, the multiplier it is built over.

With several slots they are those of `modexp_slots`, in which exponentiators share a multiplier.

The multiplier of the default build is kept beside the other sources, so that the folder is
complete; ``montcore maintain multiplier`` writes it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from montcore.cores.contract import LazyUnit
from montcore.cores.dsp import Dsp
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.modexp import ModelMultiplier
from montcore.modexp.unit import UnitDesign
from montcore.sim.build import RtlBuild
from montcore.sim.port_checker import CheckedPort
from montcore.support.errors import RequestError
from montcore.support.files import generated_file
from montcore.support.paths import PREFIX, module_files
from montcore.support.requests import checked

WINDOW = 5
LENGTH_BITS = 13
MAX_LENGTH = (1 << LENGTH_BITS) - 1
MIN_WIDTH = 16
#: Longest line of a generated file.
_LINE = 100
MAX_SLOTS = 4

#: The exponentiator's top module, and the one of several slots.
TOP = f"{PREFIX}modexp"
TOP_OF_SEVERAL = f"{PREFIX}modexp_slots"
#: The top module of two exponentiators with a modulus each, over one row of `dsp`.
TOP_OF_PAIR = f"{PREFIX}modexp_pair"

_PARTS = (
    *("modexp_pkg", "modexp_adder", "modexp_table", "modexp_packets", "modexp_window"),
    *("modexp_route", "modexp_sequence", "modexp_store", "modexp_engine"),
)
#: Files in compile order: of one exponentiator, and of several slots.
OWN_MODULES = (*_PARTS, "modexp")
SLOTS_MODULES = (*_PARTS, "turns", "modexp_result", "modexp_share", "modexp_slots")
PAIR_MODULES = (*_PARTS, "modexp_squares", "modexp_pair_kept", "modexp_dsp_pair", "modexp_pair")
#: What the row of a pair consists of, after `COMMON_MODULES`.
PAIR_ROW_MODULES = (
    *("mult18", "mul_registered", "mul_add_pkg", "mul_add", "dsp_pkg", "dsp_inverse"),
    *("dsp_control", "dsp_operand", "dsp_writer", "dsp_result", "dsp_length", "dsp_pair_lockstep"),
    *("dsp_pair_block", "dsp_pair_row", "dsp_pair_sequencer", "dsp_pair_turns", "dsp_pair_engine"),
)
COMMON_MODULES = ("pkg", "ram_macro", "ram", "block_ram")


@checked
@dataclass(frozen=True)
class ExponentiatorDesign(UnitDesign):
    """An exponentiator over one core in one configuration.

    Attributes:
        lazy: use the core's unit for lazy products, where it has one, instead of its port.
        slots: requests that can be under way, each in an exponentiator of its own.
        pair: two exponentiators with a modulus each share the row of `dsp`.
    """

    name: ClassVar[str] = "modexp"

    lazy: bool = True
    slots: int = 1
    pair: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be built.

        Raises:
            RequestError: the multiplier's bus is too narrow for the packet headers, or the number
                of bits too large for them; or too many slots; or a pair that there is none of.
        """
        if self.pair and (self.core.name != Dsp.name or not self.lazy):
            raise RequestError(f"pair=1 is for the lazy unit of dsp, not for {self.core.name}")
        if self.pair and self.slots > 1:
            raise RequestError("pair=1 and several slots exclude each other")
        if not 1 <= self.slots <= MAX_SLOTS:
            raise RequestError(f"an exponentiator has 1 to {MAX_SLOTS} slots")
        if self.width < MIN_WIDTH:
            raise RequestError(
                f"the exponentiator needs a multiplier with a bus of at least {MIN_WIDTH} bits, "
                f"not {self.width}"
            )
        # `montcore_modexp_packets.sv` refuses the same in the same words.
        if self.length > MAX_LENGTH:
            raise RequestError(f"the exponentiator is built for at most {MAX_LENGTH} bits")

    @property
    def top(self) -> str:
        """Name of the top module."""
        if self.pair:
            return TOP_OF_PAIR
        return TOP if self.slots == 1 else TOP_OF_SEVERAL

    @property
    def modules(self) -> tuple[str, ...]:
        """The exponentiator's own modules, without the prefix."""
        if self.pair:
            return PAIR_MODULES
        return OWN_MODULES if self.slots == 1 else SLOTS_MODULES

    def own_settings(self) -> dict[str, int]:
        """Return the ``--set`` values that are not the default."""
        slots = {"slots": self.slots} if self.slots > 1 else {}
        return slots | ({"pair": 1} if self.pair else {})

    def title(self) -> str:
        """Return the multiplier with its parameters and what shares it, for people."""
        several = f", {self.slots} slots" if self.slots > 1 else ", a pair" if self.pair else ""
        return f"{self.core.name} {self.core.label()}{several}"

    def lazy_unit(self) -> LazyUnit | None:
        """Return the unit for lazy products that is used, if one is."""
        return self.core.lazy_unit() if self.lazy else None

    @property
    def defines(self) -> tuple[str, ...]:
        """What the sources are compiled with."""
        return ("MONTCORE_CLK2X",) if self.double else ()

    @property
    def width(self) -> int:
        """Bits of a beat."""
        unit = self.lazy_unit()
        return unit.width if unit is not None else self.core.bus_width

    @property
    def operand_width(self) -> int:
        """Bits of a beat of the multiplier's operands and results."""
        unit = self.lazy_unit()
        return self.width + (unit.extra_width if unit is not None else 0)

    def host_beats(self, length: int) -> int:
        """Return the beats of a modulus of `length` bits at the exponentiator's port."""
        return -(-length // self.width)

    def beats(self, length: int) -> int:
        """Return the beats of an operand of the multiplier."""
        unit = self.lazy_unit()
        return unit.beats(length) if unit is not None else self.core.beats(length)

    def parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameters, in the style for a technology."""
        if self.pair:
            return {**self.core.sv_parameters(technology), "Window": WINDOW}
        unit = self.lazy_unit()
        several: dict[str, int] = {}
        if self.slots > 1:
            several = {"Slots": self.slots, "Await": int(unit is not None)}
        wider = {"OperandWidth": self.operand_width} if self.operand_width != self.width else {}
        return several | {
            "Length": self.length,
            "Width": self.width,
            **wider,
            "Beats": self.beats(self.length),
            "Window": WINDOW,
            "LazySetUp": int(unit is not None and unit.lazy_set_up),
            "Tech": int(technology.tech),
        }

    def multiplier(self, technology: Technology = SIMULATION, unit: str = "modexp") -> str:
        """Return the module `montcore_<unit>_multiplier`, in the style for a technology."""
        lazy = self.lazy_unit()
        text = self._common(technology) if lazy is None else self._over_lazy(lazy, technology)
        return _PORTS.format(
            unit=unit,
            title={"modexp": "exponentiator", "ecc": "curve engine"}[unit],
            core=self.core.name,
            width=self.width,
            operand_width=self.operand_width,
            beat_bits=self.beats(self.length).bit_length(),
            length_bits=LENGTH_BITS,
            clock2="\n    input logic clk2x_i,  // Clock of the blocks, twice as fast."
            if self.double
            else "",
            body=text,
        )

    def multiplier_files(self) -> list[Path]:
        """Return the files of the multiplier that nobody generates, in compile order."""
        common = module_files(COMMON_MODULES)
        lazy = self.lazy_unit()
        listed = self.core.sources() if lazy is None else lazy.sources
        return [*common, *(path for path in listed if path not in common)]

    def files(self) -> list[Path]:
        """Return the committed files of one exponentiator."""
        return [*self.multiplier_files(), *module_files(OWN_MODULES)]

    def about(self, technology: Technology = SIMULATION) -> dict[str, Any]:
        """Return the figures' dependencies other than the files."""
        return {**super().about(technology), "double": self.double}

    def multiplier_sources(
        self, technology: Technology = SIMULATION, unit: str = "modexp"
    ) -> list[Path]:
        """Return the files of a unit's multiplier; the generated one is in the cache folder."""
        generated = generated_file(f"{unit}_multiplier", self.multiplier(technology, unit))
        return [*self.multiplier_files(), generated]

    def sources(self, technology: Technology = SIMULATION) -> list[Path]:
        """Return the SystemVerilog files."""
        if self.pair:
            return module_files((*COMMON_MODULES, *PAIR_ROW_MODULES, *self.modules))
        return [*self.multiplier_sources(technology), *module_files(self.modules)]

    def number(self, beats: Sequence[int]) -> int:
        """Return the number that beats of an operand or a result of the multiplier stand for."""
        unit = self.lazy_unit()
        if unit is not None and unit.number is not None:
            return unit.number(beats)
        return sum(beat << self.width * place for place, beat in enumerate(beats))

    def arithmetic(self, m: int, length: int) -> ModelMultiplier:
        """Return the multiplier's arithmetic for a modulus of a run-time length."""
        unit = self.lazy_unit()
        if unit is not None:
            return unit.arithmetic(m, length)
        return ModelMultiplier.of_core(m, self.core.r_bits(length))

    def build(self) -> RtlBuild:
        """Return what the simulator is compiled from."""
        flags = tuple(f"-D{name}" for name in self.defines)
        # At most one source of each operand, and one policy.
        top = self.top
        slots = [f"g_slot[{slot}]." for slot in range(self.slots)] if self.slots > 1 else [""]
        if self.pair:
            slots = [f"g_side[{side}]." for side in range(2)]
        names = ("operands", "policy")
        selections = tuple(f"{slot}u_engine.{name}" for slot in slots for name in names)
        groups = 3 * len(slots)
        ports = [CheckedPort(top, top, self.width, 1, selections, groups, group_bits=4)]
        if self.lazy_unit() is None:
            ports.append(CheckedPort(self.core.top, f"{top}.u_multiplier.u_core", self.width))
        return RtlBuild(top, tuple(self.sources()), self.parameters(), flags, tuple(ports))

    def _over_lazy(self, unit: LazyUnit, technology: Technology) -> str:
        core = self.core.sv_parameters(technology)
        parameters = {
            **{name: value for name, value in core.items() if name not in unit.without},
            "BeatBits": self.beats(self.length).bit_length(),
            "LengthBits": LENGTH_BITS,
        }
        return _LAZY.format(top=unit.top, parameters=_overrides(unit.top, parameters))

    def _common(self, technology: Technology) -> str:
        # The shortest length's are used below it as well: before a modulus and after zeroize
        # the length is 1, and a count of no beats would never be reached.
        counts, radixes = list[str](), list[str]()
        beat_bits = self.beats(self.length).bit_length()
        previous = (0, 0)
        for length in range(2, self.length + 1):
            beats = self.core.beats(length)
            r_bits = self.core.r_bits(length)
            if (beats, r_bits) != previous:
                above = f"(length_i >= {LENGTH_BITS}'d{length}) ? " if counts else ""
                end = " :" if counts else ";"
                counts.append(f"{above}{beat_bits}'d{beats}{end}")
                radixes.append(f"{above}{LENGTH_BITS}'d{r_bits}{end}")
            previous = (beats, r_bits)
        parameters = self.core.sv_parameters(technology)
        return _COMMON.format(
            top=self.core.top,
            parameters=_overrides(self.core.top, parameters),
            beats="\n      ".join(reversed(counts)),
            radix="\n      ".join(reversed(radixes)),
        )


def _overrides(top: str, parameters: Mapping[str, int]) -> str:
    """Return the overrides of an instance; on lines of their own if they are too long for one."""
    found = [f".{key}({value})" for key, value in parameters.items()]
    line = ", ".join(found)
    if len(f"  {top} #({line}) u_core (") <= _LINE:
        return line
    return "\n      " + ",\n      ".join(found) + "\n  "


_PORTS = """// SPDX-License-Identifier: Apache-2.0

/// The {title}'s multiplier: the core {core}. Generated by montcore.modexp.design.
///
/// z = x * y * 2^-radix mod m; over a lazy unit below 2 m with canonical_i, else with its own radix
/// Precondition: m odd, below 2^length; operands below m, or results of this module.
/// Latency: that of the core.
/// Example, a core with radix 8, m = 0x8b: x = 0x53, y = 0x2a -> z = 0x45.
module montcore_{unit}_multiplier (
    input logic clk_i,{clock2}
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,  // Something is under way.
    input logic [{length_bits}-1:0] length_i,  // Length of the modulus in bits.
    output logic [{beat_bits}-1:0] beats_o,  // Beats of an operand.
    /// log2 of the radix of the products that lead to R^2.
    output logic [{length_bits}-1:0] radix_o,
    /// Exponent from which R^2 is made (montcore_modexp_sequence).
    output logic [{length_bits}-1:0] power_o,
    /// Beat whose lowest bit is the factor that takes a number out of the domain.
    output logic [{beat_bits}-1:0] leave_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [{width}-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,  // Pulse: the constants are ready.
    input logic xy_valid_i,  // Operand streams: both valid.
    output logic xy_ready_o,  // Operand streams: both ready.
    input logic [{operand_width}-1:0] x_data_i,
    input logic [{operand_width}-1:0] y_data_i,
    input logic xy_last_i,  // Operand streams: last beat.
    input logic canonical_i,  // The product is to be reduced (with the first beat).
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [{operand_width}-1:0] z_data_o,
    output logic z_error_o  // A product was refused.
);
{body}endmodule
"""

_LAZY = """  {top} #({parameters}) u_lazy (.*);
"""

_COMMON = """  logic x_ready, y_ready, x_taken_q, y_taken_q, unused;
  logic z_last, start, done;
  logic [2:0] cfg_error;
  assign beats_o = {beats}
  assign radix_o = {radix}
  assign power_o = radix_o;
  assign leave_o = '0;
  // The core may take the two operands at different times.
  assign xy_ready_o = (x_ready || x_taken_q) && (y_ready || y_taken_q);
  always_ff @(posedge clk_i) begin
    x_taken_q <= rst_ni && !zeroize_i && xy_valid_i && !xy_ready_o && (x_taken_q || x_ready);
    y_taken_q <= rst_ni && !zeroize_i && xy_valid_i && !xy_ready_o && (y_taken_q || y_ready);
  end
  assign unused = ^{{canonical_i, length_i, cfg_error, z_last, start, done}};
  {top} #({parameters}) u_core (
      .cfg_error_o(cfg_error),
      .x_valid_i(xy_valid_i && !x_taken_q), .x_ready_o(x_ready), .x_last_i(xy_last_i),
      .y_valid_i(xy_valid_i && !y_taken_q), .y_ready_o(y_ready), .y_last_i(xy_last_i),
      .z_last_o(z_last), .core_start_o(start), .core_done_o(done), .*
  );
"""
