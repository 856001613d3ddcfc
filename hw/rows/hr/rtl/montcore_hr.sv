// SPDX-License-Identifier: Apache-2.0

/// Montgomery multiplier of radix 2^Radix in carry-save form, Radix bits per cycle.
///
/// z = x * y * R^-1 mod m, R = 2^(Radix n), n = ceil((WordBits * words + 4) / Radix), words = beats of
/// the modulus
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency: n + 8 cycles at the port if the operands come without gaps; one product every n cycles.
/// Source: H. Orup, "Simplifying Quotient Determination in High-Radix Modular Multiplication" (1995);
/// one digit of delay, radix-4 digits and the final division are ours.
/// Example, Length = 8, Radix = 4, WordBits = 16: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x1f (R = 2^20).
module montcore_hr #(
    parameter int unsigned Length   = 256,  // Built width L in bits, 2 or more.
    parameter int unsigned Radix    = 8,  // Bits per cycle: 2, 4, 6 or 8.
    /// Word size w in bits, a power of two, 16 or more and 4 Radix or more: stream and block width.
    parameter int unsigned WordBits = 32
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
  if (Radix != 2 && Radix != 4 && Radix != 6 && Radix != 8) begin : g_bad_radix
    $fatal(1, "%m: radix must be 2, 4, 6 or 8 bits a cycle");
  end else if (WordBits < 16 || WordBits > 256 || 2 ** $clog2(
          WordBits
      ) != WordBits) begin : g_bad_word
    $fatal(1, "%m: the word size w must be 16, 32, 64, 128 or 256");
  end else if (WordBits < 4 * Radix) begin : g_narrow_word
    $fatal(1, "%m: the word size w must be at least 4 times radix");
  end
  if (Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end
  // If the radix is refused, the rest is elaborated for radix 2.
  localparam bit Fits = (Radix == 4 || Radix == 6 || Radix == 8) && WordBits >= 4 * Radix;
  localparam int unsigned Bits = Fits ? Radix : 2;
  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  localparam int unsigned WordCountBits = $clog2(Words + 1);

  logic clear, m_we, n_first, n_sign, all_blocks;
  logic digit_first, begins, last, take, invert, unit, unit_done;
  logic front_busy, room, reserve, error;
  logic [WordCountBits-1:0] words, m_index;
  logic [((Words > 1) ? $clog2(Words) : 1)-1:0] m_row;
  logic y_first, y_we;
  logic [WordCountBits-1:0] y_index;
  logic [WordBits-1:0] m_word, m_data, n_data, y_word, word_a, word_b;
  logic [Bits-1:0] digit, low, y_low;
  logic [Bits/2-1:0][2:0] q;
  logic up;
  import montcore_pkg::montcore_error_e;
  montcore_error_e cfg_error, error_code;

  montcore_hr_front #(
      .Length(Length),
      .Radix(Bits),
      .WordBits(WordBits)
  ) u_front (
      .clear_o(clear),
      .busy_o(front_busy),
      .cfg_error_o(cfg_error),
      .words_o(words),
      .m_we_o(m_we),
      .m_index_o(m_index),
      .m_data_o(m_data),
      .m_row_o(m_row),
      .m_word_i(m_word),
      .invert_o(invert),
      .unit_o(unit),
      .unit_done_i(unit_done),
      .all_o(all_blocks),
      .begin_o(begins),
      .y_first_o(y_first),
      .y_low_o(y_low),
      .y_we_o(y_we),
      .y_index_o(y_index),
      .y_word_o(y_word),
      .digit_first_o(digit_first),
      .digit_o(digit),
      .last_o(last),
      .take_o(take),
      .start_o(core_start_o),
      .room_i(room),
      .reserve_o(reserve),
      .error_o(error),
      .error_code_o(error_code),
      .*
  );
  assign cfg_error_o = cfg_error;

  montcore_hr_row #(
      .Radix(Bits),
      .WordBits(WordBits),
      .Words(Words)
  ) u_row (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .words_i(words),
      .n_first_i(n_first),
      .n_data_i(n_data),
      .n_sign_i(n_sign),
      .all_i(all_blocks),
      .digit_first_i(digit_first),
      .digit_i(digit),
      .begin_i(begins),
      .y_first_i(y_first),
      .y_low_i(y_low),
      .y_we_i(y_we),
      .y_index_i(y_index),
      .y_word_i(y_word),
      .last_i(last),
      .take_i(take),
      .low_o(low),
      .q_o(q),
      .up_o(up),
      .a_o(word_a),
      .b_o(word_b)
  );

  // Output stage: the final division, word by word. Its S is between -M and M, and the result is S or
  // S + M. With unit S is N, which goes to the row and is not output.
  localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1;
  logic s_valid, s_last, s_sign, m_next, unused_busy;
  logic [AddrBits-1:0] s_index;
  logic [WordBits-1:0] s, back_m;
  montcore_hr_divide #(
      .Radix   (Bits),
      .WordBits(WordBits),
      .Words   (Words)
  ) u_divide (
      .count_i(words),
      .q_i(q),
      .s_valid_o(s_valid),
      .s_last_o(s_last),
      .s_index_o(s_index),
      .s_o(s),
      .s_sign_o(s_sign),
      .m_o(back_m),
      .m_next_i(m_next),
      .busy_o(unused_busy),
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .words_i(words),
      .m_we_i(m_we),
      .m_index_i(m_index),
      .m_data_i(m_data),
      .invert_i(invert),
      .m_row_i(m_row),
      .m_word_o(m_word),
      .unit_i(unit),
      .unit_done_o(unit_done),
      .n_first_o(n_first),
      .n_data_o(n_data),
      .n_sign_o(n_sign),
      .last_i(last),
      .low_i(low),
      .up_i(up),
      .a_i(word_a),
      .b_i(word_b)
  );

  // Adds M if S is negative.
  montcore_row_output #(
      .WordBits(WordBits),
      .Words   (Words),
      .Adds    (1'b1)
  ) u_output (
      .clear_row_i (AddrBits'(m_index)),
      .we_i        (s_valid),
      .index_i     (s_index),
      .word_i      (s),
      .other_i     (back_m),
      .next_o      (m_next),
      .last_i      (s_last),
      .take_other_i(s_sign),
      .clear_i     (clear),
      .words_i     (words),
      .reserve_i   (reserve),
      .room_o      (room),
      .error_i     (error),
      .error_code_i(error_code),
      .done_o      (core_done_o),
      .*
  );
  assign busy_o = front_busy || !room;
endmodule
