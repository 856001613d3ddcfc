// SPDX-License-Identifier: Apache-2.0

/// A block of the cells of `op`: one full adder each, behind a selector of 0, N, B and B + N.
///
/// (C, S) <- S / 2 + C / 2 + (a B + q N), the value in brackets precomputed
/// Bit p of C is the carry out of cell p and has the weight of cell p + 1.
/// The block above works one cycle later, so its lowest sum bit arrives one iteration late and then
/// belongs one cell lower: cell Width - 2 adds it with a further adder, whose carry replaces
/// the sum bit that the top cell lacks.
/// Precondition: first_i and late_mask_i as described at these ports.
/// Latency: 1.
/// Source: mmm-mx-2006, Algorithm 2.
/// Example, Width = 4: B = 0b0101, a = 1, q = 0, first -> S = 0b0101, C = 0.
module montcore_op_block #(
    parameter int unsigned Width = 32  // Number of cells in the block, 3 or more.
) (
    input logic clk_i,
    input logic n_we_i,  // Write enable of the word of N.
    input logic [Width-1:0] n_i,  // Word of N, valid with n_we_i.
    input logic b_we_i,  // Write enable of the words of B and B + N.
    input logic [Width-1:0] b_i,  // Word of B, valid with b_we_i.
    input logic [Width-1:0] sum_i,  // Word of B + N, valid with b_we_i.
    input logic first_i,  // First iteration of a product: S and C count as zero.
    /// First or second iteration: the late bit belongs to another product and is ignored.
    input logic late_mask_i,
    input logic a_i,  // Bit of A of this iteration.
    input logic q_i,  // Quotient digit of this iteration.
    output logic q_o,  // Quotient digit required by the lowest cell; used from block 0.
    input logic above_i,  // Late bit: lowest sum bit of the block above.
    output logic [Width-1:0] s_o,  // Sum bits S, registered.
    output logic [Width-1:0] c_o  // Carry bits C, registered.
);
  logic [Width-1:0] b_q, n_q, both_q, s_q, c_q, s, c, unused_c2;

  always_ff @(posedge clk_i) begin
    if (n_we_i) n_q <= n_i;
    if (b_we_i) begin
      b_q    <= b_i;
      both_q <= sum_i;
    end
  end

  montcore_row_cells #(
      .Width      (Width),
      .Precomputed(1'b1)
  ) u_cells (
      .first_i,
      .s_i   (s_q),
      .c1_i  (c_q),
      .c2_i  ('0),
      .late_i(above_i & ~late_mask_i),
      .n_i   (n_q),
      .b_i   (b_q),
      .both_i(both_q),
      .a_i,
      .q_i,
      .q_o,
      .s_o   (s),
      .c1_o  (c),
      .c2_o  (unused_c2)
  );

  always_ff @(posedge clk_i) begin
    s_q <= s;
    c_q <= c;
  end
  assign s_o = s_q;
  assign c_o = c_q;
endmodule
