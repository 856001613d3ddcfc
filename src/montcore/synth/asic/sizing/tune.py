# SPDX-License-Identifier: Apache-2.0
"""Buffering, sizing and pin assignment of a mapped netlist, driven by its actual timing.

ABC assumes that its inputs arrive at time 0 and that its outputs have no load. Here complete paths
count: loads of full adders, fan-out of flip-flops, memory access times. Every edit keeps the
function: a buffer more or less, another drive strength, or two equivalent inputs exchanged.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from montcore.synth.asic.sizing.editable import EditableNetlist, Gate
from montcore.synth.asic.sizing.nldm import Library, TimingCell
from montcore.synth.asic.sizing.timer import IdealWires, Point, Timer

#: Times, loads and areas are for osu018 and grow with those of the library (`Library.time`).
_MIN_GAIN_NS = 0.003
_NS_PER_NAND = 0.0005
"""Gain that an edit must bring for each NAND of area that it adds."""
_FAR_OFF = 1e9
"""Required time in ns of what no path ends at."""
LIMIT_SHARE = 0.6
"""Share of a cell's permitted load that a repaired net may keep."""
_BUFFER_LOAD_PF = 0.3
"""Load that each buffer of a repaired net gets."""
UNREAD = -1
"""Input of a removed buffer, a constant; the mapped netlist has no such buffer."""


@dataclass(frozen=True)
class Limits:
    """Stopping criteria of tuning.

    Attributes:
        window: share of the clock period within which a net counts as critical.
        patience: rounds without improvement before tuning ends.
    """

    rounds: int = 60
    window: float = 0.015
    patience: int = 4


@dataclass(frozen=True)
class Edit:
    """One edit: a gate with a new cell or wiring, or sinks that move.

    They move behind a new buffer, or back to the driver of the buffer `gate`.
    """

    gain: float
    bit: int
    touched: frozenset[int]
    gate: int = -1
    cell: str = ""
    pins: tuple[tuple[str, int], ...] = ()
    moved: tuple[tuple[int, str], ...] = ()


def _orders(bits: Sequence[int]) -> Iterable[tuple[int, ...]]:
    if len(bits) <= 3:
        return permutations(bits)
    turned = [{one: other, other: one} for one, other in combinations(range(len(bits)), 2)]
    return [tuple(bits[turn.get(at, at)] for at in range(len(bits))) for turn in turned]


