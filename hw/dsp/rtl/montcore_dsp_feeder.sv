// SPDX-License-Identifier: Apache-2.0

/// Reads an operand of 32-bit words from a memory and converts it to pairs of 17-bit words.
///
/// pair p = bits 34 p .. 34 p + 33 of the operand, zero beyond its words
/// Precondition: start_i only while idle; words_i and pairs_i constant; 34 pairs_i >= 32 words_i.
/// Latency: the first pair two ticks after start_i, then one per tick, with a gap after each 16.
/// Each word leaves 2 bits fewer than the previous one, so that 17 words make 16 pairs.
/// Example, word 0 = 0xffffffff, word 1 = 0x5: pair 0 = 0x1ffffffff, pair 1 = 0x1.
module montcore_dsp_feeder #(
    /// Width of a word count in bits.
    parameter int unsigned WordCountBits = 5,
    /// Width of a pair count in bits.
    parameter int unsigned PairBits = 5
) (
    /// Clock, rising edge.
    input  logic                     clk_i,
    /// Clock enable of all registers that count.
    input  logic                     tick_i,
    /// Synchronous reset, active low.
    input  logic                     rst_ni,
    /// Synchronous clear, active high.
    input  logic                     clear_i,
    /// Words of the operand, constant while running.
    input  logic [WordCountBits-1:0] words_i,
    /// Pairs to output, constant while running.
    input  logic [     PairBits-1:0] pairs_i,
    /// Pulse of one tick: start reading an operand.
    input  logic                     start_i,
    /// Index of the word that is read.
    output logic [WordCountBits-1:0] index_o,
    /// Index of the word read in the next cycle, for a memory with a registered output.
    output logic [WordCountBits-1:0] next_o,
    /// Word index_o of the operand, in the same cycle.
    input  logic [             31:0] word_i,
    /// A pair is valid; there is no back-pressure.
    output logic                     valid_o,
    /// Pair, low word first; valid with valid_o.
    output logic [             33:0] pair_o,
    /// Last pair of the operand; valid with valid_o.
    output logic                     last_o
);
  logic run_q, more, within_q, last_q;
  logic [WordCountBits-1:0] index_q;
  logic [PairBits-1:0] count_q, count_next;
  logic [4:0] left_q;  // pairs of bits in rest_q
  logic [31:0] rest_q, word;
  logic [63:0] shifted;

  // A register predicts, one cycle ahead, whether the next word is one of the operand.
  always_ff @(posedge clk_i) within_q <= next_o < words_i;
  assign word    = within_q ? word_i : '0;
  assign shifted = {32'd0, word} << {left_q, 1'b0};
  assign valid_o = run_q && left_q != 5'd0;
  assign pair_o  = {2'd0, rest_q} | shifted[33:0];
  assign last_o  = last_q;
  assign index_o = index_q;
  assign next_o  = !tick_i ? index_q : start_i ? '0 : index_q + WordCountBits'(more);
  assign more    = run_q && within_q;

  // Likewise whether the next pair is the last one, on which much logic depends.
  assign count_next = !tick_i ? count_q : start_i ? '0 : count_q + PairBits'(valid_o);
  always_ff @(posedge clk_i) begin
    count_q <= count_next;
    last_q  <= count_next == pairs_i - 1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q <= 1'b0;
    end else if (tick_i) begin
      if (start_i) run_q <= 1'b1;
      else if (valid_o && last_o) run_q <= 1'b0;
    end
    index_q <= next_o;
    if (clear_i) begin
      rest_q <= '0;
    end else if (tick_i) begin
      if (start_i) begin
        left_q <= '0;
        rest_q <= '0;
      end else if (run_q) begin
        rest_q <= (left_q == 5'd0) ? word : {2'd0, shifted[63:34]};
        left_q <= (left_q == 5'd0) ? 5'd16 : left_q - 1;
      end
    end
  end
endmodule
