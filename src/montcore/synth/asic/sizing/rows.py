# SPDX-License-Identifier: Apache-2.0
"""The arcs of all gates of a netlist, one row for each arc and pair of edges, gate by gate."""

from dataclasses import dataclass, fields

import numpy as np

from montcore.synth.asic.sizing.kinds import numbers_from
from montcore.synth.asic.sizing.nldm import DelayTables, FloatArray, IntArray


@dataclass
class Rows:
    """Columns of the rows; nodes are ``2 bit + edge``.

    Attributes:
        owner: number of the gate; it increases.
        slot: slot of the arc's input.
        source: node of the input, negative for a constant.
        sink: node of the output.
        delay: number of the table of the delay.
        slew: number of the table of the transition time, which has the same axes.
        load: load in pF that the times were looked up with; no number at first.
        before: transition time of the input in ns that they were looked up with.
        time: delay in ns.
        sharp: transition time of the output in ns.
    """

    owner: IntArray
    slot: IntArray
    source: IntArray
    sink: IntArray
    delay: IntArray
    slew: IntArray
    load: FloatArray
    before: FloatArray
    time: FloatArray
    sharp: FloatArray

    @classmethod
    def new(
        cls,
        owner: IntArray,
        slot: IntArray,
        source: IntArray,
        sink: IntArray,
        delay: IntArray,
        slew: IntArray,
    ) -> "Rows":
        """Return rows whose times were not looked up yet."""
        unknown = (np.full(len(owner), np.nan) for _ in range(4))
        return cls(owner, slot, source, sink, delay, slew, *unknown)

    @classmethod
    def none(cls) -> "Rows":
        """Return no rows."""
        return cls.new(*(np.zeros(0, dtype=np.int64) for _ in range(6)))

    @property
    def live(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Tell for each row whether both its pins are connected to bits."""
        found: np.ndarray[tuple[int], np.dtype[np.bool_]] = (self.source >= 0) & (self.sink >= 0)
        return found

    def of(self, gates: IntArray) -> IntArray:
        """Return the numbers of the rows of some gates."""
        first = np.searchsorted(self.owner, gates)
        return numbers_from(first, np.searchsorted(self.owner, gates + 1) - first)

    def replace(self, numbers: IntArray, rows: "Rows") -> None:
        """Put other rows in the place of as many."""
        for column in fields(self):
            getattr(self, column.name)[numbers] = getattr(rows, column.name)

    def cut(self, gates: int) -> None:
        """Remove the rows of all gates from a number on."""
        number = int(np.searchsorted(self.owner, gates))
        for column in fields(self):
            setattr(self, column.name, getattr(self, column.name)[:number])

    def add(self, rows: "Rows") -> None:
        """Append rows of further gates."""
        for column in fields(self):
            both = [getattr(self, column.name), getattr(rows, column.name)]
            setattr(self, column.name, np.concatenate(both))

    def look_up(
        self, tables: DelayTables, numbers: IntArray, load: FloatArray, before: FloatArray
    ) -> None:
        """Bring the times of some rows up to date.

        Args:
            tables: the library's tables.
            numbers: the rows.
            load: load of each in pF.
            before: transition time of its input in ns.
        """
        stale = (load != self.load[numbers]) | (before != self.before[numbers])
        numbers, load, before = numbers[stale], load[stale], before[stale]
        place = tables.locate(self.delay[numbers], load, before)
        self.time[numbers] = tables.read(self.delay[numbers], place)
        self.sharp[numbers] = tables.read(self.slew[numbers], place)
        self.load[numbers], self.before[numbers] = load, before
