// SPDX-License-Identifier: Apache-2.0

/// One of the products of a `karatsuba_unit`, in the form that suits the target.
///
/// Tree = 1: sum_o + carry_o = a * b + leaf_offset(Width), exactly, in 2 * Width bits.
/// Tree = 0: sum_o = a * b, signed; carry_o = 0.
/// Precondition: none.
/// Latency: 2 cycles, and the logic after the second register.
/// Example, Width = 4, Tree = 0: a = -3, b = 5 -> sum = -15.
module karatsuba_leaf #(
    /// Bits of each factor, 3 or more.
    parameter int unsigned Width = 65,
    /// 1: Booth tree (ASIC); 0: tiles for DSP blocks (FPGA, simulation).
    parameter bit Tree = 1'b0
) (
    /// Clock.
    input  logic               clk_i,
    /// First factor, signed.
    input  logic [  Width-1:0] a_i,
    /// Second factor, signed.
    input  logic [  Width-1:0] b_i,
    /// First half of the product.
    output logic [2*Width-1:0] sum_o,
    /// Second half of the product.
    output logic [2*Width-1:0] carry_o
);
  if (Tree) begin : g_tree
    karatsuba_booth #(
        .Width(Width)
    ) u_booth (
        .clk_i  (clk_i),
        .a_i    (a_i),
        .b_i    (b_i),
        .sum_o  (sum_o),
        .carry_o(carry_o)
    );
  end else begin : g_tiles
    karatsuba_tiles #(
        .Width(Width)
    ) u_tiles (
        .clk_i(clk_i),
        .a_i  (a_i),
        .b_i  (b_i),
        .p_o  (sum_o)
    );
    assign carry_o = '0;
  end
endmodule
