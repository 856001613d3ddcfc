# SPDX-License-Identifier: Apache-2.0
"""The exponentiator's sources: `modexp` and, generated, the multiplier it is built over.

The multiplier of the default build is kept beside the other sources, so that the folder is
complete; ``montcore maintain multiplier`` writes it.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from montcore.cores.core import ConfiguredCore
from montcore.cores.dsp import CORE as DSP
from montcore.cores.dsp import ROW_MODULES, DspConfig
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.modexp import Multiplier
from montcore.sim.build import RtlBuild
from montcore.sim.port_checker import CheckedPort
from montcore.support.errors import RequestError, storage
from montcore.support.paths import PREFIX, cache_dir, rtl_files

WINDOW = 5
LENGTH_BITS = 13
MAX_LENGTH = (1 << LENGTH_BITS) - 1
MIN_WIDTH = 16
#: Bits of a beat over `dsp`: a pair of 17-bit words.
PAIR_BITS = 34

#: The exponentiator's top module.
TOP = f"{PREFIX}modexp"

#: Files in compile order.
OWN_MODULES = (
    *("modexp_pkg", "modexp_adder", "modexp_table", "modexp_bits", "modexp_clear"),
    *("modexp_packets", "modexp_window", "modexp_route", "modexp_sequence", "modexp_store"),
    *("modexp_output", "modexp"),
)
COMMON_MODULES = ("pkg", "ram_macro", "ram", "block_ram")


@dataclass(frozen=True)
class Design:
    """An exponentiator over one core in one configuration.

    Attributes:
        core: the multiplier core, configured.
    """

    core: ConfiguredCore

    def __post_init__(self) -> None:
        """Refuse what cannot be built.

        Raises:
            RequestError: the multiplier's bus is too narrow for the packet headers, or the number
                of bits too large for them.
        """
        if self.width < MIN_WIDTH:
            raise RequestError(
                f"the exponentiator needs a multiplier with a bus of at least {MIN_WIDTH} bits, "
                f"not {self.width}"
            )
        # `montcore_modexp.sv` refuses the same in the same words.
        if self.length > MAX_LENGTH:
            raise RequestError(f"the exponentiator is built for at most {MAX_LENGTH} bits")

    @property
    def length(self) -> int:
        """Built width in bits."""
        return self.core.bits

    @property
    def lazy(self) -> bool:
        """Whether products follow each other without reduction."""
        return self.core.core is DSP

    @property
    def double(self) -> bool:
        """Whether the multiplier has a second clock of twice the speed."""
        return isinstance(self.core.config, DspConfig) and self.core.config.double

    @property
    def width(self) -> int:
        """Bits of a beat."""
        return PAIR_BITS if self.lazy else self.core.bus_width

    def host_beats(self, length: int) -> int:
        """Return the beats of a modulus of `length` bits at the exponentiator's port."""
        return -(-length // self.width)

    def beats(self, length: int) -> int:
        """Return the beats of an operand of the multiplier."""
        if isinstance(self.core.config, DspConfig):
            return self.core.config.sizes(length).pairs
        return self.core.beats(length)

    def parameters(self) -> dict[str, int]:
        """Return the top module's parameters."""
        return {
            "Length": self.length,
            "Width": self.width,
            "Beats": self.beats(self.length),
            "Window": WINDOW,
        }

    def multiplier(self, technology: Technology = SIMULATION) -> str:
        """Return the module `montcore_modexp_multiplier`, in the style for a technology."""
        text = self._dsp(technology) if self.lazy else self._common(technology)
        return _PORTS.format(
            core=self.core.name,
            width=self.width,
            beat_bits=self.beats(self.length).bit_length(),
            length_bits=LENGTH_BITS,
            clock2="\n    /// Clock of the blocks, twice as fast.\n    input logic clk2x_i,"
            if self.double
            else "",
            body=text,
        )

    def sources(self, technology: Technology = SIMULATION) -> list[Path]:
        """Return the SystemVerilog files; the generated one is in the cache folder."""
        text = self.multiplier(technology)
        # The file has the module's name, as Verilator asks for, and a folder of its own.
        folder = cache_dir() / "modexp" / hashlib.sha256(text.encode()).hexdigest()[:16]
        generated = folder / f"{PREFIX}modexp_multiplier.sv"
        with storage(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not generated.is_file() or generated.read_bytes() != text.encode():
                partial = folder / f"{PREFIX}modexp_multiplier.{os.getpid()}.tmp"
                partial.write_text(text, encoding="utf-8")
                partial.rename(generated)
        common = rtl_files(COMMON_MODULES)
        own = rtl_files(OWN_MODULES)
        if self.lazy:
            names = (*(name for name in ROW_MODULES if name != "dsp_reduce"), "dsp_length")
            inner = [*rtl_files(names), *rtl_files(("modexp_dsp",))]
        else:
            inner = [path for path in self.core.sources() if path not in common]
        return [*common, *inner, generated, *own]

    def arithmetic(self, m: int, length: int) -> Multiplier:
        """Return the multiplier's arithmetic for a modulus of a run-time length."""
        if isinstance(self.core.config, DspConfig):
            return Multiplier.lazy(m, self.core.config.sizes(length).digits)
        return Multiplier.of_core(m, self.core.r_bits(length))

    def build(self) -> RtlBuild:
        """Return what the simulator is compiled from."""
        flags = ("-DMONTCORE_CLK2X",) if self.double else ()
        # At most one source of each operand, and one policy.
        own = CheckedPort(TOP, TOP, self.width, 1, ("operands", "policy"), groups=3, group_bits=4)
        inner = CheckedPort(self.core.top, f"{TOP}.u_multiplier.u_core", self.width)
        ports = (own,) if self.lazy else (own, inner)
        return RtlBuild(TOP, tuple(self.sources()), self.parameters(), flags, ports)

    def _dsp(self, technology: Technology) -> str:
        config = self.core.config
        assert isinstance(config, DspConfig)
        return _DSP.format(
            tech=self.core.sv_parameters(technology)["Tech"],
            length=self.length,
            alpha=config.alpha,
            beat_bits=self.beats(self.length).bit_length(),
            length_bits=LENGTH_BITS,
            clocks=_DOUBLE if self.double else _SINGLE,
            tick="1'b1" if self.double else "phase_q",
            fast="clk2x_i" if self.double else "clk_i",
            phase="phase" if self.double else "phase_q",
        )

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
            parameters=", ".join(f".{key}({value})" for key, value in parameters.items()),
            beats="\n      ".join(reversed(counts)),
            radix="\n      ".join(reversed(radixes)),
        )


_PORTS = """// SPDX-License-Identifier: Apache-2.0

/// The exponentiator's multiplier: the core {core}. Generated by montcore.modexp.design.
///
/// z = x * y * 2^-radix mod m; `dsp`: below 2 m with canonical_i, else lazy with 2^(34 - radix)
/// Precondition: m odd, below 2^length; operands below m, or results of this module.
/// Latency: that of the core.
/// Example, a core with radix 8, m = 0x8b: x = 0x53, y = 0x2a -> z = 0x45.
module montcore_modexp_multiplier (
    /// Clock.
    input logic clk_i,{clock2}
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Pulse: clear everything.
    input logic zeroize_i,
    /// Something is under way.
    output logic busy_o,
    /// Length of the modulus in bits.
    input logic [{length_bits}-1:0] length_i,
    /// Beats of an operand.
    output logic [{beat_bits}-1:0] beats_o,
    /// log2 of the radix of a canonical product.
    output logic [{length_bits}-1:0] radix_o,
    /// e: 2^e times that radix is the square of the radix of a product.
    output logic [{length_bits}-1:0] power_o,
    /// Beat whose lowest bit is the factor that takes a number out of the domain.
    output logic [{beat_bits}-1:0] leave_o,
    /// Modulus stream: valid.
    input logic cfg_valid_i,
    /// Modulus stream: ready.
    output logic cfg_ready_o,
    /// Modulus stream: data.
    input logic [{width}-1:0] cfg_data_i,
    /// Modulus stream: last beat.
    input logic cfg_last_i,
    /// Pulse: the constants are ready.
    output logic cfg_done_o,
    /// Operand streams: both valid.
    input logic xy_valid_i,
    /// Operand streams: both ready.
    output logic xy_ready_o,
    /// X stream: data.
    input logic [{width}-1:0] x_data_i,
    /// Y stream: data.
    input logic [{width}-1:0] y_data_i,
    /// Operand streams: last beat.
    input logic xy_last_i,
    /// The product is to be reduced (with the first beat).
    input logic canonical_i,
    /// Z stream: valid.
    output logic z_valid_o,
    /// Z stream: ready.
    input logic z_ready_i,
    /// Z stream: data.
    output logic [{width}-1:0] z_data_o,
    /// A product was refused.
    output logic z_error_o
);
{body}endmodule
"""

_SINGLE = """  // The blocks work in each cycle, all else in every second one.
  logic phase_q, rest;
  always_ff @(posedge clk_i) phase_q <= !rst_ni || rest || !phase_q;
"""

_DOUBLE = """  // Second half of a clk_i cycle: a bit that turns with it is seen turned for a half.
  logic turn_q, seen_q, phase, rest, unused_rest;
  assign unused_rest = rest;
  always_ff @(posedge clk_i) turn_q <= rst_ni && !turn_q;
  always_ff @(posedge clk2x_i) seen_q <= turn_q;
  assign phase = turn_q == seen_q;
"""

_DSP = """{clocks}
  montcore_modexp_dsp #(
      .Length({length}), .Alpha({alpha}), .BeatBits({beat_bits}),
      .LengthBits({length_bits}), .Tech({tech})
  ) u_dsp (
      .clk_i(clk_i), .tick_i({tick}), .clk_fast_i({fast}), .phase_i({phase}), .rst_ni(rst_ni),
      .zeroize_i(zeroize_i), .busy_o(busy_o), .length_i(length_i), .beats_o(beats_o),
      .radix_o(radix_o), .power_o(power_o), .leave_o(leave_o), .cfg_valid_i(cfg_valid_i),
      .cfg_ready_o(cfg_ready_o), .cfg_data_i(cfg_data_i), .cfg_last_i(cfg_last_i),
      .cfg_done_o(cfg_done_o), .xy_valid_i(xy_valid_i), .xy_ready_o(xy_ready_o),
      .x_data_i(x_data_i), .y_data_i(y_data_i), .xy_last_i(xy_last_i),
      .canonical_i(canonical_i), .z_valid_o(z_valid_o), .z_ready_i(z_ready_i),
      .z_data_o(z_data_o), .z_error_o(z_error_o), .rest_o(rest)
  );
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
      .clk_i(clk_i), .rst_ni(rst_ni), .zeroize_i(zeroize_i), .busy_o(busy_o),
      .cfg_valid_i(cfg_valid_i), .cfg_ready_o(cfg_ready_o), .cfg_data_i(cfg_data_i),
      .cfg_last_i(cfg_last_i), .cfg_done_o(cfg_done_o), .cfg_error_o(cfg_error),
      .x_valid_i(xy_valid_i && !x_taken_q), .x_ready_o(x_ready), .x_data_i(x_data_i),
      .x_last_i(xy_last_i), .y_valid_i(xy_valid_i && !y_taken_q), .y_ready_o(y_ready),
      .y_data_i(y_data_i), .y_last_i(xy_last_i), .z_valid_o(z_valid_o), .z_ready_i(z_ready_i),
      .z_data_o(z_data_o), .z_last_o(z_last), .z_error_o(z_error_o), .core_start_o(start),
      .core_done_o(done)
  );
"""


def default_multiplier() -> str:
    """Return the text of hw/modexp/rtl/montcore_modexp_multiplier.sv, but for its layout."""
    return Design(DSP.bind(DspConfig(bits=512))).multiplier()
