// SPDX-License-Identifier: Apache-2.0

/// Radix-4 Booth digits of a signed number, for `montcore_karatsuba_booth`.
///
/// a = sum of digit i * 4^i with digits -2, -1, 0, 1 and 2; code_o[i] says {digit negative, digit
/// positive, magnitude 2 or 0, magnitude 1}
/// Precondition: none.
/// Latency: 1 cycle.
/// Example, Width = 4: a = -3 = -1 * 4 + 1 -> code_o = {4'b1001, 4'b0101}.
module montcore_karatsuba_recode #(
    parameter int unsigned Width = 65,  // Width of the number in bits, 3 or more.
    localparam int unsigned Digits = (Width + 1) / 2  // Digits of the number.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // The number, in two's complement.
    output logic [Digits-1:0][3:0] code_o  // Its digits, the lowest first.
);
  logic [2*Digits:0] padded;
  logic [Digits-1:0][3:0] code;

  assign padded = {{(2 * Digits - Width) {a_i[Width-1]}}, a_i, 1'b0};
  for (genvar i = 0; i < Digits; i++) begin : g_digit
    logic high, mid, low;
    assign {high, mid, low} = padded[2*i+:3];
    // A digit of zero is neither negative nor positive.
    assign code[i] = {high & ~(mid & low), ~high & (mid | low), ~(mid ^ low), mid ^ low};
  end

  always_ff @(posedge clk_i) code_o <= code;
endmodule
