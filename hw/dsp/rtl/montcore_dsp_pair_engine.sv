// SPDX-License-Identifier: Apache-2.0

/// Two engines of `montcore_dsp_engine` in one row: products modulo two numbers, 0 and 1.
///
/// Product k: z = a * b * 2^(-17 n) mod m_k, below 2 Mt if a and b are; below 2^35 m_k in any case.
/// With final_i: below 2 m_k, as `montcore_dsp_engine`. With square_i b must be a, below 2 Mt.
/// Products of 0 and 1 alternate in the row by half-iterations. Squares of both in lockstep take
/// three quarters of their half-iterations (`montcore_dsp_pair_turns`).
/// Precondition: as `montcore_dsp_engine`, with one n for both; the next operands of a product come
/// when it is idle, or with its result.
/// Latency: a product alone as in `montcore_dsp_engine`. Otherwise that depends on both starts
/// and kinds (`model/dsp_pair.py`), never on data.
/// Source: dsp48-2007, Algorithm 2. S stays below 2^(17 (n + 1)): if S <= 2^17 (2 A + M''), then
/// S / 2^17 + (2^17 - 1) (2 A + M'') is not more, and 2 A + M'' < 2^36 m < 2^(17 n).
/// Example, n = 63, half = 2: two squares, each of the previous ones, every 392 clk1x cycles, and two
/// other products, each with the previous ones, every 506.
module montcore_dsp_pair_engine #(
    parameter int unsigned Length = 512,
    parameter int unsigned Alpha = 17,  // Number of DSP blocks of the row.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Words of an operand at the built width.
    localparam int unsigned Digits = (Length + 36 + 16) / 17,
    /// Pairs of words of an operand at the built width.
    localparam int unsigned WordPairs = (Digits + 1) / 2,
    /// Pairs of words per block.
    localparam int unsigned Pairs = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha),
    localparam int unsigned DigitBits = $clog2(Digits + 2),
    localparam int unsigned PairBits = $clog2(WordPairs + 1),
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    /// Rows that a clear sweeps.
    localparam int unsigned SweepRows = (3 * Pairs > WordPairs) ? 3 * Pairs : WordPairs,
    localparam int unsigned SweepBits = $clog2(SweepRows + 1)
) (
    input logic clk_i,  // Clock of the adders (clk1x), or the only clock; rising edge.
    /// Clock enable of the logic at clk1x; all inputs below are sampled with it.
    input logic tick_i,
    input logic clk_fast_i,  // Clock of the DSP blocks (clk2x), or the only clock; rising edge.
    input logic phase_i,  // High in the second half of a clk1x cycle.
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; memories are cleared row by row.
    input logic forget_i,  // High: the moduli are cleared too; valid with clear_i.
    input logic [SweepBits-1:0] sweep_i,  // Memory row to clear, valid with clear_i.
    input logic [DigitBits-1:0] digits_i,  // Words n of both moduli.
    input logic [PairBits-1:0] pairs_i,  // Pairs of words of an operand, (n + 1) / 2.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1, r / 2 - 1.
    /// Of both: a pair of the modulus is valid; pairs_i of them set up a modulus.
    input logic [1:0] m_we_i,
    /// Of both: pair of the modulus, low word first; valid with m_we_i.
    input logic [1:0][33:0] m_data_i,
    /// Of both, pulse of one tick: the constants of the modulus are ready.
    output logic [1:0] setup_done_o,
    input logic [1:0] xy_we_i,  // Of both: a pair of both operands is valid.
    input logic [1:0][33:0] a_data_i,  // Of both: pair of a, low word first; valid with xy_we_i.
    input logic [1:0][33:0] b_data_i,  // Of both: pair of b, low word first; valid with xy_we_i.
    input logic [1:0] start_i,  // Of both, pulse of one tick, with the first pair: start a product.
    input logic [1:0] final_i,  // Of both: reduce the product; sampled with start_i.
    input logic [1:0] square_i,  // Of both: the product is a square; sampled with start_i.
    /// Of both: high during a set-up or product; result pairs may still be output afterwards.
    output logic [1:0] busy_o,
    output logic [1:0] z_valid_o,  // Of both: a pair of the result is valid.
    /// Of both: pair of the result, low word first; valid with z_valid_o.
    output logic [1:0][33:0] z_data_o
);
  localparam int unsigned AddrBits = $clog2(3 * Pairs);
  localparam int unsigned BlockBits = $clog2(Alpha + 1);

  logic [1:0] want, active, in_square, next_part, parts_left, grant, run, triangle, multiply_m;
  logic [1:0] stay, fresh, complete, result, keep, product_last, round, odd, above;
  logic [1:0] digit_valid, product_first, result_first, result_valid;
  logic [1:0][DigitBits-1:0] next_step;
  logic [1:0][Alpha-1:0] we;
  logic [1:0][AddrBits-1:0] waddr;
  logic [1:0][33:0] wdata, inverse, result_pair;
  logic [1:0][BlockBits-1:0] border;
  logic [1:0][SlotBits:0] word;
  logic [1:0][1:0] region;
  logic [1:0][16:0] operand;
  logic [16:0] digit;
  logic [SlotBits-1:0] slot;
  logic slot_last, slot_first, at_rest, digit_odd, shown, unused;
  assign unused = ^{active, in_square, above};  // those of 0

  assign slot_first = slot == '0;
  // When idle a half-iteration may start at once; from then on they follow each other in step.
  assign at_rest = busy_o == '0 && start_i == '0 && m_we_i == '0 && !clear_i;

  montcore_dsp_pair_turns #(
      .DigitBits(DigitBits),
      .SlotBits (SlotBits)
  ) u_turns (
      .clk_i,
      .tick_i,
      .rst_ni,
      .clear_i,
      .last_slot_i,
      .at_rest_i   (at_rest),
      .want_i      (want),
      .active_i    (active[1]),
      .in_square_i (in_square[1]),
      .next_part_i (next_part),
      .parts_left_i(parts_left),
      .next_step_i (next_step),
      .grant_o     (grant),
      .slot_o      (slot),
      .slot_last_o (slot_last)
  );

  for (genvar k = 0; k < 2; k++) begin : g_side
    montcore_dsp_pair_side #(
        .Second   (k == 1),
        .Alpha    (Alpha),
        .Pairs    (Pairs),
        .WordPairs(WordPairs),
        .DigitBits(DigitBits),
        .SweepBits(SweepBits)
    ) u_side (
        .clk_i,
        .tick_i,
        .rst_ni,
        .clear_i,
        .forget_i,
        .sweep_i,
        .digits_i,
        .pairs_i,
        .last_slot_i,
        .m_we_i         (m_we_i[k]),
        .m_data_i       (m_data_i[k]),
        .setup_done_o   (setup_done_o[k]),
        .xy_we_i        (xy_we_i[k]),
        .a_data_i       (a_data_i[k]),
        .b_data_i       (b_data_i[k]),
        .start_i        (start_i[k]),
        .final_i        (final_i[k]),
        .square_i       (square_i[k]),
        .busy_o         (busy_o[k]),
        .z_valid_o      (z_valid_o[k]),
        .z_data_o       (z_data_o[k]),
        .slot_last_i    (slot_last),
        .slot_first_i   (slot_first),
        .grant_i        (grant[k]),
        .want_o         (want[k]),
        .active_o       (active[k]),
        .in_square_o    (in_square[k]),
        .next_part_o    (next_part[k]),
        .parts_left_o   (parts_left[k]),
        .next_step_o    (next_step[k]),
        .we_o           (we[k]),
        .waddr_o        (waddr[k]),
        .wdata_o        (wdata[k]),
        .run_o          (run[k]),
        .triangle_o     (triangle[k]),
        .multiply_m_o   (multiply_m[k]),
        .border_o       (border[k]),
        .word_o         (word[k]),
        .region_o       (region[k]),
        .stay_o         (stay[k]),
        .fresh_o        (fresh[k]),
        .complete_o     (complete[k]),
        .result_o       (result[k]),
        .keep_o         (keep[k]),
        .product_last_o (product_last[k]),
        .round_o        (round[k]),
        .odd_o          (odd[k]),
        .operand_o      (operand[k]),
        .above_o        (above[k]),
        .inverse_o      (inverse[k]),
        .digit_valid_i  (digit_valid[k]),
        .digit_i        (digit),
        .digit_odd_i    (digit_odd),
        .product_first_i(product_first[k]),
        .result_first_i (result_first[k]),
        .result_valid_i (result_valid[k]),
        .result_i       (result_pair[k])
    );
  end

  // A half-iteration of both has the flags of 1, and the borders of both are the same.
  assign shown = run[1];
  montcore_dsp_pair_row #(
      .Alpha(Alpha),
      .Pairs(Pairs),
      .Tech (Tech)
  ) u_row (
      .clk_i,
      .tick_i,
      .clk_fast_i,
      .phase_i,
      .rst_ni,
      .clear_i,
      .last_slot_i,
      .we_i           (we),
      .waddr_i        (waddr),
      .wdata_i        (wdata),
      .wzero_i        (clear_i),
      .fetch_slot_i   (slot),
      .run_i          (run),
      .triangle_i     (triangle[shown]),
      .multiply_m_i   (multiply_m[shown]),
      .border_i       (border[shown]),
      .word_i         (word[shown]),
      .region_i       (region[shown]),
      .stay_i         (stay[shown]),
      .fresh_i        (fresh[shown]),
      .complete_i     (complete[shown]),
      .result_i       (result[shown]),
      .keep_i         (keep[shown]),
      .product_last_i (product_last[shown]),
      .round_i        (round[shown]),
      .odd_i          (odd[shown]),
      .operand_i      (operand),
      .above_i        (above[1]),
      .inverse_i      (inverse),
      .digit_valid_o  (digit_valid),
      .digit_o        (digit),
      .odd_o          (digit_odd),
      .product_first_o(product_first),
      .result_first_o (result_first),
      .result_valid_o (result_valid),
      .result_o       (result_pair)
  );
endmodule
