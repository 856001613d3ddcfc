# SPDX-License-Identifier: Apache-2.0
"""Registers and adders among the cells of a library, and how each is used."""

import re
from dataclasses import dataclass

from montcore.synth.asic.liberty import Cell

_CARRY, _SUM = 0b11101000, 0b10010110


@dataclass(frozen=True)
class FlipFlop:
    """The flip-flop of a library, rising edge.

    Attributes:
        inverted: whether the output is that of an inverted flip-flop.
        ties: other inputs, and the value at which they do nothing.
        clear: the one of them that sets the state to 0, if there is one.
        cleared: the flip-flop's value then: 1 if it is the data that the cell inverts.
    """

    cell: str
    data: str
    clock: str
    out: str
    inverted: bool
    ties: tuple[tuple[str, int], ...]
    clear: str = ""
    cleared: int = 0


@dataclass(frozen=True)
class Latch:
    """The latch of a library, transparent while its enable is high."""

    cell: str
    data: str
    enable: str
    out: str


@dataclass(frozen=True)
class FullAdder:
    """The full adder of a library; an output may be inverted."""

    cell: str
    inputs: tuple[str, ...]
    carry: str
    sum: str
    carry_inverted: bool
    sum_inverted: bool


def pin_of(expression: str) -> tuple[str, bool] | None:
    """Return the pin and whether it is inverted, if an expression is one pin."""
    found = re.fullmatch(r"(!?)(\w+)('?)", re.sub(r"[()\s]", "", expression))
    return (found[2], bool(found[1]) != bool(found[3])) if found else None


def flip_flop_of(cell: Cell) -> FlipFlop | None:
    """Return how a cell is used as a flip-flop of a rising edge, or None if it is none."""
    if not cell.state or cell.latch:
        return None
    state = cell.state
    clock, data = pin_of(state.get("clocked_on", "")), pin_of(state.get("next_state", ""))
    if not clock or clock[1] or not data or data[0] not in cell.inputs:
        return None
    ties = []
    for kind in ("clear", "preset"):
        if kind in state:
            pin = pin_of(state[kind])
            if not pin:
                return None
            ties.append((pin[0], int(pin[1])))
    if set(cell.inputs) != {clock[0], data[0], *(pin for pin, _ in ties)}:
        return None
    outs = {function.strip("() "): pin for pin, function in cell.outputs.items()}
    signs = ((state["name"], data[1]), (state["inverse"], not data[1]))
    found = [(turned, outs[name]) for name, turned in signs if name in outs]
    if not found:
        return None
    turned, out = min(found)
    clear = ties[0][0] if "clear" in state else ""
    return FlipFlop(cell.name, data[0], clock[0], out, turned, tuple(ties), clear, int(data[1]))


def latch_of(cell: Cell) -> Latch | None:
    """Return how a cell is used as a latch that is open while its enable is high, or None."""
    enable, data = pin_of(cell.state.get("enable", "")), pin_of(cell.state.get("data_in", ""))
    outs = [pin for pin, f in cell.outputs.items() if f.strip("() ") == cell.state["name"]]
    if not enable or not data or enable[1] or data[1] or len(cell.inputs) != 2 or not outs:
        return None
    return Latch(cell.name, data[0], enable[0], outs[0])


def full_adder_of(cell: Cell, tables: tuple[int, ...]) -> FullAdder | None:
    """Return how a cell with these truth tables is used as a full adder, or None."""
    if len(cell.inputs) != 3 or len(tables) != 2:
        return None
    by_table = dict(zip(tables, cell.outputs, strict=True))
    every = (1 << 8) - 1
    carry = [(by_table[t], t != _CARRY) for t in (_CARRY, _CARRY ^ every) if t in by_table]
    total = [(by_table[t], t != _SUM) for t in (_SUM, _SUM ^ every) if t in by_table]
    if not carry or not total:
        return None
    return FullAdder(cell.name, cell.inputs, carry[0][0], total[0][0], carry[0][1], total[0][1])