class Tuner:
    """Edits one netlist in place."""

    def __init__(
        self,
        netlist: EditableNetlist,
        library: Library,
        wires: IdealWires | None = None,
        prefix: str = "$tune$buffer$",
    ) -> None:
        self.netlist = netlist
        self.library = library
        self.wires = wires or IdealWires()
        self._prefix = prefix
        self.timer = Timer(netlist, library, self.wires)
        self._buffers = 0
        self._known = library.known
        self._ports = frozenset(netlist.port_bits())
        self._least = _MIN_GAIN_NS * library.time
        self._price = _NS_PER_NAND * library.time / library.known.cells[library.known.gate].area

    def area(self) -> float:
        """Return the area of all cells in the library's unit."""
        return self.timer.area()

    def insert_buffer(
        self, cell: str, bit: int, moved: Iterable[tuple[int, str]], at: Point | None = None
    ) -> int:
        """Put the given sinks of a bit behind a buffer near its driver; return the new bit."""
        out = self.netlist.new_bit()
        self._buffers += 1
        for gate, pin in moved:
            here = self.netlist.gates[gate]
            self.netlist.replace(gate, here.cell, {**here.pins, pin: out})
        self.netlist.add(Gate(f"{self._prefix}{self._buffers}", cell, self._pins(cell, bit, out)))
        driver = self.timer.driver(bit)
        near = self.wires.corner(driver[0]) if driver else (0.0, 0.0)
        self.wires.add(at or near)
        return out

    def _pins(self, cell: str, bit: int, out: int) -> dict[str, int]:
        entry, end = self._known.ends(cell)
        return dict(sorted({entry: bit, end: out}.items()))

    def buffer_port(self, cell: str, bit: int) -> None:
        """Put an output port behind a buffer near the driver of its bit; other sinks stay there."""
        driver = self.timer.driver(bit)
        if driver is None:
            return
        out = self.netlist.new_bit()
        self._buffers += 1
        for gate, pin in [driver, *self.timer.sinks(bit)]:
            here = self.netlist.gates[gate]
            self.netlist.replace(gate, here.cell, {**here.pins, pin: out})
        self.netlist.add(Gate(f"{self._prefix}{self._buffers}", cell, self._pins(cell, out, bit)))
        self.wires.add(self.wires.corner(driver[0]))

    def repair_loads(self) -> int:
        """Buffer every net that exceeds its driver's permitted load; return the buffers added.

        The sinks with the least slack remain at the driver.
        """
        before = self._buffers
        for _ in range(6):
            violations = self.timer.overloaded()
            if not violations:
                break
            for bit, limit in violations:
                self._split(bit, limit * LIMIT_SHARE)
            self.refresh()
        return self._buffers - before

    def refresh(self) -> float:
        """Time the current netlist and return the shortest clock period in ns."""
        return self.timer.refresh()

    @property
    def buffers(self) -> int:
        """Number of buffers inserted so far."""
        return self._buffers

    def _split(self, bit: int, limit: float) -> None:
        """Move sinks of a bit behind buffers until its load is at most `limit` pF."""
        caps = {sink: self.timer.cell(sink[0]).caps[sink[1]] for sink in self.timer.sinks(bit)}
        relaxed = sorted(caps, key=lambda sink: -self.sink_slack(bit, sink))
        load, weight = sum(caps.values()), 0.0
        group: list[tuple[int, str]] = []
        buffer = self._known.buffer
        (entry,) = self.library.cells[buffer].caps.values()
        most = _BUFFER_LOAD_PF * self.library.load
        for sink in relaxed:
            if load + (entry if group else 0.0) <= limit:
                break
            group.append(sink)
            weight += caps[sink]
            load -= caps[sink]
            if weight >= most:
                self.insert_buffer(buffer, bit, group)
                load += entry
                group, weight = [], 0.0
        if group:
            self.insert_buffer(buffer, bit, group)

    def sink_slack(self, bit: int, sink: tuple[int, str]) -> float:
        """Return the slack of one sink of a bit in ns."""
        need = self.timer.required_at(*sink)
        return float(min(need[edge] - self.timer.arrival[2 * bit + edge] for edge in (0, 1)))

    def _driver(self, bit: int) -> tuple[int, str]:
        found = self.timer.driver(bit)
        assert found is not None, f"nothing drives bit {bit}"
        return found

    def _best_isolation(self, bit: int) -> Edit | None:
        """Find the best set of relaxed sinks of a bit to move behind a buffer."""
        timer = self.timer
        gate, pin = self._driver(bit)
        sinks = timer.sinks(bit)
        if len(sinks) + (timer.required_at_port(bit) < _FAR_OFF) < 2:
            return None
        needs = {sink: timer.required_at(*sink) for sink in sinks}
        caps = {sink: timer.cell(sink[0]).caps[sink[1]] for sink in sinks}
        now = timer.arrival[2 * bit : 2 * bit + 2]
        order = sorted(sinks, key=lambda s: -min(needs[s][0] - now[0], needs[s][1] - now[1]))
        worst = min(needs[order[-1]][0] - now[0], needs[order[-1]][1] - now[1])
        total = timer.load(bit)
        # A port always stays at the driver.
        port = timer.required_at_port(bit)
        worst = min(worst, port - float(max(now)))
        after = [[port, port]]
        for sink in reversed(order):
            after.append([min(after[-1][e], needs[sink][e]) for e in (0, 1)])
        after.reverse()
        before, weight = [[_FAR_OFF, _FAR_OFF]], [0.0]
        for sink in order:
            before.append([min(before[-1][e], needs[sink][e]) for e in (0, 1)])
            weight.append(weight[-1] + caps[sink])
        spread = self._wire_loads(gate, pin, order)
        number = len(order)
        parts = {max(1, round(number * part / 12)) for part in range(1, 13)}
        steps = sorted(parts | {max(1, number - 1)})
        best: Edit | None = None
        for name in self._known.buffers:
            buffer = self.library.cells[name]
            (entry,) = buffer.caps.values()
            for count in steps:
                load, behind_load = total - weight[count] + entry, weight[count]
                if spread:
                    kept, led = spread(count)
                    load = weight[-1] - weight[count] + entry + kept
                    behind_load += led
                if load >= total and count < number:
                    continue
                arrival, slew = timer.output(gate, pin, load)
                slack = min(after[count][e] - arrival[e] for e in (0, 1))
                behind = self._through(buffer, arrival, slew, behind_load)
                slack = min(slack, *(before[count][e] - behind[e] for e in (0, 1)))
                gain = slack - worst - self._price * buffer.area
                if gain > self._least and (best is None or gain > best.gain):
                    best = Edit(gain, bit, frozenset({bit}), cell=name, moved=tuple(order[:count]))
        return best

    def _wire_loads(
        self, gate: int, pin: str, order: Sequence[tuple[int, str]]
    ) -> Callable[[int], tuple[float, float]] | None:
        """Return a function for the wires' load when the first n sinks move behind a buffer.

        The buffer is placed beside the driver. The function returns the load of the wires to the
        sinks that remain and to those that move, in pF.
        """
        if not self.wires.placed:
            return None
        wires, root = self.wires, self.wires.where(gate, pin)
        points = [wires.where(*sink) for sink in order]
        known: dict[int, tuple[float, float]] = {}

        def spread(count: int) -> tuple[float, float]:
            if count not in known:
                stay = wires.load_of(root, points[count:])
                known[count] = stay, wires.load_of(root, points[:count])
            return known[count]

        return spread

    def _through(
        self, buffer: TimingCell, arrival: list[float], slew: list[float], load: float
    ) -> list[float]:
        arc = buffer.arcs[0]
        at = self.library.tables.at
        return [arrival[e] + at(arc.delay[e], load, slew[e]) for e in (0, 1)]

    def outputs(self, gate: int) -> list[tuple[str, int]]:
        """Return the pins and bits that a gate drives."""
        wiring = self.netlist.gates[gate].pins
        return [(pin, bit) for pin, bit in wiring.items() if self.timer.driver(bit) == (gate, pin)]

    def _input_penalty(self, gate: int, changes: dict[int, float]) -> tuple[float, float]:
        """Return delay added on the inputs, and the worst slack left there, for load changes."""
        timer, worst, added = self.timer, 1e9, 0.0
        for bit, change in changes.items():
            source = timer.driver(bit)
            if source is None or abs(change) < 1e-9:
                continue
            arrival, _ = timer.output(*source, timer.load(bit) + change)
            shift = max(arrival[e] - float(timer.arrival[2 * bit + e]) for e in (0, 1))
            added = max(added, shift)
            others = [self.sink_slack(bit, sink) for sink in timer.sinks(bit) if sink[0] != gate]
            if others:
                worst = min(worst, min(others) - shift)
        return added, worst

    def slacks(self, gate: int, cell: TimingCell, pins: dict[str, int]) -> tuple[float, float]:
        """Return the slack at a gate, and that with another cell or wiring, in ns."""
        timer = self.timer
        old, wiring = timer.cell(gate), self.netlist.gates[gate].pins
        changes: dict[int, float] = {}
        for pin, cap in old.caps.items():
            changes[wiring[pin]] = changes.get(wiring[pin], 0.0) - cap
        for pin, cap in cell.caps.items():
            changes[pins[pin]] = changes.get(pins[pin], 0.0) + cap
        added, others = self._input_penalty(gate, changes)
        was, becomes = 1e9, others
        for pin, out in self.outputs(gate):
            was = min(was, timer.slack(out))
            arrival, _ = timer.output(gate, pin, timer.load(out), cell, pins)
            becomes = min(
                becomes,
                *(float(timer.required[2 * out + e]) - arrival[e] - added for e in (0, 1)),
            )
        return was, becomes

    def _variant(self, bit: int, cell: TimingCell, pins: dict[str, int]) -> Edit | None:
        gate, _ = self._driver(bit)
        was, becomes = self.slacks(gate, cell, pins)
        gain = becomes - was - self._price * max(0.0, cell.area - self.timer.cell(gate).area)
        return self.changed(gate, cell, pins, gain) if gain > self._least else None

    def changed(self, gate: int, cell: TimingCell, pins: dict[str, int], gain: float) -> Edit:
        """Return the edit that gives a gate another cell or wiring."""
        near = frozenset(bit for bit in self.netlist.gates[gate].pins.values() if bit >= 0)
        return Edit(gain, -1, near, gate=gate, cell=cell.name, pins=tuple(pins.items()))

    def _proposals(self, bit: int) -> Iterable[Edit]:
        gate, _ = self._driver(bit)
        here = self.netlist.gates[gate]
        isolation = self._best_isolation(bit)
        if isolation:
            yield isolation
        # A removed buffer remains as a gate until `recover`; places are for gates that stay.
        if here.cell in self._known.drives[self._known.buffer] and not self.wires.placed:
            removal = self.removal(gate, self.timer.slack(bit))
            if removal and removal.gain > self._least:
                yield removal
        for name in self.library.drives.get(here.cell, ()):
            if name != here.cell:
                edit = self._variant(bit, self.library.cells[name], dict(here.pins))
                if edit:
                    yield edit
        for group in self._known.swaps.get(here.cell, ()):
            bits = [here.pins[pin] for pin in group]
            for order in _orders(bits):
                if list(order) != bits:
                    pins = {**here.pins, **dict(zip(group, order, strict=True))}
                    edit = self._variant(bit, self.timer.cell(gate), pins)
                    if edit:
                        yield edit

    def removal(self, gate: int, was: float = 0.0) -> Edit | None:
        """Return the edit that moves a buffer's sinks to its driver; `was` is their slack now."""
        timer, here = self.timer, self.netlist.gates[gate]
        entry, end = self._known.ends(here.cell)
        bit, out = here.pins[entry], here.pins[end]
        driver, moved = timer.driver(bit), timer.sinks(out)
        if driver is None or out in self._ports or not moved:
            return None
        load = timer.load(bit) + timer.load(out) - timer.cell(gate).caps[entry]
        if not bears(timer.cell(driver[0]), driver[1], load):
            return None
        arrival, _ = timer.output(*driver, load)
        sinks = [sink for sink in (*timer.sinks(bit), *moved) if sink[0] != gate]
        slack = min(timer.required_at(*sink)[e] - arrival[e] for sink in sinks for e in (0, 1))
        pins = tuple({**here.pins, entry: UNREAD}.items())
        return Edit(slack - was, bit, frozenset({bit, out}), gate, here.cell, pins, tuple(moved))

    def _collect(self, window: float) -> list[Edit]:
        """Return the best edit of each critical net, best first, none sharing a net."""
        best = (
            max(self._proposals(bit), key=lambda edit: edit.gain, default=None)
            for bit in self.timer.critical_bits(window)
        )
        return apart(edit for edit in best if edit)

    def _apply(self, edits: Iterable[Edit]) -> None:
        for edit in edits:
            if edit.gate < 0:
                self.insert_buffer(edit.cell, edit.bit, edit.moved)
                continue
            for gate, pin in edit.moved:
                here = self.netlist.gates[gate]
                self.netlist.replace(gate, here.cell, {**here.pins, pin: edit.bit})
            self.netlist.replace(edit.gate, edit.cell, dict(edit.pins))

    def step(self, edits: list[Edit], limit: float) -> int:
        """Apply edits such that the period stays below a limit in ns; return how many.

        If all together do not, only the better half is tried, then half of that, and so on.
        """
        state = self.netlist.mark()
        while edits:
            self._apply(edits)
            if self.refresh() < limit:
                break
            self.netlist.rewind(state)
            edits = edits[: len(edits) // 2]
        else:
            self.refresh()
        return len(edits)

    def run(self, limits: Limits, *, repair: bool = True) -> float:
        """Tune until no edit helps; keep the state of least area times period; return the period.

        A round applies the best edit of every critical net, as far as it helps.
        """
        if repair:
            self.repair_loads()
        period = self.timer.period
        best_cost, best = period * self.area(), self.netlist.mark()
        idle, window = 0, limits.window
        for _ in range(limits.rounds):
            edits = self._collect(window * period)
            if not self.step(edits, period - 1e-4 * self.library.time):
                idle += 1
                window /= 2
                if idle > limits.patience:
                    break
                continue
            period = self.timer.period
            cost = period * self.area()
            if cost < best_cost:
                best_cost, best = cost, self.netlist.mark()
        self.netlist.rewind(best)
        return self.refresh()


def bears(cell: TimingCell, pin: str, load: float) -> bool:
    """Return whether a load leaves a cell's output the share that repaired nets keep."""
    return load <= cell.max_load[pin] * LIMIT_SHARE


def apart(edits: Iterable[Edit]) -> list[Edit]:
    """Return edits, best first, none sharing a net with a better one."""
    taken: set[int] = set()
    chosen = []
    for edit in sorted(edits, key=lambda edit: -edit.gain):
        if not taken & edit.touched:
            taken |= edit.touched
            chosen.append(edit)
    return chosen
