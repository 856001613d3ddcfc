// SPDX-License-Identifier: Apache-2.0

/// Several curve engines that share one multiplier core: `montcore_ecc` with several open
/// operations.
///
/// Operations go to the engines in turn, and answers come in the order of the operations. All
/// engines use the same curve.
/// Precondition: as `montcore_ecc`.
/// Latency: as `montcore_ecc` for a single operation; others take turns at the multiplier as
/// `montcore_ecc_share` specifies. It depends on the start times and kinds of operations, never on
/// their data.
/// Example: y = 1, x = 2 and y = 1, x = 3: 2 G, then 3 G, in little more than the time of one.
module montcore_ecc_contexts
  import montcore_ecc_pkg::*;
#(
    /// Engines, which is the number of open operations, 2 to 4.
    parameter int unsigned Contexts = 2,
    parameter int unsigned Length = 256,  // Built width in bits, of the longer of p and n.
    parameter int unsigned Width = 32,  // Beat width in bits, 32 or more.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 2,  // Beats that an adder processes per cycle, 1 or 2.
    /// Maximum number of products in flight per operation; a power of two, 2 or more.
    parameter int unsigned Open = 8,
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
`ifdef MONTCORE_CURVE_CLK2X
    /// Clock of the blocks at twice the rate; each edge of clk_i is one of its edges.
    input logic clk2x_i,
`endif
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon the operation and clear all state, secrets included.
    output logic busy_o,  // High while a packet or operation is open or memories are being cleared.
    input logic cfg_valid_i,  // Curve stream: valid.
    output logic cfg_ready_o,  // Curve stream: ready.
    input logic [Width-1:0] cfg_data_i,  // Curve stream: data, least significant beat first.
    input logic cfg_last_i,  // Curve stream: last beat.
    output logic cfg_done_o,  // Pulse: the curve was accepted or refused.
    /// Reason: 0 accepted, 1 even, 3 length, 4 constant out of range or base point off the curve.
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,  // Scalar stream: valid.
    output logic x_ready_o,  // Scalar stream: ready.
    input logic [Width-1:0] x_data_i,  // Scalar stream: data, least significant beat first.
    input logic x_last_i,  // Scalar stream: last beat.
    input logic y_valid_i,  // Stream of operation and points: valid.
    output logic y_ready_o,  // Stream of operation and points: ready.
    input logic [Width-1:0] y_data_i,  // Stream of operation and points: data, the operation first.
    input logic y_last_i,  // Stream of operation and points: last beat.
    output logic z_valid_o,  // Answer stream: valid.
    input logic z_ready_i,  // Answer stream: ready.
    output logic [Width-1:0] z_data_o,  // Answer stream: data, the status first, then two numbers.
    output logic z_last_o,  // Answer stream: last beat.
    /// Always low: the status of an operation is in the answer's first beat.
    output logic z_error_o,
    input logic random_valid_i,  // Random stream: valid.
    output logic random_ready_o,  // Random stream: ready.
    /// Random stream: data, every bit random, valid with random_valid_i.
    input logic [Width-1:0] random_data_i,
    input logic random_fail_i,  // Random stream: the source has failed; its words must not be used.
    output logic core_start_o,  // Pulse: an operation starts.
    output logic core_done_o  // Pulse: the last beat of the answer is transferred.
);
  localparam int unsigned BeatBits = $clog2(Beats + 1);
  localparam int unsigned IndexBits = $clog2(Contexts);

  if (Contexts < 2 || Contexts > 4) begin : g_bad_contexts
    $fatal(1, "%m: 2 to 4 curve engines share a multiplier");
  end
  if (Width < 32) begin : g_bad_width
    $fatal(1, "%m: the curve engine needs a multiplier with a bus of at least 32 bits");
  end
  if (Length > 1000) begin : g_bad_length
    $fatal(1, "%m: the curve engine is built for at most 1000 bits");
  end

  typedef logic [Contexts-1:0] flags_t;
  typedef logic [Contexts-1:0][Width-1:0] words_t;

  logic   share_busy;
  flags_t busy;

  // ---- curve: set up in all engines at the same time -------------------------------------------
  flags_t cfg_ready, cfg_done, set_up_q, set_up;
  logic [Contexts-1:0][2:0] cfg_error;
  logic cfg_valid, ended;
  assign cfg_ready_o = cfg_ready == '1;
  // An engine that is not ready sees cfg_valid_i and becomes ready; the others wait for it.
  assign cfg_valid = cfg_valid_i && cfg_ready_o;
  assign set_up = set_up_q | cfg_done;
  assign ended = set_up == '1;
  // cfg_done_o comes one cycle after that of the last engine.
  assign busy_o = busy != '0 || share_busy || set_up != '0;
  // The set-up uses no random numbers, so that all engines accept or refuse a curve alike.
  always_comb begin
    cfg_error_o = '0;
    for (int unsigned k = 0; k < Contexts; k++) cfg_error_o |= cfg_error[k];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      set_up_q   <= '0;
      cfg_done_o <= 1'b0;
    end else begin
      set_up_q   <= ended ? '0 : set_up;
      cfg_done_o <= ended;
    end
  end

  // ---- operations to the engines in turn, answers in the same order ----------------------------
  flags_t x_ready, y_ready, z_valid, z_last, x_valid, y_valid, z_ready, started, unused_ended;
  words_t z_data;
  logic [IndexBits-1:0] front_q, back_q;
  logic x_done_q, y_done_q, x_done, y_done;
  flags_t unused_error;

  function automatic logic [IndexBits-1:0] after(logic [IndexBits-1:0] place);
    after = (place == IndexBits'(Contexts - 1)) ? '0 : place + 1'b1;
  endfunction

  always_comb begin
    x_valid = '0;
    y_valid = '0;
    z_ready = '0;
    x_valid[front_q] = x_valid_i && !x_done_q;
    y_valid[front_q] = y_valid_i && !y_done_q;
    z_ready[back_q] = z_ready_i;
  end
  assign x_ready_o = x_ready[front_q] && !x_done_q;
  assign y_ready_o = y_ready[front_q] && !y_done_q;
  assign x_done = x_done_q || (x_valid_i && x_ready_o && x_last_i);
  assign y_done = y_done_q || (y_valid_i && y_ready_o && y_last_i);
  assign z_valid_o = z_valid[back_q];
  assign z_data_o = z_data[back_q];
  assign z_last_o = z_last[back_q];
  assign z_error_o = 1'b0;
  assign core_start_o = started != '0;
  assign core_done_o = z_valid_o && z_ready_i && z_last_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      front_q  <= '0;
      back_q   <= '0;
      x_done_q <= 1'b0;
      y_done_q <= 1'b0;
    end else begin
      x_done_q <= x_done && !y_done;
      y_done_q <= y_done && !x_done;
      if (x_done && y_done) front_q <= after(front_q);
      if (core_done_o) back_q <= after(back_q);
    end
  end

  // ---- random words, round robin ---------------------------------------------------------------
  flags_t random_ready, random_valid;
  logic [IndexBits-1:0] drawer_q, drawer;
  always_comb begin
    drawer = drawer_q;
    for (int unsigned k = Contexts; k > 0; k--) begin
      if (random_ready[(32'(drawer_q)+k)%Contexts]) begin
        drawer = IndexBits'((32'(drawer_q) + k) % Contexts);
      end
    end
    random_valid = '0;
    random_valid[drawer] = random_valid_i;
  end
  assign random_ready_o = random_ready != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) drawer_q <= '0;
    else if (random_valid_i && random_ready_o) drawer_q <= drawer;
  end

  // ---- engines, each with its program ROM ------------------------------------------------------
  flags_t clear, order, mul_cfg_valid, mul_cfg_ready, mul_cfg_done, valid, ready, last, mul_z_valid;
  words_t mul_cfg_data, x_word, y_word;
  logic [Contexts-1:0][LengthBits-1:0] length;
  logic [LengthBits-1:0] radix, unused_power;
  logic [BeatBits-1:0] beats, unused_leave;
  logic [Width-1:0] z_word;
  logic z_refused;
  for (genvar k = 0; k < Contexts; k++) begin : g_context
    logic [AddressBits-1:0] address;
    logic [CodeBits-1:0] word;
    montcore_ecc_engine #(
        .Length(Length),
        .Width (Width),
        .Beats (Beats),
        .Lanes (Lanes),
        .Open  (Open),
        .Tech  (Tech)
    ) u_engine (
        .busy_o         (busy[k]),
        .cfg_valid_i    (cfg_ready[k] ? cfg_valid : cfg_valid_i),
        .cfg_ready_o    (cfg_ready[k]),
        .cfg_done_o     (cfg_done[k]),
        .cfg_error_o    (cfg_error[k]),
        .x_valid_i      (x_valid[k]),
        .x_ready_o      (x_ready[k]),
        .y_valid_i      (y_valid[k]),
        .y_ready_o      (y_ready[k]),
        .z_valid_o      (z_valid[k]),
        .z_ready_i      (z_ready[k]),
        .z_data_o       (z_data[k]),
        .z_last_o       (z_last[k]),
        .z_error_o      (unused_error[k]),
        .random_valid_i (random_valid[k]),
        .random_ready_o (random_ready[k]),
        .core_start_o   (started[k]),
        .core_done_o    (unused_ended[k]),
        .address_o      (address),
        .word_i         (word),
        .mul_clear_o    (clear[k]),
        .mul_busy_i     (share_busy),
        .mul_length_o   (length[k]),
        .mul_beats_i    (beats),
        .mul_radix_i    (radix),
        .mul_cfg_valid_o(mul_cfg_valid[k]),
        .mul_cfg_ready_i(mul_cfg_ready[k]),
        .mul_cfg_data_o (mul_cfg_data[k]),
        .mul_order_o    (order[k]),
        .mul_cfg_done_i (mul_cfg_done[k]),
        .mul_valid_o    (valid[k]),
        .mul_ready_i    (ready[k]),
        .mul_x_o        (x_word[k]),
        .mul_y_o        (y_word[k]),
        .mul_last_o     (last[k]),
        .mul_z_valid_i  (mul_z_valid[k]),
        .mul_z_data_i   (z_word),
        .mul_z_error_i  (z_refused),
        .*
    );
    montcore_ecc_rom u_rom (
        .address_i(address),
        .word_o   (word)
    );
  end

  // ---- the multiplier --------------------------------------------------------------------------
  logic clear_multiplier, mul_busy, one_cfg_valid, one_cfg_ready, one_cfg_done;
  logic one_valid, one_ready, one_last, one_z_valid;
  logic [Width-1:0] one_cfg_data, one_x, one_y;
  montcore_ecc_share #(
      .Contexts(Contexts),
      .Width   (Width),
      .Beats   (Beats),
      .Open    (Open)
  ) u_share (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .beats_i        (beats),
      .busy_o         (share_busy),
      .clear_i        (clear),
      .ended_i        (z_valid),
      .order_i        (order),
      .cfg_valid_i    (mul_cfg_valid),
      .cfg_ready_o    (mul_cfg_ready),
      .cfg_data_i     (mul_cfg_data),
      .cfg_done_o     (mul_cfg_done),
      .last_i         (last),
      .valid_i        (valid),
      .ready_o        (ready),
      .x_i            (x_word),
      .y_i            (y_word),
      .z_valid_o      (mul_z_valid),
      .mul_clear_o    (clear_multiplier),
      .mul_busy_i     (mul_busy),
      .mul_cfg_valid_o(one_cfg_valid),
      .mul_cfg_ready_i(one_cfg_ready),
      .mul_cfg_data_o (one_cfg_data),
      .mul_cfg_done_i (one_cfg_done),
      .mul_valid_o    (one_valid),
      .mul_ready_i    (one_ready),
      .mul_x_o        (one_x),
      .mul_y_o        (one_y),
      .mul_last_o     (one_last),
      .mul_z_valid_i  (one_z_valid),
      .mul_z_error_i  (z_refused)
  );

  montcore_ecc_multiplier u_multiplier (
      .clk_i,
`ifdef MONTCORE_CURVE_CLK2X
      .clk2x_i,
`endif
      .rst_ni,
      .zeroize_i  (zeroize_i || clear_multiplier),
      .busy_o     (mul_busy),
      .length_i   (length[0]),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (unused_power),
      .leave_o    (unused_leave),
      .cfg_valid_i(one_cfg_valid),
      .cfg_ready_o(one_cfg_ready),
      .cfg_data_i (one_cfg_data),
      .cfg_last_i (one_last),
      .cfg_done_o (one_cfg_done),
      .xy_valid_i (one_valid),
      .xy_ready_o (one_ready),
      .x_data_i   (one_x),
      .y_data_i   (one_y),
      .xy_last_i  (one_last),
      .canonical_i(1'b1),
      .z_valid_o  (one_z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_word),
      .z_error_o  (z_refused)
  );
  logic unused;
  assign unused = ^{unused_power, unused_leave, unused_error, unused_ended, length};
endmodule
