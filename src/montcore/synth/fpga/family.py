# SPDX-License-Identifier: Apache-2.0
"""Common base of the FPGA targets."""

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from montcore.synth.design import Design
from montcore.synth.fpga.resources import count_resources
from montcore.synth.gatesim.primitives import Primitives
from montcore.synth.options import Options
from montcore.synth.result import SynthResult
from montcore.synth.target import MAPPED, Target
from montcore.synth.yosys import count_cells, run_yosys

if TYPE_CHECKING:
    from montcore.synth.gatesim.fpga_model import FpgaBuild

MAPPED_JSON = "mapped.json"


@dataclass(frozen=True, kw_only=True)
class FpgaFamily(Target):
    """An FPGA family that Yosys maps to.

    Attributes:
        wide_functions: whether Yosys may build functions of more inputs than a table has from
            tables and multiplexers. With it, a carry-save multiplier took 2.8 times the four-input
            tables (Virtex-II) and 1.8 times (ECP5) of the run without it; with six-input tables it
            saves 7 %.
    """

    models: Primitives
    wide_functions: bool = True

    @property
    def mapping_flags(self) -> str:
        """Additional options of the mapping."""
        return "" if self.wide_functions else "-nowidelut"

    @abstractmethod
    def synthesis(self, top: str, output: str = "") -> str:
        """Return the Yosys command that maps a top; `output` are its options for the result."""

    def mapping(self, design: Design) -> list[str]:
        """Return the Yosys commands that map the core alone."""
        return [self.synthesis(design.top)]

    def map(self, design: Design, work: Path, opts: Options) -> SynthResult:
        """Write the netlist of the core alone, `MAPPED`, and return its resources."""
        run_yosys(
            [
                *self.reading(design, work),
                *self.mapping(design),
                "tee -q -o stat.json stat -json",
                f"write_verilog -noattr {MAPPED}",
                f"write_json {MAPPED_JSON}",
            ],
            work,
            f"synth-{self.name}",
            opts,
        )
        cells = count_cells(work / "stat.json")
        found = count_resources(cells, self.technology.lut_inputs)
        return SynthResult(target=self.name, cells=cells, **found)

    def simulator(self, design: Design, work: Path) -> "FpgaBuild":
        """Return the simulator of the netlist that `map` wrote."""
        from montcore.synth.gatesim.fpga_model import FpgaBuild

        return FpgaBuild(design.top, (work / MAPPED,), models=self.models)
