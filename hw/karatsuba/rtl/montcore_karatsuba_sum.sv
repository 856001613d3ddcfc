// SPDX-License-Identifier: Apache-2.0

/// Sum of several numbers and a carry, with the adder of the style.
///
/// sum_o = sum of all rows + carry_i mod 2^Width
/// Precondition: none.
/// Latency: 0. Tree = 1: a carry-save tree and `montcore_karatsuba_adder`. Tree = 0: `montcore_sum`.
/// Example, Rows = 3, Width = 8: 200, 50, 10, carry 1 -> 5 (261 - 256).
module montcore_karatsuba_sum #(
    parameter int unsigned Rows  = 2,     // Number of addends, 2 or more.
    parameter int unsigned Width = 258,   // Width of each number in bits.
    parameter bit          Tree  = 1'b1,  // 1: for standard cells; 0: a chain of adders, for FPGAs.
    /// Bits in a group of the adder for standard cells; 3 is smaller and slower than 2.
    parameter int unsigned Group = 2
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
    montcore_karatsuba_adder #(
        .Width(Width),
        .Group(Group)
    ) u_adder (
        .a_i(tree_sum),
        .b_i(tree_carry),
        .carry_i,
        .sum_o
    );
  end else begin : g_chain
    montcore_sum #(
        .Rows (Rows),
        .Width(Width),
        .Tree (1'b0)
    ) u_sum (
        .rows_i,
        .carry_i,
        .sum_o
    );
  end
endmodule
