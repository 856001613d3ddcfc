// SPDX-License-Identifier: Apache-2.0

/// A block of the cells of `cs4`: two full adders each, with one sum and one carry bit.
///
/// S + 2 C <- (S + 2 C) / 4 + floor(q N / 4) + floor(a B) + carry_i, q and a from {-1, 0, 1, 2}
/// The floor of a negative multiple is its complement: the missing 1 comes with carry_i.
/// Bit p of C is a carry out of cell p and has the weight of cell p + 1.
/// The two lowest cells pass two bits to the block below as down_o; the rest of their value is
/// over_o, a carry for this block's own next iteration. The block above works one cycle later, so
/// its two bits arrive one iteration late and then belong two cells lower, to cells Width - 4 and
/// Width - 3, which add them with a third adder; the two top cells have room for its carries.
/// Precondition: first_i and late_mask_i as described at these ports.
/// Latency: 1.
/// Source: mmm-mx-2006, Algorithm 1, extended to radix 4.
/// Example, Width = 8: B = 0x15, a = 2, q = 0, first -> S = 0x2a, C = 0.
module montcore_cs4_block #(
    parameter int unsigned Width = 32  // Number of cells, 5 or more.
) (
    input logic clk_i,
    input logic n_we_i,  // Write enable of the word of N, without its lowest bit.
    input logic [Width-2:0] n_i,  // Word of N without its lowest bit, valid with n_we_i.
    input logic n_top_we_i,  // Write enable of the two bits of N above the word.
    input logic [1:0] n_top_i,  // The two bits of N above the word, valid with n_top_we_i.
    input logic b_we_i,  // Write enable of the word of B and of the bit below it.
    input logic [Width:0] b_i,  // Word of B and the bit below it, valid with b_we_i.
    input logic first_i,  // First iteration of a product: S and C count as zero.
    /// First or second iteration: the late bits belong to another product and are ignored.
    input logic late_mask_i,
    input logic [2:0] a_i,  // Digit of A, coded as lines {-1, 2, 1}.
    input logic [2:0] q_i,  // Quotient digit, coded as lines {-1, 2, 1}.
    input logic carry_i,  // Carry into the lowest cell.
    input logic [1:0] above_i,  // Late bits from the block above.
    output logic [1:0] down_o,  // The two lowest bits, for the block below.
    output logic over_o,  // Carry of the two lowest cells beyond these bits.
    output logic [2:0] next_o,  // Next state of the two lowest cells: C of cell 0, S of both.
    output logic n_bit_o,  // Bit 1 of the word of N, used from block 0.
    output logic [Width-1:0] s_o,  // Sum bits S, registered.
    output logic [Width-1:0] c_o  // Carry bits C, registered.
);
  // N / 2 and 2 B, one bit wider than the cells.
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
  // The top cell adds a B first, alone: no carry leaves the block.
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
