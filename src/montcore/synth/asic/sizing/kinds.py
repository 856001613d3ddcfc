# SPDX-License-Identifier: Apache-2.0
"""The cells of a library for the timer: arrays indexed by the numbers of cells and pins.

The pins of a cell are numbered in the order of their names.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from montcore.synth.asic.sizing.nldm import IntArray, Library


def numbers_from(first: IntArray, count: IntArray) -> IntArray:
    """Return for each entry `count` consecutive numbers from `first` on, all in one array."""
    begin = np.cumsum(count) - count
    return np.repeat(first - begin, count) + np.arange(int(count.sum()))


@dataclass(frozen=True)
class Parts:
    """Parts of all cells, such as arcs.

    Attributes:
        rows: one row for each part, cell by cell; pin numbers, edges, numbers of tables.
    """

    rows: IntArray
    count: IntArray

    @classmethod
    def of_cells(cls, columns: int, parts: Sequence[Sequence[tuple[int, ...]]]) -> "Parts":
        """Return the parts of cells; there may be none."""
        rows = [row for own in parts for row in own]
        table = np.array(rows, dtype=np.int64).reshape(-1, columns)
        return cls(table, np.array([len(own) for own in parts]))

    def of(self, types: IntArray) -> tuple[IntArray, IntArray]:
        """Return the gate and the row of each part of gates with given cells."""
        count = self.count[types]
        first = np.cumsum(self.count) - self.count
        owner = np.repeat(np.arange(len(types)), count)
        return owner, self.rows[numbers_from(first[types], count)]


class Kinds:
    """All cells of a library, and the properties of their pins in one array.

    Attributes:
        index: number of each pin of a cell, by cell.
        first: number of a cell's first pin among all pins.
        names, caps, limits: name, capacitance and permitted load of each pin.
        drives, loads, clocks: whether a pin is an output, an input that counts as a load, or a
            clock input that is not treated as a net.
        clock: clock input of a cell whose clock is treated as a net, or -1.
        arcs: input, output, their edges, tables of delay and transition time.
        launches: output, edge, tables of delay and transition time, of each clocked output.
        setups: input, edge and table of each set-up time.
    """

    def __init__(self, library: Library) -> None:
        cells = list(library.cells.values())
        self.number = {cell.name: number for number, cell in enumerate(cells)}
        pins = [sorted({**cell.caps, **cell.max_load}) for cell in cells]
        self.index = [{pin: number for number, pin in enumerate(own)} for own in pins]
        self.count = np.array([len(own) for own in pins])
        self.first = np.cumsum(self.count) - self.count
        owned = [(cell, pin) for cell, own in zip(cells, pins, strict=True) for pin in own]
        self.names = [pin for _, pin in owned]
        self.caps = np.array([cell.caps.get(pin, 0.0) for cell, pin in owned])
        self.limits = np.array([cell.max_load.get(pin, np.inf) for cell, pin in owned])
        inputs = np.array([pin in cell.caps for cell, pin in owned])
        self.clocks = np.array(
            [pin in (cell.clock, *cell.clocks) and not cell.seen for cell, pin in owned]
        )
        self.drives, self.loads = ~inputs, inputs & ~self.clocks
        self.areas = np.array([cell.area for cell in cells])
        self.latches = np.array([cell.latch for cell in cells])
        both = list(zip(cells, self.index, strict=True))
        self.clock = np.array(
            [index[cell.clock] if cell.seen and cell.clock else -1 for cell, index in both]
        )
        self.arcs = Parts.of_cells(
            6,
            [
                [
                    (
                        index[arc.source],
                        index[arc.sink],
                        *edges,
                        arc.delay[edges[1]],
                        arc.slew[edges[1]],
                    )
                    for arc in cell.arcs
                    for edges in arc.senses
                ]
                for cell, index in both
            ],
        )
        self.sources = Parts.of_cells(
            1, [sorted({(index[arc.source],) for arc in cell.arcs}) for cell, index in both]
        )
        self.launches = Parts.of_cells(
            4,
            [
                [
                    (index[arc.sink], edge, arc.delay[edge], arc.slew[edge])
                    for arc in cell.launches
                    for edge in (0, 1)
                ]
                for cell, index in both
            ],
        )
        self.setups = Parts.of_cells(
            3,
            [
                [
                    (index[pin], edge, tables[edge])
                    for pin, tables in cell.setups.items()
                    for edge in (0, 1)
                ]
                for cell, index in both
            ],
        )
        # The timer reads the transition time at the table position of the delay.
        assert library.tables.same_axes(self.arcs.rows[:, 4], self.arcs.rows[:, 5])
