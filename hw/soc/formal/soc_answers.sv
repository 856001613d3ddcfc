// SPDX-License-Identifier: Apache-2.0

/// The register interface as the shells' proofs have it: an answer to each request, after any number
/// of cycles, one or more, with any word. Reset is low in the first cycle and high from then on.
///
/// a_single: no request comes while another one waits for its answer.
module soc_answers (
    /// Clock, rising edge.
    input  logic clk_i,
    /// Reset.
    input  logic rst_ni,
    /// A request.
    input  logic req_i,
    /// The answer is not there yet.
    input  logic late_i,
    /// The answer.
    output logic ack_o
);
  logic run_q = 1'b0, open_q;
  always_ff @(posedge clk_i) begin
    run_q  <= 1'b1;
    open_q <= rst_ni && (req_i || (open_q && late_i));
  end
  assign ack_o = open_q && !late_i;
  always_comb begin
    m_reset : assume (rst_ni == run_q);
    if (rst_ni && open_q && !ack_o) a_single : assert (!req_i);
  end
endmodule
