// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_dsp_feeder` for two arbitrary operands of Words words, and Pairs pairs.
///
/// a_pair: pair k is bits 34 k .. 34 k + 33 of each operand, zero above its words; pairs are in
/// order.
/// a_last: the last pair is marked, and no other.
/// a_next: next_o is index_o of the next cycle while an operand is read.
/// a_ahead: a reader that begins a tick after ahead_o finds each pair two ticks after it came.
/// a_once: ahead_o comes once, with the second pair or later, and no later than the last one.
/// a_state: the state left by the previous pairs, which makes the proof inductive.
module dsp_feeder_proof #(
    parameter int unsigned Words = 18,  // Number of 32-bit words of the operand.
    parameter int unsigned Pairs = 17   // Number of pairs of 17-bit words to output.
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic start_i  // High: start if idle.
);
  localparam int unsigned Bits = 34 * Pairs + 64;

  logic started_q = 1'b0;
  logic [1:0][32*Words-1:0] operand_q;  // any value, constant
  always_ff @(posedge clk_i) operand_q <= operand_q;
  logic [1:0][Bits-1:0] operand;
  logic [4:0] index, next, next_q;
  logic [1:0][31:0] word;
  logic valid, last, ahead, start, waiting_q = 1'b0;
  logic [1:0][33:0] pair;
  // Ticks since ahead_o.
  logic ahead_q = 1'b0;
  logic [5:0] reading_q = '0;
  // Ticks since the start and pairs so far; 0 when idle.
  logic busy_q = 1'b0;
  logic [5:0] ticks_q = '0, pairs_q = '0;

  for (genvar k = 0; k < 2; k++) begin : g_word
    assign operand[k] = Bits'(operand_q[k]);
    assign word[k]    = 32'(operand[k] >> (32 * 10'(index)));
  end
  assign start = start_i && started_q && !busy_q;

  montcore_dsp_feeder #(
      .Operands     (2),
      .WordCountBits(5),
      .PairBits     (5)
  ) u_dut (
      .clk_i,
      .tick_i,
      .rst_ni (started_q),
      .clear_i(1'b0),
      .words_i(5'(Words)),
      .pairs_i(5'(Pairs)),
      .start_i(start),
      .index_o(index),
      .next_o (next),
      .word_i (word),
      .valid_o(valid),
      .pair_o (pair),
      .last_o (last),
      .ahead_o(ahead)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    next_q    <= next;
    waiting_q <= started_q && (busy_q || (start && tick_i));
    if (started_q && tick_i) begin
      if (start) begin
        busy_q  <= 1'b1;
        ticks_q <= '0;
        pairs_q <= '0;
        ahead_q <= 1'b0;
      end else if (busy_q) begin
        ticks_q <= ticks_q + 1;
        if (valid) pairs_q <= pairs_q + 1;
        if (valid && last) busy_q <= 1'b0;
        if (ahead) begin
          ahead_q   <= 1'b1;
          reading_q <= 6'd1;
        end else if (ahead_q) begin
          reading_q <= reading_q + 1;
        end
      end
    end
  end

  logic [5:0] left;  // pairs of bits left over from the previous words
  logic [9:0] used;
  logic [1:0][Bits-1:0] rest;
  logic [5:0] gaps;
  assign gaps = 6'((Pairs - 1) / 16);
  assign left = (ticks_q == 0 || ticks_q == 17 || ticks_q == 34) ? '0 :
                (ticks_q > 17) ? 6'd34 - ticks_q : 6'd17 - ticks_q;
  assign used = 34 * 10'(pairs_q) + (`MUTANT ? 10'd2 : '0);
  for (genvar k = 0; k < 2; k++) begin : g_rest
    assign rest[k] = (operand[k] >> used) & ~(~Bits'(0) << (2 * 7'(left)));
  end

  always_comb begin
    if (started_q && busy_q) begin
      a_run : assert (u_dut.run_q && ticks_q < 6'd34 && pairs_q < 6'(Pairs));
      a_count : assert (32 * 10'(ticks_q) == 34 * 10'(pairs_q) + 2 * 10'(left));
      a_state :
      assert (u_dut.left_q == 5'(left) && u_dut.count_q == 5'(pairs_q) &&
              index == ((ticks_q < 6'(Words)) ? 5'(ticks_q) : 5'(Words)));
      a_within : assert (u_dut.within_q == (index < 5'(Words)));
      a_ends : assert (u_dut.last_q == (pairs_q == 6'(Pairs - 1)));
      a_low_rest : assert (u_dut.g_operand[0].rest_q == 32'(rest[0]));
      a_high_rest : assert (u_dut.g_operand[1].rest_q == 32'(rest[1]));
      // Pair k is read k + 1 ticks after ahead_o.
      a_lead : assert (6'(u_dut.lead_q) == ((ticks_q > gaps + 3) ? gaps + 6'd3 : ticks_q));
      a_once :
      assert (ahead == (ticks_q == gaps + 2) && (ahead || ahead_q == (ticks_q > gaps + 2)));
      if (ahead_q) begin
        a_reading : assert (reading_q == ticks_q - gaps - 6'd2);
        a_ahead : assert (pairs_q > reading_q);
      end
      if (valid) begin
        a_pair : assert (pair[0] == 34'(operand[0] >> used));
        a_other : assert (pair[1] == 34'(operand[1] >> used));
        a_last : assert (last == (pairs_q == 6'(Pairs - 1)));
      end
    end else if (started_q) begin
      a_idle : assert (!u_dut.run_q && !valid);
    end
    if (waiting_q) a_next : assert (index == next_q);
  end
endmodule
