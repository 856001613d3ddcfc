// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_dsp_output` for one arbitrary result of Words words, and any
/// back-pressure.
///
/// a_word: word w is bits 32 w .. 32 w + 31 of the result, in order; a_last: the last one is marked.
/// a_stable: a beat that is not accepted stays unchanged.
/// a_error: an error is one beat with its error code.
/// a_state: the state left by the previous pairs, which makes the proof inductive.
module dsp_output_proof #(
    parameter int unsigned Words = 18  // Number of 32-bit words of the result.
) (
    input logic clk_i,
    input logic full_i,  // High: a result is complete, if none is being sent.
    input logic error_valid_i,  // High: an error is to be sent.
    input logic [2:0] error_i,  // Error code to send, any value.
    input logic z_ready_i
);
  localparam int unsigned Bits = 34 * Words + 64;

  logic started_q = 1'b0, full_q = 1'b0;
  logic [32*Words-1:0] result_q;  // any value, constant
  always_ff @(posedge clk_i) result_q <= result_q;
  logic [Bits-1:0] result;
  logic [5:0] pairs_q = '0, sent_q = '0;
  logic step, free, error_ready, idle, valid, last, error, error_valid;
  logic [31:0] data;
  logic [33:0] pair;
  // The beat on the stream: its index, or the error.
  logic [5:0] shown_q;
  logic [2:0] error_q;
  logic held_q = 1'b0;
  logic [33:0] beat_q;

  assign result      = Bits'(result_q);
  assign pair        = 34'(result >> (34 * 11'(pairs_q)));
  assign error_valid = error_valid_i && started_q;

  montcore_dsp_output #(
      .WordCountBits(5)
  ) u_dut (
      .clk_i,
      .rst_ni       (started_q),
      .clear_i      (1'b0),
      .words_i      (5'(Words)),
      .full_i       (full_q),
      .pair_i       (pair),
      .step_o       (step),
      .free_o       (free),
      .error_valid_i(error_valid),
      .error_i      (montcore_pkg::montcore_error_e'(error_i)),
      .error_ready_o(error_ready),
      .idle_o       (idle),
      .z_valid_o    (valid),
      .z_ready_i,
      .z_data_o     (data),
      .z_last_o     (last),
      .z_error_o    (error)
  );

  logic go;
  assign go = full_q && (!valid || z_ready_i);
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (started_q) begin
      if (!full_q) full_q <= full_i;
      else if (free) full_q <= 1'b0;
      if (free) pairs_q <= '0;
      else if (step) pairs_q <= pairs_q + 1;
      if (go) sent_q <= free ? '0 : sent_q + 1;
      if (go) shown_q <= sent_q;
      if (error_valid && error_ready) error_q <= error_i;
      held_q <= valid && !z_ready_i;
      beat_q <= {data, last, error};
    end
  end

  logic [5:0] left;
  logic [Bits-1:0] rest;
  assign left = (sent_q >= 17) ? sent_q - 6'd17 : sent_q;
  assign rest = (result >> (32 * 11'(sent_q))) & ~(~Bits'(0) << (2 * 7'(left) + 7'(`MUTANT)));

  always_comb begin
    if (started_q) begin
      a_count :
      assert (sent_q < 6'(Words) && 34 * 11'(pairs_q) == 32 * 11'(sent_q) + 2 * 11'(left));
      a_state : assert (u_dut.index_q == 5'(sent_q) && u_dut.left_q == 5'(left));
      a_rest : assert (u_dut.rest_q == 32'(rest));
      a_full : assert (full_q || sent_q == 0);
      a_idle : assert (idle == !valid);
      if (held_q) a_stable : assert (valid && {data, last, error} == beat_q);
      if (valid && !error) begin
        a_shown : assert (shown_q < 6'(Words));
        a_word : assert (data == 32'(result >> (32 * 11'(shown_q))));
        a_last : assert (last == (shown_q == 6'(Words - 1)));
      end
      if (valid && error) a_error : assert (last && data == 32'(error_q));
    end
  end
endmodule
