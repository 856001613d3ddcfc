// SPDX-License-Identifier: Apache-2.0

/// Processing element of the paper's schedule: one multiplier, PP_reg, and the adders behind it.
///
/// Multiply: PP_reg <- a * b; alternately x[i] * y[j] and q * m[j].
/// Add: sum_o = base + PL + (neighbour's PH) + carries; the digit above the word holds the carries
///   c1 + c2 (+ c3 + c4 after the second turn) of the paper, 0 .. 4, until the next use of the word.
/// Precondition: the mathematical sum is below 2^(WordBits + 3); it is, since a digit is at most 4.
/// Latency: 2 cycles from code_i and b_i to sum_o (the second one combinational behind PP_reg).
/// Source: smm-2021, Figure 5; PP_reg is carry-save, adder1 and adder2 are one carry-save tree in
/// front of one carry-propagate adder.
/// Example, WordBits = 4: a * b = 7 * 9 = 0x3f, base 0, neighbour's PH 2 -> sum = 0x11.
module montcore_smm_paper_pe #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SumBits = WordBits + 3,
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits
) (
    input logic clk_i,
    input logic [CodeBits-1:0] code_i,  // Multiplier word a, recoded (multiply).
    /// Multiplicand word b (multiply), and the word to subtract (add).
    input logic [WordBits-1:0] b_i,
    input logic [SumBits-1:0] base_i,  // Base of the addition: word and carries (add).
    input logic carries_above_i,  // High: the base's carries are added above the word (add).
    input logic carries_within_i,  // High: the base's carries are added to the word itself (add).
    input logic subtract_i,  // High: subtract b_i, by adding its complement (add).
    /// Neighbour's PH, first part, with the constant 2^WordBits (add).
    input logic [WordBits:0] high_sum_i,
    input logic [WordBits:0] high_carry_i,  // Neighbour's PH, second part (add).
    /// Carry into the word: out of the neighbour's PL, or a single deferred one (add).
    input logic carry_i,
    output logic [WordBits:0] high_sum_o,  // PH, first part, with the constant 2^WordBits (add).
    output logic [WordBits:0] high_carry_o,  // PH, second part of the carry-save pair (add).
    output logic kappa_o,  // Carry out of the two parts of PL, which belongs to PH (add).
    /// First part of the low word of sum_o without carry_i (add).
    output logic [WordBits-1:0] partial_sum_o,
    /// Second part of the low word of sum_o without carry_i (add).
    output logic [WordBits-1:0] partial_carry_o,
    output logic [SumBits-1:0] sum_o  // New word with its carries (add).
);
  logic [2*WordBits:0] product_sum, product_carry, sum_q, carry_q;
  logic [WordBits-1:0] low_sum, low_carry, subtrahend, unused_low;
  logic [2:0] carries;
  logic [5:0][SumBits-1:0] rows;
  logic [SumBits-1:0] total_sum, total_carry;

  montcore_mul_cs #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_mul (
      .code_i,
      .b_i,
      .sum_o  (product_sum),
      .carry_o(product_carry)
  );

  // Product register PP_reg of the paper, in carry-save form.
  always_ff @(posedge clk_i) begin
    sum_q   <= product_sum;
    carry_q <= product_carry;
  end

  assign {high_sum_o, low_sum} = sum_q;
  assign {high_carry_o, low_carry} = carry_q;
  assign {kappa_o, unused_low} = {1'b0, low_sum} + {1'b0, low_carry};

  // The ones above low_sum subtract the multiplier's constant 2^WordBits, which is in the
  // neighbour's PH, and the own kappa, which is added with the next word.
  assign subtrahend = ~b_i & {WordBits{subtract_i}};
  assign carries = base_i[SumBits-1:WordBits];
  assign rows[0] = {2'b11, ~kappa_o, low_sum};
  assign rows[1] = {3'b000, low_carry};
  assign rows[2] = {2'b00, high_sum_i};
  assign rows[3] = {2'b00, high_carry_i};
  assign rows[4] = {carries & {3{carries_above_i}}, base_i[WordBits-1:0]};
  assign rows[5] = SumBits'({carries & {3{carries_within_i}}}) | {3'b000, subtrahend};

  montcore_csa_tree #(
      .Rows (6),
      .Width(SumBits)
  ) u_tree (
      .rows_i (rows),
      .sum_o  (total_sum),
      .carry_o(total_carry)
  );

  assign partial_sum_o = total_sum[WordBits-1:0];
  assign partial_carry_o = total_carry[WordBits-1:0];
  assign sum_o = total_sum + total_carry + SumBits'(carry_i);
endmodule
