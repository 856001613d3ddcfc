// SPDX-License-Identifier: Apache-2.0

/// Draws a number between 1 and n - 1 into memory: a nonce, or a key.
///
/// Words are written as they come from the source; a number that is zero or not below n is drawn
/// again, which tells nothing about the one that stays. Each of them is as likely as the others.
/// failed_o: the source said so, gave three equal words in a row or none for 2^16 cycles, or 64
/// numbers did not fit, which says that n is not of bits_i bits.
/// Precondition: bits_i >= 2 and slot_i are constant while busy_o is high.
/// Latency: two cycles a word, if words are there.
/// Example: n = 0x65 of 7 bits, words 0xff and 0x12: 0x7f does not fit, 0x12 is drawn.
module montcore_pka_draw
  import montcore_pka_pkg::*;
(
    /// Clock, rising edge.
    input  logic                  clk_i,
    /// Synchronous reset, active low.
    input  logic                  rst_ni,
    /// Forget everything.
    input  logic                  clear_i,
    /// Pulse: begin.
    input  logic                  start_i,
    /// Bits of n.
    input  logic [LengthBits-1:0] bits_i,
    /// It is under way.
    output logic                  busy_o,
    /// The last one failed.
    output logic                  failed_o,
    /// Word that is read of n, and written of the number.
    output logic [  WordBits-1:0] word_o,
    /// Word of n that was asked for in the last cycle.
    input  logic [          31:0] order_i,
    /// The number's word is written.
    output logic                  we_o,
    /// The word.
    output logic [          31:0] data_o,
    /// Source: a word is there.
    input  logic                  valid_i,
    /// Source: it is taken.
    output logic                  ready_o,
    /// Source: the word.
    input  logic [          31:0] random_i,
    /// Source: it is not to be used.
    input  logic                  fail_i
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

  // Its way for the scalar unit, which takes words as they come; its elements are not used.
  montcore_ecc_random #(
      .Width(32),
      .Beats(1)
  ) u_watch (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .clear_i       (clear_i),
      .valid_i       (valid_i),
      .ready_o       (ready_o),
      .data_i        (random_i),
      .fail_i        (fail_i),
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
