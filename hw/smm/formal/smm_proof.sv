// SPDX-License-Identifier: Apache-2.0

/// Properties of the streams of `smm`, for any traffic that follows the handshake rules.
///
/// a_z_stable: a result beat that is not accepted stays unchanged, last and error flags included
/// (and its data too if the proof keeps the data path, Data = 1).
/// a_count: answers never outnumber pairs of operand packets; a_quiet: when busy_o is low, every pair
/// received has been answered, no beat is pending at z, and no set-up is in progress.
/// a_single_error: an error answer is one beat.
/// a_cfg_done: one pulse for each modulus, and none without one; a_cfg_held: cfg_error_o is stable
/// between configurations.
/// a_cfg_ready: a modulus is accepted only while no product is in flight.
/// a_no_result: without a valid modulus every answer is an error.
/// a_joint: X and Y advance together, except in packets that are drained.
module smm_proof #(
    parameter int unsigned Length = 8,
    parameter int unsigned WordBits = 4,
    parameter int unsigned NumPe = 1,  // Number of processing elements.
    parameter bit Data = 1'b0,  // 1: state the stability of the result data too.
    parameter bit Zeroize = 1'b0,  // 1: zeroize may come at any time; 0: never.
    /// 1: a modulus of any length is loaded from the start on (montcore_config's outputs are free),
    /// so that a bounded proof reaches several products.
    parameter bit Loaded = 1'b0
) (
    input logic clk_i,
    input logic zeroize_i,  // Zeroize pulse, if Zeroize = 1.
    input logic cfg_valid_i,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    input logic x_valid_i,
    input logic [WordBits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    input logic [WordBits-1:0] y_data_i,
    input logic y_last_i,
    input logic z_ready_i
);
  logic started_q = 1'b0;
  logic busy, cfg_ready, cfg_done, x_ready, y_ready, z_valid, z_last, z_error, start, done;
  logic [2:0] cfg_error;
  logic [WordBits-1:0] z_data;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  montcore_smm #(
      .Length  (Length),
      .WordBits(WordBits),
      .NumPe   (NumPe)
  ) u_dut (
      .rst_ni      (started_q),
      .busy_o      (busy),
      .cfg_ready_o (cfg_ready),
      .cfg_done_o  (cfg_done),
      .cfg_error_o (cfg_error),
      .x_ready_o   (x_ready),
      .y_ready_o   (y_ready),
      .z_valid_o   (z_valid),
      .z_data_o    (z_data),
      .z_last_o    (z_last),
      .z_error_o   (z_error),
      .core_start_o(start),
      .core_done_o (done),
      .*
  );

  // Operand packets received and answers sent, modulo 8: two banks, a product in flight and one in
  // F fit.
  logic x_end, y_end, z_end, cfg_end;
  logic [2:0] x_count_q, y_count_q, z_count_q, pairs, waiting;
  logic cfg_open_q, modulus_q, z_middle_q, live_q;
  assign x_end   = x_valid_i && x_ready && x_last_i;
  assign y_end   = y_valid_i && y_ready && y_last_i;
  assign z_end   = z_valid && z_ready_i && z_last;
  assign cfg_end = cfg_valid_i && cfg_ready && cfg_last_i;
  // The slower of the two operand streams completes the pair; they are at most one packet apart.
  assign pairs   = (x_count_q - y_count_q == 3'd1) ? y_count_q : x_count_q;
  assign waiting = pairs - z_count_q;

  logic z_waits_q, z_last_q, z_error_q;
  logic [WordBits-1:0] z_data_q;
  logic [2:0] cfg_error_q;

  always_ff @(posedge clk_i) begin
    z_waits_q   <= z_valid && !z_ready_i;
    z_last_q    <= z_last;
    z_error_q   <= z_error;
    z_data_q    <= z_data;
    cfg_error_q <= cfg_error;
    live_q      <= started_q && !u_dut.clear;
    if (!started_q || u_dut.clear || zeroize_i) begin
      x_count_q  <= '0;
      y_count_q  <= '0;
      z_count_q  <= '0;
      cfg_open_q <= 1'b0;
      modulus_q  <= 1'b0;
      z_middle_q <= 1'b0;
      z_waits_q  <= 1'b0;
    end else begin
      if (x_end) x_count_q <= x_count_q + 1;
      if (y_end) y_count_q <= y_count_q + 1;
      if (z_end) z_count_q <= z_count_q + 1;
      if (z_valid && z_ready_i) z_middle_q <= !z_last;
      if (cfg_end) cfg_open_q <= 1'b1;
      else if (cfg_done) cfg_open_q <= 1'b0;
      if (cfg_valid_i && cfg_ready) modulus_q <= 1'b0;
      else if (cfg_done) modulus_q <= cfg_error == 0;
    end
  end

  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  logic [$clog2(Words+1)-1:0] words_q;
  always_ff @(posedge clk_i) words_q <= u_dut.words;
  always_comb begin
    if (Loaded) begin
      m_loaded : assume (u_dut.loaded && !cfg_valid_i);
      m_words : assume (u_dut.words != 0 && 32'(u_dut.words) <= Words);
      m_rows : assume (32'(u_dut.rows) == (32'(u_dut.words) + NumPe - 1) / NumPe);
      if (started_q) m_words_stay : assume (u_dut.words == words_q);
    end
  end

  always_comb begin
    if (!Zeroize || !started_q) m_zeroize : assume (!zeroize_i);
    if (started_q && !u_dut.clear) begin
      if (z_waits_q) begin
        a_z_stable :
        assert (z_valid && z_last == z_last_q && z_error == z_error_q &&
                (z_ready_i || `MUTANT != 1));
        if (Data) a_z_data : assert (z_data == z_data_q);
      end
      a_pair :
      assert (x_count_q == y_count_q || x_count_q - y_count_q == 3'd1 ||
                       y_count_q - x_count_q == 3'd1);
      // Two banks, and two products in flight that have released theirs.
      a_count : assert (waiting <= 4);
      if (z_valid) a_answer : assert (waiting != 0);
      if (!busy) begin
        a_quiet :
        assert (waiting == 0 && x_count_q == y_count_q && !z_valid && !z_middle_q &&
                          (!cfg_open_q || cfg_done));
      end
      if (z_valid && z_error) a_single_error : assert (z_last && !z_middle_q);
      if (cfg_done) a_cfg_done : assert (cfg_open_q);
      if (!cfg_done && live_q) a_cfg_held : assert (cfg_error == cfg_error_q);
      if (cfg_ready) a_cfg_ready : assert (waiting == 0 && !z_valid && (!cfg_open_q || cfg_done));
      if (z_valid && !modulus_q && !Loaded) a_no_result : assert (z_error);
      if (start) a_start : assert ((modulus_q || Loaded) && busy);
      // Holds without effect; the task `alive_data` shows that two products can end.
      a_never : assert (`MUTANT != 2 || !(z_end && !z_error && z_count_q == 3'd1));
      if (done) a_done : assert (z_valid);
      if (x_ready != y_ready) a_joint : assert (u_dut.u_front.u_loader.draining_q);
    end
  end
endmodule
