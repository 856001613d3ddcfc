// SPDX-License-Identifier: Apache-2.0

/// Adapter of secworks' montprod: the operands in memories of 32-bit words, the highest word first.
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
  // Two bits above the modulus must be free.
  localparam int Words = Bits / 32 + 1;
  typedef logic [Words-1:0][31:0] words_t;
  words_t x, y, m, z_q;
  assign x = words_t'(x_i);
  assign y = words_t'(y_i);
  assign m = words_t'(m_i);
  logic [7:0] x_addr, y_addr, m_addr, z_addr;
  logic [31:0] x_q, y_q, m_q, word;
  logic we, ready, busy_q, gone_q;
  montprod u_peer (
      .clk(clk_i),
      .reset_n(rst_ni),
      .calculate(start_i),
      .ready(ready),
      .length(8'(Words)),
      .opa_addr(x_addr),
      .opa_data(x_q),
      .opb_addr(y_addr),
      .opb_data(y_q),
      .opm_addr(m_addr),
      .opm_data(m_q),
      .result_addr(z_addr),
      .result_data(word),
      .result_we(we)
  );
  always_ff @(posedge clk_i) begin
    x_q <= (x_addr < 8'(Words)) ? x[Words-1-int'(x_addr)] : '0;
    y_q <= (y_addr < 8'(Words)) ? y[Words-1-int'(y_addr)] : '0;
    m_q <= (m_addr < 8'(Words)) ? m[Words-1-int'(m_addr)] : '0;
    if (we && z_addr < 8'(Words)) z_q[Words-1-int'(z_addr)] <= word;
    // ready falls a cycle after the start.
    gone_q <= busy_q && (gone_q || !ready);
    busy_q <= rst_ni && (start_i || (busy_q && !done_o));
  end
  assign done_o = busy_q && gone_q && ready;
  assign z_o = (Bits + 17)'(z_q);
  logic unused;
  assign unused = ^constant_i;
endmodule
