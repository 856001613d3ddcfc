// SPDX-License-Identifier: Apache-2.0

/// Conversion of the digit-serial rows: carry-save words in, canonical words out.
///
/// Adds the two vectors word by word, adds or subtracts m word by word, and outputs the one of both
/// numbers that is in [0, m). Signed = 0: the result is below 2 m, and m is subtracted if the
/// difference is not negative; Signed = 1: the result is between -m and m (two's complement), and m
/// is added to a negative one.
/// Precondition: from first_i on, words 0 .. words_i of both vectors come one per cycle; a result
/// or an error comes only after reserve_i or while room_o is high.
/// Latency: z_valid_o words_i + 3 cycles after first_i.
/// Source: mmm-mx-2006; word-wise addition instead of the whole number keeps the carry chains
/// short.
/// Example, WordBits = 4, m = 0x8b, a = 0x99, b = 0x33 (a + b = 0xcc) -> z = 0x41.
module montcore_row_back #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    /// 1: the result is signed, between -m and m; 0: unsigned, below 2 m.
    parameter bit Signed = 1'b0,
    localparam int unsigned WordCountBits = $clog2(Words + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon the result; clear_i follows.
    input logic clear_i,
    /// Words of the modulus, constant while a product is in flight.
    input logic [WordCountBits-1:0] words_i,
    input logic m_we_i,  // Write enable of a word of M.
    input logic [WordCountBits-1:0] m_index_i,  // Index of the word of M, valid with m_we_i.
    input logic [WordBits-1:0] m_data_i,  // Word of M to write, valid with m_we_i.
    input logic reserve_i,  // Pulse: reserve the result memory for a product.
    output logic room_o,  // High: the result memory is free.
    input logic first_i,  // High with word 0 of the two vectors.
    /// First vector of the carry-save result, one word per cycle; zero at the end of a clear.
    input logic [WordBits-1:0] a_i,
    input logic [WordBits-1:0] b_i,  // Second vector of the carry-save result, likewise.
    input logic error_i,  // Pulse: answer with an error.
    input montcore_pkg::montcore_error_e error_code_i,  // Error code, valid with error_i.
    output logic done_o,  // Pulse: the result is complete, and its output starts.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o
);
  localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1;

  logic add_q, reduce_q, add_last, reduce_last_q, carry_q, borrow_q, take_other;
  logic [WordCountBits-1:0] add_index_q, reduce_index_q;
  logic [WordBits-1:0] m_word, m_q, sum_q, other;
  logic [WordBits:0] total, reduced;
  logic add;

  // Stage 1: sum of the two vectors.
  assign add = first_i || add_q;
  assign add_last = add_q && add_index_q == words_i;
  assign total = {1'b0, a_i} + {1'b0, b_i} + {{WordBits{1'b0}}, carry_q & add_q};
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_m (
      .clk_i,
      .we_i   (m_we_i),
      .wzero_i(clear_i),
      .waddr_i(AddrBits'(m_index_i)),
      .wdata_i(m_data_i),
      .raddr_i(AddrBits'(add_index_q)),
      .rdata_o(m_word)
  );

  // Stage 2: plus or minus m. The carry out of the addition is not used: the sign is in the word
  // above. reduce_index_q is the index of the word in stage 2.
  if (Signed) begin : g_plus
    assign reduced = {1'b0, sum_q} + {1'b0, m_q} + {{WordBits{1'b0}}, borrow_q};
  end else begin : g_minus
    assign reduced = {1'b0, sum_q} - {1'b0, m_q} - {{WordBits{1'b0}}, borrow_q};
  end
  assign other = reduced[WordBits-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      add_q          <= 1'b0;
      reduce_q       <= 1'b0;
      reduce_last_q  <= 1'b0;
      add_index_q    <= '0;
      reduce_index_q <= '0;
    end else begin
      add_q          <= first_i || (add_q && !add_last);
      add_index_q    <= (add && !add_last) ? add_index_q + 1 : '0;
      reduce_q       <= add;
      reduce_index_q <= add_index_q;
      reduce_last_q  <= add_last;
    end
  end
  // The row outputs zeros soon after clear_i has risen, so that sum_q, which ends the longest path,
  // need not be cleared.
  always_ff @(posedge clk_i) begin
    sum_q    <= total[WordBits-1:0];
    carry_q  <= total[WordBits] & add & ~clear_i;
    m_q      <= (clear_i || add_last) ? '0 : m_word;
    borrow_q <= reduced[WordBits] & reduce_q & ~reduce_last_q & ~clear_i;
  end
  // The word above the others is 0 or 1, and then M is 0 there.
  assign take_other = sum_q[0] || (!Signed && !borrow_q);

  logic write, unused_next;
  assign write = reduce_q && !reduce_last_q;
  montcore_row_output #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_output (
      .clear_row_i (AddrBits'(m_index_i)),
      .we_i        (write),
      .index_i     (AddrBits'(reduce_index_q)),
      .word_i      (sum_q),
      .other_i     (other),
      .last_i      (reduce_last_q),
      .take_other_i(take_other),
      .next_o      (unused_next),
      .*
  );
  logic unused;
  assign unused = ^{add_index_q, reduce_index_q, m_index_i};
endmodule
