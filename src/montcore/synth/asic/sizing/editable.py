# SPDX-License-Identifier: Apache-2.0
"""A netlist of library cells that can be edited and restored to an earlier state."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montcore.synth.process import read_json

#: Bits that stand for constants. Each value has its own, so that a constant survives an exchange of
#: two inputs of its gate.
_CONSTANTS = {"0": -1, "1": -2, "x": -3, "z": -4}
_CONSTANT_OF = {bit: value for value, bit in _CONSTANTS.items()}


@dataclass
class Gate:
    """One cell instance: its type, and the bit on each pin (macro pins are ``port[bit]``).

    The pins are ordered by name: the timer reads them by position. `origin` is the instance name in
    the file, empty for an added instance.
    """

    name: str
    cell: str
    pins: dict[str, int]
    origin: str = ""


#: A state of a netlist: how many gates it has and how many edits were made.
Mark = tuple[int, int]


class EditableNetlist:
    """A flat netlist from Yosys' ``write_json``; constants are bits below 0."""

    def __init__(self, path: Path, top: str) -> None:
        self._document: dict[str, Any] = read_json(path)
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
                    pins[pin] = bit if isinstance(bit, int) else _CONSTANTS[bit]
            self.gates.append(Gate(name, cell["type"], dict(sorted(pins.items())), name))
        self._journal: list[tuple[int, str, dict[str, int]]] = []
        self._touched: set[int] = set()

    def new_bit(self) -> int:
        """Return a bit that no net uses yet."""
        self._next += 1
        return self._next - 1

    def add(self, gate: Gate) -> None:
        """Add an instance."""
        self.gates.append(gate)
        self._touched.update(gate.pins.values())

    def port_bits(self, direction: str = "") -> list[int]:
        """Return the bits of all ports, or of those of a direction (``input``, ``output``)."""
        return [
            bit
            for port in self._module["ports"].values()
            if direction in ("", port["direction"])
            for bit in port["bits"]
            if isinstance(bit, int)
        ]

    def port_names(self, direction: str) -> list[str]:
        """Return the port names of a direction; multi-bit ports are followed by ``[*]``."""
        return [
            name if len(port["bits"]) == 1 else f"{name}[*]"
            for name, port in self._module["ports"].items()
            if port["direction"] == direction
        ]

    def port(self, name: str) -> list[int]:
        """Return the bits of a port."""
        return [bit for bit in self._module["ports"][name]["bits"] if isinstance(bit, int)]

    def take_touched(self) -> set[int]:
        """Return the bits whose pins changed since the last call."""
        touched, self._touched = self._touched, set()
        return touched

    def write(self, path: Path) -> None:
        """Write the edited netlist for Yosys' ``read_json``."""
        known, cells = self._module["cells"], {}
        for gate in self.gates:
            cell = cells[gate.name] = known.get(gate.origin) or _new_cell(gate)
            cell["type"] = gate.cell
            for port, bits in cell["connections"].items():
                for index in range(len(bits)):
                    pin = port if len(bits) == 1 else f"{port}[{index}]"
                    bit = gate.pins[pin]
                    bits[index] = bit if bit >= 0 else _CONSTANT_OF[bit]
        self._module["cells"] = cells
        path.write_text(json.dumps(self._document))

    def named_bits(self) -> dict[int, str]:
        """Return the shortest public name of each bit that has one, as in the file."""
        found: dict[int, str] = {}
        for name, net in self._module["netnames"].items():
            if net.get("hide_name"):
                continue
            for index, bit in enumerate(net["bits"]):
                label = name if len(net["bits"]) == 1 else f"{name}[{index}]"
                if isinstance(bit, int) and (bit not in found or len(label) < len(found[bit])):
                    found[bit] = label
        return found

    def plain_names(self, prefix: str) -> dict[int, str]:
        """Give all gates and nets names without special characters; return the bits' names.

        A gate's name is PREFIX and its number. Port bits keep their names; other bits keep as much
        of theirs as possible.
        """
        for number, gate in enumerate(self.gates):
            gate.name = f"{prefix}{number}"
        names: dict[int, str] = {}
        nets: dict[str, Any] = {}
        for name, port in self._module["ports"].items():
            nets[name] = self._module["netnames"][name]
            for index, bit in enumerate(port["bits"]):
                if isinstance(bit, int):
                    names.setdefault(bit, name if len(port["bits"]) == 1 else f"{name}[{index}]")
        known, taken = self.named_bits(), set(nets)
        for bit in sorted({bit for gate in self.gates for bit in gate.pins.values() if bit >= 0}):
            if bit in names:
                continue
            name = re.sub(r"\W", "_", known.get(bit, f"n{bit}")).lstrip("_") or f"n{bit}"
            if name in taken or name.startswith(prefix) or not name[0].isalpha():
                name = f"n{bit}_{name}"
            taken.add(name)
            names[bit] = name
            nets[name] = {"hide_name": 0, "bits": [bit], "attributes": {}}
        self._module["netnames"] = nets
        return names

    def replace(self, number: int, cell: str, pins: dict[str, int]) -> None:
        """Give a gate another cell or wiring; the pins stay ordered by name."""
        gate = self.gates[number]
        self._journal.append((number, gate.cell, gate.pins))
        if gate.pins != pins:
            self._touched.update(gate.pins.values(), pins.values())
        gate.cell, gate.pins = cell, pins

    def mark(self) -> Mark:
        """Return the current state, for `rewind`."""
        return len(self.gates), len(self._journal)

    def rewind(self, mark: Mark) -> None:
        """Undo every edit since a mark; marks made since then are void."""
        gates, edits = mark
        while len(self._journal) > edits:
            number, cell, pins = self._journal.pop()
            gate = self.gates[number]
            if gate.pins != pins:
                self._touched.update(gate.pins.values(), pins.values())
            gate.cell, gate.pins = cell, pins
        for gate in self.gates[gates:]:
            self._touched.update(gate.pins.values())
        del self.gates[gates:]


def _new_cell(gate: Gate) -> dict[str, Any]:
    return {
        "hide_name": 1,
        "type": gate.cell,
        "parameters": {},
        "attributes": {},
        "connections": {pin: [bit] for pin, bit in gate.pins.items()},
    }
