// SPDX-License-Identifier: Apache-2.0

/// Forms the pairs of a result from the pairs of S, and stores the latest quotient digits.
///
/// A product is S times 2^17 plus the last digit, a reduced one S / 2^17, whose low word is 0: the
/// pairs of both straddle those of S.
/// Precondition: the pairs of S come one per tick, lowest first; send_i is constant from the
/// first pair of a result to the last.
/// Latency: 1 tick from valid_i to valid_o, 2 for a reduced product.
/// Example: digit 5, then S = (3, 2), (1, 0) in words -> pairs (5, 3), (2, 1); reduced, S = (0, 2),
/// (1, 3) -> (2, 1), (3, 0).
module montcore_dsp_result #(
    parameter int unsigned PairBits = 5,  // Width of a pair count in bits.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic rst_ni,
    input logic clear_i,
    input logic [PairBits-1:0] pairs_i,  // Pairs of words of a result that is sent.
    input logic digit_valid_i,  // A quotient digit is complete.
    input logic [16:0] digit_i,  // Quotient digit, valid with digit_valid_i.
    /// The iteration whose first pair is added has an odd index; valid with digit_valid_i, first_i.
    input logic odd_i,
    /// Latest quotient digit of an iteration with an even index, registered.
    output logic [16:0] even_digit_o,
    /// Latest quotient digit of an iteration with an odd index, registered.
    output logic [16:0] odd_digit_o,
    input logic first_i,  // First pair of S of a result; valid with valid_i.
    /// High: the result is a reduced product; constant from first_i to the last pair.
    input logic reduced_i,
    input logic valid_i,  // A pair of S is valid.
    /// Pair of S, low word first; valid with valid_i, on an FPGA one tick later.
    input logic [33:0] sum_i,
    output logic valid_o,  // A pair of the result is valid.
    output logic [33:0] pair_o,  // Pair of the result, low word first; valid with valid_o.
    input logic send_i,  // High: the result is sent out of the engine.
    output logic send_valid_o,  // pair_o is a pair that is sent.
    output logic send_last_o  // Last pair of the result; valid with send_valid_o.
);
  logic first_q, valid_q, late_first_q, late_valid_q, first, sending_q;
  logic [16:0] even_digit_q, odd_digit_q, below_q;
  logic [33:0] sum;
  logic [PairBits-1:0] count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      valid_q      <= 1'b0;
      first_q      <= 1'b0;
      late_valid_q <= 1'b0;
      late_first_q <= 1'b0;
      sending_q    <= 1'b0;
      count_q      <= '0;
    end else if (tick_i) begin
      valid_q      <= valid_i;
      first_q      <= first_i;
      late_valid_q <= valid_q;
      late_first_q <= first_q;
      if (send_valid_o) begin
        sending_q <= !send_last_o;
        count_q   <= send_last_o ? '0 : count_q + 1;
      end
    end
    if (clear_i) begin
      even_digit_q <= '0;
      odd_digit_q  <= '0;
      below_q      <= '0;
    end else if (tick_i) begin
      if (digit_valid_i && !odd_i) even_digit_q <= digit_i;
      if (digit_valid_i && odd_i) odd_digit_q <= digit_i;
      // Below S in a result is the digit of the iteration before.
      if (valid_i || valid_q) below_q <= !first_i ? sum[33:17] : odd_i ? even_digit_q : odd_digit_q;
    end
  end
  if (Tech >= montcore_pkg::TechFpga) begin : g_registered
    // The row registers its sums, 0 beyond the last one; the pairs of a result come one per tick.
    assign sum = sum_i;
  end else begin : g_register
    logic [33:0] sum_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) sum_q <= '0;
      else if (tick_i && (valid_i || valid_q)) sum_q <= sum_i;
    end
    assign sum = sum_q;
  end
  assign even_digit_o = even_digit_q;
  assign odd_digit_o = odd_digit_q;
  assign first = reduced_i ? late_first_q : first_q;
  assign valid_o = reduced_i ? late_valid_q : valid_q;
  assign pair_o = {sum[16:0], below_q};
  assign send_valid_o = valid_o && (sending_q || (first && send_i));
  assign send_last_o = count_q == pairs_i - 1;
endmodule
