// SPDX-License-Identifier: Apache-2.0

/// Adapter of mod_sim_exp: X is loaded, then Y stays at the port, and a pulse starts the product.
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
  logic ready, begin_q, busy_q;
  logic [Bits-1:0] z;
  mont_multiplier u_peer (
      .core_clk(clk_i),
      .xy(start_i ? x_i : y_i),
      .m(m_i),
      .r(z),
      .start(begin_q),
      .reset(~rst_ni),
      .p_sel(2'b11),
      .load_x(start_i),
      .ready(ready)
  );
  always_ff @(posedge clk_i) begin
    begin_q <= start_i;
    busy_q  <= rst_ni && (begin_q || (busy_q && !done_o));
  end
  assign done_o = busy_q && ready;
  assign z_o = (Bits + 17)'(z);
  logic unused;
  assign unused = ^constant_i;
endmodule
