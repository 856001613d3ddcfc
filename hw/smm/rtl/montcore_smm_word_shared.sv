// SPDX-License-Identifier: Apache-2.0

/// Multiplier word of a pass for four rows or more: element 0 computes the last quotient digit and
/// n0'.
///
/// The word captured last is a digit of M', the last digit, or n0'.
/// Precondition: that of `montcore_smm_shared_setup`.
/// Latency: none from the sources to code_o; a captured word is available in the same cycle.
/// Source: smm-2021, steps 6 to 9.
/// Example, WordBits = 4, no recoding: op_i = OpLow, capture_i = 1, word0_i = 9 -> code_o = low_o = 9;
/// low_o stays 9 until the next capture.
module montcore_smm_word_shared
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
    input logic [WordBits-1:0] word0_i,  // Word 0 of the sum.
    input logic capture_i,  // Pulse: word0_i is the next digit.
    input logic digit_i,  // High: word0_i is the word of the last digit's slot; not kept.
    output logic [CodeBits-1:0] code_o,  // The word, recoded.
    output logic [WordBits-1:0] low_o,  // Word captured last; word0_i with capture_i or digit_i.
    input logic setup_i,  // Pulse: compute n0' of a new modulus.
    input logic finished_i,  // High: the scaled modulus has been written.
    output logic times_m_o,  // Slot: the captured word times word 0 of M.
    output logic times_inverse_o,  // Slot: the captured word times the stored inverse.
    output logic plus_two_o,  // High: add two to the product being captured.
    output logic keep_o,  // High: the product being captured is the inverse to store.
    output logic setup_pass_o,  // Request the pass n0' * M.
    output logic setup_active_o,  // High while the constants are computed.
    output logic setup_done_o  // Pulse: the constants are ready.
);
  logic times_one;
  logic [WordBits-1:0] word, low_d, low_q;

  assign low_o = (capture_i | digit_i) ? word0_i : low_q;
  assign word = (op_i == OpX) ? x_word_i :
      (op_i == OpZero) ? '0 : (low_o & {WordBits{~times_one}}) | WordBits'(times_one);
  assign low_d = clear_i ? '0 : capture_i ? word0_i : low_q;
  always_ff @(posedge clk_i) low_q <= low_d;

  montcore_smm_shared_setup #(
      .WordBits(WordBits)
  ) u_setup (
      .start_i (setup_i),
      .one_o   (times_one),
      .pass_o  (setup_pass_o),
      .active_o(setup_active_o),
      .done_o  (setup_done_o),
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
