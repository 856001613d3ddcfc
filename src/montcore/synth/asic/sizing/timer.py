# SPDX-License-Identifier: Apache-2.0
"""The timing of a netlist of library cells, fast enough to steer edits by.

The model is that of the final OpenSTA run (table look-up delays, worst slew, ideal clock with slew
0, Elmore delay of known wires), evaluated with numpy one logic level at a time. Quoted clocks
always come from OpenSTA; this timer only decides which edits are worth making.
"""

import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import ClassVar

import numpy as np

from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.asic.sizing.kinds import Kinds, numbers_from
from montcore.synth.asic.sizing.nldm import FloatArray, IntArray, Library, TimingCell

_FAR = -1e9

OUTPUT_SHARE = 0.595
"""Share of the period that an output may take when outputs count: a little less than the 60 % that
leave 40 % to its consumer, since the final run measures slightly longer times."""

Point = tuple[float, float]

_NONE: IntArray = np.zeros(0, dtype=np.int64)


class IdealWires:
    """Wires that add nothing, and a clock that reaches all registers at once.

    Attributes:
        placed: whether gates have positions, and wires a length.
        clock_slew_ns: transition of the clock at the registers, or at its port.
        clock: bit of the clock port if the clock tree is to be timed too, otherwise -1.
        outputs: delay in ns from the driver of an output's bit to its port, for each output whose
            time counts; empty if none does.
    """

    placed = False
    clock_slew_ns = 0.0
    clock = -1
    frozen: frozenset[int] = frozenset()

    def __init__(self) -> None:
        self.outputs: dict[int, float] = {}

    def refresh(self, timer: "Timer") -> tuple[FloatArray, FloatArray]:
        """Return the capacitance of each bit's wires in pF and the delay to each slot in ns."""
        return np.zeros(timer.size // 2), np.zeros(timer.slots)

    def add(self, at: Point) -> None:
        """Set the position of the gate that was added to the netlist last."""

    def corner(self, gate: int) -> Point:
        """Return the position of a gate in um."""
        del gate
        return 0.0, 0.0

    def where(self, gate: int, pin: str) -> Point:
        """Return the position of a gate's pin in um."""
        del pin
        return self.corner(gate)

    def load_of(self, root: Point, points: Iterable[Point]) -> float:
        """Return the estimated capacitance of wires from one position to others, in pF."""
        del root, points
        return 0.0


@dataclass(frozen=True)
class _Arcs:
    """The arcs of all gates, one entry for each arc and pair of edges; nodes are ``2 bit + edge``.

    Attributes:
        slew: number of the table of the transition time, which has the same axes.
    """

    owner: IntArray
    slot: IntArray
    source: IntArray
    sink: IntArray
    delay: IntArray
    slew: IntArray

    def __getitem__(self, entries: IntArray | slice) -> "_Arcs":
        return _Arcs(*(column[entries] for column in vars(self).values()))


class Timer:
    """Arrival and required times of a netlist, in the state of the last `refresh`.

    Times and slews are per bit and edge, index ``2 * bit + edge`` (0 rise, 1 fall).
    """

    _kinds: ClassVar[weakref.WeakKeyDictionary[Library, Kinds]] = weakref.WeakKeyDictionary()

    def __init__(
        self, netlist: EditableNetlist, library: Library, wires: IdealWires | None = None
    ) -> None:
        self.library = library
        self.gates = netlist.gates
        self._wires = wires or IdealWires()
        self._clock_slew = self._wires.clock_slew_ns
        known = self._kinds.get(library)
        if known is None:
            known = self._kinds[library] = Kinds(library)
        self._library_pins = known
        self.refresh()

    def refresh(self) -> float:
        """Read the netlist as it is now, time it, and return the shortest clock period in ns."""
        known, gates = self._library_pins, self.gates
        self._types = np.fromiter((known.number[gate.cell] for gate in gates), np.int64, len(gates))
        count = known.count[self._types]
        self._first = np.concatenate([[0], np.cumsum(count)])
        pins = chain.from_iterable(gate.pins.values() for gate in gates)
        self._bits = np.fromiter(pins, np.int64, int(count.sum()))
        self._connect()
        self._order()
        return self._update()

    def cell(self, gate: int) -> TimingCell:
        """Return the library cell of a gate number."""
        return self.library.cells[self.gates[gate].cell]

    def driver(self, bit: int) -> tuple[int, str] | None:
        """Return gate number and pin that drive a bit, or None."""
        slot = self.driver_slot(bit)
        return None if slot < 0 else self.place_of(slot)

    def sinks(self, bit: int) -> list[tuple[int, str]]:
        """Return gate numbers and pins that a bit drives, except clocks."""
        return [self.place_of(slot) for slot in self.sink_slots(bit)]

    def wire_delay(self, gate: int, pin: str) -> float:
        """Return the time from the driver of a pin's bit to the pin in ns."""
        index = self._library_pins.index[self._types[gate]]
        return float(self._delay_to[self._first[gate] + index[pin]])

    def driver_slot(self, bit: int) -> int:
        """Return the slot of the pin that drives a bit, -1 if there is none."""
        return int(self._driver[bit]) if 0 <= bit < len(self._driver) else -1

    def sink_slots(self, bit: int) -> list[int]:
        """Return the slots of the pins that a bit drives, except clocks."""
        low, high = self._sinks_from[bit : bit + 2]
        found: list[int] = self._sinks[low:high].tolist()
        return found

    @property
    def slots(self) -> int:
        """Number of pins of all gates."""
        return len(self._bits)

    def load(self, bit: int) -> float:
        """Return the load of a bit in pF."""
        return float(self._load[bit])

    def overloaded(self) -> list[tuple[int, float]]:
        """Return the bits with more load than their driver permits, with that limit."""
        driven = np.flatnonzero(self._driver >= 0)
        limits = self._library_pins.limits[self._pin[self._driver[driven]]]
        over = self._load[driven] > limits
        return list(zip(driven[over].tolist(), limits[over].tolist(), strict=True))

    def slow(self, limit: float) -> list[int]:
        """Return the driven bits whose transitions take more than `limit` ns."""
        slew = np.maximum(self.slew[0::2], self.slew[1::2])
        return [int(bit) for bit in np.flatnonzero((slew > limit) & (self._driver >= 0))]

    def area(self) -> float:
        """Return the area of all cells in the library's unit."""
        return float(self._library_pins.areas[self._types].sum())

    def place_of(self, slot: int) -> tuple[int, str]:
        """Return gate number and pin of a slot."""
        return int(self._gate[slot]), self._library_pins.names[self._pin[slot]]

    def _arcs(self) -> _Arcs:
        owner, part = self._library_pins.arcs.of(self._types)
        slot = self._first[owner] + part[:, 0]
        source = 2 * self._bits[slot] + part[:, 2]
        sink = 2 * self._bits[self._first[owner] + part[:, 1]] + part[:, 3]
        found = _Arcs(owner, slot, source, sink, part[:, 4], part[:, 5])
        return found[np.flatnonzero((source >= 0) & (sink >= 0))]

    def _connect(self) -> None:
        """Connect the slots, one for every pin of every gate, by their bits; add up the loads."""
        known, types, bits = self._library_pins, self._types, self._bits
        count = known.count[types]
        self._gate = np.repeat(np.arange(len(types)), count)
        self._pin = numbers_from(known.first[types], count)
        size = int(bits.max(initial=0)) + 1
        self.size = 2 * size
        self._driver = np.full(size, -1)
        drives = np.flatnonzero(known.drives[self._pin] & (bits >= 0))
        self._driver[bits[drives]] = drives
        loads = np.flatnonzero(known.loads[self._pin] & (bits >= 0))
        self._sinks = loads[np.argsort(bits[loads], kind="stable")]
        self._sinks_from = np.searchsorted(bits[self._sinks], np.arange(size + 1))
        self._load: FloatArray = np.bincount(
            bits[loads], known.caps[self._pin[loads]], size
        ).astype(np.float64)
        self._clock_bits = _NONE
        self._frozen: frozenset[int] = frozenset()
        if self._wires.clock >= 0:
            self._clock_bits = np.array([self._wires.clock])
            self._frozen = self._wires.frozen
        elif known.latches[types].any():  # gates that drive latch enables depend on the clock
            self._clock_bits = np.unique(bits[known.clocks[self._pin] & (bits >= 0)])
        added, self._delay_to = self._wires.refresh(self)
        self._load = self._load + added
        self._bounds()

    def _bounds(self) -> None:
        """Collect where paths start and end: clocked outputs, and inputs with a set-up time."""
        known, types, first = self._library_pins, self._types, self._first
        owner, part = known.launches.of(types)
        slot = first[owner] + part[:, 0]
        live = self._bits[slot] >= 0
        nodes = 2 * self._bits[slot] + part[:, 1]
        self._starts = np.column_stack([nodes, part[:, 2:]])[live]
        owner, part = known.setups.of(types)
        slot = first[owner] + part[:, 0]
        live = self._bits[slot] >= 0
        nodes = 2 * self._bits[slot] + part[:, 1]
        self._ends = np.column_stack([nodes, part[:, 2]])[live]
        self._to_end = self._delay_to[slot[live]]
        self._clock_of = np.full(len(types), -1)
        if self._wires.clock >= 0:
            gates = np.flatnonzero(known.clock[types] >= 0)
            clock = first[gates] + known.clock[types[gates]]
            # A latch closes at the falling edge.
            self._clock_of[gates] = 2 * self._bits[clock] + known.latches[types[gates]]
            to_clock = np.zeros(len(types))
            to_clock[gates] = self._delay_to[clock]
            self._to_end = self._to_end - to_clock[owner[live]]
        self._end_clock = self._clock_of[owner[live]]

    def _order(self) -> None:
        arcs = self._arcs()
        # Numbers of 16 bits are sorted in linear time.
        levels = self._levelise()[arcs.owner].astype(np.int16)
        arcs = arcs[np.argsort(levels, kind="stable")]
        ends = np.cumsum(np.bincount(levels)).tolist()
        self._levels = [arcs[low:high] for low, high in pairwise([0, *ends])]

    def _levelise(self) -> IntArray:
        """Give each gate with arcs a level one above those of the gates that drive it."""
        number = len(self._types)
        count = self._library_pins.sources.count[self._types]
        timed = np.flatnonzero(count)
        owner, part = self._library_pins.sources.of(self._types)
        slots = self._first[owner] + part[:, 0]
        slots = slots[self._bits[slots] >= 0]
        drivers = self._driver[self._bits[slots]]
        slots, drivers = slots[drivers >= 0], drivers[drivers >= 0]
        joined = count[self._gate[drivers]] > 0
        before, after = self._gate[drivers[joined]], self._gate[slots[joined]]
        order = np.argsort(before, kind="stable")
        after = after[order]
        begin = np.searchsorted(before[order], np.arange(number + 1))
        waiting = np.bincount(after, minlength=number)
        level = np.zeros(number, dtype=np.int64)
        ready, done, depth = timed[waiting[timed] == 0], 0, 0
        while len(ready):
            done += len(ready)
            level[ready] = depth
            depth += 1
            reached = after[numbers_from(begin[ready], begin[ready + 1] - begin[ready])]
            np.subtract.at(waiting, reached, 1)
            ready = np.unique(reached)
            ready = ready[waiting[ready] == 0]
        if done != len(timed):
            raise ValueError("the netlist has a combinational loop")
        return level

    def _update(self) -> float:
        """Compute all times and return the shortest clock period in ns."""
        tables = self.library.tables
        load: FloatArray = np.repeat(self._load, 2).astype(np.float64)
        arrival = np.full(self.size, _FAR)
        slew = np.zeros(self.size)
        arrival[2 * self._clock_bits] = 0.0
        slew[2 * self._clock_bits] = self._clock_slew
        node = self._starts[:, 0]
        edge = np.full(len(node), self._clock_slew)
        np.maximum.at(arrival, node, tables.look_up(self._starts[:, 1], load[node], edge))
        np.maximum.at(slew, node, tables.look_up(self._starts[:, 2], load[node], edge))
        delays = []
        for arcs in self._levels:
            place = tables.locate(arcs.delay, load[arcs.sink], slew[arcs.source])
            delay = tables.read(arcs.delay, place) + self._delay_to[arcs.slot]
            delays.append(delay)
            np.maximum.at(arrival, arcs.sink, arrival[arcs.source] + delay)
            live = arrival[arcs.source] > _FAR / 2
            np.maximum.at(slew, arcs.sink[live], tables.read(arcs.slew, place)[live])
        node, clock = self._ends[:, 0], self._end_clock
        known = clock >= 0
        late = np.where(known, arrival[clock], 0.0)
        edge = np.where(known, slew[clock], self._clock_slew)
        setup = tables.look_up(self._ends[:, 1], edge, slew[node]) - late
        setup = setup + self._to_end
        # A latch that closes in the middle of the cycle does not end a path.
        setup[late <= _FAR / 2] = _FAR
        period = float(np.max(arrival[node] + setup, initial=0.0))
        self.arrival = arrival
        ports, behind = self._output_nodes()
        period = max(period, float(np.max(arrival[ports] + behind, initial=0.0)) / OUTPUT_SHARE)
        required = np.full(self.size, -_FAR)
        np.minimum.at(required, node, period - setup)
        np.minimum.at(required, ports, OUTPUT_SHARE * period - behind)
        for arcs, delay in zip(reversed(self._levels), reversed(delays), strict=True):
            np.minimum.at(required, arcs.source, required[arcs.sink] - delay)
        self.slew, self.required, self.period = slew, required, period
        return period

    def _output_nodes(self) -> tuple[IntArray, FloatArray]:
        """Return the nodes of the outputs that count, and what their arrival lacks, in ns.

        That is the delay to the port, less the time that the clock takes to the registers: those
        outside the core have the same.
        """
        delays = self._wires.outputs
        bits = np.array(list(delays), dtype=np.int64)
        to_port = np.array(list(delays.values()), dtype=np.float64)
        nodes = np.concatenate([2 * bits, 2 * bits + 1])
        behind = np.concatenate([to_port, to_port])
        launched = self.arrival[nodes] > _FAR / 2
        return nodes[launched], behind[launched] - self._insertion()

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
        bits = bits[np.argsort(-late)]
        found = [int(bit) for bit in bits[self._driver[bits] >= 0]]
        return [bit for bit in found if bit not in self._frozen]

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
                    arrival[edge] = max(arrival[edge], at(arc.delay[edge], load, self._clock_slew))
                    slew[edge] = max(slew[edge], at(arc.slew[edge], load, self._clock_slew))
        for arc in cell.arcs:
            bit = wiring[arc.source]
            if arc.sink != pin or bit < 0:
                continue
            for edge_in, edge_out in arc.senses:
                when = self.arrival[2 * bit + edge_in]
                if when <= _FAR / 2:
                    continue
                when += self.wire_delay(gate, arc.source)
                before = self.slew[2 * bit + edge_in]
                arrival[edge_out] = max(
                    arrival[edge_out], when + at(arc.delay[edge_out], load, before)
                )
                slew[edge_out] = max(slew[edge_out], at(arc.slew[edge_out], load, before))
        return arrival, slew

    def required_at_port(self, bit: int) -> float:
        """Return the required time of an output's port at its bit; 1e9 if it does not count."""
        delays = self._wires.outputs
        if bit not in delays:
            return -_FAR
        return OUTPUT_SHARE * self.period + self._insertion() - delays[bit]

    def _insertion(self) -> float:
        """Return the mean time that the clock takes to the registers, in ns."""
        clocked = self._clock_of[self._clock_of >= 0]
        return float(np.mean(self.arrival[clocked])) if len(clocked) else 0.0

    def _clock_at(self, gate: int) -> tuple[float, float]:
        node = int(self._clock_of[gate])
        if node < 0:
            return 0.0, self._clock_slew
        return float(self.arrival[node]), float(self.slew[node])

    def required_at(self, gate: int, pin: str) -> list[float]:
        """Return required times (rise, fall) of a pin's bit, with the current slews and loads.

        The wire delay to the pin is already subtracted.
        """
        cell, wiring = self.cell(gate), self.gates[gate].pins
        bit = wiring[pin]
        at = self.library.tables.at
        times = [-_FAR, -_FAR]
        if pin in cell.setups:
            for edge in (0, 1):
                late, sharp = self._clock_at(gate)
                setup = at(cell.setups[pin][edge], sharp, self.slew[2 * bit + edge])
                times[edge] = self.period + late - setup if late > _FAR / 2 else -_FAR
        for arc in cell.arcs:
            if arc.source != pin or wiring[arc.sink] < 0:
                continue
            out = wiring[arc.sink]
            load = self.load(out)
            for edge_in, edge_out in arc.senses:
                delay = at(arc.delay[edge_out], load, self.slew[2 * bit + edge_in])
                times[edge_in] = min(times[edge_in], self.required[2 * out + edge_out] - delay)
        late = self.wire_delay(gate, pin)
        return [time - late for time in times]
