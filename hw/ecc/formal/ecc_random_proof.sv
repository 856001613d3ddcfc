// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_ecc_random`, for a source that gives words and fails at any time, and a
/// scalar unit and an element that accept them at any time.
///
/// a_once: a word that the source gives is used exactly once, in the cycle of its transfer, and
/// nothing else is used.
/// a_word: a beat of an element is that word, without the bits from length - 1 on; the first is odd.
/// a_order: the beats of an element are written in order, each once.
/// a_whole: an element is done with its last beat.
module ecc_random_proof
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Width = 3,  // Beat width in bits.
    parameter int unsigned Beats = 3   // Beats of an element.
) (
    input logic clk_i,
    input logic clear_i,  // Clear: the element is dropped.
    input logic valid_i,  // Source: a word is available.
    input logic [Width-1:0] data_i,  // Source: the word.
    input logic fail_i,  // Source: failure.
    input logic scalar_ready_i,  // Scalar unit: ready for a word.
    input logic start_i,  // Pulse: draw an element.
    input logic [3:0] length_i,  // Length in bits, sampled with start_i.
    input logic write_ready_i  // Element: the beat is accepted.
);
  logic reset_q = 1'b1;
  random_t state;
  logic ready, given, write, put, used, taken;
  logic [1:0] beat, beats;
  logic [3:0] length, length_q;
  logic [Width-1:0] data, wanted;

  assign length = start_i ? length_i : length_q;
  assign beats  = 2'((32'(length) + Width - 1) / Width);
  always_comb begin
    m_start : assume (!start_i || !(state.busy || reset_q));
    m_length : assume (length_i >= 4'd2 && 32'(length_i) <= Beats * Width);
  end

  montcore_ecc_random #(
      .Width(Width),
      .Beats(Beats)
  ) u_dut (
      .rst_ni        (!reset_q),
      // Mutants: a word is used that the source has not given; the mask does not advance.
      .valid_i       (valid_i || `MUTANT == 1),
      .ready_o       (ready),
      .scalar_valid_o(given),
      .length_i      (`MUTANT == 2 ? LengthBits'(Beats * Width) : LengthBits'(length)),
      .beats_i       (beats),
      .state_o       (state),
      .write_o       (write),
      .beat_o        (beat),
      .data_o        (data),
      .*
  );

  // ---- reference -------------------------------------------------------------------------------
  logic [1:0] count_q;
  assign put   = write && write_ready_i;
  assign used  = put || given;
  assign taken = valid_i && ready && !fail_i;
  always_comb begin
    for (int unsigned k = 0; k < Width; k++) begin
      wanted[k] = data_i[k] && 32'(count_q) * Width + k < 32'(length_q) - 1;
    end
    if (count_q == '0) wanted[0] = 1'b1;
  end
  always_ff @(posedge clk_i) begin
    reset_q  <= 1'b0;
    length_q <= length;
    if (start_i) count_q <= '0;
    else if (put) count_q <= count_q + 1'b1;
  end

  always_comb begin
    if (!reset_q) begin
      a_once : assert (used == taken && !(put && given));
      a_word : assert (!put || data == wanted);
      a_order : assert (!put || (state.busy && beat == count_q));
      a_whole : assert (state.done == (put && count_q == beats - 1'b1));
    end
  end
endmodule
