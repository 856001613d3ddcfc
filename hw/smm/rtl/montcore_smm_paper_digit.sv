// SPDX-License-Identifier: Apache-2.0

/// Quotient digits of the paper's schedule, with a separate low-word multiplier.
///
/// q = (s0 + PLQ) * n0' mod 2^WordBits; s0 arrives as it is computed, in parts, so that one
/// carry-propagate adder is between PP_reg and the multiplier, or as a word.
/// Precondition: valid_i in or before the cycle of use_i; n0' was computed since the last clear.
/// Latency: 1 cycle from use_i to product_o, which is then stable until the next use_i.
/// Source: smm-2021, step 9.
/// Example, WordBits = 4: n0' = 0xd, s0 = 3, PLQ = 4 -> q = 0xb.
module montcore_smm_paper_digit #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    parameter bit Whole = 1'b0,  // 1: the first part is s0, the others are 0.
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits
) (
    input logic clk_i,
    input logic clear_i,  // Drives zeros through the registers.
    input logic [WordBits-1:0] sum_i,  // s0: first part of the sum.
    input logic [WordBits-1:0] carry_i,  // s0: second part of the sum.
    input logic kappa_i,  // s0: third part, a carry of weight 1.
    input logic [2:0] digit_i,  // s0: fourth part, carries of the word below.
    input logic [WordBits-1:0] plq_i,  // Low word of x[i] * y[0].
    input logic valid_i,  // High: the parts of s0 are valid.
    input logic use_i,  // High: compute the digit.
    input logic take_n0_i,  // Set-up: load the multiplicand with word 0 of M.
    input logic [WordBits-1:0] n0_i,  // Word 0 of M, valid with take_n0_i.
    input logic take_product_i,  // Set-up: load the multiplicand with the product.
    input logic plus_two_i,  // Set-up: add two to the product that is output.
    input logic factor_one_i,  // Set-up: set the factor to 1.
    input logic factor_load_i,  // Set-up: load the factor with the product.
    /// Product product_o, recoded for the factor register.
    input logic [CodeBits-1:0] product_code_i,
    output logic [WordBits-1:0] product_o  // Quotient digit, or the product in the set-up.
);
  logic [WordBits-1:0] total, kept, multiplicand, multiplicand_q;

  if (Whole) begin : g_whole
    logic unused_parts;
    assign total = sum_i + plq_i;
    assign unused_parts = ^{carry_i, kappa_i, digit_i};
  end else begin : g_parts
    // PLQ and the digit arrive early; the parts of s0 arrive late.
    logic [WordBits-1:0] early_sum, early_carry, sum, carry, total_sum, total_carry;
    assign early_sum   = plq_i ^ WordBits'(digit_i);
    assign early_carry = (plq_i & WordBits'(digit_i)) << 1;
    montcore_csa #(
        .Width(WordBits)
    ) u_first (
        .a_i    (sum_i),
        .b_i    (carry_i),
        .c_i    (early_sum),
        .sum_o  (sum),
        .carry_o(carry)
    );
    montcore_csa #(
        .Width(WordBits)
    ) u_second (
        .a_i    (sum),
        .b_i    (carry),
        .c_i    (early_carry),
        .sum_o  (total_sum),
        .carry_o(total_carry)
    );
    assign total = total_sum + total_carry + WordBits'(kappa_i);
  end

  // With more than one row, s0 is computed long before its digit is needed.
  if (Rows == 1) begin : g_now
    logic unused_valid;
    assign kept = total;
    assign unused_valid = valid_i;
  end else begin : g_kept
    logic [WordBits-1:0] kept_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) kept_q <= '0;
      else if (valid_i) kept_q <= total;
    end
    assign kept = valid_i ? total : kept_q;
  end

  assign multiplicand = use_i ? kept : multiplicand_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) multiplicand_q <= '0;
    else if (take_n0_i) multiplicand_q <= n0_i;
    else if (take_product_i) multiplicand_q <= product_o;
    else multiplicand_q <= multiplicand;
  end

  montcore_smm_quotient #(
      .WordBits(WordBits),
      .Tech(Tech)
  ) u_quotient (
      .clk_i,
      .factor_code_i (product_code_i),
      .factor_load_i,
      .factor_one_i,
      .multiplicand_i(multiplicand),
      .plus_two_i,
      .product_o
  );
endmodule
