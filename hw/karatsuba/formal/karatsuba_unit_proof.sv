// SPDX-License-Identifier: Apache-2.0

/// Property of `montcore_karatsuba_unit`, for any sequence of factors and addends.
///
/// a_result: the result is a * b of four cycles before, plus the addend of two cycles before.
module karatsuba_unit_proof #(
    parameter int unsigned Half = 4,  // Width of a factor in bits.
    parameter int unsigned Style = 0,  // Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Adds = 1,  // 1: with an addend; 0: the addend is zero.
    localparam int unsigned ResultBits = 2 * Half + 2
) (
    input logic clk_i,
    input logic [Half-1:0] a_i,  // First factor, any value.
    input logic [Half-1:0] b_i,  // Second factor, any value.
    input logic [ResultBits-1:0] addend_i  // Addend, any value.
);
  logic [ResultBits-1:0] result;
  logic [2:0] age_q = 3'd0;
  logic [3:0][Half-1:0] a_q, b_q;
  logic [1:0][ResultBits-1:0] addend_q;
  logic [ResultBits-1:0] addend;

  assign addend = (Adds == 1) ? addend_i : '0;

  montcore_karatsuba_unit #(
      .Half (Half),
      .Style(Style),
      .Adds (Adds)
  ) u_dut (
      .clk_i,
      .a_i,
      .b_i,
      .addend_i(addend),
      .result_o(result)
  );

  always_ff @(posedge clk_i) begin
    age_q    <= (age_q == 3'd4) ? 3'd4 : age_q + 3'd1;
    a_q      <= {a_q[2:0], a_i};
    b_q      <= {b_q[2:0], b_i};
    addend_q <= {addend_q[0], addend};
  end

  always_comb begin
    if (age_q == 3'd4) begin
      a_result :
      assert (result == ResultBits'(a_q[3]) * ResultBits'(b_q[3]) + addend_q[`MUTANT?0 : 1]);
    end
  end
endmodule
