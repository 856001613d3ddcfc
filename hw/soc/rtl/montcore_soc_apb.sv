// SPDX-License-Identifier: Apache-2.0

/// APB4 in front of the register interface: 32 bits.
///
/// The request is made in the setup phase. The access phase that follows waits for ack_i. A refused
/// access is answered with pslverr_o. The protection bits are ignored.
/// Precondition: ack_i comes in a later cycle than req_o, once.
/// Latency: 1 cycle from setup phase to answer, no wait states, if ack_i follows req_o by a cycle.
/// Example: setup with paddr 0x0000 -> in the next cycle prdata 0x4d504b41, pready 1, pslverr 0.
module montcore_soc_apb (
    input logic clk_i,
    input logic rst_ni,
    input logic psel_i,  // Slave select, high in setup and access phase.
    input logic penable_i,  // High in the access phase, low in the setup phase.
    input logic pwrite_i,  // High for a write, low for a read.
    input logic [15:0] paddr_i,  // Address in bytes.
    input logic [31:0] pwdata_i,  // Word to write.
    input logic [3:0] pstrb_i,  // Byte enables of a write, one bit per byte.
    output logic pready_o,  // Ready: high in the last cycle of the access phase.
    output logic [31:0] prdata_o,  // Word read, valid with pready_o.
    output logic pslverr_o,  // The access was refused; valid with pready_o.
    output logic req_o,  // Register interface: access request, one cycle per access.
    /// Register interface: high for a write, low for a read; valid with req_o.
    output logic write_o,
    output logic [15:0] addr_o,  // Register interface: address in bytes.
    output logic [31:0] wdata_o,  // Register interface: word to write.
    output logic [3:0] strb_o,  // Register interface: byte enables of a write, valid with req_o.
    input logic ack_i,  // Register interface: answer to the request, one cycle after it or later.
    input logic [31:0] rdata_i,  // Register interface: word read, valid with ack_i.
    input logic error_i  // Register interface: the access was refused; valid with ack_i.
);
  logic wait_q;
  // wait_q keeps a setup phase of more than one cycle from making a second request.
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
