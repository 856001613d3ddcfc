// SPDX-License-Identifier: Apache-2.0

/// Recodes a number to radix-4 digits from {-2, -1, 0, 1}: 2 becomes 4 - 2, and 3 becomes 4 - 1.
///
/// value_i = sum of digits_o[p] 4^p + carry_o 4^Pairs.
/// Latency: 0.
/// Example, Pairs = 2: 0xb = 11 -> digits -1, -1, carry 1 (-1 - 4 + 16).
module montcore_hr_digits #(
    parameter int unsigned Pairs = 2  // Number of radix-4 digits.
) (
    input logic [2*Pairs-1:0] value_i,  // Number to recode, unsigned.
    output logic [Pairs-1:0][2:0] digits_o,  // Digits, lowest first, coded as lines {-2, -1, 1}.
    output logic carry_o  // Carry above the digits, of weight 4^Pairs.
);
  // A carry chain in one vector looks like a loop to Verilator unless the vector is split.
  logic [Pairs:0] carry  /* verilator split_var */;
  assign carry[0] = 1'b0;
  for (genvar p = 0; p < Pairs; p++) begin : g_digit
    logic [1:0] pair;
    assign pair = value_i[2*p+:2];
    assign digits_o[p][0] = pair == (carry[p] ? 2'd0 : 2'd1);
    assign digits_o[p][1] = pair == (carry[p] ? 2'd2 : 2'd3);
    assign digits_o[p][2] = pair == (carry[p] ? 2'd1 : 2'd2);
    assign carry[p+1] = pair[1] | (pair[0] & carry[p]);
  end
  assign carry_o = carry[Pairs];
endmodule
