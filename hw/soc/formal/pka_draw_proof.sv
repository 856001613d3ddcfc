// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_pka_draw`, for a source that gives words and fails at any time.
///
/// a_once: a word that the source gives is written exactly once, in the cycle of its transfer, and
/// nothing else is written.
/// a_word: what is written is that word, without the bits above the number's.
/// a_order: the words of a number are written in order.
module pka_draw_proof
  import montcore_pka_pkg::*;
(
    input logic clk_i,
    input logic clear_i,  // Clear: the number is dropped.
    input logic start_i,  // Pulse: start drawing.
    input logic [6:0] bits_i,  // Bits of the number, sampled with start_i.
    input logic [31:0] order_i,  // Word of the order.
    input logic valid_i,  // Source: a word is available.
    input logic [31:0] random_i,  // Source: the word.
    input logic fail_i  // Source: failure.
);
  logic reset_q = 1'b1;
  logic busy, we, ready, count_q, last;
  logic [6:0] bits, bits_q;
  logic [5:0] kept;
  logic [31:0] data;
  logic [WordBits-1:0] word;

  assign bits = start_i ? bits_i : bits_q;
  always_comb begin
    m_start : assume (!start_i || !(busy || reset_q));
    m_bits : assume (bits_i >= 7'd2 && bits_i <= 7'd64);
  end

  montcore_pka_draw u_dut (
      .rst_ni  (!reset_q),
      .bits_i  (LengthBits'(bits)),
      .busy_o  (busy),
      .failed_o(),
      .word_o  (word),
      .we_o    (we),
      .data_o  (data),
      // Mutant: words are taken that the source has not given.
      .valid_i (valid_i || `MUTANT),
      .ready_o (ready),
      .*
  );

  // ---- reference: the word of the number -------------------------------------------------------
  assign last = count_q || bits_q <= 7'd32;
  assign kept = last ? 6'(bits_q - (count_q ? 7'd32 : 7'd0)) : 6'd32;
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b0;
    bits_q  <= bits;
    if (start_i) count_q <= 1'b0;
    else if (we) count_q <= !last;
  end

  always_comb begin
    if (!reset_q) begin
      a_once : assert (we == (valid_i && ready && !fail_i));
      a_word : assert (!we || data == (random_i & ~({32{1'b1}} << kept)));
      a_order : assert (!we || word == WordBits'(count_q));
    end
  end
endmodule
