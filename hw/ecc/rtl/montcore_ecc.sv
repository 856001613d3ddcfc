// SPDX-License-Identifier: Apache-2.0

/// Curve engine over one multiplier core, `montcore_modexp_multiplier`.
///
/// Points of any curve of odd order over a prime field below 2^Length: scalar products, ECDSA, the
/// ladder of X25519; see README.md of this folder for packets, operations and statuses.
/// Precondition: p and n odd, p prime, n the base point's order and prime for ECDSA.
/// Latency: a function of the curve's lengths, its form and the operation; never of data, unless an
/// operation ends early because what is refused is public, or the source of randomness is slow.
/// Example: cfg = P-256, y = 1, x = 2: z = 0, then x and y of 2 G.
module montcore_ecc
  import montcore_ecc_pkg::*;
#(
    /// Built width in bits.
    parameter int unsigned Length = 512,
    /// Bits of a beat, 32 or more.
    parameter int unsigned Width  = 34,
    /// Beats of an element at the built width.
    parameter int unsigned Beats  = 17,
    /// Beats that the adder takes in a cycle, 1 or 2.
    parameter int unsigned Lanes  = 2,
    /// Products under way at most; a power of two, 2 or more.
    parameter int unsigned Open   = 4
) (
    /// Clock, rising edge.
    input  logic             clk_i,
    /// Synchronous reset, active low.
    input  logic             rst_ni,
    /// Pulse: clear everything.
    input  logic             zeroize_i,
    /// Something is under way or being cleared.
    output logic             busy_o,
    /// Curve stream: valid.
    input  logic             cfg_valid_i,
    /// Curve stream: ready.
    output logic             cfg_ready_o,
    /// Curve stream: data.
    input  logic [Width-1:0] cfg_data_i,
    /// Curve stream: last beat.
    input  logic             cfg_last_i,
    /// Pulse: the curve was accepted or refused.
    output logic             cfg_done_o,
    /// Why it was refused: 1 even, 3 length, 4 a constant out of range or a base point off the curve.
    output logic [      2:0] cfg_error_o,
    /// Stream of scalars: valid.
    input  logic             x_valid_i,
    /// Stream of scalars: ready.
    output logic             x_ready_o,
    /// Stream of scalars: data.
    input  logic [Width-1:0] x_data_i,
    /// Stream of scalars: last beat.
    input  logic             x_last_i,
    /// Stream of operation and points: valid.
    input  logic             y_valid_i,
    /// Stream of operation and points: ready.
    output logic             y_ready_o,
    /// Stream of operation and points: data.
    input  logic [Width-1:0] y_data_i,
    /// Stream of operation and points: last beat.
    input  logic             y_last_i,
    /// Answer: valid.
    output logic             z_valid_o,
    /// Answer: ready.
    input  logic             z_ready_i,
    /// Answer: data.
    output logic [Width-1:0] z_data_o,
    /// Answer: last beat.
    output logic             z_last_o,
    /// Always low: how an operation ended is in the answer's first beat.
    output logic             z_error_o,
    /// Randomness: valid.
    input  logic             random_valid_i,
    /// Randomness: ready.
    output logic             random_ready_o,
    /// Randomness: a word of which every bit is random.
    input  logic [Width-1:0] random_data_i,
    /// Randomness: the source has failed.
    input  logic             random_fail_i,
    /// Pulse: an operation begins.
    output logic             core_start_o,
    /// Pulse: its result is there.
    output logic             core_done_o
);
  localparam int unsigned Rows = (Beats + Lanes - 1) / Lanes;
  localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned BeatBits = $clog2(Beats + 1);
  localparam int unsigned RowWidth = Lanes * Width;
  localparam int unsigned AddressBits = 10;
  localparam int unsigned TableRows = 7 * 16 * Rows;
  localparam int unsigned TableBits = $clog2(TableRows);
  localparam int unsigned ScalarRows = (Length + BlindBits + 6 + RowWidth - 1) / RowWidth;
  localparam int unsigned ScalarBits = $clog2(ScalarRows + 1);
  localparam int unsigned ElementRows = 16 * 2 ** RowBits;
  localparam int unsigned ElementBits = $clog2(ElementRows);
  localparam int unsigned SweepRows = (TableRows > ElementRows) ? TableRows : ElementRows;
  localparam int unsigned SweepBits = $clog2(SweepRows + 1);
  // What stays when an operation ends: elements 0 to 3 of both banks, the base point's table.
  localparam int unsigned KeptElementRows = 4 * 2 ** RowBits;
  localparam int unsigned KeptTableRows = 3 * 16 * Rows;

  if (Width < 32) begin : g_bad_width
    $fatal(1, "%m: the curve engine needs a multiplier with a bus of at least 32 bits");
  end
  if (Length > 1000) begin : g_bad_length
    $fatal(1, "%m: the curve engine is built for at most 1000 bits");
  end

  // ---- packets ---------------------------------------------------------------------------------
  logic clear, forget, wipe, start, packets_busy, answer, second, done;
  logic packet_we, modulus_we, modulus_select;
  logic [2:0] operation, family;
  logic [7:0] columns, windows;
  logic [3:0] packet_number;
  logic [BeatBits-1:0] beats, packet_beat;
  logic [Width-1:0] packet_data, x_word, y_word;
  logic [LengthBits-1:0] p_length, n_length, length, radix;
  logic [RowBits-1:0] last_row;
  logic [3:0] status;
  montcore_ecc_packets #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats)
  ) u_packets (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .forget_i    (forget),
      .clear_i     (clear),
      .cfg_valid_i (cfg_valid_i),
      .cfg_ready_o (cfg_ready_o),
      .cfg_data_i  (cfg_data_i),
      .cfg_last_i  (cfg_last_i),
      .cfg_done_o  (cfg_done_o),
      .cfg_error_o (cfg_error_o),
      .x_valid_i   (x_valid_i),
      .x_ready_o   (x_ready_o),
      .x_data_i    (x_data_i),
      .x_last_i    (x_last_i),
      .y_valid_i   (y_valid_i),
      .y_ready_o   (y_ready_o),
      .y_data_i    (y_data_i),
      .y_last_i    (y_last_i),
      .z_valid_o   (z_valid_o),
      .z_ready_i   (z_ready_i),
      .z_data_o    (z_data_o),
      .z_last_o    (z_last_o),
      .p_length_o  (p_length),
      .n_length_o  (n_length),
      .length_o    (length),
      .beats_i     (beats),
      .family_o    (family),
      .columns_o   (columns),
      .windows_o   (windows),
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
      .word_i      (x_word),
      .wipe_o      (wipe),
      .busy_o      (packets_busy)
  );
  assign z_error_o = 1'b0;
  assign core_done_o = z_valid_o && z_ready_i && z_last_o;
  assign last_row = RowBits'((beats - 1'b1) / BeatBits'(Lanes));

  // ---- clearing --------------------------------------------------------------------------------
  logic clear_q, all_q, reset_q, mul_busy;
  logic [SweepBits-1:0] sweep_q;
  always_ff @(posedge clk_i) begin
    reset_q <= !rst_ni;
    if (!rst_ni) begin
      clear_q <= 1'b1;
      all_q   <= 1'b1;
      sweep_q <= '0;
    end else if (zeroize_i || wipe) begin
      clear_q <= 1'b1;
      all_q   <= zeroize_i;
      sweep_q <= '0;
    end else if (clear_q) begin
      if (sweep_q != SweepBits'(SweepRows)) sweep_q <= sweep_q + 1'b1;
      else if (!mul_busy) clear_q <= 1'b0;
    end
  end
  assign clear  = clear_q;
  assign forget = zeroize_i || (clear_q && all_q);
  assign busy_o = packets_busy || clear_q;
  logic sweep_element, sweep_table;
  assign sweep_element = clear && sweep_q < SweepBits'(ElementRows) &&
                         (all_q || sweep_q >= SweepBits'(KeptElementRows));
  assign sweep_table = clear && sweep_q < SweepBits'(TableRows) &&
                       (all_q || sweep_q >= SweepBits'(KeptTableRows));

  // ---- program ---------------------------------------------------------------------------------
  logic [AddressBits-1:0] address;
  logic [CodeBits-1:0] word;
  montcore_ecc_rom u_rom (
      .address_i(address),
      .word_o   (word)
  );
  logic mul_start, mul_free, mul_room, mul_open, reading, z_valid, mul_error, step, sum_valid;
  logic zero, reduced, look_start, look_busy, look_done, pass_start, point_start, digit_start;
  logic scalar_busy, negative, swap, random_start, random_busy, random_done, gathering;
  logic random_fail, reload, reload_busy, order, mul_cfg_valid;
  logic [5:0] reading_a, reading_b, field_a, field_b;
  logic [4:0] field_d;
  logic [3:0] z_index, look_entry, entry;
  logic [1:0] look_element;
  logic sum_busy, sum_putting, sum_storing;
  logic [BeatBits-1:0] z_count, stream_beat;
  logic [RowBits-1:0] sum_row, write_row;
  sum_t sum;
  target_t write_target;
  logic [LengthBits-1:0] blind_bits;
  logic [7:0] nibbles;
  assign blind_bits = n_length + LengthBits'(BlindBits);
  // Two windows of an exponent at least.
  assign nibbles = (length <= LengthBits'(3'd4)) ? 8'd2 : 8'((length + LengthBits'(2'd3)) >> 2);
  montcore_ecc_sequence #(
      .Beats      (Beats),
      .Lanes      (Lanes),
      .AddressBits(AddressBits)
  ) u_sequence (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .clear_i        (clear || zeroize_i),
      .start_i        (start),
      .operation_i    (operation),
      .family_i       (family),
      .columns_i      (columns),
      .windows_i      (windows),
      .nibbles_i      (nibbles),
      .bits_i         (blind_bits),
      .radix_i        (radix),
      .last_row_i     (last_row),
      .address_o      (address),
      .word_i         (word),
      .mul_start_o    (mul_start),
      .mul_free_i     (mul_free),
      .mul_room_i     (mul_room),
      .mul_open_i     (mul_open),
      .reading_i      (reading),
      .reading_a_i    (reading_a),
      .reading_b_i    (reading_b),
      .z_valid_i      (z_valid),
      .z_index_i      (z_index),
      .z_count_i      (z_count),
      .sum_o          (sum),
      .sum_step_o     (step),
      .sum_row_o      (sum_row),
      .sum_valid_i    (sum_valid),
      .sum_write_row_i(write_row),
      .sum_target_i   (write_target),
      .sum_busy_i     (sum_busy),
      .sum_putting_i  (sum_putting),
      .sum_storing_i  (sum_storing),
      .zero_i         (zero),
      .reduced_i      (reduced),
      .look_start_o   (look_start),
      .look_entry_o   (look_entry),
      .look_busy_i    (look_busy),
      .look_done_i    (look_done),
      .look_element_i (look_element),
      .pass_start_o   (pass_start),
      .point_start_o  (point_start),
      .digit_start_o  (digit_start),
      .scalar_busy_i  (scalar_busy),
      .entry_i        (entry),
      .negative_i     (negative),
      .swap_i         (swap),
      .random_start_o (random_start),
      .random_busy_i  (random_busy),
      .random_done_i  (random_done),
      .gathering_i    (gathering),
      .random_fail_i  (random_fail),
      .fault_i        (z_valid && mul_error),
      .reload_o       (reload),
      .reload_busy_i  (reload_busy),
      .loading_i      (mul_cfg_valid),
      .order_o        (order),
      .d_o            (field_d),
      .a_o            (field_a),
      .b_o            (field_b),
      .done_o         (done),
      .status_o       (status)
  );

  // ---- elements --------------------------------------------------------------------------------
  logic [3:0] m_index;
  logic [RowBits-1:0] m_row;
  logic [Lanes-1:0] m_we;
  logic [RowWidth-1:0] m_data, sum_data, look_data, a_row, b_row;
  logic [BeatBits-1:0] word_beat, random_beat;
  logic [Width-1:0] z_data, random_word;
  logic [RowBits-1:0] look_row;
  logic look_valid, look_ready, random_write, random_write_ready, one_beat;
  logic [3:0] random_d_q;
  logic [Width-1:0] beat_data;

  // Writers of the products: a result, packets, the table, randomness; a result never waits.
  assign look_ready = !z_valid && !packet_we && !clear;
  assign random_write_ready = look_ready && !look_valid;
  assign one_beat = z_valid || packet_we || (random_write && random_write_ready);
  always_comb begin
    m_index   = random_d_q;
    word_beat = random_beat;
    beat_data = random_word;
    if (z_valid) begin
      m_index   = z_index;
      word_beat = z_count;
      beat_data = z_data;
    end else if (packet_we) begin
      m_index   = packet_number;
      word_beat = packet_beat;
      beat_data = packet_data;
    end
    m_row  = RowBits'(word_beat / BeatBits'(Lanes));
    m_data = {Lanes{beat_data}};
    m_we   = '0;
    if (one_beat) m_we = (Lanes > 1 && word_beat[0]) ? Lanes'(2'd2) : Lanes'(1'b1);
    if (look_valid && look_ready) begin
      m_index = 4'd12 + {2'd0, look_element};
      m_row   = look_row;
      m_data  = look_data;
      m_we    = '1;
    end
    if (clear) begin
      {m_index, m_row} = ElementBits'(sweep_q);
      m_data           = '0;
      m_we             = {Lanes{sweep_element}};
    end
  end
  assign look_done = look_valid && look_ready && look_row == last_row;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) random_d_q <= '0;
    else if (random_start) random_d_q <= field_d[3:0];
  end

  logic [5:0] x_operand, y_operand;
  assign x_operand = answer ? {2'b01, 3'b111, second} : reading_a;
  assign y_operand = reading_b;
  montcore_ecc_elements #(
      .Width(Width),
      .Beats(Beats),
      .Lanes(Lanes)
  ) u_elements (
      .clk_i    (clk_i),
      .m_index_i(m_index),
      .m_row_i  (m_row),
      .m_we_i   (m_we),
      .m_data_i (m_data),
      .s_index_i(clear ? m_index : write_target.d[3:0]),
      .s_row_i  (clear ? m_row : write_row),
      .s_we_i   (clear ? sweep_element : sum_valid && write_target.place == ToElement),
      .s_data_i (clear ? '0 : sum_data),
      .x_i      (x_operand),
      .y_i      (y_operand),
      .beat_i   (answer ? packet_beat : stream_beat),
      .x_o      (x_word),
      .y_o      (y_word),
      .a_i      (sum.a),
      .b_i      (sum.b),
      .row_i    (sum_row),
      .a_o      (a_row),
      .b_o      (b_row)
  );

  // ---- moduli ----------------------------------------------------------------------------------
  logic [RowWidth-1:0] modulus_row;
  logic [RowBits-1:0] adder_row, modulus_read;
  logic [Width-1:0] modulus_word;
  assign modulus_read = mul_cfg_valid ? RowBits'(stream_beat / BeatBits'(Lanes)) : adder_row;
  for (genvar k = 0; k < Lanes; k++) begin : g_modulus
    montcore_ram #(
        .Rows (2 * 2 ** RowBits),
        .Width(Width)
    ) u_ram (
        .clk_i(clk_i),
        .we_i(forget || (modulus_we && (Lanes == 1 || packet_beat[0] == 1'(k)))),
        .wzero_i(1'b0),
        .waddr_i(forget ? (RowBits + 1)'(sweep_q) :
                 {modulus_select, RowBits'(packet_beat / BeatBits'(Lanes))}),
        .wdata_i(forget ? '0 : packet_data),
        .raddr_i({order, modulus_read}),
        .rdata_o(modulus_row[k*Width+:Width])
    );
  end
  if (Lanes > 1) begin : g_lanes
    assign modulus_word = stream_beat[0] ? modulus_row[Width+:Width] : modulus_row[Width-1:0];
  end else begin : g_lane
    assign modulus_word = modulus_row;
  end

  // ---- adder -----------------------------------------------------------------------------------
  montcore_ecc_adder #(
      .Width(RowWidth),
      .Rows (Rows)
  ) u_adder (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .clear_i   (clear || zeroize_i),
      .last_row_i(last_row),
      .step_i    (step),
      .row_i     (sum_row),
      .a_i       (a_row),
      .b_i       (b_row),
      .sum_i     (sum),
      .m_row_o   (adder_row),
      .m_i       (modulus_row),
      .valid_o   (sum_valid),
      .row_o     (write_row),
      .data_o    (sum_data),
      .target_o  (write_target),
      .busy_o    (sum_busy),
      .putting_o (sum_putting),
      .storing_o (sum_storing),
      .zero_o    (zero),
      .reduced_o (reduced)
  );

  // ---- multiplier ------------------------------------------------------------------------------
  logic xy_valid, xy_ready, last, mul_cfg_ready, mul_cfg_done;
  logic [LengthBits-1:0] unused_power;
  logic [  BeatBits-1:0] unused_leave;
  montcore_ecc_stream #(
      .Beats(Beats),
      .Open (Open)
  ) u_stream (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .clear_i    (clear || zeroize_i),
      .beats_i    (beats),
      .start_i    (mul_start),
      .d_i        (field_d[3:0]),
      .a_i        (field_a),
      .b_i        (field_b),
      .free_o     (mul_free),
      .room_o     (mul_room),
      .open_o     (mul_open),
      .reading_o  (reading),
      .a_o        (reading_a),
      .b_o        (reading_b),
      .beat_o     (stream_beat),
      .xy_valid_o (xy_valid),
      .xy_ready_i (xy_ready),
      .last_o     (last),
      .z_valid_i  (z_valid),
      .z_error_i  (mul_error),
      .z_index_o  (z_index),
      .z_count_o  (z_count),
      .reload_i   (reload),
      .cfg_valid_o(mul_cfg_valid),
      .cfg_ready_i(mul_cfg_ready),
      .cfg_done_i (mul_cfg_done),
      .reload_o   (reload_busy)
  );
  montcore_modexp_multiplier u_multiplier (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .zeroize_i  (zeroize_i || wipe || reset_q),
      .busy_o     (mul_busy),
      .length_i   (length),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (unused_power),
      .leave_o    (unused_leave),
      .cfg_valid_i(mul_cfg_valid),
      .cfg_ready_o(mul_cfg_ready),
      .cfg_data_i (modulus_word),
      .cfg_last_i (last),
      .cfg_done_o (mul_cfg_done),
      .xy_valid_i (xy_valid),
      .xy_ready_o (xy_ready),
      .x_data_i   (x_word),
      .y_data_i   (y_word),
      .xy_last_i  (last),
      .canonical_i(1'b1),
      .z_valid_o  (z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_data),
      .z_error_o  (mul_error)
  );

  // ---- table -----------------------------------------------------------------------------------
  function automatic logic [2:0] slot(logic [1:0] region, logic [1:0] coordinate);
    slot = 3'(region) + {region, 1'b0} + 3'(coordinate);
  endfunction
  montcore_ecc_table #(
      .Width(RowWidth),
      .Rows (Rows)
  ) u_table (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .clear_i      (clear),
      .sweep_i      (sweep_table),
      .sweep_row_i  (TableBits'(sweep_q)),
      .last_row_i   (last_row),
      .we_i         (sum_valid && write_target.place == ToTable),
      .we_slot_i    (slot(write_target.d[3:2], write_target.d[1:0])),
      .we_row_i     (write_row),
      .we_entry_i   (write_target.entry),
      .data_i       (sum_data),
      .start_i      (look_start),
      .slot_i       (slot(field_d[3:2], 2'd0)),
      .count_i      (field_d[1:0]),
      .index_i      (look_entry),
      .busy_o       (look_busy),
      .out_valid_o  (look_valid),
      .out_ready_i  (look_ready),
      .out_element_o(look_element),
      .out_row_o    (look_row),
      .out_o        (look_data)
  );

  // ---- scalars and randomness ------------------------------------------------------------------
  logic scalar_word;
  montcore_ecc_scalar #(
      .Length   (Length),
      .Width    (RowWidth),
      .Rows     (Rows),
      .WordWidth(Width)
  ) u_scalar (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .clear_i       (clear),
      .clear_row_i   (ScalarBits'(sweep_q)),
      .clear_order_i (all_q),
      .last_row_i    (last_row),
      .columns_i     (columns),
      .windows_i     (windows),
      .nibbles_i     (nibbles),
      .bits_i        (blind_bits),
      .we_i          (sum_valid && write_target.place == ToScalar),
      .we_memory_i   (write_target.d[1:0]),
      .we_row_i      (write_row),
      .data_i        (sum_data),
      .pass_start_i  (pass_start),
      .pass_i        (field_d[1:0]),
      .point_start_i (point_start),
      .digit_start_i (digit_start),
      .mode_i        (field_d[2:0]),
      .second_i      (field_a[0]),
      .busy_o        (scalar_busy),
      .random_ready_o(gathering),
      .random_fail_i (random_fail),
      .random_valid_i(scalar_word),
      .random_i      (random_data_i),
      .entry_o       (entry),
      .negative_o    (negative),
      .swap_o        (swap)
  );
  montcore_ecc_random #(
      .Width(Width),
      .Beats(Beats)
  ) u_random (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .clear_i       (clear || zeroize_i),
      .valid_i       (random_valid_i),
      .ready_o       (random_ready_o),
      .data_i        (random_data_i),
      .fail_i        (random_fail_i),
      .scalar_ready_i(gathering),
      .scalar_valid_o(scalar_word),
      .start_i       (random_start),
      .length_i      (order ? n_length : p_length),
      .beats_i       (beats),
      .busy_o        (random_busy),
      .write_o       (random_write),
      .write_ready_i (random_write_ready),
      .beat_o        (random_beat),
      .data_o        (random_word),
      .done_o        (random_done),
      .fail_o        (random_fail)
  );
  logic unused;
  assign unused = ^{field_b, field_d, unused_power, unused_leave};
endmodule
