// SPDX-License-Identifier: Apache-2.0

/// The four multipliers of the fast schedule; each is busy in both of its cycles.
///
/// In even cycles they compute x0 y0, x1 y1, and (T mod 2^Half) M'; in odd ones (T' mod 2^Half)
/// n0', |x1 - x0| |y1 - y0|, and q m. Both T mod 2^Half and q are the low half of the result of the
/// first.
/// Precondition: input timing of `montcore_karatsuba_fast`.
/// Latency: 4 cycles from factors to product, 2 from addends.
/// Example, Half = 4: x = 0x53, y = 0x2a, four cycles after an even one outer_0_o = 3 * 0xa = 0x1e.
module montcore_karatsuba_quartet #(
    parameter int unsigned Half = 128,  // Width of half a number in bits, even, 4 or more.
    /// 1: products of Half / 2 bits are computed directly; 2: they are split into four.
    parameter int unsigned Depth = 1,
    /// Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles,
    localparam int unsigned Bits = 2 * Half,
    localparam int unsigned ResultBits = Bits + 2
) (
    input logic clk_i,
    input logic [1:0] phase_i,  // Phase, 0 or 1; constant 1 while constants are computed.
    input logic setup_i,  // High while constants are computed.
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
  logic odd, unused_phase;
  logic [3:0][ResultBits-1:0] result;
  logic [Half-1:0] again;
  logic [ResultBits-1:0] addend_0, addend_1;

  assign odd = phase_i[0];
  assign unused_phase = phase_i[1];
  assign again = result[0][Half-1:0];
  assign addend_0 = odd ? '0 : ResultBits'(upper_i[Bits-1:0]);
  assign addend_1 = !odd ? {2'b00, upper_i[3*Half-1:Bits], {Half{1'b0}}} :
      setup_i ? '0 : ResultBits'(kept_i);

  montcore_karatsuba_unit #(
      .Half (Half),
      .Depth(Depth),
      .Style(Style),
      .Adds (0)
  ) u_first (
      .clk_i,
      .a_i     (odd ? low_i : x_i[Half-1:0]),
      .b_i     (odd ? inverse_i : y_i[Half-1:0]),
      .addend_i(ResultBits'(0)),
      .result_o(result[0])
  );
  montcore_karatsuba_unit #(
      .Half (Half),
      .Depth(Depth),
      .Style(Style),
      .Adds (0)
  ) u_second (
      .clk_i,
      .a_i     (odd ? x_distance_i : x_i[Bits-1:Half]),
      .b_i     (odd ? y_distance_i : y_i[Bits-1:Half]),
      .addend_i(ResultBits'(0)),
      .result_o(result[1])
  );
  montcore_karatsuba_pair #(
      .Half (Half),
      .Depth(Depth),
      .Style(Style)
  ) u_pair (
      .clk_i,
      .a_i     (again),
      .b_i     (odd ? m_i : scaled_i),
      .addend_i({addend_1, addend_0}),
      .result_o(result[3:2])
  );

  assign outer_0_o  = result[0][Bits-1:0];
  assign outer_1_o  = result[1][Bits-1:0];
  assign distance_o = result[1][Bits-1:0];
  assign sum_0_o    = result[2];
  assign sum_1_o    = result[3];
  assign next_o     = again;
endmodule
