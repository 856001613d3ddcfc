// SPDX-License-Identifier: Apache-2.0

/// Sum of several numbers and a carry, as a tree or as a chain.
///
/// sum_o = sum of all rows + carry_i mod 2^Width
/// Precondition: none.
/// Latency: 0. Tree = 1: a carry-save tree and one adder, for standard cells. Tree = 0: a chain of
/// adders, for FPGAs, where an adder bit takes one look-up table and carries are nearly free.
/// Example, Rows = 3, Width = 8: 200, 50, 10, carry 1 -> 5 (261 - 256).
module montcore_sum #(
    parameter int unsigned Rows  = 3,    // Number of addends, 2 or more.
    parameter int unsigned Width = 32,   // Width of each number in bits.
    parameter bit          Tree  = 1'b1  // 1: carry-save tree; 0: chain of adders.
) (
    input logic [Rows-1:0][Width-1:0] rows_i,  // Addends, one per row, unsigned.
    input logic carry_i,  // Carry input, of weight 1.
    output logic [Width-1:0] sum_o  // Sum modulo 2^Width.
);
  if (Tree) begin : g_tree
    logic [Width-1:0] tree_sum, tree_carry;

    montcore_csa_tree #(
        .Rows (Rows),
        .Width(Width)
    ) u_tree (
        .rows_i,
        .sum_o  (tree_sum),
        .carry_o(tree_carry)
    );
    assign sum_o = tree_sum + tree_carry + Width'(carry_i);
  end else if (Rows == 2) begin : g_adder
    assign sum_o = rows_i[0] + rows_i[1] + Width'(carry_i);
  end else begin : g_chain
    // Synthesis merges additions in one module into a carry-save tree of its own, which costs two
    // look-up tables per bit and level; in separate modules they stay chains.
    (* keep *) logic [Width-1:0] partial;

    montcore_sum #(
        .Rows (Rows - 1),
        .Width(Width),
        .Tree (Tree)
    ) u_partial (
        .rows_i (rows_i[Rows-2:0]),
        .carry_i(1'b0),
        .sum_o  (partial)
    );
    assign sum_o = partial + rows_i[Rows-1] + Width'(carry_i);
  end
endmodule
