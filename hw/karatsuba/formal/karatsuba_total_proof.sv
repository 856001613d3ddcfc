// SPDX-License-Identifier: Apache-2.0

/// Property of `montcore_karatsuba_total`, for any products and signs at any times.
///
/// a_total: two cycles after outer_i, the total is that of the three products, if outer_i is not
/// high in two consecutive cycles.
module karatsuba_total_proof #(
    parameter int unsigned Half = 4,    // Width of half a number in bits.
    parameter bit          Tree = 1'b1  // 1: for standard cells; 0: for FPGAs.
) (
    input logic clk_i,
    input logic outer_i,  // The first two products are valid, any value.
    input logic negative_i,  // Sign of the product of the differences, any value.
    input logic [2*Half-1:0] outer_0_i,  // Product x0 y0, any value.
    input logic [2*Half-1:0] outer_1_i,  // Product x1 y1, any value.
    input logic [2*Half-1:0] distance_i  // Magnitude of the product of the differences, any value.
);
  localparam int unsigned Width = 3 * Half;

  logic [Width-1:0] total, first, expected;
  logic [Width-1:0] first_q, expected_q;
  logic [2:0] outer_q = 3'b000;
  logic negative_q;

  montcore_karatsuba_total #(
      .Half(Half),
      .Tree(Tree)
  ) u_dut (
      .total_o(total),
      .*
  );

  assign first = Width'(outer_0_i[2*Half-1:Half]) + (Width'(outer_1_i) << Half) +
      Width'(outer_0_i) + Width'(outer_1_i);
  assign expected = negative_q ? first_q + Width'(distance_i) : first_q - Width'(distance_i);

  always_ff @(posedge clk_i) begin
    outer_q    <= {outer_q[1:0], outer_i};
    negative_q <= negative_i;
    first_q    <= first;
    expected_q <= expected;
  end

  // The cycle before outer_i must be known, and without outer_i: then the first sum is complete.
  logic [1:0] age_q = 2'd0;
  always_ff @(posedge clk_i) age_q <= (age_q == 2'd3) ? 2'd3 : age_q + 2'd1;

  always_comb begin
    if (age_q == 2'd3 && outer_q[1] && !outer_q[2]) begin
      a_total : assert (total == expected_q + Width'(`MUTANT));
    end
  end
endmodule
