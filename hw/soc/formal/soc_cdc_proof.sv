// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_soc_cdc` for two clocks whose edges may come in any order.
///
/// a_once: each request of the bus makes one request to the core, with its address and data; there
/// are no other requests. a_answer: each request gets one answer, after the core's and equal to it;
/// there are no other answers. a_still: what the core's side loads has been stable since its level
/// rose; the same holds for what the bus's side loads.
/// The bus has one open request; the core answers after any number of cycles.
module soc_cdc_proof (
    input logic clk_i,  // Clock of the bus, rising edge.
    input logic core_clk_i,  // Clock of the core, rising edge.
    input logic ask_i,  // Bus: request an access as soon as none is open.
    input logic write_i,  // High for a write, low for a read.
    input logic [15:0] addr_i,  // Address in bytes.
    input logic [31:0] wdata_i,  // Word to write.
    input logic [3:0] strb_i,  // Byte enables of the word to write.
    input logic late_i,  // Core: the answer to the open request is delayed by another cycle.
    input logic [31:0] rdata_i,  // Core: word read, arbitrary.
    input logic error_i,  // Core: the access is refused, arbitrary.
    input logic irq_i  // Core: interrupt line, arbitrary.
);
  // Each side stays in reset until both clocks have had their first edges.
  logic [1:0] run_q = '0, core_run_q = '0;
  logic ready;
  always_ff @(posedge clk_i) if (run_q == '0) run_q <= 2'd1;
  always_ff @(posedge core_clk_i) if (core_run_q == '0) core_run_q <= 2'd1;
  logic rst_n = 1'b0, core_rst_n = 1'b0;
  assign ready = run_q[0] && core_run_q[0];
  always_ff @(posedge clk_i) rst_n <= ready;
  always_ff @(posedge core_clk_i) core_rst_n <= ready;

  logic req, ack, error, irq, core_req, core_write, core_ack;
  logic [15:0] core_addr;
  logic [31:0] core_wdata, rdata;
  logic [3:0] core_strb;

  // Bus: no new request before the answer to the last one. odd_q is the parity of its number.
  logic open_q = 1'b0, odd_q = 1'b0;
  logic [52:0] sent_q;
  assign req = rst_n && ask_i && (!open_q || ack);
  always_ff @(posedge clk_i) begin
    if (req) begin
      open_q <= 1'b1;
      odd_q  <= !odd_q;
      sent_q <= {write_i, addr_i, wdata_i, strb_i};
    end else if (ack) begin
      open_q <= 1'b0;
    end
  end

  // Core: an answer after any number of cycles.
  logic core_open_q = 1'b0, core_odd_q = 1'b0, answer_odd_q = 1'b0;
  logic [32:0] answer_q;
  assign core_ack = core_rst_n && core_open_q && !late_i;
  always_ff @(posedge core_clk_i) begin
    if (core_rst_n && core_req) begin
      core_open_q <= 1'b1;
      core_odd_q  <= !core_odd_q;
    end else if (core_ack) begin
      core_open_q  <= 1'b0;
      answer_odd_q <= core_odd_q;
    end
    if (core_ack) answer_q <= {error_i, rdata_i};
  end

  montcore_soc_cdc u_dut (
      .rst_ni      (rst_n),
      .core_rst_ni (core_rst_n),
      .req_i       (req),
      .ack_o       (ack),
      .rdata_o     (rdata),
      .error_o     (error),
      .irq_o       (irq),
      .core_req_o  (core_req),
      .core_write_o(core_write),
      .core_addr_o (core_addr),
      .core_wdata_o(core_wdata),
      .core_strb_o (core_strb),
      .core_ack_i  (`MUTANT ? core_req : core_ack),
      .core_rdata_i(rdata_i),
      .core_error_i(error_i),
      .core_irq_i  (irq_i),
      .*
  );

  always_comb begin
    if (core_rst_n && core_req) begin
      a_once : assert (open_q && !ack && !core_open_q && core_odd_q != odd_q);
      a_same : assert ({core_write, core_addr, core_wdata, core_strb} == sent_q);
    end
    if (rst_n && ack) begin
      a_one : assert (open_q && core_odd_q == odd_q && answer_odd_q == odd_q && !core_open_q);
      a_answer : assert ({error, rdata} == answer_q);
    end
    // No register is loaded while the other side may sample it.
    if (u_dut.take && core_rst_n) a_still : assert (open_q && !ack && !req);
    if (rst_n && u_dut.level_q && u_dut.answered) a_still_back : assert (!core_ack && !core_req);
  end
endmodule
