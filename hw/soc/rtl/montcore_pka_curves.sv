// SPDX-License-Identifier: Apache-2.0

/// The curve engine between the operand memory and the random source.
///
/// Sends the packets of an operation from slots and writes the words of the answer back. Random
/// words are used for a number below the order that is drawn into a slot; otherwise the engine gets
/// them.
/// Precondition: those of `montcore_pka_link`, `montcore_pka_draw` and `montcore_ecc`; no packet is
/// started while a number is drawn.
/// Latency: that of the engine plus two cycles per word.
/// Example, Width = 32, 256 bits: k P takes 8 beats of x and 17 of y.
module montcore_pka_curves
  import montcore_pka_pkg::*;
#(
    parameter int unsigned Length = 256,  // Built width of the engine in bits.
    parameter int unsigned Width = 32,  // Beat width in bits, 32 or more.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 2,  // Beats that the adder processes per cycle.
    parameter int unsigned Open = 8,  // Maximum number of products in flight.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
`ifdef MONTCORE_CURVE_CLK2X
    /// Clock of the blocks, twice as fast; each edge of clk_i is one of its edges.
    input logic clk2x_i,
`endif
    input logic rst_ni,
    input logic zeroize_i,  // Synchronous clear, active high; clears all state, secrets included.
    input logic start_i,  // Pulse: send the packet packet_i.
    input packet_t packet_i,  // Packet to send, constant from start_i until busy_o is low.
    input logic [2:0] stream_i,  // Stream of the packet, one-hot: bit 0 cfg, bit 1 x, bit 2 y.
    output logic busy_o,  // High while a packet is being sent.
    output logic [SlotBits-1:0] slot_o,  // Memory read address: slot.
    output logic [WordBits-1:0] word_o,  // Memory read address: word in the slot.
    input logic [31:0] data_i,  // Memory read data for the address of the previous cycle.
    input logic active_i,  // High while an answer is expected; low: the receiver is cleared.
    input logic [LengthBits-1:0] bits_i,  // Bits of each number of the answer.
    output logic we_o,  // Memory write of an answer word, one cycle per word.
    output logic second_o,  // Number that the word belongs to: 0 first, 1 second; valid with we_o.
    output logic [WordBits-1:0] z_word_o,  // Index of the word in its number; valid with we_o.
    output logic [31:0] result_o,  // Answer word to write, valid with we_o.
    output logic done_o,  // High once the answer is complete, until active_i falls.
    output logic [3:0] status_o,  // Status of the operation, 0 for success; valid with done_o.
    output logic unit_busy_o,  // High while the engine computes or clears itself.
    output logic cfg_done_o,  // Pulse: the engine has accepted or refused the curve.
    /// Reason for the refusal, 0 if accepted; valid with cfg_done_o.
    output logic [2:0] cfg_error_o,
    input logic draw_i,  // Pulse: draw a number below the order.
    input logic [LengthBits-1:0] draw_bits_i,  // Bits of the order and of the number drawn.
    /// High while a number is being drawn; data_i is then a word of the order.
    output logic draw_busy_o,
    output logic draw_failed_o,  // High: the last draw failed; cleared by draw_i.
    /// Index of the word read of the order and written of the number.
    output logic [WordBits-1:0] draw_word_o,
    output logic draw_we_o,  // Memory write of a word of the number drawn.
    output logic [31:0] draw_data_o,  // Word of the number drawn, valid with draw_we_o.
    input logic rnd_valid_i,  // Random source: rnd_data_i is valid.
    output logic rnd_ready_o,  // Random source: the word is accepted in this cycle.
    input logic [31:0] rnd_data_i,  // Random source: random word, valid with rnd_valid_i.
    input logic rnd_fail_i  // Random source: failure; high: its words must not be used.
);
  logic cfg_ready, x_ready, y_ready, z_valid, z_ready, z_last, z_error, last, unused;
  logic core_start, core_done, draw_ready, word_ready, random_valid, random_ready;
  logic [2:0] valid;
  logic [Width-1:0] data, z_data, random;
  assign unused = ^{core_start, core_done};

  montcore_pka_link #(
      .Width (Width),
      .Curves(1'b1)
  ) u_link (
      .clear_i  (zeroize_i),
      .valid_o  (valid),
      .ready_i  ({y_ready, x_ready, cfg_ready}),
      .data_o   (data),
      .last_o   (last),
      .z_valid_i(z_valid),
      .z_ready_o(z_ready),
      .z_data_i (z_data),
      .z_last_i (z_last),
      .z_error_i(z_error),
      .*
  );

  // Random words go to the number being drawn, otherwise as beats to the engine.
  montcore_pka_draw u_draw (
      .clk_i,
      .rst_ni,
      .clear_i (zeroize_i),
      .start_i (draw_i),
      .bits_i  (draw_bits_i),
      .busy_o  (draw_busy_o),
      .failed_o(draw_failed_o),
      .word_o  (draw_word_o),
      .order_i (data_i),
      .we_o    (draw_we_o),
      .data_o  (draw_data_o),
      .valid_i (rnd_valid_i),
      .ready_o (draw_ready),
      .random_i(rnd_data_i),
      .fail_i  (rnd_fail_i)
  );
  montcore_soc_gear #(
      .In (32),
      .Out(Width)
  ) u_random (
      .clk_i,
      .clear_i    (!rst_ni || zeroize_i),
      .in_valid_i (rnd_valid_i && !draw_busy_o && !rnd_fail_i),
      .in_ready_o (word_ready),
      .in_data_i  (rnd_data_i),
      .flush_i    (1'b0),
      .out_valid_o(random_valid),
      .out_ready_i(random_ready),
      .out_data_o (random)
  );
  assign rnd_ready_o = draw_busy_o ? draw_ready : word_ready;

  montcore_ecc #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats),
      .Lanes (Lanes),
      .Open  (Open),
      .Tech  (Tech)
  ) u_ecc (
      .clk_i,
`ifdef MONTCORE_CURVE_CLK2X
      .clk2x_i,
`endif
      .rst_ni,
      .zeroize_i,
      .busy_o        (unit_busy_o),
      .cfg_valid_i   (valid[0]),
      .cfg_ready_o   (cfg_ready),
      .cfg_data_i    (data),
      .cfg_last_i    (last),
      .cfg_done_o,
      .cfg_error_o,
      .x_valid_i     (valid[1]),
      .x_ready_o     (x_ready),
      .x_data_i      (data),
      .x_last_i      (last),
      .y_valid_i     (valid[2]),
      .y_ready_o     (y_ready),
      .y_data_i      (data),
      .y_last_i      (last),
      .z_valid_o     (z_valid),
      .z_ready_i     (z_ready),
      .z_data_o      (z_data),
      .z_last_o      (z_last),
      .z_error_o     (z_error),
      .random_valid_i(random_valid),
      .random_ready_o(random_ready),
      .random_data_i (random),
      .random_fail_i (rnd_fail_i),
      .core_start_o  (core_start),
      .core_done_o   (core_done)
  );
endmodule
