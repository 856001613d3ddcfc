// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_row_output`, with results of one to Words words, also mixed with errors,
/// any back-pressure, and zeroize at any moment.
///
/// a_valid, a_room: when the stream is valid, and when the memory is free.
/// a_data: each beat is the word of the number chosen with last_i. The observed beat is arbitrary.
/// a_sum, a_next: with Adds, each beat is the word of the sum, of other_i where next_o asks for it.
/// a_last, a_error: the other fields of a beat.
/// a_empty: without a beat, the register of the port is zero.
module row_output_proof #(
    parameter int unsigned Words = 2,  // Words of an operand at the built width.
    parameter bit Adds = 1'b0,  // 1: the other number is added to the first.
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1,
    localparam int unsigned WordBits = 3  // Word size in bits: the least that holds an error code.
) (
    input logic clk_i,
    input logic zeroize_i,  // Pulse: abandon the result.
    input logic longer_i,  // High: a clear lasts longer.
    input logic [AddrBits-1:0] clear_row_i,  // Row to clear.
    input logic reserve_i,  // Reserve the memory.
    input logic we_i,  // Write a word.
    input logic [WordBits-1:0] word_i,  // Word of the first number.
    input logic [WordBits-1:0] other_i,  // Word of the other number.
    input logic last_i,  // The result is complete.
    input logic take_other_i,  // Choice of the result.
    input logic error_i,  // Answer with an error.
    input montcore_pkg::montcore_error_e error_code_i,  // Error code.
    input logic z_ready_i
);
  logic [WordCountBits-1:0] words_q;  // no driver: an arbitrary constant
  logic [WordCountBits-1:0] watched_q;  // likewise
  logic rst_q = 1'b0;
  logic clear_q = 1'b0;
  logic cleared_q = 1'b0;
  logic started_q = 1'b0;
  // Model: memory reserved, words written, stream valid, its beat, and the watched word.
  logic open_q = 1'b0;
  logic out_q = 1'b0;
  logic bad_q = 1'b0;
  logic done_q = 1'b0;
  logic [WordCountBits-1:0] written_q = '0;
  logic [WordCountBits-1:0] beat_q = '0;
  logic [WordBits-1:0] word_q, other_q, expected_q;
  logic room, done, z_valid, z_last, z_error, leave, ends;
  logic [WordBits-1:0] z_data;
  // With Adds: the first number, and the carry of its sum.
  logic [Words-1:0][WordBits-1:0] number_q;
  logic [WordBits-1:0] sum_q;
  logic [AddrBits-1:0] index;
  logic next, load, carry_q, take_q;

  montcore_row_output #(
      .WordBits(WordBits),
      .Words   (Words),
      .Adds    (Adds)
  ) u_output (
      .rst_ni   (rst_q),
      .clear_i  (clear_q),
      .words_i  (words_q),
      .room_o   (room),
      .next_o   (next),
      .index_i  (AddrBits'(written_q)),
      .done_o   (done),
      .z_valid_o(z_valid),
      .z_data_o (z_data),
      .z_last_o (z_last),
      .z_error_o(z_error),
      .*
  );

  assign leave = out_q && z_ready_i;
  assign ends  = bad_q || beat_q == words_q - 1;
  assign load  = last_i || (leave && !ends);
  assign index = last_i ? '0 : AddrBits'(beat_q + 1);
  always_comb begin
    m_words : assume (words_q != '0 && 32'(words_q) <= Words);
    m_watched : assume (watched_q < words_q);
    m_free : assume (!(reserve_i || error_i) || (rst_q && !open_q && !clear_q));
    m_one : assume (!(reserve_i && error_i));
    m_write : assume (!we_i || (open_q && !out_q && written_q < words_q));
    m_last : assume (!last_i || (open_q && !out_q && written_q + WordCountBits'(we_i) == words_q));
    if (Adds) m_with : assume (!last_i || we_i);
    m_row : assume (32'(clear_row_i) < Words);
  end

  always_ff @(posedge clk_i) begin
    rst_q     <= 1'b1;
    started_q <= rst_q;
    words_q   <= words_q;
    watched_q <= watched_q;
    clear_q   <= rst_q && (zeroize_i || (clear_q && longer_i));
    cleared_q <= clear_q;
    if (!rst_q || zeroize_i || clear_q) begin
      open_q    <= 1'b0;
      out_q     <= 1'b0;
      bad_q     <= 1'b0;
      done_q    <= 1'b0;
      written_q <= '0;
      beat_q    <= '0;
    end else begin
      done_q <= last_i;
      if (reserve_i || error_i) open_q <= 1'b1;
      if (last_i || error_i) out_q <= 1'b1;
      if (error_i) bad_q <= 1'b1;
      if (we_i) written_q <= written_q + 1;
      if (leave) beat_q <= beat_q + 1;
      if (leave && ends) begin
        open_q    <= 1'b0;
        out_q     <= 1'b0;
        bad_q     <= 1'b0;
        written_q <= '0;
        beat_q    <= '0;
      end
    end
    if (we_i && written_q == watched_q) begin
      word_q  <= word_i;
      other_q <= other_i;
    end
    if (error_i) expected_q <= error_code_i;
    else if (last_i) begin
      if (we_i && written_q == watched_q) expected_q <= take_other_i ? other_i : word_i;
      else expected_q <= take_other_i ? other_q : word_q;
    end
    if (we_i) number_q[AddrBits'(written_q)] <= word_i;
    if (last_i) take_q <= take_other_i;
    if (error_i) sum_q <= error_code_i;
    else if (load) begin
      {carry_q, sum_q} <= {1'b0, (we_i && words_q == 1) ? word_i : number_q[index]} +
          ((last_i ? take_other_i : take_q) ? {1'b0, other_i} : '0) +
          (last_i ? '0 : (WordBits + 1)'(carry_q));
    end
    // Mutant: the specification always takes the first number.
    if (`MUTANT && last_i && !we_i) expected_q <= word_q;
  end

  always_comb begin
    if (rst_q) begin
      a_valid : assert (z_valid == out_q && done == done_q);
      a_room : assert (room == !open_q);
      if (Adds) begin
        if (out_q) a_sum : assert (z_data == (`MUTANT ? expected_q : sum_q));
        a_next : assert (next == load);
      end else if (out_q && (bad_q || beat_q == watched_q)) begin
        a_data : assert (z_data == expected_q);
      end
      if (out_q) a_last : assert (z_last == ends);
      if (out_q) a_error : assert (z_error == bad_q);
      if (!out_q && !clear_q && !cleared_q && started_q) a_empty : assert (z_data == '0);
    end
  end
endmodule
