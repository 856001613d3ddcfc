// SPDX-License-Identifier: Apache-2.0

/// The flags that travel along a row of blocks, each block one cycle after the one below it.
///
/// first_o[j] in cycle c + j: block j is in the first cycle of a product that block 0 started in
/// cycle c = the cycle after begin_i. take_o[j] likewise, j cycles after take_i.
/// Precondition: none.
/// Latency: as above.
/// Example, Words = 2: begin_i -> y_we_o[0]; one cycle later first_o[0] and y_we_o[1].
module montcore_row_flags #(
    /// Words of an operand at the built width; there is one more block.
    parameter int unsigned Words = 8,
    localparam int unsigned WordCountBits = $clog2(Words + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    input logic all_i,  // High: the blocks above the words in use load Y as well.
    input logic begin_i,  // High: block 0 starts a product in the next cycle.
    input logic take_i,  // High: block 0 outputs its result in this cycle.
    input logic m_we_i,  // Write enable of a word of M.
    input logic [WordCountBits-1:0] m_index_i,  // Index of the word of M, valid with m_we_i.
    output logic [Words-1:0] m_we_o,  // Per block: write enable of its word of M.
    output logic [Words:0] y_we_o,  // Per block: write enable of its word of Y.
    /// Per block: first cycle of a product; one extra bit for the cycle after the last block.
    output logic [Words+1:0] first_o,
    output logic [Words:0] take_o,  // Per block: it outputs its result in this cycle.
    output logic word_first_o  // High: word 0 is at the output of the selectors.
);
  logic [Words+1:0] first_q;
  logic [  Words:1] take_q;
  logic [  Words:0] used;

  always_comb begin
    for (int unsigned block = 0; block <= Words; block++) begin
      used[block] = WordCountBits'(block) <= words_i;
    end
    for (int unsigned block = 0; block < Words; block++) begin
      m_we_o[block] = m_we_i && m_index_i == WordCountBits'(block);
    end
  end
  assign y_we_o  = {first_q[Words-1:0], begin_i} & (used | {(Words + 1) {all_i}});
  assign first_o = first_q;
  assign take_o  = {take_q, take_i};
  always_ff @(posedge clk_i) begin
    first_q <= {first_q[Words:0], begin_i};
    if (!rst_ni) begin
      take_q       <= '0;
      word_first_o <= 1'b0;
    end else begin
      // The last word has index words_i.
      take_q       <= take_o[Words-1:0] & used[Words:1];
      word_first_o <= take_i;
    end
  end
endmodule
