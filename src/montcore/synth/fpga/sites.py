# SPDX-License-Identifier: Apache-2.0
"""Fixed places of DSP blocks: a placer that minimises wire spreads many blocks over the chip."""

import json
from collections.abc import Sequence
from pathlib import Path

from montcore.synth.process import ToolError, read_json

#: Attribute by which nextpnr places a cell.
_PLACE = "BEL"


def rows_of(choice: str) -> list[list[str]]:
    """Return the rows of blocks of a flow's choice, each block as a part of its name."""
    return [row.split() for row in choice.split(";")]


def fix_blocks(
    netlist: Path,
    top: str,
    kind: str,
    rows: Sequence[Sequence[str]],
    sites: Sequence[Sequence[str]],
) -> None:
    """Fix blocks in a netlist of Yosys: each row in the middle of a row of the device's sites.

    Args:
        netlist: JSON, changed in place.
        top: its module.
        kind: type of the blocks.
        rows: for each row of the device, parts of the names of the blocks, in order.
        sites: the sites of each row of the device, in order.

    Raises:
        ToolError: a row is too long, or a part is not in the name of exactly one block.
    """
    content = read_json(netlist)
    cells = content["modules"][top]["cells"]
    blocks = {name: cell for name, cell in cells.items() if cell["type"] == kind}
    for row, places in zip(rows, sites, strict=True):
        if len(row) > len(places):
            raise ToolError(f"{len(row)} blocks do not fit into a row of {len(places)}")
        first = (len(places) - len(row)) // 2
        for part, place in zip(row, places[first:], strict=False):
            found = [cell for name, cell in blocks.items() if part in name]
            if len(found) != 1:
                raise ToolError(f"{part} is in the names of {len(found)} blocks, not of one")
            found[0]["attributes"][_PLACE] = place
    netlist.write_text(json.dumps(content))
