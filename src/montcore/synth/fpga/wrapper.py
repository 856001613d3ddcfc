# SPDX-License-Identifier: Apache-2.0
"""A wrapper with four pins, or five, in which a design with any number of ports is routed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.synth.design import Design
from montcore.synth.options import Options
from montcore.synth.yosys import run_yosys


@dataclass(frozen=True)
class Port:
    """A port of the top module."""

    name: str
    width: int
    is_input: bool


def read_ports(
    design: Design, work: Path, opts: Options, reading: Sequence[str] = ()
) -> list[Port]:
    """Return the ports of the elaborated top module; `reading` overrides the elaboration."""
    run_yosys(
        [
            *(reading or (design.read_command(work),)),
            f"dump -o ports.txt {design.top}/x:*",
        ],
        work,
        "ports",
        opts,
    )
    ports = []
    for match in re.finditer(
        r"wire (?:width (\d+) )?(?:upto )?(?:offset \d+ )?(input|output) \d+ (?:signed )?\\(\S+)",
        (work / "ports.txt").read_text(),
    ):
        ports.append(Port(match.group(3), int(match.group(1) or 1), match.group(2) == "input"))
    return ports


def wrapper(top: str, ports: list[Port], clock: str, fast_clock: str = "") -> str:
    """Return a Verilog module with four pins, or five, around a design with any number of ports.

    A shift register fills a row of flip-flops that drive the inputs, and every output goes to a
    flip-flop of another shift register. Therefore nothing is optimised away, no path of the core
    starts or ends at a pin, and each path of the wrapper is a single look-up table long. (Inputs
    straight from a shift register would let its flip-flops merge with input registers of the core.)
    """
    clocks = (clock, fast_clock)
    inputs = [port for port in ports if port.is_input and port.name not in clocks]
    outputs = [port for port in ports if not port.is_input]
    wide_in = sum(port.width for port in inputs)
    wide_out = sum(port.width for port in outputs)
    links, low = [f".{clock}(clk)"], 0
    if fast_clock:
        links.append(f".{fast_clock}(clk2x)")
    for port in inputs:
        links.append(f".{port.name}(held_q[{low + port.width - 1}:{low}])")
        low += port.width
    low = 0
    for port in outputs:
        links.append(f".{port.name}(out[{low + port.width - 1}:{low}])")
        low += port.width
    connections = ",\n    ".join(links)
    pins = "input clk, input clk2x" if fast_clock else "input clk"
    return f"""module wrapper ({pins}, input serial_i, input load_i, output serial_o);
  reg load_q;
  reg [{wide_in - 1}:0] in_q, held_q;
  reg [{wide_out - 1}:0] out_q;
  wire [{wide_out - 1}:0] out;
  assign serial_o = out_q[0];
  always @(posedge clk) begin
    load_q <= load_i;
    in_q <= {{in_q, serial_i}};
    if (load_q) held_q <= in_q;
    out_q <= load_q ? out : (out_q >> 1);
  end
  {top} core (
    {connections}
  );
endmodule
"""
