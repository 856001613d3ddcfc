// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_soc_tl_ul`, for any master.
///
/// a_hold: a response stays unchanged until it is accepted. a_once: each legal request makes one
/// request to the register interface, with its address, data and mask; an illegal one makes none.
/// a_answer: one response for each request, with its source, size and opcode, denied if it was
/// illegal or refused; no other responses. a_soon: within two cycles of the register interface's
/// answer.
module soc_tl_ul_proof (
    input logic clk_i,
    input logic rst_ni,
    input logic a_valid_i,  // Channel A: request valid.
    input logic [2:0] a_opcode_i,  // Channel A: opcode, any value.
    input logic [1:0] a_size_i,  // Channel A: log2 of the size in bytes.
    input logic [1:0] a_source_i,  // Channel A: source of the request.
    input logic [15:0] a_address_i,  // Channel A: address in bytes.
    input logic [3:0] a_mask_i,  // Channel A: byte mask, any value.
    input logic [31:0] a_data_i,  // Channel A: word to write.
    input logic d_ready_i,  // Channel D: ready, the response is accepted.
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
  logic a_ready, d_valid, d_denied, d_corrupt;
  logic [2:0] d_opcode;
  logic [1:0] d_size, d_source;
  logic [31:0] d_data;
  montcore_soc_tl_ul #(
      .SourceBits(2)
  ) u_dut (
      .a_ready_o  (a_ready),
      .d_valid_o  (d_valid),
      .d_ready_i  (d_ready_i || `MUTANT),
      .d_opcode_o (d_opcode),
      .d_size_o   (d_size),
      .d_source_o (d_source),
      .d_denied_o (d_denied),
      .d_corrupt_o(d_corrupt),
      .d_data_o   (d_data),
      .req_o      (req),
      .write_o    (write),
      .addr_o     (addr),
      .wdata_o    (wdata),
      .strb_o     (strb),
      .ack_i      (ack),
      .*
  );
  // By the specification: byte k belongs to the request if it lies in the aligned range.
  logic [3:0] range;
  logic legal, take;
  logic [16:0] first, behind, word;
  assign word   = {1'b0, a_address_i[15:2], 2'b00};
  assign first  = (a_address_i >> a_size_i) << a_size_i;
  assign behind = first + (17'd1 << a_size_i);
  always_comb begin
    for (int unsigned k = 0; k < 4; k++) begin
      range[k] = word + 17'(k) >= first && word + 17'(k) < behind;
    end
  end
  assign legal = a_size_i <= 2'd2 && {1'b0, a_address_i} == first && (a_mask_i & ~range) == '0 &&
                 ((a_opcode_i == 3'd1) ||
                  ((a_opcode_i == 3'd0 || a_opcode_i == 3'd4) && a_mask_i == range));
  assign take = a_valid_i && a_ready;

  logic asked, wait_q;  // the register interface has not answered yet
  assign asked = wait_q && !ack;
  always_ff @(posedge clk_i) wait_q <= rst_ni && (req || asked);
  logic open_q, held_q, legal_q, denied_q, get_q;
  logic [1:0] size_q, source_q, waits_q;
  logic [31:0] word_q, last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q  <= 1'b0;
      held_q  <= 1'b0;
      waits_q <= '0;
    end else begin
      if (take) open_q <= 1'b1;
      else if (d_valid && d_ready_i) open_q <= 1'b0;
      held_q  <= d_valid && !d_ready_i;
      waits_q <= (open_q && !d_valid && !asked) ? waits_q + 1 : '0;
    end
    if (take)
      {legal_q, get_q, size_q, source_q} <= {legal, a_opcode_i == 3'd4, a_size_i, a_source_i};
    if (take) denied_q <= !legal;
    else if (ack && error_i) denied_q <= 1'b1;
    if (ack) word_q <= rdata_i;
    last_q <= d_data;
  end
  always_comb begin
    if (rst_ni) begin
      a_once : assert (req == (take && legal));
      if (req)
        a_same :
        assert (
          addr == a_address_i && strb == a_mask_i && write == (a_opcode_i != 3'd4) &&
          wdata == a_data_i);
      if (take) a_one : assert (!open_q);
      if (held_q) a_hold : assert (d_valid && d_data == last_q);
      if (d_valid)
        a_answer :
        assert (
          open_q && d_opcode == {2'b00, get_q} && d_size == size_q && d_source == source_q &&
          d_denied == denied_q && d_corrupt == (denied_q && get_q));
      if (d_valid && get_q && legal_q) a_word : assert (d_data == word_q);
      if (d_valid && !(get_q && legal_q)) a_nothing : assert (d_data == '0);
      a_soon : assert (waits_q < 2'd2);
    end
  end
endmodule
