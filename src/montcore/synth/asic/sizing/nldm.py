# SPDX-License-Identifier: Apache-2.0
"""Timing data of the cell library: look-up tables of the delays of every arc, for numpy."""

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from montcore.synth import options
from montcore.synth.asic.liberty import Group, read_groups
from montcore.synth.asic.memory import Macro

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
_SIZE = 6


@dataclass(frozen=True)
class Arc:
    """A timing arc from one pin to another.

    Attributes:
        source: input pin.
        sink: output pin.
        senses: pairs (input edge, output edge), 0 rise and 1 fall, that the arc joins.
        delay: table numbers of the delay to a rising and to a falling output.
        slew: likewise of the transition time.
    """

    source: str
    sink: str
    senses: tuple[tuple[int, int], ...]
    delay: tuple[int, int]
    slew: tuple[int, int]


@dataclass(frozen=True)
class TimingCell:
    """Pin capacitances in pF, arcs, clocked arcs and set-up tables (rise, fall) of a cell.

    A latch has an arc from its enable instead of a clocked arc: its enable is an ordinary net. The
    same holds for all cells of `Library.propagated`.

    Attributes:
        latch: whether the cell is a latch.
        seen: whether the clock is treated as an ordinary net.
    """

    name: str
    area: float
    caps: dict[str, float]
    max_load: dict[str, float]
    arcs: tuple[Arc, ...]
    launches: tuple[Arc, ...]
    setups: dict[str, tuple[int, int]]
    latch: bool = False
    seen: bool = False


@dataclass(frozen=True)
class Place:
    """Table cells and the positions inside them, for a row of arguments."""

    row: IntArray
    column: IntArray
    down: FloatArray
    right: FloatArray


