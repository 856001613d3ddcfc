# SPDX-License-Identifier: Apache-2.0
"""Legalisation: every cell on the grid of a row, without overlap, close to its position.

The method is Abacus (Spindler, Schlichtmann, Johannes: fast legalisation of standard cell circuits
with minimal movement, ISPD 2008): cells are inserted in order of x, each into the row where it
causes the least movement; cells of a row that touch move together to their common best position.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from montcore.synth.asic.placement.layout import Layout
from montcore.synth.asic.placement.trees import Point
from montcore.synth.asic.sizing.editable import Gate
from montcore.synth.process import ToolError

_FULL = 0.985
"""Share of the rows that cells may take; beyond it the rows are made longer."""


@dataclass
class _Cluster:
    """Adjacent cells: left edge, width, weight and weighted target position, in um."""

    left: float
    width: float
    weight: float
    wish: float
    first: int


@dataclass
class _Row:
    clusters: list[_Cluster] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    used: float = 0.0

    def join(self, x: float, width: float, length: float) -> tuple[float, int, _Cluster]:
        """Return a cell's position if appended, the clusters left, and the last one."""
        left = min(max(x, 0.0), length - width)
        new = _Cluster(left, width, width, width * x, len(self.cells))
        keep = len(self.clusters)
        while keep and self.clusters[keep - 1].left + self.clusters[keep - 1].width > new.left:
            before = self.clusters[keep - 1]
            weight = before.weight + new.weight
            wish = before.wish + new.wish - new.weight * before.width
            wide = before.width + new.width
            new = _Cluster(
                min(max(wish / weight, 0.0), length - wide), wide, weight, wish, before.first
            )
            keep -= 1
        return new.left + new.width - width, keep, new

    def add(self, cell: int, width: float, keep: int, last: _Cluster) -> None:
        """Append a cell as computed by `join`."""
        del self.clusters[keep:]
        self.clusters.append(last)
        self.cells.append(cell)
        self.used += width


def pack(
    wishes: Sequence[Point], widths: Sequence[float], length: float, rows: int, row: float
) -> list[tuple[float, int]]:
    """Return left edge and row of cells with given desired positions.

    Args:
        wishes: desired lower left corners in um.
        widths: widths of the cells in um.
        length: length of the rows in um.
        row: height of a row in um.
    """
    levels = [_Row() for _ in range(rows)]
    for cell in sorted(range(len(wishes)), key=lambda item: wishes[item][0]):
        (x, y), width = wishes[cell], widths[cell]
        home = min(max(round(y / row), 0), rows - 1)
        best: tuple[float, int, int, _Cluster] | None = None
        for step in range(rows):
            near = step * row - abs(home * row - y)
            if best and near >= best[0]:
                break
            for number in {home - step, home + step}:
                if not 0 <= number < rows or levels[number].used + width > length + 1e-6:
                    continue
                place, keep, last = levels[number].join(x, width, length)
                cost = abs(place - x) + abs(number * row - y)
                if best is None or cost < best[0]:
                    best = cost, number, keep, last
        if best is None:
            raise ToolError(f"{rows} rows of {length:g} um cannot hold all cells")
        levels[best[1]].add(cell, width, best[2], best[3])
    found = [(0.0, 0)] * len(wishes)
    for number, level in enumerate(levels):
        ends = [cluster.first for cluster in level.clusters[1:]]
        ends += [len(level.cells)] if level.clusters else []
        for cluster, end in zip(level.clusters, ends, strict=True):
            left = cluster.left
            for cell in level.cells[cluster.first : end]:
                found[cell] = left, number
                left += widths[cell]
    return found


def legalise(layout: Layout, gates: Sequence[Gate]) -> None:
    """Move all cells to legal positions.

    Rows are made longer if the cells would fill them.
    """
    site, row = layout.geometry.site, layout.geometry.row
    keys: list[tuple[int, int]] = []
    for number in range(len(gates)):
        keys += [(number, index) for index in range(len(layout.slices.get(number, ())) or 1)]
    before = [
        layout.slices[gate][index] if gate in layout.slices else layout.at[gate]
        for gate, index in keys
    ]
    # In whole sites, so that no space is lost between touching cells.
    widths = [round(layout.cell_width(gates[gate].cell) / site) for gate, _ in keys]
    length = round(layout.width / site)
    needed = sum(widths) / _FULL / layout.rows
    if needed > length:
        stretch = needed / length
        before = [(x * stretch, y) for x, y in before]
        length = -(-sum(widths) // round(_FULL * layout.rows)) + 1
        layout.width = length * site
    wishes = [(x / site, y / site) for x, y in before]
    packed = pack(wishes, widths, length, layout.rows, row / site)
    for (gate, index), (left, level) in zip(keys, packed, strict=True):
        at = int(left + 1e-6) * site, level * row
        if gate in layout.slices:
            layout.slices[gate][index] = at
        if index == 0:
            layout.at[gate] = at
    check_legal(layout, gates)


def check_legal(layout: Layout, gates: Sequence[Gate]) -> None:
    """Check that every cell is on the grid, inside the rows, and overlaps no other."""
    site, row = layout.geometry.site, layout.geometry.row
    spans: list[tuple[int, int, int, str]] = []
    for number, gate in enumerate(gates):
        width = round(layout.cell_width(gate.cell) / site)
        for x, y in layout.slices.get(number, [layout.at[number]]):
            left, level = round(x / site), round(y / row)
            if abs(left * site - x) > 1e-6 or abs(level * row - y) > 1e-6:
                raise ToolError(f"{gate.name} at ({x:g}, {y:g}) is not on the grid of the rows")
            if (
                left < 0
                or (left + width) * site > layout.width + 1e-6
                or not 0 <= level < layout.rows
            ):
                raise ToolError(f"{gate.name} at ({x:g}, {y:g}) is not inside the rows")
            spans.append((level, left, left + width, gate.name))
    spans.sort()
    for (level, _, end, name), (other, begin, _, after) in pairwise(spans):
        if level == other and begin < end:
            raise ToolError(f"{name} and {after} overlap in row {level}")
