# SPDX-License-Identifier: Apache-2.0
"""The cells of a library for the timer: arrays indexed by pin numbers."""

from collections.abc import Sequence

import numpy as np

from montcore.synth.asic.cells import CLOCK_PINS
from montcore.synth.asic.sizing.nldm import DelayTables, IntArray, Library, TimingCell


def table_of(columns: int, rows: Sequence[tuple[int, ...]]) -> IntArray:
    """Return rows with a given number of columns as an array, even if there are none."""
    return np.array(rows, dtype=np.int64).reshape(-1, columns)


def numbers_from(first: IntArray, count: IntArray) -> IntArray:
    """Return for each entry `count` consecutive numbers from `first` on, all in one array."""
    begin = np.cumsum(count) - count
    return np.repeat(first - begin, count) + np.arange(int(count.sum()))


def rows_of(gates: IntArray, first: IntArray, bits: IntArray, parts: IntArray) -> IntArray:
    """Return a row for each gate and part whose pin is connected to a bit.

    Args:
        gates: gate numbers.
        first: number of each gate's first pin in the row of all pins (slot).
        bits: bits of all pins of each gate.
        parts: a row for each part of the cell, a clocked output or a set-up time: pin number, edge,
            tables.

    Returns:
        Rows of gate, slot of the pin, ``2 bit + edge``, tables.
    """
    nodes = 2 * bits[:, parts[:, 0]] + parts[:, 1]
    gate, part = np.nonzero(nodes >= 0)
    slots, ends = first[gate] + parts[part, 0], nodes[gate, part]
    return np.concatenate([np.stack([gates[gate], slots, ends], axis=1), parts[part, 2:]], axis=1)


class GateKind:
    """A cell of the library by pin numbers, in the order of the pins' names."""

    def __init__(self, cell: TimingCell, first: int, tables: DelayTables) -> None:
        self.pins = tuple(sorted({**cell.caps, **cell.max_load}))
        self.first = first
        self.index = number = {pin: index for index, pin in enumerate(self.pins)}
        # Pins, edges and tables of each arc, of each clocked output, and of each set-up time.
        self.arcs = table_of(
            6,
            [
                (
                    number[arc.source],
                    number[arc.sink],
                    *edges,
                    arc.delay[edges[1]],
                    arc.slew[edges[1]],
                )
                for arc in cell.arcs
                for edges in arc.senses
            ],
        )
        self.launches = table_of(
            4,
            [
                (number[arc.sink], edge, arc.delay[edge], arc.slew[edge])
                for arc in cell.launches
                for edge in (0, 1)
            ],
        )
        self.setups = table_of(
            3,
            [
                (number[pin], edge, tables[edge])
                for pin, tables in cell.setups.items()
                for edge in (0, 1)
            ],
        )
        self.sources = np.unique(self.arcs[:, 0])
        # The clock input, and the edge that ends a cycle, if the clock is treated as a net.
        clocks = [number[pin] for pin in self.pins if pin in CLOCK_PINS and cell.seen]
        self.clock = clocks[0] if clocks else -1
        self.closing = int(cell.latch)
        # `Timer.update` reads the transition time at the table position of the delay.
        assert tables.same_axes(self.arcs[:, 4], self.arcs[:, 5]), cell.name


class Kinds:
    """All cells of a library, and the properties of their pins in one array."""

    def __init__(self, library: Library) -> None:
        self.number = {name: index for index, name in enumerate(library.cells)}
        self.kinds: list[GateKind] = []
        caps: list[float] = []
        limits: list[float] = []
        drives: list[bool] = []
        loads: list[bool] = []
        clocks: list[bool] = []
        self.names: list[str] = []
        for cell in library.cells.values():
            kind = GateKind(cell, len(self.names), library.tables)
            self.kinds.append(kind)
            for pin in kind.pins:
                self.names.append(pin)
                caps.append(cell.caps.get(pin, 0.0))
                limits.append(cell.max_load.get(pin, np.inf))
                drives.append(pin not in cell.caps)
                loads.append(pin in cell.caps and (cell.seen or pin not in CLOCK_PINS))
                clocks.append(pin in CLOCK_PINS and not cell.seen)
        self.caps, self.limits = np.array(caps), np.array(limits)
        self.drives, self.loads = np.array(drives), np.array(loads)
        self.clocks = np.array(clocks)
        self.latches = np.array([cell.latch for cell in library.cells.values()])
        self.first = np.array([kind.first for kind in self.kinds])
        self.count = np.array([len(kind.pins) for kind in self.kinds])
        self.areas = np.array([cell.area for cell in library.cells.values()])
        self.arcs = np.concatenate([table_of(6, []), *(kind.arcs for kind in self.kinds)])
        self.arc_count = np.array([len(kind.arcs) for kind in self.kinds])
        self.arc_first = np.cumsum(self.arc_count) - self.arc_count
        self.sources = np.concatenate([kind.sources for kind in self.kinds])
        self.source_count = np.array([len(kind.sources) for kind in self.kinds])
        self.source_first = np.cumsum(self.source_count) - self.source_count
