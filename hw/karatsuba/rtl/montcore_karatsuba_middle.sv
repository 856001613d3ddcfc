// SPDX-License-Identifier: Apache-2.0

/// The middle term of Karatsuba's formula.
///
/// middle_o = high_i + low_i - diff_i mod 2^Width
/// Precondition: none.
/// Latency: 0. Tree = 1: a carry-save adder and one adder, for gates. Tree = 0: one adder after the
/// other, for FPGAs.
/// Example, Width = 8: high = 6, low = 20, diff = 254 (-2) -> 28.
module montcore_karatsuba_middle #(
    /// Bits of each number.
    parameter int unsigned Width = 32,
    /// 1: carry-save adder; 0: chain of adders.
    parameter bit Tree = 1'b0
) (
    /// Product of the high parts.
    input  logic [Width-1:0] high_i,
    /// Product of the low parts.
    input  logic [Width-1:0] low_i,
    /// Product of the differences.
    input  logic [Width-1:0] diff_i,
    /// Middle term.
    output logic [Width-1:0] middle_o
);
  if (Tree) begin : g_tree
    montcore_sum #(
        .Rows (3),
        .Width(Width),
        .Tree (1'b1)
    ) u_sum (
        .rows_i ({~diff_i, high_i, low_i}),
        .carry_i(1'b1),
        .sum_o  (middle_o)
    );
  end else begin : g_chain
    // Kept apart, so that synthesis does not make a carry-save adder of the two: see `montcore_sum`.
    (* keep *) logic [Width-1:0] both;
    assign both = high_i + low_i;
    assign middle_o = both - diff_i;
  end
endmodule
