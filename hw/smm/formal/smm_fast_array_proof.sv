// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_smm_fast_array`: one pass over all rows, in integers.
///
/// T = sum of word k * 2^(k w), carries included, and the top word above them.
/// a_add: T + a * Y after a pass that does not shift; a_shift: (T - lowest w bits of T) / 2^w + a * Y
/// after one that does; a_fresh: a * Y after one that starts from zero.
/// a_word0: the word output as quotient digit in the first slot is the lowest w bits of the new T.
/// T has any value within the ranges of `smm_fast_pe_proof`: deferred carries of at most 4, and
/// a top word of at most 2^(w + 2).
module smm_fast_array_proof #(
    parameter int unsigned NumPe = 1,  // Number of processing elements.
    parameter int unsigned WordBits = 4,
    parameter int unsigned Rows = 1,  // Number of rows, 1 or 2, all in use.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SumBits = WordBits + 3,
    localparam int unsigned Words = NumPe * Rows,  // Words of Y.
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned TotalBits = Words * WordBits + SumBits + 2  // Width of T in bits.
) (
    input logic clk_i
);
  localparam int unsigned CodeBits =
      (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits;

  // No driver: an arbitrary constant.
  logic [WordBits-1:0] a_q;
  logic [Words-1:0][WordBits-1:0] y_q;
  logic fresh_q, shift_q;
  logic [2:0] cycle_q = '0;
  always_ff @(posedge clk_i) begin
    a_q     <= a_q;
    y_q     <= y_q;
    fresh_q <= fresh_q;
    shift_q <= shift_q;
    cycle_q <= cycle_q + 1;
  end

  logic [CodeBits-1:0] code;
  logic [NumPe-1:0][WordBits-1:0] row;
  logic first, last;
  logic [WordBits-1:0] word0, word0_q;
  logic [NumPe-1:0][SumBits-1:0] tail;
  logic [SumBits-1:0] top;

  // Row g is in stage M in cycle g, and its flags in stage A in cycle g + 1.
  always_comb begin
    row = '0;
    for (int unsigned g = 0; g < Rows; g++) begin
      if (32'(cycle_q) == g) row = y_q[g*NumPe+:NumPe];
    end
  end
  assign first = cycle_q == 1;
  assign last  = 32'(cycle_q) == Rows;

  montcore_recode #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_recode (
      .word_i(a_q),
      .code_o(code)
  );
  montcore_smm_fast_array #(
      .NumPe   (NumPe),
      .WordBits(WordBits),
      .Rows    (Rows),
      .Tech    (Tech)
  ) u_dut (
      .clk_i,
      .rst_ni         (1'b1),
      .rows_i         (RowBits'(Rows)),
      .load_i         (1'b0),
      .clear_i        (1'b0),
      .code_i         (code),
      .row_i          (row),
      .hold_i         (1'b0),
      .plus_two_i     (1'b0),
      .first_i        (first),
      .last_i         (last),
      .fresh_i        (fresh_q),
      .shift_i        (shift_q),
      .from_f_i       (1'b0),
      .next_fresh_i   (fresh_q),
      .next_shift_i   (shift_q),
      .next_from_f_i  (1'b0),
      .f_from_head_i  (1'b0),
      .f_from_tail_i  (1'b0),
      .f_turn_i       (1'b0),
      .f_top_i        (1'b0),
      .word0_o        (word0),
      .word0_product_o(),
      .word0_base_o   (),
      .tail_o         (tail),
      .top_o          (top),
      .f_row_o        (),
      .f_next_o       (),
      .f_top_o        ()
  );

  // T before the pass is in the queue (rows of lower weight first) in cycle 1; the rows of the
  // new T appear at the tail from cycle 2 on.
  logic [Words-1:0][SumBits-1:0] old_words;
  if (Rows == 1) begin : g_one
    assign old_words = u_dut.tail_q;
  end else begin : g_two
    assign old_words = {u_dut.tail_q, u_dut.g_queue.u_rows.head_o};
  end

  function automatic logic [TotalBits-1:0] value(logic [Words-1:0][SumBits-1:0] words,
                                                 logic [SumBits-1:0] top_word);
    value = TotalBits'(top_word) << (Words * WordBits);
    for (int unsigned k = 0; k < Words; k++) value += TotalBits'(words[k]) << (k * WordBits);
  endfunction

  logic [TotalBits-1:0] old_q, expected, product;
  logic [Words-1:0][SumBits-1:0] new_words, rows_seen_q;
  always_ff @(posedge clk_i) begin
    if (first) begin
      old_q   <= value(old_words, top);
      word0_q <= word0;
    end
    rows_seen_q <= new_words;
  end
  if (Rows == 1) begin : g_new_one
    assign new_words = tail;
  end else begin : g_new_more
    assign new_words = {tail, rows_seen_q[Words-1:NumPe]};
  end

  always_comb begin
    // Word by word, so that a solver matches the products of the inferred multipliers.
    product = '0;
    for (int unsigned k = 0; k < Words; k++) begin
      product += TotalBits'((2 * WordBits)'(a_q) * (2 * WordBits)'(y_q[k])) << (k * WordBits);
    end
    if (fresh_q) expected = product;
    else if (shift_q) expected = (old_q >> WordBits) + product;
    else expected = old_q + product;
    // Mutant: the specification drops the carry that word 0 defers in a pass that shifts.
    if (`MUTANT && shift_q && !fresh_q) expected -= TotalBits'(old_q[WordBits-1:0] != 0);
  end

  always_comb begin
    m_fresh : assume (!(fresh_q && shift_q));
    if (first) begin
      m_top : assume (top <= SumBits'(1) << (WordBits + 2));
    end
  end
  for (genvar k = 0; k < Words; k++) begin : g_carry
    always_comb if (first) m_carry : assume (old_words[k][SumBits-1:WordBits] <= 4);
  end

  always_comb begin
    if (32'(cycle_q) == Rows + 1) begin
      if (fresh_q)
        a_fresh :
        assert (value(new_words, top) == expected);
        else if (shift_q)
          a_shift :
          assert (value(new_words, top) == expected);
          else a_add : assert (value(new_words, top) == expected);
      a_word0 : assert (word0_q == WordBits'(value(new_words, top)));
    end
  end
endmodule
