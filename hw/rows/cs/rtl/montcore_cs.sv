// SPDX-License-Identifier: Apache-2.0

/// Radix-2 Montgomery multiplier with two carry vectors, a cycle a bit: Algorithm 1.
///
/// z = x * y * R^-1 mod m, R = 2^(WordBits * words + 2), words = beats of the modulus
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency, k = WordBits * words: k + words + 7 cycles inside the datapath, two more on the port; a
/// product every k + 2 cycles.
/// Source: mmm-mx-2006, Algorithm 1 (MMM_CS).
/// Example, Length = 8, WordBits = 8: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x34 (R = 2^10).
module montcore_cs #(
    /// Built width L in bits, 2 or more.
    parameter int unsigned Length   = 256,
    /// Word size w in bits, a power of two from 8 on: width of the streams and of a block.
    parameter int unsigned WordBits = 32
) (
    /// Clock.
    input  logic                clk_i,
    /// Synchronous reset, active low.
    input  logic                rst_ni,
    /// Pulse: clear everything that held a modulus, an operand or a result.
    input  logic                zeroize_i,
    /// Something is under way.
    output logic                busy_o,
    /// Modulus stream: valid.
    input  logic                cfg_valid_i,
    /// Modulus stream: ready.
    output logic                cfg_ready_o,
    /// Modulus stream: data, least significant word first.
    input  logic [WordBits-1:0] cfg_data_i,
    /// Modulus stream: last beat.
    input  logic                cfg_last_i,
    /// Pulse: the modulus was accepted or refused.
    output logic                cfg_done_o,
    /// Why it was refused (montcore_error_e).
    output logic [         2:0] cfg_error_o,
    /// X stream: valid.
    input  logic                x_valid_i,
    /// X stream: ready.
    output logic                x_ready_o,
    /// X stream: data.
    input  logic [WordBits-1:0] x_data_i,
    /// X stream: last beat.
    input  logic                x_last_i,
    /// Y stream: valid.
    input  logic                y_valid_i,
    /// Y stream: ready.
    output logic                y_ready_o,
    /// Y stream: data.
    input  logic [WordBits-1:0] y_data_i,
    /// Y stream: last beat.
    input  logic                y_last_i,
    /// Result stream: valid.
    output logic                z_valid_o,
    /// Result stream: ready.
    input  logic                z_ready_i,
    /// Result stream: data, or a montcore_error_e in the low bits.
    output logic [WordBits-1:0] z_data_o,
    /// Result stream: last beat.
    output logic                z_last_o,
    /// Result stream: the beat is an error.
    output logic                z_error_o,
    /// Pulse: a product begins.
    output logic                core_start_o,
    /// Pulse: its result is complete.
    output logic                core_done_o
);
  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  localparam int unsigned WordCountBits = $clog2(Words + 1);

  if (WordBits < 8 || WordBits > 256 || 2 ** $clog2(WordBits) != WordBits) begin : g_bad_word
    $fatal(1, "%m: the word size w must be 8, 16, 32, 64, 128 or 256");
  end
  if (Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end

  logic clear, front_busy, m_we, all_blocks, begins, phase, take, room, reserve, error, word_first;
  logic cfg_done;
  logic [WordCountBits-1:0] words, m_index;
  logic [WordBits-1:0] m_data, y_word, word_a, word_b;
  logic [0:0] digit;
  import montcore_pkg::montcore_error_e;
  montcore_error_e cfg_error, error_code;

  montcore_row_front #(
      .Length        (Length),
      .WordBits      (WordBits),
      .DigitBits     (1),
      .ExtraDigits   (2),
      .CyclesPerDigit(1)
  ) u_front (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .zeroize_i   (zeroize_i),
      .clear_o     (clear),
      .busy_o      (front_busy),
      .cfg_valid_i (cfg_valid_i),
      .cfg_ready_o (cfg_ready_o),
      .cfg_data_i  (cfg_data_i),
      .cfg_last_i  (cfg_last_i),
      .cfg_done_o  (cfg_done),
      .cfg_error_o (cfg_error),
      .x_valid_i   (x_valid_i),
      .x_ready_o   (x_ready_o),
      .x_data_i    (x_data_i),
      .x_last_i    (x_last_i),
      .y_valid_i   (y_valid_i),
      .y_ready_o   (y_ready_o),
      .y_data_i    (y_data_i),
      .y_last_i    (y_last_i),
      .words_o     (words),
      .m_we_o      (m_we),
      .m_index_o   (m_index),
      .m_data_o    (m_data),
      .all_o       (all_blocks),
      .begin_o     (begins),
      .y_word_o    (y_word),
      .digit_o     (digit),
      .phase_o     (phase),
      .take_o      (take),
      .start_o     (core_start_o),
      .room_i      (room),
      .reserve_o   (reserve),
      .error_o     (error),
      .error_code_o(error_code)
  );

  montcore_cs_row #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_row (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .clear_i  (clear),
      .words_i  (words),
      .m_we_i   (m_we),
      .m_index_i(m_index),
      .m_data_i (m_data),
      .all_i    (all_blocks),
      .begin_i  (begins),
      .y_word_i (y_word),
      .digit_i  (digit),

      .take_i (take),
      .first_o(word_first),
      .a_o    (word_a),
      .b_o    (word_b)
  );

  montcore_row_back #(
      .WordBits(WordBits),
      .Words   (Words),
      .Signed  (1'b0)
  ) u_back (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear),
      .words_i     (words),
      .m_we_i      (m_we),
      .m_index_i   (m_index),
      .m_data_i    (m_data),
      .reserve_i   (reserve),
      .room_o      (room),
      .first_i     (word_first),
      .a_i         (word_a),
      .b_i         (word_b),
      .error_i     (error),
      .error_code_i(error_code),
      .done_o      (core_done_o),
      .z_valid_o   (z_valid_o),
      .z_ready_i   (z_ready_i),
      .z_data_o    (z_data_o),
      .z_last_o    (z_last_o),
      .z_error_o   (z_error_o)
  );

  // The first cycle of zeroize still finds what was about to be said.
  assign cfg_done_o = cfg_done && !clear;
  assign cfg_error_o = cfg_error;
  assign busy_o = front_busy || !room;
  logic unused;
  assign unused = phase;
endmodule
