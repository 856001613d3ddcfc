// SPDX-License-Identifier: Apache-2.0

/// Several exponentiators over one multiplier core: `montcore_modexp` with several open requests.
///
/// Requests go to the slots in turn, and answers come in the order of the requests. All have the
/// same modulus. A slot is an exponentiator with its own memories.
/// Precondition: as `montcore_modexp`.
/// Latency: as `montcore_modexp` for a single request; others take turns at the multiplier, as
/// `montcore_modexp_share` specifies. With policies constant, ladder and product it depends on the
/// start times and kinds of requests, never on their data; next to a sliding window, for public
/// exponents, also on the number of its products.
/// Example: length 8, m = 0x8b; x = 0x53, e = 0x11 and x = 0x53, e = 0x12: 0x10, then 0x4d, in little
/// more than the time of one, if the multiplier's interval is shorter than its latency.
module montcore_modexp_slots
  import montcore_modexp_pkg::*;
#(
    /// Number of slots, which is the number of open requests, 2 to 4.
    parameter int unsigned Slots = 2,
    parameter int unsigned Length = 512,
    parameter int unsigned Width = 34,  // Beat width in bits, 16 or more.
    /// Width of a beat of the multiplier's operands and results in bits.
    parameter int unsigned OperandWidth = Width,
    parameter int unsigned Beats = 17,  // Beats of the multiplier's operands at the built width.
    parameter int unsigned Window = 5,  // Window width in bits, 2 to 6.
    parameter int unsigned LazySetUp = 1,  // 1: R^2 is made with lazy products.
    /// 1: lazy multiplier; it must finish a product that is to be reduced before the next one.
    parameter int unsigned Await = 1,
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
`ifdef MONTCORE_CLK2X
    /// Clock of the blocks at twice the rate; each edge of clk_i is one of its edges.
    input logic clk2x_i,
`endif
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon all work, clear modulus, operands and results.
    output logic busy_o,  // High while a packet, a request or a clear is in progress.
    input logic cfg_valid_i,
    /// Modulus stream: ready; high only in the cycles in which all slots are ready.
    output logic cfg_ready_o,
    input logic [Width-1:0] cfg_data_i,  // Modulus stream: the length in bits, then the modulus.
    input logic cfg_last_i,
    output logic cfg_done_o,
    /// Reason for the refusal (montcore_error_e), valid with cfg_done_o.
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,  // Base stream: valid.
    output logic x_ready_o,  // Base stream: ready; does not depend on valid.
    input logic [Width-1:0] x_data_i,  // Base stream: data.
    input logic x_last_i,  // Base stream: last beat.
    input logic y_valid_i,  // Exponent stream: valid.
    output logic y_ready_o,  // Exponent stream: ready; does not depend on valid.
    /// Exponent stream: policy and length in bits, then the exponent.
    input logic [Width-1:0] y_data_i,
    input logic y_last_i,  // Exponent stream: last beat.
    output logic z_valid_o,
    input logic z_ready_i,  // Result stream: ready, the beat is accepted.
    /// Result stream: the result, or with z_error_o a montcore_error_e.
    output logic [Width-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,  // Pulse: the first product of a request starts.
    output logic core_done_o  // Pulse: the result that is output next is complete.
);
  localparam int unsigned BeatBits = $clog2(Beats + 1);
  localparam int unsigned IndexBits = $clog2(Slots);

  if (Slots < 2 || Slots > 4) begin : g_bad_slots
    $fatal(1, "%m: 2 to 4 exponentiators share a multiplier");
  end

  typedef logic [Slots-1:0] flags_t;
  typedef logic [Slots-1:0][Width-1:0] words_t;

  flags_t busy;
  logic share_busy, mul_busy;

  // ---- modulus: set up in all slots at the same time
  flags_t cfg_ready, cfg_done, set_up_q, set_up;
  logic [Slots-1:0][2:0] cfg_error;
  logic cfg_valid, all_set_up, some_set_up, new_modulus;
  assign cfg_ready_o = cfg_ready == '1;
  // A slot that is not ready sees cfg_valid_i and becomes ready; the others wait for it.
  assign cfg_valid = cfg_valid_i && cfg_ready_o;
  assign set_up = set_up_q | cfg_done;
  assign all_set_up = set_up == '1;
  assign some_set_up = set_up != '0 && !all_set_up;
  // All slots check the same packet, with the same result.
  assign cfg_error_o = cfg_error[0];
  assign new_modulus = cfg_valid;
  assign busy_o = busy != '0 || set_up_q != '0 || cfg_done_o || share_busy || mul_busy;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      set_up_q   <= '0;
      cfg_done_o <= 1'b0;
    end else begin
      set_up_q   <= all_set_up ? '0 : set_up;
      cfg_done_o <= all_set_up;
    end
  end

  // ---- requests to the slots in turn, answers in the same order ----------------------------------
  // A request waits until every slot is set up. After an earlier one the modulus would be counted,
  // and nobody would load it again when the multiplier is cleared at the end of the last set-up.
  flags_t x_ready, y_ready, z_valid, z_last, z_error, x_valid, y_valid, z_ready, started, begins;
  words_t z_data;
  logic [IndexBits-1:0] front_q, back_q;
  logic x_done_q, y_done_q, x_done, y_done, leaving_q, left;

  function automatic logic [IndexBits-1:0] after(logic [IndexBits-1:0] place);
    after = (place == IndexBits'(Slots - 1)) ? '0 : place + 1'b1;
  endfunction

  always_comb begin
    x_valid = '0;
    y_valid = '0;
    z_ready = '0;
    x_valid[front_q] = x_valid_i && !x_done_q && !some_set_up;
    y_valid[front_q] = y_valid_i && !y_done_q && !some_set_up;
    z_ready[back_q] = z_ready_i;
  end
  assign x_ready_o = x_ready[front_q] && !x_done_q;
  assign y_ready_o = y_ready[front_q] && !y_done_q;
  assign x_done = x_done_q || (x_valid_i && x_ready_o && x_last_i);
  assign y_done = y_done_q || (y_valid_i && y_ready_o && y_last_i);
  assign begins = (x_valid & x_ready) | (y_valid & y_ready);
  assign z_valid_o = z_valid[back_q];
  assign z_data_o = z_data[back_q];
  assign z_last_o = z_last[back_q];
  assign z_error_o = z_error[back_q];
  assign left = z_valid_o && z_ready_i && z_last_o;
  assign core_start_o = started != '0;
  assign core_done_o = z_valid_o && !z_error_o && !leaving_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      front_q   <= '0;
      back_q    <= '0;
      x_done_q  <= 1'b0;
      y_done_q  <= 1'b0;
      leaving_q <= 1'b0;
    end else begin
      x_done_q <= x_done && !y_done;
      y_done_q <= y_done && !x_done;
      if (x_done && y_done) front_q <= after(front_q);
      if (left) back_q <= after(back_q);
      leaving_q <= (z_valid_o || leaving_q) && !left;
    end
  end

  // ---- the slots ---------------------------------------------------------------------------------
  flags_t clear, mul_cfg_valid, mul_cfg_ready, mul_cfg_done, valid, ready, last, canonical, z_come;
  words_t mul_cfg_data;
  logic [Slots-1:0][OperandWidth-1:0] x_word, y_word;
  logic [Slots-1:0][LengthBits-1:0] length;
  logic [LengthBits-1:0] radix, power;
  logic [BeatBits-1:0] beats, leave;
  logic [OperandWidth-1:0] z_word;
  logic z_refused;
  flags_t unused_done, unused_last;
  for (genvar k = 0; k < Slots; k++) begin : g_slot
    logic sweeping, result_valid, result_ready, result_refused, give, given;
    logic [OperandWidth-1:0] result;
    montcore_modexp_engine #(
        .Length(Length),
        .Width(Width),
        .OperandWidth(OperandWidth),
        .Beats(Beats),
        .Window(Window),
        .LazySetUp(LazySetUp != 0),
        .Tech(Tech)
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
        .z_error_o      (z_error[k]),
        .core_start_o   (started[k]),
        .core_done_o    (unused_done[k]),
        .mul_zeroize_o  (clear[k]),
        .mul_busy_i     (share_busy || sweeping),
        .mul_length_o   (length[k]),
        .mul_beats_i    (beats),
        .mul_radix_i    (radix),
        .mul_power_i    (power),
        .mul_leave_i    (leave),
        .mul_cfg_valid_o(mul_cfg_valid[k]),
        .mul_cfg_ready_i(mul_cfg_ready[k]),
        .mul_cfg_data_o (mul_cfg_data[k]),
        .mul_cfg_last_o (unused_last[k]),
        .mul_cfg_done_i (mul_cfg_done[k]),
        .mul_xy_valid_o (give),
        .mul_xy_ready_i (given),
        .mul_x_data_o   (x_word[k]),
        .mul_y_data_o   (y_word[k]),
        .mul_xy_last_o  (last[k]),
        .mul_canonical_o(canonical[k]),
        .mul_z_valid_i  (result_valid),
        .mul_z_ready_o  (result_ready),
        .mul_z_data_i   (result),
        .mul_z_error_i  (result_refused),
        .*
    );
    montcore_modexp_result #(
        .Width(OperandWidth),
        .Beats(Beats)
    ) u_result (
        .clk_i,
        .rst_ni,
        .clear_i(clear[k]),
        .busy_o (sweeping),
        .beats_i(beats),
        .we_i   (z_come[k]),
        .data_i (z_word),
        .error_i(z_refused),
        .valid_o(result_valid),
        .ready_i(result_ready),
        .data_o (result),
        .error_o(result_refused)
    );
    // A request whose product was refused ends with that: no further operands are sent.
    assign valid[k] = give && !result_refused;
    assign given = ready[k] || result_refused;
  end

  // ---- the multiplier ----------------------------------------------------------------------------
  logic clear_multiplier, one_cfg_valid, one_cfg_ready, one_cfg_last, one_cfg_done;
  logic one_valid, one_ready, one_last, one_canonical, one_z_valid;
  logic [Width-1:0] one_cfg_data;
  logic [OperandWidth-1:0] one_x, one_y;
  montcore_modexp_share #(
      .Slots(Slots),
      .Width(Width),
      .OperandWidth(OperandWidth),
      .Beats(Beats),
      .Await(Await != 0)
  ) u_share (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .beats_i        (beats),
      .busy_o         (share_busy),
      .forget_i       (new_modulus),
      .begin_i        (begins | {Slots{new_modulus}}),
      .end_i          (cfg_done),
      .clear_i        (clear),
      .cfg_valid_i    (mul_cfg_valid),
      .cfg_ready_o    (mul_cfg_ready),
      .cfg_data_i     (mul_cfg_data),
      .cfg_done_o     (mul_cfg_done),
      .last_i         (last),
      .valid_i        (valid),
      .ready_o        (ready),
      .x_i            (x_word),
      .y_i            (y_word),
      .canonical_i    (canonical),
      .z_valid_o      (z_come),
      .mul_clear_o    (clear_multiplier),
      .mul_busy_i     (mul_busy),
      .mul_cfg_valid_o(one_cfg_valid),
      .mul_cfg_ready_i(one_cfg_ready),
      .mul_cfg_data_o (one_cfg_data),
      .mul_cfg_last_o (one_cfg_last),
      .mul_cfg_done_i (one_cfg_done),
      .mul_valid_o    (one_valid),
      .mul_ready_i    (one_ready),
      .mul_x_o        (one_x),
      .mul_y_o        (one_y),
      .mul_last_o     (one_last),
      .mul_canonical_o(one_canonical),
      .mul_z_valid_i  (one_z_valid),
      .mul_z_error_i  (z_refused)
  );

  montcore_modexp_multiplier u_multiplier (
      .clk_i,
`ifdef MONTCORE_CLK2X
      .clk2x_i,
`endif
      .rst_ni,
      .zeroize_i  (zeroize_i || clear_multiplier),
      .busy_o     (mul_busy),
      .length_i   (length[0]),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (power),
      .leave_o    (leave),
      .cfg_valid_i(one_cfg_valid),
      .cfg_ready_o(one_cfg_ready),
      .cfg_data_i (one_cfg_data),
      .cfg_last_i (one_cfg_last),
      .cfg_done_o (one_cfg_done),
      .xy_valid_i (one_valid),
      .xy_ready_o (one_ready),
      .x_data_i   (one_x),
      .y_data_i   (one_y),
      .xy_last_i  (one_last),
      .canonical_i(one_canonical),
      .z_valid_o  (one_z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_word),
      .z_error_o  (z_refused)
  );
  logic unused;
  assign unused = ^{unused_done, unused_last, cfg_error, length};
endmodule
