# SPDX-License-Identifier: Apache-2.0
"""Timing data of the cell library: look-up tables of the delays of every arc, for numpy."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from montcore.synth import options
from montcore.synth.asic.cell_roles import pin_of
from montcore.synth.asic.liberty import Group
from montcore.synth.asic.library import CellLibrary
from montcore.synth.asic.macros import ClockedMacro, macros_of
from montcore.synth.asic.memory import Macro

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
#: Delay of osu018's inverter with four of its kind as load, and the capacitance of its input: the
#: constants of sizing are for these.
_FO4_NS, _INPUT_PF = 0.099, 0.00932


@dataclass(frozen=True)
class Arc:
    """A timing arc from one pin to another.

    Attributes:
        senses: pairs (input edge, output edge), 0 rise and 1 fall, that the arc joins.
        delay: table numbers of the delay to a rising and to a falling output.
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
        clock: the clock input of a register or a macro, the enable of a latch.
        seen: whether the clock is treated as an ordinary net.
    """

    name: str
    area: float
    caps: dict[str, float]
    max_load: dict[str, float]
    arcs: tuple[Arc, ...]
    launches: tuple[Arc, ...]
    setups: dict[str, tuple[int, int]]
    clock: str = ""
    latch: bool = False
    seen: bool = False
    clocks: tuple[str, ...] = ()


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
        size = max(map(len, (*self._first, *self._second)), default=0)
        sizes = np.zeros((number, 2), dtype=np.int64)
        first = np.full((number, size), np.inf)
        second = np.full((number, size), np.inf)
        values = np.zeros((number, size, size))
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

    def largest(self, tables: Iterable[int]) -> int:
        """Return a table of the largest values of some, with the axes of the first."""
        one, *others = dict.fromkeys(tables)
        if not others:
            return one
        first, second = self._first[one], self._second[one]
        values = [
            [max(self.at(table, x, y) for table in (one, *others)) for y in second] for x in first
        ]
        return self.add(first, second, values)

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
    known: CellLibrary

    @cached_property
    def drives(self) -> dict[str, tuple[str, ...]]:
        """For each cell, those of its function with the same arcs, weakest first.

        The timer replaces the rows of a gate in place, so that all need equally many.
        """

        def shape(name: str) -> object:
            cell = self.cells[name]
            arcs = tuple((arc.source, arc.sink, arc.senses) for arc in cell.arcs)
            return arcs, len(cell.launches), tuple(cell.setups)

        return {
            name: tuple(other for other in family if shape(other) == shape(name))
            for name, family in self.known.drives.items()
        }

    @cached_property
    def fo4_ns(self) -> float:
        """Mean delay of the smallest inverter with four of its kind as load, to a picosecond."""
        cell, slew = self.cells[self.known.inverter], [0.0, 0.0]
        load, (arc, *_) = 4 * next(iter(cell.caps.values())), cell.arcs
        delays = slew
        for _ in range(20):  # the transition of a chain of such inverters settles
            delays = [self.tables.at(arc.delay[e], load, slew[1 - e]) for e in (0, 1)]
            slew = [self.tables.at(arc.slew[e], load, slew[1 - e]) for e in (0, 1)]
        return round(sum(delays) / 2, 3)

    @cached_property
    def time(self) -> float:
        """How much slower than osu018 the library is."""
        return self.fo4_ns / _FO4_NS

    @cached_property
    def load(self) -> float:
        """How much larger than in osu018 the input of an inverter is."""
        (cap,) = self.cells[self.known.inverter].caps.values()
        return round(cap, 5) / _INPUT_PF

    @cached_property
    def max_slew_ns(self) -> float:
        """Longest transition that a net may have: the last one in the tables of all logic."""
        arcs = (arc for cell in self.cells.values() if not cell.setups for arc in cell.arcs)
        reach = min(self.tables.reach(table)[1] for arc in arcs for table in arc.delay)
        stated = self.known.groups.attributes.get("default_max_transition")
        return min(reach, float(stated) * self.known.time_ns) if stated else reach

    def propagated(self) -> "Library":
        """Return the library with the clock of every cell treated as an ordinary net."""
        cells = {}
        for name, cell in self.cells.items():
            arcs = tuple(replace(arc, senses=((0, 0), (0, 1))) for arc in cell.launches)
            cells[name] = replace(cell, arcs=(*cell.arcs, *arcs), launches=(), seen=True)
        return Library(cells, self.tables, self.known)

    def within_tables(self) -> "Library":
        """Return the library with each output's load limited to the range of its tables."""
        cells = {}
        for name, cell in self.cells.items():
            limits = dict(cell.max_load)
            for arc in (*cell.arcs, *cell.launches):
                reach = min(self.tables.reach(table)[0] for table in arc.delay)
                limits[arc.sink] = min(limits.get(arc.sink, reach), reach)
            cells[name] = replace(cell, max_load=limits)
        return Library(cells, self.tables, self.known)


_SENSES = {
    "positive_unate": ((0, 0), (1, 1)),
    "negative_unate": ((0, 1), (1, 0)),
    "non_unate": ((0, 0), (0, 1), (1, 0), (1, 1)),
}
#: What the first axis of a table may be.
_FIRST = ("total_output_net_capacitance", "related_pin_transition")


