// SPDX-License-Identifier: Apache-2.0

/// Booth digits of the three factors that Karatsuba's multiplication makes of one: its two parts and
/// their difference.
///
/// code_o[0], code_o[1] and code_o[2]: the digits of a0, a1 and a1 - a0, with a = a1 2^Part + a0
/// Precondition: none.
/// Latency: 1 cycle.
/// Example, Part = 3: a = 0o25 -> the digits of 5, 2 and -3 in four bits.
module montcore_karatsuba_digits #(
    parameter int unsigned Part = 64,  // Width of a part in bits, 2 or more.
    localparam int unsigned Digits = Part / 2 + 1  // Digits of a factor of Part + 1 bits.
) (
    input logic clk_i,
    input logic [2*Part-1:0] a_i,  // The factor, unsigned, a new one in each cycle.
    /// Digits in the coding of `montcore_karatsuba_recode`.
    output logic [2:0][Digits-1:0][3:0] code_o
);
  logic [2:0][Part:0] part  /* verilator split_var */;

  assign part[0] = {1'b0, a_i[Part-1:0]};
  assign part[1] = {1'b0, a_i[2*Part-1:Part]};
  montcore_karatsuba_difference #(
      .Width(Part + 1),
      .Tree (1'b1)
  ) u_difference (
      .a_i         (part[1]),
      .b_i         (part[0]),
      .difference_o(part[2])
  );
  for (genvar i = 0; i < 3; i++) begin : g_part
    montcore_karatsuba_recode #(
        .Width(Part + 1)
    ) u_recode (
        .clk_i,
        .a_i   (part[i]),
        .code_o(code_o[i])
    );
  end
endmodule
