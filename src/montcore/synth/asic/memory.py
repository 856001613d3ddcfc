# SPDX-License-Identifier: Apache-2.0
"""Area and access time of a memory macro, by its size.

The macros are small register files with one write port and one read port; no free generator of
these exists for osu018. Area: Mulder, Quach and Flynn, "An area model for on-chip memories and its
application", IEEE JSSC 26(2), 1991: (words + 3 P)(bits + 3 P) register bit equivalents with P
ports, each 675 F^2 with F the feature size. Access time: Amrutur and Horowitz, "Speed and power
scaling of SRAM's", IEEE JSSC 35(2), 2000: one more gate delay (an inverter that drives four) for
every doubling of the bits, roughly; `options.MACRO_ACCESS_NS`, an assumption, holds at 1 kbit.

Without wires (`placement`) this model is not used: every memory bit has the same area.
"""

import math
from functools import cache

from montcore.synth import options
from montcore.synth.asic.liberty import Macro, read_cells
from montcore.synth.asic.tools import liberty_path
from montcore.synth.options import NONE, Options

PORTS = 2
FEATURE_UM = 0.18
BIT_F2 = 675.0
"""Area of a register bit equivalent in squares of the feature size."""
GATE_DELAY_NS = 0.09
"""Delay of osu018's INVX1 with four of its kind as load."""
_ANCHOR_BITS = 1024


def area_ge(macro: Macro, opts: Options) -> float:
    """Return the area of a macro in gate equivalents."""
    if opts.wires == NONE:
        return macro.bits * options.GE_PER_MEMORY_BIT
    return area_um2(macro) / _nand_um2()


def area_um2(macro: Macro) -> float:
    """Return the area of a macro in um2."""
    bits = (macro.rows + 3 * PORTS) * (macro.width + 3 * PORTS)
    return bits * BIT_F2 * FEATURE_UM**2


def access_ns(macro: Macro, opts: Options) -> float:
    """Return the time from a read address, or the clock edge of a write, to read data, unloaded."""
    if opts.wires == NONE:
        return options.MACRO_ACCESS_NS
    return options.MACRO_ACCESS_NS + GATE_DELAY_NS * math.log2(macro.bits / _ANCHOR_BITS)


@cache
def _nand_um2() -> float:
    return read_cells(liberty_path())["NAND2X1"].area
