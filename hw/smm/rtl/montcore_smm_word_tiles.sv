// SPDX-License-Identifier: Apache-2.0

/// Multiplier word of a pass for up to three rows with registered tiles: tiles compute the last
/// quotient digit and n0'.
///
/// Precondition: that of `montcore_smm_fast_setup`.
/// Latency: none from the sources to code_o; a captured word is available in the same cycle. With
/// Ahead the source and the word of X are given one cycle earlier.
/// Source: smm-2021, steps 6 to 9.
/// Example, WordBits = 32: op_i = OpLow, capture_i = 1, word0_i = 9 -> code_o = low_o = 9; low_o stays 9
/// until the next capture.
module montcore_smm_word_tiles
  import montcore_smm_fast_pkg::*;
#(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Tech = montcore_pkg::TechMult18,
    parameter bit Ahead = 1'b0,  // 1: the source of the word is known one cycle early.
    localparam int unsigned CodeBits = WordBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high.
    input smm_op_e op_i,  // Source of the word; unused with Ahead.
    input smm_op_e next_op_i,  // Source of the next word; used with Ahead.
    input logic next_not_x_i,  // Next word: not a word of X; used with Ahead.
    input logic [WordBits-1:0] x_word_i,  // Next word of X; with Ahead that of the next cycle.
    input logic [WordBits-1:0] m_word_i,  // Word 0 of M, in the set-up.
    input logic [WordBits-1:0] word0_i,  // Word 0 of the sum: word0_product_i + word0_base_i.
    input logic [WordBits-1:0] word0_product_i,  // Word 0 of the product; used with Ahead.
    input logic [WordBits-1:0] word0_base_i,  // Word 0 of the sum so far; used with Ahead.
    input logic capture_i,  // Pulse: word0_i is the next digit.
    input logic next_capture_i,  // Pulse: that of the next cycle is; used with Ahead.
    input logic digit_i,  // Low: the last digit has no slot of its own.
    output logic [CodeBits-1:0] code_o,  // The word, recoded.
    output logic [WordBits-1:0] low_o,  // Word captured last, word0_i in its cycle.
    input logic setup_i,  // Pulse: compute n0' of a new modulus.
    input logic finished_i,  // High: the scaled modulus has been written.
    output logic setup_pass_o,  // Request the pass n0' * M.
    output logic setup_active_o,  // High while the constants are computed.
    output logic setup_done_o  // Pulse: the constants are ready.
);
  logic factor_load, factor_one, unused_two, take_n0, take_product;
  logic [WordBits-1:0] word, product, more, low_d, low_q;

  assign low_o = (capture_i | digit_i) ? word0_i : low_q;
  if (Ahead) begin : g_word0_in_sum
    // One look-up table before the carry chain of word 0, and none after it. The addends of word 0,
    // and the other sources of the word, exclude each other.
    logic next_word0, next_low, take_word0_q, take_early_q, take_product_q, unused_op;
    logic [WordBits-1:0] early_q;
    assign unused_op  = ^op_i;
    assign next_word0 = next_op_i == OpLow && next_capture_i;
    assign next_low   = next_op_i == OpLow && !next_capture_i;
    always_ff @(posedge clk_i) begin
      take_word0_q   <= next_word0 && rst_ni;
      take_early_q   <= (next_op_i == OpX || next_low) && rst_ni;
      take_product_q <= next_op_i == OpQuotient && rst_ni;
      early_q        <= next_not_x_i ? low_d : x_word_i;
    end
    assign word = ((word0_product_i & {WordBits{take_word0_q}}) |
                   (early_q & {WordBits{take_early_q}})) +
                  ((word0_base_i & {WordBits{take_word0_q}}) |
                   (product & {WordBits{take_product_q}}));
  end else begin : g_word0_last
    // Word 0 of the sum arrives last.
    logic [WordBits-1:0] early;
    logic take_word0, unused_next;
    assign unused_next = ^{next_op_i, next_not_x_i, next_capture_i, word0_product_i, word0_base_i};
    assign take_word0  = op_i == OpLow && capture_i;
    always_comb begin
      unique case (op_i)
        OpX:        early = x_word_i;
        OpLow:      early = capture_i ? '0 : low_q;
        OpQuotient: early = product;
        default:    early = '0;
      endcase
    end
    assign word = early | (word0_i & {WordBits{take_word0}});
  end

  always_comb begin
    low_d = low_o;
    if (clear_i) low_d = '0;
    else if (take_n0) low_d = m_word_i;
    else if (take_product) low_d = more;
  end
  always_ff @(posedge clk_i) low_q <= low_d;

  montcore_smm_tile_quotient #(
      .WordBits(WordBits),
      .Tech(Tech)
  ) u_quotient (
      .clk_i,
      .clear_i,
      .factor_i      (factor_one ? WordBits'(1) : product),
      .factor_load_i (factor_load || factor_one),
      .multiplicand_i(low_d),
      .product_o     (product),
      .more_o        (more)
  );

  montcore_smm_fast_setup #(
      .WordBits(WordBits)
  ) u_setup (
      .start_i       (setup_i),
      .take_n0_o     (take_n0),
      .take_product_o(take_product),
      .plus_two_o    (unused_two),
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
