// SPDX-License-Identifier: Apache-2.0

/// The exponentiator without its multiplier, so that several can share one.
///
/// z = x^e mod m
/// Packets, policies, precondition and clearing: those of `montcore_modexp`.
/// Precondition also: the mul_... ports connect to a multiplier like `montcore_modexp_multiplier`.
/// Latency: as in `montcore_modexp`, plus the time spent waiting for the multiplier.
/// Example: length 8, m = 0x8b; x = 0x53, e = 0x11 -> z = 0x53^17 mod 0x8b = 0x10.
module montcore_modexp_engine
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Length = 512,  /// Built width L in bits.
    parameter int unsigned Width = 34,  /// Beat width in bits, 16 or more.
    parameter int unsigned OperandWidth = Width,  /// Beat width of the multiplier's operands.
    parameter int unsigned Beats = 17,  /// Beats of the multiplier's operands at full width.
    parameter int unsigned Window = 5,  /// Window width in bits, 2 to 6.
    parameter bit LazySetUp = 1'b1,  /// 1: R^2 is made with lazy products.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,  /// Target, `montcore_pkg::Tech...`.
    localparam int unsigned BeatBits = $clog2(Beats + 1)  /// Width of a beat count (do not change).
) (
    input logic clk_i,  /// Clock, rising edge.
    input logic rst_ni,  /// Synchronous reset, active low.
    input logic zeroize_i,  /// Pulse: abandon all work, clear modulus, operands and result.
    output logic busy_o,  /// High while a packet, a request or a clear is in progress.
    input logic cfg_valid_i,  /// Modulus stream: valid.
    output logic cfg_ready_o,  /// Modulus stream: ready, independent of cfg_valid_i.
    input logic [Width-1:0] cfg_data_i,  /// Modulus stream: length in bits, then the modulus.
    input logic cfg_last_i,  /// Modulus stream: last beat.
    output logic cfg_done_o,  /// Pulse: the modulus was accepted or refused.
    output logic [2:0] cfg_error_o,  /// Reason (montcore_error_e), valid with cfg_done_o.
    input logic x_valid_i,  /// Base stream: valid.
    output logic x_ready_o,  /// Base stream: ready, independent of x_valid_i.
    input logic [Width-1:0] x_data_i,  /// Base stream: data, least significant beat first.
    input logic x_last_i,  /// Base stream: last beat.
    input logic y_valid_i,  /// Exponent stream: valid.
    output logic y_ready_o,  /// Exponent stream: ready, independent of y_valid_i.
    input logic [Width-1:0] y_data_i,  /// Exponent stream: policy and length, then the exponent.
    input logic y_last_i,  /// Exponent stream: last beat.
    output logic z_valid_o,  /// Result stream: valid, stable until accepted.
    input logic z_ready_i,  /// Result stream: ready, the beat is accepted.
    output logic [Width-1:0] z_data_o,  /// Result, or a montcore_error_e with z_error_o.
    output logic z_last_o,  /// Result stream: last beat.
    output logic z_error_o,  /// Result stream: the beat is an error code and the only beat.
    output logic core_start_o,  /// Pulse: the first product of a request starts.
    output logic core_done_o,  /// Pulse: the result of a request is complete.
    output logic mul_zeroize_o,  /// Pulse: clear the residue of a request in the multiplier.
    input logic mul_busy_i,  /// High while the multiplier clears itself.
    output logic [LengthBits-1:0] mul_length_o,  /// Length of the modulus in bits.
    input logic [BeatBits-1:0] mul_beats_i,  /// Beats of an operand at mul_length_o.
    input logic [LengthBits-1:0] mul_radix_i,  /// log2 of the radix of products that lead to R^2.
    input logic [LengthBits-1:0] mul_power_i,  /// Exponent from which R^2 is made.
    input logic [BeatBits-1:0] mul_leave_i,  /// Beat with the factor that leaves the domain.
    output logic mul_cfg_valid_o,  /// Multiplier, modulus stream: valid.
    input logic mul_cfg_ready_i,  /// Multiplier, modulus stream: ready.
    output logic [Width-1:0] mul_cfg_data_o,  /// Multiplier, modulus stream: data.
    output logic mul_cfg_last_o,  /// Multiplier, modulus stream: last beat.
    input logic mul_cfg_done_i,  /// Multiplier, pulse: the modulus is loaded.
    output logic mul_xy_valid_o,  /// Multiplier, operand streams: valid, x and y together.
    input logic mul_xy_ready_i,  /// Multiplier, operand streams: ready, x and y together.
    output logic [OperandWidth-1:0] mul_x_data_o,  /// Operand x; a number is in its low Width bits.
    output logic [OperandWidth-1:0] mul_y_data_o,  /// Operand y; a number is in its low Width bits.
    output logic mul_xy_last_o,  /// Multiplier, operand streams: last beat.
    output logic mul_canonical_o,  /// High: the product is to be reduced.
    input logic mul_z_valid_i,  /// Multiplier, result stream: valid.
    output logic mul_z_ready_o,  /// Multiplier, result stream: ready.
    input logic [OperandWidth-1:0] mul_z_data_i,  /// Result; a canonical one is a number.
    input logic mul_z_error_i  /// Multiplier, result stream: the product was refused.
);
  state_e state;
  packets_t packets;
  policy_t policy;
  feedback_t feedback;
  route_t route;
  request_t request;
  taking_t taking;
  transfer_t transfer;
  operands_t operands;
  logic [BeatBits-1:0] index, next_index, store_index, chosen_index;
  logic [BeatBits-1:0] host_beats, top_beat, e_beat;
  logic [LengthBits-1:0] e_length;
  logic [$clog2(Beats + 1)+$clog2(Width)-1:0] e_top;
  logic [Window-1:0] power_index, digit;
  logic [Width-1:0] packet_stored, packet_chosen, stored, sum;
  logic [1:0] packet_we;
  logic [2:0] status;
  logic forget, clear, wipe, loaded, choose, negative, refused, operands_bad, z_wait;
  montcore_modexp_packets #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats),
      .Window(Window)
  ) u_packets (
      .forget_i      (forget),
      .state_i       (state),
      .index_i       (index),
      .beats_i       (mul_beats_i),
      .loaded_i      (loaded),
      .below_i       (negative),
      .packets_o     (packets),
      .policy_o      (policy),
      .length_o      (mul_length_o),
      .host_beats_o  (host_beats),
      .top_beat_o    (top_beat),
      .e_length_o    (e_length),
      .e_top_o       (e_top),
      .refused_o     (refused),
      .operands_bad_o(operands_bad),
      .status_o      (status),
      .we_o          (packet_we),
      .store_index_o (store_index),
      .store_data_o  (packet_stored),
      .chosen_index_o(chosen_index),
      .chosen_data_o (packet_chosen),
      .*
  );

  montcore_modexp_sequence #(
      .Length   (Length),
      .Width    (Width),
      .Beats    (Beats),
      .Window   (Window),
      .LazySetUp(LazySetUp)
  ) u_sequence (
      .clk_i,
      .rst_ni,
      .forget_i      (forget),
      .clear_i       (clear),
      .packets_i     (packets),
      .policy_i      (policy),
      .refused_i     (refused),
      .operands_bad_i(operands_bad),
      .top_beat_i    (top_beat),
      .e_length_i    (e_length),
      .e_top_i       (e_top),
      .feedback_i    (feedback),
      .xy_ready_i    (mul_xy_ready_i),
      .beats_i       (mul_beats_i),
      .radix_i       (mul_radix_i),
      .power_i       (mul_power_i),
      .leave_i       (mul_leave_i),
      .word_i        (stored),
      .z_wait_i      (z_wait),
      .state_o       (state),
      .loaded_o      (loaded),
      .operands_o    (operands),
      .route_o       (route),
      .request_o     (request),
      .taking_o      (taking),
      .transfer_o    (transfer),
      .index_o       (index),
      .next_index_o  (next_index),
      .e_beat_o      (e_beat),
      .power_index_o (power_index),
      .choose_o      (choose),
      .digit_o       (digit),
      .wipe_o        (wipe),
      .cfg_done_o,
      .core_start_o,
      .core_done_o
  );

  montcore_modexp_store #(
      .Width(Width),
      .OperandWidth(OperandWidth),
      .Beats(Beats),
      .Window(Window),
      // With LazySetUp even the shortest number has two beats.
      .LateSums(LazySetUp && Tech >= montcore_pkg::TechFpga),
      .Tech(Tech)
  ) u_store (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .wipe_i        (wipe),
      .mul_busy_i,
      .mul_zeroize_o,
      .clear_o       (clear),
      .forget_o      (forget),
      .packet_we_i   (packet_we),
      .store_index_i (store_index),
      .store_data_i  (packet_stored),
      .chosen_index_i(chosen_index),
      .chosen_data_i (packet_chosen),
      .route_i       (route),
      .transfer_i    (transfer),
      .operands_i    (operands),
      .beats_i       (mul_beats_i),
      .index_i       (index),
      .next_index_i  (next_index),
      .e_beat_i      (e_beat),
      .power_index_i (power_index),
      .choose_i      (choose),
      .digit_i       (digit),
      .table_busy_o  (feedback.table_busy),
      .result_i      (mul_z_data_i),
      .x_o           (mul_x_data_o),
      .y_o           (mul_y_data_o),
      .stored_o      (stored),
      .sum_o         (sum),
      .negative_o    (negative)
  );

  assign mul_cfg_valid_o = request.cfg_valid;
  assign feedback.cfg_ready = mul_cfg_ready_i;
  assign mul_cfg_data_o = stored;
  assign mul_cfg_last_o = transfer.last;
  assign feedback.cfg_done = mul_cfg_done_i;
  assign mul_xy_valid_o = request.xy_valid;
  assign mul_xy_last_o = transfer.last;
  assign mul_canonical_o = request.canonical;
  assign feedback.z_valid = mul_z_valid_i;
  assign mul_z_ready_o = taking.z_ready;
  assign feedback.z_error = mul_z_error_i;

  // Output stage: a register for one beat of the result, without those above the modulus's, or the error.
  logic [2:0] z_error_q;
  logic output_beat;

  assign output_beat = state == StOutput && transfer.move && index < host_beats;
  assign z_wait = z_valid_o && !z_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget) z_error_q <= montcore_pkg::ErrNone;
    else if (taking.refused) z_error_q <= montcore_pkg::ErrOperandRange;
    else if (state == StJudge) z_error_q <= status;
    else if (state == StWipe) z_error_q <= montcore_pkg::ErrNone;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget) begin
      z_valid_o <= 1'b0;
      z_error_o <= 1'b0;
      z_last_o  <= 1'b0;
    end else if (state == StError) begin
      z_valid_o <= 1'b1;
      z_error_o <= 1'b1;
      z_last_o  <= 1'b1;
    end else if (output_beat) begin
      z_valid_o <= 1'b1;
      z_error_o <= 1'b0;
      z_last_o  <= index == host_beats - 1;
    end else if (z_ready_i) begin
      z_valid_o <= 1'b0;
    end
    if (forget || clear) z_data_o <= '0;
    else if (state == StError) z_data_o <= Width'(z_error_q);
    else if (output_beat) z_data_o <= sum;
  end
  assign busy_o = clear || state != StIdle || z_valid_o || mul_busy_i || cfg_done_o;
endmodule
