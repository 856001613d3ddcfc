// SPDX-License-Identifier: Apache-2.0

/// The cells of a block of `cs` or `op` for one iteration, combinational.
///
/// (C2, C1, S) = S' / 2 + C1' / 2 + C2' / 2 + a B + q N, by two full adders per cell; or,
/// Precomputed, (C1, S) = S' / 2 + C1' / 2 + I, I = 0, N, B or B + N by a and q, by one.
/// Bit p of C1 and C2 is a carry out of cell p and has the weight of cell p + 1.
/// The block above works one cycle later, so its lowest sum bit arrives one iteration late and then
/// belongs one cell lower: cell Width - 2 adds it with a further adder, whose carry replaces the
/// sum bit that the top cell lacks.
/// Precondition: none.
/// Latency: 0.
/// Source: mmm-mx-2006, Algorithms 1 and 2.
/// Example, Width = 4: B = 0b0101, a = 1, q = 0, first -> S = 0b0101, C1 = C2 = 0.
module montcore_row_cells #(
    parameter int unsigned Width = 32,  // Number of cells, 3 or more.
    parameter bit Precomputed = 1'b0  // 1: select among 0, N, B and B + N; 0: add a B and q N.
) (
    input logic first_i,  // First iteration of a product: S', C1' and C2' count as zero.
    input logic [Width-1:0] s_i,  // S', sum bits of the previous iteration.
    input logic [Width-1:0] c1_i,  // C1', first carries of the previous iteration.
    /// C2', second carries of the previous iteration; ignored if Precomputed.
    input logic [Width-1:0] c2_i,
    /// Lowest sum bit of the block above, of the iteration before the previous one.
    input logic late_i,
    input logic [Width-1:0] n_i,  // Modulus N, the word of this block.
    input logic [Width-1:0] b_i,  // Operand B, the word of this block.
    input logic [Width-1:0] both_i,  // B + N, the word of this block; used only if Precomputed.
    input logic a_i,  // Bit of A of this iteration.
    input logic q_i,  // Quotient digit of this iteration.
    output logic q_o,  // Quotient digit required by the lowest cell; used from block 0.
    output logic [Width-1:0] s_o,  // S, sum bits of this iteration.
    output logic [Width-1:0] c1_o,  // C1, first carries of this iteration.
    output logic [Width-1:0] c2_o  // C2, second carries of this iteration; zero if Precomputed.
);
  logic [Width-1:0] s_in, c1_in;
  logic late_sum, late_carry;
  assign {late_carry, late_sum} = {1'b0, s_i[Width-1] & ~first_i} +
                                  {1'b0, c1_i[Width-2] & ~first_i} + {1'b0, late_i};
  always_comb begin
    s_in           = {1'b0, s_i[Width-1:1]} & {Width{~first_i}};
    c1_in          = c1_i & {Width{~first_i}};
    s_in[Width-2]  = late_sum;
    c1_in[Width-2] = 1'b0;
    s_in[Width-1]  = late_carry;
  end

  if (Precomputed) begin : g_one
    logic [Width-1:0] chosen;
    assign chosen = (n_i & {Width{q_i & ~a_i}}) | (b_i & {Width{a_i & ~q_i}}) |
                    (both_i & {Width{a_i & q_i}});
    assign s_o = s_in ^ c1_in ^ chosen;
    assign c1_o = (s_in & c1_in) | (chosen & (s_in | c1_in));
    assign c2_o = '0;
    assign q_o = s_in[0] ^ c1_in[0] ^ (a_i & b_i[0]);
    logic unused;
    assign unused = ^{s_i[0], c2_i};
  end else begin : g_two
    logic [Width-1:0] c2_in, ab, qn, mid;
    assign c2_in = c2_i & {Width{~first_i}};
    assign ab = b_i & {Width{a_i}};
    assign qn = n_i & {Width{q_i}};
    assign mid = s_in ^ c1_in ^ ab;
    assign c1_o = (s_in & c1_in) | (ab & (s_in | c1_in));
    assign s_o = mid ^ c2_in ^ qn;
    assign c2_o = (mid & c2_in) | (qn & (mid | c2_in));
    assign q_o = mid[0] ^ c2_in[0];
    logic unused;
    assign unused = ^{s_i[0], both_i};
  end
endmodule
