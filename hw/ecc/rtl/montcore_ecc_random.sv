// SPDX-License-Identifier: Apache-2.0

/// The curve engine's random elements below the modulus, and the health check of the random source.
///
/// element = random, below 2^(length - 1), odd; one word of the source per beat
/// Precondition: start_i is high only with state_o.busy low.
/// Latency: one cycle per beat, if words are available and write_ready_i is high.
/// fail: the source reports a failure, delivers three equal words in a row, or stalls a request for
/// 2^16 cycles.
/// Example, length 8, words 0xab, ...: 0xab & 0x7f | 1 = 0x2b.
module montcore_ecc_random
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic valid_i,  // Random source: valid, a word is available.
    output logic ready_o,  // Random source: ready, the word is accepted.
    input logic [Width-1:0] data_i,  // Random source: data, valid with valid_i.
    input logic fail_i,  // Random source: failure; its words must not be used.
    input logic scalar_ready_i,  // Scalar unit: ready for a random word; has priority.
    output logic scalar_valid_o,  // Scalar unit: a word is valid on data_i.
    input logic start_i,  // Pulse: draw a random element.
    input logic [LengthBits-1:0] length_i,  // Length of the modulus in bits.
    input logic [BeatBits-1:0] beats_i,  // Beats of an element at the present length.
    output random_t state_o,  // Status: busy, done and fail.
    output logic write_o,  // Element: a beat is valid.
    input logic write_ready_i,  // Element: ready, the beat is written in this cycle.
    output logic [BeatBits-1:0] beat_o,  // Element: index of the beat, valid with write_o.
    output logic [Width-1:0] data_o  // Element: data of the beat, valid with write_o.
);
  localparam int unsigned WaitBits = 16;

  logic busy_q, same_q, known_q, asked, taken, done, fail;
  logic [  BeatBits-1:0] beat_q;
  logic [LengthBits-1:0] room_q;
  logic [Width-1:0] mask, last_q;
  logic [WaitBits-1:0] wait_q;

  assign asked = scalar_ready_i || busy_q;
  assign ready_o = scalar_ready_i || (busy_q && write_ready_i);
  assign taken = valid_i && ready_o && !fail_i;
  assign scalar_valid_o = valid_i && scalar_ready_i && !fail_i;
  assign write_o = busy_q && !scalar_ready_i && valid_i && !fail_i;
  assign mask = (room_q >= LengthBits'(Width)) ? '1 : ~({Width{1'b1}} << room_q);
  assign data_o = (data_i & mask) | Width'(beat_q == '0);
  assign beat_o = beat_q;
  assign done = write_o && write_ready_i && beat_q == beats_i - 1'b1;
  assign fail = asked && (fail_i || wait_q == '1 ||
                            (valid_i && known_q && same_q && data_i == last_q));

  assign state_o.busy = busy_q;
  assign state_o.done = done;
  assign state_o.fail = fail;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      busy_q  <= 1'b0;
      beat_q  <= '0;
      room_q  <= '0;
      wait_q  <= '0;
      same_q  <= 1'b0;
      known_q <= 1'b0;
      last_q  <= '0;
    end else begin
      wait_q <= (asked && !taken) ? wait_q + 1'b1 : '0;
      if (taken) begin
        last_q  <= data_i;
        known_q <= 1'b1;
        same_q  <= known_q && data_i == last_q;
      end
      if (start_i) begin
        busy_q <= 1'b1;
        beat_q <= '0;
        room_q <= length_i - 1'b1;
      end else if (write_o && write_ready_i) begin
        beat_q <= beat_q + 1'b1;
        room_q <= (room_q >= LengthBits'(Width)) ? room_q - LengthBits'(Width) : '0;
        if (done) busy_q <= 1'b0;
      end
      if (fail) busy_q <= 1'b0;
    end
  end
endmodule
