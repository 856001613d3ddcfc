// SPDX-License-Identifier: Apache-2.0

/// The middle term of Karatsuba's formula.
///
/// middle_o = high_i + low_i - diff_i mod 2^Width
/// Precondition: none.
/// Latency: 0. Two adders in series, for FPGAs.
/// Example, Width = 8: high = 6, low = 20, diff = 254 (-2) -> 28.
module montcore_karatsuba_middle #(
    parameter int unsigned Width = 32  // Width of each number in bits.
) (
    input logic [Width-1:0] high_i,  // Product of the high parts.
    input logic [Width-1:0] low_i,  // Product of the low parts.
    input logic [Width-1:0] diff_i,  // Product of the differences, modulo 2^Width.
    output logic [Width-1:0] middle_o  // Middle term, modulo 2^Width.
);
  // Kept separate, so that synthesis does not merge both into a carry-save adder: see
  // `montcore_sum`.
  (* keep *) logic [Width-1:0] both;
  assign both = high_i + low_i;
  assign middle_o = both - diff_i;
endmodule
