# SPDX-License-Identifier: Apache-2.0
"""Positions of a netlist's gates: placed or added by later edits.

A gate is identified by its number in the netlist. A memory macro occupies several cells of the
rows, its slices: one or more for each bit of its words. The placer keeps them together; their
internal connections are part of the macro.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from montcore.synth.asic.lef import Geometry
from montcore.synth.asic.memory import Macro
from montcore.synth.asic.placement.trees import Point
from montcore.synth.asic.sizing.editable import EditableNetlist


@dataclass(frozen=True)
class Slices:
    """Division of a macro into slices; their width in um."""

    macro: Macro
    number: int
    width: float

    def pins(self, joined: dict[str, int], index: int) -> dict[str, int]:
        """Return the pins of one slice: W and R its data, A a bit of the addresses."""
        wide = self.macro.width
        bits = [bit for bit in range(wide) if bit * self.number // wide == index]
        name = f"[{bits[0]}]" if bits and wide > 1 else ""
        found = {"W": -1, "R": -1}
        if bits:
            found = {"W": joined.get(f"wdata_i{name}", -1), "R": joined.get(f"rdata_o{name}", -1)}
        addresses = "raddr_i", "waddr_i"
        others = [bit for pin, bit in joined.items() if pin.partition("[")[0] in addresses]
        for k, bit in enumerate(others):
            found[f"A{k}"] = bit if index == self.number // 2 else -1
        return found


@dataclass
class Layout:
    """Positions of gates, lower left corners in um.

    Attributes:
        width: length of the rows in um.
        at: position of each gate; for a macro, that of its first slice.
        slices: positions of the slices of each macro, by the number of its gate.
        wire_spread: excess of the longest wires of some placements over the shortest, as a share.
        macros: division of each macro into slices, by the name of its cell.
    """

    geometry: Geometry
    width: float
    rows: int
    at: list[Point]
    slices: dict[int, list[Point]] = field(default_factory=dict)
    ports: dict[int, Point] = field(default_factory=dict)
    macros: Mapping[str, Slices] = field(default_factory=dict)
    wire_spread: float = 0.0

    @property
    def height(self) -> float:
        """Height of all rows in um."""
        return self.rows * self.geometry.row

    def cell_width(self, cell: str) -> float:
        """Return the width of a library cell, or of a slice of a macro, in um."""
        if cell in self.macros:
            return self.macros[cell].width
        return self.geometry.cells[cell].width

    def pin(self, gate: int, cell: str, pin: str) -> Point:
        """Return the position of a gate's pin; cells of odd rows are mirrored."""
        if gate in self.slices:
            return self._slice_pin(gate, cell, pin)
        x, y = self.at[gate]
        dx, dy = self.geometry.cells[cell].pins[pin]
        row = self.geometry.row
        return x + dx, y + (row - dy if int(y / row) % 2 else dy)

    def _slice_pin(self, gate: int, cell: str, pin: str) -> Point:
        """Return a macro pin's position: data at its bit's slice, others at the middle slice."""
        slices = self.slices[gate]
        name, bracket, index = pin.partition("[")
        data = name in ("wdata_i", "rdata_o")
        bit = int(index[:-1]) if bracket else 0
        number = bit * len(slices) // self.macros[cell].macro.width if data else len(slices) // 2
        x, y = slices[number]
        return x, y + self.geometry.row / 2

    def middle(self, points: Iterable[Point]) -> Point:
        """Return a position inside the core near the centre of points."""
        xs, ys = zip(*points, strict=True)
        x, y = sorted(xs)[len(xs) // 2], sorted(ys)[len(ys) // 2]
        return self.inside(x, y)

    def inside(self, x: float, y: float) -> Point:
        """Return the nearest position inside the core, on a row."""
        row = self.geometry.row
        level = min(max(round(y / row - 0.5), 0), self.rows - 1)
        return min(max(x, 0.0), self.width), level * row

    def put_ports(self, netlist: EditableNetlist) -> None:
        """Place each port bit on the edge that is nearest to the pins on its net."""
        wanted = netlist.port_bits()
        near: dict[int, list[Point]] = {bit: [] for bit in wanted}
        for number, gate in enumerate(netlist.gates):
            for pin, bit in gate.pins.items():
                if bit in near:
                    near[bit].append(self.pin(number, gate.cell, pin))
        for bit, points in near.items():
            x, y = self.width / 2, 0.0
            if points:
                x = sum(point[0] for point in points) / len(points)
                y = sum(point[1] for point in points) / len(points)
            edges = {
                (0.0, y): x,
                (self.width, y): self.width - x,
                (x, 0.0): y,
                (x, self.height): self.height - y,
            }
            self.ports[bit] = min(edges, key=edges.__getitem__)
