// SPDX-License-Identifier: Apache-2.0

/// Receives a unit's answer and unpacks its numbers into memory words.
///
/// Curves = 0: one number, or a beat with z_error_i whose data is the error code. Curves = 1: one
/// beat with the status, then two numbers; they give memory words only if the status is 0.
/// Precondition: settings are constant while active_i is high; bits_i >= 1.
/// Latency: 1 cycle from the beat that completes a word to that word; done_o stays high until
/// active_i falls.
/// Example, Curves = 1, Width = 32, 20 bits: beats 0, 5, 7 -> word 5 of number 0, word 7 of number 1.
module montcore_pka_answer
  import montcore_pka_pkg::*;
#(
    parameter int unsigned Width  = 34,   // Beat width of the unit in bits.
    /// 1: the unit is the curve engine; 0: exponentiator or multiplier.
    parameter bit          Curves = 1'b0
) (
    input logic clk_i,
    input logic active_i,  // High while an answer is expected; low: synchronous clear.
    /// Bits of each number of the answer, constant while active_i is high.
    input logic [LengthBits-1:0] bits_i,
    input logic z_valid_i,  // Answer stream: valid.
    output logic z_ready_o,  // Answer stream: ready; low unless active_i is high.
    input logic [Width-1:0] z_data_i,  // Answer stream: data, least significant beat first.
    input logic z_last_i,  // Answer stream: last beat.
    input logic z_error_i,  // Answer stream: the beat is an error code.
    output logic we_o,  // Memory write, one cycle per word; there is no back-pressure.
    output logic second_o,  // Number that the word belongs to: 0 first, 1 second; valid with we_o.
    /// Index of the word in its number, 0 lowest; valid with we_o.
    output logic [WordBits-1:0] word_o,
    output logic [31:0] data_o,  // Word to write, valid with we_o.
    output logic done_o,  // High once the answer is complete, until active_i falls.
    /// Status or error code of the answer, 0 for success; valid with done_o.
    output logic [3:0] status_o
);
  logic head_q, drain_q, last_q, full_q, second_q, done_q, taken, stored, ends, beat, next;
  logic gear_ready, gear_valid;
  logic [3:0] status_q, status;
  logic [WordBits:0] word_q;
  logic [LengthBits-1:0] left_q;

  assign taken = z_valid_i && z_ready_o;
  assign status = (Curves || z_error_i) ? z_data_i[3:0] : '0;
  // The first beat of an answer is not number data if it carries status or error code.
  assign beat = z_valid_i && !full_q && !drain_q && !done_q && !(head_q && (Curves || z_error_i));
  assign z_ready_o = active_i && !full_q && !done_q && (!beat || gear_ready);
  assign ends = 32'(left_q) <= Width;
  assign stored = 32'(word_q) * 32 >= 32'(bits_i);
  assign next = full_q && stored;

  montcore_soc_gear #(
      .In (Width),
      .Out(32)
  ) u_gear (
      .clk_i,
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
