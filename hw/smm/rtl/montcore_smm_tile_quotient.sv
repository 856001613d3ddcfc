// SPDX-License-Identifier: Apache-2.0

/// `montcore_smm_quotient` built of three registered DSP blocks.
///
/// product_o = factor * multiplicand (+ 2) mod 2^WordBits
/// Precondition: 17 < WordBits <= 34.
/// Latency: 2 edges from multiplicand_i and the factor to product_o: the registers are those of the blocks.
/// Example, WordBits = 32: factor 3 loaded, multiplicand 5; two cycles later 15, with plus_two_i
/// 17.
module montcore_smm_tile_quotient #(
    /// Word size w in bits.
    parameter int unsigned WordBits = 32,
    /// Target technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    /// Clock, rising edge.
    input  logic                clk_i,
    /// Synchronous clear of both factors, active high.
    input  logic                clear_i,
    /// Factor to load, with factor_load_i.
    input  logic [WordBits-1:0] factor_i,
    /// Load enable of the factor.
    input  logic                factor_load_i,
    /// Sets the factor to 1, with priority.
    input  logic                factor_one_i,
    /// Multiplicand, loaded at each edge.
    input  logic [WordBits-1:0] multiplicand_i,
    /// High: add 2 to the product that is output.
    input  logic                plus_two_i,
    /// Product of the factors loaded two edges ago.
    output logic [WordBits-1:0] product_o
);
  localparam int unsigned Tile = 17;
  localparam int unsigned Rest = WordBits - Tile;
  logic [1:0][Tile-1:0] a, b;
  logic [2:0][2*Tile-1:0] p;
  logic [WordBits-1:0] sum, carry;
  logic unused_high;

  assign a = factor_one_i ? (2 * Tile)'(1) : (2 * Tile)'(factor_i);
  assign b = (2 * Tile)'(multiplicand_i);
  // The products of both low halves, and of a low and a high one; the high ones' product is not
  // needed.
  for (genvar i = 0; i < 3; i++) begin : g_tile
    montcore_mul_registered #(
        .Tech           (Tech),
        .Width          (Tile),
        .ProductRegister(1'b1)
    ) u_tile (
        .clk_i   (clk_i),
        .clear_i (clear_i),
        .a_load_i(factor_one_i || factor_load_i),
        .a_i     (a[i/2]),
        .b_i     (b[i%2]),
        .p_o     (p[i])
    );
  end

  montcore_csa #(
      .Width(WordBits)
  ) u_csa (
      .a_i    (p[0][WordBits-1:0]),
      .b_i    ({p[1][Rest-1:0], Tile'({plus_two_i, 1'b0})}),
      .c_i    ({p[2][Rest-1:0], Tile'(0)}),
      .sum_o  (sum),
      .carry_o(carry)
  );
  assign product_o   = sum + carry;
  assign unused_high = ^p;
endmodule
