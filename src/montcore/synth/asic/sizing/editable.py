# SPDX-License-Identifier: Apache-2.0
"""A netlist of library cells that can be edited, and taken back to an earlier state."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Gate:
    """One cell instance: its type, and the bit on each pin (macro pins are ``port[bit]``).

    The pins are in the order of their names: the timer reads them by position.
    """

    name: str
    cell: str
    pins: dict[str, int]


@dataclass(frozen=True)
class Mark:
    """A state of a netlist: how many gates it has and how many edits were made."""

    gates: int
    edits: int


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
            self.gates.append(Gate(name, cell["type"], dict(sorted(pins.items()))))
        self._journal: list[tuple[int, str, dict[str, int]]] = []

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

    def replace(self, number: int, cell: str, pins: dict[str, int]) -> None:
        """Give a gate another cell or wiring; the pins stay in their order, by name."""
        gate = self.gates[number]
        self._journal.append((number, gate.cell, gate.pins))
        gate.cell, gate.pins = cell, pins

    def mark(self) -> Mark:
        """Return the present state, for `rewind`."""
        return Mark(len(self.gates), len(self._journal))

    def rewind(self, mark: Mark) -> None:
        """Undo every edit since a mark; marks made since then are void."""
        while len(self._journal) > mark.edits:
            number, cell, pins = self._journal.pop()
            gate = self.gates[number]
            gate.cell, gate.pins = cell, pins
        del self.gates[mark.gates :]
