// SPDX-License-Identifier: Apache-2.0

/// Row of cells of `hr`, in blocks of one word; each block works one cycle after the one below it.
///
/// T <- (T - q_i) / 2^Radix + q_(i-1) N + a_i B from T = 0, N = 2^(-2 Radix) mod M; T is stored as
/// the blocks' S + 2 C with an offset above the words.
/// Precondition: the front end's sequence; N is between -M and M.
/// Latency: word j of the two result vectors 1 + j cycles after take_i; their sum is T minus the
/// last digit's carry, and low_o in the cycle of last_i is q_(n-1) with it, mod 2^Radix.
/// Source: H. Orup, "Simplifying Quotient Determination in High-Radix Modular Multiplication" (1995).
/// Example, Radix = 4, WordBits = 16, M = 0x8b (N = -19), A = 0x53, B = 0x2a: five iterations ->
/// T = -69, and 5 of the last digit, so that V = -1099.
module montcore_hr_row #(
    parameter int unsigned Radix = 4,  // Bits of X per iteration, even.
    parameter int unsigned WordBits = 32,  // Word width w in bits.
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    localparam int unsigned WordCountBits = $clog2(Words + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    input logic n_first_i,  // High with word 0 of N; the others follow, one per cycle.
    input logic [WordBits-1:0] n_data_i,  // Word of N, one per cycle; zero while clear_i is high.
    input logic n_sign_i,  // Sign of N, valid with its topmost word.
    input logic all_i,  // High: all blocks load B, which is zero.
    input logic digit_first_i,  // High with the lowest bits of A, for block 0 two cycles later.
    input logic [Radix-1:0] digit_i,  // Bits of A, for block 0 two cycles later.
    input logic begin_i,  // High: block 0 starts a product in the next cycle.
    input logic y_first_i,  // High: y_low_i is valid, in the cycle before word 0 of B.
    input logic [Radix-1:0] y_low_i,  // Lowest bits of B.
    input logic y_we_i,  // High: y_word_i is a word of B.
    input logic [WordCountBits-1:0] y_index_i,  // Index of the word, valid with y_we_i.
    input logic [WordBits-1:0] y_word_i,  // Word of B; zero while y_we_i is low.
    input logic last_i,  // High: block 0 is in its last iteration.
    input logic take_i,  // High: block 0 outputs its result in this cycle.
    output logic [Radix-1:0] low_o,  // Value of the lowest columns, modulo 2^Radix.
    output logic [Radix/2-1:0][2:0] q_o,  // Digits of low_o, coded as lines {-2, -1, 1}.
    output logic up_o,  // Carry above the digits: low_o is their value plus 2^Radix up_o.
    output logic [WordBits-1:0] a_o,  // First vector of the carry-save result, one word per cycle.
    output logic [WordBits-1:0] b_o  // Second vector of the carry-save result, one word per cycle.
);
  localparam int unsigned Pairs = Radix / 2;
  localparam int unsigned TopBits = Radix + 2;

  logic [Words-1:0] n_we, unused_we;
  logic [Words:0] unused_y_we, take;
  logic [Words+1:0] first;
  logic word_first;
  montcore_row_flags #(
      .Words(Words)
  ) u_flags (
      .clk_i,
      .rst_ni,
      .words_i,
      .all_i,
      .begin_i,
      .take_i,
      .m_we_i      (1'b0),
      .m_index_i   (WordCountBits'(0)),
      .m_we_o      (unused_we),
      .y_we_o      (unused_y_we),
      .first_o     (first),
      .take_o      (take),
      .word_first_o(word_first)
  );

  // Write enables of the words of N, each one cycle after the one below it.
  logic [Words:0] n_way;
  logic [Words:1] n_way_q;
  assign n_way = {n_way_q, n_first_i};
  always_ff @(posedge clk_i) n_way_q <= n_way[Words-1:0] & {Words{rst_ni & ~clear_i}};
  assign n_we = n_way[Words-1:0] | {Words{clear_i}};

  // The inputs of block 0 are passed on from block to block.
  logic [Pairs-1:0][2:0] a_next, q_now;
  logic [Words-1:0][Pairs-1:0][2:0] a, q;
  montcore_hr_recode #(
      .Radix(Radix)
  ) u_recode (
      .clk_i,
      .first_i(digit_first_i),
      .bits_i (digit_i),
      .a_o    (a_next)
  );
  logic [Words-1:0][Pairs-1:0][2:0] a_q;
  always_ff @(posedge clk_i) a_q[0] <= a_next;
  assign a = a_q;
  assign q[0] = q_now;
  if (Words > 1) begin : g_way
    logic [Words-1:1][Pairs-1:0][2:0] q_q;
    always_ff @(posedge clk_i) begin
      a_q[Words-1:1] <= a[Words-2:0];
      q_q <= q[Words-2:0];
    end
    assign q[Words-1:1] = q_q;
  end

  // A word of B goes to its block, and the bits below it from a register. The block above follows
  // a cycle later, with its own word or with zero: above the topmost word it needs the bits below.
  logic [Words-1:0] y_at, y_at_q, y_we;
  for (genvar i = 0; i < Words; i++) begin : g_y
    assign y_at[i] = y_we_i && y_index_i == WordCountBits'(i);
  end
  assign y_we = y_at | (y_at_q << 1) | {Words{all_i}};

  // The bits of B below the next word, its lowest bits for the lowest columns, which are a cycle
  // ahead, and the sign of N.
  logic [Radix-2:0] y_below_q;
  logic [Radix-1:0] b_low_q;
  logic n_sign_q;
  always_ff @(posedge clk_i) begin
    y_at_q <= y_at & {Words{rst_ni}};
    if (y_first_i || all_i) b_low_q <= y_low_i & {Radix{y_first_i}};
    if (y_we_i || all_i) y_below_q <= y_word_i[WordBits-1-:Radix-1];
    if (n_we[Words-1]) n_sign_q <= n_sign_i;
  end

  logic [Words-1:0][Radix-1:0] n_low;
  logic [Words-1:0][Radix-2:0] n_high;
  logic [Words-1:0][Radix-1:0] down_s, down_c;
  logic [Words-1:0][Radix-2:0] up;
  logic [Words:0][WordBits-1:0] s, c;
  logic [Words:0][Radix-1:0] late_s, late_c;
  logic [Radix:0] low;
  logic low_late;
  logic [Radix-2:0] low_up;
  logic [Radix-1:0] s_next, c_next;
  logic low_carry;
  montcore_hr_lowest #(
      .Radix(Radix)
  ) u_lowest (
      .clk_i,
      .soon_i  (digit_first_i || all_i),
      .begin_i,
      .first_i (first[0]),
      .last_i,
      .a_i     (a_next),
      .b_i     (b_low_q),
      .n_i     (n_low[0]),
      .s_i     (s_next),
      .c_i     (c_next),
      .low_o   (low),
      .late_o  (low_late),
      .q_o,
      .above_o (up_o),
      .before_o(q_now),
      .up_o    (low_up),
      .carry_o (low_carry)
  );
  assign low_o = low[Radix-1:0];

  logic [Words:0] begins;
  assign begins = {first[Words-1:0], begin_i};

  // Sum of the topmost cells, without the offset.
  logic [TopBits-1:0] head_q;
  for (genvar i = 0; i < Words; i++) begin : g_block
    localparam bit Top = i == Words - 1;
    localparam int unsigned Width = Top ? WordBits + TopBits : WordBits;
    logic [Radix-2:0] n_below, b_below, carry;
    logic [Radix-1:0] above_s, above_c;
    logic [Width-1:0] s_own, c_own;
    montcore_hr_block #(
        .Radix   (Radix),
        .WordBits(WordBits),
        .Bottom  (i == 0),
        .Top     (Top)
    ) u_block (
        .clk_i,
        .n_we_i     (n_we[i]),
        .n_i        (n_data_i),
        .n_sign_i   (n_sign_q),
        .n_below_i  (n_below),
        .b_we_i     (y_we[i]),
        .b_i        (y_word_i),
        .b_sign_i   (1'b0),
        .b_below_i  (b_below),
        .begin_i    (begins[i]),
        .a_i        (a[i]),
        .q_i        (q[i]),
        .carry_i    (carry),
        .carry_low_i(low_carry),
        .above_s_i  (above_s),
        .above_c_i  (above_c),
        .down_s_o   (down_s[i]),
        .down_c_o   (down_c[i]),
        .up_o       (up[i]),
        .n_low_o    (n_low[i]),
        .n_high_o   (n_high[i]),
        .s_o        (s_own),
        .c_o        (c_own)
    );
    if (Top) begin : g_top
      logic unused_top;
      assign unused_top = c_own[Width-1];
      assign above_s = '0;
      assign above_c = '0;
      always_ff @(posedge clk_i) begin
        head_q <= s_own[WordBits+:TopBits] + {c_own[WordBits+:TopBits-1], 1'b0} -
                  (TopBits'(1'b1) << (Radix + 1));
      end
    end else begin : g_below_top
      assign above_s = down_s[i+1];
      assign above_c = down_c[i+1];
    end
    assign late_s[i] = above_s;
    assign late_c[i] = above_c;
    if (i == 0) begin : g_lowest
      assign n_below = '0;
      assign b_below = '0;
      assign carry = low_up;
      assign s_next = s_own[2*Radix-1:Radix];
      assign c_next = c_own[2*Radix-2:Radix-1];
      assign s[i] = {s_own[WordBits-1:Radix], low[Radix-1:0]};
      assign c[i] = {c_own[WordBits-1:Radix-1], {(Radix - 1) {1'b0}}};
      logic unused_low;
      assign unused_low = ^{s_own[Radix-1:0], c_own[Radix-2:0]};
    end else begin : g_above
      assign n_below = n_high[i-1];
      assign b_below = y_below_q;
      assign carry = up[i-1];
      assign s[i] = s_own[WordBits-1:0];
      assign c[i] = c_own[WordBits-1:0];
    end
  end
  assign s[Words] = {{(WordBits - TopBits) {head_q[TopBits-1]}}, head_q};
  assign c[Words] = '0;
  assign late_s[Words] = '0;
  assign late_c[Words] = '0;

  // Output: words of S and C, and the bits in flight: those that each block would have taken from
  // the one above it in the next iteration, and the carries of the lowest columns beyond their
  // range.
  logic [WordBits-1:0] s_word, c_word, c_up, third, majority, high;
  logic [Radix-1:0] late_s_word, late_c_word, high_carry;
  logic [1:0] over_q;
  logic c_top_q, carry_q, high_carry_q;
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
      .WordBits(Radix),
      .Blocks  (Words + 1),
      .Shift   (0)
  ) u_select_late_s (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(late_s),
      .word_o  (late_s_word)
  );
  montcore_row_select #(
      .WordBits(Radix),
      .Blocks  (Words + 1),
      .Shift   (0)
  ) u_select_late_c (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(late_c),
      .word_o  (late_c_word)
  );
  // One row of adders over the word, and one more in the cells of the late bits.
  localparam int unsigned HighCell = WordBits - Radix;
  assign c_up = {c_word[WordBits-2:0], c_top_q & ~word_first};
  assign third = {
    late_s_word,
    {(HighCell - Radix - 2) {1'b0}},
    over_q,
    {(Radix - 1) {1'b0}},
    high_carry_q & ~word_first
  };
  assign high = s_word ^ c_up ^ third;
  assign majority = (s_word & c_up) | (third & (s_word | c_up));
  for (genvar i = 0; i < Radix; i++) begin : g_high
    localparam int unsigned Cell = HighCell + i;
    assign a_o[Cell] = high[Cell] ^ majority[Cell-1] ^ late_c_word[i];
    assign high_carry[i] = (high[Cell] & majority[Cell-1]) |
                           (late_c_word[i] & (high[Cell] | majority[Cell-1]));
  end
  assign a_o[HighCell-1:0] = high[HighCell-1:0];
  assign b_o = {high_carry[Radix-2:0], 1'b0, majority[HighCell-2:0], carry_q & ~word_first};
  always_ff @(posedge clk_i) begin
    over_q       <= (2'(low[Radix]) + 2'(low_late)) & {2{take[0] & ~clear_i}};
    c_top_q      <= c_word[WordBits-1] & ~clear_i;
    carry_q      <= majority[WordBits-1] & ~clear_i;
    high_carry_q <= high_carry[Radix-1] & ~clear_i;
  end
  logic unused;
  assign unused = ^{
    n_low, n_high[Words-1], unused_y_we, y_below_q, up[Words-1], down_s[0], down_c[0],
    first[Words+1:Words], n_way[Words], unused_we, begins[Words]
  };
endmodule
