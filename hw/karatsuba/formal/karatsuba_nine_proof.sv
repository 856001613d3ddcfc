// SPDX-License-Identifier: Apache-2.0

/// Property of `montcore_karatsuba_nine`, for all factors, three cycles after their input.
///
/// a_product: low + high 2^Part == a * b, low not negative and high signed.
module karatsuba_nine_proof #(
    parameter int unsigned Part = 6,  // Width of a part in bits.
    /// Width of the low part of the product.
    localparam int unsigned LowBits = 3 * ((Part + 2) / 3) + 2,
    localparam int unsigned HighBits = Part + 2,  // Width of the high part of the product.
    localparam int unsigned Wide = 2 * Part + 4  // Width in which all numbers fit.
) (
    input logic clk_i,
    input logic [Part:0] a_i,  // First factor, signed, any value.
    input logic [Part:0] b_i  // Second factor, signed, any value.
);
  logic [LowBits-1:0] low;
  logic [HighBits-1:0] high;
  logic [1:0] age_q = 2'd0;
  logic [2:0][Part:0] a_q, b_q;
  logic signed [Wide-1:0] expected, found;

  montcore_karatsuba_nine #(
      .Part(Part)
  ) u_dut (
      .clk_i,
      .a_i,
      .b_i,
      .low_o (low),
      .high_o(high)
  );
`ifdef MUTANT
  assign expected = Wide'($signed(a_q[2])) * Wide'($signed(b_q[2])) + 1;
`else
  assign expected = Wide'($signed(a_q[2])) * Wide'($signed(b_q[2]));
`endif
  assign found = $signed(Wide'(low)) + (Wide'($signed(high)) <<< Part);

  always_ff @(posedge clk_i) begin
    age_q <= (age_q == 2'd3) ? 2'd3 : age_q + 2'd1;
    a_q   <= {a_q[1:0], a_i};
    b_q   <= {b_q[1:0], b_i};
  end

  always_comb begin
    if (age_q == 2'd3) a_product : assert (found == expected);
  end
endmodule
