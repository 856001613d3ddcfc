// SPDX-License-Identifier: Apache-2.0

/// Carry-save tree: reduces Rows numbers to two; each level turns three numbers into two.
///
/// sum_o + carry_o = sum of all rows mod 2^Width
/// Precondition: none.
/// Latency: 0 (1 full adder for 3 rows, 2 for 4, 3 for 6, 4 for 9, 5 for 13, 6 for 19).
/// Example, Rows = 4, Width = 8: 1, 2, 3, 4 -> sum = 6, carry = 4.
module montcore_csa_tree #(
    parameter int unsigned Rows  = 4,  // Number of addends, 2 or more.
    parameter int unsigned Width = 32  // Width of each number in bits.
) (
    input logic [Rows-1:0][Width-1:0] rows_i,  // Addends, one per row, unsigned.
    output logic [Width-1:0] sum_o,  // First of the two results, which add up to the sum.
    output logic [Width-1:0] carry_o  // Second of the two results, which add up to the sum.
);
  if (Rows <= 2) begin : g_leaf
    assign sum_o   = rows_i[0];
    assign carry_o = rows_i[Rows-1];
  end else begin : g_level
    localparam int unsigned Triples = Rows / 3;
    localparam int unsigned Rest = Rows % 3;
    localparam int unsigned NextRows = 2 * Triples + Rest;

    logic [NextRows-1:0][Width-1:0] next_rows;

    for (genvar i = 0; i < Triples; i++) begin : g_csa
      montcore_csa #(
          .Width(Width)
      ) u_csa (
          .a_i    (rows_i[3*i]),
          .b_i    (rows_i[3*i+1]),
          .c_i    (rows_i[3*i+2]),
          .sum_o  (next_rows[2*i]),
          .carry_o(next_rows[2*i+1])
      );
    end
    for (genvar i = 0; i < Rest; i++) begin : g_rest
      assign next_rows[2*Triples+i] = rows_i[3*Triples+i];
    end

    montcore_csa_tree #(
        .Rows (NextRows),
        .Width(Width)
    ) u_next (
        .rows_i(next_rows),
        .sum_o,
        .carry_o
    );
  end
endmodule
