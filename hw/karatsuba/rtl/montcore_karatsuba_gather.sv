// SPDX-License-Identifier: Apache-2.0

/// Sums of the ten products of four-parts splitting, digit by digit, without carries between digits.
///
/// sum of digits_o[k] B^k = a b + (kept_i + unit_i) B^4 + offset mod B^8 4, with B = 2^Part,
/// offset = (2 + 4 B + 2 B^2 + 2 B^3) B^4; digits 0 to 6 are not negative and exceed B, and digit 7
/// has Part + 2 bits that count
/// Precondition: product k is low_i[k] + high_i[k] B, high_i signed, in the order of
/// `montcore_karatsuba_factors`; kept_i and unit_i are stable while the sums are computed.
/// Latency: 3 edges; ten products per cycle.
/// With Pi = Li + Hi B and Nij = Lij + Hij B:
///   r0 = L0,  r1 = H0 + L0 + L1 + L10,  r2 = H0 + H1 + H10 + L0 + L1 + L2 + L20,
///   r3 = H0 + H1 + H2 + H20 + L0 + L1 + L2 + L3 + L30 + L21,
///   r4 = H0 + H1 + H2 + H3 + H30 + H21 + L1 + L2 + L3 + L31,
///   r5 = H1 + H2 + H3 + H31 + L2 + L3 + L32,  r6 = H2 + H3 + H32 + L3,  r7 = H3.
/// Each Hij is made positive by adding 2 B. In r3 the 2 of H10 is subtracted again, in the digits
/// above it is the offset, so that these may add up before it is.
/// Source: karatsuba-2018, Equation 4, with its sums in another order.
/// Example, Part = 8: all products 0, kept_i = 0 -> digits 0, 0, 2 B, 2 B - 2, 4 B, 2 B, 2 B, 0.
module montcore_karatsuba_gather #(
    parameter int unsigned Part = 48,  // Width of a part in bits, 8 to 53.
    /// Width of the low part of a product.
    localparam int unsigned LowBits = 3 * ((Part + 2) / 3) + 2,
    localparam int unsigned HighBits = Part + 2,  // Width of the high part of a product.
    localparam int unsigned DigitBits = LowBits + 4  // Width of a digit of the result.
) (
    input logic clk_i,
    input logic [9:0][LowBits-1:0] low_i,  // Parts of the products at weight 1, not negative.
    input logic [9:0][HighBits-1:0] high_i,  // Parts of the products at weight 2^Part, signed.
    /// Number that is added to the high half, modulo 2^(4 Part + 2).
    input logic [4*Part+1:0] kept_i,
    input logic unit_i,  // One that is added to it.
    output logic [7:0][DigitBits-1:0] digits_o  // Digits of the sum, one in Part bits.
);
  localparam int unsigned First = LowBits + 1;
  localparam int unsigned Second = LowBits + 2;
  localparam int unsigned Third = DigitBits;
  typedef logic [First-1:0] first_t;
  typedef logic [Second-1:0] second_t;
  typedef logic [Third-1:0] third_t;

  // The products by name. A positive H has its sign inverted.
  logic [LowBits-1:0] l0, l1, l2, l3, l10, l32, l20, l31, l30, l21;
  logic [HighBits-1:0] h0, h1, h2, h3, h10, h32, h20, h31, h30, h21;
  assign {l21, l30, l31, l20, l32, l10, l3, l2, l1, l0} = low_i;
  assign {h3, h2, h1, h0} = high_i[3:0];
  localparam logic [HighBits-1:0] Sign = {1'b1, {(HighBits - 1) {1'b0}}};
  assign h10 = high_i[4] ^ Sign;
  assign h32 = high_i[5] ^ Sign;
  assign h20 = high_i[6] ^ Sign;
  assign h31 = high_i[7] ^ Sign;
  assign h30 = high_i[8] ^ Sign;
  assign h21 = high_i[9] ^ Sign;

  // The digits of the number to add.
  logic [Part-1:0] kept4, kept5, kept6;
  logic [Part+1:0] kept7;
  assign {kept7, kept6, kept5, kept4} = kept_i;

  // Level 1: two numbers each, of which the names remain.
  first_t l0_l1, l2_l3, h0_h1, h2_h3, h0_l10, l2_l20, h2_h20, h30_h21, l1_l31, h1_h31;
  first_t l30_l21, l32_kept5, l3_kept6;
  logic [LowBits-1:0] l0_a;
  logic [HighBits-1:0] h10_a, h32_a, h3_kept7;
  always_ff @(posedge clk_i) begin
    l0_l1 <= first_t'(l0) + first_t'(l1);
    l2_l3 <= first_t'(l2) + first_t'(l3);
    h0_h1 <= first_t'(h0) + first_t'(h1);
    h2_h3 <= first_t'(h2) + first_t'(h3);
    h0_l10 <= first_t'(h0) + first_t'(l10);
    l2_l20 <= first_t'(l2) + first_t'(l20);
    h2_h20 <= first_t'(h2) + first_t'(h20);
    h30_h21 <= first_t'(h30) + first_t'(h21);
    l1_l31 <= first_t'(l1) + first_t'(l31);
    h1_h31 <= first_t'(h1) + first_t'(h31);
    l32_kept5 <= first_t'(l32) + first_t'(kept5);
    l3_kept6 <= first_t'(l3) + first_t'(kept6);
    h3_kept7 <= h3 + kept7;
    l30_l21 <= first_t'(l30) + first_t'(l21);
    l0_a <= l0;
    h10_a <= h10;
    h32_a <= h32;
  end

  // Level 2: four numbers each; the letter is the place among the numbers of a digit.
  second_t r1_a, r2_a, r2_b, r3_a, r3_b, r4_a, r4_b, r4_c, r5_a, r5_b, r6_a;
  first_t r6_b;
  logic [First:0] r3_c;
  logic [LowBits-1:0] l0_b;
  logic [HighBits-1:0] r7_a;
  logic unused_carry;
  always_ff @(posedge clk_i) begin
    r1_a <= second_t'(l0_l1) + second_t'(h0_l10);
    r2_a <= second_t'(h0_h1) + second_t'(h10_a);
    r2_b <= second_t'(l0_l1) + second_t'(l2_l20);
    r3_a <= second_t'(h0_h1) + second_t'(h2_h20);
    r3_b <= second_t'(l0_l1) + second_t'(l2_l3);
    r3_c <= {1'b0, l30_l21} - (First + 1)'(2);
    r4_a <= second_t'(h0_h1) + second_t'(h2_h3);
    r4_b <= second_t'(h30_h21) + second_t'(l2_l3);
    {r4_c, unused_carry} <= {second_t'(l1_l31), 1'b1} + {second_t'(kept4), unit_i};
    r5_a <= second_t'(h2_h3) + second_t'(h1_h31);
    r5_b <= second_t'(l2_l3) + second_t'(l32_kept5);
    r6_a <= second_t'(h2_h3) + second_t'(h32_a);
    r6_b <= l3_kept6;
    r7_a <= h3_kept7;
    l0_b <= l0_a;
  end

  // Level 3: the digits.
  always_ff @(posedge clk_i) begin
    digits_o[0] <= third_t'(l0_b);
    digits_o[1] <= third_t'(r1_a);
    digits_o[2] <= third_t'(r2_a) + third_t'(r2_b);
    digits_o[3] <= third_t'(r3_a) + third_t'(r3_b) + {{(Third - First - 1) {r3_c[First]}}, r3_c};
    digits_o[4] <= third_t'(r4_a) + third_t'(r4_b) + third_t'(r4_c);
    digits_o[5] <= third_t'(r5_a) + third_t'(r5_b);
    digits_o[6] <= third_t'(r6_a) + third_t'(r6_b);
    digits_o[7] <= third_t'(r7_a);
  end
endmodule
