// SPDX-License-Identifier: Apache-2.0

/// Property of `montcore_karatsuba_four` and of `montcore_karatsuba_nine`, for all factors, two and
/// three cycles after their input.
///
/// a_product: the product is a * b: p of four, for factors that are not negative if Signed is 0;
/// low + high 2^Part of nine, low not negative and high signed.
module karatsuba_product_proof #(
    parameter bit Nine = 1'b0,  // 1: montcore_karatsuba_nine; 0: montcore_karatsuba_four.
    parameter int unsigned Part = 2,  // Width of a part in bits.
    parameter int unsigned Style = 0,  // Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter bit Signed = 1'b1,  // 1: factors may be negative; 0: they are not.
    localparam int unsigned Width = Nine ? Part + 1 : 4 * Part + 1,  // Width of a factor in bits.
    localparam int unsigned Latency = Nine ? 3 : 2,
    localparam int unsigned Wide = 2 * Width + (Nine ? 2 : 0)  // Width in which all numbers fit.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, signed, any value.
    input logic [Width-1:0] b_i  // Second factor, signed, any value.
);
  logic [1:0] age_q = 2'd0;
  logic [Latency-1:0][Width-1:0] a_q, b_q;
  logic signed [Wide-1:0] expected, found;

  if (Nine) begin : g_nine
    logic [3*((Part+2)/3)+1:0] low;
    logic [Part+1:0] high;
    montcore_karatsuba_nine #(
        .Part(Part)
    ) u_dut (
        .clk_i,
        .a_i,
        .b_i,
        .low_o (low),
        .high_o(high)
    );
    assign found = $signed(Wide'(low)) + (Wide'($signed(high)) <<< Part);
  end else begin : g_four
    montcore_karatsuba_four #(
        .Part  (Part),
        .Style (Style),
        .Signed(Signed)
    ) u_dut (
        .clk_i,
        .a_i,
        .b_i,
        .p_o(found)
    );
  end
  assign expected = Wide'($signed(
      a_q[Latency-1]
  )) * Wide'($signed(
      b_q[Latency-1]
  )) + Wide'(`MUTANT);

  always_ff @(posedge clk_i) begin
    age_q <= (age_q == 2'(Latency)) ? age_q : age_q + 2'd1;
    a_q   <= {a_q[Latency-2:0], a_i};
    b_q   <= {b_q[Latency-2:0], b_i};
  end

  always_comb begin
    if (!Signed) m_positive : assume (!a_i[Width-1] && !b_i[Width-1]);
    if (age_q == 2'(Latency)) a_product : assert (found == expected);
  end
endmodule
