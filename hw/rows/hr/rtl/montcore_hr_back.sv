// SPDX-License-Identifier: Apache-2.0

/// Output stage of `hr`: the final division, word by word, and the canonical result.
///
/// S of `montcore_hr_divide` is between -M and M, and the result is S or S + M. With unit_i S is N,
/// which goes to the row and is not output.
/// Precondition: after last_i words 0 .. words_i of both vectors come one per cycle, word 0 two
/// cycles later; low_i, q_i and up_i are U in the cycle of last_i and T mod 2^Radix in the next one. A
/// result or an error comes only after reserve_i or while room_o is high.
/// Latency: z_valid_o words_i + 6 cycles after last_i.
/// Example, Radix = 2, M = 11, unit_i: q* = -3, S = (1 - 33) / 16 = -2, the N of 11.
module montcore_hr_back #(
    parameter int unsigned Radix = 4,  // Bits of X per iteration, even, 2 to 8.
    parameter int unsigned WordBits = 32,  // Word width w in bits.
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon the result; clear_i follows.
    input logic clear_i,
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    input logic m_we_i,  // Write enable of a word of M.
    input logic [WordCountBits-1:0] m_index_i,  // Index of the word of M, valid with m_we_i.
    input logic [WordBits-1:0] m_data_i,  // Word of M, valid with m_we_i.
    /// Pulse: the modulus is loaded; compute the division's constant, in 2 Radix + 1 cycles.
    input logic invert_i,
    /// Row of M's memory to read while it is free: row j has word j + 1, the last one word 0.
    input logic [AddrBits-1:0] m_row_i,
    output logic [WordBits-1:0] m_word_o,  // Word in row m_row_i, valid while m_reading_o is low.
    output logic m_reading_o,  // High: this module reads the memory of M.
    input logic unit_i,  // Pulse: compute the constant N.
    output logic unit_done_o,  // Pulse: N is complete.
    output logic n_first_o,  // High with word 0 of N for the row; the others follow, one per cycle.
    output logic [WordBits-1:0] n_data_o,  // Word of N, one per cycle from n_first_o on.
    output logic n_sign_o,  // Sign of N, valid with its topmost word.
    input logic reserve_i,  // Pulse: reserve the result memory for a product.
    output logic room_o,  // High: the result memory is free.
    input logic last_i,  // High: the row is in the last iteration of a product.
    /// Lowest columns of the row; U in the cycle of last_i, then T mod 2^Radix.
    input logic [Radix-1:0] low_i,
    input logic [Radix/2-1:0][2:0] q_i,  // Digits of low_i, coded as lines {-2, -1, 1}.
    input logic up_i,  // Carry above these digits.
    input logic [WordBits-1:0] a_i,  // First vector of the carry-save result, one word per cycle.
    input logic [WordBits-1:0] b_i,  // Second vector of the carry-save result, one word per cycle.
    input logic error_i,  // Pulse: answer the operands with an error.
    input montcore_pkg::montcore_error_e error_code_i,  // Error code, valid with error_i.
    output logic done_o,  // Pulse: the result is complete, and its output starts.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o
);
  logic s_valid, s_first, s_last, s_sign, unused_busy;
  logic [AddrBits-1:0] s_index;
  logic [WordBits-1:0] s, m;
  montcore_hr_divide #(
      .Radix   (Radix),
      .WordBits(WordBits),
      .Words   (Words)
  ) u_divide (
      .count_i(words_i),
      .q_i,
      .s_valid_o(s_valid),
      .s_first_o(s_first),
      .s_last_o(s_last),
      .s_index_o(s_index),
      .s_o(s),
      .s_sign_o(s_sign),
      .m_o(m),
      .busy_o(unused_busy),
      .*
  );

  // S and S + M, of which one is output.
  logic [WordBits-1:0] other;
  logic [WordBits:0] plus;
  logic plus_carry_q;
  assign plus  = {1'b0, s} + {1'b0, m} + {{WordBits{1'b0}}, plus_carry_q & ~s_first};
  assign other = plus[WordBits-1:0];
  always_ff @(posedge clk_i) plus_carry_q <= plus[WordBits];

  montcore_row_output #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_output (
      .clear_row_i (AddrBits'(m_index_i)),
      .we_i        (s_valid),
      .index_i     (s_index),
      .word_i      (s),
      .other_i     (other),
      .last_i      (s_last),
      .take_other_i(s_sign),
      .*
  );
endmodule
