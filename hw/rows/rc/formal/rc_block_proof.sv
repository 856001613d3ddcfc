// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_rc_block`: each cycle preserves the value, from any state.
///
/// Values are integers in the weights of the block. The registers in step 0 are arbitrary.
/// a_exact: S and the carries out, of weight 2^Width, = half of the previous S (without its lowest bit)
/// + the late bit one place below the top + a B + q N + the carries in.
/// a_digit: with the digit that the lowest bit requires, it becomes 0 if the lowest bit of N is 1
/// and the second adder has no carry in.
/// a_clear: before the first iteration of a product S becomes zero.
module rc_block_proof #(
    parameter int unsigned Width = 8  // Width of the block in bits.
) (
    input logic clk_i,
    input logic clear_i,  // High: S becomes zero.
    input logic a_i,  // Bit of A of this iteration.
    input logic q_i,  // Quotient digit of this iteration.
    input logic late_i,  // Late bit: the lowest one of the block above.
    input logic [1:0] carry_i  // Carries of the block below, one per adder.
);
  logic [Width-1:0] s, b, n;
  logic [1:0] carry;
  logic q_own;

  montcore_rc_block #(
      .Width(Width)
  ) u_dut (
      .n_we_i (1'b0),
      .n_i    ('0),
      .b_we_i (1'b0),
      .b_i    ('0),
      .q_o    (q_own),
      .carry_o(carry),
      .s_o    (s),
      .*
  );
  assign b = u_dut.b_q;
  assign n = u_dut.n_q;

  localparam int unsigned Bits = Width + 3;
  logic started_q = 1'b0;
  logic own_q, clear_q;
  logic [Bits-1:0] want_q, late;
  assign late = `MUTANT ? '0 : Bits'(late_i) << (Width - 2);
  logic [Bits-1:0] gated, carries_in, found;
  assign gated = (a_i ? Bits'(b) : '0) + (q_i ? Bits'(n) : '0);
  assign carries_in = Bits'(carry_i[0]) + Bits'(carry_i[1]);
  assign found = Bits'(s) + ((Bits'(carry[0]) + Bits'(carry[1])) << Width);
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    clear_q   <= clear_i;
    own_q     <= q_i == q_own && n[0] && !carry_i[1];
    want_q    <= Bits'(s >> 1) + late + gated + carries_in;
  end
  always_comb begin
    if (started_q && !clear_q) a_exact : assert (found == want_q);
    if (started_q && !clear_q && own_q) a_digit : assert (!s[0]);
    if (started_q && clear_q) a_clear : assert (s == 0);
  end
endmodule
