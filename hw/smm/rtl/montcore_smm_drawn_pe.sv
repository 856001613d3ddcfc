// SPDX-License-Identifier: Apache-2.0

/// Processing element as drawn in the paper: multiplier, product register, two carry-select adders.
///
/// Multiply: PP_reg = {PH, PL} <- a * b; alternately x[i] * y[j] and q * m[j].
/// Add: {c1, s*} = PL + (neighbour's PH) + c1 of the word below, {c2, sum} = s* + base + c2 of the word
///   below; in the second turn the carries are c3 and c4.
/// Precondition: none.
/// Latency: 2 cycles from code_i and b_i to sum_o (the second one combinational behind PP_reg).
/// Source: smm-2021, Figure 5, steps 13 to 18. It is not drawn whether the carries ripple from word
/// to word in the same cycle: this follows from c1 = ... = 0 in step 8, from step 26, and from the
/// reason given for carry selection, the delay along the row.
/// Example, WordBits = 4: a * b = 7 * 9 = 0x3f, base 3, neighbour's PH 2 -> sum 4, c1 1, c2 0.
module montcore_smm_drawn_pe #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits
) (
    input logic clk_i,
    input logic [CodeBits-1:0] code_i,  // Multiplier word a, recoded (multiply).
    input logic [WordBits-1:0] b_i,  // Multiplicand word b (multiply).
    /// Neighbour's PH, or the complement of the word to subtract (add).
    input logic [WordBits-1:0] high_i,
    input logic [WordBits-1:0] base_i,  // Word of S, the base of the addition (add).
    input logic carry_1_i,  // Carry into adder1 (add).
    input logic carry_2_i,  // Carry into adder2 (add).
    output logic [WordBits-1:0] high_o,  // High word PH of the product (add).
    output logic carry_1_o,  // Carry out of adder1 (add).
    output logic carry_2_o,  // Carry out of adder2 (add).
    output logic [WordBits-1:0] sum_o  // New word of S (add).
);
  logic [2*WordBits:0] product_sum, product_carry, product;
  logic [2*WordBits-1:0] product_q;
  logic [WordBits-1:0] between;
  logic unused_constant;

  montcore_mul_cs #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_mul (
      .code_i,
      .b_i,
      .sum_o  (product_sum),
      .carry_o(product_carry)
  );
  // The dropped bit is the multiplier's constant 2^(2 WordBits).
  assign product = product_sum + product_carry;
  assign unused_constant = product[2*WordBits];

  // Product register PP_reg of the paper.
  always_ff @(posedge clk_i) product_q <= product[2*WordBits-1:0];
  assign high_o = product_q[2*WordBits-1:WordBits];

  montcore_smm_select_adder #(
      .WordBits(WordBits)
  ) u_adder1 (
      .a_i    (product_q[WordBits-1:0]),
      .b_i    (high_i),
      .carry_i(carry_1_i),
      .sum_o  (between),
      .carry_o(carry_1_o)
  );
  montcore_smm_select_adder #(
      .WordBits(WordBits)
  ) u_adder2 (
      .a_i    (between),
      .b_i    (base_i),
      .carry_i(carry_2_i),
      .sum_o,
      .carry_o(carry_2_o)
  );
endmodule
