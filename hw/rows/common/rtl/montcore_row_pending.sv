// SPDX-License-Identifier: Apache-2.0

/// Adds to the words of two vectors the bits that were still on their way down when a result was
/// read out: half adders, and a full adder where such a bit belongs.
///
/// Over a whole result (words j = 0, 1, ...): the sum of all (a_o + b_o) 2^(j WordBits) = that of
/// all (a_i + b_i + pending_i 2^Place) 2^(j WordBits).
/// Precondition: words come one a cycle, the last with a top that carries nothing.
/// Latency: 0; the carry out of a word waits a cycle for the next.
/// Example, WordBits = 8, Place = 6: a = 0x41, b = 0x01, pending 1 -> a_o = 0x00, b_o = 0x82.
module montcore_row_pending #(
    /// Word size w in bits.
    parameter int unsigned WordBits = 32,
    /// Weight of a pending bit in its word.
    parameter int unsigned Place = WordBits - 2
) (
    /// Clock, rising edge.
    input  logic                clk_i,
    /// High while zeros run through everything.
    input  logic                clear_i,
    /// Word 0 is there.
    input  logic                first_i,
    /// Word of the first vector.
    input  logic [WordBits-1:0] a_i,
    /// Word of the second vector.
    input  logic [WordBits-1:0] b_i,
    /// The pending bit of this word.
    input  logic                pending_i,
    /// Word of the first vector.
    output logic [WordBits-1:0] a_o,
    /// Word of the second vector.
    output logic [WordBits-1:0] b_o
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
