// SPDX-License-Identifier: Apache-2.0

/// APB4 in front of the register interface: 32 bits.
///
/// The request is made in the setup phase and answered in the access phase that follows, which waits for
/// ack_i. A refused access is answered with pslverr_o. The protection bits are ignored.
/// Precondition: ack_i comes in a later cycle than req_o, once.
/// Latency: 1 cycle from the setup phase to the answer with ack_i in the next one, without wait states.
/// Example: setup with paddr 0x0000 -> in the next cycle prdata 0x4d504b41, pready 1, pslverr 0.
module montcore_soc_apb (
    /// Clock, rising edge.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Selected.
    input logic psel_i,
    /// Access phase.
    input logic penable_i,
    /// It is a write.
    input logic pwrite_i,
    /// Address in bytes.
    input logic [15:0] paddr_i,
    /// Word to write.
    input logic [31:0] pwdata_i,
    /// Bytes of it to write.
    input logic [3:0] pstrb_i,
    /// The access ends.
    output logic pready_o,
    /// Word read.
    output logic [31:0] prdata_o,
    /// The access was refused; valid with pready_o.
    output logic pslverr_o,
    /// Register interface: request, for one cycle.
    output logic req_o,
    /// Register interface: it is a write.
    output logic write_o,
    /// Register interface: address in bytes.
    output logic [15:0] addr_o,
    /// Register interface: word to write.
    output logic [31:0] wdata_o,
    /// Register interface: bytes of it to write.
    output logic [3:0] strb_o,
    /// Register interface: the request is answered, one cycle after it or later.
    input logic ack_i,
    /// Register interface: word read.
    input logic [31:0] rdata_i,
    /// Register interface: the access was refused.
    input logic error_i
);
  logic wait_q;
  // A setup phase has one cycle; a longer one would not ask twice.
  assign req_o = rst_ni && psel_i && !penable_i && !wait_q;
  always_ff @(posedge clk_i) wait_q <= req_o || (rst_ni && wait_q && !ack_i);

  assign write_o = pwrite_i;
  assign addr_o = paddr_i;
  assign wdata_o = pwdata_i;
  assign strb_o = pstrb_i;
  assign pready_o = wait_q && ack_i;
  assign prdata_o = rdata_i;
  assign pslverr_o = pready_o && error_i;
endmodule
