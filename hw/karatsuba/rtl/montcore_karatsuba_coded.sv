// SPDX-License-Identifier: Apache-2.0

/// Pipelined multiply-add of half-length numbers for standard cells, with one factor as Booth digits.
///
/// result_o = a * b + addend mod 2^(4 Part + 2)
/// Precondition: code_i is the output of `montcore_karatsuba_digits` for a, one cycle after b_i; the
/// true value is below 2^(4 Part + 2).
/// Latency: 4 cycles from b_i, 3 from code_i, 2 from addend_i; one pair per cycle.
/// Example, Part = 4: the digits of a = 0x53, b = 0x2a a cycle earlier, addend = 5 a cycle later ->
/// result = 0xda3.
module montcore_karatsuba_coded #(
    parameter  int unsigned Part       = 64,            // Width of a part in bits, 2 or more.
    /// 1: the addend counts; 0: it is zero, and trees have no row for it.
    parameter  int unsigned Adds       = 1,
    localparam int unsigned Digits     = Part / 2 + 1,  // Digits of a factor of Part + 1 bits.
    localparam int unsigned ResultBits = 4 * Part + 2
) (
    input logic clk_i,
    /// First factor as digits of its parts and of their difference, registered.
    input logic [2:0][Digits-1:0][3:0] code_i,
    /// Second factor, unsigned, one cycle before the digits of the first.
    input logic [2*Part-1:0] b_i,
    input logic [ResultBits-1:0] addend_i,  // Number to add, two cycles after b_i.
    output logic [ResultBits-1:0] result_o  // Sum of product and addend, four cycles after b_i.
);
  localparam int unsigned ProductBits = 2 * Part + 2;

  logic [2:0][Part:0] b  /* verilator split_var */;
  logic [2:0][ProductBits-1:0] sum, carry;

  assign b[0] = {1'b0, b_i[Part-1:0]};
  assign b[1] = {1'b0, b_i[2*Part-1:Part]};
  montcore_karatsuba_difference #(
      .Width(Part + 1),
      .Tree (1'b1)
  ) u_difference (
      .a_i         (b[1]),
      .b_i         (b[0]),
      .difference_o(b[2])
  );
  for (genvar i = 0; i < 3; i++) begin : g_product
    montcore_karatsuba_booth #(
        .Width(Part + 1)
    ) u_booth (
        .clk_i,
        .code_i (code_i[i]),
        .b_i    (b[i]),
        .sum_o  (sum[i]),
        .carry_o(carry[i])
    );
  end
  montcore_karatsuba_combine #(
      .Part (Part),
      .Depth(1),
      .Adds (Adds)
  ) u_combine (
      .clk_i,
      .sum_i  (sum),
      .carry_i(carry),
      .addend_i,
      .result_o
  );
endmodule
