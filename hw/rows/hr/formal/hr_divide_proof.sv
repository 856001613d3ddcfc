// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_hr_divide`, for any M, T, U and digits of q*.
///
/// From any state, for one number and any input after it:
/// a_word: word j of a number is output 6 + j cycles after its last_i and is word j of
///   (2^Radix T + U + q* M) / 2^(2 Radix), with Offset plus M, modulo the range of count_i words.
/// a_last: the last of count_i words is marked; a_none: no other word is output.
/// a_modulus: m_o is word 0 of M with the last word, then the next one after each m_next_i, if no
/// other number follows.
/// a_unit, a_sign: after unit_i the same for T = 0, U = 1 without Offset in all built words, and
/// the sign. `hr_quotient_proof` and `hr_inverse_proof` show that the lowest 2 Radix bits are zero.
module hr_divide_proof #(
    parameter  int unsigned Radix    = 2,     // Bits of X per iteration, even.
    parameter  int unsigned WordBits = 8,
    parameter  bit          Offset   = 1'b0,  // 1: M is added to the result.
    localparam int unsigned Words    = 3      // Words of an operand.
) (
    input logic clk_i,
    input logic last_i,  // Pulse: a division starts.
    input logic unit_i,  // Pulse: the computation of N starts instead, once.
    input logic [Radix-1:0] low_i,  // Value of U, sampled with last_i.
    input logic [Radix/2-1:0][2:0] q_i,  // Quotient digits, coded as lines {-2, -1, 1}.
    input logic up_i,  // Carry above the digits of U.
    input logic [WordBits-1:0] a_i,  // First vector of the carry-save result, one word per cycle.
    input logic [WordBits-1:0] b_i,  // Second vector of the carry-save result, one word per cycle.
    input logic m_next_i  // The output takes the next word of M.
);
  localparam int unsigned Bits = 2 * Radix;
  // One word more than used, so that the sign is visible.
  localparam int unsigned Wide = WordBits * (Words + 1);
  localparam int unsigned Used = 2;
  localparam int unsigned Count = Offset ? Used + 1 : Used;
  localparam logic [3:0] End = 4'd15;

  logic s_valid, s_last, s_sign, n_first, n_sign, unit_done, busy;
  logic [1:0] s_index;
  logic [WordBits-1:0] s, m_word, n_data, m_out;
  montcore_hr_divide #(
      .Radix   (Radix),
      .WordBits(WordBits),
      .Words   (Words),
      .Offset  (Offset)
  ) u_dut (
      .rst_ni     (1'b1),
      .clear_i    (1'b0),
      .words_i    (2'(Used)),
      .count_i    (2'(Count)),
      .m_we_i     (1'b0),
      .m_index_i  ('0),
      .m_data_i   ('0),
      .invert_i   (1'b0),
      .m_row_i    ('0),
      .m_word_o   (m_word),
      .unit_done_o(unit_done),
      .n_first_o  (n_first),
      .n_data_o   (n_data),
      .n_sign_o   (n_sign),
      .q_i,
      .s_valid_o  (s_valid),
      .s_last_o   (s_last),
      .s_index_o  (s_index),
      .s_o        (s),
      .s_sign_o   (s_sign),
      .m_o        (m_out),
      .busy_o     (busy),
      .*
  );

  // Row j of the memory holds word j + 1, the last one word 0. Unused words are zero.
  logic [Words-1:0][WordBits-1:0] rows, m_words;
  assign rows = u_dut.u_m.g_flops.rows_q;
  assign m_words = {rows[1], rows[0], rows[2]};
  logic [Wide-1:0] m;
  assign m = Wide'(m_words);

  // Ages in cycles since the tracked last_i, and since the latest one.
  logic started_q, unit_q;
  logic [3:0] age_q, since_q;
  logic [Wide-1:0] t_q, v, value;
  logic [Radix-1:0] u_q;
  logic [Radix-1:0][2:0] digits_q;
  initial {started_q, unit_q, age_q, since_q} = {1'b0, 1'b0, 4'd0, End};
  // q* times M as a sum of shifted multiples, sized by the digits.
  logic [Wide-1:0] multiple;
  always_comb begin
    multiple = '0;
    for (int unsigned p = 0; p < Radix; p++) begin
      if (u_dut.digits[p][0]) multiple += m << (2 * p);
      if (u_dut.digits[p][1]) multiple -= m << (2 * p);
      if (u_dut.digits[p][2]) multiple -= m << (2 * p + 1);
    end
  end
  logic [Wide-1:0] total_q;
  logic start;
  assign start = last_i || unit_i;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    digits_q  <= u_dut.digits;
    if (start) since_q <= 4'd1;
    else if (since_q != End) since_q <= since_q + 1;
    if (start && age_q == '0) begin
      age_q  <= 4'd1;
      unit_q <= unit_i;
      u_q    <= unit_i ? Radix'(1'b1) : low_i;
      t_q    <= '0;
    end else if (age_q != '0 && age_q != End) begin
      age_q <= age_q + 1;
    end
    // Word j of both vectors arrives 2 + j cycles after last_i, up to word words_i.
    for (int unsigned j = 0; j <= Used; j++) begin
      if (age_q == 4'(2 + j)) t_q <= t_q + ((Wide'(a_i) + Wide'(b_i)) << (WordBits * j));
    end
    if (age_q == 4'd3) total_q <= multiple;
  end
  assign v = (t_q << Radix) + Wide'(u_q);
  assign value = v + total_q + ((Offset && !unit_q) ? (`MUTANT == 1 ? m : m << Bits) : '0);
  // Value in the words used; with Offset the word above them has no sign.
  logic [Wide-1:0] number;
  logic [WordBits*(Used+1)-1:0] in_words;
  assign in_words = (WordBits * (Used + 1))'(value);
  assign number   = unit_q ? Wide'(value >> Bits) : Wide'(in_words >> Bits);

  // Index of the word of M for the output, up to the word above M; 3: none.
  logic [1:0] m_at, m_at_q;
  assign m_at = s_last ? 2'd0 : m_at_q;
  always_ff @(posedge clk_i) begin
    if (start || !started_q) m_at_q <= 2'd3;
    else m_at_q <= (m_next_i && m_at != 2'd3) ? m_at + 1 : m_at;
  end

  logic [3:0] place;
  assign place = age_q - 4'd6;
  localparam int unsigned Pause = `MUTANT == 2 ? Used - 1 : Used;
  always_comb begin
    if (!started_q) begin
      m_rest :
      assume (!busy && !u_dut.unit_q && !unit_done && u_dut.read_index_q == '0 &&
              u_dut.write_index_q == '0 && !u_dut.write_last_q);
    end
    // The digits of q* are only assumed stable and one-hot.
    if (since_q != 4'd3) m_stay : assume (u_dut.digits == digits_q || !started_q);
    m_above : assume (m_words[2] == '0);

    m_one : assume (!(last_i && unit_i));
    // The first number is tracked; another one follows at any allowed time.
    if (age_q == '0) m_begins : assume (start == started_q);
    if (busy && !s_last) m_output : assume (!m_next_i);
    if (since_q == age_q && age_q != '0 && m_at != 2'd3) begin
      a_modulus : assert (m_out == m_words[m_at]);
    end
    // N is computed alone, with the row idle.
    if (unit_i) m_alone : assume (since_q == End && low_i == '0 && q_i == '0 && !up_i);
    if (u_dut.unit_q || unit_done) begin
      m_still : assume (!start && a_i == '0 && b_i == '0 && q_i == '0 && !up_i);
    end
    if (last_i) m_pause : assume (since_q > 4'(Pause));
    if (age_q >= 4'd6 && place < (unit_q ? 4'(Words) : 4'(Count))) begin
      if (unit_q) begin
        a_unit : assert (n_data == WordBits'(number >> (WordBits * place)));
        a_first : assert (n_first == (place == '0));
        if (place == 4'(Words - 1)) a_sign : assert (n_sign == value[Wide-1]);
      end else begin
        a_word : assert (s_valid && s == WordBits'(number >> (WordBits * place)));
        a_last : assert (s_last == (place == 4'(Count - 1)));
      end
    end
    if (since_q == age_q && (unit_q || (age_q < 4'd6) || (place >= 4'(Count)))) begin
      a_none : assert (!s_valid);
    end
  end
  for (genvar p = 0; p < Radix; p++) begin : g_digit
    always_comb m_digit : assume ((u_dut.digits[p] & (u_dut.digits[p] - 1)) == '0);
  end
endmodule
