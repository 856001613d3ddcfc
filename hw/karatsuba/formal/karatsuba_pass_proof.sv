// SPDX-License-Identifier: Apache-2.0

/// Property of `montcore_karatsuba_pass`, for all factors: the product is right when done is high.
///
/// a_product: p == a * b in the cycle of done; with Inner = 1, also in the cycles after it.
/// a_done: done is high once, in the cycle given by the contract.
module karatsuba_pass_proof #(
    parameter int unsigned Part = 2,  // Width of a part in bits.
    parameter int unsigned Style = 0,  // Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter bit Signed = 1'b0,  // 1: factors may be negative; 0: they are not.
    parameter bit Inner = 1'b0,  // 1: the product is held until the next start.
    localparam int unsigned Width = 4 * Part + 1  // Width of a factor in bits.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, sampled at the start and then stable.
    input logic [Width-1:0] b_i  // Second factor, sampled at the start and then stable.
);
  localparam int unsigned Cycles = Inner ? 5 : 6;

  logic [2*Width-1:0] product;
  logic done;
  logic [3:0] age_q = 4'd0;
  logic [Width-1:0] a_q, b_q, a, b;
  logic signed [2*Width-1:0] expected;

  // The factors are stable from the start on, which is in cycle 1.
  assign a = (age_q == 1) ? a_i : a_q;
  assign b = (age_q == 1) ? b_i : b_q;

  montcore_karatsuba_pass #(
      .Part  (Part),
      .Depth (1),
      .Style (Style),
      .Signed(Signed),
      .Inner (Inner)
  ) u_dut (
      .clk_i,
      .clear_i(age_q == 0),
      .start_i(age_q == 1),
      .a_i    (a),
      .b_i    (b),
      .p_o    (product),
      .done_o (done)
  );
  assign expected = (2 * Width)'($signed(a)) * (2 * Width)'($signed(b)) + (2 * Width)'(`MUTANT);

  always_ff @(posedge clk_i) begin
    age_q <= (age_q == 4'd15) ? 4'd15 : age_q + 4'd1;
    a_q   <= a;
    b_q   <= b;
  end

  always_comb begin
    if (!Signed) m_positive : assume (!a_i[Width-1] && !b_i[Width-1]);
    if (32'(age_q) == Cycles + 1) begin
      a_done : assert (done);
      if (!Inner) a_product : assert (product == $unsigned(expected));
    end
    if (Inner && 32'(age_q) > Cycles + 1) a_held : assert (product == $unsigned(expected));
    if (32'(age_q) > Cycles + 1) a_once : assert (!done);
  end
endmodule