class DelayTables:
    """Two-dimensional look-up tables with linear inter- and extrapolation, padded to one size."""

    def __init__(self) -> None:
        self._first: list[list[float]] = []
        self._second: list[list[float]] = []
        self._values: list[list[list[float]]] = []

    def add(self, first: list[float], second: list[float], values: list[list[float]]) -> int:
        """Add a table and return its number."""
        self._first.append(first)
        self._second.append(second)
        self._values.append(values)
        return len(self._values) - 1

    @cached_property
    def _packed(self) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
        """All tables as arrays: sizes, both axes and values; none is added afterwards."""
        number = len(self._values)
        sizes = np.zeros((number, 2), dtype=np.int64)
        first = np.full((number, _SIZE), np.inf)
        second = np.full((number, _SIZE), np.inf)
        values = np.zeros((number, _SIZE, _SIZE))
        for i, table in enumerate(self._values):
            a, b = len(self._first[i]), len(self._second[i])
            sizes[i] = a, b
            first[i, :a], second[i, :b] = self._first[i], self._second[i]
            values[i, :a, :b] = table
        return sizes, first, second, values

    def locate(self, table: IntArray, x: FloatArray, y: FloatArray) -> "Place":
        """Return the positions of (x, y) in tables, for `read`."""
        sizes, first, second, _ = self._packed
        fx, sy = first[table], second[table]
        i = np.clip((fx <= x[:, None]).sum(1) - 1, 0, sizes[table, 0] - 2)
        j = np.clip((sy <= y[:, None]).sum(1) - 1, 0, sizes[table, 1] - 2)
        n = np.arange(len(table))
        x0, y0 = fx[n, i], sy[n, j]
        return Place(i, j, (x - x0) / (fx[n, i + 1] - x0), (y - y0) / (sy[n, j + 1] - y0))

    def read(self, table: IntArray, place: "Place") -> FloatArray:
        """Return values of tables at a place found in tables with the same axes."""
        values, i, j = self._packed[3], place.row, place.column
        a, b = values[table, i, j], values[table, i, j + 1]
        c, d = values[table, i + 1, j], values[table, i + 1, j + 1]
        low: FloatArray = a + (b - a) * place.right
        high: FloatArray = c + (d - c) * place.right
        result: FloatArray = low + (high - low) * place.down
        return result

    def look_up(self, table: IntArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return table values at (x, y) for arrays of table numbers and arguments."""
        return self.read(table, self.locate(table, x, y))

    def same_axes(self, one: IntArray, other: IntArray) -> bool:
        """Tell whether two rows of tables have the same axes, pair by pair."""
        _, first, second, _ = self._packed
        pairs = np.unique(np.stack([one, other]), axis=1)
        return all(bool((axis[pairs[0]] == axis[pairs[1]]).all()) for axis in (first, second))

    def reach(self, table: int) -> tuple[float, float]:
        """Return the largest arguments in a table."""
        return self._first[table][-1], self._second[table][-1]

    def at(self, table: int, x: float, y: float) -> float:
        """Return one table value at (x, y)."""
        first, second, values = self._first[table], self._second[table], self._values[table]
        i, top = 0, len(first) - 2
        while i < top and first[i + 1] <= x:
            i += 1
        j, top = 0, len(second) - 2
        while j < top and second[j + 1] <= y:
            j += 1
        u = (x - first[i]) / (first[i + 1] - first[i])
        v = (y - second[j]) / (second[j + 1] - second[j])
        row, after = values[i], values[i + 1]
        low = row[j] + (row[j + 1] - row[j]) * v
        high = after[j] + (after[j + 1] - after[j]) * v
        return low + (high - low) * u


@dataclass(frozen=True, eq=False)
class Library:
    """Cells by name and the tables that their arcs refer to."""

    cells: dict[str, TimingCell]
    tables: DelayTables

    def propagated(self) -> "Library":
        """Return the library with the clock of every cell treated as an ordinary net."""
        cells = {}
        for name, cell in self.cells.items():
            arcs = tuple(replace(arc, senses=((0, 0), (0, 1))) for arc in cell.launches)
            cells[name] = replace(cell, arcs=(*cell.arcs, *arcs), launches=(), seen=True)
        return Library(cells, self.tables)

    def within_tables(self) -> "Library":
        """Return the library with each output's load limited to the range of its tables."""
        cells = {}
        for name, cell in self.cells.items():
            limits = dict(cell.max_load)
            for arc in (*cell.arcs, *cell.launches):
                reach = min(self.tables.reach(table)[0] for table in arc.delay)
                limits[arc.sink] = min(limits.get(arc.sink, reach), reach)
            cells[name] = replace(cell, max_load=limits)
        return Library(cells, self.tables)


_SENSES = {
    "positive_unate": ((0, 0), (1, 1)),
    "negative_unate": ((0, 1), (1, 0)),
    "non_unate": ((0, 0), (0, 1), (1, 0), (1, 1)),
}


def _numbers(text: str) -> list[float]:
    return [float(item) for item in re.findall(r"[-+\d.eE]+", text)]


def _table(tables: DelayTables, group: Group) -> int:
    """Add the table of a group; a one-dimensional table does not depend on the other argument."""
    parts = {part.kind: re.findall(r'"([^"]*)"', part.words) for part in group.groups}
    rows = [_numbers(row) for row in parts["values"]]
    first = _numbers(parts["index_1"][0])
    if "index_2" in parts:
        return tables.add(first, _numbers(parts["index_2"][0]), rows)
    return tables.add(first, [0.0, 1.0], [[value, value] for value in rows[0]])


@cache
def read_library(path: Path, macros: tuple[tuple[Macro, float], ...] = ()) -> Library:
    """Read delays of a liberty file whose tables have index_1 = load and index_2 = input slew.

    Args:
        path: the liberty file.
        macros: memory macros that are added, each with its access time in ns.
    """
    tables = DelayTables()
    cells = {group.name: _cell(group, tables) for group in read_groups(path).all("cell")}
    _add_macros(cells, tables, macros)
    return Library(cells, tables)


def _cell(cell: Group, tables: DelayTables) -> TimingCell:
    """Read one cell and add its tables."""
    caps: dict[str, float] = {}
    limits: dict[str, float] = {}
    arcs: list[Arc] = []
    launches: list[Arc] = []
    setups: dict[str, tuple[int, int]] = {}

    def pair(groups: dict[str, Group], rise: str, fall: str) -> tuple[int, int]:
        return _table(tables, groups[rise]), _table(tables, groups[fall])

    for pin in cell.all("pin"):
        if pin.attributes.get("direction") == "input":
            caps[pin.name] = float(pin.attributes.get("capacitance", "0"))
        else:
            limits[pin.name] = float(pin.attributes.get("max_capacitance", "inf"))
        for timing in pin.all("timing"):
            groups = {group.kind: group for group in timing.groups}
            kind = timing.attributes.get("timing_type", "combinational")
            if kind.startswith("setup"):
                setups[pin.name] = pair(groups, "rise_constraint", "fall_constraint")
            elif kind in ("rising_edge", "falling_edge", "combinational"):
                arc = Arc(
                    timing.attributes["related_pin"],
                    pin.name,
                    _SENSES[timing.attributes.get("timing_sense", "non_unate")],
                    pair(groups, "cell_rise", "cell_fall"),
                    pair(groups, "rise_transition", "fall_transition"),
                )
                (arcs if kind == "combinational" else launches).append(arc)
    latch = any(cell.all("latch"))
    if latch:
        arcs += [replace(arc, senses=((0, 0), (0, 1))) for arc in launches]
        launches = []
    area = float(cell.attributes.get("area", "0"))
    return TimingCell(
        cell.name, area, caps, limits, tuple(arcs), tuple(launches), setups, latch, latch
    )


def _add_macros(
    cells: dict[str, TimingCell], tables: DelayTables, macros: tuple[tuple[Macro, float], ...]
) -> None:
    """Add the memory macros with the timing assumed in `options`; pins are ``port[bit]``."""
    high = 0.5
    rise = options.MACRO_DRIVE_NS_PER_PF * high

    def ramp(start: float) -> int:
        return tables.add([0.0, high], [0.0, 1.0], [[start, start], [start + rise, start + rise]])

    slew = ramp(options.MACRO_SLEW_NS)
    flat = tables.add([0.0, 1.0], [0.0, 1.0], [[options.MACRO_SETUP_NS] * 2] * 2)
    for macro, access in macros:
        delay = ramp(access)
        caps: dict[str, float] = {}
        limits: dict[str, float] = {}
        setups: dict[str, tuple[int, int]] = {}
        for direction, name, width in macro.ports():
            for bit in range(width):
                pin = f"{name}[{bit}]" if width > 1 else name
                if direction == "output":
                    limits[pin] = 0.98
                    continue
                caps[pin] = options.MACRO_PIN_PF
                if name not in ("raddr_i", "clk_i"):
                    setups[pin] = flat, flat
        reads = [pin for pin in caps if pin.startswith("raddr_i")]
        tables_of = (delay, delay), (slew, slew)
        cells[macro.cell] = TimingCell(
            macro.cell,
            0.0,
            caps,
            limits,
            tuple(
                Arc(read, pin, _SENSES["non_unate"], *tables_of) for read in reads for pin in limits
            ),
            tuple(Arc("clk_i", pin, _SENSES["non_unate"], *tables_of) for pin in limits),
            setups,
        )
