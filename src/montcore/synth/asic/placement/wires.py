# SPDX-License-Identifier: Apache-2.0
"""Capacitance and delay of the wires between placed pins, kept up to date while gates change."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from montcore.synth.asic.lef import Wire
from montcore.synth.asic.placement.layout import Layout
from montcore.synth.asic.placement.trees import Point, Tree, length_of, spanning_tree
from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.asic.sizing.nldm import FloatArray, Library
from montcore.synth.asic.sizing.timer import IdealWires, Timer
from montcore.synth.asic.sta import OUTPUT_LOAD_PF

_NS_PER_OHM_PF = 1e-3
#: Transition of the clock at the registers, times `Library.time`.
_CLOCK_SLEW_NS = 0.15


@dataclass(frozen=True)
class Net:
    """The wires of one bit.

    Attributes:
        pins: gate number and pin of each, driver first; gate -1 is a port.
        wire: what a micrometre of it has.
    """

    pins: tuple[tuple[int, str], ...]
    tree: Tree
    wire: Wire

    @property
    def capacitance(self) -> float:
        """Capacitance of the wires in pF."""
        return self.tree.length * self.wire.pf_per_um

    def delays(self, caps: list[float]) -> list[float]:
        """Return the Elmore delay from the driver to each pin in ns.

        Args:
            caps: capacitance of each pin in pF.
        """
        tree, below = self.tree, list(caps)
        wire = [length * self.wire.pf_per_um for length in tree.lengths]
        for pin in reversed(tree.order[1:]):
            below[tree.parents[pin]] += below[pin] + wire[pin]
        found = [0.0] * len(caps)
        for pin in tree.order[1:]:
            ohms = tree.lengths[pin] * self.wire.ohm_per_um * _NS_PER_OHM_PF
            found[pin] = found[tree.parents[pin]] + ohms * (below[pin] + wire[pin] / 2)
        return found


PORT = -1
"""The gate number that stands for a port of the core."""


class Wires(IdealWires):
    """The wires of a placed netlist, by bit, excluding clock nets (see `clock`)."""

    placed = True

    def __init__(self, netlist: EditableNetlist, layout: Layout, library: Library) -> None:
        super().__init__()
        self.netlist = netlist
        self.layout = layout
        self._library = library
        self.clock_slew_ns = _CLOCK_SLEW_NS * library.time
        self._wire = library.known.wire
        self._capacitance = np.zeros(0)
        self._delay = np.zeros(0)
        self._ports = frozenset(netlist.port_bits())
        self._all = True
        self.nets: dict[int, Net] = {}

    def add(self, at: Point) -> None:
        """Set the position of the gate that was added to the netlist last."""
        del self.layout.at[len(self.netlist.gates) - 1 :]
        self.layout.at.append(at)

    def moved(self) -> None:
        """Signal that gates may have moved: all wires are recomputed."""
        self._all = True

    def count_outputs(self, count: bool) -> None:
        """Count the time to the ports of outputs, and what loads them, or leave it out."""
        bits = self.netlist.port_bits("output") if count else []
        self.outputs = dict.fromkeys(bits, 0.0)
        self._all = True

    def refresh(self, timer: Timer) -> tuple[FloatArray, FloatArray]:
        """Return the capacitance of each bit's wires in pF and the delay to each slot in ns."""
        del self.layout.at[len(self.netlist.gates) :]
        bits: Iterable[int] = self.netlist.take_touched()
        if self._all:
            bits, self._all = range(timer.size // 2), False
        self._capacitance = _at_least(self._capacitance, timer.size // 2)
        self._delay = _at_least(self._delay, timer.slots)
        for bit in bits:
            if 0 <= bit < timer.size // 2:
                self._update(bit, timer)
            else:
                self.nets.pop(bit, None)
        return self._capacitance[: timer.size // 2], self._delay[: timer.slots]

    def _update(self, bit: int, timer: Timer) -> None:
        source = timer.driver_slot(bit)
        slots = timer.sink_slots(bit)
        pins = [timer.place_of(slot) for slot in slots]
        if source >= 0:
            pins = [timer.place_of(source), *pins]
            if bit in self._ports:
                pins.append((PORT, ""))
        elif bit in self._ports:
            pins = [(PORT, ""), *pins]
        if len(pins) < 2 or (source < 0 and bit not in self._ports):
            self._capacitance[bit] = 0.0
            self._delay[slots] = 0.0
            self.nets.pop(bit, None)
            return
        net = Net(tuple(pins), spanning_tree([self.place(bit, pin) for pin in pins]), self._wire)
        self.nets[bit] = net
        self._capacitance[bit] = net.capacitance
        delays = net.delays([self._pin_cap(pin) for pin in pins])
        self._delay[slots] = delays[1 : 1 + len(slots)]
        if bit in self.outputs:
            self._capacitance[bit] += OUTPUT_LOAD_PF * self._library.load
            self.outputs[bit] = delays[-1]

    def port(self, bit: int) -> Point | None:
        """Return the position of a bit's port, or None if it has none."""
        return self.layout.ports[bit] if bit in self._ports else None

    def place(self, bit: int, pin: tuple[int, str]) -> Point:
        """Return the position of a pin of a bit."""
        gate, name = pin
        if gate == PORT:
            return self.layout.ports[bit]
        return self.layout.pin(gate, self.netlist.gates[gate].cell, name)

    def _pin_cap(self, pin: tuple[int, str]) -> float:
        gate, name = pin
        if gate == PORT:
            return 0.0
        return self._library.cells[self.netlist.gates[gate].cell].caps.get(name, 0.0)

    def where(self, gate: int, pin: str) -> Point:
        """Return the position of a gate's pin."""
        return self.layout.pin(gate, self.netlist.gates[gate].cell, pin)

    def corner(self, gate: int) -> Point:
        """Return the position of a gate."""
        return self.layout.at[gate]

    def load_of(self, root: Point, points: Iterable[Point]) -> float:
        """Return the estimated capacitance of wires from one position to others, in pF."""
        return length_of([root, *points]) * self._wire.pf_per_um


def _at_least(values: FloatArray, size: int) -> FloatArray:
    return np.concatenate([values, np.zeros(max(0, size - len(values)))])
