// SPDX-License-Identifier: Apache-2.0

/// `montcore_smm_quotient` built of three registered DSP blocks.
///
/// product_o = factor * multiplicand mod 2^WordBits, more_o = product_o + 2 mod 2^WordBits
/// Precondition: 17 < WordBits <= 34.
/// Latency: 2 cycles from multiplicand_i and the factor to product_o: the input registers of the DSP blocks,
/// then a register for the sum of their products.
/// Example, WordBits = 32: factor 3 taken, multiplicand 5; two cycles later product_o = 15, more_o = 17.
module montcore_smm_tile_quotient #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear of both factors, active high.
    input logic [WordBits-1:0] factor_i,  // Factor to load, with factor_load_i.
    input logic factor_load_i,  // Load enable of the factor.
    input logic [WordBits-1:0] multiplicand_i,  // Multiplicand, loaded at each edge.
    output logic [WordBits-1:0] product_o,  // Product of the factors loaded two edges ago.
    output logic [WordBits-1:0] more_o  // product_o + 2 mod 2^WordBits, with the same latency.
);
  localparam int unsigned Tile = 17;
  localparam int unsigned Rest = WordBits - Tile;
  logic [1:0][Tile-1:0] a, b;
  logic [2:0][2*Tile-1:0] p;
  logic [Rest-1:0] sum, carry;
  logic [WordBits-1:0] product_q;
  logic unused_high;

  assign a = (2 * Tile)'(factor_i);
  assign b = (2 * Tile)'(multiplicand_i);
  // The products of both low halves, and of a low and a high one; the high ones' product is not
  // needed.
  for (genvar i = 0; i < 3; i++) begin : g_tile
    montcore_mul_registered #(
        .Tech (Tech),
        .Width(Tile)
    ) u_tile (
        .clk_i,
        .clear_i,
        .a_load_i(factor_load_i),
        .a_i     (a[i/2]),
        .b_i     (b[i%2]),
        .p_o     (p[i])
    );
  end

  // The low half of the first product needs no adder; the rest is summed before the register.
  montcore_csa #(
      .Width(Rest)
  ) u_csa (
      .a_i    (p[0][WordBits-1:Tile]),
      .b_i    (p[1][Rest-1:0]),
      .c_i    (p[2][Rest-1:0]),
      .sum_o  (sum),
      .carry_o(carry)
  );
  always_ff @(posedge clk_i) product_q <= {sum + carry, p[0][Tile-1:0]};
  assign product_o = product_q;
  assign more_o = product_q + WordBits'(2);
  assign unused_high = ^p;
endmodule
