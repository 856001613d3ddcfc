// SPDX-License-Identifier: Apache-2.0

/// AXI4-Lite in front of the register interface: 32 bits, one open write and one open read.
///
/// Address and data of a write may come in either order. Pending reads and writes alternate. A
/// refused access is answered with SLVERR. The protection bits are ignored.
/// The next request is made only after ack_i.
/// Precondition: ack_i comes in a later cycle than req_o, once.
/// Latency: 3 cycles from the last of address and data to the answer, with ack_i in the cycle after req_o
/// and no other access open.
/// Example: araddr 0x0000 -> rdata 0x4d504b41, rresp 0.
module montcore_soc_axi4_lite (
    input logic clk_i,
    input logic rst_ni,
    input logic awvalid_i,  // Channel AW: valid.
    output logic awready_o,  // Channel AW: ready; does not depend on awvalid_i.
    input logic [15:0] awaddr_i,  // Channel AW: write address in bytes, valid with awvalid_i.
    input logic wvalid_i,  // Channel W: valid.
    output logic wready_o,  // Channel W: ready; does not depend on wvalid_i.
    input logic [31:0] wdata_i,  // Channel W: word to write, valid with wvalid_i.
    input logic [3:0] wstrb_i,  // Channel W: byte enables, valid with wvalid_i.
    output logic bvalid_o,  // Channel B: write response valid.
    input logic bready_i,  // Channel B: ready, the response is accepted.
    /// Channel B: 0 OKAY, 2 SLVERR for a refused access; valid with bvalid_o.
    output logic [1:0] bresp_o,
    input logic arvalid_i,  // Channel AR: valid.
    output logic arready_o,  // Channel AR: ready; does not depend on arvalid_i.
    input logic [15:0] araddr_i,  // Channel AR: read address in bytes, valid with arvalid_i.
    output logic rvalid_o,  // Channel R: read response valid.
    input logic rready_i,  // Channel R: ready, the response is accepted.
    output logic [31:0] rdata_o,  // Channel R: word read, valid with rvalid_o.
    /// Channel R: 0 OKAY, 2 SLVERR for a refused access; valid with rvalid_o.
    output logic [1:0] rresp_o,
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
  logic aw_held_q, w_held_q, ar_held_q, b_wait_q, r_wait_q, b_valid_q, r_valid_q, read_next_q;
  logic b_error_q, r_error_q, can_write, can_read, write, read, waits;
  logic [15:0] awaddr_q, araddr_q;
  logic [31:0] wdata_q, rdata_q;
  logic [3:0] wstrb_q;

  assign awready_o = !aw_held_q;
  assign wready_o = !w_held_q;
  assign arready_o = !ar_held_q;
  assign waits = (b_wait_q || r_wait_q) && !ack_i;
  assign can_write = aw_held_q && w_held_q && !b_wait_q && !b_valid_q && !waits;
  assign can_read = ar_held_q && !r_wait_q && !r_valid_q && !waits;
  assign read = can_read && (read_next_q || !can_write);
  assign write = can_write && !read;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_held_q   <= 1'b0;
      w_held_q    <= 1'b0;
      ar_held_q   <= 1'b0;
      b_wait_q    <= 1'b0;
      r_wait_q    <= 1'b0;
      b_valid_q   <= 1'b0;
      r_valid_q   <= 1'b0;
      read_next_q <= 1'b0;
    end else begin
      if (awvalid_i && awready_o) aw_held_q <= 1'b1;
      else if (write) aw_held_q <= 1'b0;
      if (wvalid_i && wready_o) w_held_q <= 1'b1;
      else if (write) w_held_q <= 1'b0;
      if (arvalid_i && arready_o) ar_held_q <= 1'b1;
      else if (read) ar_held_q <= 1'b0;
      b_wait_q <= write || (b_wait_q && !ack_i);
      r_wait_q <= read || (r_wait_q && !ack_i);
      if (b_wait_q && ack_i) b_valid_q <= 1'b1;
      else if (bready_i) b_valid_q <= 1'b0;
      if (r_wait_q && ack_i) r_valid_q <= 1'b1;
      else if (rready_i) r_valid_q <= 1'b0;
      if (write) read_next_q <= 1'b1;
      else if (read) read_next_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      awaddr_q  <= '0;
      wdata_q   <= '0;
      wstrb_q   <= '0;
      araddr_q  <= '0;
      rdata_q   <= '0;
      b_error_q <= 1'b0;
      r_error_q <= 1'b0;
    end else begin
      if (awvalid_i && awready_o) awaddr_q <= awaddr_i;
      if (wvalid_i && wready_o) begin
        wdata_q <= wdata_i;
        wstrb_q <= wstrb_i;
      end
      if (arvalid_i && arready_o) araddr_q <= araddr_i;
      if (b_wait_q && ack_i) b_error_q <= error_i;
      if (r_wait_q && ack_i) begin
        rdata_q   <= rdata_i;
        r_error_q <= error_i;
      end
    end
  end

  assign req_o = read || write;
  assign write_o = write;
  assign addr_o = write ? awaddr_q : araddr_q;
  assign wdata_o = wdata_q;
  assign strb_o = wstrb_q;
  assign bvalid_o = b_valid_q;
  assign bresp_o = {b_error_q, 1'b0};
  assign rvalid_o = r_valid_q;
  assign rdata_o = rdata_q;
  assign rresp_o = {r_error_q, 1'b0};
endmodule
