# SPDX-License-Identifier: Apache-2.0
"""Counting of the resources of an FPGA family.

Only the core is counted, before place and route. `lut` is the number of look-up tables of the
family's own size, including those used as memory, shift register or carry cell; `lut_ram` is the
number of those used as memory or shift register.
"""

import re
from collections.abc import Mapping
from typing import Any

# Look-up tables that one memory or shift-register cell takes (Xilinx libraries guides; for
# TRELLIS_DPR16X4 the Lattice memory guide: three slices, one of which is used by the write port;
# DPR16X4 of Nexus likewise).
_LUT_RAM = {
    "RAM16X1S": 1,
    "RAM16X1D": 2,
    "RAM32X1S": 1,
    "RAM32X1D": 2,
    "RAM64X1S": 1,
    "RAM64X1D": 2,
    "RAM128X1S": 2,
    "RAM128X1D": 4,
    "RAM256X1S": 4,
    "RAM32M": 4,
    "RAM64M": 4,
    **dict.fromkeys(("RAM32M16", "RAM64M8", "RAM32X16DR8", "RAM64X8SW", "RAM512X1S"), 8),
    "RAM256X1D": 8,
    "SRL16": 1,
    "SRL16E": 1,
    "SRLC16E": 1,
    "SRLC32E": 1,
    "TRELLIS_DPR16X4": 6,
    "DPR16X4": 6,
}
# With tables of four inputs a 32-deep memory takes two tables a port, a 64-deep one four.
_LUT_RAM_4 = {"RAM32X1S": 2, "RAM32X1D": 4, "RAM64X1S": 4, "RAM64X1D": 8}
_LUT = re.compile(r"LUT\d(_D|_L)?|CCU2C?|INV|CC_(LUT\d|L2T\d|ADDF|MX2)")
_LUT_WEIGHT = {"CCU2C": 2, "CCU2": 2}
_FF = re.compile(r"FD[A-Z]+(_1)?|FD1P3[A-Z]+|TRELLIS_FF|CC_DFF")
_DSP = re.compile(r"DSP48\w*|MULT\d+X\d+D?")
_BRAM = re.compile(r"RAMB\w+|DP16KD?|PDPW16KD|PDPSC\w+|PDP16K|CC_BRAM_\w+")


def count_resources(cells: Mapping[str, int], lut_inputs: int) -> dict[str, Any]:
    """Return `lut`, `lut_ram`, `ff`, `dsp` and `bram` of a cell histogram."""
    weights = {**_LUT_RAM, **(_LUT_RAM_4 if lut_inputs == 4 else {})}
    lut_ram = sum(weights[name] * count for name, count in cells.items() if name in weights)
    logic = sum(
        _LUT_WEIGHT.get(name, 1) * count for name, count in cells.items() if _LUT.fullmatch(name)
    )
    found = {"lut": logic + lut_ram, "lut_ram": lut_ram}
    for name, pattern in (("ff", _FF), ("dsp", _DSP), ("bram", _BRAM)):
        found[name] = sum(count for cell, count in cells.items() if pattern.fullmatch(cell))
    return found
