// SPDX-License-Identifier: Apache-2.0

/// The accelerator behind its register interface: operand memory, commands, exponentiator.
///
/// z = x^y mod m or x y mod m, numbers in slots of the operand memory (hw/soc/README.md).
/// A request is one cycle of req_i; ack_o, rdata_o and error_o answer it in the next one, always. A
/// refused access changes nothing, reads as zero and sets the bit `refused` of intr_state.
/// Precondition: none; addr_i[1:0] is ignored.
/// Latency: 1 for an access; of a command that of the exponentiator and two cycles a word.
/// Example: a read of 0x0000 -> 0x4d504b41.
module montcore_pka
  import montcore_pka_pkg::*;
#(
    parameter int unsigned Length = 512,  /// Built width L in bits.
    parameter int unsigned Width = 34,  /// Bits of a beat, 16 or more.
    parameter int unsigned Beats = 17,  /// Beats of the multiplier's operands at the built width.
    parameter int unsigned Window = 5,  /// Window in bits, 2 to 6.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,  /// What it is built for.
    parameter int unsigned CoreName = 32'h00707364  /// The multiplier's name, lowest byte first.
) (
    input logic clk_i,  /// Rising edge.
`ifdef MONTCORE_CLK2X
    input logic clk2x_i,  /// Twice as fast; each edge of clk_i is one of its edges.
`endif
    input logic rst_ni,  /// Synchronous reset, active low.
    input logic req_i,  /// Request; a new one may come in every cycle.
    input logic write_i,  /// It is a write.
    input logic [15:0] addr_i,  /// Address in bytes.
    input logic [31:0] wdata_i,  /// Word to write.
    input logic [3:0] strb_i,  /// Bytes of it to write.
    output logic ack_o,  /// The last cycle's request is answered.
    output logic [31:0] rdata_o,  /// Word read; 0 for a write; valid with ack_o.
    output logic error_o,  /// The access was refused; valid with ack_o.
    output logic irq_o  /// Interrupt, high as long as an enabled bit of intr_state is.
);
  localparam int unsigned Words = (Length + 31) / 32;
  localparam int unsigned Rows = (Slots + 2) * Words;
  localparam int unsigned RowBits = $clog2(Rows);

  logic register_req, memory_req, register_error, memory_refused, refused, ack_q, error_q, memory_q;
  logic [31:0] register_data, register_q, memory_data, cycles, result;
  logic command_start, zeroize, done, busy, loaded, key_loaded, locked;
  logic intr_done, intr_refused, enable_done, enable_refused;
  logic [3:0] op, x, y, z, error;
  logic [1:0] policy;
  logic [LengthBits-1:0] length, y_length, bits;
  command_t command;
  logic feed, feed_busy, header, clear, gear_clear, gear_valid, gear_ready, gear_flush;
  logic word_valid, word_ready, stream_valid, stream_ready, stream_last;
  logic [2:0] stream, stream_valids, cfg_error;
  logic [Width-1:0] header_data, stream_data, z_data;
  logic [SlotBits-1:0] first_slot, read_slot, z_slot;
  logic [WordBits-1:0] read_word, z_word;
  logic [RowBits-1:0] sweep;
  logic cfg_ready, cfg_done, x_ready, y_ready, z_valid, z_ready, z_last, z_error, unit_busy, unused;

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
  assign ack_o   = ack_q;
  assign error_o = error_q;
  assign rdata_o = memory_q ? memory_data : register_q;

  montcore_pka_registers u_registers (
      .clk_i                (clk_i),
      .rst_ni               (rst_ni),
      .req_i                (register_req),
      .write_i              (write_i),
      .addr_i               (addr_i[13:0]),
      .wdata_i              (wdata_i),
      .strb_i               (strb_i),
      .rdata_o              (register_data),
      .error_o              (register_error),
      .build_length_i       (14'(Length)),
      .build_units_i        (4'b0001),
      .build_slots_i        (4'(Slots)),
      .core_name_i          (CoreName),
      .control_zeroize_o    (zeroize),
      .status_busy_i        (busy),
      .status_loaded_i      (loaded),
      .status_key_loaded_i  (key_loaded),
      .status_locked_i      (locked),
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
      .cycles_count_i       (cycles)
  );
  assign irq_o   = (intr_done && enable_done) || (intr_refused && enable_refused);
  assign command = {z, y, x, policy, op};

  montcore_pka_memory #(
      .Length(Length),
      .Tech  (Tech)
  ) u_memory (
      .clk_i    (clk_i),
      .engine_i (busy),
      .locked_i (locked),
      .req_i    (memory_req),
      .write_i  (write_i),
      .addr_i   (addr_i),
      .wdata_i  (wdata_i),
      .strb_i   (strb_i),
      .refused_o(memory_refused),
      .rdata_o  (memory_data),
      .slot_i   (read_slot),
      .word_i   (read_word),
      .we_i     (word_ready),
      .wslot_i  (z_slot),
      .wword_i  (z_word),
      .result_i (result),
      .clear_i  (clear),
      .sweep_i  (sweep)
  );

  // ---- commands ----------------------------------------------------------------------------------
  montcore_pka_sequence #(
      .Length     (Length),
      .Width      (Width),
      .Rows       (Rows),
      .OperandRows(Slots * Words)
  ) u_sequence (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .zeroize_i    (zeroize),
      .start_i      (command_start),
      .command_i    (command),
      .length_i     (length),
      .y_length_i   (y_length),
      .busy_o       (busy),
      .done_o       (done),
      .error_o      (error),
      .loaded_o     (loaded),
      .key_loaded_o (key_loaded),
      .locked_o     (locked),
      .cycles_o     (cycles),
      .feed_o       (feed),
      .feed_busy_i  (feed_busy),
      .header_o     (header),
      .header_data_o(header_data),
      .slot_o       (first_slot),
      .bits_o       (bits),
      .stream_o     (stream),
      .cfg_done_i   (cfg_done),
      .cfg_error_i  (cfg_error),
      .unit_busy_i  (unit_busy),
      .z_valid_i    (z_valid),
      .z_ready_o    (z_ready),
      .z_status_i   (z_data[2:0]),
      .z_last_i     (z_last),
      .z_error_i    (z_error),
      .gear_clear_o (gear_clear),
      .gear_valid_o (gear_valid),
      .gear_ready_i (gear_ready),
      .gear_flush_o (gear_flush),
      .word_valid_i (word_valid),
      .word_ready_o (word_ready),
      .z_slot_o     (z_slot),
      .z_word_o     (z_word),
      .clear_o      (clear),
      .sweep_o      (sweep)
  );

  montcore_pka_feeder #(
      .Width(Width)
  ) u_feeder (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .clear_i  (zeroize),
      .start_i  (feed),
      .busy_o   (feed_busy),
      .headers_i({1'b0, header}),
      .header_i ({Width'(1'b0), header_data}),
      .numbers_i(3'd1),
      .slot_i   (first_slot),
      .bits_i   (bits),
      .slot_o   (read_slot),
      .word_o   (read_word),
      .data_i   (memory_data),
      .valid_o  (stream_valid),
      .ready_i  (stream_ready),
      .data_o   (stream_data),
      .last_o   (stream_last)
  );
  assign stream_valids = {3{stream_valid}} & stream;
  assign stream_ready  = |(stream &{y_ready, x_ready, cfg_ready});

  montcore_soc_gear #(
      .In (Width),
      .Out(32)
  ) u_gear (
      .clk_i      (clk_i),
      .clear_i    (gear_clear),
      .in_valid_i (gear_valid),
      .in_ready_o (gear_ready),
      .in_data_i  (z_data),
      .flush_i    (gear_flush),
      .out_valid_o(word_valid),
      .out_ready_i(word_ready),
      .out_data_o (result)
  );

  // ---- unit --------------------------------------------------------------------------------------
  logic core_start, core_done;
  assign unused = ^{core_start, core_done};
  montcore_modexp #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats),
      .Window(Window),
      .Tech  (Tech)
  ) u_modexp (
      .clk_i       (clk_i),
`ifdef MONTCORE_CLK2X
      .clk2x_i     (clk2x_i),
`endif
      .rst_ni      (rst_ni),
      .zeroize_i   (zeroize),
      .busy_o      (unit_busy),
      .cfg_valid_i (stream_valids[0]),
      .cfg_ready_o (cfg_ready),
      .cfg_data_i  (stream_data),
      .cfg_last_i  (stream_last),
      .cfg_done_o  (cfg_done),
      .cfg_error_o (cfg_error),
      .x_valid_i   (stream_valids[1]),
      .x_ready_o   (x_ready),
      .x_data_i    (stream_data),
      .x_last_i    (stream_last),
      .y_valid_i   (stream_valids[2]),
      .y_ready_o   (y_ready),
      .y_data_i    (stream_data),
      .y_last_i    (stream_last),
      .z_valid_o   (z_valid),
      .z_ready_i   (z_ready),
      .z_data_o    (z_data),
      .z_last_o    (z_last),
      .z_error_o   (z_error),
      .core_start_o(core_start),
      .core_done_o (core_done)
  );
endmodule
