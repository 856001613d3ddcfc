// SPDX-License-Identifier: Apache-2.0

/// Multiplier word of a pass for up to three rows: a low-word multiplier computes the last quotient
/// digit and n0'.
///
/// Precondition: that of `montcore_smm_fast_setup`.
/// Latency: none from the sources to code_o; a captured word is available in the same cycle.
/// Source: smm-2021, steps 6 to 9.
/// Example, WordBits = 4, no recoding: op_i = OpLow, capture_i = 1, word0_i = 9 -> code_o = low_o = 9;
/// low_o stays 9 until the next capture.
module montcore_smm_word_plain
  import montcore_smm_fast_pkg::*;
#(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high.
    input smm_op_e op_i,  // Source of the word.
    input logic [WordBits-1:0] x_word_i,  // Next word of X.
    input logic [WordBits-1:0] m_word_i,  // Word 0 of M, in the set-up.
    input logic [WordBits-1:0] word0_i,  // Word 0 of the sum.
    input logic capture_i,  // Pulse: word0_i is the next digit.
    input logic digit_i,  // Low: the last digit has no slot of its own.
    output logic [CodeBits-1:0] code_o,  // The word, recoded.
    output logic [WordBits-1:0] low_o,  // Word captured last, word0_i in its cycle.
    input logic setup_i,  // Pulse: compute n0' of a new modulus.
    input logic finished_i,  // High: the scaled modulus has been written.
    output logic setup_pass_o,  // Request the pass n0' * M.
    output logic setup_active_o,  // High while the constants are computed.
    output logic setup_done_o  // Pulse: the constants are ready.
);
  logic factor_load, factor_one, plus_two, take_n0, take_product;
  logic [WordBits-1:0] word, product, low_d, low_q;

  assign low_o = (capture_i | digit_i) ? word0_i : low_q;
  if (montcore_pkg::has_tiles(Tech)) begin : g_word0_last
    // Word 0 of the sum arrives last.
    logic [WordBits-1:0] early;
    logic take_word0;
    assign take_word0 = op_i == OpLow && capture_i && !factor_load;
    always_comb begin
      unique case (op_i)
        OpX:        early = x_word_i;
        OpLow:      early = capture_i ? '0 : low_q;
        OpQuotient: early = product;
        default:    early = '0;
      endcase
      if (factor_load) early = product;
    end
    assign word = early | (word0_i & {WordBits{take_word0}});
  end else begin : g_choose
    always_comb begin
      unique case (op_i)
        OpX:        word = x_word_i;
        OpLow:      word = low_o;
        OpQuotient: word = product;
        default:    word = '0;
      endcase
      if (factor_load) word = product;
    end
  end

  always_comb begin
    low_d = low_o;
    if (clear_i) low_d = '0;
    else if (take_n0) low_d = m_word_i;
    else if (take_product) low_d = product;
  end
  always_ff @(posedge clk_i) low_q <= low_d;

  // The multiplier itself adds the 2 of a Newton step.
  montcore_smm_quotient #(
      .WordBits(WordBits),
      .Tech(Tech)
  ) u_quotient (
      .clk_i,
      .factor_code_i (code_o),
      .factor_load_i (factor_load),
      .factor_one_i  (factor_one),
      .multiplicand_i(low_q),
      .plus_two_i    (plus_two),
      .product_o     (product)
  );

  montcore_smm_fast_setup #(
      .WordBits(WordBits)
  ) u_setup (
      .start_i       (setup_i),
      .take_n0_o     (take_n0),
      .take_product_o(take_product),
      .plus_two_o    (plus_two),
      .factor_one_o  (factor_one),
      .factor_load_o (factor_load),
      .pass_o        (setup_pass_o),
      .active_o      (setup_active_o),
      .done_o        (setup_done_o),
      .*
  );

  montcore_recode #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_recode (
      .word_i(word),
      .code_o
  );
endmodule
