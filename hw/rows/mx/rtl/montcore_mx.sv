// SPDX-License-Identifier: Apache-2.0

/// Radix-2 carry-save Montgomery multiplier without precomputation, two cycles per bit.
///
/// z = x * y * R^-1 mod m, R = 2^(WordBits * words + 2), words = beats of the modulus; as an array,
/// words = those built, and a number is one beat
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency, k = WordBits * words: 2 (k + 2) + words + 4 cycles in the datapath, two more at the
/// port (three for the array); one product every 2 (k + 2) cycles, or as an array every 2.
/// Source: mmm-mx-2006, Algorithm 3 with its errors corrected, Design 2; as an array, Design 1.
/// Example, Length = 8, WordBits = 8: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x34 (R = 2^10).
module montcore_mx #(
    /// Built width L in bits, 2 or more; at most 512 for an array.
    parameter int unsigned Length = 256,
    /// Word size w in bits, a power of two, 8 or more: width of a block and of a row's streams.
    parameter int unsigned WordBits = 32,
    parameter bit Array = 1'b0,  // 1: an array with one row per iteration; 0: a single row.
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    localparam int unsigned BusBits = Array ? Words * WordBits : WordBits  // Beat width in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [BusBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [BusBits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [BusBits-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [BusBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o
);
  // A row's parameters are checked in its shell. An array is refused before it is elaborated, as it
  // grows with the square of its width.
  localparam bit BadWord = WordBits < 8 || WordBits > 256 || 2 ** $clog2(WordBits) != WordBits;
  if (Array && BadWord) begin : g_bad_word
    $fatal(1, "%m: the word size w must be 8, 16, 32, 64, 128 or 256");
  end else if (Array && Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end else if (Array && Length > 512) begin : g_bad_array
    $fatal(1, "%m: an array is built for at most 512 bits");
  end else if (Array) begin : g_array
    logic second;
    logic [BusBits-1:0] n, n_last, a, b;
    logic [Words-1:0][WordBits-1:0] y_word;
    logic [Words:0][WordBits-1:0] s, c;
    montcore_row_array #(
        .Length  (Length),
        .WordBits(WordBits)
    ) u_array (
        .second_o(second),
        .n_o(n),
        .a_o(a),
        .b_o(b),
        .y_word_i(y_word),
        .n_last_i(n_last),
        .s_i(s),
        .c_i(c),
        .*
    );
    // The rows take whatever is at the inputs, accepted or not; data that was not accepted has no
    // token and is ignored at the output.
    montcore_mx_array_grid #(
        .WordBits(WordBits),
        .Words   (Words)
    ) u_grid (
        .clk_i,
        .second_i(second),
        .n_i     (n),
        .a_i     (a),
        .b_i     (b),
        .b_o     (y_word),
        .n_o     (n_last),
        .s_o     (s),
        .c_o     (c)
    );
  end else begin : g_row
    localparam int unsigned WordCountBits = $clog2(Words + 1);
    logic clear, m_we, all_blocks, begins, phase, take, first;
    logic [WordCountBits-1:0] words, m_index;
    logic [WordBits-1:0] m_data, y_word, word_a, word_b;
    logic [0:0] digit;

    montcore_row_shell #(
        .Length(Length),
        .WordBits(WordBits),
        .DigitBits(1),
        .CyclesPerDigit(2),
        .Signed(1'b0)
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

    montcore_mx_row #(
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
        .phase_i(phase),
        .take_i(take),
        .first_o(first),
        .a_o(word_a),
        .b_o(word_b)
    );
  end
endmodule
