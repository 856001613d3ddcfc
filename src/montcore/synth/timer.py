# SPDX-License-Identifier: Apache-2.0
"""A netlist of library cells that can be edited, and its timing, fast enough to steer by.

Same model as the final OpenSTA run (table look-up delays, worst slew, ideal clock with slew 0, no
wires), evaluated with numpy one logic level at a time. Quoted clocks always come from OpenSTA; this
timer only decides which edits are worth making.
"""

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from montcore.synth.nldm import Library, TimingCell

_FAR = -1e9
_CLOCKS = frozenset(("CLK", "clk_i"))


@dataclass
class Gate:
    """One cell instance: its type, and the bit on each pin (macro pins are ``port[bit]``)."""

    name: str
    cell: str
    pins: dict[str, int]


class EditableNetlist:
    """A flat netlist from Yosys' ``write_json``; constants are bits below 0."""

    def __init__(self, path: Path, top: str) -> None:
        self._document: dict[str, Any] = json.loads(path.read_text())
        self._module = self._document["modules"][top]
        self.gates: list[Gate] = []
        self._next = 2
        for net in self._module["netnames"].values():
            self._next = max([self._next, *(b + 1 for b in net["bits"] if isinstance(b, int))])
        for name, cell in self._module["cells"].items():
            pins: dict[str, int] = {}
            for port, bits in cell["connections"].items():
                for index, bit in enumerate(bits):
                    pin = port if len(bits) == 1 else f"{port}[{index}]"
                    pins[pin] = bit if isinstance(bit, int) else -1
            self.gates.append(Gate(name, cell["type"], pins))

    def new_bit(self) -> int:
        """Return a bit that no net uses yet."""
        self._next += 1
        return self._next - 1

    def add(self, gate: Gate) -> None:
        """Add an instance."""
        self.gates.append(gate)

    def write(self, path: Path) -> None:
        """Write the edited netlist for Yosys' ``read_json``."""
        cells = self._module["cells"]
        for gate in self.gates:
            known = cells.get(gate.name)
            if known is None:
                cells[gate.name] = {
                    "hide_name": 1,
                    "type": gate.cell,
                    "parameters": {},
                    "attributes": {},
                    "port_directions": {
                        pin: "output" if pin == "Y" else "input" for pin in gate.pins
                    },
                    "connections": {pin: [bit] for pin, bit in gate.pins.items()},
                }
                continue
            known["type"] = gate.cell
            for port, bits in known["connections"].items():
                for index in range(len(bits)):
                    pin = port if len(bits) == 1 else f"{port}[{index}]"
                    if gate.pins[pin] >= 0:
                        bits[index] = gate.pins[pin]
        path.write_text(json.dumps(self._document))

    def copy_state(self) -> list[tuple[str, dict[str, int]]]:
        """Return cell types and pins of every gate, to undo edits with `restore`."""
        return [(gate.cell, dict(gate.pins)) for gate in self.gates]

    def restore(self, state: list[tuple[str, dict[str, int]]]) -> None:
        """Undo every edit since `copy_state`."""
        del self.gates[len(state) :]
        for gate, (cell, pins) in zip(self.gates, state, strict=True):
            gate.cell, gate.pins = cell, pins


