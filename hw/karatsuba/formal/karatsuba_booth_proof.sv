// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_karatsuba_recode` and `montcore_karatsuba_booth`, for all factors, two cycles after their input.
///
/// a_product: sum + carry == a * b + offset as integers: no carry is lost above 2 * Width bits, on
///   which `montcore_karatsuba_unit` relies when it adds pairs at several weights.
/// a_offset: the offset is the total weight of the rows' inverted sign bits.
module karatsuba_booth_proof #(
    parameter int unsigned Width = 4  // Width of a factor in bits.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, signed, any value.
    input logic [Width-1:0] b_i  // Second factor, signed, any value.
);
  import montcore_karatsuba_pkg::ConstBits;
  import montcore_karatsuba_pkg::booth_offset;

  // Two extra bits for the exact sum.
  localparam int unsigned Exact = 2 * Width + 2;
  localparam logic [ConstBits-1:0] WideOffset = booth_offset(Width);
  localparam logic [Exact-1:0] Offset = WideOffset[Exact-1:0];

  logic [2*Width-1:0] sum, carry;
  logic [1:0] age_q = 2'd0;
  logic [1:0][Width-1:0] a_q, b_q;
  logic signed [Exact-1:0] product;

  logic [(Width+1)/2-1:0][3:0] code;
  montcore_karatsuba_recode #(
      .Width(Width)
  ) u_recode (
      .clk_i,
      .a_i,
      .code_o(code)
  );
  montcore_karatsuba_booth #(
      .Width(Width)
  ) u_dut (
      .clk_i,
      .code_i (code),
      .b_i,
      .sum_o  (sum),
      .carry_o(carry)
  );
  assign product = Exact'($signed(a_q[1])) * Exact'($signed(b_q[1]));

  always_ff @(posedge clk_i) begin
    age_q <= (age_q == 2'd2) ? 2'd2 : age_q + 2'd1;
    a_q   <= {a_q[0], a_i};
    b_q   <= {b_q[0], b_i};
  end

  always_comb begin
    a_offset : assert (3 * Offset == Exact'((4 ** ((Width + 1) / 2) - 1) << Width));
    if (age_q == 2'd2) begin
      a_product :
      assert ({2'b00, sum} + {2'b00, carry} == $unsigned(product) + (`MUTANT ? '0 : Offset));
    end
  end
endmodule
