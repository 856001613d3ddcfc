// SPDX-License-Identifier: Apache-2.0

/// Difference of two numbers, with the adder of the style.
///
/// difference_o = a - b mod 2^Width
/// Precondition: none.
/// Latency: 0.
/// Example, Width = 4: a = 3, b = 9 -> 10.
module montcore_karatsuba_difference #(
    parameter int unsigned Width = 65,    // Width of each number in bits.
    parameter bit          Tree  = 1'b1,  // 1: for standard cells; 0: for FPGAs.
    /// Bits in a group of the adder for standard cells; 3 is smaller and slower than 2.
    parameter int unsigned Group = 2
) (
    input logic [Width-1:0] a_i,  // Minuend, unsigned or in two's complement.
    input logic [Width-1:0] b_i,  // Subtrahend, in the same form.
    output logic [Width-1:0] difference_o  // Difference modulo 2^Width.
);
  if (Tree) begin : g_prefix
    montcore_karatsuba_adder #(
        .Width(Width),
        .Group(Group)
    ) u_adder (
        .a_i,
        .b_i    (~b_i),
        .carry_i(1'b1),
        .sum_o  (difference_o)
    );
  end else begin : g_chain
    assign difference_o = a_i - b_i;
  end
endmodule
