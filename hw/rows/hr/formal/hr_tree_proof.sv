// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_hr_tree` for all rows and carries.
///
/// a_layer: the outputs of a layer, with its carry to the next word, are the sum of its three
/// inputs and of its carry from the word before.
/// a_once: the carries and sums of the last layer are the tree's results.
/// Layer x takes numbers 3 x, 3 x + 1 and 3 x + 2 of the queue and produces Rows + 2 x and Rows + 2
/// x + 1, so that each number is used once and the last two remain: the properties add up to the
/// contract.
/// a_sum: the contract itself, where it is small enough for a solver.
module hr_tree_proof #(
    parameter int unsigned Rows = 4,  // Number of addends.
    parameter int unsigned Width = 4,  // Width of each addend in bits.
    localparam int unsigned Ups = (Rows > 3) ? Rows - 3 : 1  // Number of carries to the next word.
) (
    input logic [Rows-1:0][Width-1:0] rows_i,  // Addends, one per row.
    input logic [Ups-1:0] carry_i  // Carries into the lowest cell.
);
  localparam int unsigned Wide = Width + 5;
  logic [Width-1:0] sum, carry;
  logic [Ups-1:0] up;
  montcore_hr_tree #(
      .Rows (Rows),
      .Width(Width)
  ) u_tree (
      .rows_i,
      .carry_i,
      .sum_o  (sum),
      .carry_o(carry),
      .up_o   (up)
  );

  for (genvar x = 0; x < int'(Rows) - 2; x++) begin : g_layer
    logic [Wide-1:0] taken, left;
    assign taken = Wide'(u_tree.g_queue[3*x].bits) + Wide'(u_tree.g_queue[3*x+1].bits) +
                   Wide'(u_tree.g_queue[3*x+2].bits);
    assign left = Wide'(u_tree.g_queue[int'(Rows)+2*x+1].bits);
    if (x == int'(Rows) - 3) begin : g_last
      always_comb a_layer : assert (taken == left + (Wide'(carry) << (`MUTANT ? 0 : 1)));
      always_comb a_once : assert (sum == u_tree.g_queue[int'(Rows)+2*x+1].bits);
    end else begin : g_inner
      always_comb
        a_layer :
        assert (taken + Wide'(carry_i[x]) == left + Wide'(u_tree.g_queue[int'(Rows)+2*x].bits) +
                (Wide'(up[x]) << Width));
    end
  end

  if (Rows * Width <= 20 && Rows > 3) begin : g_contract
    logic [Wide-1:0] given, made;
    always_comb begin
      given = '0;
      made  = '0;
      for (int unsigned i = 0; i < Rows; i++) given += Wide'(rows_i[i]);
      for (int unsigned i = 0; i < Ups; i++) begin
        given += Wide'(carry_i[i]);
        made += Wide'(up[i]);
      end
      a_sum : assert (given == Wide'(sum) + (Wide'(carry) << 1) + (made << Width));
    end
  end
endmodule
