# SPDX-License-Identifier: Apache-2.0
"""Common base of the FPGA targets."""

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from montcore.synth.design import Design
from montcore.synth.fpga.resources import Resources
from montcore.synth.gatesim.primitives import Primitives
from montcore.synth.options import Options
from montcore.synth.target import MAPPED, Target

if TYPE_CHECKING:
    from montcore.synth.gatesim.fpga_model import FpgaBuild


@dataclass(frozen=True, kw_only=True)
class FpgaFamily(Target):
    """An FPGA family that Yosys maps to.

    Attributes:
        models: models of its primitives, for netlist simulation.
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
    def map(self, design: Design, work: Path, opts: Options) -> Resources:
        """Write the netlist of the core alone, `MAPPED`, and return its resources.

        Raises:
            ToolError: Yosys failed.
        """

    def simulator(self, design: Design, work: Path) -> "FpgaBuild":
        """Return the simulator of the netlist that `map` wrote."""
        from montcore.synth.gatesim.fpga_model import FpgaBuild

        return FpgaBuild(design.top, (work / MAPPED,), models=self.models)
