# SPDX-License-Identifier: Apache-2.0
"""Place a netlist: cells spread over the rows by their nets, and then put on the grid.

Neither names nor the numbers of bits decide a placement: cells and nets come in the order of the
netlist.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from montcore.synth.asic.lef import Geometry
from montcore.synth.asic.library import CellLibrary
from montcore.synth.asic.memory import Macro, area_um2
from montcore.synth.asic.placement.electrostatic import Circuit, spread
from montcore.synth.asic.placement.layout import Layout, Slices
from montcore.synth.asic.placement.legalise import legalise
from montcore.synth.asic.sizing.editable import EditableNetlist

SPARE = 0.25
"""Free area in the rows, as a share of the area of the cells before buffers are added."""

_WIDEST_ROWS = 1.6
"""Widest slice of a memory macro, as a multiple of the height of a row."""

_PULLED = 200
"""Nets with more pins do not pull at the gates: they are buffered by place afterwards."""


def place(
    netlist: EditableNetlist,
    known: CellLibrary,
    macros: Sequence[Macro],
    clock: int,
    weight: Callable[[int], float] = lambda _: 1.0,
    seeds: Sequence[int] = (1,),
) -> Layout:
    """Return legal positions of all gates.

    Args:
        weight: how much the length of a bit's net counts.
        seeds: seeds of first positions; the placement with the shortest wires is taken.
    """
    geometry = known.geometry
    slices = {macro.cell: _slices(macro, geometry) for macro in macros}
    keys = [
        (number, index)
        for number, gate in enumerate(netlist.gates)
        for index in range(slices[gate.cell].number if gate.cell in slices else 1)
    ]
    circuit = _circuit(netlist, geometry, slices, keys, clock, weight)
    found = [spread(circuit, seed) for seed in seeds]
    wires = [circuit.wire(places) for places in found]
    x, y = found[wires.index(min(wires))]
    left, low = (x - circuit.width / 2).tolist(), (y - circuit.row / 2).tolist()
    wire_spread = max(wires) / max(min(wires), 1e-99) - 1
    layout = Layout(
        geometry, circuit.length, circuit.rows, [], macros=slices, wire_spread=wire_spread
    )
    for (gate, index), at in zip(keys, zip(left, low, strict=True), strict=True):
        if index == 0:
            layout.at.append(at)
        if netlist.gates[gate].cell in slices:
            layout.slices.setdefault(gate, []).append(at)
    legalise(layout, netlist.gates)
    layout.put_ports(netlist)
    return layout


def _slices(macro: Macro, geometry: Geometry) -> Slices:
    """Return how a macro is divided: a slice for each bit, or more, none of them too wide."""
    length = area_um2(macro) / geometry.row
    number = -(-length // (macro.width * _WIDEST_ROWS * geometry.row)) * macro.width
    sites = max(1, round(length / number / geometry.site))
    return Slices(macro, int(number), sites * geometry.site)


def _circuit(
    netlist: EditableNetlist,
    geometry: Geometry,
    slices: dict[str, Slices],
    keys: Sequence[tuple[int, int]],
    clock: int,
    weight: Callable[[int], float],
) -> Circuit:
    """Return the gates and slices of `keys` with the nets that pull, in rows with free area."""
    count = Counter(bit for gate in netlist.gates for bit in gate.pins.values())
    fresh = max(count, default=0) + 1
    widths: list[float] = []
    joined: dict[int, list[tuple[int, float]]] = {}
    for number, index in keys:
        gate = netlist.gates[number]
        outline, parts = geometry.cells.get(gate.cell), slices.get(gate.cell)
        width = parts.width if parts else geometry.cells[gate.cell].width
        pins = gate.pins
        if parts:  # a ring holds the slices together
            ring = fresh + len(widths) - index
            neighbours = {"L": ring + index, "M": ring + (index + 1) % parts.number}
            pins = {**parts.pins(gate.pins, index), **neighbours}
        for pin, bit in pins.items():
            if bit >= 0 and bit != clock and count[bit] <= _PULLED:
                middle = outline.pins[pin][0] - width / 2 if outline else 0.0
                joined.setdefault(bit, []).append((len(widths), middle))
        widths.append(width)
    joined = {bit: pins for bit, pins in joined.items() if len(pins) > 1}
    nets = list(joined.values())
    sizes = np.array([len(pins) for pins in nets], dtype=np.intp)
    area = sum(widths) * geometry.row * (1 + SPARE)
    rows = max(1, round(math.sqrt(area) / geometry.row))
    return Circuit(
        width=np.array(widths),
        cell=np.array([cell for pins in nets for cell, _ in pins], dtype=np.intp),
        offset=np.array([middle for pins in nets for _, middle in pins]),
        start=np.cumsum(sizes) - sizes,
        weight=np.array([weight(bit) if bit < fresh else 1.0 for bit in joined]),
        row=geometry.row,
        length=math.ceil(area / geometry.row / rows / geometry.site) * geometry.site,
        rows=rows,
    )
