# SPDX-License-Identifier: Apache-2.0
"""All adjustable numbers and choices of the synthesis flow."""

from dataclasses import dataclass, replace
from typing import Any

from montcore.support.errors import RequestError
from montcore.support.requests import checked

MACRO_MODULE = "montcore_ram_macro"
"""The memory that is black-boxed on ASIC targets (1 write port, 1 asynchronous read port)."""

GE_PER_MEMORY_BIT = 1.5
"""Cost of one bit of a memory macro in gate equivalents.

A two-port bit cell of about 10 um2 at 30 % array efficiency, usual for macros of a few kbit, takes
33 um2; a NAND2X1 of 24 um2 gives 1.4 GE, rounded up to 1.5.
"""

MACRO_ACCESS_NS = 1.5
"""Assumed time from a read address (or the clock edge of a write) to read data, unloaded, in ns."""

MACRO_DRIVE_NS_PER_PF = 0.7
"""Assumed load dependence of read data: about that of a BUFX2."""

MACRO_SETUP_NS = 0.3
"""Assumed set-up time of the write port (we, waddr, wdata) before the clock edge, in ns."""

MACRO_PIN_PF = 0.02
"""Assumed capacitance of a data or address pin of a macro in pF."""

MACRO_SLEW_NS = 0.15
"""Assumed transition time of read data in ns."""


PLACED, NONE = "placed", "none"
MACRO, LATCH, FLOPS = "macro", "latch", "flops"


@dataclass(frozen=True)
class Options:
    """Options of the flow: the cost model (wires, memory), and limits and seeds.

    Attributes:
        wires: osu018: `PLACED` places the netlist and counts its wires and its clock tree; `NONE`
            times cells alone.
        memory: osu018: implementation of memories: `MACRO`, a black box; `LATCH` or `FLOPS`, cells.
        yosys_timeout_s: limit of one Yosys run, including ABC, in seconds.
        nextpnr_seeds: seeds of placement; the median clock is reported.
        gate_products: products simulated at gate level for each quoted netlist.
        vector_seed: seed of those products.
    """

    wires: str = PLACED
    memory: str = MACRO
    yosys_timeout_s: float = 3600.0
    nextpnr_seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    gate_products: int = 12
    vector_seed: int = 2021


DEFAULT_OPTIONS = Options()

CELLS = replace(DEFAULT_OPTIONS, wires=NONE)
"""Options of figures that are compared with papers, which count cells without wires."""


@checked
def chosen_options(
    wires: str | None = None, memory: str | None = None, usual: Options = DEFAULT_OPTIONS
) -> Options:
    """Return the options with the given wires and memories; None leaves what is usual.

    Raises:
        RequestError: an unknown choice.
    """
    choices = {"wires": (wires, (PLACED, NONE)), "memory": (memory, (MACRO, LATCH, FLOPS))}
    asked: dict[str, Any] = {}
    for name, (value, known) in choices.items():
        if value is None:
            continue
        if value not in known:
            raise RequestError(f"--{name} takes {' or '.join(known)}, not '{value}'")
        asked[name] = value
    return replace(usual, **asked)
