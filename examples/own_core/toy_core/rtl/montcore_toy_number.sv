// SPDX-License-Identifier: Apache-2.0

/// Register of a number that comes one word at a time, least significant word first.
///
/// Writing word 0 sets the words above it to zero, so that a shorter number is whole.
/// Precondition: index_i below Words.
/// Latency: 1 cycle.
/// Example, Words = 2, WordBits = 4: index_i = 0, data_i = 0xb, then 1, 0x8 -> value_o = 0x8b.
module montcore_toy_number #(
    parameter int unsigned Words = 4,  // Length of the number in words.
    parameter int unsigned WordBits = 8,
    localparam int unsigned WordCountBits = $clog2(Words + 1)
) (
    input logic clk_i,
    input logic clear_i,  // High: the number becomes zero at this edge; has priority over we_i.
    input logic we_i,  // High: data_i is written at this edge.
    /// Position of data_i, 0 for the least significant word; valid with we_i.
    input logic [WordCountBits-1:0] index_i,
    input logic [WordBits-1:0] data_i,  // Word to write, valid with we_i.
    /// All words, word 0 in the lowest bits; updated one cycle after each write.
    output logic [Words*WordBits-1:0] value_o
);
  for (genvar i = 0; i < Words; i++) begin : g_word
    logic [WordBits-1:0] word_q;
    always_ff @(posedge clk_i) begin
      if (clear_i || (we_i && index_i == 0 && i != 0)) word_q <= '0;
      else if (we_i && index_i == WordCountBits'(i)) word_q <= data_i;
    end
    assign value_o[WordBits*i+:WordBits] = word_q;
  end
endmodule
