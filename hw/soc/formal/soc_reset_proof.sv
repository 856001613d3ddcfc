// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_soc_reset` with a reset that is asserted and released at any time.
///
/// a_caught: after a reset of any length the inner reset is low from the second edge after its end
/// up to the fourth. a_ends: after the fourth edge it is high. a_holds: while a reset lasts, the
/// inner one is low from its second edge on.
module soc_reset_proof (
    input logic clk_i,
    input logic rst_i  // Asynchronous reset, active high, arbitrary.
);
  logic rst_n;
  montcore_soc_reset #(
      .Async(!`MUTANT),
      .High (1'b1)
  ) u_dut (
      .clk_i,
      .rst_i,
      .rst_no(rst_n)
  );

  // Edges since the last reset ended, up to 4; 7: no reset yet. Edges within a reset, up to 2.
  logic [2:0] since_q = 3'd7;
  logic [1:0] within_q = 2'd0;
  always_ff @(posedge clk_i or posedge rst_i) begin
    if (rst_i) since_q <= 3'd0;
    else if (since_q < 3'd4) since_q <= since_q + 3'd1;
  end
  always_ff @(posedge clk_i or negedge rst_i) begin
    if (!rst_i) within_q <= 2'd0;
    else if (within_q < 2'd2) within_q <= within_q + 2'd1;
  end

  always_comb begin
    if (since_q == 3'd2 || since_q == 3'd3) a_caught : assert (!rst_n);
    if (since_q == 3'd4) a_ends : assert (rst_n);
    if (within_q == 2'd2) a_holds : assert (!rst_n);
  end
endmodule
