// SPDX-License-Identifier: Apache-2.0

/// The factors of the ten products of four-parts splitting.
///
/// With a = a3 2^(3 Part) + a2 2^(2 Part) + a1 2^Part + a0, and likewise b:
///   products 0 to 3 are Pi = ai bi, products 4 to 9 are Nij = (ai - aj) (bj - bi) for
///   ij = 10, 32, 20, 31, 30, 21; so ai bj + aj bi = Pi + Pj + Nij.
/// Precondition: with Signed = 0, a and b are not negative.
/// Latency: 0.
/// Source: karatsuba-2018, Algorithm 2, with the sign of Nij reversed.
/// Example, Part = 4: a = 0x1234, b = 0x0005 -> factors of product 4: 3 - 4 = -1 and 5 - 0 = 5.
module montcore_karatsuba_factors #(
    parameter int unsigned Part = 16,  // Width of a part in bits.
    parameter bit Signed = 1'b1,  // 1: a and b may be negative; 0: they are not.
    localparam int unsigned Width = 4 * Part + 1,  // Width of a number in bits.
    localparam int unsigned Products = 10,  // Number of products.
    /// Width of a factor (do not change): a part has Part + 1 bits with its sign; a difference with a
    /// negative part one more.
    localparam int unsigned FactorBits = Part + 1 + 32'(Signed)
) (
    input logic [Width-1:0] a_i,  // First number, split into four parts.
    input logic [Width-1:0] b_i,  // Second number, split into four parts.
    output logic [Products-1:0][FactorBits-1:0] a_o,  // First factors of the ten products, signed.
    output logic [Products-1:0][FactorBits-1:0] b_o  // Second factors of the ten products, signed.
);
  logic [3:0][FactorBits-1:0] a, b;
  for (genvar i = 0; i < 3; i++) begin : g_part
    assign a[i] = FactorBits'(a_i[i*Part+:Part]);
    assign b[i] = FactorBits'(b_i[i*Part+:Part]);
  end
  if (Signed) begin : g_signed
    assign a[3] = {a_i[Width-1], a_i[Width-1:3*Part]};
    assign b[3] = {b_i[Width-1], b_i[Width-1:3*Part]};
  end else begin : g_unsigned
    assign a[3] = a_i[Width-1:3*Part];
    assign b[3] = b_i[Width-1:3*Part];
  end

  assign a_o = {
    a[2] - a[1],
    a[3] - a[0],
    a[3] - a[1],
    a[2] - a[0],
    a[3] - a[2],
    a[1] - a[0],
    a[3],
    a[2],
    a[1],
    a[0]
  };
  assign b_o = {
    b[1] - b[2],
    b[0] - b[3],
    b[1] - b[3],
    b[0] - b[2],
    b[2] - b[3],
    b[0] - b[1],
    b[3],
    b[2],
    b[1],
    b[0]
  };
endmodule
