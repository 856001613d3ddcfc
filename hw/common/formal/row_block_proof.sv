// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_row_block`: each cycle preserves the value, from any state.
///
/// Values are integers in the weights of the block. The registers in step 0 are arbitrary.
/// a_exact: the registers after a cycle = half of S + the previous carries + a B + q N, or 0, N, B or
/// B + N, + the late bit one cell below the top; the first iteration of a product starts from zero.
/// a_digit: with the digit that the lowest cell requires, the lowest sum bit becomes 0 if the
/// lowest bit of N is 1.
module row_block_proof #(
    parameter int unsigned Width = 8,  // Number of cells in the block.
    parameter bit Precomputed = 1'b0  // 1: the block of `op`; 0: of `cs`.
) (
    input logic clk_i,
    input logic first_i,  // High in the first iteration of a product.
    input logic late_mask_i,  // High in the first and second iteration: the late bit is ignored.
    input logic a_i,  // Bit of A of this iteration.
    input logic q_i,  // Quotient digit of this iteration.
    input logic above_i  // Late bit: lowest sum bit of the block above.
);
  logic [Width-1:0] s, c1, c2, b, n, both;
  logic q_own;

  montcore_row_block #(
      .Width      (Width),
      .Precomputed(Precomputed)
  ) u_dut (
      .n_we_i(1'b0),
      .n_i   ('0),
      .b_we_i(1'b0),
      .b_i   ('0),
      .both_i('0),
      .q_o   (q_own),
      .s_o   (s),
      .c1_o  (c1),
      .c2_o  (c2),
      .*
  );
  assign b = u_dut.b_q;
  assign n = u_dut.n_q;
  assign both = Precomputed ? u_dut.both : b + n;

  localparam int unsigned Bits = Width + 3;
  logic started_q = 1'b0;
  logic own_q;
  logic [Bits-1:0] want_q, late;
  assign late = `MUTANT ? '0 : Bits'(above_i & ~late_mask_i) << (Width - 2);
  logic [Bits-1:0] held, gated;
  assign held = first_i ? '0 : Bits'(s >> 1) + Bits'(c1) + Bits'(c2);
  assign gated = (Precomputed && a_i && q_i) ? Bits'(both) :
      (a_i ? Bits'(b) : '0) + (q_i ? Bits'(n) : '0);
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    own_q <= q_i == q_own && n[0] && both[0] == (b[0] ^ n[0]);
    want_q    <= held + late + gated;
  end
  always_comb begin
    if (started_q) a_exact : assert (Bits'(s) + (Bits'(c1) << 1) + (Bits'(c2) << 1) == want_q);
    if (started_q && own_q && Width > 2) a_digit : assert (!s[0]);
  end
endmodule
