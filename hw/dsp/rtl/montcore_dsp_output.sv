// SPDX-License-Identifier: Apache-2.0

/// Sends a result on the stream: pairs of 17-bit words become 32-bit words.
///
/// word w = bits 32 w .. 32 w + 31 of the result
/// Precondition: full_i stays high with the pairs in order until free_o.
/// Latency: the first word is valid two cycles after full_i.
/// Every pair leaves 2 bits more behind than the one before it: 16 pairs make 17 words.
/// Example: pair 0 = 0x3ffffffff, pair 1 = 0x1: words 0xffffffff, 0x7.
module montcore_dsp_output #(
    /// Bits of a word count.
    parameter int unsigned WordCountBits = 5
) (
    /// Clock, rising edge.
    input  logic                                              clk_i,
    /// Synchronous reset, active low.
    input  logic                                              rst_ni,
    /// Abandon the result.
    input  logic                                              clear_i,
    /// Words of a result.
    input  logic                          [WordCountBits-1:0] words_i,
    /// A result is complete.
    input  logic                                              full_i,
    /// Its next pair.
    input  logic                          [             33:0] pair_i,
    /// That pair is used up.
    output logic                                              step_o,
    /// The result is used up.
    output logic                                              free_o,
    /// Send an error instead.
    input  logic                                              error_valid_i,
    /// Which one.
    input  montcore_pkg::montcore_error_e                     error_i,
    /// The error is taken over.
    output logic                                              error_ready_o,
    /// Nothing waits to be taken.
    output logic                                              idle_o,
    /// Result stream: a beat is offered, until it is taken.
    output logic                                              z_valid_o,
    /// Result stream: the beat is taken at this edge if it is valid.
    input  logic                                              z_ready_i,
    /// Result stream: data.
    output logic                          [             31:0] z_data_o,
    /// Result stream: last beat.
    output logic                                              z_last_o,
    /// Result stream: the beat is an error.
    output logic                                              z_error_o
);
  logic [WordCountBits-1:0] index_q;
  logic [4:0] left_q;  // pairs of bits in rest_q
  logic [31:0] rest_q;
  logic [63:0] shifted;
  logic go, spare, last;

  assign shifted = {30'd0, pair_i} << {left_q, 1'b0};
  assign spare = left_q == 5'd16;  // a whole word is left
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
