// SPDX-License-Identifier: Apache-2.0

/// Properties of the adders for standard cells.
///
/// a_sum: `montcore_karatsuba_sum` adds two numbers and a carry.
/// a_difference: `montcore_karatsuba_difference` subtracts.
/// a_distance, a_negative: `montcore_karatsuba_distance` gives magnitude and sign.
module karatsuba_adder_proof #(
    parameter int unsigned Width = 7,  // Width of each number in bits.
    parameter int unsigned Group = 2   // Bits in a group.
) (
    input logic [Width-1:0] a_i,  // First number, any value.
    input logic [Width-1:0] b_i,  // Second number, any value.
    input logic carry_i  // Carry into the sum, any value.
);
  logic [Width-1:0] sum, difference, distance, expected;
  logic negative;

  montcore_karatsuba_sum #(
      .Rows (2),
      .Width(Width),
      .Tree (1'b1),
      .Group(Group)
  ) u_sum (
      .rows_i({a_i, b_i}),
      .carry_i,
      .sum_o (sum)
  );
  montcore_karatsuba_difference #(
      .Width(Width),
      .Tree (1'b1),
      .Group(Group)
  ) u_difference (
      .a_i,
      .b_i,
      .difference_o(difference)
  );
  montcore_karatsuba_distance #(
      .Width(Width),
      .Tree (1'b1)
  ) u_distance (
      .a_i,
      .b_i,
      .distance_o(distance),
      .negative_o(negative)
  );

  always_comb begin
    expected = a_i + b_i + Width'(carry_i);
    // Mutant: a wrong specification of the longest carry.
    if (`MUTANT && carry_i && (a_i ^ b_i) == '1) expected = '1;
    a_sum : assert (sum == expected);
    a_difference : assert (difference == Width'(a_i - b_i));
    a_distance : assert (distance == ((a_i < b_i) ? Width'(b_i - a_i) : Width'(a_i - b_i)));
    a_negative : assert (negative == (a_i < b_i));
  end
endmodule
