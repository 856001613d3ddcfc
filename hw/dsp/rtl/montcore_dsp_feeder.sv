// SPDX-License-Identifier: Apache-2.0

/// Reads an operand of 32-bit words from a memory and makes pairs of 17-bit words of it.
///
/// pair p = bits 34 p .. 34 p + 33 of the operand, zeros beyond its words
/// Precondition: start_i only while idle; words_i and pairs_i held; 34 pairs_i >= 32 words_i.
/// Latency: the first pair two ticks after start_i, then one a tick, with a gap after each 16.
/// Every word leaves 2 bits less behind than the one before it, so that 17 words make 16 pairs.
/// Example, word 0 = 0xffffffff, word 1 = 0x5: pair 0 = 0x1ffffffff, pair 1 = 0x1.
module montcore_dsp_feeder #(
    /// Bits of a word count.
    parameter int unsigned WordCountBits = 5,
    /// Bits of a pair count.
    parameter int unsigned PairBits = 5
) (
    /// Clock, rising edge.
    input  logic                     clk_i,
    /// The edge counts.
    input  logic                     tick_i,
    /// Synchronous reset, active low.
    input  logic                     rst_ni,
    /// Clear everything.
    input  logic                     clear_i,
    /// Words of the operand.
    input  logic [WordCountBits-1:0] words_i,
    /// Pairs to make.
    input  logic [     PairBits-1:0] pairs_i,
    /// Begin.
    input  logic                     start_i,
    /// Word that is read.
    output logic [WordCountBits-1:0] index_o,
    /// Word that is read in the next cycle, for a memory with a registered output.
    output logic [WordCountBits-1:0] next_o,
    /// Word index_o.
    input  logic [             31:0] word_i,
    /// A pair.
    output logic                     valid_o,
    /// The pair, low word first; valid with valid_o.
    output logic [             33:0] pair_o,
    /// It is the last one.
    output logic                     last_o
);
  logic run_q, more, within_q, last_q;
  logic [WordCountBits-1:0] index_q;
  logic [PairBits-1:0] count_q, count_next;
  logic [4:0] left_q;  // pairs of bits in rest_q
  logic [31:0] rest_q, word;
  logic [63:0] shifted;

  // Whether the next word is one of the stream's is known a cycle before it.
  always_ff @(posedge clk_i) within_q <= next_o < words_i;
  assign word    = within_q ? word_i : '0;
  assign shifted = {32'd0, word} << {left_q, 1'b0};
  assign valid_o = run_q && left_q != 5'd0;
  assign pair_o  = {2'd0, rest_q} | shifted[33:0];
  assign last_o  = last_q;
  assign index_o = index_q;
  assign next_o  = !tick_i ? index_q : start_i ? '0 : index_q + WordCountBits'(more);
  assign more    = run_q && within_q;

  // So is whether the next pair is the last one: much waits for it.
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
