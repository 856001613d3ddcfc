// SPDX-License-Identifier: Apache-2.0

/// Environment of the bus bridge proofs: the register interface answers each request after one or
/// more cycles with an arbitrary word. Reset is low in the first cycle and high from then on.
///
/// a_single: no request is made while another one waits for its answer.
module soc_answers (
    input logic clk_i,
    input logic rst_ni,
    input logic req_i,  // Request from the bridge under test, one cycle per access.
    input logic late_i,  // High: the answer to the open request is delayed by another cycle.
    output logic ack_o  // Answer to the open request, high for one cycle.
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
