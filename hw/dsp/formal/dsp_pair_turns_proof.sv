// SPDX-License-Identifier: Apache-2.0

/// The half-iterations of `montcore_dsp_pair_turns` and two `montcore_dsp_pair_sequencer` at n = 7 and r = 4, for
/// operations of all kinds, squares or not, that come at any time.
/// a_both: a half-iteration of both is a part of either triangle, r + 1 iterations apart, with one border.
/// a_border: it leaves a block to the lower triangle, and the upper one begins in the row.
/// a_live: an operation is never without a half-iteration for Limit half-iterations.
module dsp_pair_turns_proof (
    input logic clk_i,
    input logic [1:0] come_i,  // Of both: an operation comes, if none is waiting.
    input logic [1:0][1:0] op_i,  // Of both: its kind, `montcore_dsp_pkg::Op...`.
    input logic [1:0] square_i  // Of both: it is a square.
);
  localparam int unsigned Digits = 7;
  localparam int unsigned Alpha = 2;
  localparam int unsigned DigitBits = $clog2(Digits + 2);
  localparam int unsigned BlockBits = $clog2(Alpha + 1);
  localparam int unsigned Parts = 4;  // r
  localparam int unsigned Apart = `MUTANT ? Parts : Parts + 1;
  // The other one's whole operation, with a turn of this one for each of its half-iterations.
  localparam int unsigned Limit = 2 * (2 * Digits + 4) + 16;

  logic started_q = 1'b0;
  logic [1:0] launch_q = '0, square_q = '0;
  logic [1:0][1:0] op_q = '0;
  logic [1:0][5:0] waited_q = '0;
  logic [1:0]
      want, active, in_square, next_part, parts_left, begins, run, multiply_m, triangle, grant;
  logic [1:0] unused_shift, unused_complete, unused_last;
  logic [1:0][1:0] unused_op;
  logic [1:0][DigitBits-1:0] next_step, iteration;
  logic [1:0][BlockBits-1:0] border;
  logic [1:0][1:0] word;
  logic unused_slot, slot_last;

  montcore_dsp_pair_turns #(
      .DigitBits(DigitBits),
      .SlotBits (1)
  ) u_turns (
      .clk_i,
      .tick_i      (1'b1),
      .rst_ni      (started_q),
      .clear_i     (1'b0),
      .last_slot_i (1'b1),
      .at_rest_i   (1'b0),
      .want_i      (want),
      .active_i    (active[1]),
      .in_square_i (in_square[1]),
      .next_part_i (next_part),
      .parts_left_i(parts_left),
      .next_step_i (next_step),
      .grant_o     (grant),
      .slot_o      (unused_slot),
      .slot_last_o (slot_last)
  );
  for (genvar k = 0; k < 2; k++) begin : g_side
    montcore_dsp_pair_sequencer #(
        .Second   (k == 1),
        .DigitBits(DigitBits),
        .SlotBits (1),
        .BlockBits(BlockBits)
    ) u_sequencer (
        .clk_i,
        .tick_i      (1'b1),
        .rst_ni      (started_q),
        .clear_i     (1'b0),
        .digits_i    (DigitBits'(Digits)),
        .last_slot_i (1'b1),
        .slot_last_i (slot_last),
        .launch_i    (launch_q[k]),
        .op_i        (op_q[k]),
        .square_i    (square_q[k]),
        .grant_i     (grant[k]),
        .want_o      (want[k]),
        .active_o    (active[k]),
        .in_square_o (in_square[k]),
        .next_part_o (next_part[k]),
        .parts_left_o(parts_left[k]),
        .next_step_o (next_step[k]),
        .begin_o     (begins[k]),
        .run_o       (run[k]),
        .op_o        (unused_op[k]),
        .iteration_o (iteration[k]),
        .multiply_m_o(multiply_m[k]),
        .shift_o     (unused_shift[k]),
        .complete_o  (unused_complete[k]),
        .last_half_o (unused_last[k]),
        .triangle_o  (triangle[k]),
        .block_o     (border[k]),
        .word_o      (word[k])
    );
    always_ff @(posedge clk_i) begin
      if (!launch_q[k] && come_i[k] && started_q) begin
        launch_q[k] <= 1'b1;
        op_q[k]     <= op_i[k];
        square_q[k] <= square_i[k];
      end else if (begins[k]) begin
        launch_q[k] <= 1'b0;
      end
      if (!started_q || !want[k] || grant[k]) waited_q[k] <= '0;
      else if (slot_last) waited_q[k] <= waited_q[k] + 1;
    end
    always_comb begin
      if (started_q) begin
        a_live : assert (waited_q[k] < 6'(Limit));
        if (run[k] && triangle[k] && !multiply_m[k] && k == 1) begin
          a_border : assert (border[k] != '0 && border[k] <= BlockBits'(Alpha));
        end
      end
    end
  end
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb begin
    if (started_q && run == '1) begin
      a_both :
      assert (triangle == '1 && multiply_m == '0 && border[0] == border[1] && word[0] == word[1] &&
              iteration[0] == iteration[1] + DigitBits'(Apart));
    end
  end
endmodule
