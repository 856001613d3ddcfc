// SPDX-License-Identifier: Apache-2.0

/// Connects the register interface across two clocks, the bus's and the core's, of any periods.
///
/// A request is held in registers of the bus's clock while a level is set and synchronised. The
/// core's side then copies it, makes one request, holds the answer and sets a level that is
/// synchronised back. Both levels fall before the next request crosses. Only these two levels and
/// the interrupt pass through synchronisers; words are sampled after they have been stable for two
/// edges. Levels let each side be reset without the other: a request during a reset of the core is
/// made after it.
/// Precondition: no request before the answer to the last one; the next may come in the cycle of
/// the answer. A reset of either side lasts 8 cycles of the slower clock, plus the cycles beyond 1
/// that the core takes for an answer; the first reset is applied to both sides together.
/// Latency: 4 cycles of the core's clock and 4 of the bus's from req_i to ack_o, each up to one more; up
/// to 3 and 2 more for a request in the cycle of an answer.
/// Example: req_i with addr_i 0x0000 -> one cycle of core_req_o with core_addr_o 0x0000; its answer
/// 0x4d504b41 -> one cycle of ack_o with rdata_o 0x4d504b41.
module montcore_soc_cdc (
    input logic clk_i,  // Clock of the bus, rising edge.
    input logic rst_ni,  // Synchronous reset of the bus's side, active low.
    input logic core_clk_i,  // Clock of the core, rising edge.
    /// Synchronous reset of the core's side, active low, in the core's clock.
    input logic core_rst_ni,
    input logic req_i,  // Bus: access request, one cycle per access.
    input logic write_i,  // Bus: high for a write, low for a read; valid with req_i.
    input logic [15:0] addr_i,  // Bus: address in bytes.
    input logic [31:0] wdata_i,  // Bus: word to write.
    input logic [3:0] strb_i,  // Bus: byte enables of a write, valid with req_i.
    output logic ack_o,  // Bus: answer to the request, high for one cycle.
    output logic [31:0] rdata_o,  // Bus: word read; valid with ack_o.
    output logic error_o,  // Bus: the access was refused; valid with ack_o.
    output logic irq_o,  // Bus: interrupt, level, synchronised to clk_i.
    output logic core_req_o,  // Core: access request, one cycle per access.
    output logic core_write_o,  // Core: high for a write, low for a read; valid with core_req_o.
    output logic [15:0] core_addr_o,  // Core: address in bytes.
    output logic [31:0] core_wdata_o,  // Core: word to write.
    output logic [3:0] core_strb_o,  // Core: byte enables of a write, valid with core_req_o.
    input logic core_ack_i,  // Core: answer to the request, one cycle after it or later.
    input logic [31:0] core_rdata_i,  // Core: word read, valid with core_ack_i.
    input logic core_error_i,  // Core: the access was refused; valid with core_ack_i.
    input logic core_irq_i  // Core: interrupt, driven by a register of the core's clock.
);
  // ---- the bus's clock ---------------------------------------------------------------------------
  logic held_q, level_q, ack_q, error_q, answered;
  logic write_q;
  logic [15:0] addr_q;
  logic [31:0] wdata_q, rdata_q;
  logic [3:0] strb_q;
  // ---- the core's clock --------------------------------------------------------------------------
  logic asked, open_q, core_req_q, core_level_q, core_write_q, core_error_q, irq_q, take;
  logic [15:0] core_addr_q;
  logic [31:0] core_wdata_q, core_rdata_q;
  logic [3:0] core_strb_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= 1'b0;
      level_q <= 1'b0;
      ack_q   <= 1'b0;
    end else begin
      // A request waits until both levels of the previous one are low again.
      if (req_i) held_q <= 1'b1;
      else if (level_q) held_q <= 1'b0;
      if (level_q) level_q <= !answered;
      else level_q <= (req_i || held_q) && !answered;
      ack_q <= level_q && answered;
    end
  end
  // No reset: the other side may be sampling these registers.
  always_ff @(posedge clk_i) begin
    if (req_i) begin
      write_q <= write_i;
      addr_q  <= addr_i;
      wdata_q <= wdata_i;
      strb_q  <= strb_i;
    end
    if (level_q && answered) begin
      rdata_q <= core_rdata_q;
      error_q <= core_error_q;
    end
  end
  assign ack_o   = ack_q;
  assign rdata_o = rdata_q;
  assign error_o = error_q;

  montcore_soc_sync u_answered_sync (
      .clk_i,
      .rst_ni,
      .bit_i(core_level_q),
      .bit_o(answered)
  );
  montcore_soc_sync u_irq_sync (
      .clk_i,
      .rst_ni,
      .bit_i(irq_q),
      .bit_o(irq_o)
  );

  montcore_soc_sync u_asked_sync (
      .clk_i (core_clk_i),
      .rst_ni(core_rst_ni),
      .bit_i (level_q),
      .bit_o (asked)
  );
  assign take = asked && !open_q;
  always_ff @(posedge core_clk_i) begin
    if (!core_rst_ni) begin
      open_q       <= 1'b0;
      core_req_q   <= 1'b0;
      core_level_q <= 1'b0;
      irq_q        <= 1'b0;
    end else begin
      core_req_q <= take;
      irq_q      <= core_irq_i;
      if (take) open_q <= 1'b1;
      else if (core_level_q && !asked) open_q <= 1'b0;
      if (core_ack_i) core_level_q <= 1'b1;
      else if (!asked) core_level_q <= 1'b0;
    end
  end
  always_ff @(posedge core_clk_i) begin
    if (take) begin
      core_write_q <= write_q;
      core_addr_q  <= addr_q;
      core_wdata_q <= wdata_q;
      core_strb_q  <= strb_q;
    end
    if (core_ack_i) begin
      core_rdata_q <= core_rdata_i;
      core_error_q <= core_error_i;
    end
  end
  assign core_req_o   = core_req_q;
  assign core_write_o = core_write_q;
  assign core_addr_o  = core_addr_q;
  assign core_wdata_o = core_wdata_q;
  assign core_strb_o  = core_strb_q;
endmodule
