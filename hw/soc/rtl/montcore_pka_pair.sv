// SPDX-License-Identifier: Apache-2.0

/// The way between the memory and a multiplier by itself, which may wait for both of its operands.
///
/// Two feeders have the memory in turns; the first one makes the modulus's packet too. The answer is a
/// number, or a beat with z_error_i that says why there is none.
/// Precondition: those of `montcore_pka_feeder` and `montcore_pka_answer`; packets have no header.
/// Latency: two cycles for a word of each operand.
/// Example, Width = 32, 64 bits: x and y come as two beats each, side by side.
module montcore_pka_pair
  import montcore_pka_pkg::*;
#(
    /// Bits of a beat.
    parameter int unsigned Width = 32
) (
    /// Clock, rising edge.
    input  logic                     clk_i,
    /// Synchronous reset, active low.
    input  logic                     rst_ni,
    /// Forget everything.
    input  logic                     clear_i,
    /// Pulse: make the packets.
    input  logic                     start_i,
    /// The packet of the modulus or of x.
    input  packet_t                  packet_i,
    /// Slot of y.
    input  logic    [  SlotBits-1:0] y_slot_i,
    /// The packet is the modulus's, and the only one.
    input  logic                     configure_i,
    /// A packet is under way.
    output logic                     busy_o,
    /// Slot that is read.
    output logic    [  SlotBits-1:0] slot_o,
    /// Word that is read.
    output logic    [  WordBits-1:0] word_o,
    /// The word of the address that was out in the last cycle.
    input  logic    [          31:0] data_i,
    /// Modulus: valid; data and last beat are those of x.
    output logic                     cfg_valid_o,
    /// Modulus: ready.
    input  logic                     cfg_ready_i,
    /// X stream: valid.
    output logic                     x_valid_o,
    /// X stream: ready.
    input  logic                     x_ready_i,
    /// X stream: data.
    output logic    [     Width-1:0] x_data_o,
    /// X stream: last beat.
    output logic                     x_last_o,
    /// Y stream: valid.
    output logic                     y_valid_o,
    /// Y stream: ready.
    input  logic                     y_ready_i,
    /// Y stream: data.
    output logic    [     Width-1:0] y_data_o,
    /// Y stream: last beat.
    output logic                     y_last_o,
    /// An answer is to come.
    input  logic                     active_i,
    /// Bits of its number.
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
    /// Which of its words.
    output logic    [  WordBits-1:0] z_word_o,
    /// The word.
    output logic    [          31:0] result_o,
    /// All of it is there.
    output logic                     done_o,
    /// How it ended.
    output logic    [           3:0] status_o
);
  logic turn_q;  // the second feeder has the memory
  logic x_valid, x_busy, y_busy, unused, second;
  logic [3:0] status;
  logic [SlotBits-1:0] x_slot, y_slot;
  logic [WordBits-1:0] x_word, y_word;
  assign unused = ^{packet_i.headers, packet_i.header, second, status[3]};

  // Packets begin with the same turn, so that a command takes the same time whenever it comes.
  always_ff @(posedge clk_i) turn_q <= rst_ni && !start_i && !turn_q;
  assign slot_o = turn_q ? y_slot : x_slot;
  assign word_o = turn_q ? y_word : x_word;
  assign status_o = {1'b0, status[2:0]};  // of an error beat only these bits are defined
  assign busy_o = x_busy || y_busy;
  assign cfg_valid_o = x_valid && configure_i;
  assign x_valid_o = x_valid && !configure_i;

  montcore_pka_feeder #(
      .Width(Width)
  ) u_x (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .clear_i  (clear_i),
      .start_i  (start_i),
      .busy_o   (x_busy),
      .headers_i(2'd0),
      .header_i ({2 * Width{1'b0}}),
      .numbers_i(packet_i.numbers),
      .slot_i   (packet_i.slot),
      .bits_i   (packet_i.bits),
      .slot_o   (x_slot),
      .word_o   (x_word),
      .turn_i   (!turn_q),
      .data_i   (data_i),
      .valid_o  (x_valid),
      .ready_i  (configure_i ? cfg_ready_i : x_ready_i),
      .data_o   (x_data_o),
      .last_o   (x_last_o)
  );

  montcore_pka_feeder #(
      .Width(Width)
  ) u_y (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .clear_i  (clear_i),
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
      .data_i   (data_i),
      .valid_o  (y_valid_o),
      .ready_i  (y_ready_i),
      .data_o   (y_data_o),
      .last_o   (y_last_o)
  );

  montcore_pka_answer #(
      .Width(Width)
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
      .second_o (second),
      .word_o   (z_word_o),
      .data_o   (result_o),
      .done_o   (done_o),
      .status_o (status)
  );
endmodule
