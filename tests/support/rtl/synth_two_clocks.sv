// SPDX-License-Identifier: Apache-2.0

/// Test piece: an adder at clk_i between registers at clk2x_i.
///
/// z_o = a_i + b_i
/// Precondition: each rising edge of clk_i is one of clk2x_i, which is twice as fast.
/// Latency: one edge of clk2x_i, one of clk_i, one of clk2x_i.
/// Example: 3 + 5 = 8.
module synth_two_clocks #(
    parameter int unsigned Width = 8  // Bits of an operand.
) (
    input logic clk_i,  // Clock of the adder.
    input logic clk2x_i,  // Clock of operands and result.
    input logic [Width-1:0] a_i,  // First operand.
    input logic [Width-1:0] b_i,  // Second operand.
    output logic [Width-1:0] z_o  // Sum.
);
  logic [Width-1:0] a_q, b_q, sum_q;
  always_ff @(posedge clk2x_i) begin
    a_q <= a_i;
    b_q <= b_i ^ a_q;
    z_o <= sum_q;
  end
  always_ff @(posedge clk_i) sum_q <= a_q + b_q + sum_q;
endmodule
