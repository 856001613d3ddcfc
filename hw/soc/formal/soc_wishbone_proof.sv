// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_soc_wishbone`, for a master that holds an access until its answer.
///
/// a_once: each access makes one request with its address and data; no other request is made.
/// a_answer: it ends when the register interface answers, by exactly one of ack and err.
module soc_wishbone_proof (
    input logic clk_i,
    input logic rst_ni,
    input logic cyc_i,  // Bus cycle in progress (Wishbone CYC).
    input logic stb_i,  // Access to this slave (Wishbone STB).
    input logic we_i,  // High for a write, low for a read.
    input logic [13:0] adr_i,  // Address in words.
    input logic [31:0] dat_i,  // Word to write.
    input logic [3:0] sel_i,  // Byte select, one bit per byte.
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
  logic done, err, open_q;
  logic [31:0] dat;
  always_ff @(posedge clk_i) open_q <= rst_ni && cyc_i && stb_i && !done && !err;
  always_comb if (open_q) m_hold : assume (cyc_i && stb_i);
  montcore_soc_wishbone u_dut (
      .cyc_i   (cyc_i || `MUTANT),
      .wb_ack_o(done),
      .err_o   (err),
      .dat_o   (dat),
      .req_o   (req),
      .write_o (write),
      .addr_o  (addr),
      .wdata_o (wdata),
      .strb_o  (strb),
      .ack_i   (ack),
      .*
  );
  always_comb begin
    if (rst_ni) begin
      a_once : assert (req == (cyc_i && stb_i && !open_q));
      if (req) a_same : assert (write == we_i && addr == {adr_i, 2'b00} && wdata == dat_i);
      if (req) a_bytes : assert (strb == sel_i);
      a_answer : assert ({done, err} == (!ack ? 2'b00 : error_i ? 2'b01 : 2'b10));
      if (ack) a_open : assert (open_q);
      if (done) a_word : assert (dat == rdata_i);
    end
  end
endmodule