class Timer:
    """Arrival and required times of a netlist in its present state.

    Times and slews are per bit and edge, index ``2 * bit + edge`` (0 rise, 1 fall).
    """

    def __init__(self, netlist: EditableNetlist, library: Library) -> None:
        self.library = library
        self.gates = netlist.gates
        self.driver: dict[int, tuple[int, str]] = {}
        self.sinks: dict[int, list[tuple[int, str]]] = {}
        self.load: dict[int, float] = {}
        self._build()

    def cell(self, gate: int) -> TimingCell:
        """Return the library cell of a gate number."""
        return self.library.cells[self.gates[gate].cell]

    def _build(self) -> None:
        cells = self.library.cells
        driver, sinks, load = self.driver, self.sinks, self.load
        top_bit = 0
        for number, gate in enumerate(self.gates):
            caps = cells[gate.cell].caps
            for pin, bit in gate.pins.items():
                if bit < 0:
                    continue
                if bit > top_bit:
                    top_bit = bit
                cap = caps.get(pin)
                if cap is None:
                    driver[bit] = number, pin
                elif pin not in _CLOCKS:
                    if bit in sinks:
                        sinks[bit].append((number, pin))
                        load[bit] += cap
                    else:
                        sinks[bit] = [(number, pin)]
                        load[bit] = cap
        self.size = 2 * (top_bit + 1)
        self._levelise()
        self._arrays()

    def _levelise(self) -> None:
        """Give each gate with arcs a level one above its inputs'."""
        sources = {
            name: frozenset(arc.source for arc in cell.arcs)
            for name, cell in self.library.cells.items()
        }
        inputs_of = [sources[gate.cell] for gate in self.gates]
        driver, sinks = self.driver, self.sinks
        waiting = [0] * len(self.gates)
        level = [0] * len(self.gates)
        ready: list[int] = []
        timed = 0
        for number, gate in enumerate(self.gates):
            inputs = inputs_of[number]
            if not inputs:
                continue
            timed += 1
            for pin in inputs:
                before = driver.get(gate.pins[pin])
                if before is not None and inputs_of[before[0]]:
                    waiting[number] += 1
            if not waiting[number]:
                ready.append(number)
        order = 0
        for number in ready:  # grows while it is walked
            order += 1
            after = level[number] + 1
            inputs = inputs_of[number]
            for pin, bit in self.gates[number].pins.items():
                if pin in inputs or bit < 0 or driver.get(bit) != (number, pin):
                    continue
                for sink, sink_pin in sinks.get(bit, ()):
                    if sink_pin in inputs_of[sink]:
                        if level[sink] < after:
                            level[sink] = after
                        waiting[sink] -= 1
                        if not waiting[sink]:
                            ready.append(sink)
        if order != timed:
            raise ValueError("the netlist has a combinational loop")
        self.level = level

    def _arrays(self) -> None:
        """Collect every arc and edge pair into arrays sorted by level."""
        templates = {
            name: [
                (arc.source, arc.sink, edge_in, edge_out, arc.delay[edge_out], arc.slew[edge_out])
                for arc in cell.arcs
                for edge_in, edge_out in arc.senses
            ]
            for name, cell in self.library.cells.items()
        }
        rows: list[tuple[int, int, int, int, int]] = []
        ends: list[tuple[int, int]] = []
        starts: list[tuple[int, int, int]] = []
        for number, gate in enumerate(self.gates):
            pins, level = gate.pins, self.level[number]
            for source, sink, edge_in, edge_out, delay, slew in templates[gate.cell]:
                a, b = pins[source], pins[sink]
                if a >= 0 and b >= 0:
                    rows.append((level, 2 * a + edge_in, 2 * b + edge_out, delay, slew))
            cell = self.library.cells[gate.cell]
            for arc in cell.launches:
                b = pins[arc.sink]
                for edge in (0, 1):
                    if b >= 0:
                        starts.append((2 * b + edge, arc.delay[edge], arc.slew[edge]))
            for pin, tables in cell.setups.items():
                bit = pins[pin]
                if bit >= 0:
                    ends += [(2 * bit, tables[0]), (2 * bit + 1, tables[1])]
        table = np.array(rows, dtype=np.int64).reshape(-1, 5)
        table = table[np.argsort(table[:, 0], kind="stable")]
        self._source, self._sink = table[:, 1], table[:, 2]
        self._delay, self._slew = table[:, 3], table[:, 4]
        bounds = np.searchsorted(table[:, 0], np.arange(table[-1, 0] + 2)) if len(rows) else [0]
        self._levels = list(pairwise(bounds))
        self._starts = np.array(starts, dtype=np.int64).reshape(-1, 3)
        self._ends = np.array(ends, dtype=np.int64).reshape(-1, 2)

    def update(self) -> float:
        """Compute all times and return the shortest clock period in ns."""
        tables = self.library.tables
        load = np.zeros(self.size)
        for bit, value in self.load.items():
            load[2 * bit] = load[2 * bit + 1] = value
        arrival = np.full(self.size, _FAR)
        slew = np.zeros(self.size)
        node = self._starts[:, 0]
        zero = np.zeros(len(node))
        np.maximum.at(arrival, node, tables.look_up(self._starts[:, 1], load[node], zero))
        np.maximum.at(slew, node, tables.look_up(self._starts[:, 2], load[node], zero))
        delays = np.zeros(len(self._source))
        for low, high in self._levels:
            source, sink = self._source[low:high], self._sink[low:high]
            loads, slews = load[sink], slew[source]
            delay = tables.look_up(self._delay[low:high], loads, slews)
            delays[low:high] = delay
            np.maximum.at(arrival, sink, arrival[source] + delay)
            live = arrival[source] > _FAR / 2
            after = tables.look_up(self._slew[low:high], loads, slews)
            np.maximum.at(slew, sink[live], after[live])
        node = self._ends[:, 0]
        setup = tables.look_up(self._ends[:, 1], np.zeros(len(node)), slew[node])
        period = float(np.max(arrival[node] + setup, initial=0.0))
        required = np.full(self.size, -_FAR)
        np.minimum.at(required, node, period - setup)
        for low, high in reversed(self._levels):
            source, sink = self._source[low:high], self._sink[low:high]
            np.minimum.at(required, source, required[sink] - delays[low:high])
        self.arrival, self.slew, self.required, self.period = arrival, slew, required, period
        self._delays = delays
        return period

    def slack(self, bit: int) -> float:
        """Return the smaller slack of a bit's two edges in ns."""
        a = self.required[2 * bit] - self.arrival[2 * bit]
        b = self.required[2 * bit + 1] - self.arrival[2 * bit + 1]
        return float(min(a, b))

    def critical_bits(self, window: float) -> list[int]:
        """Return driven bits whose slack is at most `window` ns, latest arrival first."""
        slack = self.required - self.arrival
        worst = np.minimum(slack[0::2], slack[1::2])
        live = np.maximum(self.arrival[0::2], self.arrival[1::2]) > _FAR / 2
        bits = np.nonzero((worst <= window) & live)[0]
        late = np.maximum(self.arrival[0::2], self.arrival[1::2])[bits]
        return [int(bit) for bit in bits[np.argsort(-late)] if int(bit) in self.driver]

    def output(
        self,
        gate: int,
        pin: str,
        load: float,
        cell: TimingCell | None = None,
        pins: dict[str, int] | None = None,
    ) -> tuple[list[float], list[float]]:
        """Return arrival and slew (rise, fall) of an output for another load, cell or wiring."""
        cell = cell or self.cell(gate)
        wiring = pins or self.gates[gate].pins
        at = self.library.tables.at
        arrival, slew = [_FAR, _FAR], [0.0, 0.0]
        for arc in cell.launches:
            if arc.sink == pin:
                for edge in (0, 1):
                    arrival[edge] = max(arrival[edge], at(arc.delay[edge], load, 0.0))
                    slew[edge] = max(slew[edge], at(arc.slew[edge], load, 0.0))
        for arc in cell.arcs:
            bit = wiring[arc.source]
            if arc.sink != pin or bit < 0:
                continue
            for edge_in, edge_out in arc.senses:
                when = self.arrival[2 * bit + edge_in]
                if when <= _FAR / 2:
                    continue
                before = self.slew[2 * bit + edge_in]
                arrival[edge_out] = max(
                    arrival[edge_out], when + at(arc.delay[edge_out], load, before)
                )
                slew[edge_out] = max(slew[edge_out], at(arc.slew[edge_out], load, before))
        return arrival, slew

    def required_at(self, gate: int, pin: str) -> list[float]:
        """Return required times (rise, fall) at an input pin, with the present slews and loads."""
        cell, wiring = self.cell(gate), self.gates[gate].pins
        bit = wiring[pin]
        at = self.library.tables.at
        times = [-_FAR, -_FAR]
        if pin in cell.setups:
            for edge in (0, 1):
                setup = at(cell.setups[pin][edge], 0.0, self.slew[2 * bit + edge])
                times[edge] = self.period - setup
        for arc in cell.arcs:
            if arc.source != pin or wiring[arc.sink] < 0:
                continue
            out = wiring[arc.sink]
            load = self.load.get(out, 0.0)
            for edge_in, edge_out in arc.senses:
                delay = at(arc.delay[edge_out], load, self.slew[2 * bit + edge_in])
                times[edge_in] = min(times[edge_in], self.required[2 * out + edge_out] - delay)
        return times
