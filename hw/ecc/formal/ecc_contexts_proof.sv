// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_ecc_contexts`. a_pair, a_held, a_last, a_curve_alone, a_done, a_busy,
/// a_silent: as in `ecc_packets_proof`, for all operations together.
/// a_order: answers come in the order of the operations.
/// a_room: at most as many operations are open as there are engines.
module ecc_contexts_proof (
    input logic clk_i,
    input logic zeroize_i,  // Clear: all state is dropped.
    input logic [2:0] offer_i,  // Host: beat valid on cfg [0], x [1], y [2].
    input logic [2:0] last_i,  // Host: last beat of the packet, one bit per stream as in offer_i.
    input logic tag_i,  // Host: tag in the data of x, which the answer must return.
    input logic take_i,  // Host: ready for a beat of the answer.
    input logic random_i  // Random source: a word is valid.
);

  logic reset_q = 1'b1;
  always_ff @(posedge clk_i) reset_q <= 1'b0;
  logic cfg_ready, x_ready, y_ready, z_valid, z_last, z_error, cfg_done, busy, forgets;
  logic random_ready, start, done;
  logic [2:0] cfg_error, taken;
  logic [31:0] z_data;
  assign forgets = zeroize_i || reset_q;

  logic [2:0] held_q = '0;
  logic [2:0] held_last_q;
  logic held_tag_q;
  assign taken = offer_i & {y_ready, x_ready, cfg_ready};
  always_ff @(posedge clk_i) begin
    held_q      <= forgets ? '0 : offer_i & ~taken;
    held_last_q <= last_i;
    held_tag_q  <= tag_i;
  end
  always_comb begin
    m_offer : assume ((held_q & ~offer_i) == '0);
    m_last : assume ((held_q & (held_last_q ^ last_i)) == '0);
    m_tag : assume (!held_q[1] || held_tag_q == tag_i);
  end

  montcore_ecc_contexts #(
      .Contexts(2),
      .Length  (40),
      .Width   (32),
      .Beats   (2),
      .Lanes   (1),
      .Open    (2)
  ) u_dut (
      .clk_i,
      .rst_ni        (!reset_q),
      .zeroize_i,
      .busy_o        (busy),
      .cfg_valid_i   (offer_i[0]),
      .cfg_ready_o   (cfg_ready),
      .cfg_data_i    (32'd0),
      .cfg_last_i    (last_i[0]),
      .cfg_done_o    (cfg_done),
      .cfg_error_o   (cfg_error),
      .x_valid_i     (offer_i[1]),
      .x_ready_o     (x_ready),
      .x_data_i      (32'(tag_i)),
      .x_last_i      (last_i[1]),
      .y_valid_i     (offer_i[2]),
      .y_ready_o     (y_ready),
      .y_data_i      (32'd0),
      .y_last_i      (last_i[2] || `MUTANT),
      .z_valid_o     (z_valid),
      .z_ready_i     (take_i),
      .z_data_o      (z_data),
      .z_last_o      (z_last),
      .z_error_o     (z_error),
      .random_valid_i(random_i),
      .random_ready_o(random_ready),
      .random_data_i (32'd0),
      .random_fail_i (1'b0),
      .core_start_o  (start),
      .core_done_o   (done)
  );

  // ---- reference model: packets of x and y without an answer, with the tags of x
  logic [1:0] x_open_q = '0, y_open_q = '0;
  logic [2:0] tags_q;
  logic x_begun_q = 1'b0, y_begun_q = 1'b0, cfg_begun_q = 1'b0, cfg_due_q = 1'b0;
  logic z_held_q = 1'b0, z_held_last_q, z_held_tag_q, second_q = 1'b0, forgot_q = 1'b0, ends;
  logic done_q = 1'b0;
  assign ends = z_valid && take_i && z_last;
  always_ff @(posedge clk_i) begin
    forgot_q      <= forgets;
    done_q        <= cfg_done;
    z_held_q      <= z_valid && !take_i && !forgets;
    z_held_last_q <= z_last;
    z_held_tag_q  <= z_data[0];
    if (cfg_done) cfg_due_q <= 1'b0;
    if (taken[0]) {cfg_begun_q, cfg_due_q} <= {!last_i[0], last_i[0]};
    if (taken[1]) x_begun_q <= !last_i[1];
    if (taken[2]) y_begun_q <= !last_i[2];
    if (z_valid && take_i) second_q <= !z_last;
    x_open_q <= x_open_q + 2'(taken[1] && last_i[1]) - 2'(ends);
    y_open_q <= y_open_q + 2'(taken[2] && last_i[2]) - 2'(ends);
    tags_q   <= ends ? tags_q >> 1 : tags_q;
    if (taken[1] && last_i[1]) tags_q[x_open_q-2'(ends)] <= tag_i;
    if (forgets) begin
      {x_open_q, y_open_q, x_begun_q, y_begun_q}   <= '0;
      {cfg_begun_q, cfg_due_q, second_q, z_held_q} <= '0;
    end
  end

  logic waits;
  assign waits = x_begun_q || y_begun_q || x_open_q != '0 || y_open_q != '0;
  always_comb begin
    if (!reset_q) begin
      a_pair : assert (!z_valid || (x_open_q != '0 && y_open_q != '0));
      a_order : assert (!z_valid || z_data[0] == tags_q[0]);
      a_held :
      assert (!z_held_q || (z_valid && z_last == z_held_last_q && z_data[0] == z_held_tag_q));
      a_last : assert (!z_valid || z_last == second_q);
      a_room : assert (x_open_q <= 2'd2 && y_open_q <= 2'd2);
      a_curve_alone : assert (!taken[0] || !waits);
      a_done : assert (!cfg_done || (cfg_due_q && !done_q && cfg_error == 3'd4));
      a_busy : assert (busy || !(cfg_begun_q || (cfg_due_q && !cfg_done) || waits));
      a_silent : assert (!forgot_q || !(z_valid || cfg_done));
    end
  end
endmodule
