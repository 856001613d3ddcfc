// SPDX-License-Identifier: Apache-2.0

/// Signed product of parts from nine DSP blocks of 18 x 18 bits, schoolbook, with short carry chains.
///
/// a * b = low_o + high_o * 2^Part; low_o is not negative and may exceed 2^Part, high_o is signed
/// Precondition: none.
/// Latency: 3 edges; one pair per cycle. The first edge loads the factors into the blocks, the
/// second the sums of products of equal weight, the third the results.
/// With digits of Digit bits, the highest signed, and pij = ai bj, w = 2^Digit:
///   a b = (p00 + p11 w^2 + p22 w^4) + (p01 + p10) w + (p02 + p20) w^2 + (p12 + p21) w^3.
/// No sum is longer than Part + 4 bits: results add up at several weights before a carry runs on.
/// Example, Part = 8: a = -3, b = 5 -> low - 256 + ... = -15, e.g. low = 241, high = -1.
module montcore_karatsuba_nine #(
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    parameter int unsigned Part = 48,  // Width of a part in bits, 8 to 53; a factor has one more.
    localparam int unsigned Digit = (Part + 2) / 3,  // Width of a digit but the highest.
    localparam int unsigned LowBits = 3 * Digit + 2,  // Width of low_o.
    localparam int unsigned HighBits = Part + 2  // Width of high_o.
) (
    input logic clk_i,
    input logic [Part:0] a_i,  // First factor, signed.
    input logic [Part:0] b_i,  // Second factor, signed.
    output logic [LowBits-1:0] low_o,  // Part of the product at weight 1, not negative.
    output logic [HighBits-1:0] high_o  // Part of the product at weight 2^Part, signed.
);
  // Widths: of the highest digit; of products of two lower digits.
  localparam int unsigned Top = Part + 1 - 2 * Digit;
  localparam int unsigned Double = 2 * Digit;
  // Bits of the products at weight w^2 that are below 2^Part; position of w^3 above 2^Part.
  localparam int unsigned Below = Part - Double;
  localparam int unsigned Above = 3 * Digit - Part;

  logic [2:0][2:0][Double+1:0] product;
  for (genvar i = 0; i < 3; i++) begin : g_row
    localparam int unsigned WidthA = (i == 2) ? Top : Digit;
    for (genvar j = 0; j < 3; j++) begin : g_column
      localparam int unsigned WidthB = (j == 2) ? Top : Digit;
      localparam int unsigned Width = WidthA + WidthB;
      localparam bit Signed = i == 2 || j == 2;
      logic [Width-1:0] whole;
      montcore_mul_signed #(
          .Tech           (Tech),
          .WidthA         (WidthA),
          .WidthB         (WidthB),
          .SignedA        (i == 2),
          .SignedB        (j == 2),
          .ProductRegister(i == j)
      ) u_block (
          .clk_i,
          .a_i(a_i[i*Digit+:WidthA]),
          .b_i(b_i[j*Digit+:WidthB]),
          .p_o(whole)
      );
      if (Width < 2 * Digit + 2) begin : g_extend
        assign product[i][j] = {{(2 * Digit + 2 - Width) {Signed && whole[Width-1]}}, whole};
      end else begin : g_whole
        assign product[i][j] = whole;
      end
    end
  end

  // Products of equal weight. Those on the diagonal are in the blocks' own registers.
  logic [Double:0] first_q;
  logic [Double+1:0] second_q, third_q;
  always_ff @(posedge clk_i) begin
    first_q  <= product[0][1][Double:0] + product[1][0][Double:0];
    second_q <= product[0][2] + product[2][0];
    third_q  <= product[1][2] + product[2][1];
  end

  // Results. The lowest digit is that of p00.
  localparam int unsigned RestBits = LowBits - Digit;
  logic [RestBits-1:0] rest;
  logic [HighBits-1:0] high;
  assign rest = RestBits'({product[1][1][Below-1:0], product[0][0][Double-1:Digit]}) +
      RestBits'(first_q) + RestBits'({second_q[Below-1:0], {Digit{1'b0}}});
  assign high = {product[2][2][2*Top-1:0], product[1][1][Double-1:Below]} +
      {{(HighBits - Double - 2 - Above) {third_q[Double+1]}}, third_q, {Above{1'b0}}} +
      {{(HighBits - Double - 2 + Below) {second_q[Double+1]}}, second_q[Double+1:Below]};
  always_ff @(posedge clk_i) begin
    low_o  <= {rest, product[0][0][Digit-1:0]};
    high_o <= high;
  end
endmodule
