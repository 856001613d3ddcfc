# SPDX-License-Identifier: Apache-2.0
"""Run Yosys commands through the driver module; each script is kept next to its log."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from montcore.synth.options import Options
from montcore.synth.process import ToolError, read_json, run_tool

# Yosys connects the ports of every Xilinx block RAM with vectors of the widest one; smaller block
# RAMs use a part.
_XILINX_BLOCK_RAM = re.compile(
    r"\.(D(I|O|IN|OUT)P?([AB]\w*)? from (8 bits to [24]|64 bits to (16|32))"
    r"|ADDR\w+ADDR from 16 bits to 1[45]|WEA from 4 bits to 2) bits"
)

_END = "end of the script"


def run_yosys(commands: Sequence[str], work: Path, name: str, opts: Options) -> None:
    """Run Yosys commands as ``NAME.ys`` with log ``NAME.log``.

    Raises:
        ToolError: Yosys failed, or cut a connection to the width of another instance's port.
    """
    script = work / f"{name}.ys"
    script.write_text("\n".join([*commands, f"log {_END}"]) + "\n")
    log = work / f"{name}.log"
    run_tool(
        [
            sys.executable,
            "-m",
            "montcore.synth.yosys_driver",
            str(script),
            str(int(opts.yosys_timeout_s) + 1),
        ],
        cwd=work,
        log=log,
        timeout=opts.yosys_timeout_s,
        last=_END,
    )
    # For black boxes of one name and several widths, Yosys uses the first width for all of them and
    # only warns; memories would lose address and data bits.
    for cut in re.findall(r"^.*Resizing cell port.*$", log.read_text(errors="replace"), flags=re.M):
        if not _XILINX_BLOCK_RAM.search(cut):
            raise ToolError(f"yosys changed the width of a port: {cut.strip()}; its log is {log}")


def count_cells(statistics: Path) -> dict[str, int]:
    """Return the number of each cell below the top, from a file of ``stat -json``."""
    found = read_json(statistics)
    modules = {name.lstrip("\\") for name in found["modules"]}
    cells = found["design"]["num_cells_by_type"].items()
    return {name: count for name, count in sorted(cells) if name not in modules}
