// SPDX-License-Identifier: Apache-2.0

/// Property of `montcore_karatsuba_four`, for all factors, two cycles after their input.
///
/// a_product: p == a * b; with Signed = 0, for factors that are not negative.
module karatsuba_four_proof #(
    parameter int unsigned Part = 2,  // Width of a part in bits.
    parameter int unsigned Style = 0,  // Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter bit Signed = 1'b1,  // 1: factors may be negative; 0: they are not.
    localparam int unsigned Width = 4 * Part + 1  // Width of a factor in bits.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, signed, any value.
    input logic [Width-1:0] b_i  // Second factor, signed, any value.
);
  logic [2*Width-1:0] product;
  logic [1:0] age_q = 2'd0;
  logic [1:0][Width-1:0] a_q, b_q;
  logic signed [2*Width-1:0] expected;

  montcore_karatsuba_four #(
      .Part  (Part),
      .Style (Style),
      .Signed(Signed)
  ) u_dut (
      .clk_i,
      .a_i,
      .b_i,
      .p_o(product)
  );
`ifdef MUTANT
  assign expected = (2 * Width)'($signed(a_q[1])) * (2 * Width)'($signed(b_q[1])) + 1;
`else
  assign expected = (2 * Width)'($signed(a_q[1])) * (2 * Width)'($signed(b_q[1]));
`endif

  always_ff @(posedge clk_i) begin
    age_q <= (age_q == 2'd2) ? 2'd2 : age_q + 2'd1;
    a_q   <= {a_q[0], a_i};
    b_q   <= {b_q[0], b_i};
  end

  always_comb begin
    if (!Signed) m_positive : assume (!a_i[Width-1] && !b_i[Width-1]);
    if (age_q == 2'd2) a_product : assert (product == $unsigned(expected));
  end
endmodule
