// SPDX-License-Identifier: Apache-2.0

/// The array of `cs` or `op`: a row of cells for each of the k + 2 iterations, k = WordBits * Words.
///
/// S / 2 + C = A B R^-1 mod N, or N more, R = 2^(k + 2). Row i does iteration i, in one cycle;
/// products follow each other cycle by cycle. A and B, and B + N if Precomputed, move down the rows
/// with their product; N is static, in one copy per RowsPerCopy rows. Block j of a row works j
/// cycles after block 0, so that a_i and q_i drive one word of cells each; B + N is added word by
/// word at the same pace.
/// Precondition: A and B (complete) are at the inputs in the cycle before T.
/// Latency: row i works in cycle T + i; one further cycle reduces the last row's vectors and the
/// bits in flight to two vectors: word j of S and C is valid in cycle T + k + 3 + j.
/// Source: mmm-mx-2006, Algorithms 1 and 2 in the form of Figure 2.
/// Example, WordBits = 8, Words = 1, N = 0x8b, A = 0x53, B = 0x2a -> S / 2 + C = 0x34 or 0xbf.
module montcore_row_grid #(
    parameter int unsigned WordBits = 32,  // Width of a block in bits.
    parameter int unsigned Words = 4,  // Number of blocks of a row.
    parameter bit Precomputed = 1'b0,  // 1: select among 0, N, B and B + N; 0: add a B and q N.
    parameter int unsigned RowsPerCopy = 16,  // Number of rows that share a copy of N.
    localparam int unsigned Bits = WordBits * Words
) (
    input logic clk_i,
    input logic [Bits-1:0] n_i,  // Modulus N, constant.
    input logic [Bits-1:0] a_i,  // Operand A, complete in the cycle before T.
    input logic [Bits-1:0] b_i,  // Operand B, complete in the cycle before T.
    output logic [Words-1:0][WordBits-1:0] b_o,  // Words of B in row 0, word j in cycle T + j.
    output logic [Bits-1:0] n_o,  // Copy of N of the last rows.
    output logic [Words:0][WordBits-1:0] s_o,  // Sum vector S, word j in cycle T + k + 3 + j.
    output logic [Words:0][WordBits-1:0] c_o  // Carry vector C, word j in cycle T + k + 3 + j.
);
  localparam int unsigned Rows = Bits + 2;
  // The sum is below 2^(k + 3), as in the row.
  localparam int unsigned HeadBits = 3;

  // Word j of B is delayed by j cycles, as block j works j cycles later; bit i of A by i cycles, as
  // row i does.
  logic [Rows-1:0] digits;
  logic [Words-1:0][WordBits-1:0] b_word;
  montcore_row_array_skew #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_b (
      .clk_i,
      .step_i ({Words{1'b1}}),
      .words_i(b_i),
      .words_o(b_word)
  );
  montcore_row_array_skew #(
      .WordBits(1),
      .Words   (Bits)
  ) u_a (
      .clk_i,
      .step_i ({Bits{1'b1}}),
      .words_i(a_i),
      .words_o(digits[Bits-1:0])
  );
  assign digits[Rows-1:Bits] = '0;

  logic [Words+1:0][Rows-1:0] low;
  assign low[Words+1] = '0;
  logic [Words:0][Rows-1:0] q_own;
  // Carries out of the words: of B + N, and of the reduction of the last row's vectors.
  logic [Words-1:0] carry_q;
  logic [Words:0] first_q, second_q, top_q;
  for (genvar j = 0; j <= Words; j++) begin : g_block
    localparam bit Head = j == Words;
    localparam int unsigned Width = Head ? HeadBits : WordBits;
    logic [Rows-1:0] a_q, q;
    logic [Width-1:0] n_word, n_last, b_in, b_first, both, s, c1, c2;
    if (j == 0) begin : g_lowest
      always_ff @(posedge clk_i) a_q <= digits;
      assign q = q_own[0];
    end else begin : g_upper
      logic [Rows-1:0] q_q;
      always_ff @(posedge clk_i) begin
        a_q <= g_block[j-1].a_q;
        q_q <= g_block[j-1].q;
      end
      assign q = q_q;
    end

    // B + N of this word, with the carry of the word below, which is one cycle earlier.
    logic below;
    logic first, second, top;
    if (j == 0) begin : g_no_carry
      assign {below, first, second, top} = '0;
    end else begin : g_carry
      assign below  = carry_q[j-1];
      assign first  = first_q[j-1];
      assign second = second_q[j-1];
      assign top    = top_q[j-1];
    end
    if (Head) begin : g_head
      logic unused;
      assign n_word = '0;
      assign b_in   = '0;
      assign both   = Width'(below);
      assign unused = ^{n_last, b_first};
    end else begin : g_word
      logic [Width:0] sum;
      assign n_word = n_i[WordBits*j+:WordBits];
      assign b_in = b_word[j];
      assign sum = {1'b0, b_in} + {1'b0, n_word} + {{Width{1'b0}}, below};
      assign both = sum[Width-1:0];
      always_ff @(posedge clk_i) carry_q[j] <= sum[Width];
      assign n_o[WordBits*j+:WordBits] = n_last;
      assign b_o[j] = b_first;
    end

    montcore_row_grid_block #(
        .Width      (Width),
        .Rows       (Rows),
        .RowsPerCopy(RowsPerCopy),
        .Precomputed(Precomputed)
    ) u_block (
        .clk_i,
        .n_i   (n_word),
        .n_o   (n_last),
        .b_i   (b_in),
        .both_i(both),
        .b_o   (b_first),
        .a_i   (a_q),
        .q_i   (q),
        .q_o   (q_own[j]),
        .late_i({low[j+1][Rows-3:0], 2'b00}),
        .low_o (low[j]),
        .s_o   (s),
        .c1_o  (c1),
        .c2_o  (c2)
    );

    // Reduces to two vectors: bit p of a carry vector has the weight of bit p + 1, the top one
    // belongs to the word above, one cycle later; pending is the block above's bit for the next
    // iteration.
    logic [Width-1:0] carries, pending, sum_word, carry_word, s_q, c_q;
    if (Precomputed) begin : g_two
      logic unused;
      assign sum_word = s;
      assign carries = {c1[Width-2:0], top};
      assign {first_q[j], second_q[j]} = '0;
      always_ff @(posedge clk_i) top_q[j] <= c1[Width-1];
      assign unused = ^{c2, first, second};
    end else begin : g_three
      logic [Width-1:0] one, two, three;
      assign one = {c1[Width-2:0], first};
      assign two = {c2[Width-2:0], second};
      assign sum_word = s ^ one ^ two;
      assign three = (s & one) | (s & two) | (one & two);
      assign carries = {three[Width-2:0], top};
      always_ff @(posedge clk_i) begin
        first_q[j]  <= c1[Width-1];
        second_q[j] <= c2[Width-1];
        top_q[j]    <= three[Width-1];
      end
    end
    assign pending = {low[j+1][Rows-2], {(Width - 1) {1'b0}}};
    assign carry_word = (sum_word & carries) | (pending & (sum_word | carries));
    always_ff @(posedge clk_i) begin
      s_q <= sum_word ^ carries ^ pending;
      c_q <= carry_word;
    end
    assign s_o[j] = WordBits'(s_q);
    assign c_o[j] = WordBits'(c_q);
  end
  logic unused_top;
  assign unused_top = ^{low[0], q_own[Words:1], first_q[Words], second_q[Words], top_q[Words]};
endmodule
