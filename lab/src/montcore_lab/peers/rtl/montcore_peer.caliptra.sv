// SPDX-License-Identifier: Apache-2.0

/// Adapter of the multiplier of Caliptra.
module montcore_peer #(
    parameter int Bits = 256
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
`ifndef RADIX
  `define RADIX 32
`endif
  logic ready, busy_q;
  logic [Bits-1:0] z;
  ecc_montgomerymultiplier #(
      .REG_SIZE(Bits),
      .RADIX(`RADIX)
  ) u_peer (
      .clk(clk_i),
      .reset_n(rst_ni),
      .zeroize(1'b0),
      .start_i,
      .opa_i(x_i),
      .opb_i(y_i),
      .n_i(m_i),
      .n_prime_i(constant_i[`RADIX-1:0]),
      .p_o(z),
      .ready_o(ready)
  );
  always_ff @(posedge clk_i) busy_q <= rst_ni && (start_i || (busy_q && !done_o));
  assign done_o = busy_q && ready;
  assign z_o = (Bits + 17)'(z);
endmodule
