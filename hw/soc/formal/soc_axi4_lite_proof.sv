// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_soc_axi4_lite`, for a master that follows the protocol.
///
/// a_hold: a response stays valid until it is accepted. a_once: each pair of address and data makes
/// one request with these values and gets one response with the request's result; nothing else
/// does.
/// a_turn: a pending access is requested within two cycles in which no other request is open.
module soc_axi4_lite_proof (
    input logic clk_i,
    input logic rst_ni,
    input logic [2:0] valid_i,  // Valid of the channels AW [0], W [1] and AR [2].
    input logic [1:0] ready_i,  // Ready of the channels B [0] and R [1].
    input logic [15:0] awaddr_i,  // Write address in bytes, valid with valid_i[0].
    input logic [31:0] wdata_i,  // Word to write, valid with valid_i[1].
    input logic [3:0] wstrb_i,  // Byte enables of the word to write.
    input logic [15:0] araddr_i,  // Read address in bytes, valid with valid_i[2].
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
  logic awready, wready, arready, bvalid, rvalid;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata;
  montcore_soc_axi4_lite u_dut (
      .awvalid_i(valid_i[0]),
      .awready_o(awready),
      .wvalid_i (valid_i[1]),
      .wready_o (wready),
      .bvalid_o (bvalid),
      .bready_i (ready_i[0] || `MUTANT),
      .bresp_o  (bresp),
      .arvalid_i(valid_i[2]),
      .arready_o(arready),
      .rvalid_o (rvalid),
      .rready_i (ready_i[1]),
      .rdata_o  (rdata),
      .rresp_o  (rresp),
      .req_o    (req),
      .write_o  (write),
      .addr_o   (addr),
      .wdata_o  (wdata),
      .strb_o   (strb),
      .ack_i    (ack),
      .*
  );

  logic asked, wait_q;  // a request waits for its answer
  assign asked = wait_q && !ack;
  always_ff @(posedge clk_i) wait_q <= rst_ni && (req || asked);
  logic aw_q, w_q, ar_q, b_q, r_q;  // accepted (aw, w, ar); requested (b, r)
  logic b_held_q, r_held_q, write_q, error_q, read_error_q;
  logic [1:0] write_waits_q, read_waits_q;
  logic [15:0] awaddr_q, araddr_q;
  logic [31:0] wdata_q, word_q;
  logic [3:0] wstrb_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {aw_q, w_q, ar_q, b_q, r_q, b_held_q, r_held_q} <= '0;
      write_waits_q <= '0;
      read_waits_q <= '0;
    end else begin
      if (valid_i[0] && awready) aw_q <= 1'b1;
      else if (req && write) aw_q <= 1'b0;
      if (valid_i[1] && wready) w_q <= 1'b1;
      else if (req && write) w_q <= 1'b0;
      if (valid_i[2] && arready) ar_q <= 1'b1;
      else if (req && !write) ar_q <= 1'b0;
      if (req && write) b_q <= 1'b1;
      else if (bvalid && ready_i[0]) b_q <= 1'b0;
      if (req && !write) r_q <= 1'b1;
      else if (rvalid && ready_i[1]) r_q <= 1'b0;
      b_held_q <= bvalid && !ready_i[0];
      r_held_q <= rvalid && !ready_i[1];
      if (!(aw_q && w_q && !b_q) || (req && write)) write_waits_q <= '0;
      else if (!asked) write_waits_q <= write_waits_q + 1;
      if (!(ar_q && !r_q) || (req && !write)) read_waits_q <= '0;
      else if (!asked) read_waits_q <= read_waits_q + 1;
    end
    if (valid_i[0] && awready) awaddr_q <= awaddr_i;
    if (valid_i[1] && wready) {wdata_q, wstrb_q} <= {wdata_i, wstrb_i};
    if (valid_i[2] && arready) araddr_q <= araddr_i;
    if (req) write_q <= write;
    if (ack && write_q) error_q <= error_i;
    if (ack && !write_q) {word_q, read_error_q} <= {rdata_i, error_i};
  end
  always_comb begin
    if (rst_ni) begin
      if (b_held_q) a_hold_b : assert (bvalid);
      if (r_held_q) a_hold_r : assert (rvalid);
      if (req && write) a_once_write : assert (aw_q && w_q && !b_q);
      if (req && !write) a_once_read : assert (ar_q && !r_q);
      if (req && write)
        a_same_write : assert (addr == awaddr_q && wdata == wdata_q && strb == wstrb_q);
      if (req && !write) a_same_read : assert (addr == araddr_q);
      if (bvalid) a_answer_b : assert (b_q && bresp == {error_q, 1'b0});
      if (rvalid) a_answer_r : assert (r_q && rdata == word_q && rresp == {read_error_q, 1'b0});
      a_turn : assert (write_waits_q < 2'd2 && read_waits_q < 2'd2);
    end
  end
endmodule
