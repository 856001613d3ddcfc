// SPDX-License-Identifier: Apache-2.0

/// Wishbone B4, classic cycles, in front of the register interface: 32 bits, addresses of words.
///
/// An access is answered with ack_i, by wb_ack_o or, if it was refused, by err_o.
/// Precondition: ack_i comes in a later cycle than req_o, once; a master holds its access until the answer.
/// Latency: 1 cycle with ack_i in the cycle after req_o.
/// Example: cyc and stb with adr 0 -> in the next cycle dat 0x4d504b41, ack 1.
module montcore_soc_wishbone (
    /// Clock, rising edge.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// A bus cycle is under way.
    input logic cyc_i,
    /// It is an access of this slave.
    input logic stb_i,
    /// It is a write.
    input logic we_i,
    /// Address in words.
    input logic [13:0] adr_i,
    /// Word to write.
    input logic [31:0] dat_i,
    /// Bytes of it to write.
    input logic [3:0] sel_i,
    /// The access is done.
    output logic wb_ack_o,
    /// The access was refused.
    output logic err_o,
    /// Word read.
    output logic [31:0] dat_o,
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
  assign req_o = rst_ni && cyc_i && stb_i && !wait_q;
  always_ff @(posedge clk_i) wait_q <= req_o || (rst_ni && wait_q && !ack_i);

  assign write_o = we_i;
  assign addr_o = {adr_i, 2'b00};
  assign wdata_o = dat_i;
  assign strb_o = sel_i;
  assign wb_ack_o = wait_q && ack_i && !error_i;
  assign err_o = wait_q && ack_i && error_i;
  assign dat_o = rdata_i;
endmodule
