// SPDX-License-Identifier: Apache-2.0

/// Row of cells of `mx` (Design 2), in blocks of one word, each one cycle after the one below it.
///
/// (C, S) <- (C + S + a_i B + q_i N) / 2, a_i B in one cycle and q_i N in the next; q_i is bit 0 of
/// the intermediate sum.
/// Precondition: the front end's sequence.
/// Latency: word j of the two result vectors 1 + j cycles after take_i.
/// Source: mmm-mx-2006, Algorithm 3 and Figure 4.
/// Example, WordBits = 8, N = 0x8b, A = 0x53, B = 0x2a: ten iterations -> a_o + b_o = 0x11 in
/// word 0.
module montcore_mx_row #(
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
    input logic phase_i,  // High: the next cycle is the second of an iteration.
    input logic take_i,  // High: block 0 outputs its result in this cycle.
    output logic first_o,  // High with word 0 of the result; the others follow, one per cycle.
    output logic [WordBits-1:0] a_o,  // Sum vector of the result, S / 2, one word per cycle.
    output logic [WordBits-1:0] b_o  // Carry vector of the result, C, one word per cycle.
);
  // The sum is below 2^(k + 3): S + C < 3 N before, a B < 2 N and q N < N in an iteration.
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
  logic [Words:0] a_q, second_q;
  logic [Words:0] q, carry;
  logic [Words:1] q_q;
  logic [Words:0][WordBits-1:0] s, c;
  logic [Words+1:0] low;
  always_ff @(posedge clk_i) begin
    a_q      <= {a_q[Words-1:0], digit_i & ~phase_i};
    second_q <= {second_q[Words-1:0], phase_i};
    q_q      <= q[Words-1:0];
  end
  assign q = {q_q, s[0][0] & second_q[0]};
  assign low[Words+1] = 1'b0;

  for (genvar i = 0; i <= Words; i++) begin : g_block
    localparam int unsigned Width = (i < Words) ? WordBits : HeadBits;
    logic n_we;
    logic [Width-1:0] n_word, n_unused, b_unused;
    logic carry_in;
    if (i == 0) begin : g_lowest
      assign carry_in = 1'b0;
    end else begin : g_upper
      assign carry_in = carry[i-1];
    end
    montcore_mx_block #(
        .Width(Width)
    ) u_block (
        .clk_i,
        .n_we_i  (n_we),
        .n_i     (n_word),
        .n_o     (n_unused),
        .b_we_i  (y_we[i]),
        .b_i     (y_word_i[Width-1:0]),
        .b_o     (b_unused),
        .second_i(second_q[i]),
        .first_i (first[i] | first[i+1]),
        .a_i     (a_q[i]),
        .q_i     (q[i]),
        .carry_i (carry_in),
        .carry_o (carry[i]),
        .above_i (low[i+1]),
        .low_o   (low[i]),
        .s_o     (s[i][Width-1:0]),
        .c_o     (c[i][Width-1:0])
    );
    if (i == Words) begin : g_head
      assign n_we = 1'b1;
      assign n_word = '0;
      assign s[i][WordBits-1:Width] = '0;
      assign c[i][WordBits-1:Width] = '0;
    end else begin : g_word
      assign n_we   = m_we[i];
      assign n_word = m_data_i;
    end
    logic unused_words;
    assign unused_words = ^{n_unused, b_unused};
  end

  montcore_row_select #(
      .WordBits(WordBits),
      .Blocks  (Words + 1),
      .Shift   (1)
  ) u_select_s (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(s),
      .word_o  (a_o)
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
      .word_o  (b_o)
  );
  logic unused;
  assign unused = ^{low[0], carry[Words]};
endmodule
