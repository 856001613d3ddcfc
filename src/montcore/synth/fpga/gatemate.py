# SPDX-License-Identifier: Apache-2.0
"""The target gatemate: Yosys and nextpnr for a family without multiplier blocks."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from montcore.cores.technology import Technology
from montcore.synth.fpga.routed import RoutedFamily
from montcore.synth.gatesim.primitives import GATEMATE as MODELS
from montcore.synth.target import BLOCK_FIGURES


@dataclass(frozen=True, kw_only=True)
class Gatemate(RoutedFamily):
    """GateMate; clocks are for a CCGM1A1.

    Its tables are trees of two-input tables with four or five inputs, each counted as one. Memories
    with an asynchronous read port and block memories are flip-flops.
    """

    program: ClassVar[str] = "yowasp-nextpnr-himbaechel-gatemate"

    def synthesis(self, top: str, output: str = "") -> str:
        """Return the Yosys command that maps a top; the wrapper gets pins and clock buffers."""
        pins = "" if output else "-noiopad -noclkbuf"
        return f"synth_gatemate -luttree -nobram -nomult -nomx8 -nomx4 {pins} -top {top} {output}"

    def device(self, work: Path) -> list[str]:
        """Return the device."""
        del work
        return ["--device", "CCGM1A1", "--vopt", "allow-unconstrained"]


GATEMATE = Gatemate(
    name="gatemate",
    title="Cologne Chip GateMate",
    technology=Technology(lut_ram=True, lut_inputs=4, routed=True),
    figures=(*BLOCK_FIGURES, "fmax_mhz"),
    packages=("pyosys", Gatemate.program),
    models=MODELS,
    effort=2,
)
TARGETS = (GATEMATE,)
