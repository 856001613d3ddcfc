// SPDX-License-Identifier: Apache-2.0

/// The exponentiator's output stage: a register for one beat of the result, or the error.
///
/// z = the beats with step_i in StOutput, without those above the modulus's; or one error beat
/// Precondition: no step_i in StOutput while wait_o.
/// Latency: 1 from a beat to z_valid_o.
/// Example: host_beats_i = 2, beats 0x8b, 0x01, 0x00: z = 0x8b, 0x01 with last.
module montcore_modexp_output
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned BeatBits = 5  // Width of a beat count in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic forget_i,  // Synchronous clear of everything, active high.
    input logic clear_i,  // High while data that depends on x or e is cleared.
    input state_e state_i,  // State of the sequencer.
    input logic step_i,  // A beat of the number in transfer moves.
    input logic [BeatBits-1:0] index_i,  // Index of the beat, valid with step_i.
    input logic [BeatBits-1:0] host_beats_i,  // Beats of the modulus at the port.
    input logic [Width-1:0] data_i,  // Data of the beat, valid with step_i.
    /// Error code of a refused request (montcore_error_e), sampled in StJudge.
    input logic [2:0] status_i,
    input logic mul_error_i,  // Pulse: the multiplier refused a product.
    output logic wait_o,  // High: the stage cannot accept a beat in this cycle.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [Width-1:0] z_data_o,  // Z stream: data, or the error code in bits 2:0.
    output logic z_last_o,  // Z stream: last beat; valid with z_valid_o.
    output logic z_error_o  // Z stream: the beat is an error code; valid with z_valid_o.
);
  logic [2:0] z_error_q;
  logic output_beat;

  assign output_beat = state_i == StOutput && step_i && index_i < host_beats_i;
  assign wait_o = z_valid_o && !z_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) z_error_q <= montcore_pkg::ErrNone;
    else if (mul_error_i) z_error_q <= montcore_pkg::ErrOperandRange;
    else if (state_i == StJudge) z_error_q <= status_i;
    else if (state_i == StWipe) z_error_q <= montcore_pkg::ErrNone;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      z_valid_o <= 1'b0;
      z_error_o <= 1'b0;
      z_last_o  <= 1'b0;
    end else if (state_i == StError) begin
      z_valid_o <= 1'b1;
      z_error_o <= 1'b1;
      z_last_o  <= 1'b1;
    end else if (output_beat) begin
      z_valid_o <= 1'b1;
      z_error_o <= 1'b0;
      z_last_o  <= index_i == host_beats_i - 1;
    end else if (z_ready_i) begin
      z_valid_o <= 1'b0;
    end
    if (forget_i || clear_i) z_data_o <= '0;
    else if (state_i == StError) z_data_o <= Width'(z_error_q);
    else if (output_beat) z_data_o <= data_i;
  end
endmodule
