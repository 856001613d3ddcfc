// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_soc_apb`, for a master that follows the protocol.
///
/// a_once: each setup phase makes one request with its address and data; no other request is made.
/// a_answer: the access phase that follows ends in the cycle of the register interface's answer,
/// and not earlier.
module soc_apb_proof (
    input logic clk_i,
    input logic rst_ni,
    input logic psel_i,  // Slave select; assumed to stay high in the access phase.
    input logic pwrite_i,  // High for a write, low for a read.
    input logic [15:0] paddr_i,  // Address in bytes.
    input logic [31:0] pwdata_i,  // Word to write.
    input logic [3:0] pstrb_i,  // Byte enables of the word to write.
    input logic [31:0] rdata_i,  // Register interface: word read, with its answer.
    input logic error_i,  // Register interface: the access is refused, with its answer.
    input logic late_i  // Register interface: the answer is delayed by another cycle.
);
  logic req, write, ack;
  logic [15:0] addr;
  logic [31:0] wdata;
  logic [ 3:0] strb;
  soc_answers u_answers (
      .clk_i,
      .rst_ni,
      .req_i(req),
      .late_i,
      .ack_o(ack)
  );
  logic pready, pslverr, penable;
  logic [31:0] prdata;
  // The master: a setup phase, then an access phase until ready.
  logic access_q;
  always_ff @(posedge clk_i) access_q <= rst_ni && psel_i && !(access_q && pready);
  always_comb if (access_q) m_select : assume (psel_i);
  assign penable = access_q;
  montcore_soc_apb u_dut (
      .penable_i(penable && !`MUTANT),
      .pstrb_i  (`MUTANT ? 4'b1111 : pstrb_i),
      .pready_o (pready),
      .prdata_o (prdata),
      .pslverr_o(pslverr),
      .req_o    (req),
      .write_o  (write),
      .addr_o   (addr),
      .wdata_o  (wdata),
      .strb_o   (strb),
      .ack_i    (ack),
      .*
  );
  always_comb begin
    if (rst_ni) begin
      a_once : assert (req == (psel_i && !penable));
      if (req) a_same : assert (write == pwrite_i && addr == paddr_i && wdata == pwdata_i);
      if (req) a_strobes : assert (strb == pstrb_i);
      if (access_q) a_ready : assert (pready == ack);
      if (access_q && ack) a_answer : assert (prdata == rdata_i && pslverr == error_i);
      if (!access_q || !ack) a_quiet : assert (!pslverr);
    end
  end
endmodule
