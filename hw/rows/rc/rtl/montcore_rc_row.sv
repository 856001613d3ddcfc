// SPDX-License-Identifier: Apache-2.0

/// Row of words of `rc`; each block works one cycle after the one below it.
///
/// S <- (S + a_i B + q_i N) / 2, with q_i computed in the same cycle.
/// The first cycle of a product clears S, which holds the result of the previous one until
/// then; the k + 1 iterations follow.
/// Precondition: the front end's sequence.
/// Latency: word j of the two result vectors 2 + j cycles after take_i.
/// Source: mmm-mx-2006, Algorithm 1.
/// Example, WordBits = 8, N = 0x8b, A = 0x53, B = 0x2a: nine iterations -> a_o + b_o = 0x68 in
/// word 0.
module montcore_rc_row #(
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
    input logic digit_i,  // Bit of A for block 0 two cycles later.
    input logic take_i,  // High: block 0 outputs its result in this cycle.
    output logic first_o,  // High with word 0 of the result; the others follow, one per cycle.
    output logic [WordBits-1:0] a_o,  // First vector of the result: sum words, one per cycle.
    /// Second vector of the result: pending bits, one word per cycle.
    output logic [WordBits-1:0] b_o
);
  // S is below 2 N, and S + a B + q N below 2^(k + 2).
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
  logic digit_q;
  logic [Words:0] a_q, q, q_own;
  logic [Words:1] q_q;
  logic [Words+1:0][1:0] carry;
  logic [Words:0][WordBits-1:0] s;
  logic [Words+1:0] low;
  always_ff @(posedge clk_i) begin
    digit_q <= digit_i & ~clear_i;
    a_q     <= {a_q[Words-1:0], digit_q};
    q_q     <= q[Words-1:0];
  end
  assign q = {q_q, q_own[0]};
  assign carry[0] = '0;
  assign low[Words+1] = 1'b0;

  for (genvar i = 0; i <= Words; i++) begin : g_block
    localparam int unsigned Width = (i < Words) ? WordBits : HeadBits;
    logic n_we;
    logic [Width-1:0] n_word;
    montcore_rc_block #(
        .Width(Width)
    ) u_block (
        .clk_i,
        .n_we_i (n_we),
        .n_i    (n_word),
        .b_we_i (y_we[i]),
        .b_i    (y_word_i[Width-1:0]),
        .clear_i(first[i]),
        .a_i    (a_q[i]),
        .q_i    (q[i]),
        .q_o    (q_own[i]),
        // In the first iteration of a product the block above still has the previous product's
        // result.
        .late_i (low[i+1] & ~first[i+1]),
        .carry_i(carry[i]),
        .carry_o(carry[i+1]),
        .s_o    (s[i][Width-1:0])
    );
    if (i == Words) begin : g_head
      assign n_we = 1'b1;
      assign n_word = '0;
      assign s[i][WordBits-1:Width] = '0;
    end else begin : g_word
      assign n_we   = m_we[i];
      assign n_word = m_data_i;
    end
    assign low[i] = s[i][0];
  end

  logic [WordBits-1:0] s_word;
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
  always_ff @(posedge clk_i) begin
    a_o     <= clear_i ? '0 : s_word;
    b_o     <= {1'b0, pending & ~clear_i, {(WordBits - 2) {1'b0}}};
    first_o <= word_first & rst_ni;
  end
  logic unused;
  assign unused = ^{low[0], q_own[Words:1], carry[Words+1]};
endmodule
