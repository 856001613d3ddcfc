# SPDX-License-Identifier: Apache-2.0
"""Place a netlist with Coriolis in a separate process."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.synth.asic.lef import Geometry
from montcore.synth.asic.library import CellLibrary
from montcore.synth.asic.memory import Macro, area_um2
from montcore.synth.asic.placement.layout import Layout, Slices, slices_lef, write_blif
from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.process import ToolError, run_tool

SPARE = 0.25
"""Free area in the rows at the first placement, as a share of the cells' area."""

LIMIT_S = 3600.0
"""Limit of one placement in seconds."""

_WIDEST_UM = 16.0
"""Widest slice of a memory macro: Coriolis does not find places for much wider cells."""

_PULLED = 200
"""Nets with more pins do not pull at the gates: they are buffered by place afterwards."""


def check_placer() -> None:
    """Check that the placer is installed.

    Raises:
        RequestError: it is not.
    """
    if find_spec("coriolis") is None:
        raise RequestError(
            "wires need a placement, and there is no placer (Python package coriolis-eda, for "
            "Python 3.10 to 3.12); `--wires none` gives figures without wires"
        )


def place(
    netlist: EditableNetlist,
    known: CellLibrary,
    macros: Sequence[Macro],
    clock: int,
    work: Path,
    name: str,
) -> Layout:
    """Return the positions of all gates.

    Args:
        netlist: mapped cells.
        known: the library of the cells.
        macros: sizes of the memory macros.
        clock: bit of the clock.
        work: folder for files and log.
        name: stem of the file names.

    Raises:
        RequestError: Coriolis is not installed.
        ToolError: it failed, or omitted a gate.
    """
    check_placer()
    geometry = known.geometry
    slices = {macro.cell: _slices(macro, geometry) for macro in macros}
    lefs = [str(known.description.lef)]
    if macros:
        (work / f"{name}.lef").write_text(slices_lef(slices, geometry))
        lefs.append(f"{name}.lef")
    count = Counter(bit for gate in netlist.gates for bit in gate.pins.values())
    many = {bit for bit, pins in count.items() if pins > _PULLED}
    lines = write_blif(work / f"{name}.blif", netlist, slices, frozenset({clock, *many}))
    out, log = work / f"{name}.places", work / f"{name}.log"
    program = [sys.executable, "-m", "montcore.synth.asic.placement.placer"]
    run_tool(
        [*program, *lefs, name, str(SPARE), out.name],
        cwd=work,
        log=log,
        timeout=LIMIT_S,
    )
    if not out.is_file():
        raise ToolError(f"Coriolis placed nothing; its log is {log}")
    return _read(out, lines, netlist, geometry, slices)


def _slices(macro: Macro, geometry: Geometry) -> Slices:
    """Return how a macro is divided: a slice for each bit, or more, of no more than `_WIDEST`."""
    length = area_um2(macro) / geometry.row
    number = -(-length // (macro.width * _WIDEST_UM)) * macro.width
    sites = max(1, round(length / number / geometry.site))
    return Slices(macro, int(number), sites * geometry.site)


def _read(
    out: Path,
    lines: list[tuple[int, int]],
    netlist: EditableNetlist,
    geometry: Geometry,
    slices: Mapping[str, Slices],
) -> Layout:
    places: dict[tuple[int, int], tuple[float, float]] = {}
    for line in out.read_text().splitlines():
        number, x, y = line.split()
        places[lines[int(number)]] = float(x), float(y)
    missing = [netlist.gates[gate].name for gate, _ in lines if (gate, 0) not in places]
    if missing or len(places) != len(lines):
        raise ToolError(f"Coriolis left {len(lines) - len(places)} cells without a place: {out}")
    at = [places[gate, 0] for gate in range(len(netlist.gates))]
    found: dict[int, list[tuple[float, float]]] = {}
    for gate, index in lines:
        if netlist.gates[gate].cell in slices:
            found.setdefault(gate, []).append(places[gate, index])
    widths = {name: cell.width for name, cell in geometry.cells.items()}
    widths |= {name: cell.width for name, cell in slices.items()}
    right = max(x + widths[netlist.gates[gate].cell] for (gate, _), (x, _) in places.items())
    top = max(y for _, y in places.values())
    layout = Layout(
        geometry,
        round(right / geometry.site) * geometry.site,
        round(top / geometry.row) + 1,
        at,
        found,
        macros=slices,
    )
    layout.put_ports(netlist)
    return layout