@cache
def read_library(known: CellLibrary, macros: tuple[tuple[Macro, float], ...] = ()) -> Library:
    """Read the delays of a library, in ns and pF.

    Args:
        macros: memory macros that are added, each with its access time in ns; those of the library
            have their own.
    """
    tables = DelayTables()
    reader = _Reader(known, tables)
    cells = {group.name: reader.cell(group) for group in known.groups.all("cell")}
    _add_macros(cells, tables, tuple(m for m in macros if not isinstance(m[0], ClockedMacro)))
    for macro, _ in macros:
        if isinstance(macro, ClockedMacro):
            timed = macros_of(known)[macro.name][1]
            (group,) = timed.groups.all("cell")
            clocks = macro.pins()["clk"]
            cells[macro.name] = replace(_Reader(timed, tables).cell(group), clocks=clocks)
    return Library(cells, tables, known)


class _Reader:
    def __init__(self, known: CellLibrary, tables: DelayTables) -> None:
        self.tables = tables
        self._known = known
        self._templates = {group.name: group for group in known.groups.all("lu_table_template")}

    def cell(self, cell: Group) -> TimingCell:
        """Read one cell."""
        caps: dict[str, float] = {}
        limits: dict[str, float] = {}
        setups: dict[str, list[tuple[int, int]]] = {}
        # Libraries may have an arc for each state of the other inputs, and not as many for each
        # drive of a function.
        logic: dict[tuple[str, str, str], list[Arc]] = {}
        edges: dict[tuple[str, str, str], list[Arc]] = {}
        for pin in cell.all("pin"):
            if pin.attributes.get("direction") == "input":
                caps[pin.name] = self._cap(pin)
            elif "function" in pin.attributes:
                most = float(pin.attributes.get("max_capacitance", "inf"))
                limits[pin.name] = most * self._known.load_pf
        for pin in cell.all("pin"):
            for timing in pin.all("timing"):
                groups = {group.kind: group for group in timing.groups}
                kind = timing.attributes.get("timing_type", "combinational")
                source = timing.attributes.get("related_pin", "").strip()
                if kind.startswith("setup"):
                    found = self._pair(groups, "rise_constraint", "fall_constraint")
                    setups.setdefault(pin.name, []).append(found)
                elif kind in ("rising_edge", "falling_edge", "combinational"):
                    # Not between outputs, and not of one edge alone.
                    known = source in caps and pin.name in limits
                    if not known or not {"cell_rise", "cell_fall"} <= groups.keys():
                        continue
                    sense = timing.attributes.get("timing_sense", "non_unate")
                    arc = Arc(
                        source,
                        pin.name,
                        _SENSES[sense],
                        self._pair(groups, "cell_rise", "cell_fall"),
                        self._pair(groups, "rise_transition", "fall_transition"),
                    )
                    of = logic if kind == "combinational" else edges
                    of.setdefault((source, pin.name, sense if of is logic else ""), []).append(arc)
        arcs, launches = self._merged(logic), self._merged(edges)
        about = self._known.cells[cell.name]
        clock = pin_of(about.state.get("enable" if about.latch else "clocked_on", ""))
        if about.latch:
            arcs += [replace(arc, senses=((0, 0), (0, 1))) for arc in launches]
            launches = []
        return TimingCell(
            cell.name,
            about.area,
            caps,
            limits,
            tuple(arcs),
            tuple(launches),
            {pin: self._largest(pairs) for pin, pairs in setups.items()},
            clock[0] if clock else "",
            about.latch,
            about.latch,
        )

    def _cap(self, pin: Group) -> float:
        """Return the capacitance of an input: the upper end of its range, as OpenSTA does."""
        ranges = pin.all("rise_capacitance_range", "fall_capacitance_range")
        ends = [max(_numbers(found.words)) for found in ranges]
        return self._known.load_pf * max(
            ends, default=float(pin.attributes.get("capacitance", "0"))
        )

    def _merged(self, arcs: dict[tuple[str, str, str], list[Arc]]) -> list[Arc]:
        return [
            replace(
                same[0],
                delay=self._largest(arc.delay for arc in same),
                slew=self._largest(arc.slew for arc in same),
            )
            for same in arcs.values()
        ]

    def _largest(self, pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
        rise, fall = zip(*pairs, strict=True)
        return self.tables.largest(rise), self.tables.largest(fall)

    def _pair(self, groups: dict[str, Group], rise: str, fall: str) -> tuple[int, int]:
        return self._table(groups.get(rise) or groups[fall]), self._table(
            groups.get(fall) or groups[rise]
        )

    def _table(self, group: Group) -> int:
        """Add the table of a group: load or clock transition first, then transition.

        A table of fewer arguments does not depend on the others.
        """
        own = {part.kind: re.findall(r'"([^"]*)"', part.words) for part in group.groups}
        template = self._templates.get(group.name) or Group("", "")
        usual = {part.kind: re.findall(r'"([^"]*)"', part.words) for part in template.groups}
        values = np.array([_numbers(row) for row in own["values"]]) * self._known.time_ns
        axes: dict[bool, list[float]] = {}
        for place in ("1", "2"):
            variable = template.attributes.get(f"variable_{place}")
            if variable:
                (text,) = own.get(f"index_{place}") or usual[f"index_{place}"]
                load = variable == _FIRST[0]
                unit = self._known.load_pf if load else self._known.time_ns
                axes[variable in _FIRST] = [unit * value for value in _numbers(text)]
        size = [len(axis) for axis in axes.values()]
        values = values.reshape(size) if size else values.reshape(1)
        order = list(axes)
        if order == [False, True]:
            values = values.T
        elif len(order) < 2:
            values = values[:, None] if order == [True] else values[None, :]
            values = np.broadcast_to(values, [max(2, length) for length in values.shape])
        axis = [axes.get(first) or [0.0, 1.0] for first in (True, False)]
        return self.tables.add(axis[0], axis[1], values.tolist())


def _numbers(text: str) -> list[float]:
    return [float(item) for item in re.findall(r"[-+\d.eE]+", text)]


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
            "clk_i",
        )
