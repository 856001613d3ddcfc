// SPDX-License-Identifier: Apache-2.0

/// The register interface as the shells' proofs have it: an answer in the cycle after each request,
/// with any word. Reset is low in the first cycle and high from then on.
module soc_answers (
    /// Clock.
    input  logic clk_i,
    /// Reset.
    input  logic rst_ni,
    /// A request.
    input  logic req_i,
    /// The answer.
    output logic ack_o
);
  logic run_q = 1'b0;
  always_ff @(posedge clk_i) begin
    run_q <= 1'b1;
    ack_o <= rst_ni && req_i;
  end
  always_comb m_reset : assume (rst_ni == run_q);
endmodule
