# SPDX-License-Identifier: Apache-2.0
"""DSP blocks of a multiplier in two to four parts, for Table 2 of karatsuba-2018."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.process import read_json
from montcore.synth.yosys import run_yosys
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018
from montcore_lab.papers.subject import Figures, Subject, measured_by

SOURCE = Path(__file__).with_name("splitting.sv")
TOP = "montcore_splitting"
#: Kinds of splitting by the number of parts.
KINDS = {2: "two parts", 3: "three parts", 4: "four parts"}
#: Families whose products Yosys maps differently; Virtex-6 uses the map of the 7 series.
TARGETS = ("xc5v", "xc7")


@dataclass(frozen=True)
class Splitting(Subject):
    """The DSP blocks of a combinational product at all sizes, with one method for all products.

    Attributes:
        parts: number of parts into which the factors are split.
        target: a Xilinx family.
    """

    parts: int
    target: str

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return measured_by("karatsuba-2018", f"splitting parts={self.parts} {self.target}")

    def sources(self) -> Sequence[Path]:
        """Return the multiplier."""
        return (SOURCE,)

    def parameters(self) -> Mapping[str, object]:
        """Return the sizes."""
        return {"bits": karatsuba2018.LENGTHS}

    def measure(self) -> Figures:
        """Map the products to DSP blocks, without the logic around them.

        Raises:
            ToolError: Yosys failed.
        """
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            commands = []
            for bits in karatsuba2018.LENGTHS:
                design = Design.of(TOP, (SOURCE,), {"Bits": bits, "Parts": self.parts})
                home = work / str(bits)
                home.mkdir()
                read = design.read_command(home).replace("design.f", f"{bits}/design.f")
                commands += [
                    "design -reset",
                    read,
                    f"synth_xilinx -family {self.target} -flatten -noiopad -noclkbuf -top {TOP} "
                    "-run begin:coarse",
                    f"tee -q -o {bits}.json stat -json",
                ]
            run_yosys(commands, work, "splitting", DEFAULT_OPTIONS)
            return {f"dsp_{bits}": _blocks(work / f"{bits}.json") for bits in karatsuba2018.LENGTHS}


def _blocks(stat: Path) -> int:
    (module,) = read_json(stat)["modules"].values()
    cells: dict[str, int] = module["num_cells_by_type"]
    return sum(number for cell, number in cells.items() if cell.startswith("DSP48"))
