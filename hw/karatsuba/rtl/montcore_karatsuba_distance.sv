// SPDX-License-Identifier: Apache-2.0

/// Difference of two numbers as magnitude and sign.
///
/// distance_o = |a - b|, negative_o = (a < b)
/// Precondition: none.
/// Latency: 0. For standard cells one prefix network serves both signs.
/// Example, Width = 4: a = 3, b = 9 -> distance = 6, negative = 1.
module montcore_karatsuba_distance #(
    parameter int unsigned Width = 128,  // Width of each number in bits.
    parameter bit          Tree  = 1'b1  // 1: for standard cells; 0: two subtractions, for FPGAs.
) (
    input logic [Width-1:0] a_i,  // Minuend a, unsigned.
    input logic [Width-1:0] b_i,  // Subtrahend b, unsigned.
    output logic [Width-1:0] distance_o,  // Magnitude of the difference.
    output logic negative_o  // Sign of the difference: 1 if a is below b.
);
  if (Tree) begin : g_prefix
    logic [Width-1:0] inverse, makes, passes, carry;

    // a - b = a + ~b + 1 - 2^Width is not negative if that sum has a carry; else b - a = ~(a + ~b).
    assign inverse = ~b_i;
    montcore_karatsuba_prefix #(
        .Width(Width)
    ) u_prefix (
        .generate_i     (a_i & inverse),
        .propagate_i    (a_i | inverse),
        .all_generate_o (makes),
        .all_propagate_o(passes)
    );
    assign negative_o = !(makes[Width-1] || passes[Width-1]);
    assign carry = negative_o ? {makes[Width-2:0], 1'b0} :
        {makes[Width-2:0] | passes[Width-2:0], 1'b1};
    assign distance_o = a_i ^ inverse ^ carry ^ {Width{negative_o}};
  end else begin : g_differences
    logic [  Width:0] forward;
    logic [Width-1:0] backward;

    assign forward = {1'b0, a_i} - {1'b0, b_i};
    assign backward = b_i - a_i;
    assign negative_o = forward[Width];
    assign distance_o = negative_o ? backward : forward[Width-1:0];
  end
endmodule
