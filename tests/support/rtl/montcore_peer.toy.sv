// SPDX-License-Identifier: Apache-2.0

/// Adapter of the toy peer.
module montcore_peer #(
    parameter int Bits = 16
) (
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,
    input logic [Bits-1:0] x_i,
    input logic [Bits-1:0] y_i,
    input logic [Bits-1:0] m_i,
    input logic [63:0] constant_i,
    output logic done_o,
    output logic [Bits+16:0] z_o
);
  logic ready, busy_q;
  logic [Bits+1:0] z;
  toy_peer #(
      .WIDTH(Bits)
  ) u_peer (
      .clk(clk_i),
      .reset_n(rst_ni),
      .go(start_i),
      .a(x_i),
      .b(y_i),
      .n(m_i),
      .ready(ready),
      .r(z)
  );
  always_ff @(posedge clk_i) busy_q <= rst_ni && (start_i || (busy_q && !done_o));
  assign done_o = busy_q && ready;
  assign z_o = (Bits + 17)'(z);
  logic unused;
  assign unused = ^constant_i;
endmodule
