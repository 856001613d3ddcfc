// SPDX-License-Identifier: Apache-2.0

/// A number v, kept as v or v - m, doubled and reduced modulo m, beat by beat.
///
/// double: v := 2 v -+ m; subtract: v := v - m; correct: v := v, or v + m where v is negative
/// Precondition: m odd; -m <= v < m, and 0 <= v < 2 m for subtract; beats in order, all of them.
/// Latency: 0 for a beat; negative_o is right in the cycle after the last beat.
/// A negative v is 2^(bits of all beats) too large, which negative_o tells. So each doubling is one
/// addition, and which one it is needs no look ahead (as in division without restoring).
/// Example, m = 0x8b, v = 0x80: doubled 0x75; doubled again 0xea - 0x8b = 0x5f.
module montcore_modexp_adder #(
    /// Bits of a beat.
    parameter int unsigned Width = 32
) (
    /// Clock, rising edge.
    input  logic             clk_i,
    /// Synchronous reset, active low.
    input  logic             rst_ni,
    /// Clear everything.
    input  logic             clear_i,
    /// A beat is used up.
    input  logic             step_i,
    /// It is the first one.
    input  logic             first_i,
    /// It is the last one.
    input  logic             last_i,
    /// Double v.
    input  logic             double_i,
    /// Subtract m. Neither: correct, after which v counts as not negative.
    input  logic             subtract_i,
    /// Beat of v.
    input  logic [Width-1:0] v_i,
    /// Beat of m.
    input  logic [Width-1:0] m_i,
    /// Beat of the new v.
    output logic [Width-1:0] sum_o,
    /// v is negative.
    output logic             negative_o
);
  logic negative_q, carry_q, shift_q, carry, carry_in, minus, use_m, negative;
  logic [Width-1:0] augend, addend;

  assign negative_o = negative_q;
  assign minus = subtract_i || (double_i && !negative_q);
  assign use_m = subtract_i || double_i || negative_q;
  assign augend = double_i ? {v_i[Width-2:0], shift_q && !first_i} : v_i;
  assign addend = (m_i ^ {Width{minus}}) & {Width{use_m}};
  assign carry_in = first_i ? minus : carry_q;
  // A bit more at the lower end is the carry in: one chain, whatever the tools make of three addends.
  logic unused_bit;
  assign {carry, sum_o, unused_bit} = {1'b0, augend, 1'b1} + {1'b0, addend, carry_in};

  // Of the bit that was shifted out of the top beat and of the carry, 2 v - m >= 0 leaves one,
  // 2 v + m >= 0 both, as a negative v is 2^bits too large, and twice that when it is doubled.
  assign negative = subtract_i ? !carry :
      double_i && (negative_q ? !(v_i[Width-1] && carry) : !(v_i[Width-1] || carry));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      negative_q <= 1'b0;
      carry_q    <= 1'b0;
      shift_q    <= 1'b0;
    end else if (step_i) begin
      carry_q <= carry;
      shift_q <= v_i[Width-1];
      if (last_i) negative_q <= negative;
    end
  end
endmodule
