// SPDX-License-Identifier: Apache-2.0

/// Sends a result on the stream: converts pairs of 17-bit words to 32-bit words.
///
/// word w = bits 32 w .. 32 w + 31 of the result
/// Precondition: full_i stays high, with the pairs in order, until free_o.
/// Latency: the first word is valid two cycles after full_i.
/// Each pair leaves 2 bits more than the previous one: 16 pairs make 17 words.
/// Example: pair 0 = 0x3ffffffff, pair 1 = 0x1: words 0xffffffff, 0x7.
module montcore_dsp_output #(
    parameter int unsigned WordCountBits = 5  // Width of a word count in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; drops the result.
    input logic [WordCountBits-1:0] words_i,  // Words of a result, constant while it is sent.
    input logic full_i,  // High: a complete result is available.
    input logic [33:0] pair_i,  // Next pair of the result, low word first.
    output logic step_o,  // The pair is consumed in this cycle.
    output logic free_o,  // The result is consumed: its last word has been read.
    input logic error_valid_i,  // High: send an error instead of a result.
    input montcore_pkg::montcore_error_e error_i,  // Error code, valid with error_valid_i.
    output logic error_ready_o,  // High: the error is accepted in this cycle, if valid.
    output logic idle_o,  // High: no beat is pending on the stream.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [31:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o
);
  logic [WordCountBits-1:0] index_q;
  logic [4:0] left_q;  // pairs of bits in rest_q
  logic [31:0] rest_q;
  logic [63:0] shifted;
  logic go, spare, last;

  assign shifted = {30'd0, pair_i} << {left_q, 1'b0};
  assign spare = left_q == 5'd16;  // a complete word is left over
  assign last = index_q == words_i - 1;
  assign go = full_i && (!z_valid_o || z_ready_i);
  assign step_o = go && !spare;
  assign free_o = go && last;
  assign error_ready_o = !z_valid_o && !full_i;
  assign idle_o = !z_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      z_valid_o <= 1'b0;
      index_q   <= '0;
      left_q    <= '0;
    end else begin
      if (go) begin
        z_valid_o <= 1'b1;
        index_q   <= last ? '0 : index_q + 1;
        left_q    <= (last || spare) ? '0 : left_q + 1;
      end else if (error_valid_i && error_ready_o) begin
        z_valid_o <= 1'b1;
      end else if (z_ready_i) begin
        z_valid_o <= 1'b0;
      end
    end
    if (!rst_ni || clear_i) begin
      rest_q    <= '0;
      z_data_o  <= '0;
      z_last_o  <= 1'b0;
      z_error_o <= 1'b0;
    end else if (go) begin
      z_data_o  <= spare ? rest_q : rest_q | shifted[31:0];
      rest_q    <= (last || spare) ? '0 : shifted[63:32];
      z_last_o  <= last;
      z_error_o <= 1'b0;
    end else if (error_valid_i && error_ready_o) begin
      z_data_o  <= 32'(error_i);
      z_last_o  <= 1'b1;
      z_error_o <= 1'b1;
    end
  end
endmodule
