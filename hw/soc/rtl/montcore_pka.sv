// SPDX-License-Identifier: Apache-2.0

/// The accelerator behind its register interface: operand memory, command sequencer, and an
/// exponentiator, a curve engine or both, or a stand-alone multiplier.
///
/// z = x^y mod m or x y mod m, points of curves, ECDSA, or x y R^-1 mod m; numbers are in slots of
/// the operand memory (hw/soc/README.md). A request is one cycle of req_i; ack_o, rdata_o and
/// error_o always answer it in the next cycle. A refused access changes nothing, reads as zero and
/// sets the bit `refused` of intr_state.
/// Precondition: none; addr_i[1:0] is ignored.
/// Latency: 1 for an access; a command takes the time of its unit plus two cycles per word.
/// Example: a read of 0x0000 -> 0x4d504b41.
module montcore_pka
  import montcore_pka_pkg::*;
#(
    parameter int unsigned Units = 3,  /// Bit 0: exponentiator, bit 1: curves; 4: multiplier alone.
    parameter int unsigned Length = 512,  /// Built width L in bits, of the unit and of each slot.
    parameter int unsigned Width = 34,  /// Beat width in bits; exponentiator: 16 or more.
    parameter int unsigned OperandWidth = Width,  /// Exponentiator: width of an operand's beat.
    parameter int unsigned Beats = 17,  /// Exponentiator: beats of an operand at the built width.
    parameter int unsigned Window = 5,  /// Exponentiator: window width in bits, 2 to 6.
    parameter int unsigned LazySetUp = 1,  /// Exponentiator: 1: R^2 is made with lazy products.
    parameter int unsigned CurveLength = 256,  /// Curve engine: built width in bits.
    parameter int unsigned CurveWidth = 32,  /// Curve engine: beat width in bits, 32 or more.
    parameter int unsigned CurveBeats = 8,  /// Curve engine: beats of an element at full width.
    parameter int unsigned CurveLanes = 2,  /// Curve engine: beats that the adder takes per cycle.
    parameter int unsigned CurveOpen = 8,  /// Curve engine: maximum number of products in flight.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,  /// Target, `montcore_pkg::Tech...`.
    parameter int unsigned CoreName = 32'h00707364  /// Multiplier name, ASCII, first letter lowest.
) (
    input logic clk_i,  /// Clock, rising edge.
`ifdef MONTCORE_CLK2X
    input logic clk2x_i,  /// Clock at twice the rate; each edge of clk_i is one of its edges.
`elsif MONTCORE_CURVE_CLK2X
    input logic clk2x_i,  /// Clock at twice the rate; only the curve engine uses it.
`endif
    input logic rst_ni,  /// Synchronous reset, active low.
    input logic req_i,  /// Access request, one cycle per access; allowed in every cycle.
    input logic write_i,  /// High for a write, low for a read; valid with req_i.
    input logic [15:0] addr_i,  /// Address in bytes, valid with req_i.
    input logic [31:0] wdata_i,  /// Word to write, valid with req_i.
    input logic [3:0] strb_i,  /// Byte enables of a write, valid with req_i.
    output logic ack_o,  /// High in the cycle after each req_i: the access is answered.
    output logic [31:0] rdata_o,  /// Word read, 0 for a write or if refused; valid with ack_o.
    output logic error_o,  /// High: the access was refused; valid with ack_o.
    output logic irq_o,  /// Interrupt, high while any enabled bit of intr_state is set.
    input logic rnd_valid_i,  /// Random source (curves only): rnd_data_i is valid.
    output logic rnd_ready_o,  /// Random source: the word is accepted in this cycle.
    input logic [31:0] rnd_data_i,  /// Random source: random word, valid with rnd_valid_i.
    input logic rnd_fail_i  /// Random source: failure; high: its words must not be used.
);
  if (Units < 1 || Units > 4) begin : g_bad_units
    $fatal(
        1, "%m: the accelerator has an exponentiator, curves or both, or a multiplier by itself"
    );
  end
  if (Units[1] && CurveLength > Length) begin : g_bad_length
    $fatal(1, "%m: the slots are shorter than the curves");
  end

  localparam int unsigned Words = (Length + 31) / 32;
  localparam int unsigned KeySlots = Units[1] ? 8 : Units[2] ? 0 : 2;
  localparam int unsigned Rows = (Slots + KeySlots) * Words;
  localparam int unsigned RowBits = $clog2(Rows);

  logic register_req, memory_req, register_error, memory_refused, refused, ack_q, error_q, memory_q;
  logic [31:0] register_data, register_q, memory_data, cycles, draw_data, result;
  logic command_start, zeroize, done, busy, intr_done, intr_refused, enable_done, enable_refused;
  logic [3:0] op, x, y, z;
  logic [ErrorBits-1:0] error;
  logic [2:0] operation, stream;
  logic [1:0] policy;
  logic [LengthBits-1:0] length, y_length, bits, draw_bits;
  command_t command;
  form_t form;
  standing_t standing;
  packet_t packet;
  logic keep, feed, active, clear, curves, we, draw, draw_busy, draw_failed, draw_we;
  logic [SlotBits-1:0] read_slot, z_slot, draw_slot, write_slot, y_slot;
  logic [WordBits-1:0] read_word, draw_word, write_word;
  logic [RowBits-1:0] sweep;

  // Signals per unit: bit 0 exponentiator or multiplier, bit 1 curve engine.
  logic [1:0] unit_busy, cfg_done, link_busy, link_we, second, answered;
  logic [1:0][2:0] cfg_error;
  logic [1:0][3:0] status;
  logic [1:0][SlotBits-1:0] link_slot;
  logic [1:0][WordBits-1:0] link_word, link_z_word;
  logic [1:0][31:0] link_result;

  // ---- accesses ----------------------------------------------------------------------------------
  assign register_req = req_i && addr_i[15:14] == 2'b00;
  assign memory_req = req_i && addr_i[15:14] != 2'b00;
  assign refused = (register_req && register_error) || memory_refused || (command_start && busy);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ack_q      <= 1'b0;
      error_q    <= 1'b0;
      memory_q   <= 1'b0;
      register_q <= '0;
    end else begin
      ack_q      <= req_i;
      error_q    <= (register_req && register_error) || memory_refused;
      memory_q   <= memory_req && !memory_refused && !write_i;
      register_q <= (register_req && !register_error && !write_i) ? register_data : '0;
    end
  end
  assign {ack_o, error_o, rdata_o} = {ack_q, error_q, memory_q ? memory_data : register_q};

  montcore_pka_registers u_registers (
      .clk_i,
      .rst_ni,
      .req_i                (register_req),
      .write_i,
      .addr_i               (addr_i[13:0]),
      .wdata_i,
      .strb_i,
      .rdata_o              (register_data),
      .error_o              (register_error),
      .build_length_i       (14'(Length)),
      .build_units_i        (4'(Units)),
      .build_slots_i        (4'(Slots)),
      .core_name_i          (CoreName),
      .control_zeroize_o    (zeroize),
      .control_keep_o       (keep),
      .status_busy_i        (busy),
      .status_loaded_i      (standing.loaded),
      .status_key_loaded_i  (standing.key_loaded),
      .status_locked_i      (standing.locked),
      .status_curve_i       (standing.curve_loaded),
      .status_key_curve_i   (standing.key_curve),
      .status_key_kind_i    (standing.kind),
      .status_uses_i        (standing.uses),
      .error_code_i         (error),
      .intr_state_done_i    (done),
      .intr_state_done_o    (intr_done),
      .intr_state_refused_i (refused),
      .intr_state_refused_o (intr_refused),
      .intr_enable_done_o   (enable_done),
      .intr_enable_refused_o(enable_refused),
      .length_bits_o        (length),
      .y_length_bits_o      (y_length),
      .command_op_o         (op),
      .command_op_written_o (command_start),
      .command_policy_o     (policy),
      .command_x_o          (x),
      .command_y_o          (y),
      .command_z_o          (z),
      .command_operation_o  (operation),
      .curve_columns_o      (form.columns),
      .curve_windows_o      (form.windows),
      .curve_family_o       (form.family),
      .curve_public_only_o  (form.public_only),
      .curves_built_i       (Units[1] ? 14'(CurveLength) : 14'd0),
      .cycles_count_i       (cycles)
  );
  assign irq_o   = (intr_done && enable_done) || (intr_refused && enable_refused);
  assign command = {operation, z, y, x, policy, op};

  montcore_pka_memory #(
      .Length  (Length),
      .KeySlots(KeySlots),
      .Tech    (Tech)
  ) u_memory (
      .clk_i,
      .engine_i (busy),
      .locked_i (standing.locked),
      .req_i    (memory_req),
      .write_i,
      .addr_i,
      .wdata_i,
      .strb_i,
      .refused_o(memory_refused),
      .rdata_o  (memory_data),
      .slot_i   (read_slot),
      .word_i   (read_word),
      .we_i     (we),
      .wslot_i  (write_slot),
      .wword_i  (write_word),
      .result_i (result),
      .clear_i  (clear),
      .sweep_i  (sweep)
  );

  // ---- commands ----------------------------------------------------------------------------------
  montcore_pka_sequence #(
      .Units      (Units),
      .Length     (Length),
      .CurveLength(CurveLength),
      .Words      (Words),
      .Rows       (Rows)
  ) u_sequence (
      .clk_i,
      .rst_ni,
      .zeroize_i    (zeroize),
      .keep_i       (keep),
      .start_i      (command_start),
      .command_i    (command),
      .length_i     (length),
      .y_length_i   (y_length),
      .form_i       (form),
      .busy_o       (busy),
      .done_o       (done),
      .error_o      (error),
      .standing_o   (standing),
      .cycles_o     (cycles),
      .curves_o     (curves),
      .feed_o       (feed),
      .feed_busy_i  (|link_busy),
      .packet_o     (packet),
      .stream_o     (stream),
      .cfg_done_i   (|cfg_done),
      .cfg_error_i  (cfg_error[curves]),
      .unit_busy_i  (|unit_busy),
      .active_o     (active),
      .bits_o       (bits),
      .answer_done_i(answered[curves]),
      .status_i     (status[curves]),
      .z_slot_o     (z_slot),
      .y_slot_o     (y_slot),
      .draw_o       (draw),
      .draw_busy_i  (draw_busy),
      .draw_failed_i(draw_failed),
      .draw_slot_o  (draw_slot),
      .draw_bits_o  (draw_bits),
      .clear_o      (clear),
      .sweep_o      (sweep)
  );

  // While a number is drawn, the read port supplies n for the comparison.
  assign read_slot = draw_busy ? KeyOrder : link_slot[curves];
  assign read_word = draw_busy ? draw_word : link_word[curves];
  assign we = draw_we || link_we[curves];
  assign write_slot = draw_busy ? draw_slot : z_slot + SlotBits'(second[curves]);
  assign write_word = draw_busy ? draw_word : link_z_word[curves];
  assign result = draw_busy ? draw_data : link_result[curves];

  // ---- exponentiator -----------------------------------------------------------------------------
  if (Units[0]) begin : g_modexp
    logic cfg_ready, x_ready, y_ready, z_valid, z_ready, z_last, z_error, last, unused;
    logic core_start, core_done;
    logic [2:0] valid;
    logic [Width-1:0] data, z_data;
    assign unused = ^{core_start, core_done, y_slot};

    montcore_pka_link #(
        .Width(Width)
    ) u_link (
        .clk_i,
        .rst_ni,
        .clear_i  (zeroize),
        .start_i  (feed && !curves),
        .packet_i (packet),
        .stream_i (stream),
        .busy_o   (link_busy[0]),
        .slot_o   (link_slot[0]),
        .word_o   (link_word[0]),
        .data_i   (memory_data),
        .valid_o  (valid),
        .ready_i  ({y_ready, x_ready, cfg_ready}),
        .data_o   (data),
        .last_o   (last),
        .active_i (active && !curves),
        .bits_i   (bits),
        .z_valid_i(z_valid),
        .z_ready_o(z_ready),
        .z_data_i (z_data),
        .z_last_i (z_last),
        .z_error_i(z_error),
        .we_o     (link_we[0]),
        .second_o (second[0]),
        .z_word_o (link_z_word[0]),
        .result_o (link_result[0]),
        .done_o   (answered[0]),
        .status_o (status[0])
    );

    montcore_modexp #(
        .Length(Length),
        .Width(Width),
        .OperandWidth(OperandWidth),
        .Beats(Beats),
        .Window(Window),
        .LazySetUp(LazySetUp),
        .Tech(Tech)
    ) u_modexp (
        .clk_i,
`ifdef MONTCORE_CLK2X
        .clk2x_i,
`endif
        .rst_ni,
        .zeroize_i   (zeroize),
        .busy_o      (unit_busy[0]),
        .cfg_valid_i (valid[0]),
        .cfg_ready_o (cfg_ready),
        .cfg_data_i  (data),
        .cfg_last_i  (last),
        .cfg_done_o  (cfg_done[0]),
        .cfg_error_o (cfg_error[0]),
        .x_valid_i   (valid[1]),
        .x_ready_o   (x_ready),
        .x_data_i    (data),
        .x_last_i    (last),
        .y_valid_i   (valid[2]),
        .y_ready_o   (y_ready),
        .y_data_i    (data),
        .y_last_i    (last),
        .z_valid_o   (z_valid),
        .z_ready_i   (z_ready),
        .z_data_o    (z_data),
        .z_last_o    (z_last),
        .z_error_o   (z_error),
        .core_start_o(core_start),
        .core_done_o (core_done)
    );
  end else if (Units[2]) begin : g_multiplier
    logic cfg_valid, cfg_ready, x_valid, x_ready, y_valid, y_ready, x_last, y_last;
    logic z_valid, z_ready, z_last, z_error, unused;
    logic [Width-1:0] x_data, y_data, z_data;
    assign unused = ^{OperandWidth, Beats, Window, LazySetUp, stream[2:1]};
    assign second[0] = 1'b0;

    montcore_pka_pair #(
        .Width(Width)
    ) u_pair (
        .clk_i,
        .rst_ni,
        .clear_i    (zeroize),
        .start_i    (feed),
        .packet_i   (packet),
        .y_slot_i   (y_slot),
        .configure_i(stream[0]),
        .busy_o     (link_busy[0]),
        .slot_o     (link_slot[0]),
        .word_o     (link_word[0]),
        .data_i     (memory_data),
        .cfg_valid_o(cfg_valid),
        .cfg_ready_i(cfg_ready),
        .x_valid_o  (x_valid),
        .x_ready_i  (x_ready),
        .x_data_o   (x_data),
        .x_last_o   (x_last),
        .y_valid_o  (y_valid),
        .y_ready_i  (y_ready),
        .y_data_o   (y_data),
        .y_last_o   (y_last),
        .active_i   (active),
        .bits_i     (bits),
        .z_valid_i  (z_valid),
        .z_ready_o  (z_ready),
        .z_data_i   (z_data),
        .z_last_i   (z_last),
        .z_error_i  (z_error),
        .we_o       (link_we[0]),
        .z_word_o   (link_z_word[0]),
        .result_o   (link_result[0]),
        .done_o     (answered[0]),
        .status_o   (status[0])
    );

    montcore_pka_multiplier u_multiplier (
        .clk_i,
`ifdef MONTCORE_CLK2X
        .clk2x_i,
`endif
        .rst_ni,
        .zeroize_i  (zeroize),
        .busy_o     (unit_busy[0]),
        .cfg_valid_i(cfg_valid),
        .cfg_ready_o(cfg_ready),
        .cfg_data_i (x_data),
        .cfg_last_i (x_last),
        .cfg_done_o (cfg_done[0]),
        .cfg_error_o(cfg_error[0]),
        .x_valid_i  (x_valid),
        .x_ready_o  (x_ready),
        .x_data_i   (x_data),
        .x_last_i   (x_last),
        .y_valid_i  (y_valid),
        .y_ready_o  (y_ready),
        .y_data_i   (y_data),
        .y_last_i   (y_last),
        .z_valid_o  (z_valid),
        .z_ready_i  (z_ready),
        .z_data_o   (z_data),
        .z_last_o   (z_last),
        .z_error_o  (z_error)
    );
  end else begin : g_no_modexp
    logic unused;
    assign unused = ^{Width, OperandWidth, Beats, Window, LazySetUp, y_slot};
    assign {unit_busy[0], cfg_done[0], link_busy[0], link_we[0], cfg_error[0], answered[0]} = '0;
    assign {second[0], status[0], link_slot[0], link_word[0], link_z_word[0], link_result[0]} = '0;
  end

  // ---- curves ------------------------------------------------------------------------------------
  if (Units[1]) begin : g_curves
    montcore_pka_curves #(
        .Length(CurveLength),
        .Width (CurveWidth),
        .Beats (CurveBeats),
        .Lanes (CurveLanes),
        .Open  (CurveOpen),
        .Tech  (Tech)
    ) u_curves (
        .zeroize_i    (zeroize),
        .start_i      (feed && curves),
        .packet_i     (packet),
        .stream_i     (stream),
        .busy_o       (link_busy[1]),
        .slot_o       (link_slot[1]),
        .word_o       (link_word[1]),
        .data_i       (memory_data),
        .active_i     (active && curves),
        .bits_i       (bits),
        .we_o         (link_we[1]),
        .second_o     (second[1]),
        .z_word_o     (link_z_word[1]),
        .result_o     (link_result[1]),
        .done_o       (answered[1]),
        .status_o     (status[1]),
        .unit_busy_o  (unit_busy[1]),
        .cfg_done_o   (cfg_done[1]),
        .cfg_error_o  (cfg_error[1]),
        .draw_i       (draw),
        .draw_bits_i  (draw_bits),
        .draw_busy_o  (draw_busy),
        .draw_failed_o(draw_failed),
        .draw_word_o  (draw_word),
        .draw_we_o    (draw_we),
        .draw_data_o  (draw_data),
        .*
    );
  end else begin : g_no_curves
    logic unused;
    assign {unit_busy[1], cfg_done[1], link_busy[1], link_we[1], second[1], answered[1]} = '0;
    assign {draw_we, cfg_error[1], status[1], link_slot[1], link_word[1], link_z_word[1]} = '0;
    assign {draw_busy, draw_failed, draw_word, draw_data, link_result[1], rnd_ready_o} = '0;
    assign unused = ^{draw, draw_bits, draw_slot, rnd_valid_i, rnd_data_i, rnd_fail_i, CurveLength,
                      CurveWidth, CurveBeats, CurveLanes, CurveOpen};
  end
endmodule
