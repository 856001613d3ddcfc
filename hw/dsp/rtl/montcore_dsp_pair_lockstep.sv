// SPDX-License-Identifier: Apache-2.0

/// The two multiplicand words of a block: as they are, or masked to a triangle of a square.
///
/// The memory holds 2 A for a square. Its part i multiplies word i of A, b, by
///   upper triangle: A_i 2^17i + 2 (A_(i+1) 2^17(i+1) + ...): b in word i, the words of 2 A above it,
///     the lowest of them without bit 0, which is that of A_i
///   lower triangle: A_i 2^17i + 2 (A mod 2^17i): the words of 2 A below word i, and b + h in word i,
///     h the top bit of A_(i-1); it may carry into word i + 1. So both are below 2 A, word by word.
/// Precondition: word_i and edge_i, near_i as `montcore_dsp_pair_row` makes them: word i of the upper
/// triangle, word i + 1 of the lower one.
/// Latency: 0.
/// Source: dsp48-2007, Figure 4, whose blocks have no such selection.
/// Example, lower_i, edge_i, word_i = 1, slot_i = 0, b = 0x1ffff, h = 1: pair (0, 1).
module montcore_dsp_pair_lockstep #(
    parameter int unsigned SlotBits = 1  // Width of a pair index in bits.
) (
    input logic [33:0] pair_i,  // Pair of the memory, low word first.
    input logic [SlotBits-1:0] slot_i,  // Index of the pair in the block.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic none_i,  // High: the block has no part of the half-iteration.
    input logic lower_i,  // High: the triangle is the lower one.
    input logic edge_i,  // High: the border is in this block.
    /// High: the border is in the next block below (upper triangle) or above (lower triangle).
    input logic near_i,
    input logic [SlotBits:0] word_i,  // Word of the border in its block.
    input logic [16:0] operand_i,  // Operand of the half-iteration, b.
    input logic above_i,  // Top bit of the word of A below b; low for the upper triangle.
    output logic [33:0] pair_o  // Multiplicand pair, low word first.
);
  logic [16:0] diagonal;
  logic over, lowest, highest;
  // b + h, and its carry, which is 1 only if it leaves 0.
  assign diagonal = operand_i + 17'(above_i);
  assign over     = above_i && operand_i == '1;
  assign lowest   = near_i && !lower_i && word_i == {last_slot_i, 1'b1};
  assign highest  = near_i && lower_i && word_i == '0;

  for (genvar w = 0; w < 2; w++) begin : g_word
    logic [SlotBits+1:0] place, border;
    logic [16:0] masked;
    logic at, next, outside, own;
    assign place = (SlotBits + 2)'({slot_i, 1'(w)});
    assign border = (SlotBits + 2)'(word_i);
    // At the border: word i, or i + 1 for the lower triangle; next to it i + 1, or i.
    assign at = edge_i && place == border;
    assign next = edge_i && (lower_i ? place + 1 == border : place == border + 1);
    assign outside = none_i || (edge_i && (lower_i ? place > border : place < border));
    if (w == 0) begin : g_low
      // Without bit 0 in the word above the border.
      assign own = lower_i && next;
      assign masked = {pair_i[16:1], pair_i[0] && !(!lower_i && next) && !(lowest && slot_i == '0)};
    end else begin : g_high
      assign own = lower_i && (next || (highest && slot_i == last_slot_i));
      assign masked = {pair_i[33:18], pair_i[17] && !(!lower_i && next)};
    end
    assign pair_o[17*w+:17] = (masked & {17{!at && !own && !outside}}) |
                              (diagonal & {17{(at && !lower_i) || own}}) |
                              17'(at && lower_i && over);
  end
endmodule
