// SPDX-License-Identifier: Apache-2.0

/// Connects the memory and a stand-alone multiplier, whose core may need both operands at once.
///
/// Two feeders use the memory in alternate cycles; the first one also sends the modulus. The answer
/// is a number, or a beat with z_error_i whose data is the error code.
/// Precondition: those of `montcore_pka_feeder` and `montcore_pka_answer`; packets have no header.
/// Latency: two cycles per pair of words, one word of each operand.
/// Example, Width = 32, 64 bits: x and y come as two beats each, side by side.
module montcore_pka_pair
  import montcore_pka_pkg::*;
#(
    parameter int unsigned Width = 32  // Beat width of the multiplier in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; stops the packets.
    input logic start_i,  // Pulse: send the packets.
    input packet_t packet_i,  // Packet of the modulus or of x, constant until busy_o is low.
    input logic [SlotBits-1:0] y_slot_i,  // Slot of y; its packet has the length of packet_i.
    input logic configure_i,  // High: packet_i is the modulus; no packet of y is sent.
    output logic busy_o,  // High while a packet is being sent.
    output logic [SlotBits-1:0] slot_o,  // Memory read address: slot.
    output logic [WordBits-1:0] word_o,  // Memory read address: word in the slot.
    input logic [31:0] data_i,  // Memory read data for the address of the previous cycle.
    output logic cfg_valid_o,  // Modulus stream: valid; data and last are x_data_o and x_last_o.
    input logic cfg_ready_i,
    output logic x_valid_o,
    input logic x_ready_i,
    output logic [Width-1:0] x_data_o,
    output logic x_last_o,
    output logic y_valid_o,
    input logic y_ready_i,
    output logic [Width-1:0] y_data_o,
    output logic y_last_o,
    input logic active_i,  // High while an answer is expected; low: the receiver is cleared.
    input logic [LengthBits-1:0] bits_i,  // Bits of the answer's number.
    input logic z_valid_i,  // Answer stream: valid.
    output logic z_ready_o,  // Answer stream: ready.
    input logic [Width-1:0] z_data_i,  // Answer stream: data, least significant beat first.
    input logic z_last_i,  // Answer stream: last beat.
    input logic z_error_i,  // Answer stream: the beat is an error code.
    output logic we_o,  // Memory write of an answer word, one cycle per word.
    output logic [WordBits-1:0] z_word_o,  // Index of the word in its number; valid with we_o.
    output logic [31:0] result_o,  // Answer word to write, valid with we_o.
    output logic done_o,  // High once the answer is complete, until active_i falls.
    output logic [3:0] status_o  // Error code of the answer, 0 for success; valid with done_o.
);
  logic turn_q;  // high: the feeder of y has the memory
  logic x_valid, x_busy, y_busy, unused, second;
  logic [3:0] status;
  logic [SlotBits-1:0] x_slot, y_slot;
  logic [WordBits-1:0] x_word, y_word;
  assign unused = ^{packet_i.headers, packet_i.header, second, status[3]};

  // The first turn after start_i is always x's, so the time of a command does not depend on its
  // start.
  always_ff @(posedge clk_i) turn_q <= rst_ni && !start_i && !turn_q;
  assign slot_o = turn_q ? y_slot : x_slot;
  assign word_o = turn_q ? y_word : x_word;
  assign status_o = {1'b0, status[2:0]};  // only these bits of an error beat are defined
  assign busy_o = x_busy || y_busy;
  assign cfg_valid_o = x_valid && configure_i;
  assign x_valid_o = x_valid && !configure_i;

  montcore_pka_feeder #(
      .Width(Width)
  ) u_x (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i,
      .busy_o   (x_busy),
      .headers_i(2'd0),
      .header_i ({2 * Width{1'b0}}),
      .numbers_i(packet_i.numbers),
      .slot_i   (packet_i.slot),
      .bits_i   (packet_i.bits),
      .slot_o   (x_slot),
      .word_o   (x_word),
      .turn_i   (!turn_q),
      .data_i,
      .valid_o  (x_valid),
      .ready_i  (configure_i ? cfg_ready_i : x_ready_i),
      .data_o   (x_data_o),
      .last_o   (x_last_o)
  );

  montcore_pka_feeder #(
      .Width(Width)
  ) u_y (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i  (start_i && !configure_i),
      .busy_o   (y_busy),
      .headers_i(2'd0),
      .header_i ({2 * Width{1'b0}}),
      .numbers_i(packet_i.numbers),
      .slot_i   (y_slot_i),
      .bits_i   (packet_i.bits),
      .slot_o   (y_slot),
      .word_o   (y_word),
      .turn_i   (turn_q),
      .data_i,
      .valid_o  (y_valid_o),
      .ready_i  (y_ready_i),
      .data_o   (y_data_o),
      .last_o   (y_last_o)
  );

  montcore_pka_answer #(
      .Width(Width)
  ) u_answer (
      .second_o(second),
      .word_o  (z_word_o),
      .data_o  (result_o),
      .status_o(status),
      .*
  );
endmodule
