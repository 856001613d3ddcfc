# SPDX-License-Identifier: Apache-2.0
"""The cells of osu018: all that the flow knows of this library besides its liberty and LEF file."""

import hashlib
import os
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.support.needed import tool_remedy

_FOLDER = Path("/usr/share/qflow/tech/osu018")

GATE = "NAND2X1"
"""The cell whose area is a gate equivalent."""
FLIP_FLOPS = "DFF"
"""What the names of flip-flops begin with."""
LATCH = "LATCH"
CLOCK_PINS = frozenset(("CLK", "clk_i"))
"""Clock inputs, of cells and of memory macros."""

FULL_ADDERS, LATCHES = "osu018_fa.v", "osu018_latch.v"
"""Maps of full adders and of latches, in `maps` and in `latches`."""

BUFFERS = ("BUFX2", "BUFX4")
BUFFER = "BUFX4"
"""The buffer for nets that load their driver too much."""
CLOCK_DRIVER = "INVX8"
"""The driver of every level of the clock tree, an inverter, so that the levels are even in number.
At 0.4 pF its edges take 0.15 ns; those of CLKBUF1 to CLKBUF3, which have the same last stage, take
0.26."""
_FAMILIES = (
    ("INVX1", "INVX2", "INVX4", "INVX8"),
    BUFFERS,
    ("AND2X1", "AND2X2"),
    ("OR2X1", "OR2X2"),
)
DRIVES = {cell: family for family in _FAMILIES for cell in family}
"""The cells with the function of a cell, weakest first."""
SWAPS: dict[str, tuple[tuple[str, ...], ...]] = {
    "FAX1": (("A", "B", "C"),),
    "HAX1": (("A", "B"),),
    "XOR2X1": (("A", "B"),),
    "XNOR2X1": (("A", "B"),),
    "NAND2X1": (("A", "B"),),
    "NAND3X1": (("A", "B", "C"),),
    "NOR2X1": (("A", "B"),),
    "NOR3X1": (("A", "B", "C"),),
    "AND2X1": (("A", "B"),),
    "AND2X2": (("A", "B"),),
    "OR2X1": (("A", "B"),),
    "OR2X2": (("A", "B"),),
    "AOI21X1": (("A", "B"),),
    "OAI21X1": (("A", "B"),),
    "AOI22X1": (("A", "B"), ("C", "D")),
    "OAI22X1": (("A", "B"), ("C", "D")),
}
"""Inputs of a cell that may be exchanged."""

MAX_SLEW_NS = 1.2
"""Longest transition (20 to 80 %) that a net may have: the last one for which the tables of all
combinational cells have values. The library states no limit of its own."""

CAPACITANCE_PF_PER_UM = 1.15e-4
"""Capacitance of a wire to everything around it: the mean of the LEF file's metal 2 and 3 at
minimum width, which is 1.19e-4, less what the wider metal 4 and 5 have."""
RESISTANCE_OHM_PER_UM = 0.27
"""Resistance of a wire of minimum width (0.3 um) on metal 1 to 3: 0.08 ohm a square."""

FEATURE_UM = 0.18
GATE_DELAY_NS = 0.09
"""Delay of INVX1 with four of its kind as load."""


def liberty_path() -> Path:
    """Return the liberty file; ``MONTCORE_OSU018`` may name another folder.

    Raises:
        RequestError: the cell library is not installed.
    """
    folder = Path(os.environ.get("MONTCORE_OSU018", _FOLDER))
    path = folder / "osu018_stdcells.lib"
    if not path.is_file():
        raise RequestError(
            f"the osu018 cell library is missing ({path} does not exist); "
            f"`{tool_remedy('qflow-tech-osu018')}` installs it"
        )
    return path


def lef_path() -> Path:
    """Return the LEF file of the cells, next to the liberty file."""
    return liberty_path().with_suffix(".lef")


def liberty_version() -> str:
    """Return the first digits of the library's SHA-256.

    Raises:
        RequestError: the cell library is not installed.
    """
    return hashlib.sha256(liberty_path().read_bytes()).hexdigest()[:12]
