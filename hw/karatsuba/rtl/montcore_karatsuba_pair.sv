// SPDX-License-Identifier: Apache-2.0

/// Two multiply-adds of half-length numbers with a common factor.
///
/// result_o[k] = a * (half k of b) + addend[k] mod 2^(2 Half + 2)
/// Precondition: the true values are below 2^(2 Half + 2).
/// Latency: 4 cycles from a_i and b_i, 2 from addend_i; one pair per cycle. For standard cells both
/// use the Booth digits of the common factor.
/// Example, Half = 8: a = 0x53, b = 0x2a10, two cycles later addends 5 and 0 -> 0xd9e and 0x530.
module montcore_karatsuba_pair #(
    /// Width of the common factor in bits, even, 4 or more.
    parameter  int unsigned Half       = 128,
    /// 1: products of Half / 2 bits are computed directly; 2: they are split into four.
    parameter  int unsigned Depth      = 1,
    /// Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter  int unsigned Style      = montcore_karatsuba_pkg::StyleTiles,
    localparam int unsigned ResultBits = 2 * Half + 2
) (
    input logic clk_i,
    input logic [Half-1:0] a_i,  // Common factor, unsigned, a new one in each cycle.
    /// The other two factors, unsigned, that of result 0 in the low half.
    input logic [2*Half-1:0] b_i,
    input logic [1:0][ResultBits-1:0] addend_i,  // Numbers to add, two cycles after the factors.
    /// Sums of product and addend, four cycles after the factors.
    output logic [1:0][ResultBits-1:0] result_o
);
  localparam bit Coded = Style == montcore_karatsuba_pkg::StyleTree && Depth == 1;
  localparam int unsigned Part = Half / 2;

  if (Coded) begin : g_coded
    logic [2:0][Part/2:0][3:0] code;
    montcore_karatsuba_digits #(
        .Part(Part)
    ) u_digits (
        .clk_i,
        .a_i,
        .code_o(code)
    );
    for (genvar i = 0; i < 2; i++) begin : g_product
      montcore_karatsuba_coded #(
          .Part(Part)
      ) u_product (
          .clk_i,
          .code_i  (code),
          .b_i     (b_i[i*Half+:Half]),
          .addend_i(addend_i[i]),
          .result_o(result_o[i])
      );
    end
  end else begin : g_units
    for (genvar i = 0; i < 2; i++) begin : g_unit
      montcore_karatsuba_unit #(
          .Half (Half),
          .Depth(Depth),
          .Style(Style)
      ) u_unit (
          .clk_i,
          .a_i,
          .b_i     (b_i[i*Half+:Half]),
          .addend_i(addend_i[i]),
          .result_o(result_o[i])
      );
    end
  end
endmodule
