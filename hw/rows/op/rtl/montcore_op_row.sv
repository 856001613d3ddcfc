// SPDX-License-Identifier: Apache-2.0

/// Row of cells of `op`, in blocks of one word; each block works one cycle after the one below it.
///
/// (C, S) <- (C + S + I) / 2, I = 0, N, B or B + N by a_i and q_i; q_i computed in the same cycle.
/// B + N is added word by word as B arrives, which costs one cycle in total, not one per word.
/// Precondition: the front end's sequence.
/// Latency: word j of the two result vectors 2 + j cycles after take_i.
/// Source: mmm-mx-2006, Algorithm 2.
/// Example, WordBits = 8, N = 0x8b, A = 0x53, B = 0x2a: ten iterations -> a_o + b_o = 0x11 in
/// word 0.
module montcore_op_row #(
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
    output logic [WordBits-1:0] a_o,  // Sum vector of the result, S / 2, one word per cycle.
    output logic [WordBits-1:0] b_o  // Carry vector of the result, C, one word per cycle.
);
  // The sum is below 2^(k + 3): S + C < 3 N before, a B < 2 N and q N < N in an iteration.
  localparam int unsigned HeadBits = 3;

  localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1;

  // B + N: all inputs of the row are delayed by one cycle for it. Word 0 of N has its own register;
  // row j of the memory holds word j + 1, which is read one cycle ahead.
  logic [WordCountBits-1:0] index_q;
  logic [WordBits-1:0] n_word, n_first_q, n_q, y_q, both_q;
  logic [WordBits:0] both;
  logic carry_q, begin_q, digit_q, take_q, run_q;
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_n (
      .clk_i,
      .we_i   (m_we_i && m_index_i != 0),
      .wzero_i(clear_i),
      .waddr_i(AddrBits'(32'(m_index_i) - 1)),
      .wdata_i(m_data_i),
      .raddr_i(AddrBits'(index_q)),
      .rdata_o(n_word)
  );
  assign both = {1'b0, y_word_i} + {1'b0, begin_i ? n_first_q : n_q} +
                {{WordBits{1'b0}}, carry_q & ~begin_i};
  always_ff @(posedge clk_i) begin
    if (m_we_i && m_index_i == 0) n_first_q <= m_data_i;
    n_q     <= (all_i || index_q >= words_i - 1) ? '0 : n_word;
    y_q     <= clear_i ? '0 : y_word_i;
    both_q  <= all_i ? '0 : both[WordBits-1:0];
    carry_q <= both[WordBits] & ~all_i;
    digit_q <= digit_i & ~clear_i;
    if (!rst_ni || all_i) begin
      index_q <= '0;
      run_q   <= 1'b0;
    end else if (begin_i) begin
      index_q <= WordCountBits'(1);
      run_q   <= 1'b1;
    end else if (run_q) begin
      run_q   <= index_q < words_i;
      index_q <= (index_q < words_i) ? index_q + 1 : '0;
    end
    begin_q <= begin_i;
    take_q  <= take_i & rst_ni;
  end

  logic [Words-1:0] m_we;
  logic [Words:0] y_we, take;
  logic [Words+1:0] first;
  montcore_row_flags #(
      .Words(Words)
  ) u_flags (
      .clk_i,
      .rst_ni,
      .words_i,
      .all_i,
      .begin_i     (begin_q),
      .take_i      (take_q),
      .m_we_i,
      .m_index_i,
      .m_we_o      (m_we),
      .y_we_o      (y_we),
      .first_o     (first),
      .take_o      (take),
      .word_first_o(first_o)
  );

  // The inputs of block 0 are passed on from block to block.
  logic [Words:0] a_q, q;
  logic [Words:1] q_q;
  logic [Words:0] q_own;
  logic [Words:0][WordBits-1:0] s, c;
  logic [Words+1:0] low;
  always_ff @(posedge clk_i) begin
    a_q <= {a_q[Words-1:0], digit_q};
    q_q <= q[Words-1:0];
  end
  assign q = {q_q, q_own[0]};
  assign low[Words+1] = 1'b0;

  for (genvar i = 0; i <= Words; i++) begin : g_block
    localparam int unsigned Width = (i < Words) ? WordBits : HeadBits;
    logic n_we;
    logic [Width-1:0] n_part, unused_c2;
    montcore_row_block #(
        .Width      (Width),
        .Precomputed(1'b1)
    ) u_block (
        .clk_i,
        .n_we_i     (n_we),
        .n_i        (n_part),
        .b_we_i     (y_we[i]),
        .b_i        (y_q[Width-1:0]),
        .both_i     (both_q[Width-1:0]),
        .first_i    (first[i]),
        .late_mask_i(first[i] | first[i+1]),
        .a_i        (a_q[i]),
        .q_i        (q[i]),
        .q_o        (q_own[i]),
        .above_i    (low[i+1]),
        .s_o        (s[i][Width-1:0]),
        .c1_o       (c[i][Width-1:0]),
        .c2_o       (unused_c2)
    );
    if (i == Words) begin : g_head
      assign n_we = 1'b1;
      assign n_part = '0;
      assign s[i][WordBits-1:Width] = '0;
      assign c[i][WordBits-1:Width] = '0;
    end else begin : g_word
      assign n_we   = m_we[i];
      assign n_part = m_data_i;
    end
    assign low[i] = s[i][0];
  end

  logic [WordBits-1:0] s_word, c_word;
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
  ) u_select_c (
      .clk_i,
      .clear_i,
      .take_i  (take),
      .blocks_i(c),
      .word_o  (c_word)
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
  montcore_row_pending #(
      .WordBits(WordBits)
  ) u_pending (
      .clk_i,
      .clear_i,
      .first_i  (first_o),
      .a_i      (s_word),
      .b_i      (c_word),
      .pending_i(pending),
      .a_o,
      .b_o
  );
  logic unused;
  assign unused = ^{low[0], q_own[Words:1]};
endmodule
