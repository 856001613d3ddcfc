// SPDX-License-Identifier: Apache-2.0

/// One product of parts, in the implementation style of the target.
///
/// StyleTree: sum_o + carry_o = a * b + booth_offset(Width), exactly, in 2 * Width bits.
/// Other styles: sum_o = a * b, signed; carry_o = 0.
/// Precondition: none.
/// Latency: 2 cycles, plus the logic after the second register.
/// Example, Width = 4, Style = StyleTiles: a = -3, b = 5 -> sum = -15.
module montcore_karatsuba_leaf #(
    parameter int unsigned Width = 65,  // Width of each factor in bits, 3 or more.
    /// Implementation style, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, signed.
    input logic [Width-1:0] b_i,  // Second factor, signed.
    /// First word of the product in carry-save form, or the product.
    output logic [2*Width-1:0] sum_o,
    output logic [2*Width-1:0] carry_o  // Second word of the product in carry-save form, or zero.
);
  localparam bit Grid = Style == montcore_karatsuba_pkg::StyleGrid ||
                        Style == montcore_karatsuba_pkg::StyleColumns;
  if (Style == montcore_karatsuba_pkg::StyleTree) begin : g_tree
    logic [(Width+1)/2-1:0][3:0] code;
    montcore_karatsuba_recode #(
        .Width(Width)
    ) u_recode (
        .clk_i,
        .a_i,
        .code_o(code)
    );
    montcore_karatsuba_booth #(
        .Width(Width)
    ) u_booth (
        .clk_i,
        .code_i(code),
        .b_i,
        .sum_o,
        .carry_o
    );
  end else if (Grid) begin : g_grid
    montcore_karatsuba_grid #(
        .Width(Width)
    ) u_grid (
        .clk_i,
        .a_i,
        .b_i,
        .p_o(sum_o)
    );
    assign carry_o = '0;
  end else begin : g_tiles
    montcore_karatsuba_tiles #(
        .Width(Width)
    ) u_tiles (
        .clk_i,
        .a_i,
        .b_i,
        .p_o(sum_o)
    );
    assign carry_o = '0;
  end
endmodule
