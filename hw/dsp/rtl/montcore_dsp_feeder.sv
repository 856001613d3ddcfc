// SPDX-License-Identifier: Apache-2.0

/// Reads operands of 32-bit words from memories, in step, and converts them to pairs of 17-bit
/// words.
///
/// pair p = bits 34 p .. 34 p + 33 of an operand, zero beyond its words
/// Precondition: start_i only while idle; words_i and pairs_i constant; 34 pairs_i >= 32 words_i;
/// two pairs or more.
/// Latency: the first pair two ticks after start_i, then one per tick, with a gap after each 16. A
/// pair can be read from the second tick after its own on, by a reader that waits for ahead_o.
/// Each word leaves 2 bits fewer than the previous one, so that 17 words make 16 pairs.
/// Example, word 0 = 0xffffffff, word 1 = 0x5: pair 0 = 0x1ffffffff, pair 1 = 0x1.
module montcore_dsp_feeder #(
    parameter int unsigned Operands = 2,  // Number of operands.
    parameter int unsigned WordCountBits = 5,  // Width of a word count in bits.
    parameter int unsigned PairBits = 5  // Width of a pair count in bits.
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers that count.
    input logic rst_ni,
    input logic clear_i,
    input logic [WordCountBits-1:0] words_i,  // Words of an operand, constant while running.
    input logic [PairBits-1:0] pairs_i,  // Pairs to output, constant while running.
    input logic start_i,  // Pulse of one tick: start reading the operands.
    output logic [WordCountBits-1:0] index_o,  // Index of the word that is read.
    /// Index of the word read in the next cycle, for a memory with a registered output.
    output logic [WordCountBits-1:0] next_o,
    input logic [Operands-1:0][31:0] word_i,  // Word index_o of each operand, in the same cycle.
    output logic valid_o,  // A pair is valid; there is no back-pressure.
    /// Pair of each operand, low word first; valid with valid_o.
    output logic [Operands-1:0][33:0] pair_o,
    output logic last_o,  // Last pair of the operands; valid with valid_o.
    /// Pulse of one tick: a reader of one pair per tick that begins in the next tick stays behind.
    output logic ahead_o
);
  logic run_q, more, within_q, last_q;
  logic [WordCountBits-1:0] index_q;
  logic [PairBits-1:0] count_q, count_next;
  logic [4:0] left_q;  // pairs of bits in rest_q

  // A register predicts, one cycle ahead, whether the next word is one of the operand.
  always_ff @(posedge clk_i) within_q <= next_o < words_i;
  assign valid_o = run_q && left_q != 5'd0;
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
    if (!clear_i && tick_i) begin
      if (start_i) left_q <= '0;
      else if (run_q) left_q <= (left_q == 5'd0) ? 5'd16 : left_q - 1;
    end
  end

  // All gaps to come, and the two ticks from a pair to its reading, have passed since the first
  // pair.
  logic [PairBits-1:0] lead_q, gaps;
  assign gaps    = (pairs_i - 1) >> 4;
  assign ahead_o = run_q && lead_q == gaps + 2;
  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      if (start_i) lead_q <= '0;
      else if (lead_q <= gaps + 2) lead_q <= lead_q + 1;
    end
  end

  for (genvar k = 0; k < Operands; k++) begin : g_operand
    logic [31:0] rest_q, word;
    logic [63:0] shifted;
    assign word      = within_q ? word_i[k] : '0;
    assign shifted   = {32'd0, word} << {left_q, 1'b0};
    assign pair_o[k] = {2'd0, rest_q} | shifted[33:0];
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        rest_q <= '0;
      end else if (tick_i) begin
        if (start_i) rest_q <= '0;
        else if (run_q) rest_q <= (left_q == 5'd0) ? word : {2'd0, shifted[63:34]};
      end
    end
  end
endmodule
