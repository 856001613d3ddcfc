// SPDX-License-Identifier: Apache-2.0

/// Properties of the paper's element, `montcore_smm_drawn_pe`: two of them in a row, connected as
/// in `montcore_smm_drawn_array`.
///
/// a_product: PP_reg holds the integer product of the words of the previous cycle.
/// a_row: the new words, with the carries out of the row above them, equal as an integer the words
/// of S plus the low words plus the input from the row before (its high word and its two carries)
/// plus the high word of lane 0: steps 14 and 15, or 17 and 18, of the algorithm. The high word of
/// lane 1 goes to the next row.
/// a_adder: a carry-select adder equals an adder.
/// The registers are arbitrary at first, so that one step is a proof.
module smm_drawn_pe_proof #(
    parameter int unsigned WordBits = 4,
    parameter int unsigned Tech = montcore_pkg::TechAsic
) (
    input logic clk_i,
    input logic [WordBits-1:0] a_i,  // Multiplier word, any value.
    input logic [1:0][WordBits-1:0] b_i,  // Multiplicand words, any values.
    input logic [1:0][WordBits-1:0] base_i,  // Words of S, any values.
    input logic [WordBits-1:0] high_i,  // High word from the row before.
    input logic carry_1_i,  // Carry of adder1 from the row before.
    input logic carry_2_i  // Carry of adder2 from the row before.
);
  localparam int unsigned CodeBits =
      (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits;
  // Integers wide enough for every sum.
  localparam int unsigned Wide = 2 * WordBits + 3;

  logic started_q = 1'b0;
  logic [WordBits-1:0] a_q;
  logic [CodeBits-1:0] code;
  logic [1:0][WordBits-1:0] b_q, high, sum;
  logic [2:0] carry_1, carry_2;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    a_q       <= a_i;
    b_q       <= b_i;
  end

  montcore_recode #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_recode (
      .word_i(a_i),
      .code_o(code)
  );

  assign carry_1[0] = carry_1_i;
  assign carry_2[0] = carry_2_i;
  for (genvar k = 0; k < 2; k++) begin : g_pe
    montcore_smm_drawn_pe #(
        .WordBits(WordBits),
        .Tech(Tech)
    ) u_pe (
        .clk_i,
        .code_i   (code),
        .b_i      (b_i[k]),
        .high_i   ((k == 0) ? high_i : high[0]),
        .base_i   (base_i[k]),
        .carry_1_i(carry_1[k]),
        .carry_2_i(carry_2[k]),
        .high_o   (high[k]),
        .carry_1_o(carry_1[k+1]),
        .carry_2_o(carry_2[k+1]),
        .sum_o    (sum[k])
    );
    always_comb begin
      if (started_q) begin
        a_product : assert (u_pe.product_q == (2 * WordBits)'(a_q) * (2 * WordBits)'(b_q[k]));
      end
    end
  end

  logic [Wide-1:0] made, below, expected;
  assign made = Wide'(sum) + (Wide'(carry_1[2]) << (2 * WordBits)) +
      (Wide'(carry_2[2]) << (2 * WordBits));
  assign below = Wide'(high_i) + Wide'(carry_1_i) + Wide'(carry_2_i && !`MUTANT);
  assign expected = Wide'(base_i) + Wide'(g_pe[0].u_pe.product_q[WordBits-1:0]) +
      (Wide'(g_pe[1].u_pe.product_q[WordBits-1:0]) << WordBits) +
      (Wide'(g_pe[0].u_pe.product_q[2*WordBits-1:WordBits]) << WordBits) + below;

  logic [WordBits-1:0] alone;
  logic alone_carry;
  montcore_smm_select_adder #(
      .WordBits(WordBits)
  ) u_adder (
      .a_i,
      .b_i    (b_i[0]),
      .carry_i(carry_1_i),
      .sum_o  (alone),
      .carry_o(alone_carry)
  );

  always_comb begin
    a_row : assert (made == expected);
    a_adder :
    assert ({alone_carry, alone} == (WordBits + 1)'(a_i) + (WordBits + 1)'(b_i[0]) +
                                    (WordBits + 1)'(carry_1_i));
  end
endmodule
