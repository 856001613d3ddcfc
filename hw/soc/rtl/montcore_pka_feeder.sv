// SPDX-License-Identifier: Apache-2.0

/// Sends a packet to a unit's port from memory: header beats, then numbers of consecutive slots.
///
/// A number has bits_i bits, lowest word first, and starts with a new beat; higher bits of its last
/// word are masked.
/// Precondition: all settings are constant from start_i until busy_o is low; bits_i >= 1 and at least
/// a header or a number.
/// Latency: two cycles per word, even if turn_i is high in every other cycle only; header after 1
/// cycle.
/// Example, Width = 16, one header 0x0014, a number of 20 bits 0x000abcde: 0x0014, 0xbcde, 0x000a.
module montcore_pka_feeder
  import montcore_pka_pkg::*;
#(
    parameter int unsigned Width = 34  // Beat width in bits, 16 or more.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic start_i,  // Pulse: start the packet.
    output logic busy_o,  // High while the packet is being sent.
    input logic [1:0] headers_i,  // Number of header beats, 0 to 2.
    input logic [1:0][Width-1:0] header_i,  // Header beats; header_i[0] is sent first.
    input logic [2:0] numbers_i,  // Number of operands, in consecutive slots.
    input logic [SlotBits-1:0] slot_i,  // Slot of the first number.
    input logic [LengthBits-1:0] bits_i,  // Bits of each number, 1 or more.
    output logic [SlotBits-1:0] slot_o,  // Memory read address: slot.
    output logic [WordBits-1:0] word_o,  // Memory read address: word in the slot.
    input logic turn_i,  // High: slot_o and word_o address the memory in this cycle.
    input logic [31:0] data_i,  // Memory read data for the address of the previous cycle.
    output logic valid_o,  // Packet stream: valid.
    input logic ready_i,  // Packet stream: ready.
    /// Packet stream: data, header beats first, then numbers, lowest beat first.
    output logic [Width-1:0] data_o,
    output logic last_o  // Packet stream: last beat.
);
  logic busy_q, fresh_q, fetched_q;  // fetched_q: fetch_q is 0
  logic [1:0] header_q;  // header beats left to send
  logic [2:0] number_q;  // numbers left to send
  logic [SlotBits-1:0] slot_q;
  logic [WordBits-1:0] word_q;
  logic [LengthBits-1:0] fetch_q, send_q;  // bits of the current number left to fetch, left to send
  logic [31:0] word, kept;
  logic [Width-1:0] beat;
  logic gear_valid, gear_in, gear_ready, number_ends, number_beat, next_number;

  assign gear_in = busy_q && fresh_q && !fetched_q && number_q != '0;
  assign kept = (fetch_q >= 14'd32) ? '1 : ~({32{1'b1}} << fetch_q[4:0]);
  assign word = data_i & kept;

  montcore_soc_gear #(
      .In (32),
      .Out(Width)
  ) u_gear (
      .clk_i,
      .clear_i    (!rst_ni || clear_i || start_i || next_number),
      .in_valid_i (gear_in),
      .in_ready_o (gear_ready),
      .in_data_i  (word),
      .flush_i    (fetched_q),
      .out_valid_o(gear_valid),
      .out_ready_i(number_beat),
      .out_data_o (beat)
  );

  assign valid_o = busy_q && (header_q != '0 || (number_q != '0 && gear_valid));
  // header_q counts down: with two headers left header_i[0] is due.
  assign data_o = (header_q == '0) ? beat : (header_q == headers_i) ? header_i[0] : header_i[1];
  assign number_ends = 32'(send_q) <= Width;
  assign last_o = (header_q == '0) ? number_ends && number_q == 3'd1 :
      header_q == 2'd1 && number_q == '0;
  assign number_beat = busy_q && header_q == '0 && number_q != '0 && gear_valid && ready_i;
  assign next_number = number_beat && number_ends;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      busy_q <= 1'b0;
      fresh_q <= 1'b0;
      fetched_q <= 1'b1;
      header_q <= '0;
      number_q <= '0;
      slot_q <= '0;
      word_q <= '0;
      fetch_q <= '0;
      send_q <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      fresh_q <= 1'b0;
      header_q <= headers_i;
      number_q <= numbers_i;
      slot_q <= slot_i;
      word_q <= '0;
      fetch_q <= bits_i;
      fetched_q <= bits_i == '0;
      send_q <= bits_i;
    end else if (busy_q) begin
      fresh_q <= turn_i && !(gear_in && gear_ready) && !next_number;
      if (gear_in && gear_ready) begin
        word_q <= word_q + 1;
        fetch_q <= (fetch_q >= 14'd32) ? fetch_q - 14'd32 : '0;
        fetched_q <= fetch_q <= 14'd32;
      end
      if (number_beat) send_q <= LengthBits'(32'(send_q) - Width);
      if (next_number) begin
        number_q <= number_q - 1;
        slot_q <= slot_q + 1;
        word_q <= '0;
        fetch_q <= bits_i;
        fetched_q <= bits_i == '0;
        send_q <= bits_i;
      end
      if (valid_o && ready_i && header_q != '0) header_q <= header_q - 1;
      if (valid_o && ready_i && last_o) busy_q <= 1'b0;
    end
  end
  assign busy_o = busy_q;
  assign slot_o = slot_q;
  assign word_o = word_q;
endmodule
