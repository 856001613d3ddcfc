// SPDX-License-Identifier: Apache-2.0

/// Digits of q* = -V / M mod 2^(2 Radix), two a cycle: the 2-adic division at the end of a product.
///
/// V = 2^Radix T + U; q* has digits d from {-2, -1, 0, 1}, lowest first: d = -V / M mod 4, and V
/// becomes (V + d M) / 4. So d is plus or minus the two lowest bits of V.
/// Precondition: T mod 2^Radix comes a cycle after U; last_i is low for the next three cycles.
/// Latency: 3 cycles from last_i to the digits for Radix = 2 and 4, else 4; they stay.
/// Example, Radix = 2: M = 11, U = 1, T = 0 -> digits 1, 1: 1 + 5 x 11 = 56, hence d = {1, -1}:
/// 1 - 3 x 11 = -32 = -2 x 16.
module montcore_hr_divide #(
    /// Bits an iteration, even, 2 to 8.
    parameter int unsigned Radix = 4,
    /// Digits of q* (do not change).
    localparam int unsigned Digits = Radix
) (
    /// Clock, rising edge.
    input  logic                     clk_i,
    /// Synchronous reset, active low.
    input  logic                     rst_ni,
    /// High while zeros run through everything.
    input  logic                     clear_i,
    /// M mod 2^(2 Radix).
    input  logic [2*Radix-1:0]       m_i,
    /// U is there.
    input  logic                     last_i,
    /// U, and a cycle later T mod 2^Radix.
    input  logic [  Radix-1:0]       low_i,
    /// U, from the cycle after last_i until the next one.
    output logic [  Radix-1:0]       low_o,
    /// The digits, lowest first: {-2, -1, 1}.
    output logic [ Digits-1:0][ 2:0] digits_o
);
  localparam int unsigned Pairs = Radix / 2;
  localparam int unsigned Bits = 2 * Radix;
  // Digits of a half that are made in its first cycle, and in its second.
  localparam int unsigned Early = (Pairs < 2) ? Pairs : 2;
  localparam int unsigned Late = Pairs - Early;

  logic [2:0] stage_q;
  logic [Bits-1:0] rest_q, begins, after_one, after_two;
  logic [2:0] one, two;
  logic [Digits-1:0][2:0] digits_q;
  logic [Radix-1:0] low_q;

  function automatic logic [2:0] digit(logic [1:0] value, logic m_bit);
    return {value == 2'd2, value[0] & ~(value[1] ^ m_bit), value[0] & (value[1] ^ m_bit)};
  endfunction
  function automatic logic [Bits-1:0] add(logic [Bits-1:0] value, logic [Bits-1:0] m,
                                          logic [2:0] lines);
    logic [Bits-1:0] chosen, total;
    chosen = (m & {Bits{lines[0]}}) | (~m & {Bits{lines[1]}}) | (~(m << 1) & {Bits{lines[2]}});
    total  = value + chosen + Bits'(lines[1] | lines[2]);
    return total >> 2;
  endfunction

  assign begins = last_i ? Bits'(low_i) : rest_q;
  // -value / m mod 4 for m = 1 and 3 mod 4; m_i[1] tells which.
  assign one = digit(begins[1:0], m_i[1]);
  assign after_one = add(begins, m_i, one);
  assign two = digit(after_one[1:0], m_i[1]);
  assign after_two = add(after_one, m_i, two);

  // What is above the digits of V that are still to come is of no use: the sums are mod 2^Bits, and
  // less is right after each digit.
  logic [Bits-1:0] after_early, after_late;
  assign after_early = (Early == 2) ? after_two : after_one;
  assign after_late  = (Late == 2) ? after_two : (Late == 1) ? after_one : rest_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) stage_q <= '0;
    else stage_q <= {stage_q[1:0], last_i};
    if (clear_i) begin
      rest_q   <= '0;
      low_q    <= '0;
      digits_q <= '0;
    end else begin
      if (last_i) low_q <= low_i;
      rest_q <= (last_i || stage_q[1]) ? after_early
                                       : after_late + (Bits'(low_i) & {Bits{stage_q[0]}});
      for (int unsigned half = 0; half < 2; half++) begin
        if (half == 0 ? last_i : stage_q[1]) begin
          digits_q[Pairs*half] <= one;
          if (Early == 2) digits_q[Pairs*half+Early-1] <= two;
        end
        if (Late > 0 && (half == 0 ? stage_q[0] : stage_q[2])) begin
          digits_q[Pairs*half+Pairs-Late] <= one;
          if (Late == 2) digits_q[Pairs*half+Pairs-1] <= two;
        end
      end
    end
  end
  assign low_o = low_q;
  assign digits_o = digits_q;
endmodule
