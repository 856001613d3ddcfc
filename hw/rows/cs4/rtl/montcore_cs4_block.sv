// SPDX-License-Identifier: Apache-2.0

/// A block of the cells of `cs4`: two full adders each, a sum and a carry bit.
///
/// S + 2 C <- (S + 2 C) / 4 + floor(q N / 4) + floor(a B) + carry_i, q and a from {-1, 0, 1, 2}
/// The floor of a negative multiple is a complement: the missing 1 is up to carry_i.
/// Bit p of C is a carry out of cell p and so has the weight of cell p + 1.
/// What the two lowest cells hold beyond two bits is over_o, a carry for this block's own next
/// iteration; the two bits go to the block below as down_o. The block above works a cycle later, so
/// that its two bits come an iteration late and then belong two cells lower, to cells Width - 4 and
/// Width - 3, which add them with a third adder; the two top cells have room for its carries.
/// Precondition: first_i and late_mask_i as said there.
/// Latency: 1.
/// Source: mmm-mx-2006, Algorithm 1, made radix 4.
/// Example, Width = 8: B = 0x15, a = 2, q = 0, first -> S = 0x2a, C = 0.
module montcore_cs4_block #(
    /// Cells, 5 or more.
    parameter int unsigned Width = 32
) (
    /// Clock, rising edge.
    input  logic             clk_i,
    /// Take the word of N, without its lowest bit.
    input  logic             n_we_i,
    /// The word without its lowest bit.
    input  logic [Width-2:0] n_i,
    /// Take the two bits of N above the word.
    input  logic             n_top_we_i,
    /// The two bits.
    input  logic [      1:0] n_top_i,
    /// Take a word of B and the bit below it.
    input  logic             b_we_i,
    /// The word of B and the bit below it.
    input  logic [  Width:0] b_i,
    /// First iteration of a product: nothing is in S and C.
    input  logic             first_i,
    /// First or second iteration: the late bits belong to another product.
    input  logic             late_mask_i,
    /// Digit of A: {-1, 2, 1}.
    input  logic [      2:0] a_i,
    /// Quotient digit: {-1, 2, 1}.
    input  logic [      2:0] q_i,
    /// Carry into the lowest cell.
    input  logic             carry_i,
    /// Late bits from the block above.
    input  logic [      1:0] above_i,
    /// The two bits for the block below.
    output logic [      1:0] down_o,
    /// Carry from the two lowest cells.
    output logic             over_o,
    /// What the two lowest cells will hold: C of cell 0, S of both.
    output logic [      2:0] next_o,
    /// Bit 1 of N, for the block whose word is the lowest.
    output logic             n_bit_o,
    /// S.
    output logic [Width-1:0] s_o,
    /// C.
    output logic [Width-1:0] c_o
);
  // N / 2 and 2 B, a bit more than the cells.
  logic [Width:0] n_q, b_q;
  logic [Width-1:0] s_q, c_q, s_in, c_in, ab, qn, mid, mid_carry, sum, carry;
  logic low_sum, low_carry, high_sum, high_carry;

  always_ff @(posedge clk_i) begin
    if (n_we_i) n_q[Width-2:0] <= n_i;
    if (n_top_we_i) n_q[Width:Width-1] <= n_top_i;
    if (b_we_i) b_q <= b_i;
  end
  assign n_bit_o = n_q[0];

  logic [1:0] late;
  logic [Width-1:0] s, c;
  assign s = s_q & {Width{~first_i}};
  assign c = c_q & {Width{~first_i}};
  assign late = above_i & {2{~late_mask_i}};
  assign {low_carry, low_sum} = {1'b0, s[Width-2]} + {1'b0, c[Width-3]} + {1'b0, late[0]};
  assign {high_carry, high_sum} = {1'b0, s[Width-1]} + {1'b0, c[Width-2]} + {1'b0, late[1]};
  assign s_in = {1'b0, high_carry, high_sum, low_sum, s[Width-3:2]};
  assign c_in = {1'b0, c[Width-1], low_carry, 1'b0, c[Width-4:1]};

  assign ab = (b_q[Width:1] & {Width{a_i[0]}}) | (b_q[Width-1:0] & {Width{a_i[1]}}) |
              (~b_q[Width:1] & {Width{a_i[2]}});
  assign qn = (n_q[Width:1] & {Width{q_i[0]}}) | (n_q[Width-1:0] & {Width{q_i[1]}}) |
              (~n_q[Width:1] & {Width{q_i[2]}});
  // The top cell adds a B alone first: no carry leaves the block.
  assign mid_carry[0] = carry_i;
  assign mid[Width-1] = ab[Width-1];
  for (genvar i = 0; i < Width; i++) begin : g_cell
    if (i < Width - 1) begin : g_below_top
      assign {mid_carry[i+1], mid[i]} = {1'b0, s_in[i]} + {1'b0, c_in[i]} + {1'b0, ab[i]};
    end
    assign {carry[i], sum[i]} = {1'b0, mid[i]} + {1'b0, mid_carry[i]} + {1'b0, qn[i]};
  end
  assign next_o = {carry[0], sum[1:0]};

  always_ff @(posedge clk_i) begin
    s_q <= sum;
    c_q <= carry;
  end
  assign down_o = {s_q[1] ^ c_q[0], s_q[0]};
  assign over_o = s_q[1] & c_q[0] & ~first_i;
  assign s_o = s_q;
  assign c_o = c_q;
  logic unused;
  assign unused = ^{s_in[Width-1], c_in[Width-1], s[1:0], c[0]};
endmodule
