// SPDX-License-Identifier: Apache-2.0

/// Connects memory and unit: sends packets from memory and writes the answer back.
///
/// Precondition: those of `montcore_pka_feeder` and `montcore_pka_answer`.
/// Latency: theirs.
/// Example: a packet with stream_i = 2 goes to the unit's stream x.
module montcore_pka_link
  import montcore_pka_pkg::*;
#(
    parameter int unsigned Width  = 34,   // Beat width of the unit in bits, 16 or more.
    /// 1: the unit is the curve engine; 0: exponentiator or multiplier.
    parameter bit          Curves = 1'b0
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; stops the packet.
    input logic start_i,  // Pulse: send the packet packet_i.
    input packet_t packet_i,  // Packet to send, constant from start_i until busy_o is low.
    input logic [2:0] stream_i,  // Stream of the packet, one-hot: bit 0 cfg, bit 1 x, bit 2 y.
    output logic busy_o,  // High while the packet is being sent.
    output logic [SlotBits-1:0] slot_o,  // Memory read address: slot.
    output logic [WordBits-1:0] word_o,  // Memory read address: word in the slot.
    input logic [31:0] data_i,  // Memory read data for the address of the previous cycle.
    output logic [2:0] valid_o,  // Unit streams cfg, x and y: valid, at most one bit high.
    input logic [2:0] ready_i,  // Unit streams cfg, x and y: ready.
    output logic [Width-1:0] data_o,  // Unit streams: data, common to the three streams.
    output logic last_o,  // Unit streams: last beat, common to the three streams.
    input logic active_i,  // High while an answer is expected; low: the receiver is cleared.
    input logic [LengthBits-1:0] bits_i,  // Bits of each number of the answer.
    input logic z_valid_i,  // Answer stream: valid.
    output logic z_ready_o,  // Answer stream: ready.
    input logic [Width-1:0] z_data_i,  // Answer stream: data, least significant beat first.
    input logic z_last_i,  // Answer stream: last beat.
    input logic z_error_i,  // Answer stream: the beat is an error code.
    output logic we_o,  // Memory write of an answer word, one cycle per word.
    output logic second_o,  // Number that the word belongs to: 0 first, 1 second; valid with we_o.
    output logic [WordBits-1:0] z_word_o,  // Index of the word in its number; valid with we_o.
    output logic [31:0] result_o,  // Answer word to write, valid with we_o.
    output logic done_o,  // High once the answer is complete, until active_i falls.
    output logic [3:0] status_o  // Status or error code, 0 for success; valid with done_o.
);
  logic valid;
  assign valid_o = {3{valid}} & stream_i;

  montcore_pka_feeder #(
      .Width(Width)
  ) u_feeder (
      .headers_i(packet_i.headers),
      .header_i ({Width'(packet_i.header[1]), Width'(packet_i.header[0])}),
      .numbers_i(packet_i.numbers),
      .slot_i   (packet_i.slot),
      .bits_i   (packet_i.bits),
      .turn_i   (1'b1),
      .valid_o  (valid),
      .ready_i  (|(stream_i & ready_i)),
      .*
  );

  montcore_pka_answer #(
      .Width (Width),
      .Curves(Curves)
  ) u_answer (
      .word_o(z_word_o),
      .data_o(result_o),
      .*
  );
endmodule
