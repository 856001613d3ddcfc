// SPDX-License-Identifier: Apache-2.0

/// Row of cells of `cs`, in blocks of one word; each block works one cycle after the one below it.
///
/// (C2, C1, S) <- (C2 + C1 + S + a_i B + q_i N) / 2, with q_i computed in the same cycle.
/// Precondition: the front end's sequence.
/// Latency: word j of the two result vectors 2 + j cycles after take_i.
/// Source: mmm-mx-2006, Algorithm 1.
/// Example, WordBits = 8, N = 0x8b, A = 0x53, B = 0x2a: ten iterations -> a_o + b_o = 0x11 in
/// word 0.
module montcore_cs_row #(
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
    input logic digit_i,  // Bit of A for block 0 in the next cycle.
    input logic take_i,  // High: block 0 outputs its result in this cycle.
    output logic first_o,  // High with word 0 of the result; the others follow, one per cycle.
    output logic [WordBits-1:0] a_o,  // Sum vector of the result, one word per cycle.
    output logic [WordBits-1:0] b_o  // Carry vector of the result, one word per cycle.
);
  // The sum is below 2^(k + 3): S + C < 3 N before, a B < 2 N and q N < N in an iteration.
  localparam int unsigned HeadBits = 3;

  logic [Words-1:0] m_we;
  logic [Words:0] y_we, take;
  logic [Words+1:0] first;
  logic word_first;
  montcore_row_flags #(
      .Words(Words)
  ) u_flags (
      .m_we_o      (m_we),
      .y_we_o      (y_we),
      .first_o     (first),
      .take_o      (take),
      .word_first_o(word_first),
      .*
  );

  // The inputs of block 0 are passed on from block to block.
  logic [Words:0] a_q, q;
  logic [Words:1] q_q;
  logic [Words:0] q_own;
  logic [Words:0][WordBits-1:0] s, c1, c2;
  logic [Words+1:0] low;
  always_ff @(posedge clk_i) begin
    a_q <= {a_q[Words-1:0], digit_i};
    q_q <= q[Words-1:0];
  end
  assign q = {q_q, q_own[0]};
  assign low[Words+1] = 1'b0;

  for (genvar i = 0; i <= Words; i++) begin : g_block
    localparam int unsigned Width = (i < Words) ? WordBits : HeadBits;
    logic n_we;
    logic [Width-1:0] n_word;
    montcore_row_block #(
        .Width(Width)
    ) u_block (
        .clk_i,
        .n_we_i     (n_we),
        .n_i        (n_word),
        .b_we_i     (y_we[i]),
        .b_i        (y_word_i[Width-1:0]),
        .both_i     ('0),
        .first_i    (first[i]),
        .late_mask_i(first[i] | first[i+1]),
        .a_i        (a_q[i]),
        .q_i        (q[i]),
        .q_o        (q_own[i]),
        .above_i    (low[i+1]),
        .s_o        (s[i][Width-1:0]),
        .c1_o       (c1[i][Width-1:0]),
        .c2_o       (c2[i][Width-1:0])
    );
    if (i == Words) begin : g_head
      assign n_we = 1'b1;
      assign n_word = '0;
      assign s[i][WordBits-1:Width] = '0;
      assign c1[i][WordBits-1:Width] = '0;
      assign c2[i][WordBits-1:Width] = '0;
    end else begin : g_word
      assign n_we   = m_we[i];
      assign n_word = m_data_i;
    end
    assign low[i] = s[i][0];
  end

  logic [WordBits-1:0] s_word, c1_word, c2_word;
  montcore_row_select #(
      .WordBits(WordBits),
      .Blocks  (Words + 1),
      .Shift   (1)
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
  ) u_select_c1 (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(c1),
      .word_o  (c1_word)
  );
  montcore_row_select #(
      .WordBits(WordBits),
      .Blocks  (Words + 1),
      .Shift   (0)
  ) u_select_c2 (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(c2),
      .word_o  (c2_word)
  );

  // The late bit that each block would have added in the next iteration.
  logic [Words:0][0:0] late;
  logic pending;
  for (genvar i = 0; i <= Words; i++) begin : g_late
    assign late[i][0] = low[i+1];
  end
  montcore_row_select #(
      .WordBits(1),
      .Blocks  (Words + 1),
      .Shift   (0)
  ) u_select_late (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(late),
      .word_o  (pending)
  );

  // Extra stage for the second carry vector: reduces three vectors to two.
  logic [WordBits-1:0] third_sum, third_carry, sum_word, carry_word;
  logic top_q;
  assign third_sum   = s_word ^ c1_word ^ c2_word;
  assign third_carry = (s_word & c1_word) | (s_word & c2_word) | (c1_word & c2_word);
  montcore_row_pending #(
      .WordBits(WordBits)
  ) u_pending (
      .clk_i,
      .clear_i,
      .first_i  (word_first),
      .a_i      (third_sum),
      .b_i      ({third_carry[WordBits-2:0], top_q & ~word_first}),
      .pending_i(pending),
      .a_o      (sum_word),
      .b_o      (carry_word)
  );
  always_ff @(posedge clk_i) begin
    a_o     <= clear_i ? '0 : sum_word;
    b_o     <= clear_i ? '0 : carry_word;
    top_q   <= third_carry[WordBits-1] & ~clear_i;
    first_o <= word_first & rst_ni;
  end
  logic unused;
  assign unused = ^{low[0], q_own[Words:1]};
endmodule
