# SPDX-License-Identifier: Apache-2.0
"""A wrapper with four pins, or five, in which a design with any number of ports is routed."""

from collections.abc import Mapping
from typing import Any

from montcore.synth.design import Design


def wrapper(design: Design, ports: Mapping[str, Any]) -> str:
    """Return a Verilog module with four pins, or five, around a design with any number of ports.

    A shift register fills a row of flip-flops that drive the inputs, and every output goes to a
    flip-flop of another shift register. Therefore nothing is optimised away, no path of the core
    starts or ends at a pin, and each path of the wrapper is a single look-up table long. (Inputs
    straight from a shift register would let its flip-flops merge with input registers of the core.)

    Args:
        design: the design.
        ports: its ports, as Yosys' ``write_json`` gives them.
    """
    clocks = {design.clock: "clk"} | ({design.fast_clock: "clk2x"} if design.fast_clock else {})
    links = [f".{port}({pin})" for port, pin in clocks.items()]
    widths = {"input": 0, "output": 0}
    nets = {"input": "held_q", "output": "out"}
    for way, net in nets.items():
        for name, port in ports.items():
            if port["direction"] == way and name not in clocks:
                low, widths[way] = widths[way], widths[way] + len(port["bits"])
                links.append(f".{name}({net}[{widths[way] - 1}:{low}])")
    wide_in, wide_out = widths.values()
    connections = ",\n    ".join(links)
    pins = ", ".join(f"input {pin}" for pin in clocks.values())
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
  {design.top} core (
    {connections}
  );
endmodule
"""
