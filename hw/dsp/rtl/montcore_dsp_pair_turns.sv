// SPDX-License-Identifier: Apache-2.0

/// Grants the half-iterations of a row to two operations, 0 and 1.
///
/// If both have one to issue, they take turns. Two squares run in lockstep: part i of the upper
/// triangle, of 0, and part i - r - 1 of the lower one, of 1, are in different blocks of the row, so
/// that one half-iteration is both. For that, 0 waits with part r + 1 for a square of 1 that is
/// soon to start: while 1 is in another square, and for Wait half-iterations after any
/// operation of 1. A square of 1 starts with part r + 1 of 0, if 0 is not yet past it.
/// Precondition: want_i of an operation in progress is high. Squares only with last_slot_i > 0.
/// Latency: a grant is for the next half-iteration; it counts with slot_last_o.
/// Example, last_slot_i = 1, both at rest, two squares launched: 8 grants to 0, for its
/// iterations 0 to 4, then one to both. From iteration 2 of 1 on, of each three one is to 0, one to
/// 1, one to both.
module montcore_dsp_pair_turns #(
    parameter int unsigned DigitBits = 6,  // Width of a word count in bits.
    parameter int unsigned SlotBits = 1,  // Width of a pair index in a block in bits.
    /// Half-iterations for which operation 0 waits for the next one of 1.
    parameter int unsigned Wait = 8
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic rst_ni,
    input logic clear_i,
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic at_rest_i,  // High: the row is idle, the next half-iteration may start in any tick.
    input logic [1:0] want_i,  // Of both: there is a half-iteration to issue.
    input logic active_i,  // High: operation 1 is in progress.
    input logic in_square_i,  // High: operation 1 is a square.
    input logic [1:0] next_part_i,  // Of both: the next half-iteration is a part of a triangle.
    input logic [1:0] parts_left_i,  // Of both: the square has a part of its triangle to issue.
    /// Of both: iteration of the next half-iteration with A.
    input logic [1:0][DigitBits-1:0] next_step_i,
    output logic [1:0] grant_o,  // Of both: the next half-iteration is granted.
    output logic [SlotBits-1:0] slot_o,  // Index of the pair in the half-iteration.
    output logic slot_last_o  // High: the pair is the last of the half-iteration.
);
  localparam int unsigned WaitBits = $clog2(Wait + 2);

  logic [ SlotBits-1:0] slot_q;
  logic [ WaitBits-1:0] idle_q;
  logic [DigitBits+1:0] lead_step;
  logic turn_q, in_step, at_start, together, soon, behind, expected, early;
  logic [1:0] hold, ready;

  assign slot_o = slot_q;
  assign slot_last_o = slot_q >= last_slot_i;

  // r + 1 iterations ahead of the next part of operation 1.
  assign lead_step = (DigitBits + 2)'(next_step_i[1]) + (DigitBits + 2)'({last_slot_i, 1'b1}) + 2;
  assign in_step = (DigitBits + 2)'(next_step_i[0]) == lead_step;
  assign at_start = next_step_i[0] == DigitBits'({last_slot_i, 1'b1}) + DigitBits'(2'd2);
  assign together = want_i == '1 && next_part_i == '1 && in_step;
  assign soon = !active_i && idle_q <= WaitBits'(Wait);
  // 0 waits for a square of 1 that is to start, and in lockstep for the half-iteration with M'' of 1.
  assign behind = active_i && in_square_i && !in_step;
  assign expected = soon && !want_i[1];
  assign hold[0] = next_part_i[0] &&
                   ((at_start && (behind || expected)) ||
                    (in_step && parts_left_i[1] && want_i[1] && !next_part_i[1]));
  // 1 waits in lockstep for 0, and to start until 0 is that far ahead.
  assign early = next_step_i[1] == '0 && (DigitBits + 2)'(next_step_i[0]) < lead_step;
  assign hold[1] = next_part_i[1] && parts_left_i[0] && (in_step || early);
  assign ready = want_i & ~hold;
  always_comb begin
    grant_o = ready;
    if (ready == '1) grant_o = turn_q ? 2'b10 : 2'b01;
    if (together) grant_o = 2'b11;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_q <= '0;
    else if (tick_i) slot_q <= at_rest_i ? last_slot_i : slot_last_o ? '0 : slot_q + 1;
    if (!rst_ni || clear_i) begin
      turn_q <= 1'b0;
      idle_q <= '1;
    end else if (tick_i && slot_last_o) begin
      if (grant_o == 2'b01) turn_q <= 1'b1;
      if (grant_o == 2'b10) turn_q <= 1'b0;
      if (grant_o[1]) idle_q <= '0;
      else if (idle_q != '1) idle_q <= idle_q + 1;
    end
  end
endmodule
