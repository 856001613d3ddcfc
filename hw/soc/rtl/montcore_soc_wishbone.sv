// SPDX-License-Identifier: Apache-2.0

/// Wishbone B4, classic cycles, in front of the register interface: 32 bits, word addresses.
///
/// An access is answered in the cycle of ack_i: by wb_ack_o, or by err_o if it was refused.
/// Precondition: ack_i comes in a later cycle than req_o, once; a master holds its access until the answer.
/// Latency: 1 cycle with ack_i in the cycle after req_o.
/// Example: cyc and stb with adr 0 -> in the next cycle dat 0x4d504b41, ack 1.
module montcore_soc_wishbone (
    input logic clk_i,
    input logic rst_ni,
    input logic cyc_i,  // Bus cycle in progress (Wishbone CYC).
    input logic stb_i,  // Access to this slave (Wishbone STB).
    input logic we_i,  // High for a write, low for a read (Wishbone WE).
    input logic [13:0] adr_i,  // Address in units of words.
    input logic [31:0] dat_i,  // Word to write.
    input logic [3:0] sel_i,  // Byte enables of a write, one bit per byte.
    output logic wb_ack_o,  // Normal end of the access (Wishbone ACK).
    output logic err_o,  // End of a refused access (Wishbone ERR), instead of wb_ack_o.
    output logic [31:0] dat_o,  // Word read, valid with wb_ack_o.
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
