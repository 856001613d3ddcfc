// SPDX-License-Identifier: Apache-2.0

/// Adapter of FIOS_DSP_MM: a memory with -M^-1, M, X and Y, in whose place the result comes, a word
/// of 17 bits each row.
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
  localparam int Words = (Bits + 2 + 16) / 17;
  typedef logic [Words-1:0][16:0] words_t;
  words_t x, y, m, z_q;
  assign x = words_t'(x_i);
  assign y = words_t'(y_i);
  assign m = words_t'(m_i);
  logic [31:0] addr;
  logic [16:0] data_q, word;
  logic we, enable, done, busy_q, again_q;
  montcore_peer_fios #(
      .Words(Words)
  ) u_peer (
      .clk_i,
      .reset_i (~rst_ni | again_q),
      .start_i,
      .data_i  (data_q),
      .data_o  (word),
      .we_o    (we),
      .addr_o  (addr),
      .enable_o(enable),
      .done_o  (done)
  );
  always_ff @(posedge clk_i) begin
    if (addr == 0) data_q <= constant_i[16:0];
    else if (addr <= 32'(Words)) data_q <= m[addr-1];
    else if (addr <= 32'(2 * Words)) data_q <= x[addr-1-32'(Words)];
    else if (addr <= 32'(3 * Words)) data_q <= y[addr-1-32'(2*Words)];
    if (we && addr < 32'(Words)) z_q[addr] <= word;
    // It does one product after a reset.
    again_q <= done_o;
    busy_q  <= rst_ni && (start_i || (busy_q && !done_o));
  end
  assign done_o = busy_q && done;
  assign z_o = (Bits + 17)'(z_q);
  logic unused;
  assign unused = ^constant_i ^ enable;
endmodule
