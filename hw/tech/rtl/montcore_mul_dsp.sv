// SPDX-License-Identifier: Apache-2.0

/// Multiplier for FPGAs: inferred, or, for words of 18 to 34 bits, four DSP blocks in one cascade.
///
/// p_o = a * b mod 2^OutWidth
/// Precondition: OutWidth <= 2 * Width.
/// Latency: 0.
/// Words are cut at 17 bits and the cascade shifts by 17 bits, so all additions are inside the
/// blocks; a product of which only the low word is needed omits the fourth block.
/// Example, Width = 32: a = 0x80000001, b = 3 -> p = 0x180000003.
module montcore_mul_dsp #(
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    parameter int unsigned Width = 32,  // Width of each factor in bits.
    parameter int unsigned OutWidth = 2 * Width  // Width of the product in bits.
) (
    input logic [Width-1:0] a_i,  // First factor, unsigned.
    input logic [Width-1:0] b_i,  // Second factor, unsigned.
    output logic [OutWidth-1:0] p_o  // Product modulo 2^OutWidth, combinational.
);
  localparam int unsigned Tile = 17;

  if (Width > Tile && Width <= 2 * Tile && OutWidth > Tile) begin : g_cascade
    // The products of low and low, high and low, low and high, and high and high digits.
    localparam int unsigned Blocks = (OutWidth > 2 * Tile) ? 4 : 3;
    logic [1:0][Tile-1:0] a, b;
    logic [3:0][47:0] p;
    logic [4:0][47:0] cascade;
    logic unused_bits;

    assign a = (2 * Tile)'(a_i);
    assign b = (2 * Tile)'(b_i);
    assign cascade[0] = '0;
    for (genvar k = 0; k < Blocks; k++) begin : g_block
      montcore_mul_add #(
          .Tech(Tech),
          .Source((k == 0) ? montcore_mul_add_pkg::AddNothing :
                  (k == 2) ? montcore_mul_add_pkg::AddCascade : montcore_mul_add_pkg::AddShifted)
      ) u_mul_add (
          .clk_i    (1'b0),
          .first_i  (1'b0),
          .carry_i  (1'b0),
          .a_i      (a[k%2]),
          .b_i      (b[k/2]),
          .cascade_i(cascade[k]),
          .p_o      (p[k]),
          .cascade_o(cascade[k+1])
      );
    end
    if (Blocks == 3) begin : g_low_only
      assign p[3] = '0;
      assign cascade[4] = '0;
    end
    assign p_o = OutWidth'({p[3][2*Tile-1:0], p[2][Tile-1:0], p[0][Tile-1:0]});
    assign unused_bits = ^{p, cascade};
  end else begin : g_inferred
    assign p_o = OutWidth'((2 * Width)'(a_i) * (2 * Width)'(b_i));
  end
endmodule
