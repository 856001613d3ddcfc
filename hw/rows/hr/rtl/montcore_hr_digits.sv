// SPDX-License-Identifier: Apache-2.0

/// Radix-4 digits from {-2, -1, 0, 1} of a number, to which 2 has been added in each digit.
///
/// shifted_i = number + (2 + 2 * 4 + .. + 2 * 4^(Pairs-1)) = sum of (digits_o[p] + 2) 4^p, modulo
/// 4^Pairs.
/// Latency: 0.
/// Example, Pairs = 2: 0xb = 11 with 10 added, 5 mod 16 -> digits -1, -1 (11 = -1 - 4 + 16).
module montcore_hr_digits #(
    parameter int unsigned Pairs = 2  // Number of radix-4 digits.
) (
    input logic [2*Pairs-1:0] shifted_i,  // Number plus 2 in each digit.
    output logic [Pairs-1:0][2:0] digits_o  // Digits, lowest first, coded as lines {-2, -1, 1}.
);
  for (genvar p = 0; p < Pairs; p++) begin : g_digit
    logic [1:0] pair;
    assign pair = shifted_i[2*p+:2];
    assign digits_o[p] = {pair == 2'd0, pair == 2'd1, pair == 2'd3};
  end
endmodule
