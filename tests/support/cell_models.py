# SPDX-License-Identifier: Apache-2.0
"""Functional Verilog models of library cells, to simulate netlists independently of our tables."""

import re
from collections.abc import Iterable, Mapping

from montcore.support.errors import RequestError
from montcore.synth.asic.liberty import Cell


def verilog_expression(function: str) -> str:
    """Return a liberty function as a Verilog expression (blank means AND)."""
    out: list[str] = []
    for token in re.findall(r"[A-Za-z_]\w*|[01]|[()!^+*&|]", function):
        operand_before = bool(out) and (out[-1] == ")" or out[-1][-1].isalnum() or out[-1] == "_")
        if operand_before and (token[0].isalnum() or token in "(!_"):
            out.append("&")
        out.append({"+": "|", "*": "&", "!": "~", "0": "1'b0", "1": "1'b1"}.get(token, token))
    return " ".join(out)


def cell_models(cells: Mapping[str, Cell], used: Iterable[str]) -> str:
    """Return functional Verilog models (no delays) of some of a library's cells.

    Flip-flops start with the simulator's initial register value; set and reset are asynchronous.

    Raises:
        RequestError: a cell is unknown, a latch or a three-state cell.
    """
    parts = ["// Functional models of library cells, generated from the liberty file.\n"]
    for name in sorted(used):
        cell = cells.get(name)
        if cell is None or cell.latch or cell.three_state:
            raise RequestError(f"no functional model can be made of the cell {name}")
        ports = [f"input {pin}" for pin in cell.inputs] + [f"output {pin}" for pin in cell.outputs]
        lines = [f"module {name} ({', '.join(ports)});"]
        if cell.state:
            q = cell.state["name"]
            clock = verilog_expression(cell.state["clocked_on"])
            edge = "negedge" if clock.replace(" ", "").startswith(("(~", "~")) else "posedge"
            clock_pin = clock.translate(str.maketrans("", "", "()~ "))
            events, arms = [f"{edge} {clock_pin}"], []
            for kind, value in (("clear", "1'b0"), ("preset", "1'b1")):
                if kind in cell.state:
                    active = verilog_expression(cell.state[kind])
                    pin = active.translate(str.maketrans("", "", "()~ "))
                    events.append(f"{'negedge' if '~' in active else 'posedge'} {pin}")
                    arms.append(f"if ({active}) {q} <= {value}; else ")
            lines.append(f"  reg {q};")
            if re.search(rf"\b{cell.state['inverse']}\b", " ".join(cell.outputs.values())):
                lines.append(f"  wire {cell.state['inverse']} = ~{q};")
            lines.append(
                f"  always @({' or '.join(events)}) {''.join(arms)}"
                f"{q} <= {verilog_expression(cell.state['next_state'])};"
            )
        for pin, function in cell.outputs.items():
            lines.append(f"  assign {pin} = {verilog_expression(function)};")
        lines.append("endmodule\n")
        parts.append("\n".join(lines))
    return "\n".join(parts)
