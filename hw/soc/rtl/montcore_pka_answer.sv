// SPDX-License-Identifier: Apache-2.0

/// Takes a unit's answer and gives its numbers as words of the memory.
///
/// Curves = 0: a number, or a beat with z_error_i that says why there is none. Curves = 1: a beat
/// with the status, then two numbers, which are words only if the status is 0.
/// Precondition: settings are constant while active_i is high; bits_i >= 1.
/// Latency: 1 cycle from the beat that completes a word to that word; done_o stays until active_i
/// is low.
/// Example, Curves = 1, Width = 32, 20 bits: beats 0, 5, 7 -> word 5 of number 0, word 7 of number 1.
module montcore_pka_answer
  import montcore_pka_pkg::*;
#(
    /// Bits of a beat.
    parameter int unsigned Width  = 34,
    /// The unit is the curve engine.
    parameter bit          Curves = 1'b0
) (
    /// Clock, rising edge.
    input  logic                  clk_i,
    /// An answer is to come; low: forget everything.
    input  logic                  active_i,
    /// Bits of a number.
    input  logic [LengthBits-1:0] bits_i,
    /// Answer: valid.
    input  logic                  z_valid_i,
    /// Answer: ready.
    output logic                  z_ready_o,
    /// Answer: data.
    input  logic [     Width-1:0] z_data_i,
    /// Answer: last beat.
    input  logic                  z_last_i,
    /// Answer: it is an error.
    input  logic                  z_error_i,
    /// A word is there; it is taken at once.
    output logic                  we_o,
    /// Which of the numbers.
    output logic                  second_o,
    /// Which of its words.
    output logic [  WordBits-1:0] word_o,
    /// The word.
    output logic [          31:0] data_o,
    /// All of it is there.
    output logic                  done_o,
    /// How it ended.
    output logic [           3:0] status_o
);
  logic head_q, drain_q, last_q, full_q, second_q, done_q, taken, stored, ends, beat, next;
  logic gear_ready, gear_valid;
  logic [3:0] status_q, status;
  logic [WordBits:0] word_q;
  logic [LengthBits-1:0] left_q;

  assign taken = z_valid_i && z_ready_o;
  assign status = (Curves || z_error_i) ? z_data_i[3:0] : '0;
  // The first beat is no number's if it says how it ended.
  assign beat = z_valid_i && !full_q && !drain_q && !done_q && !(head_q && (Curves || z_error_i));
  assign z_ready_o = active_i && !full_q && !done_q && (!beat || gear_ready);
  assign ends = 32'(left_q) <= Width;
  assign stored = 32'(word_q) * 32 >= 32'(bits_i);
  assign next = full_q && stored;

  montcore_soc_gear #(
      .In (Width),
      .Out(32)
  ) u_gear (
      .clk_i      (clk_i),
      .clear_i    (!active_i || next),
      .in_valid_i (active_i && beat),
      .in_ready_o (gear_ready),
      .in_data_i  (z_data_i),
      .flush_i    (full_q),
      .out_valid_o(gear_valid),
      .out_ready_i(we_o),
      .out_data_o (data_o)
  );

  always_ff @(posedge clk_i) begin
    if (!active_i) begin
      head_q   <= 1'b1;
      drain_q  <= 1'b0;
      last_q   <= 1'b0;
      full_q   <= 1'b0;
      second_q <= 1'b0;
      done_q   <= 1'b0;
      status_q <= '0;
      word_q   <= '0;
      left_q   <= bits_i;
    end else begin
      if (taken) begin
        head_q <= 1'b0;
        last_q <= z_last_i;
        if (head_q) begin
          status_q <= status;
          drain_q  <= status != '0;
        end
        if (z_last_i && !beat) done_q <= 1'b1;
        if (beat) begin
          left_q <= left_q - LengthBits'(Width);
          full_q <= ends;
        end
      end
      if (we_o) word_q <= word_q + 1;
      if (next) begin
        full_q   <= 1'b0;
        second_q <= 1'b1;
        done_q   <= last_q;
        word_q   <= '0;
        left_q   <= bits_i;
      end
    end
  end

  assign we_o = active_i && gear_valid && !stored;
  assign second_o = second_q;
  assign word_o = word_q[WordBits-1:0];
  assign done_o = done_q;
  assign status_o = status_q;
endmodule
