// SPDX-License-Identifier: Apache-2.0

/// Property of `montcore_karatsuba_unit`, for all numbers, any sequence of them.
///
/// a_result: the result is a * b, of four cycles ago, plus the addend of two cycles ago.
module karatsuba_unit_proof #(
    /// Bits of a factor.
    parameter int unsigned Half = 4,
    /// How products are made.
    parameter int unsigned Style = 0,
    /// Bits of the result (do not change).
    localparam int unsigned ResultBits = 2 * Half + 2
) (
    /// Clock, rising edge.
    input logic                  clk_i,
    /// First factor.
    input logic [      Half-1:0] a_i,
    /// Second factor.
    input logic [      Half-1:0] b_i,
    /// Addend.
    input logic [ResultBits-1:0] addend_i
);
  logic [ResultBits-1:0] result;
  logic [2:0] age_q = 3'd0;
  logic [3:0][Half-1:0] a_q, b_q;
  logic [1:0][ResultBits-1:0] addend_q;

  montcore_karatsuba_unit #(
      .Half (Half),
      .Style(Style)
  ) u_dut (
      .clk_i   (clk_i),
      .a_i     (a_i),
      .b_i     (b_i),
      .addend_i(addend_i),
      .result_o(result)
  );

  always_ff @(posedge clk_i) begin
    age_q    <= (age_q == 3'd4) ? 3'd4 : age_q + 3'd1;
    a_q      <= {a_q[2:0], a_i};
    b_q      <= {b_q[2:0], b_i};
    addend_q <= {addend_q[0], addend_i};
  end

  always_comb begin
    if (age_q == 3'd4) begin
`ifdef MUTANT
      a_result : assert (result == ResultBits'(a_q[3]) * ResultBits'(b_q[3]) + addend_q[0]);
`else
      a_result : assert (result == ResultBits'(a_q[3]) * ResultBits'(b_q[3]) + addend_q[1]);
`endif
    end
  end
endmodule
