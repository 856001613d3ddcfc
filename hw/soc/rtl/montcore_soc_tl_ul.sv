// SPDX-License-Identifier: Apache-2.0

/// TileLink-UL in front of the register interface: 32 bits, one open access.
///
/// Get, PutFullData and PutPartialData of 1, 2 or 4 bytes. Another opcode, an address that is not
/// aligned to the size, a mask that does not fit them, or a refused access is answered with d_denied_o.
/// A Get reads the whole word.
/// Precondition: ack_i comes in a later cycle than req_o, once.
/// Latency: 2 cycles from the request to the answer with ack_i in the cycle after req_o.
/// Example: Get, size 2, address 0x0000 -> AccessAckData 0x4d504b41, d_denied 0.
module montcore_soc_tl_ul #(
    parameter int unsigned SourceBits = 8  // Width of the source identifier in bits, 1 or more.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic a_valid_i,  // Channel A: request valid.
    output logic a_ready_o,  // Channel A: ready; does not depend on a_valid_i.
    input logic [2:0] a_opcode_i,  // Channel A: 0 PutFullData, 1 PutPartialData, 4 Get.
    input logic [1:0] a_size_i,  // Channel A: log2 of the size in bytes.
    /// Channel A: source identifier, returned on d_source_o.
    input logic [SourceBits-1:0] a_source_i,
    input logic [15:0] a_address_i,  // Channel A: address in bytes.
    input logic [3:0] a_mask_i,  // Channel A: byte mask of the access.
    input logic [31:0] a_data_i,  // Channel A: word to write, valid with a_valid_i.
    output logic d_valid_o,  // Channel D: response valid.
    input logic d_ready_i,  // Channel D: ready, the response is accepted.
    output logic [2:0] d_opcode_o,  // Channel D: 0 AccessAck, 1 AccessAckData.
    output logic [1:0] d_size_o,  // Channel D: size of the request, from a_size_i.
    output logic [SourceBits-1:0] d_source_o,  // Channel D: source of the request, from a_source_i.
    /// Channel D: the request was illegal or refused; valid with d_valid_o.
    output logic d_denied_o,
    output logic d_corrupt_o,  // Channel D: d_data_o is not valid, for a denied Get.
    output logic [31:0] d_data_o,  // Channel D: word read; 0 for a write.
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
  logic wait_q, valid_q, get_q, denied_q, illegal_q, take, ends, is_get, is_put, legal;
  logic [1:0] size_q;
  logic [SourceBits-1:0] source_q;
  logic [31:0] data_q;
  logic [3:0] lanes;
  logic [1:0] place;

  assign is_get = a_opcode_i == 3'd4;
  assign is_put = a_opcode_i == 3'd0 || a_opcode_i == 3'd1;
  assign place  = a_address_i[1:0];
  always_comb begin
    case (a_size_i)
      2'd0: lanes = 4'b0001 << place;
      2'd1: lanes = (place == 2'd0) ? 4'b0011 : (place == 2'd2) ? 4'b1100 : 4'b0000;
      2'd2: lanes = (place == 2'd0) ? 4'b1111 : 4'b0000;
      default: lanes = 4'b0000;
    endcase
  end
  // Only a PutPartialData may leave out bytes of the range.
  assign legal = lanes != '0 && (is_get || is_put) && (a_mask_i & ~lanes) == '0 &&
                 (a_opcode_i == 3'd1 || a_mask_i == lanes);
  assign a_ready_o = !wait_q && !valid_q;
  assign take = a_valid_i && a_ready_o;
  assign ends = wait_q && (illegal_q || ack_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q    <= 1'b0;
      valid_q   <= 1'b0;
      get_q     <= 1'b0;
      denied_q  <= 1'b0;
      illegal_q <= 1'b0;
      size_q    <= '0;
      source_q  <= '0;
      data_q    <= '0;
    end else begin
      wait_q <= take || (wait_q && !ends);
      if (take) begin
        get_q     <= is_get;
        illegal_q <= !legal;
        size_q    <= a_size_i;
        source_q  <= a_source_i;
      end
      if (ends) begin
        valid_q  <= 1'b1;
        denied_q <= illegal_q || error_i;
        data_q   <= (get_q && !illegal_q) ? rdata_i : '0;
      end else if (d_ready_i) begin
        valid_q <= 1'b0;
      end
    end
  end

  assign req_o = take && legal;
  assign write_o = is_put;
  assign addr_o = a_address_i;
  assign wdata_o = a_data_i;
  assign strb_o = a_mask_i;
  assign d_valid_o = valid_q;
  assign d_opcode_o = {2'b00, get_q};
  assign d_size_o = size_q;
  assign d_source_o = source_q;
  assign d_denied_o = denied_q;
  assign d_corrupt_o = denied_q && get_q;
  assign d_data_o = data_q;
endmodule
