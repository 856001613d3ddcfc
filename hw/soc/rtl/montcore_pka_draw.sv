// SPDX-License-Identifier: Apache-2.0

/// Draws a number between 1 and n - 1 into memory: a nonce, or a key.
///
/// Words are written as the source delivers them. A number that is zero or not below n is rejected
/// and drawn again; rejections are independent of the number kept, which is uniformly distributed.
/// failed_o: the source reported a failure, delivered three equal words in a row or none for 2^16
/// cycles, or 64 numbers were rejected, which shows that n is not of bits_i bits.
/// Precondition: bits_i >= 2 and slot_i are constant while busy_o is high.
/// Latency: two cycles per word, if the source delivers words in time.
/// Example: n = 0x65 of 7 bits, words 0xff and 0x12: 0x7f does not fit, 0x12 is drawn.
module montcore_pka_draw
  import montcore_pka_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic start_i,  // Pulse: start drawing a number.
    /// Bits of n and of the number, 2 or more; constant while busy_o is high.
    input logic [LengthBits-1:0] bits_i,
    output logic busy_o,  // High while a number is being drawn.
    output logic failed_o,  // High: the last draw failed; cleared by start_i.
    /// Index of the word read of n and written of the number, 0 lowest.
    output logic [WordBits-1:0] word_o,
    input logic [31:0] order_i,  // Word of n whose index was on word_o in the previous cycle.
    output logic we_o,  // Memory write of a word of the number, one cycle per word.
    output logic [31:0] data_o,  // Word of the number, valid with we_o.
    input logic valid_i,  // Random source: random_i is valid.
    output logic ready_o,  // Random source: the word is accepted in this cycle.
    input logic [31:0] random_i,  // Random source: random word, valid with valid_i.
    input logic fail_i  // Random source: failure; high: its words must not be used.
);
  import montcore_ecc_pkg::random_t;

  logic busy_q, failed_q, fresh_q, borrow_q, some_q;
  logic [WordBits-1:0] word_q;
  logic [LengthBits-1:0] left_q;
  logic [5:0] tries_q;
  logic [31:0] kept, drawn, order;
  logic below, last, valid, wanted, unused_write;
  logic [0:0] unused_beat;
  logic [31:0] unused_data;
  random_t watch;

  assign last   = left_q <= 14'd32;
  assign kept   = (left_q >= 14'd32) ? '1 : ~({32{1'b1}} << left_q[4:0]);
  assign drawn  = random_i & kept;
  assign order  = order_i & kept;
  assign below  = drawn < order || (borrow_q && drawn == order);
  assign wanted = busy_q && fresh_q;

  // Only the word output for the scalar unit is used, for its health checks; elements are not.
  montcore_ecc_random #(
      .Width(32),
      .Beats(1)
  ) u_watch (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o,
      .data_i        (random_i),
      .fail_i,
      .scalar_ready_i(wanted),
      .scalar_valid_o(valid),
      .start_i       (1'b0),
      .length_i      ('0),
      .beats_i       (1'b1),
      .state_o       (watch),
      .write_o       (unused_write),
      .write_ready_i (1'b0),
      .beat_o        (unused_beat),
      .data_o        (unused_data)
  );
  logic unused;
  assign unused = ^{unused_write, unused_beat, unused_data, watch.busy, watch.done};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      busy_q   <= 1'b0;
      failed_q <= 1'b0;
      fresh_q  <= 1'b0;
      borrow_q <= 1'b0;
      some_q   <= 1'b0;
      word_q   <= '0;
      left_q   <= '0;
      tries_q  <= '0;
    end else if (start_i) begin
      busy_q   <= 1'b1;
      failed_q <= 1'b0;
      fresh_q  <= 1'b0;
      borrow_q <= 1'b0;
      some_q   <= 1'b0;
      word_q   <= '0;
      left_q   <= bits_i;
      tries_q  <= '0;
    end else if (busy_q) begin
      fresh_q <= !we_o;
      if (we_o) begin
        word_q   <= word_q + 1;
        left_q   <= left_q - 14'd32;
        borrow_q <= below;
        some_q   <= some_q || drawn != '0;
        if (last) begin
          borrow_q <= 1'b0;
          some_q   <= 1'b0;
          word_q   <= '0;
          left_q   <= bits_i;
          tries_q  <= tries_q + 1;
          if (below && (some_q || drawn != '0)) busy_q <= 1'b0;
          else if (tries_q == '1) begin
            busy_q   <= 1'b0;
            failed_q <= 1'b1;
          end
        end
      end
      if (watch.fail) begin
        busy_q   <= 1'b0;
        failed_q <= 1'b1;
      end
    end
  end

  assign we_o = wanted && valid;
  assign data_o = drawn;
  assign word_o = word_q;
  assign busy_o = busy_q;
  assign failed_o = failed_q;
endmodule
