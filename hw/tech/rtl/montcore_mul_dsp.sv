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
    logic [Tile-1:0] a_low, a_high, b_low, b_high;
    logic [47:0] p_ll, p_hl, p_lh, from_ll, from_hl, from_lh;
    logic [3*Tile-1:0] upper;
    logic unused_bits;

    assign {a_high, a_low} = (2 * Tile)'(a_i);
    assign {b_high, b_low} = (2 * Tile)'(b_i);

    montcore_mul_add #(
        .Tech  (Tech),
        .Source(montcore_mul_add_pkg::AddNothing)
    ) u_low_low (
        .clk_i    (1'b0),
        .first_i  (1'b0),
        .a_i      (a_low),
        .b_i      (b_low),
        .cascade_i(48'd0),
        .p_o      (p_ll),
        .cascade_o(from_ll)
    );
    montcore_mul_add #(
        .Tech  (Tech),
        .Source(montcore_mul_add_pkg::AddShifted)
    ) u_high_low (
        .clk_i    (1'b0),
        .first_i  (1'b0),
        .a_i      (a_high),
        .b_i      (b_low),
        .cascade_i(from_ll),
        .p_o      (p_hl),
        .cascade_o(from_hl)
    );
    montcore_mul_add #(
        .Tech  (Tech),
        .Source(montcore_mul_add_pkg::AddCascade)
    ) u_low_high (
        .clk_i    (1'b0),
        .first_i  (1'b0),
        .a_i      (a_low),
        .b_i      (b_high),
        .cascade_i(from_hl),
        .p_o      (p_lh),
        .cascade_o(from_lh)
    );
    if (OutWidth > 2 * Tile) begin : g_high_high
      logic [47:0] p_hh, unused_cascade;
      montcore_mul_add #(
          .Tech  (Tech),
          .Source(montcore_mul_add_pkg::AddShifted)
      ) u_high_high (
          .clk_i    (1'b0),
          .first_i  (1'b0),
          .a_i      (a_high),
          .b_i      (b_high),
          .cascade_i(from_lh),
          .p_o      (p_hh),
          .cascade_o(unused_cascade)
      );
      logic unused_high;
      assign upper = {p_hh[2*Tile-1:0], p_lh[Tile-1:0]};
      assign unused_high = ^p_hh[47:2*Tile];
    end else begin : g_low_only
      logic unused_cascade;
      assign upper = (3 * Tile)'(p_lh[Tile-1:0]);
      assign unused_cascade = ^from_lh;
    end
    assign p_o = OutWidth'({upper, p_ll[Tile-1:0]});
    assign unused_bits = ^{p_ll, p_hl, p_lh, upper};
  end else begin : g_inferred
    assign p_o = OutWidth'((2 * Width)'(a_i) * (2 * Width)'(b_i));
  end
endmodule
