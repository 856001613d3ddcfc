# SPDX-License-Identifier: Apache-2.0
"""A clock tree of inverters, with the same number of levels to every register.

The tree is built from the registers upwards. The pins of a level are divided by position into
groups of about the same load, and each group gets a driver at its centre. These drivers are the
pins of the next level, until one driver is left, which the clock port drives. The remaining skew
comes from wires and from unequal groups; OpenSTA times it, since the tree is part of the netlist.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from montcore.synth.asic.lef import Wire
from montcore.synth.asic.placement.layout import Layout
from montcore.synth.asic.placement.trees import Point, spanning_tree
from montcore.synth.asic.placement.wires import PORT, Net
from montcore.synth.asic.sizing.editable import EditableNetlist, Gate
from montcore.synth.asic.sizing.nldm import Library

GROUP_PF = 0.4
"""Load of each driver, pins and wires, times `Library.load`."""

NAME = "clock_"


@dataclass(frozen=True)
class _Pin:
    gate: int
    pin: str
    cap: float
    at: Point


@dataclass(frozen=True)
class ClockTree:
    """The clock tree that was built.

    Attributes:
        levels: buffers between the clock port and every register.
        nets: pins and bit of each net, driver first.
    """

    buffers: int
    levels: int
    nets: dict[int, tuple[tuple[int, str], ...]]


def build_clock_tree(
    netlist: EditableNetlist, layout: Layout, library: Library, clock: int
) -> ClockTree:
    """Insert a tree of buffers between the clock port and the registers, in place.

    Args:
        netlist: the placed netlist; buffers are added.
        layout: positions of its gates; the buffers are added.
    """
    pins = [
        _Pin(number, pin, library.cells[gate.cell].caps[pin], layout.pin(number, gate.cell, pin))
        for number, gate in enumerate(netlist.gates)
        for pin, bit in gate.pins.items()
        if bit == clock
    ]
    nets: dict[int, tuple[tuple[int, str], ...]] = {}
    buffers = levels = 0
    known, driver = library.known, library.known.clock_driver
    entry, end = known.ends(driver)
    most, cap = GROUP_PF * library.load, library.cells[driver].caps[entry]
    while len(pins) > 1 or (levels % 2 and pins):
        above: list[_Pin] = []
        for group in _groups(pins, max(1, round(_load(pins, known.wire) / most + 0.5))):
            out = netlist.new_bit()
            for item in group:
                here = netlist.gates[item.gate]
                netlist.replace(item.gate, here.cell, {**here.pins, item.pin: out})
            number = len(netlist.gates)
            buffers += 1
            netlist.add(
                Gate(f"{NAME}{buffers}", driver, dict(sorted({entry: clock, end: out}.items())))
            )
            middle = layout.middle([item.at for item in group])
            layout.at.append(middle)
            nets[out] = ((number, end), *((item.gate, item.pin) for item in group))
            above.append(_Pin(number, entry, cap, middle))
        pins = above
        levels += 1
    if pins:
        nets[clock] = ((PORT, ""), (pins[0].gate, entry))
    return ClockTree(buffers, levels, nets)


def clock_wires(
    tree: ClockTree, netlist: EditableNetlist, layout: Layout, wire: Wire
) -> dict[int, Net]:
    """Return the wires of the tree's nets at the current gate positions."""

    def place(bit: int, pin: tuple[int, str]) -> Point:
        if pin[0] == PORT:
            return layout.ports[bit]
        return layout.pin(pin[0], netlist.gates[pin[0]].cell, pin[1])

    return {
        bit: Net(pins, spanning_tree([place(bit, pin) for pin in pins]), wire)
        for bit, pins in tree.nets.items()
    }


def _load(pins: Sequence[_Pin], wire: Wire) -> float:
    """Return the estimated load of pins in groups, including wires, in pF."""
    xs, ys = [pin.at[0] for pin in pins], [pin.at[1] for pin in pins]
    area = (max(xs) - min(xs)) * (max(ys) - min(ys))
    wires = 0.75 * math.sqrt(area * len(pins)) * wire.pf_per_um
    return sum(pin.cap for pin in pins) + wires


def _groups(pins: Sequence[_Pin], number: int) -> list[list[_Pin]]:
    """Divide pins by position into groups of about the same load."""
    if number == 1 or len(pins) < 2:
        return [list(pins)]
    xs, ys = [pin.at[0] for pin in pins], [pin.at[1] for pin in pins]
    axis = 0 if max(xs) - min(xs) >= max(ys) - min(ys) else 1
    ordered = sorted(pins, key=lambda pin: pin.at[axis])
    half = number // 2
    total, part, cut = sum(pin.cap for pin in ordered), 0.0, 0
    while cut < len(ordered) - 1 and part + ordered[cut].cap / 2 < total * half / number:
        part += ordered[cut].cap
        cut += 1
    cut = max(1, cut)
    return [*_groups(ordered[:cut], half), *_groups(ordered[cut:], number - half)]
