// SPDX-License-Identifier: Apache-2.0

/// Words of S, S - M and S - 2 M in registers, least significant first; the comparison selects last.
///
/// After each step: plain_o = word of S, chosen_o = word of S - at_least * M, where at_least is 0, 1 or 2.
/// A word of S is low_i + carry_i + the carry of the word before.
/// Precondition: rst_i before the first step of a result; at_least_* valid from the cycle after that step.
/// Latency: 1 cycle from low_i, carry_i and m_i; 0 cycles (one level of selection) from at_least_*.
/// Example, WordBits = 4: S = 0x13, M = 0x0a, at_least_1_i: after two steps chosen_o was 9, then 0.
module montcore_smm_output_words #(
    parameter int unsigned WordBits  = 32,
    parameter int unsigned CarryBits = 3    // Width of the deferred carry of a word in bits.
) (
    input logic clk_i,
    input logic rst_i,  // Synchronous reset of the carries between words, active high.
    input logic step_i,  // Load the registers; also with rst_i, to clear them.
    input logic plus_one_i,  // Add one to S, with its first word.
    input logic [WordBits-1:0] low_i,  // Low bits of the word of S.
    input logic [CarryBits-1:0] carry_i,  // Deferred carry of the word below, of weight 1.
    input logic [WordBits-1:0] m_i,  // Word of M, of the same weight as low_i.
    input logic at_least_1_i,  // High: S is at least M.
    input logic at_least_2_i,  // High: S is at least 2 M.
    input logic mute_i,  // High: chosen_o is zero.
    output logic [WordBits-1:0] plain_o,  // Word of S.
    output logic [WordBits-1:0] chosen_o  // Word of S, S - M or S - 2 M.
);
  logic [2:0][WordBits-1:0] words_q;
  logic [WordBits-1:0] plain;
  logic [1:0][WordBits-1:0] multiples, differences;
  logic [1:0] enough, borrow_q;
  logic over, over_q, m_below_q;

  assign multiples = {{m_i[WordBits-2:0], m_below_q}, m_i};
  assign {over, plain} = {1'b0, low_i} + (WordBits + 1)'(carry_i) +
                         (WordBits + 1)'(over_q | plus_one_i);
  for (genvar i = 0; i < 2; i++) begin : g_multiple
    assign {enough[i], differences[i]} = {1'b0, plain} + {1'b0, ~multiples[i]} +
                                         (WordBits + 1)'(!borrow_q[i]);
  end

  always_ff @(posedge clk_i) begin
    if (step_i) words_q <= {differences, plain};
    if (rst_i) begin
      over_q    <= 1'b0;
      borrow_q  <= '0;
      m_below_q <= 1'b0;
    end else if (step_i) begin
      over_q    <= over;
      borrow_q  <= ~enough;
      m_below_q <= m_i[WordBits-1];
    end
  end

  assign plain_o = words_q[0];
  assign chosen_o = (words_q[0] & {WordBits{~(at_least_1_i | mute_i)}}) |
                    (words_q[1] & {WordBits{at_least_1_i & ~at_least_2_i & ~mute_i}}) |
                    (words_q[2] & {WordBits{at_least_2_i & ~mute_i}});
endmodule
