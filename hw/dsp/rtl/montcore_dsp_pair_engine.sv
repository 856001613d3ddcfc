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
/// and kinds (tests/support/dsp_pair_model.py), never on data.
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
    // One of the two operations: all of it but the row. Its half-iterations are issued when they are
    // granted. For a square the row receives 2 A in place of A.
    import montcore_dsp_pkg::*;

    logic [1:0] op, op_next;
    logic launch, begins, shift, side_complete, last_half, square, square_q, ends, beyond;
    logic [DigitBits-1:0] iteration;

    // A part of a triangle needs half-iterations of two pairs.
    assign square = start_i[k] ? square_i[k] && last_slot_i != '0 : square_q;
    montcore_dsp_pair_sequencer #(
        .Second   (k == 1),
        .DigitBits(DigitBits),
        .SlotBits (SlotBits),
        .BlockBits(BlockBits)
    ) u_sequencer (
        .clk_i,
        .tick_i,
        .rst_ni,
        .clear_i,
        .digits_i,
        .last_slot_i,
        .slot_last_i (slot_last),
        .launch_i    (launch),
        .op_i        (op_next),
        .square_i    (square),
        .grant_i     (grant[k]),
        .want_o      (want[k]),
        .active_o    (active[k]),
        .in_square_o (in_square[k]),
        .next_part_o (next_part[k]),
        .parts_left_o(parts_left[k]),
        .next_step_o (next_step[k]),
        .begin_o     (begins),
        .run_o       (run[k]),
        .op_o        (op),
        .iteration_o (iteration),
        .multiply_m_o(multiply_m[k]),
        .shift_o     (shift),
        .complete_o  (side_complete),
        .last_half_o (last_half),
        .triangle_o  (triangle[k]),
        .block_o     (border[k]),
        .word_o      (word[k])
    );
    assign ends   = run[k] && last_half && slot_first;
    assign beyond = iteration >= digits_i;

    // The next operands come with the result, so that ready_o is not needed.
    logic load, zero, setup, send, reduced, final_product, inverse_done, side_we, we_last;
    logic unused_ready, control_busy, z_last;
    montcore_dsp_control #(
        .DigitBits(DigitBits),
        .SlotBits (SlotBits)
    ) u_control (
        .clk_i,
        .tick_i,
        .rst_ni,
        .clear_i,
        .last_slot_i,
        .m_we_i        (m_we_i[k]),
        .start_i       (start_i[k]),
        .final_i       (final_i[k]),
        .z_free_i      (1'b1),
        .we_i          (side_we),
        .we_last_i     (we_last),
        .inverse_done_i(inverse_done),
        .begin_i       (begins),
        .run_i         (run[k]),
        .op_i          (op),
        .iteration_i   (iteration),
        .beyond_i      (beyond),
        .slot_i        ('0),
        .ends_i        (ends),
        .launch_o      (launch),
        .op_o          (op_next),
        .load_o        (load),
        .zero_o        (zero),
        .setup_o       (setup),
        .setup_done_o  (setup_done_o[k]),
        .final_o       (final_product),
        .send_o        (send),
        .reduced_o     (reduced),
        .ready_o       (unused_ready),
        .busy_o        (control_busy)
    );

    // ---- operands ----------------------------------------------------------------------------------
    logic [33:0] m_low_q;
    logic [16:0] even_digit, odd_digit;
    logic inverse_start, none_yet, top_q, pairs_done, row_end;
    montcore_dsp_operand #(
        .WordPairs(WordPairs),
        .DigitBits(DigitBits),
        .SweepBits(SweepBits)
    ) u_operand (
        .clk_i,
        .tick_i,
        .rst_ni,
        .clear_i,
        .sweep_i,
        .odd_digits_i   (digits_i[0]),
        .pairs_i,
        .b_we_i         (xy_we_i[k]),
        .b_data_i       (b_data_i[k]),
        .run_i          (run[k]),
        .op_i           (op),
        .iteration_i    (iteration),
        .beyond_i       (beyond),
        .multiply_m_i   (multiply_m[k]),
        .product_first_i(product_first[k]),
        .digit_valid_i  (digit_valid[k]),
        .digit_odd_i    (digit_odd),
        .digit_i        (digit),
        .even_digit_i   (even_digit),
        .odd_digit_i    (odd_digit),
        .inverse_i      (inverse[k]),
        .operand_o      (operand[k])
    );
    montcore_dsp_inverse u_inverse (
        .clk_i,
        .tick_i,
        .rst_ni,
        .clear_i  (clear_i && forget_i),
        .start_i  (inverse_start),
        .m_i      (m_low_q),
        .done_o   (inverse_done),
        .inverse_o(inverse[k])
    );
    assign inverse_start = load && (m_we_i[k] || pairs_done) && row_end;

    always_ff @(posedge clk_i) begin
      if (clear_i && forget_i) m_low_q <= '0;
      else if (tick_i && m_we_i[k] && none_yet) m_low_q <= m_data_i[k];
      // The word of A that the last part had as its operand.
      if (clear_i) top_q <= 1'b0;
      else if (tick_i && run[k] && slot_last && !multiply_m[k]) top_q <= operand[k][16];
    end
    assign above[k] = top_q && iteration != '0;

    // ---- operand memories: one writer at a time ---------------------------------------------------
    logic fill, all_rows, z_valid, doubled, square_write_q, high_q;
    logic [1:0] wregion;
    logic [33:0] side_wdata, z_data;
    logic [SweepBits-1:0] sweep;

    // 2 A: the bit of the pair below comes in.
    assign doubled = start_i[k] ? square : square_write_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        square_q       <= 1'b0;
        square_write_q <= 1'b0;
        high_q         <= 1'b0;
      end else if (tick_i) begin
        if (start_i[k]) square_q <= square;
        if (xy_we_i[k]) begin
          square_write_q <= doubled;
          high_q         <= a_data_i[k][33];
        end
      end
    end
    assign fill     = load || m_we_i[k];
    assign all_rows = fill || zero || setup;
    assign wregion  = fill ? RegionM : setup ? RegionScaled : RegionA;
    always_comb begin
      // Words above the pairs of the modulus are filled with zeros.
      side_we    = xy_we_i[k];
      side_wdata = doubled ? {a_data_i[k][32:0], high_q && !start_i[k]} : a_data_i[k];
      if (fill) begin
        side_we    = m_we_i[k] || pairs_done;
        side_wdata = pairs_done ? '0 : m_data_i[k];
      end else if (zero) begin
        side_we    = 1'b1;
        side_wdata = '0;
      end else if (setup) begin
        side_we    = z_valid;
        side_wdata = z_data;
      end
    end
    // The rows of m and M'' are cleared only with forget_i.
    assign sweep = (forget_i || sweep_i < SweepBits'(Pairs)) ? sweep_i : '1;
    montcore_dsp_writer #(
        .Alpha    (Alpha),
        .Pairs    (Pairs),
        .PairBits (PairBits),
        .SweepBits(SweepBits)
    ) u_writer (
        .clk_i,
        .tick_i,
        .rst_ni,
        .clear_i,
        .sweep_i     (sweep),
        .pairs_i,
        .last_slot_i,
        .we_i        (side_we),
        .data_i      (side_wdata),
        .region_i    (wregion),
        .all_rows_i  (all_rows),
        .fill_i      (fill),
        .we_o        (we[k]),
        .addr_o      (waddr[k]),
        .data_o      (wdata[k]),
        .last_o      (we_last),
        .row_end_o   (row_end),
        .none_o      (none_yet),
        .pairs_done_o(pairs_done)
    );

    // ---- the half-iteration at the first block --------------------------------------------------------
    // A square of the lower triangle reaches the upper blocks with its first multiple of M''.
    logic lower_begins;
    assign lower_begins = (k == 1) && triangle[k] && multiply_m[k] && iteration == DigitBits'(2);
    always_comb begin
      if (op == OpProduct) region[k] = multiply_m[k] ? RegionScaled : RegionA;
      else if (op == OpDigits) region[k] = RegionInverse;
      else region[k] = multiply_m[k] ? RegionM : RegionA;
    end
    assign stay[k]         = !shift;
    assign fresh[k]        = (shift && iteration == '0) || lower_begins;
    assign complete[k]     = side_complete;
    assign product_last[k] = last_half && op == OpProduct;
    assign keep[k]         = product_last[k] && final_product;
    assign result[k]       = last_half && op != OpDigits && !keep[k];
    assign round[k]        = op[1] && !multiply_m[k] && iteration == DigitBits'(1);
    assign odd[k]          = iteration[0];

    // ---- results -----------------------------------------------------------------------------------
    montcore_dsp_result #(
        .PairBits(PairBits)
    ) u_result (
        .clk_i,
        .tick_i,
        .rst_ni,
        .clear_i,
        .pairs_i,
        .digit_valid_i(digit_valid[k]),
        .digit_i      (digit),
        .odd_i        (digit_odd),
        .even_digit_o (even_digit),
        .odd_digit_o  (odd_digit),
        .first_i      (result_first[k]),
        .reduced_i    (reduced),
        .valid_i      (result_valid[k]),
        .sum_i        (result_pair[k]),
        .valid_o      (z_valid),
        .pair_o       (z_data),
        .send_i       (send),
        .send_valid_o (z_valid_o[k]),
        .send_last_o  (z_last)
    );
    assign z_data_o[k] = z_data;

    logic due_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) due_q <= 1'b0;
      else if (tick_i) begin
        if (ends && (op == OpProduct || op == OpReduce)) due_q <= 1'b1;
        else if (z_valid_o[k] && z_last) due_q <= 1'b0;
      end
    end
    assign busy_o[k] = control_busy || active[k] || run[k] || due_q || result_valid[k] || z_valid;
  end

  // A half-iteration of both has the flags of 1, and the borders of both are the same.
  assign shown = run[1];
  montcore_dsp_pair_row #(
      .Alpha(Alpha),
      .Pairs(Pairs),
      .Tech (Tech)
  ) u_row (
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
      .result_o       (result_pair),
      .*
  );
endmodule
