// SPDX-License-Identifier: Apache-2.0

/// The array `mx` (Design 1): a row of cells for each of the k + 2 iterations, k = WordBits * Words.
///
/// S / 2 + C = A B R^-1 mod N, or N more, R = 2^(k + 2). Row i does iteration i, in two cycles;
/// then the next product follows. A and B move down the rows with their product; N is static, in
/// one copy per RowsPerCopy rows. Block j of a row works j cycles after block 0, so that a_i and
/// q_i drive one word of cells each.
/// Precondition: A and B (complete) are at the inputs in a cycle in which second_i is high.
/// Latency: with T the cycle after that, row i has its first cycle in T + 2 i, and word j of S and C
/// is valid in cycle T + 2 (k + 2) + j.
/// Source: mmm-mx-2006, Figures 2 and 3.
/// Example, WordBits = 8, Words = 1, N = 0x8b, A = 0x53, B = 0x2a -> S / 2 + C = 0x34 or 0xbf.
module montcore_mx_array_grid #(
    parameter int unsigned WordBits = 32,  // Width of a block in bits.
    parameter int unsigned Words = 4,  // Number of blocks of a row.
    parameter int unsigned RowsPerCopy = 16,  // Number of rows that share a copy of N.
    localparam int unsigned Bits = WordBits * Words
) (
    input logic clk_i,
    input logic second_i,  // High in the second cycle of an iteration of row 0, block 0.
    input logic [Bits-1:0] n_i,  // Modulus N, constant.
    input logic [Bits-1:0] a_i,  // Operand A, complete while second_i is high.
    input logic [Bits-1:0] b_i,  // Operand B, complete while second_i is high.
    /// Words of B in row 0, word j in cycles T + j and T + j + 1.
    output logic [Words-1:0][WordBits-1:0] b_o,
    output logic [Bits-1:0] n_o,  // Copy of N of the last rows.
    output logic [Words:0][WordBits-1:0] s_o,  // S of the last row, its sum bits.
    output logic [Words:0][WordBits-1:0] c_o  // C of the last row, its carry bits.
);
  localparam int unsigned Rows = Bits + 2;
  // The sum is below 2^(k + 3), as in montcore_mx_row.
  localparam int unsigned HeadBits = 3;

  // Word j of B is delayed by j cycles, as block j works j cycles later; bit i of A by 2 i cycles,
  // as row i does.
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
      .step_i (g_block[0].second[Bits-1:0]),
      .words_i(a_i),
      .words_o(digits[Bits-1:0])
  );
  assign digits[Rows-1:Bits] = '0;

  logic [Words+1:0][Rows-1:0] low;
  assign low[Words+1] = '0;
  for (genvar j = 0; j <= Words; j++) begin : g_block
    localparam bit Head = j == Words;
    localparam int unsigned Width = Head ? HeadBits : WordBits;
    // Per row: second cycle, bit of A, quotient digit, carry to the block above.
    logic [Rows-1:0] second, a_q, q, carry, carry_in;
    logic [Width-1:0] n_word, n_last, b_first, s, c;
    if (j == 0) begin : g_lowest
      // A row is in its second cycle when the row before is in its first.
      logic [Rows-1:1] second_q;
      always_ff @(posedge clk_i) begin
        second_q <= ~second[Rows-2:0];
        a_q      <= digits & second;
      end
      assign second = {second_q, second_i};
      assign q = low[0] & second;
      assign carry_in = '0;
    end else begin : g_upper
      logic [Rows-1:0] second_q, q_q;
      always_ff @(posedge clk_i) begin
        second_q <= g_block[j-1].second;
        a_q      <= g_block[j-1].a_q;
        q_q      <= g_block[j-1].q;
      end
      assign second = second_q;
      assign q = q_q;
      assign carry_in = g_block[j-1].carry;
    end
    montcore_mx_block #(
        .Width      (Width),
        .Rows       (Rows),
        .RowsPerCopy(RowsPerCopy)
    ) u_block (
        .clk_i,
        .n_we_i  (1'b1),
        .n_i     (n_word),
        .n_o     (n_last),
        // The last two rows add no multiple of B, the head adds none in any row.
        .b_we_i  (Head ? '0 : second & Rows'({Bits{1'b1}})),
        .b_i     (Head ? '0 : b_word[Head?0 : j][Width-1:0]),
        .b_o     (b_first),
        .second_i(second),
        .first_i (1'b1),
        .a_i     (Head ? '0 : a_q),
        .q_i     (Head ? '0 : q),
        .carry_i (carry_in),
        .carry_o (carry),
        .above_i (low[j+1]),
        .low_o   (low[j]),
        .s_o     (s),
        .c_o     (c)
    );
    assign s_o[j] = WordBits'(s);
    assign c_o[j] = WordBits'(c);
    if (Head) begin : g_head
      logic unused;
      assign n_word = '0;
      assign unused = ^{a_q, q, carry, n_last, b_first};
    end else begin : g_word
      assign n_word = n_i[WordBits*j+:WordBits];
      assign n_o[WordBits*j+:WordBits] = n_last;
      assign b_o[j] = b_first;
    end
  end
endmodule
