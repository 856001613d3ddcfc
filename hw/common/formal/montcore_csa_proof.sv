// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_csa`, `montcore_csa_tree` and `montcore_sum`.
///
/// a_sum: the two results add up to the three inputs modulo 2^Width.
/// a_exact: no carry is dropped when the three inputs together fit in Width bits.
/// a_tree: the two results of a tree add up to all of its rows modulo 2^Width.
/// a_total: the sum, built as a tree or as a chain, is that of all rows and the carry modulo
/// 2^Width.
module montcore_csa_proof #(
    parameter int unsigned Width = 8,  // Width of each number in bits.
    parameter int unsigned Rows  = 6   // Number of rows of the tree and of the sums.
) (
    input logic [2:0][Width-1:0] abc_i,  // The three addends of the carry-save adder.
    input logic [Rows-1:0][Width-1:0] rows_i,  // Addends of the tree and of the sums.
    input logic carry_i  // Carry input of the sums.
);
  logic [Width-1:0] sum, carry, tree_sum, tree_carry, expected;
  logic [Width+1:0] exact;

  montcore_csa #(
      .Width(Width)
  ) u_csa (
      .a_i    (abc_i[0]),
      .b_i    (abc_i[1]),
      .c_i    (abc_i[2]),
      .sum_o  (sum),
      .carry_o(carry)
  );

  montcore_csa_tree #(
      .Rows (Rows),
      .Width(Width)
  ) u_tree (
      .rows_i,
      .sum_o  (tree_sum),
      .carry_o(tree_carry)
  );

  logic [1:0][Width-1:0] total;
  for (genvar i = 0; i < 2; i++) begin : g_sum
    montcore_sum #(
        .Rows (Rows),
        .Width(Width),
        .Tree (i == 1)
    ) u_sum (
        .rows_i,
        .carry_i,
        .sum_o(total[i])
    );
    always_comb a_total : assert (total[i] == Width'(expected + carry_i));
  end

  assign exact = (Width + 2)'(abc_i[0]) + (Width + 2)'(abc_i[1]) + (Width + 2)'(abc_i[2]);

  always_comb begin
    expected = '0;
    for (int unsigned i = 0; i < Rows; i++) expected += rows_i[i];
    // Mutant: a wrong specification of the last row.
    if (`MUTANT) expected |= Width'(rows_i[Rows-1] == '1);
  end

  always_comb begin
    a_sum : assert (Width'(sum + carry) == Width'(exact));
    if (exact[Width+1:Width] == 0) begin
      a_exact : assert ((Width + 2)'(sum) + (Width + 2)'(carry) == exact);
    end
    a_tree : assert (Width'(tree_sum + tree_carry) == expected);
  end
endmodule
