// SPDX-License-Identifier: Apache-2.0

/// Property of `montcore_karatsuba_tree`, for rows of two digits with gaps between them.
///
/// a_sum: the two results add up to all rows modulo 2^Width.
/// a_exact: no carry is dropped when all rows together fit in Width bits.
module karatsuba_tree_proof #(
    parameter int unsigned Rows = 6,  // Number of rows.
    parameter int unsigned Width = 12,  // Width of each number in bits.
    /// Row i has ones only where this number, shifted left by Step * i, has some.
    parameter int unsigned Shape = 'h37,
    parameter int unsigned Step = 1  // Columns between one row and the next.
) (
    /// Addends, any value; ones outside a row's mask do not count.
    input logic [Rows-1:0][Width-1:0] rows_i
);
  localparam int unsigned ExactBits = Width + $clog2(Rows);

  /// Masks of all rows.
  function automatic logic [Rows*Width-1:0] shapes();
    logic [Rows*Width-1:0] masks;
    for (int unsigned i = 0; i < Rows; i++) masks[i*Width+:Width] = Width'(Shape) << (Step * i);
    return masks;
  endfunction

  localparam logic [Rows*Width-1:0] Masks = shapes();
  logic [Rows-1:0][Width-1:0] rows;
  logic [Width-1:0] sum, carry;
  logic [ExactBits-1:0] exact;

  assign rows = rows_i & Masks;

  montcore_karatsuba_tree #(
      .Rows (Rows),
      .Width(Width),
      .Masks(Masks)
  ) u_dut (
      .rows_i (rows),
      .sum_o  (sum),
      .carry_o(carry)
  );

  always_comb begin
    exact = '0;
    for (int unsigned i = 0; i < Rows; i++) exact += ExactBits'(rows[i]);
    // Mutant: a wrong specification of the last row.
    if (`MUTANT) exact |= ExactBits'(rows[Rows-1] == Masks[(Rows-1)*Width+:Width]);
    a_sum : assert (Width'(sum + carry) == exact[Width-1:0]);
    if (exact < (ExactBits'(1) << Width)) begin
      a_exact : assert ((Width + 1)'(sum) + (Width + 1)'(carry) == (Width + 1)'(exact));
    end
  end
endmodule
