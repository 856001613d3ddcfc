// SPDX-License-Identifier: Apache-2.0

/// Low-word multiplier: the last quotient digit, and n0' = -m^-1 mod 2^WordBits by Newton's method.
///
/// product_o = factor * multiplicand (+ 2) mod 2^WordBits
/// Precondition: none.
/// Latency: 1 cycle from the multiplicand and factor registers to product_o (combinational after
/// the carry-save register).
/// Source: smm-2021, step 9 and the precomputed n0*; Newton step x <- x (n0 x + 2), which doubles
/// the number of correct bits of x = -1 / n0 and starts from x = 1.
/// Example, WordBits = 4: n0 = 0xb, x = 1 -> 0xb + 2 = 0xd; x = 1 * 0xd = 0xd (0xb * 0xd = 0x8f).
module montcore_smm_quotient #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits
) (
    input logic clk_i,
    input logic [CodeBits-1:0] factor_code_i,  // Factor to load, recoded.
    input logic factor_load_i,  // Load enable of the factor.
    input logic factor_one_i,  // Sets the factor to 1, with priority.
    /// Multiplicand, unsigned, in the same cycle as the factor register.
    input logic [WordBits-1:0] multiplicand_i,
    input logic plus_two_i,  // High: add 2 to the product that is output.
    /// Product of the factor and the multiplicand of the previous cycle.
    output logic [WordBits-1:0] product_o
);
  logic [CodeBits-1:0] factor_q, one_code;
  logic [WordBits-1:0] sum, carry, sum_q, carry_q;

  montcore_recode #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_one (
      .word_i(WordBits'(1)),
      .code_o(one_code)
  );

  montcore_mul_cs #(
      .Width   (WordBits),
      .OutWidth(WordBits),
      .Tech(Tech)
  ) u_mul (
      .code_i (factor_q),
      .b_i    (multiplicand_i),
      .sum_o  (sum),
      .carry_o(carry)
  );

  always_ff @(posedge clk_i) begin
    if (factor_one_i) factor_q <= one_code;
    else if (factor_load_i) factor_q <= factor_code_i;
    sum_q   <= sum;
    carry_q <= carry;
  end

  // Bit 0 of a carry vector is always 0, so that one half of the 2 fits there.
  assign product_o = sum_q + {carry_q[WordBits-1:1], carry_q[0] | plus_two_i}
                     + WordBits'(plus_two_i);
endmodule
