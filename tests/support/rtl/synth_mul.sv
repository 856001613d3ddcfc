// SPDX-License-Identifier: Apache-2.0

/// A registered multiplier, the smallest design that every synthesis target has to get right.
///
/// z = a * b
/// Precondition: none.
/// Latency: 2 cycles.
/// Example, Width = 4: a = 3, b = 5 gives z = 15.
module synth_mul #(
    parameter int unsigned Width = 8  // Bits of an operand.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // Multiplier.
    input logic [Width-1:0] b_i,  // Multiplicand.
    output logic [2*Width-1:0] z_o  // Product.
);
  logic [Width-1:0] a_q, b_q;

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    z_o <= (2 * Width)'(a_q) * (2 * Width)'(b_q);
  end
endmodule
