// SPDX-License-Identifier: Apache-2.0

/// Common part of the digit-serial rows: port, operands, and output stage.
///
/// A core is this module and its row, which accumulates digits of X times Y and multiples of M.
/// Precondition: block j of the row works j cycles after block 0; the row supplies first_i and the
/// words of its result as `montcore_row_back` requires.
/// Latency: two cycles from the last operand beat to begin_o, words_o + 3 from first_i to the result.
/// Source: mmm-mx-2006, Figure 4.
/// Example, Length = 8, WordBits = 8, DigitBits = 1, ExtraDigits = 2, x = 0x53 -> digit_o is 1, 1,
/// 0, 0, 1, 0, 1, 0, 0, 0 after begin_o.
module montcore_row_shell #(
    parameter int unsigned Length = 256,  // Built width L in bits, 2 or more.
    /// Word size w in bits, a power of two: width of the streams and of a block.
    parameter int unsigned WordBits = 32,
    /// Minimum word size at which a result is sent before the next one is complete, 8 or 16.
    parameter int unsigned MinWordBits = 8,
    parameter int unsigned DigitBits = 1,  // Bits of X consumed per iteration.
    parameter int unsigned CyclesPerDigit = 1,  // Cycles of an iteration, 1 or 2.
    parameter bit Signed = 1'b0,  // 1: the row's result is signed, between -m and m; 0: below 2 m.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    localparam int unsigned WordCountBits = $clog2(Words + 1)
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
    output logic core_done_o,
    output logic clear_o,  // High while the core clears itself by shifting in zeros.
    output logic [WordCountBits-1:0] words_o,  // Words of the modulus; 1 after reset or clear.
    output logic m_we_o,  // Write enable of a word of M.
    output logic [WordCountBits-1:0] m_index_o,  // Index of the word of M, valid with m_we_o.
    output logic [WordBits-1:0] m_data_o,  // Word of M, valid with m_we_o.
    output logic all_o,  // High: the blocks above the words in use load Y (zeros) as well.
    output logic begin_o,  // High: block 0 starts a product in the next cycle.
    output logic [WordBits-1:0] y_word_o,  // Word of Y for the block that starts in the next cycle.
    output logic [DigitBits-1:0] digit_o,  // Digit of X for block 0 in the next cycle.
    /// High: block 0 is in the second cycle of an iteration in the next cycle.
    output logic phase_o,
    output logic take_o,  // High: block 0 outputs its result in this cycle.
    input logic first_i,  // High with word 0 of the result; the others follow, one per cycle.
    input logic [WordBits-1:0] a_i,  // First vector of the carry-save result, one word per cycle.
    input logic [WordBits-1:0] b_i  // Second vector of the carry-save result, one word per cycle.
);
  if (WordBits < MinWordBits || WordBits > 256 || 2 ** $clog2(WordBits) != WordBits) begin : g_word
    if (MinWordBits == 16) begin : g_bad_wide_word
      $fatal(1, "%m: the word size w must be 16, 32, 64, 128 or 256");
    end else begin : g_bad_word
      $fatal(1, "%m: the word size w must be 8, 16, 32, 64, 128 or 256");
    end
  end
  if (Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end

  logic front_busy, room, reserve, error;
  import montcore_pkg::montcore_error_e;
  montcore_error_e cfg_error, error_code;

  montcore_row_front #(
      .Length(Length),
      .WordBits(WordBits),
      .DigitBits(DigitBits),
      .ExtraDigits(2),
      .CyclesPerDigit(CyclesPerDigit),
      .Tech(Tech)
  ) u_front (
      .busy_o(front_busy),
      .cfg_error_o(cfg_error),
      .start_o(core_start_o),
      .room_i(room),
      .reserve_o(reserve),
      .error_o(error),
      .error_code_o(error_code),
      .*
  );
  assign cfg_error_o = cfg_error;

  montcore_row_back #(
      .WordBits(WordBits),
      .Words(Words),
      .Signed(Signed)
  ) u_back (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .clear_i(clear_o),
      .words_i(words_o),
      .m_we_i(m_we_o),
      .m_index_i(m_index_o),
      .m_data_i(m_data_o),
      .reserve_i(reserve),
      .room_o(room),
      .first_i,
      .a_i,
      .b_i,
      .error_i(error),
      .error_code_i(error_code),
      .done_o(core_done_o),
      .z_valid_o,
      .z_ready_i,
      .z_data_o,
      .z_last_o,
      .z_error_o
  );
  assign busy_o = front_busy || !room;
endmodule
