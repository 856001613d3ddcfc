// SPDX-License-Identifier: Apache-2.0

/// The curve engine without multiplier and program ROM; `montcore_ecc` adds both.
///
/// Executes the program at address_o, which implements the point operations, on a multiplier.
/// Precondition: the multiplier answers as `montcore_ecc_multiplier` does, in order.
/// Latency: as `montcore_ecc`.
/// Example: cfg = P-256, y = 1, x = 2: z = 0, then x and y of 2 G.
module montcore_ecc_engine
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Length = 512,  // Built width in bits, of the longer of p and n.
    parameter int unsigned Width = 34,  // Beat width in bits, 32 or more.
    parameter int unsigned Beats = 17,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 2,  // Beats that the adder processes per cycle, 1 or 2.
    /// Maximum number of products in flight; a power of two, 2 or more.
    parameter int unsigned Open = 4,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
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
    output logic core_done_o,  // Pulse: the last beat of the answer is transferred.
    output logic [AddressBits-1:0] address_o,  // Program ROM: address of the instruction.
    input logic [CodeBits-1:0] word_i,  // Program ROM: instruction at address_o, in the same cycle.
    output logic mul_clear_o,  // Multiplier, pulse: clear all state.
    input logic mul_busy_i,  // Multiplier: a product is in flight or it is being cleared.
    /// Multiplier: length of the longer of both moduli in bits.
    output logic [LengthBits-1:0] mul_length_o,
    input logic [BeatBits-1:0] mul_beats_i,  // Multiplier: beats of an operand at mul_length_o.
    input logic [LengthBits-1:0] mul_radix_i,  // Multiplier: log2 of its radix at mul_length_o.
    output logic mul_cfg_valid_o,  // Multiplier, modulus stream: valid.
    input logic mul_cfg_ready_i,  // Multiplier, modulus stream: ready.
    /// Multiplier, modulus stream: data, least significant beat first.
    output logic [Width-1:0] mul_cfg_data_o,
    /// Multiplier, modulus stream: modulus sent, 0 p, 1 n; stable while valid.
    output logic mul_order_o,
    input logic mul_cfg_done_i,  // Multiplier, pulse: the modulus is loaded.
    output logic mul_valid_o,  // Multiplier, operand streams: valid, x and y together.
    input logic mul_ready_i,  // Multiplier, operand streams: ready, x and y together.
    /// Multiplier, operand streams: beat of x, valid with mul_valid_o.
    output logic [Width-1:0] mul_x_o,
    /// Multiplier, operand streams: beat of y, valid with mul_valid_o.
    output logic [Width-1:0] mul_y_o,
    output logic mul_last_o,  // Multiplier: last beat of the operands or of the modulus.
    input logic mul_z_valid_i,  // Multiplier, result stream: valid; the engine is always ready.
    /// Multiplier, result stream: data, least significant beat first.
    input logic [Width-1:0] mul_z_data_i,
    input logic mul_z_error_i  // Multiplier, result stream: the product was refused.
);
  localparam int unsigned Rows = (Beats + Lanes - 1) / Lanes;
  localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned RowWidth = Lanes * Width;
  localparam int unsigned ScalarRows = (Length + BlindBits + 6 + RowWidth - 1) / RowWidth;
  localparam int unsigned ScalarBits = $clog2(ScalarRows + 1);
  // The table is the largest memory. Its rows of the base point's multiples are kept.
  localparam int unsigned TableRows = 7 * 16 * Rows;
  localparam int unsigned KeptRows = 3 * 16 * Rows;
  localparam int unsigned SweepBits = $clog2(TableRows + 1);
  localparam int unsigned TableBits = $clog2(TableRows);
  // The largest loop count is twice log2 of a radix, which has at most two beats more than an
  // element.
  localparam int unsigned CountBits = $clog2(2 * (Beats + 2) * Width + 1);

  // ---- packets ---------------------------------------------------------------------------------
  logic clear, all, forget, stop, wipe, start, packets_busy, answer, second, done;
  logic packet_we, modulus_we, modulus_select;
  logic [2:0] operation;
  logic [3:0] packet_number, status;
  logic [BeatBits-1:0] packet_beat, stream_beat;
  logic [Width-1:0] packet_data;
  logic [LengthBits-1:0] p_length, n_length;
  logic [RowBits-1:0] last_row;
  counts_t counts;
  montcore_ecc_packets #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats)
  ) u_packets (
      .forget_i    (forget),
      .clear_i     (clear),
      .p_length_o  (p_length),
      .n_length_o  (n_length),
      .length_o    (mul_length_o),
      .beats_i     (mul_beats_i),
      .family_o    (counts.family),
      .columns_o   (counts.columns),
      .windows_o   (counts.windows),
      .we_o        (packet_we),
      .number_o    (packet_number),
      .modulus_we_o(modulus_we),
      .modulus_o   (modulus_select),
      .beat_o      (packet_beat),
      .data_o      (packet_data),
      .asked_o     (core_start_o),
      .start_o     (start),
      .operation_o (operation),
      .done_i      (done),
      .status_i    (status),
      .answer_o    (answer),
      .second_o    (second),
      .word_i      (mul_x_o),
      .wipe_o      (wipe),
      .busy_o      (packets_busy),
      .*
  );
  assign z_error_o = 1'b0;
  assign core_done_o = z_valid_o && z_ready_i && z_last_o;
  assign last_row = RowBits'((mul_beats_i - 1'b1) / BeatBits'(Lanes));
  // Of a ladder's scalar: the group has fewer than 2^(p_length + 1) points, the order is at most a
  // quarter of that.
  assign counts.bits = p_length + LengthBits'(BlindBits - 1);
  assign counts.radix = mul_radix_i;
  // An exponent has at least two windows.
  assign counts.nibbles =
      (mul_length_o <= LengthBits'(3'd4)) ? 8'd2 : 8'((mul_length_o + LengthBits'(2'd3)) >> 2);

  // ---- clearing --------------------------------------------------------------------------------
  logic reset_q, sweep_table;
  logic [SweepBits-1:0] sweep;
  // While clear is high sweep counts from 0 to TableRows - 1, and waits for the multiplier; in the three
  // cycles before, while registers are cleared, it is -3 to -1; TableRows, a multiple of 112, is never so near
  // to a power of two. A wipe keeps the curve's constants.
  localparam logic [SweepBits-1:0] Before = '1 - SweepBits'(2'd2);
  logic clear_q, all_q;
  logic [SweepBits-1:0] row_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || wipe) begin
      clear_q <= 1'b1;
      all_q   <= !rst_ni || zeroize_i;
      row_q   <= Before;
    end else if (clear_q) begin
      if (row_q != SweepBits'(TableRows)) row_q <= row_q + 1'b1;
      else if (!mul_busy_i) clear_q <= 1'b0;
    end
  end
  assign clear = clear_q;
  assign all   = clear_q && all_q;
  assign sweep = row_q;
  always_ff @(posedge clk_i) reset_q <= !rst_ni;
  assign forget = zeroize_i || all;
  assign stop = clear || zeroize_i;
  assign busy_o = packets_busy || clear;
  assign mul_clear_o = zeroize_i || wipe || reset_q;
  assign sweep_table = clear && sweep < SweepBits'(TableRows) &&
                       (all || sweep >= SweepBits'(KeptRows));

  // ---- program ---------------------------------------------------------------------------------
  command_t command;
  stream_t stream;
  adder_t adder;
  look_t look;
  digits_t digits;
  random_t random;
  sum_t sum;
  target_t write_target;
  logic step, sum_valid;
  logic [3:0] z_index;
  assign mul_order_o = command.order;
  logic [BeatBits-1:0] z_count;
  logic [RowBits-1:0] sum_row, write_row;
  montcore_ecc_sequence #(
      .Beats    (Beats),
      .Lanes    (Lanes),
      .CountBits(CountBits)
  ) u_sequence (
      .clk_i,
      .rst_ni,
      .clear_i        (stop),
      .start_i        (start),
      .operation_i    (operation),
      .counts_i       (counts),
      .last_row_i     (last_row),
      .address_o,
      .word_i,
      .command_o      (command),
      .stream_i       (stream),
      .z_valid_i      (mul_z_valid_i),
      .z_index_i      (z_index),
      .z_count_i      (z_count),
      .sum_o          (sum),
      .sum_step_o     (step),
      .sum_row_o      (sum_row),
      .sum_valid_i    (sum_valid),
      .sum_write_row_i(write_row),
      .sum_target_i   (write_target),
      .adder_i        (adder),
      .look_i         (look),
      .digits_i       (digits),
      .random_i       (random),
      .fault_i        (mul_z_valid_i && mul_z_error_i),
      .done_o         (done),
      .status_o       (status)
  );

  // ---- elements, moduli, adder -----------------------------------------------------------------
  logic [RowWidth-1:0] sum_data, look_data;
  logic [BeatBits-1:0] random_beat;
  logic [Width-1:0] random_word;
  logic [RowBits-1:0] look_row;
  logic look_valid, look_ready, random_write, random_ready, scalar_word;
  montcore_ecc_datapath #(
      .Width    (Width),
      .Beats    (Beats),
      .Lanes    (Lanes),
      .SweepBits(SweepBits)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .clear_i        (clear),
      .forget_i       (forget),
      .sweep_i        (sweep),
      .last_row_i     (last_row),
      .packet_we_i    (packet_we),
      .packet_number_i(packet_number),
      .modulus_we_i   (modulus_we),
      .modulus_i      (modulus_select),
      .packet_beat_i  (packet_beat),
      .packet_data_i  (packet_data),
      .answer_i       (answer),
      .second_i       (second),
      .command_i      (command),
      .stream_i       (stream),
      .stream_beat_i  (stream_beat),
      .x_o            (mul_x_o),
      .y_o            (mul_y_o),
      .modulus_o      (mul_cfg_data_o),
      .z_valid_i      (mul_z_valid_i),
      .z_index_i      (z_index),
      .z_count_i      (z_count),
      .z_data_i       (mul_z_data_i),
      .look_valid_i   (look_valid),
      .look_ready_o   (look_ready),
      .look_element_i (look.element),
      .look_row_i     (look_row),
      .look_data_i    (look_data),
      .random_valid_i (random_write),
      .random_ready_o (random_ready),
      .random_beat_i  (random_beat),
      .random_data_i  (random_word),
      .sum_i          (sum),
      .step_i         (step),
      .sum_row_i      (sum_row),
      .sum_valid_o    (sum_valid),
      .sum_row_o      (write_row),
      .sum_data_o     (sum_data),
      .target_o       (write_target),
      .adder_o        (adder)
  );

  // ---- interface to the multiplier -------------------------------------------------------------
  montcore_ecc_stream #(
      .Beats(Beats),
      .Open (Open)
  ) u_stream (
      .clk_i,
      .rst_ni,
      .clear_i    (stop),
      .beats_i    (mul_beats_i),
      .command_i  (command),
      .state_o    (stream),
      .beat_o     (stream_beat),
      .xy_valid_o (mul_valid_o),
      .xy_ready_i (mul_ready_i),
      .last_o     (mul_last_o),
      .z_valid_i  (mul_z_valid_i),
      .z_error_i  (mul_z_error_i),
      .z_index_o  (z_index),
      .z_count_o  (z_count),
      .cfg_valid_o(mul_cfg_valid_o),
      .cfg_ready_i(mul_cfg_ready_i),
      .cfg_done_i (mul_cfg_done_i)
  );

  // Icarus Verilog takes an imported constant's name in a port expression for a new net.
  logic to_table, to_scalar;
  assign to_table  = sum_valid && write_target.place == ToTable;
  assign to_scalar = sum_valid && write_target.place == ToScalar;

  // ---- table -----------------------------------------------------------------------------------
  function automatic logic [2:0] place_of(logic [1:0] region, logic [1:0] coordinate);
    place_of = 3'(region) + {region, 1'b0} + 3'(coordinate);
  endfunction
  montcore_ecc_table #(
      .Width(RowWidth),
      .Rows (Rows),
      .Tech (Tech)
  ) u_table (
      .clk_i,
      .rst_ni,
      .clear_i    (clear),
      .sweep_i    (sweep_table),
      .sweep_row_i(TableBits'(sweep)),
      .last_row_i (last_row),
      .we_i       (to_table),
      .we_slot_i  (place_of(write_target.d[3:2], write_target.d[1:0])),
      .we_row_i   (write_row),
      .we_entry_i (write_target.entry),
      .data_i     (sum_data),
      .start_i    (command.look),
      .slot_i     (place_of(command.d[3:2], 2'd0)),
      .count_i    (command.d[1:0]),
      .index_i    (command.entry),
      .state_o    (look),
      .out_valid_o(look_valid),
      .out_ready_i(look_ready),
      .out_row_o  (look_row),
      .out_o      (look_data)
  );

  // ---- scalars and randomness ------------------------------------------------------------------
  montcore_ecc_scalar #(
      .Length   (Length),
      .Width    (RowWidth),
      .Rows     (Rows),
      .WordWidth(Width)
  ) u_scalar (
      .clk_i,
      .rst_ni,
      .clear_i       (clear),
      .clear_row_i   (ScalarBits'(sweep)),
      .clear_order_i (all),
      .last_row_i    (last_row),
      .counts_i      (counts),
      .we_i          (to_scalar),
      .we_memory_i   (write_target.d[1:0]),
      .we_row_i      (write_row),
      .data_i        (sum_data),
      .command_i     (command),
      .state_o       (digits),
      .random_fail_i (random.fail),
      .random_valid_i(scalar_word),
      .random_i      (random_data_i)
  );
  montcore_ecc_random #(
      .Width(Width),
      .Beats(Beats)
  ) u_random (
      .clk_i,
      .rst_ni,
      .clear_i       (stop),
      .valid_i       (random_valid_i),
      .ready_o       (random_ready_o),
      .data_i        (random_data_i),
      .fail_i        (random_fail_i),
      .scalar_ready_i(digits.gathering),
      .scalar_valid_o(scalar_word),
      .start_i       (command.random),
      .length_i      (command.order ? n_length : p_length),
      .beats_i       (mul_beats_i),
      .state_o       (random),
      .write_o       (random_write),
      .write_ready_i (random_ready),
      .beat_o        (random_beat),
      .data_o        (random_word)
  );
endmodule
