// SPDX-License-Identifier: Apache-2.0

/// The multipliers of the lean schedule, three of them: eight of their nine cycles are used.
///
/// | cycle mod 3 | first          | second          | third                 |
/// | 0           | x0 y0          | x1 y1           | (T' mod 2^Half) n0'   |
/// | 1           | (T mod 2^Half) M', low and high  | |x1 - x0| |y1 - y0|   |
/// | 2           | q m, low and high half           | -                     |
/// T mod 2^Half comes out of the first just then; q comes out of the third a cycle before.
/// Precondition: inputs at the cycles that `montcore_karatsuba_fast` keeps.
/// Latency: 4 cycles from factors to product, 2 from addends.
/// Example, Half = 4: x = 0x53, y = 0x2a in a cycle 0, four cycles later outer_0_o = 3 * 0xa = 0x1e.
module montcore_karatsuba_trio #(
    /// Bits of half a number, even, 4 or more.
    parameter int unsigned Half = 128,
    /// 1: products of Half / 2 bits are made whole; 2: they are split in four.
    parameter int unsigned Depth = 1,
    /// How they are made, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles,
    /// Bits of a number (do not change).
    localparam int unsigned Bits = 2 * Half,
    /// Bits of a product with an addend (do not change).
    localparam int unsigned ResultBits = Bits + 2
) (
    /// Clock, rising edge.
    input  logic                  clk_i,
    /// Which cycle of the three, 0 to 2; 2 while constants are made.
    input  logic [           1:0] phase_i,
    /// x.
    input  logic [      Bits-1:0] x_i,
    /// y.
    input  logic [      Bits-1:0] y_i,
    /// |x1 - x0|, a cycle later.
    input  logic [      Half-1:0] x_distance_i,
    /// |y1 - y0|, a cycle later.
    input  logic [      Half-1:0] y_distance_i,
    /// T' mod 2^Half, or a factor while constants are made.
    input  logic [      Half-1:0] low_i,
    /// n0'.
    input  logic [      Half-1:0] inverse_i,
    /// M'.
    input  logic [      Bits-1:0] scaled_i,
    /// m.
    input  logic [      Bits-1:0] m_i,
    /// floor(T / 2^Half), added to the products with M'.
    input  logic [    3*Half-1:0] upper_i,
    /// floor(T' / 2^Half), added to those with m.
    input  logic [        Bits:0] kept_i,
    /// x0 y0.
    output logic [      Bits-1:0] outer_0_o,
    /// x1 y1.
    output logic [      Bits-1:0] outer_1_o,
    /// |x1 - x0| |y1 - y0|.
    output logic [      Bits-1:0] distance_o,
    /// Lower product with M' or m, and what is added.
    output logic [ResultBits-1:0] sum_0_o,
    /// Higher product with M' or m, and what is added.
    output logic [ResultBits-1:0] sum_1_o,
    /// low_i * inverse_i mod 2^Half.
    output logic [      Half-1:0] next_o
);
  logic [2:0][ResultBits-1:0] result;
  logic [2:0][Half-1:0] a;
  logic [Half-1:0] b_third, again, digit_q;
  logic [Bits-1:0] b_pair;
  logic [1:0][ResultBits-1:0] addend;

  assign again = result[0][Half-1:0];
  assign a[0] = (phase_i == 0) ? x_i[Half-1:0] : (phase_i == 1) ? again : digit_q;
  assign a[1] = (phase_i == 0) ? x_i[Bits-1:Half] : (phase_i == 1) ? again : digit_q;
  assign b_pair = (phase_i == 0) ? y_i : (phase_i == 1) ? scaled_i : m_i;
  assign a[2] = (phase_i == 1) ? x_distance_i : low_i;
  assign b_third = (phase_i == 1) ? y_distance_i : inverse_i;

  // Two cycles after the factors.
  assign addend[0] = (phase_i == 0) ? ResultBits'(upper_i[Bits-1:0]) : '0;
  assign addend[1] = (phase_i == 0) ? {2'b00, upper_i[3*Half-1:Bits], {Half{1'b0}}} :
      (phase_i == 1) ? ResultBits'(kept_i) : '0;

  for (genvar i = 0; i < 2; i++) begin : g_pair
    montcore_karatsuba_unit #(
        .Half (Half),
        .Depth(Depth),
        .Style(Style)
    ) u_unit (
        .clk_i   (clk_i),
        .a_i     (a[i]),
        .b_i     (b_pair[i*Half+:Half]),
        .addend_i(addend[i]),
        .result_o(result[i])
    );
  end
  montcore_karatsuba_unit #(
      .Half (Half),
      .Depth(Depth),
      .Style(Style)
  ) u_third (
      .clk_i   (clk_i),
      .a_i     (a[2]),
      .b_i     (b_third),
      .addend_i(ResultBits'(0)),
      .result_o(result[2])
  );

  always_ff @(posedge clk_i) digit_q <= next_o;

  assign outer_0_o  = result[0][Bits-1:0];
  assign outer_1_o  = result[1][Bits-1:0];
  assign distance_o = result[2][Bits-1:0];
  assign sum_0_o    = result[0];
  assign sum_1_o    = result[1];
  assign next_o     = result[2][Half-1:0];
endmodule
