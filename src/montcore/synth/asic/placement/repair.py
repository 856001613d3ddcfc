# SPDX-License-Identifier: Apache-2.0
"""Buffering by position, for nets beyond the load or slew range of the library's tables."""

from dataclasses import dataclass

from montcore.synth.asic.placement.trees import Point
from montcore.synth.asic.placement.wires import Wires
from montcore.synth.asic.sizing.tune import Tuner

_SHARE = 0.7
"""Share of the permitted load that a repaired net may keep."""
_GROUP_PF = 0.3
"""Load of pins and wires that each buffer of a repaired net gets, times `Library.load`."""
_WINDOW_NS = 0.3
"""Pins with this much more slack than the least do not stay at the driver, times `Library.time`."""
_ROUNDS = 10


@dataclass(frozen=True)
class _Sink:
    gate: int
    pin: str
    cap: float
    at: Point


class Repair:
    """Buffers one netlist in place until every net is within the limits."""

    def __init__(self, tuner: Tuner, wires: Wires) -> None:
        self.tuner = tuner
        self._wires = wires
        library = tuner.library
        self._buffer = library.known.buffer
        (self._entry,) = library.cells[self._buffer].caps.values()
        (reach,) = library.cells[self._buffer].max_load.values()
        self.left = ""
        self._reach = reach * 0.95
        self._group_pf = _GROUP_PF * library.load
        self._window = _WINDOW_NS * library.time

    def _described(self, bit: int) -> str:
        """Return the driver of a net, its load and what reads it, for a message."""
        timer = self.tuner.timer
        driver = timer.driver(bit)
        cell = timer.cell(driver[0]) if driver else None
        limit = f" of {cell.max_load[driver[1]]:.2f}" if cell and driver else ""
        return (
            f"{cell.name if cell else 'a port'} drives {timer.load(bit):.2f}{limit} pF, "
            f"{len(timer.sinks(bit))} pins"
        )

    def run(self) -> int:
        """Repair all nets; return how many are still beyond a limit."""
        left = 0
        for _ in range(_ROUNDS):
            timer = self.tuner.timer
            over = dict(timer.overloaded())
            for bit in timer.slow(self.tuner.library.max_slew_ns):
                over.setdefault(bit, timer.load(bit) * 0.9)
            left = len(over)
            if not over:
                break
            self.left = self._described(next(iter(over)))
            far = [bit for bit, limit in over.items() if self._has_far_port(bit, limit)]
            # A port's buffer gives its driver a new bit, of which the timer has to know first.
            for bit in far:
                self.tuner.buffer_port(self._buffer, bit)
            if not far:
                for bit, limit in over.items():
                    self._repair(bit, limit)
            self.tuner.refresh()
        return left

    def _has_far_port(self, bit: int, limit: float) -> bool:
        """Tell whether the wire to a port alone is too long, however the sinks are buffered."""
        port, driver = self._wires.port(bit), self.tuner.timer.driver(bit)
        if port is None or driver is None:
            return False
        if self._stronger(*driver, self.tuner.timer.load(bit)) is not None:
            return False
        return self._wires.load_of(self._wires.where(*driver), [port]) + self._entry > limit

    def _repair(self, bit: int, limit: float) -> None:
        timer = self.tuner.timer
        driver = timer.driver(bit)
        if driver is None:
            return
        gate, pin = driver
        stronger = self._stronger(gate, pin, timer.load(bit))
        if stronger is not None:
            netlist = self.tuner.netlist
            netlist.replace(gate, stronger, dict(netlist.gates[gate].pins))
            return
        sinks = [
            _Sink(*place, timer.cell(place[0]).caps[place[1]], self._wires.where(*place))
            for place in timer.sinks(bit)
        ]
        if not sinks:
            return
        root = self._wires.where(gate, pin)
        slack = {sink: self.tuner.sink_slack(bit, (sink.gate, sink.pin)) for sink in sinks}
        sinks.sort(key=slack.__getitem__)
        stay: list[_Sink] = []
        room = limit * _SHARE - self._entry
        while len(stay) < len(sinks) - 1:
            more = [*stay, sinks[len(stay)]]
            if self._load(root, more) > room or slack[more[-1]] > slack[sinks[0]] + self._window:
                break
            stay = more
        groups = self._groups(root, sinks[len(stay) :])
        near = self._wires.corner(gate)
        buffered = timer.cell(gate).name == self._buffer
        far = self._changes_nothing(root, stay, groups, limit)
        if far and not buffered:
            groups = [[sink for group in groups for sink in group]]
        if len(groups) == 1:
            # Near its driver a buffer could be overloaded too, or as slow as the driver.
            far = self._load(near, groups[0]) > self._reach or (buffered and not stay)
        for group in groups:
            middle = self._wires.layout.middle([sink.at for sink in group])
            if far:
                at = self._wires.layout.inside((near[0] + middle[0]) / 2, (near[1] + middle[1]) / 2)
            else:
                at = near if len(groups) == 1 else middle
            moved = [(sink.gate, sink.pin) for sink in group]
            self.tuner.insert_buffer(self._buffer, bit, moved, at)

    def _changes_nothing(
        self, root: Point, stay: list[_Sink], groups: list[list[_Sink]], limit: float
    ) -> bool:
        """Tell whether the driver would still be overloaded with a buffer in place of each sink."""
        pins = [*stay, *(sink for group in groups for sink in group)]
        single = len(groups) > 1 and all(len(group) == 1 for group in groups)
        return single and self._load(root, pins) > limit

    def _stronger(self, gate: int, pin: str, load: float) -> str | None:
        """Return the cell with the drive strength that a gate's load needs, if there is one."""
        cells, here = self.tuner.library.cells, self.tuner.netlist.gates[gate]
        family = self.tuner.library.drives.get(here.cell, ())
        for name in family[family.index(here.cell) + 1 :] if family else ():
            if cells[name].max_load[pin] * 0.95 >= load:
                return name
        return None

    def _load(self, root: Point, sinks: list[_Sink]) -> float:
        wires = self._wires.load_of(root, (sink.at for sink in sinks))
        return wires + sum(sink.cap for sink in sinks)

    def _groups(self, root: Point, sinks: list[_Sink]) -> list[list[_Sink]]:
        """Halve the sinks along the longer side of their bounding box until the load fits."""
        if len(sinks) == 1 or self._load(sinks[0].at, sinks) <= self._group_pf:
            return [sinks]
        xs, ys = [sink.at[0] for sink in sinks], [sink.at[1] for sink in sinks]
        axis = 0 if max(xs) - min(xs) >= max(ys) - min(ys) else 1
        ordered = sorted(sinks, key=lambda sink: sink.at[axis])
        middle = len(ordered) // 2
        return [
            *self._groups(root, ordered[:middle]),
            *self._groups(root, ordered[middle:]),
        ]
