// SPDX-License-Identifier: Apache-2.0

/// Adds the bits that were still in flight between blocks when a result was read to the words of
/// its two vectors: half adders, and a full adder at the bit that each pending bit belongs to.
///
/// Over a whole result (words j = 0, 1, ...): the sum of all (a_o + b_o) 2^(j WordBits) = that of
/// all (a_i + b_i + pending_i 2^Place) 2^(j WordBits).
/// Precondition: words come one per cycle; the top of the last word has no carry.
/// Latency: 0; the carry out of a word is delayed by one cycle for the next word.
/// Example, WordBits = 8, Place = 6: a = 0x41, b = 0x01, pending 1 -> a_o = 0x00, b_o = 0x82.
module montcore_row_pending #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Place = WordBits - 2  // Bit position of a pending bit in its word.
) (
    input logic clk_i,
    input logic clear_i,
    input logic first_i,  // High with word 0 of the vectors.
    input logic [WordBits-1:0] a_i,  // First vector, one word per cycle.
    input logic [WordBits-1:0] b_i,  // Second vector, one word per cycle.
    input logic pending_i,  // Pending bit of this word, of weight 2^Place.
    output logic [WordBits-1:0] a_o,  // First vector of the sum, one word per cycle.
    output logic [WordBits-1:0] b_o  // Second vector of the sum, one word per cycle.
);
  logic [WordBits-1:0] third, carry;
  logic carry_q;
  always_comb begin
    third        = '0;
    third[Place] = pending_i;
  end
  assign a_o   = a_i ^ b_i ^ third;
  assign carry = (a_i & b_i) | (third & (a_i | b_i));
  assign b_o   = {carry[WordBits-2:0], carry_q & ~first_i};
  always_ff @(posedge clk_i) carry_q <= carry[WordBits-1] & ~clear_i;
endmodule
