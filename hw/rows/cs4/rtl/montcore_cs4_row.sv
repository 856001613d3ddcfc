// SPDX-License-Identifier: Apache-2.0

/// Row of cells of `cs4`, in blocks of one word; each block works one cycle after the one below it.
///
/// T <- (T + q_i N) / 4 + a_i B from T = 0; T is stored as the blocks' S + 2 C and a small signed
/// number above them; k / 2 + 2 iterations, the last digit of A being 0.
/// Precondition: the front end's sequence.
/// Latency: word j of the two result vectors 1 + j cycles after take_i; the result is between
/// -N / 3 and N, the word above the words in use is its sign.
/// Source: mmm-mx-2006, Algorithm 1, extended to radix 4.
/// Example, WordBits = 16, N = 0x8b, A = 0x53, B = 0x2a: ten iterations -> a_o + b_o = 0xfff1 in
/// word 0 and 0xffff in word 1 (-15).
module montcore_cs4_row #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    localparam int unsigned WordCountBits = $clog2(Words + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    /// Words of the modulus, constant while a product is in flight.
    input logic [WordCountBits-1:0] words_i,
    input logic m_we_i,  // Write enable of a word of N.
    input logic [WordCountBits-1:0] m_index_i,  // Index of the word of N, valid with m_we_i.
    input logic [WordBits-1:0] m_data_i,  // Word of N, valid with m_we_i.
    input logic all_i,  // High: the blocks above the words in use load B as well.
    input logic begin_i,  // High: block 0 starts a product in the next cycle.
    input logic [WordBits-1:0] y_word_i,  // Word of B for the block that starts in the next cycle.
    input logic [1:0] digit_i,  // Digit of A, 0 to 3, for block 0 in the next cycle.
    input logic take_i,  // High: block 0 outputs its result in this cycle.
    output logic first_o,  // High with word 0 of the result; the others follow, one per cycle.
    output logic [WordBits-1:0] a_o,  // First vector of the carry-save result, one word per cycle.
    output logic [WordBits-1:0] b_o  // Second vector of the carry-save result, one word per cycle.
);
  // From T > -(N + 4 B) / 3 and T < (2 N + 8 B) / 3 with B < N < 2^k: the part above the blocks is
  // floor(T / 2^k) or one less, from -3 to 1.
  localparam int unsigned HeadBits = 3;

  logic [Words-1:0] m_we;
  logic [Words:0] y_we, take;
  logic [Words+1:0] first;
  montcore_row_flags #(
      .Words(Words)
  ) u_flags (
      .m_we_o      (m_we),
      .y_we_o      (y_we),
      .first_o     (first),
      .take_o      (take),
      .word_first_o(first_o),
      .*
  );

  // The inputs of block 0 are passed on from block to block.
  logic [Words:0][2:0] a, q;
  logic [Words:1][2:0] a_q, q_q;
  logic [2:0] low;
  montcore_cs4_recode u_recode (
      .clk_i,
      .digit_i,
      .a_o(a[0])
  );
  always_ff @(posedge clk_i) begin
    a_q <= a[Words-1:0];
    q_q <= q[Words-1:0];
  end
  assign a[Words:1] = a_q;
  assign q[Words:1] = q_q;

  // The bit of B below the next word.
  logic y_below_q;
  always_ff @(posedge clk_i) y_below_q <= y_word_i[WordBits-1];

  logic [Words-1:0] over, n_bit;
  logic [  Words:0][1:0] down;
  logic [Words-1:0][2:0] next;
  logic [Words:0][WordBits-1:0] s, c;
  montcore_cs4_digit u_digit (
      .clk_i,
      .begin_i,
      .first_i(first[0]),
      .n_bit_i(n_bit[0]),
      .next_i (next[0]),
      .q_o    (q[0]),
      .low_o  (low)
  );
  for (genvar i = 0; i < Words; i++) begin : g_block
    logic n_top_we, carry, b_below;
    logic [1:0] n_top;
    logic [WordBits-1:0] s_own, c_own;
    montcore_cs4_block #(
        .Width(WordBits)
    ) u_block (
        .clk_i,
        .n_we_i     (m_we[i]),
        .n_i        (m_data_i[WordBits-1:1]),
        .n_top_we_i (n_top_we),
        .n_top_i    (n_top),
        .b_we_i     (y_we[i]),
        .b_i        ({y_word_i, b_below}),
        .first_i    (first[i]),
        .late_mask_i(first[i] | first[i+1]),
        .a_i        (a[i]),
        .q_i        (q[i]),
        .carry_i    (carry),
        .above_i    (down[i+1]),
        .down_o     (down[i]),
        .over_o     (over[i]),
        .next_o     (next[i]),
        .n_bit_o    (n_bit[i]),
        .s_o        (s_own),
        .c_o        (c_own)
    );
    if (i == Words - 1) begin : g_top
      assign n_top_we = 1'b1;
      assign n_top = '0;
    end else begin : g_below_top
      assign n_top_we = m_we[i+1];
      assign n_top = m_data_i[1:0];
    end
    if (i == 0) begin : g_lowest
      logic unused_low;
      // The carries of the two lowest cells are in u_digit; carry adds the missing 1 of -B.
      assign carry = a[0][2];
      assign b_below = 1'b0;
      assign unused_low = ^{s_own[1:0], c_own[0]};
      assign s[0] = {s_own[WordBits-1:2], low[1:0]};
      assign c[0] = {c_own[WordBits-1:1], 1'b0};
    end else begin : g_above
      assign carry = over[i];
      assign b_below = y_below_q;
      assign s[i] = s_own;
      assign c[i] = c_own;
    end
  end

  // The head: no bits of N, one bit of 2 B, and the signs.
  logic [HeadBits-1:0] head_q, head_shifted;
  logic b_top_q;
  assign head_shifted = {HeadBits{head_q[HeadBits-1] & ~first[Words]}};
  always_ff @(posedge clk_i) begin
    if (y_we[Words]) b_top_q <= y_below_q;
    head_q <= head_shifted + HeadBits'({a[Words][1] & b_top_q}) - HeadBits'(a[Words][2]) -
              HeadBits'(q[Words][2]);
  end
  assign down[Words] = head_q[1:0];
  assign s[Words] = {{(WordBits - HeadBits) {head_q[HeadBits-1]}}, head_q};
  assign c[Words] = '0;

  // Output: words of S and C, and the bits in flight: those that each block would have added from
  // the one above it in the next iteration, and the third bit of the lowest cells.
  logic [Words:0][1:0] late;
  logic [WordBits-1:0] s_word, c_word, third, majority;
  logic [1:0] late_word;
  logic over_q, c_top_q, carry_q;
  for (genvar i = 0; i <= Words; i++) begin : g_late
    if (i < Words) begin : g_from_above
      assign late[i] = down[i+1];
    end else begin : g_none
      assign late[i] = '0;
    end
  end
  montcore_row_select #(
      .WordBits(WordBits),
      .Blocks  (Words + 1),
      .Shift   (0)
  ) u_select_s (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(s),
      .word_o  (s_word)
  );
  montcore_row_select #(
      .WordBits(WordBits),
      .Blocks  (Words + 1),
      .Shift   (0)
  ) u_select_c (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(c),
      .word_o  (c_word)
  );
  montcore_row_select #(
      .WordBits(2),
      .Blocks  (Words + 1),
      .Shift   (0)
  ) u_select_late (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(late),
      .word_o  (late_word)
  );
  logic [WordBits-1:0] c_up;
  assign c_up = {c_word[WordBits-2:0], c_top_q & ~first_o};
  assign third = {late_word, {(WordBits - 5) {1'b0}}, over_q, 2'b00};
  assign a_o = s_word ^ c_up ^ third;
  assign majority = (s_word & c_up) | (third & (s_word | c_up));
  assign b_o = {majority[WordBits-2:0], carry_q & ~first_o};
  always_ff @(posedge clk_i) begin
    over_q  <= low[2] & take[0] & ~clear_i;
    c_top_q <= c_word[WordBits-1] & ~clear_i;
    carry_q <= majority[WordBits-1] & ~clear_i;
  end
  logic unused;
  assign unused = ^{over[0], down[0], next, n_bit, m_data_i[0]};
endmodule
