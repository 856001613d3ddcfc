// SPDX-License-Identifier: Apache-2.0

/// A number v, stored as v or v - m, doubled and reduced modulo m, beat by beat.
///
/// double: v := 2 v -+ m; subtract: v := v - m; correct: v := v, or v + m where v is negative
/// Precondition: m > 0; -m <= v < m, and 0 <= v < 2 m for subtract; beats in order, all of them.
/// Latency: 0 per beat; negative_o is valid in the cycle after the last beat.
/// A negative v is 2^(bits of all beats) too large, which negative_o indicates. So each doubling is
/// one addition, whose sign is known in advance (as in non-restoring division).
/// Example, m = 0x8b, v = 0x80: doubled 0x75; doubled again 0xea - 0x8b = 0x5f.
module montcore_modexp_adder #(
    parameter int unsigned Width = 32  // Beat width in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic step_i,  // A beat is processed in this cycle.
    input logic first_i,  // First beat of v; valid with step_i.
    input logic last_i,  // Last beat of v; valid with step_i.
    input logic double_i,  // Operation: double v.
    /// Operation: subtract m. If neither: correct, after which v is not negative.
    input logic subtract_i,
    input logic [Width-1:0] v_i,  // Beat of v, least significant first.
    input logic [Width-1:0] m_i,  // Beat of m with the same index.
    output logic [Width-1:0] sum_o,  // Beat of the new v, combinational.
    output logic negative_o  // High: v is negative; valid from the cycle after the last beat.
);
  logic negative_q, carry_q, shift_q, carry, carry_in, minus, use_m, negative;
  logic [Width-1:0] augend, addend;

  assign negative_o = negative_q;
  assign minus = subtract_i || (double_i && !negative_q);
  assign use_m = subtract_i || double_i || negative_q;
  assign augend = double_i ? {v_i[Width-2:0], shift_q && !first_i} : v_i;
  // minus implies use_m.
  assign addend = (m_i & {Width{use_m}}) ^ {Width{minus}};
  assign carry_in = first_i ? minus : carry_q;
  // An extra bit at the lower end is the carry in: one chain, even if tools handle three addends
  // badly.
  logic unused_bit;
  assign {carry, sum_o, unused_bit} = {1'b0, augend, 1'b1} + {1'b0, addend, carry_in};

  // Of the bit shifted out of the top beat and of the carry, 2 v - m >= 0 leaves one,
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
