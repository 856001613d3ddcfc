// SPDX-License-Identifier: Apache-2.0

/// Multiplier by four-parts splitting: ten products of parts instead of sixteen.
///
/// p_o = a * b
/// Precondition: with Signed = 0, a and b are not negative.
/// Latency: 2 cycles plus the logic after the second register; one pair per cycle.
/// With B = 2^Part, Pi = ai bi and Nij = (ai - aj) (bj - bi), ai bj + aj bi = Pi + Pj + Nij, and so
///   low  = P0 + (P0 + P1 + N10) B + P1 B^2
///   high = P2 + (P2 + P3 + N32) B + P3 B^2
///   mid  = (P0 + P2 + N20) + (P0 + P1 + P2 + P3 + N30 + N21) B + (P1 + P3 + N31) B^2
///   a b  = low + mid B^2 + high B^4.
/// Source: karatsuba-2018, Equation 4, with its sums in another order.
/// Example, Part = 4: a = 0x1234, b = 0x0005 -> p = 0x5b04.
module montcore_karatsuba_four #(
    parameter int unsigned Part = 16,  // Width of a part in bits, 2 or more.
    /// Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles,
    parameter bit Signed = 1'b1,  // 1: a and b may be negative; 0: they are not.
    localparam int unsigned Width = 4 * Part + 1  // Width of a factor in bits.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, a new one in each cycle.
    input logic [Width-1:0] b_i,  // Second factor, a new one in each cycle.
    output logic [2*Width-1:0] p_o  // Product of the factors of two cycles before.
);
  localparam bit Tree = Style == montcore_karatsuba_pkg::StyleTree;
  localparam int unsigned FactorBits = Part + 1 + 32'(Signed);
  localparam int unsigned ProductBits = 2 * FactorBits;
  localparam int unsigned SumBits = 2 * Part + 5;
  localparam int unsigned Products = 10;

  logic [Products-1:0][FactorBits-1:0] a_side, b_side;
  logic [Products-1:0][SumBits-1:0] product;
  montcore_karatsuba_factors #(
      .Part  (Part),
      .Signed(Signed)
  ) u_factors (
      .a_i,
      .b_i,
      .a_o(a_side),
      .b_o(b_side)
  );
  for (genvar i = 0; i < Products; i++) begin : g_product
    logic [ProductBits-1:0] whole;
    montcore_karatsuba_product #(
        .Width(FactorBits),
        .Style(Style)
    ) u_product (
        .clk_i,
        .a_i(a_side[i]),
        .b_i(b_side[i]),
        .p_o(whole)
    );
    if (i < (Signed ? 3 : 4)) begin : g_positive
      logic unused_sign;
      assign product[i]  = SumBits'(whole[2*Part-1:0]);
      assign unused_sign = ^whole[ProductBits-1:2*Part];
    end else begin : g_any
      assign product[i] = {{(SumBits - ProductBits) {whole[ProductBits-1]}}, whole};
    end
  end

  // The terms at the powers of B: in low, in high, and in mid from its lowest power. Sums that are
  // used twice are kept separate: see `montcore_sum`.
  (* keep *) logic [SumBits-1:0] even, odd, crossed;
  logic [4:0][SumBits-1:0] middle;
  assign even = product[0] + product[2];
  assign odd = product[1] + product[3];
  assign crossed = product[8] + product[9];
  assign middle[2] = even + product[6];
  assign middle[4] = odd + product[7];
  for (genvar i = 0; i < 2; i++) begin : g_middle
    montcore_sum #(
        .Rows (3),
        .Width(SumBits),
        .Tree (Tree)
    ) u_sum (
        .rows_i ({product[4+i], product[2*i+1], product[2*i]}),
        .carry_i(1'b0),
        .sum_o  (middle[i])
    );
  end
  montcore_sum #(
      .Rows (3),
      .Width(SumBits),
      .Tree (Tree)
  ) u_mid (
      .rows_i ({crossed, odd, even}),
      .carry_i(1'b0),
      .sum_o  (middle[3])
  );

  localparam int unsigned OuterBits = 8 * Part + 2;
  localparam int unsigned MidBits = SumBits + 2 * Part;
  logic [OuterBits-1:0] outer;
  logic [  MidBits-1:0] mid;
  logic [SumBits-1:0] mid_1, mid_2;

  assign outer[Part-1:0] = product[0][Part-1:0];
  assign outer[4*Part-1:Part] =
      {product[1][2*Part-1:0], product[0][2*Part-1:Part]} + (3 * Part)'(middle[0][2*Part:0]);
  assign outer[5*Part-1:4*Part] = product[2][Part-1:0];
  assign outer[OuterBits-1:5*Part] = {product[3][2*Part+1:0], product[2][2*Part-1:Part]} +
      {{(Part - 1) {middle[1][2*Part+2]}}, middle[1][2*Part+2:0]};
  assign mid_1 = middle[3] + {{Part{middle[2][SumBits-1]}}, middle[2][SumBits-1:Part]};
  assign mid_2 = middle[4] + {{Part{mid_1[SumBits-1]}}, mid_1[SumBits-1:Part]};
  assign mid = {mid_2, mid_1[Part-1:0], middle[2][Part-1:0]};

  logic unused_middle;
  assign unused_middle = ^middle;

  // Final addition of outer and middle terms.
  assign p_o = {
    outer[OuterBits-1:2*Part] + {{(OuterBits - 2 * Part - MidBits) {mid[MidBits-1]}}, mid},
    outer[2*Part-1:0]
  };
endmodule
