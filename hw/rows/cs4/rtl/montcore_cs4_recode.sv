// SPDX-License-Identifier: Apache-2.0

/// Recodes digits 0 to 3, lowest first, to digits from {-1, 0, 1, 2}: 3 becomes 4 - 1.
///
/// sum of a_o 4^i = sum of digit_i 4^i, i from 0 on; a digit 0 after the last one absorbs the
/// carry.
/// Precondition: the digit before the first is 0.
/// Latency: 1.
/// Example: 3, 2, 0 -> -1, -1, 1 (11 = -1 - 4 + 16).
module montcore_cs4_recode (
    input logic clk_i,
    input logic [1:0] digit_i,  // Digit of A, 0 to 3, lowest first.
    output logic [2:0] a_o  // Recoded digit of the previous cycle, coded as lines {-1, 2, 1}.
);
  logic carry_q;
  logic [2:0] a_q;
  always_ff @(posedge clk_i) begin
    a_q[0]  <= (digit_i == 0 && carry_q) || (digit_i == 1 && !carry_q);
    a_q[1]  <= (digit_i == 1 && carry_q) || (digit_i == 2 && !carry_q);
    a_q[2]  <= (digit_i == 2 && carry_q) || (digit_i == 3 && !carry_q);
    carry_q <= (digit_i == 2 && carry_q) || digit_i == 3;
  end
  assign a_o = a_q;
endmodule
