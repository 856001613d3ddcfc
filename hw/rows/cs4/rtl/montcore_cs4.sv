// SPDX-License-Identifier: Apache-2.0

/// Radix-4 Montgomery multiplier in carry-save form, two bits per cycle.
///
/// z = x * y * R^-1 mod m, R = 2^(WordBits * words + 2), words = beats of the modulus
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency, k = WordBits * words: k / 2 + words + 6 cycles in the datapath, two more at the
/// port; one product every k / 2 + 2 cycles.
/// Source: mmm-mx-2006, Algorithm 1, extended to radix 4.
/// Example, Length = 8, WordBits = 16: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x7c (R = 2^18).
module montcore_cs4 #(
    parameter int unsigned Length = 256,  // Built width L in bits, 2 or more.
    /// Word size w in bits, a power of two, 16 or more: width of the streams and of a block.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [WordBits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [WordBits-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o
);
  // With 8-bit words a result would be sent more slowly than the next one is computed: MinWordBits.
  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  localparam int unsigned WordCountBits = $clog2(Words + 1);

  logic clear, m_we, all_blocks, begins, phase, take, first;
  logic [WordCountBits-1:0] words, m_index;
  logic [WordBits-1:0] m_data, y_word, word_a, word_b;
  logic [1:0] digit;

  montcore_row_shell #(
      .Length(Length),
      .WordBits(WordBits),
      .MinWordBits(16),
      .DigitBits(2),
      .CyclesPerDigit(1),
      .Signed(1'b1),
      .Tech(Tech)
  ) u_shell (
      .clear_o(clear),
      .words_o(words),
      .m_we_o(m_we),
      .m_index_o(m_index),
      .m_data_o(m_data),
      .all_o(all_blocks),
      .begin_o(begins),
      .y_word_o(y_word),
      .digit_o(digit),
      .phase_o(phase),
      .take_o(take),
      .first_i(first),
      .a_i(word_a),
      .b_i(word_b),
      .*
  );

  montcore_cs4_row #(
      .WordBits(WordBits),
      .Words(Words)
  ) u_row (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .words_i(words),
      .m_we_i(m_we),
      .m_index_i(m_index),
      .m_data_i(m_data),
      .all_i(all_blocks),
      .begin_i(begins),
      .y_word_i(y_word),
      .digit_i(digit),
      .take_i(take),
      .first_o(first),
      .a_o(word_a),
      .b_o(word_b)
  );
  logic unused;
  assign unused = phase;
endmodule
