// SPDX-License-Identifier: Apache-2.0

/// A block of a row of `cs` or `op`: cells (`montcore_row_cells`) and their registers.
///
/// `cs`: (C2, C1, S) <- S / 2 + C1 / 2 + C2 / 2 + a B + q N
/// `op`, Precomputed: (C1, S) <- S / 2 + C1 / 2 + I, I = 0, N, B or B + N by a and q
/// Bit p of a carry vector has the weight of cell p + 1. The block above works one cycle later, so
/// that its lowest sum bit is late by an iteration.
/// Precondition: first_i and late_mask_i as described at these ports.
/// Latency: 1.
/// Source: mmm-mx-2006, Algorithms 1 and 2.
/// Example, Width = 4: B = 0b0101, a = 1, q = 0, first -> S = 0b0101, C1 = C2 = 0.
module montcore_row_block #(
    parameter int unsigned Width = 32,  // Number of cells in the block, 3 or more.
    parameter bit Precomputed = 1'b0  // 1: select among 0, N, B and B + N; 0: add a B and q N.
) (
    input logic clk_i,
    input logic n_we_i,  // Write enable of the word of N.
    input logic [Width-1:0] n_i,  // Word of N, valid with n_we_i.
    input logic b_we_i,  // Write enable of the words of B and B + N.
    input logic [Width-1:0] b_i,  // Word of B, valid with b_we_i.
    input logic [Width-1:0] both_i,  // Word of B + N, valid with b_we_i; used only if Precomputed.
    input logic first_i,  // First iteration of a product: S, C1 and C2 count as zero.
    /// First or second iteration: the late bit belongs to another product and is ignored.
    input logic late_mask_i,
    input logic a_i,  // Bit of A of this iteration.
    input logic q_i,  // Quotient digit of this iteration.
    output logic q_o,  // Quotient digit required by the lowest cell; used from block 0.
    input logic above_i,  // Late bit: lowest sum bit of the block above.
    output logic [Width-1:0] s_o,  // Sum bits S, registered.
    output logic [Width-1:0] c1_o,  // First carry bits C1, registered.
    output logic [Width-1:0] c2_o  // Second carry bits C2, registered; zero if Precomputed.
);
  logic [Width-1:0] b_q, n_q, both, s_q, c1_q, c2_q, s, c1, c2;

  always_ff @(posedge clk_i) begin
    if (n_we_i) n_q <= n_i;
    if (b_we_i) b_q <= b_i;
  end
  if (Precomputed) begin : g_sum
    logic [Width-1:0] both_q;
    always_ff @(posedge clk_i) if (b_we_i) both_q <= both_i;
    assign both = both_q;
    assign c2_q = '0;
    logic unused;
    assign unused = ^c2;
  end else begin : g_two
    assign both = '0;
    always_ff @(posedge clk_i) c2_q <= c2;
    logic unused;
    assign unused = ^both_i;
  end

  montcore_row_cells #(
      .Width      (Width),
      .Precomputed(Precomputed)
  ) u_cells (
      .first_i,
      .s_i   (s_q),
      .c1_i  (c1_q),
      .c2_i  (c2_q),
      .late_i(above_i & ~late_mask_i),
      .n_i   (n_q),
      .b_i   (b_q),
      .both_i(both),
      .a_i,
      .q_i,
      .q_o,
      .s_o   (s),
      .c1_o  (c1),
      .c2_o  (c2)
  );

  always_ff @(posedge clk_i) begin
    s_q  <= s;
    c1_q <= c1;
  end
  assign s_o  = s_q;
  assign c1_o = c1_q;
  assign c2_o = c2_q;
endmodule
