// SPDX-License-Identifier: Apache-2.0

/// Difference of two numbers as magnitude and sign.
///
/// distance_o = |a - b|, negative_o = (a < b)
/// Precondition: none.
/// Latency: 0.
/// Example, Width = 4: a = 3, b = 9 -> distance = 6, negative = 1.
module montcore_karatsuba_distance #(
    /// Width of each number in bits.
    parameter int unsigned Width = 128
) (
    /// Minuend a, unsigned.
    input  logic [Width-1:0] a_i,
    /// Subtrahend b, unsigned.
    input  logic [Width-1:0] b_i,
    /// Magnitude of the difference.
    output logic [Width-1:0] distance_o,
    /// Sign of the difference: 1 if a is below b.
    output logic             negative_o
);
  logic [  Width:0] forward;
  logic [Width-1:0] backward;

  assign forward = {1'b0, a_i} - {1'b0, b_i};
  assign backward = b_i - a_i;
  assign negative_o = forward[Width];
  assign distance_o = negative_o ? backward : forward[Width-1:0];
endmodule
