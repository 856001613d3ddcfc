# SPDX-License-Identifier: Apache-2.0
"""Estimated wires against routed ones, on small blocks; ``montcore maintain calibration``.

Ten blocks of the cores are placed like every core, and then routed with qrouter. For each the page
has the length of all wires and the clock period, estimated and routed.
"""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from montcore.cores import get_core
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore.synth.asic.flow import run_flow
from montcore.synth.asic.library import cell_library
from montcore.synth.asic.placement.spef import write_spef
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.asic.sta import time_placed
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS, PLACED, Options
from montcore_lab.calibration.routed import check_router, route, routed_wires
from montcore_lab.checkout.markdown import prose, table

PAGE = REPO_ROOT / "docs" / "wires.md"

#: Core, module and parameters of each block.
BLOCKS: tuple[tuple[str, str, Mapping[str, int]], ...] = (
    ("mx", "montcore_mx_block", {"Width": 16}),
    ("mx", "montcore_mx_block", {"Width": 32}),
    ("mx", "montcore_mx_block", {"Width": 64}),
    ("cs4", "montcore_cs4_row", {"WordBits": 8, "Words": 2}),
    ("cs4", "montcore_cs4_row", {"WordBits": 16, "Words": 2}),
    ("cs", "montcore_cs_row", {"WordBits": 8, "Words": 2}),
    ("cs", "montcore_cs_row", {"WordBits": 16, "Words": 2}),
    ("op", "montcore_op_row", {"WordBits": 8, "Words": 2}),
    ("rc", "montcore_rc_row", {"WordBits": 8, "Words": 2}),
    ("rc", "montcore_rc_row", {"WordBits": 8, "Words": 4}),
)


@dataclass(frozen=True)
class RoutedBlock:
    """A block, placed and routed.

    Attributes:
        block: module and parameters.
        kge: area in 1000 gate equivalents.
        mm: estimated length of all wires.
        routed_mm: routed length of all wires.
        tmin_ns: shortest clock period with estimated wires.
        routed_ns: the same with routed wires.
        cells_ns: the same without wires and with an ideal clock.
        failed: nets that the router failed to route.
        middle: median relative error of the estimates of nets longer than 50 um.
    """

    block: str
    kge: float
    mm: float
    routed_mm: float
    tmin_ns: float
    routed_ns: float
    cells_ns: float
    failed: int
    middle: float


def compare(
    core: str, module: str, parameters: Mapping[str, int], work: Path, opts: Options
) -> RoutedBlock:
    """Place and route one block.

    Raises:
        RequestError: a tool is missing.
        CheckFailedError: a tool failed, or the block has no path between registers.
    """
    design = Design.of(module, get_core(core).sources(), parameters)
    netlist = run_flow(design, work, opts)
    physical = netlist.physical
    if physical is None or netlist.timing.tmin_ns is None:
        raise CheckFailedError(f"{module} has no path between registers")
    routed = route(module, physical, work)
    wires = routed_wires(physical, routed)
    known = cell_library()
    driving = frozenset(pin for cell in known.cells.values() for pin in cell.outputs)
    spef = work / "routed.spef"
    write_spef(spef, module, wires, physical.names, physical.gates, driving)
    timing = time_placed(
        netlist.verilog,
        module,
        design.clock,
        read_library(known),
        [],
        spef,
        (physical.inputs, physical.outputs),
        work,
    )
    pairs = [
        (net.tree.length, sum(routed.lengths.get(physical.names[bit], {}).values()))
        for bit, net in physical.wires.items()
    ]
    off = sorted(abs(true / guess - 1) for guess, true in pairs if guess > 50)
    name = ", ".join(f"{key} = {value}" for key, value in parameters.items())
    return RoutedBlock(
        f"{module.removeprefix('montcore_')}, {name}",
        round(netlist.ge / 1000, 2),
        round(sum(guess for guess, _ in pairs) / 1000, 2),
        round(sum(true for _, true in pairs) / 1000, 2),
        netlist.timing.tmin_ns,
        timing.tmin_ns or 0.0,
        netlist.ideal.tmin_ns or 0.0,
        routed.failed,
        round(off[len(off) // 2], 3) if off else 0.0,
    )


def page(found: list[RoutedBlock], tools: Mapping[str, Any]) -> str:
    """Return the page."""
    rows = [
        [
            item.block,
            f"{item.kge:.2f}",
            f"{item.mm:.1f}",
            f"{item.routed_mm:.1f}",
            f"{100 * (item.routed_mm / item.mm - 1):+.1f} %",
            f"{100 * item.middle:.0f} %",
            f"{item.cells_ns:.3f}",
            f"{item.tmin_ns:.3f}",
            f"{item.routed_ns:.3f}",
            f"{100 * (item.routed_ns / item.tmin_ns - 1):+.1f} %",
        ]
        for item in found
    ]
    times = [item.routed_ns / item.tmin_ns - 1 for item in found]
    lengths = [item.routed_mm / item.mm - 1 for item in found]
    failed = sum(item.failed for item in found)
    header = [
        "block",
        "kGE",
        "wires, estimated mm",
        "routed mm",
        "difference",
        "half of the nets within",
        "Tmin of cells alone, ns",
        "with estimated wires",
        "with routed wires",
        "difference",
    ]
    return "\n".join(
        [
            "# Estimated and routed wires compared",
            "",
            prose(
                "Written by `montcore maintain calibration`. Each block is placed, buffered and "
                "sized like a core, with its clock tree, and then routed by qrouter. OpenSTA "
                "computes the clock periods from the estimated and from the routed wires. Routed "
                "wires have the capacitance of their layers from the library's LEF file; the pins "
                "of a net are joined as in the estimate."
            ),
            "",
            *table(header, rows, 9),
            "",
            prose(
                f"Over {len(found)} blocks: Tmin with routed wires differs by "
                f"{100 * min(times):+.1f} to {100 * max(times):+.1f} %, the length of all wires by "
                f"{100 * min(lengths):+.1f} to {100 * max(lengths):+.1f} %. Nets not routed: "
                f"{failed}."
            ),
            "",
            "Tools: " + ", ".join(f"{name} {version}" for name, version in tools.items()) + ".",
            "",
        ]
    )


def measure(say: Callable[[str], None], only: int | None = None) -> list[RoutedBlock]:
    """Place and route all blocks, or the first few.

    Raises:
        RequestError: a tool is missing.
        CheckFailedError: a tool failed.
    """
    check_router()
    opts = replace(DEFAULT_OPTIONS, wires=PLACED)
    found = []
    for number, (core, module, parameters) in enumerate(BLOCKS[:only], 1):
        say(f"block {number} of {len(BLOCKS)}: {module}")
        with tempfile.TemporaryDirectory() as folder:
            found.append(compare(core, module, parameters, Path(folder), opts))
    return found
