// SPDX-License-Identifier: Apache-2.0

/// Two exponentiators with a modulus each over one row of `dsp`: the powers of RSA with CRT.
///
/// z_k = x_k^e_k mod m_k, k = 0, 1; each as `montcore_modexp`
/// A modulus packet is for 0; with bit 14 of its header set it is for 1, and its length must be that
/// of 0. Without a modulus of 1 all requests are for 0, with one they are for 0 and 1 in turn, from
/// its configuration on. Answers come in the order of the requests. A packet for 0 forgets 1.
/// With bit 15 of its header set, R^2 of a modulus is kept until another one is: if it comes again
/// so marked, for 0 or 1, its set-up is short. This is for public moduli.
/// Precondition: as `montcore_modexp`; both moduli below 2^length, of any lengths of their own.
/// Latency: alone as `montcore_modexp`; two requests share the row by half-iterations, and squares
/// of two powers of policy 0 take three half-iterations of four. Times depend on kinds, lengths and
/// arrivals of both requests, never on their data, with policies 0, 2 and 3.
/// Source: dsp48-2007, Figure 6 and Algorithm 3.
/// Example: length 8, m_0 = 0x8b, m_1 = 0x65; x = 0x53, e = 0x11, twice: 0x10, then 0x0b.
module montcore_modexp_pair
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Length = 512,
    parameter int unsigned Alpha = 17,  // Number of DSP blocks of the row.
    parameter int unsigned Window = 5,  // Window width in bits, 2 to 6.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
