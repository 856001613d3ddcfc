// SPDX-License-Identifier: Apache-2.0

/// One product of parts as a single number, in the implementation style of the target.
///
/// p_o = a * b
/// Precondition: none.
/// Latency: 2 cycles, plus the logic after the second register.
/// Example, Width = 4: a = -3, b = 5 -> p = -15.
module montcore_karatsuba_product #(
    parameter int unsigned Width = 65,  // Width of each factor in bits, 3 or more.
    /// Implementation style, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, signed.
    input logic [Width-1:0] b_i,  // Second factor, signed.
    output logic [2*Width-1:0] p_o  // Product, signed, of the factors of two cycles before.
);
  import montcore_karatsuba_pkg::ConstBits;
  import montcore_karatsuba_pkg::booth_offset;

  logic [2*Width-1:0] sum, carry;
  montcore_karatsuba_leaf #(
      .Width(Width),
      .Style(Style)
  ) u_leaf (
      .clk_i,
      .a_i,
      .b_i,
      .sum_o  (sum),
      .carry_o(carry)
  );
  if (Style == montcore_karatsuba_pkg::StyleTree) begin : g_tree
    localparam logic [ConstBits-1:0] WideOffset = booth_offset(Width);
    localparam logic [2*Width-1:0] Offset = WideOffset[2*Width-1:0];
    localparam logic [2*Width-1:0] Correction = ~Offset;
    montcore_sum #(
        .Rows (3),
        .Width(2 * Width)
    ) u_whole (
        .rows_i ({Correction, carry, sum}),
        .carry_i(1'b1),
        .sum_o  (p_o)
    );
  end else begin : g_whole
    logic unused_carry;
    assign p_o = sum;
    assign unused_carry = ^carry;
  end
endmodule
