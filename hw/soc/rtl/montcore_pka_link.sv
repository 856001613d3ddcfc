// SPDX-License-Identifier: Apache-2.0

/// The way between the memory and a unit: makes its packets and takes its answer.
///
/// Precondition: those of `montcore_pka_feeder` and `montcore_pka_answer`.
/// Latency: theirs.
/// Example: a packet with stream_i = 2 goes to the unit's stream x.
module montcore_pka_link
  import montcore_pka_pkg::*;
#(
    /// Bits of a beat, 16 or more.
    parameter int unsigned Width  = 34,
    /// The unit is the curve engine.
    parameter bit          Curves = 1'b0
) (
    /// Clock, rising edge.
    input  logic                     clk_i,
    /// Synchronous reset, active low.
    input  logic                     rst_ni,
    /// Forget everything.
    input  logic                     clear_i,
    /// Pulse: make a packet.
    input  logic                     start_i,
    /// The packet.
    input  packet_t                  packet_i,
    /// It is for cfg [0], x [1], y [2].
    input  logic    [           2:0] stream_i,
    /// It is under way.
    output logic                     busy_o,
    /// Slot that is read.
    output logic    [  SlotBits-1:0] slot_o,
    /// Word that is read.
    output logic    [  WordBits-1:0] word_o,
    /// The word of the address that was out in the last cycle.
    input  logic    [          31:0] data_i,
    /// The unit's streams: valid.
    output logic    [           2:0] valid_o,
    /// The unit's streams: ready.
    input  logic    [           2:0] ready_i,
    /// The unit's streams: data.
    output logic    [     Width-1:0] data_o,
    /// The unit's streams: last beat.
    output logic                     last_o,
    /// An answer is to come.
    input  logic                     active_i,
    /// Bits of a number of it.
    input  logic    [LengthBits-1:0] bits_i,
    /// Answer: valid.
    input  logic                     z_valid_i,
    /// Answer: ready.
    output logic                     z_ready_o,
    /// Answer: data.
    input  logic    [     Width-1:0] z_data_i,
    /// Answer: last beat.
    input  logic                     z_last_i,
    /// Answer: it is an error.
    input  logic                     z_error_i,
    /// A word of the answer goes to memory.
    output logic                     we_o,
    /// Which of its numbers.
    output logic                     second_o,
    /// Which of its words.
    output logic    [  WordBits-1:0] z_word_o,
    /// The word.
    output logic    [          31:0] result_o,
    /// All of it is there.
    output logic                     done_o,
    /// How it ended.
    output logic    [           3:0] status_o
);
  logic valid;
  assign valid_o = {3{valid}} & stream_i;

  montcore_pka_feeder #(
      .Width(Width)
  ) u_feeder (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .clear_i  (clear_i),
      .start_i  (start_i),
      .busy_o   (busy_o),
      .headers_i(packet_i.headers),
      .header_i ({Width'(packet_i.header[1]), Width'(packet_i.header[0])}),
      .numbers_i(packet_i.numbers),
      .slot_i   (packet_i.slot),
      .bits_i   (packet_i.bits),
      .slot_o   (slot_o),
      .word_o   (word_o),
      .turn_i   (1'b1),
      .data_i   (data_i),
      .valid_o  (valid),
      .ready_i  (|(stream_i & ready_i)),
      .data_o   (data_o),
      .last_o   (last_o)
  );

  montcore_pka_answer #(
      .Width (Width),
      .Curves(Curves)
  ) u_answer (
      .clk_i    (clk_i),
      .active_i (active_i),
      .bits_i   (bits_i),
      .z_valid_i(z_valid_i),
      .z_ready_o(z_ready_o),
      .z_data_i (z_data_i),
      .z_last_i (z_last_i),
      .z_error_i(z_error_i),
      .we_o     (we_o),
      .second_o (second_o),
      .word_o   (z_word_o),
      .data_o   (result_o),
      .done_o   (done_o),
      .status_o (status_o)
  );
endmodule