`ifdef MONTCORE_CLK2X
    /// Clock of the blocks at twice the rate; each edge of clk_i is one of its edges.
    input logic clk2x_i,
`endif
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon all work, clear moduli, operands and results.
    output logic busy_o,  // High while a packet, a request or a clear is in progress.
    input logic cfg_valid_i,
    output logic cfg_ready_o,  // Modulus stream: ready; does not depend on valid.
    /// Modulus stream: the length in bits and the marks of modulus 1 and of one whose R^2 is kept,
    /// then the modulus.
    input logic [33:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    /// Reason for the refusal (montcore_error_e), valid with cfg_done_o.
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,  // Base stream: valid.
    output logic x_ready_o,  // Base stream: ready; does not depend on valid.
    input logic [33:0] x_data_i,  // Base stream: data.
    input logic x_last_i,  // Base stream: last beat.
    input logic y_valid_i,  // Exponent stream: valid.
    output logic y_ready_o,  // Exponent stream: ready; does not depend on valid.
    input logic [33:0] y_data_i,  // Exponent stream: policy and length in bits, then the exponent.
    input logic y_last_i,  // Exponent stream: last beat.
    output logic z_valid_o,
    input logic z_ready_i,  // Result stream: ready, the beat is accepted.
    /// Result stream: the result, or with z_error_o a montcore_error_e.
    output logic [33:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,  // Pulse: the first product of a request starts.
    output logic core_done_o  // Pulse: the result that is output next is complete.
);
  localparam int unsigned Blocks = (Alpha > 0) ? Alpha : 1;
  localparam int unsigned Beats = ((Length + 36 + 16) / 17 + 1) / 2;
  localparam int unsigned BeatBits = $clog2(Beats + 1);
  /// Bit of the header that marks the modulus of 1.
  localparam int unsigned MarkBit = 14;
  /// Bit of the header that marks a modulus whose R^2 is kept.
  localparam int unsigned KeptBit = 15;

  if (Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end
  if (Alpha < 1) begin : g_bad_alpha
    $fatal(1, "%m: alpha must be at least 1");
  end

  logic [1:0] busy, cfg_valid, cfg_ready, cfg_done, x_valid, x_ready, y_valid, y_ready;
  logic [1:0] z_valid, z_ready, z_last, z_error, started, begins, forgets;
  logic [1:0][33:0] z_data;
  logic [1:0][2:0] cfg_error;
  logic [1:0][LengthBits-1:0] length;
  logic mul_busy, clearing;

  // ---- moduli ------------------------------------------------------------------------------------
  // The header decides on the exponentiator a cycle before that sees it. Requests wait until the
  // modulus is set up.
  logic routed_q, header_q, setting_up_q, side_q, marked, fits, waits, kept_busy;
  logic [1:0] loaded_q;
  logic [2:0] cfg_error_q;
  logic [33:0] cfg_data, header;
  assign marked = cfg_data_i[MarkBit];
  assign header = cfg_data_i & ~(34'd1 << KeptBit);
  assign fits = loaded_q[0] && header == (34'(length[0]) | 34'd1 << MarkBit);
  // A header that does not fit becomes a length that is refused.
  assign cfg_data = !header_q ? cfg_data_i : !side_q ? header : fits ? 34'(length[0]) : '0;
  assign cfg_ready_o = routed_q && cfg_ready[side_q];
  assign cfg_done_o = cfg_done != '0;
  assign cfg_error_o = cfg_done_o ? cfg_error[side_q] : cfg_error_q;
  assign waits = cfg_valid_i || routed_q || setting_up_q;
  always_comb begin
    cfg_valid = '0;
    forgets = '0;
    cfg_valid[side_q] = cfg_valid_i && routed_q;
    forgets[side_q] = header_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      routed_q     <= 1'b0;
      header_q     <= 1'b0;
      setting_up_q <= 1'b0;
      side_q       <= 1'b0;
      loaded_q     <= '0;
      cfg_error_q  <= montcore_pkg::ErrNone;
    end else begin
      cfg_error_q <= cfg_error_o;
      if (!routed_q && !setting_up_q && cfg_valid_i && busy == '0 && !kept_busy) begin
        routed_q     <= 1'b1;
        header_q     <= 1'b1;
        setting_up_q <= 1'b1;
        side_q       <= marked;
      end else if (cfg_valid_i && cfg_ready_o) begin
        routed_q <= !cfg_last_i;
        header_q <= 1'b0;
        if (header_q) begin
          loaded_q[1] <= 1'b0;
          if (!side_q) loaded_q[0] <= 1'b0;
        end
      end
      if (cfg_done_o) begin
        setting_up_q     <= 1'b0;
        loaded_q[side_q] <= cfg_error[side_q] == montcore_pkg::ErrNone;
      end
    end
  end

  // ---- requests in turn, answers in the same order ------------------------------------------------
  logic front_q, back_q, x_done_q, y_done_q, x_done, y_done, y_open_q, leaving_q, left;
  logic [1:0] hold, headers;
  assign hold = {2{waits}} & ~busy;
  always_comb begin
    x_valid = '0;
    y_valid = '0;
    z_ready = '0;
    x_valid[front_q] = x_valid_i && !x_done_q && !hold[front_q];
    y_valid[front_q] = y_valid_i && !y_done_q && !hold[front_q];
    z_ready[back_q] = z_ready_i;
  end
  assign x_ready_o = x_ready[front_q] && !x_done_q && !hold[front_q];
  assign y_ready_o = y_ready[front_q] && !y_done_q && !hold[front_q];
  assign x_done = x_done_q || (x_valid_i && x_ready_o && x_last_i);
  assign y_done = y_done_q || (y_valid_i && y_ready_o && y_last_i);
  assign begins = (x_valid & x_ready) | (y_valid & y_ready);
  assign headers = (y_valid & y_ready) & {2{!y_open_q}};
  assign z_valid_o = z_valid[back_q];
  assign z_data_o = z_data[back_q];
  assign z_last_o = z_last[back_q];
  assign z_error_o = z_error[back_q];
  assign left = z_valid_o && z_ready_i && z_last_o;
  assign core_start_o = started != '0;
  assign core_done_o = z_valid_o && !z_error_o && !leaving_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      front_q   <= 1'b0;
      back_q    <= 1'b0;
      x_done_q  <= 1'b0;
      y_done_q  <= 1'b0;
      y_open_q  <= 1'b0;
      leaving_q <= 1'b0;
    end else begin
      x_done_q <= x_done && !y_done;
      y_done_q <= y_done && !x_done;
      if (y_valid_i && y_ready_o) y_open_q <= !y_last_i;
      if (x_done && y_done) front_q <= loaded_q[1] && !front_q;
      if (left) back_q <= loaded_q[1] && !back_q;
      // No request is in progress.
      if (header_q) begin
        front_q <= 1'b0;
        back_q  <= 1'b0;
      end
      leaving_q <= (z_valid_o || leaving_q) && !left;
    end
  end

  // ---- the exponentiators --------------------------------------------------------------------------
  logic [1:0] wipe, mul_cfg_valid, mul_cfg_ready, mul_cfg_last, mul_cfg_done, mul_valid, mul_ready;
  logic [1:0] mul_last, mul_canonical, mul_square, mul_z_valid, mul_z_ready, unused_done;
  logic [1:0] answered, given;
  logic [1:0][33:0] mul_cfg_data, mul_x, mul_y, mul_z;
  logic [LengthBits-1:0] radix, power, kept_radix, kept_power;
  logic [33:0] kept_z;
  logic recall;
  logic [BeatBits-1:0] beats, leave;
  for (genvar k = 0; k < 2; k++) begin : g_side
    assign answered[k] = recall && side_q == 1'(k);
    assign given[k] = mul_valid[k] && !answered[k];
    montcore_modexp_engine #(
        .Length(Length),
        .Width(34),
        .Beats(Beats),
        .Window(Window),
        .LazySetUp(1'b1),
        .Tech(Tech)
    ) u_engine (
        .busy_o         (busy[k]),
        .cfg_valid_i    (cfg_valid[k]),
        .cfg_ready_o    (cfg_ready[k]),
        .cfg_data_i     (cfg_data),
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
        .mul_zeroize_o  (wipe[k]),
        .mul_busy_i     (clearing),
        .mul_length_o   (length[k]),
        .mul_beats_i    (beats),
        .mul_radix_i    (recall ? kept_radix : radix),
        .mul_power_i    (recall ? kept_power : power),
        .mul_leave_i    (leave),
        .mul_cfg_valid_o(mul_cfg_valid[k]),
        .mul_cfg_ready_i(mul_cfg_ready[k]),
        .mul_cfg_data_o (mul_cfg_data[k]),
        .mul_cfg_last_o (mul_cfg_last[k]),
        .mul_cfg_done_i (mul_cfg_done[k]),
        .mul_xy_valid_o (mul_valid[k]),
        .mul_xy_ready_i (mul_ready[k] || answered[k]),
        .mul_x_data_o   (mul_x[k]),
        .mul_y_data_o   (mul_y[k]),
        .mul_xy_last_o  (mul_last[k]),
        .mul_canonical_o(mul_canonical[k]),
        .mul_z_valid_i  (mul_z_valid[k] || answered[k]),
        .mul_z_ready_o  (mul_z_ready[k]),
        .mul_z_data_i   (answered[k] ? kept_z : mul_z[k]),
        .mul_z_error_i  (1'b0),
        .*
    );
    montcore_modexp_squares #(
        .Window(Window)
    ) u_squares (
        .clk_i,
        .rst_ni,
        .clear_i    (wipe[k]),
        .header_i   (headers[k]),
        .e_i        (y_valid[k] && y_ready[k] && y_open_q),
        .y_data_i,
        .given_i    (given[k] && mul_ready[k] && mul_last[k]),
        .canonical_i(mul_canonical[k]),
        .square_o   (mul_square[k])
    );
  end

  montcore_modexp_dsp_pair #(
      .Length(Length),
      .Alpha(Blocks),
      .BeatBits(BeatBits),
      .LengthBits(LengthBits),
      .Tech(Tech)
  ) u_multiplier (
      .clk_i,
`ifdef MONTCORE_CLK2X
      .clk2x_i,
`endif
      .rst_ni,
      .zeroize_i,
      .busy_o(mul_busy),
      .clearing_o(clearing),
      .length_i(length[0]),
      .beats_o(beats),
      .radix_o(radix),
      .power_o(power),
      .leave_o(leave),
      .begin_i(begins | forgets),
      .end_i(cfg_done),
      .wipe_i(wipe),
      .forget_i(forgets),
      .cfg_valid_i(mul_cfg_valid),
      .cfg_ready_o(mul_cfg_ready),
      .cfg_data_i(mul_cfg_data),
      .cfg_last_i(mul_cfg_last),
      .cfg_done_o(mul_cfg_done),
      .xy_valid_i(given),
      .xy_ready_o(mul_ready),
      .x_data_i(mul_x),
      .y_data_i(mul_y),
      .xy_last_i(mul_last),
      .canonical_i(mul_canonical),
      .square_i(mul_square),
      .z_valid_o(mul_z_valid),
      .z_data_o(mul_z)
  );

  montcore_modexp_pair_kept #(
      .Beats(Beats),
      .Tech (Tech)
  ) u_kept (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .busy_o    (kept_busy),
      .begin_i   (header_q && cfg_valid_i && cfg_ready_o),
      .mark_i    (cfg_data_i[KeptBit]),
      .end_i     (cfg_done_o),
      .accepted_i(cfg_error_o == montcore_pkg::ErrNone),
      .length_i  (length[side_q]),
      .beats_i   (beats),
      .m_valid_i (setting_up_q && mul_cfg_valid[side_q] && mul_cfg_ready[side_q]),
      .m_data_i  (mul_cfg_data[side_q]),
      .m_last_i  (mul_cfg_last[side_q]),
      .z_valid_i (mul_z_valid[side_q]),
      .z_data_i  (mul_z[side_q]),
      .taken_i   (mul_z_ready[side_q]),
      .recall_o  (recall),
      .z_data_o  (kept_z),
      .radix_o   (kept_radix),
      .power_o   (kept_power)
  );
  assign busy_o = busy != '0 || waits || mul_busy || kept_busy || y_open_q || x_done_q || y_done_q;
  logic unused;
  assign unused = ^unused_done;
endmodule
