// SPDX-License-Identifier: Apache-2.0

/// The three multipliers of the lean schedule: eight of their nine cycles are used.
///
/// | cycle mod 3 | first          | second          | third                 |
/// | 0           | x0 y0          | x1 y1           | (T' mod 2^Half) n0'   |
/// | 1           | (T mod 2^Half) M', low and high  | |x1 - x0| |y1 - y0|   |
/// | 2           | q m, low and high half           | -                     |
/// T mod 2^Half is a result of the first in that cycle; q is a result of the third one cycle
/// before.
/// Precondition: input timing of `montcore_karatsuba_fast`.
/// Latency: 4 cycles from factors to product, 2 from addends.
/// Example, Half = 4: x = 0x53, y = 0x2a in a cycle 0, four cycles later outer_0_o = 3 * 0xa = 0x1e.
module montcore_karatsuba_trio #(
    parameter int unsigned Half = 128,  // Width of half a number in bits, even, 4 or more.
    /// 1: products of Half / 2 bits are computed directly; 2: they are split into four.
    parameter int unsigned Depth = 1,
    /// Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles,
    localparam int unsigned Bits = 2 * Half,
    localparam int unsigned ResultBits = Bits + 2
) (
    input logic clk_i,
    input logic [1:0] phase_i,  // Phase, 0 to 2; constant 2 while constants are computed.
    input logic [Bits-1:0] x_i,  // Operand x, valid in the cycle of its first products.
    input logic [Bits-1:0] y_i,  // Operand y, valid in the cycle of its first products.
    input logic [Half-1:0] x_distance_i,  // |x1 - x0|, one cycle after x_i.
    input logic [Half-1:0] y_distance_i,  // |y1 - y0|, one cycle after y_i.
    input logic [Half-1:0] low_i,  // T' mod 2^Half, or a factor while constants are computed.
    input logic [Half-1:0] inverse_i,  // Constant n0' = -1 / m mod 2^Half.
    input logic [Bits-1:0] scaled_i,  // Constant M' = 2^-Half mod m.
    input logic [Bits-1:0] m_i,  // Modulus m, constant.
    input logic [3*Half-1:0] upper_i,  // floor(T / 2^Half), added to the products with M'.
    input logic [Bits:0] kept_i,  // floor(T' / 2^Half), added to the products with m.
    output logic [Bits-1:0] outer_0_o,  // Product x0 y0, four cycles after x_i.
    output logic [Bits-1:0] outer_1_o,  // Product x1 y1, four cycles after x_i.
    /// Product |x1 - x0| |y1 - y0|, four cycles after its factors.
    output logic [Bits-1:0] distance_o,
    output logic [ResultBits-1:0] sum_0_o,  // Lower product with M' or m, plus its addend.
    output logic [ResultBits-1:0] sum_1_o,  // Higher product with M' or m, plus its addend.
    /// Product low_i * inverse_i mod 2^Half, four cycles after low_i.
    output logic [Half-1:0] next_o
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

  // Addends are due two cycles after the factors.
  assign addend[0] = (phase_i == 0) ? ResultBits'(upper_i[Bits-1:0]) : '0;
  assign addend[1] = (phase_i == 0) ? {2'b00, upper_i[3*Half-1:Bits], {Half{1'b0}}} :
      (phase_i == 1) ? ResultBits'(kept_i) : '0;

  for (genvar i = 0; i < 2; i++) begin : g_pair
    montcore_karatsuba_unit #(
        .Half (Half),
        .Depth(Depth),
        .Style(Style)
    ) u_unit (
        .clk_i,
        .a_i     (a[i]),
        .b_i     (b_pair[i*Half+:Half]),
        .addend_i(addend[i]),
        .result_o(result[i])
    );
  end
  montcore_karatsuba_unit #(
      .Half (Half),
      .Depth(Depth),
      .Style(Style),
      .Adds (0)
  ) u_third (
      .clk_i,
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
