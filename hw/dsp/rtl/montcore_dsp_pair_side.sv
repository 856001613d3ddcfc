// SPDX-License-Identifier: Apache-2.0

/// One of the two operations of `montcore_dsp_pair_engine`: all of it but the row.
///
/// Set-up of a modulus, products, and their reduction, as in `montcore_dsp_engine`; half-iterations
/// are issued when they are granted. For a square the row receives 2 A in place of A.
/// Precondition: as `montcore_dsp_engine`; square_i only if A and B are equal, and below 2 Mt.
/// Latency: as `montcore_dsp_engine`, plus the half-iterations that are not granted.
/// Source: dsp48-2007, Algorithm 2 and Figure 6.
/// Example, square_i, A = (1, 0x10000) in 17-bit words: the row receives (2, 0), then (1, 0).
module montcore_dsp_pair_side #(
    /// 0: of a square the upper triangle is computed; 1: the lower one.
    parameter bit Second = 1'b0,
    parameter int unsigned Alpha = 17,  // Number of blocks of the row.
    parameter int unsigned Pairs = 1,  // Pairs of words per block.
    parameter int unsigned WordPairs = 17,  // Pairs of words of an operand at the built width.
    parameter int unsigned DigitBits = 6,  // Width of a word count in bits.
    parameter int unsigned SweepBits = 5,  // Width of the sweep's row index in bits.
    localparam int unsigned PairBits = $clog2(WordPairs + 1),
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    localparam int unsigned AddrBits = $clog2(3 * Pairs),
    localparam int unsigned BlockBits = $clog2(Alpha + 1)
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of the logic at clk1x.
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; memories are cleared row by row.
    /// High: the constants of the modulus are cleared too; valid with clear_i.
    input logic forget_i,
    input logic [SweepBits-1:0] sweep_i,  // Memory row to clear, valid with clear_i.
    input logic [DigitBits-1:0] digits_i,  // Words n of the present modulus.
    input logic [PairBits-1:0] pairs_i,  // Pairs of words of an operand, (n + 1) / 2.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1, r / 2 - 1.
    input logic m_we_i,  // A pair of m is valid; pairs_i of them set up a modulus.
    input logic [33:0] m_data_i,  // Pair of m, low word first; valid with m_we_i.
    output logic setup_done_o,  // Pulse of one tick: the constants of the modulus are ready.
    input logic xy_we_i,  // A pair of both operands is valid.
    input logic [33:0] a_data_i,  // Pair of a, low word first; valid with xy_we_i.
    input logic [33:0] b_data_i,  // Pair of b, low word first; valid with xy_we_i.
    input logic start_i,  // Pulse of one tick, with the first pair: start a product.
    input logic final_i,  // High: reduce the product; sampled with start_i.
    input logic square_i,  // High: the product is a square; sampled with start_i.
    /// High during a set-up or product; result pairs may still be output afterwards.
    output logic busy_o,
    output logic z_valid_o,  // A pair of the result is valid.
    output logic [33:0] z_data_o,  // Pair of the result, low word first; valid with z_valid_o.
    input logic slot_last_i,  // High in the last tick of a half-iteration of the row.
    input logic slot_first_i,  // High in the first tick of a half-iteration of the row.
    input logic grant_i,  // High: the next half-iteration may begin in the next tick.
    output logic want_o,  // As in `montcore_dsp_pair_sequencer`.
    output logic active_o,  // As in `montcore_dsp_pair_sequencer`.
    output logic in_square_o,  // As in `montcore_dsp_pair_sequencer`.
    output logic next_part_o,  // As in `montcore_dsp_pair_sequencer`.
    output logic parts_left_o,  // As in `montcore_dsp_pair_sequencer`.
    output logic [DigitBits-1:0] next_step_o,  // As in `montcore_dsp_pair_sequencer`.
    output logic [Alpha-1:0] we_o,  // Row: write enable of each block's operand memory.
    output logic [AddrBits-1:0] waddr_o,  // Row: operand memory row to write, valid with we_o.
    output logic [33:0] wdata_o,  // Row: word pair to write, valid with we_o.
    /// Row: a half-iteration is at the first block. As in `montcore_dsp_pair_row`, like the next ones.
    output logic run_o,
    output logic triangle_o,  // Row: the iteration has a part of a triangle.
    output logic multiply_m_o,  // Row: half-iteration of the modulus.
    output logic [BlockBits-1:0] border_o,  // Row: block of the part's border.
    output logic [SlotBits:0] word_o,  // Row: word of the part's border.
    output logic [1:0] region_o,  // Row: region to read.
    output logic stay_o,  // Row: S is not shifted.
    output logic fresh_o,  // Row: S counts as zero, where it is shifted.
    output logic complete_o,  // Row: an iteration is completed.
    output logic result_o,  // Row: the sums are the result.
    output logic keep_o,  // Row: the sums are written to RegionA.
    output logic product_last_o,  // Row: last half-iteration of a product.
    output logic round_o,  // Row: 1 is added.
    output logic odd_o,  // Row: the iteration has an odd index.
    output logic [16:0] operand_o,  // Row: operand of the half-iteration.
    output logic above_o,  // Row: top bit of the word of A below it.
    output logic [33:0] inverse_o,  // Row: M' mod 2^34.
    input logic digit_valid_i,  // Row: the digit of an iteration of this operation is computed.
    input logic [16:0] digit_i,  // Row: a quotient digit, valid with digit_valid_i.
    input logic digit_odd_i,  // Row: index of that iteration is odd.
    input logic product_first_i,  // Row: the digit is the last one of a product.
    input logic result_first_i,  // Row: the first pair of the result is added.
    input logic result_valid_i,  // Row: a pair of the result is added.
    input logic [33:0] result_i  // Row: pair of the result, valid with result_valid_i.
);
  import montcore_dsp_pkg::*;

  logic [1:0] op, op_next;
  logic launch, begins, shift, complete, last_half, square, square_q, ends, beyond;
  logic [DigitBits-1:0] iteration;

  // A part of a triangle needs half-iterations of two pairs.
  assign square = start_i ? square_i && last_slot_i != '0 : square_q;
  montcore_dsp_pair_sequencer #(
      .Second   (Second),
      .DigitBits(DigitBits),
      .SlotBits (SlotBits),
      .BlockBits(BlockBits)
  ) u_sequencer (
      .launch_i   (launch),
      .op_i       (op_next),
      .square_i   (square),
      .begin_o    (begins),
      .op_o       (op),
      .iteration_o(iteration),
      .shift_o    (shift),
      .complete_o (complete),
      .last_half_o(last_half),
      .block_o    (border_o),
      .*
  );
  assign ends   = run_o && last_half && slot_first_i;
  assign beyond = iteration >= digits_i;

  // The next operands come with the result, so that ready_o is not needed.
  logic load, zero, setup, send, reduced, final_product, inverse_done, we, we_last, unused;
  logic ready, control_busy, z_last;
  montcore_dsp_control #(
      .DigitBits(DigitBits),
      .SlotBits (SlotBits)
  ) u_control (
      .clk_i,
      .tick_i,
      .rst_ni,
      .clear_i,
      .last_slot_i,
      .m_we_i,
      .start_i,
      .final_i,
      .z_free_i      (1'b1),
      .we_i          (we),
      .we_last_i     (we_last),
      .inverse_done_i(inverse_done),
      .begin_i       (begins),
      .run_i         (run_o),
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
      .setup_done_o,
      .final_o       (final_product),
      .send_o        (send),
      .reduced_o     (reduced),
      .ready_o       (ready),
      .busy_o        (control_busy)
  );
  assign unused = ready;

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
      .odd_digits_i(digits_i[0]),
      .pairs_i,
      .b_we_i      (xy_we_i),
      .b_data_i,
      .run_i       (run_o),
      .op_i        (op),
      .iteration_i (iteration),
      .beyond_i    (beyond),
      .multiply_m_i(multiply_m_o),
      .product_first_i,
      .digit_valid_i,
      .digit_odd_i,
      .digit_i,
      .even_digit_i(even_digit),
      .odd_digit_i (odd_digit),
      .inverse_i   (inverse_o),
      .operand_o
  );
  montcore_dsp_inverse u_inverse (
      .clk_i,
      .tick_i,
      .rst_ni,
      .clear_i(clear_i && forget_i),
      .start_i(inverse_start),
      .m_i    (m_low_q),
      .done_o (inverse_done),
      .inverse_o
  );
  assign inverse_start = load && (m_we_i || pairs_done) && row_end;

  always_ff @(posedge clk_i) begin
    if (clear_i && forget_i) m_low_q <= '0;
    else if (tick_i && m_we_i && none_yet) m_low_q <= m_data_i;
    // The word of A that the last part had as its operand.
    if (clear_i) top_q <= 1'b0;
    else if (tick_i && run_o && slot_last_i && !multiply_m_o) top_q <= operand_o[16];
  end
  assign above_o = top_q && iteration != '0;

  // ---- operand memories: one writer at a time ---------------------------------------------------
  logic fill, all_rows, z_valid, doubled, square_write_q, high_q;
  logic [1:0] wregion;
  logic [33:0] wdata, z_data;
  logic [SweepBits-1:0] sweep;

  // 2 A: the bit of the pair below comes in.
  assign doubled = start_i ? square : square_write_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      square_q       <= 1'b0;
      square_write_q <= 1'b0;
      high_q         <= 1'b0;
    end else if (tick_i) begin
      if (start_i) square_q <= square;
      if (xy_we_i) begin
        square_write_q <= doubled;
        high_q         <= a_data_i[33];
      end
    end
  end
  assign fill     = load || m_we_i;
  assign all_rows = fill || zero || setup;
  assign wregion  = fill ? RegionM : setup ? RegionScaled : RegionA;
  always_comb begin
    // Words above the pairs of the modulus are filled with zeros.
    we    = xy_we_i;
    wdata = doubled ? {a_data_i[32:0], high_q && !start_i} : a_data_i;
    if (fill) begin
      we    = m_we_i || pairs_done;
      wdata = pairs_done ? '0 : m_data_i;
    end else if (zero) begin
      we    = 1'b1;
      wdata = '0;
    end else if (setup) begin
      we    = z_valid;
      wdata = z_data;
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
      .we_i        (we),
      .data_i      (wdata),
      .region_i    (wregion),
      .all_rows_i  (all_rows),
      .fill_i      (fill),
      .we_o,
      .addr_o      (waddr_o),
      .data_o      (wdata_o),
      .last_o      (we_last),
      .row_end_o   (row_end),
      .none_o      (none_yet),
      .pairs_done_o(pairs_done)
  );

  // ---- the half-iteration at the first block --------------------------------------------------------
  // A square of the lower triangle reaches the upper blocks with its first multiple of M''.
  logic lower_begins;
  assign lower_begins = Second && triangle_o && multiply_m_o && iteration == DigitBits'(2);
  always_comb begin
    if (op == OpProduct) region_o = multiply_m_o ? RegionScaled : RegionA;
    else if (op == OpDigits) region_o = RegionInverse;
    else region_o = multiply_m_o ? RegionM : RegionA;
  end
  assign stay_o         = !shift;
  assign fresh_o        = (shift && iteration == '0) || lower_begins;
  assign complete_o     = complete;
  assign product_last_o = last_half && op == OpProduct;
  assign keep_o         = product_last_o && final_product;
  assign result_o       = last_half && op != OpDigits && !keep_o;
  assign round_o        = op[1] && !multiply_m_o && iteration == DigitBits'(1);
  assign odd_o          = iteration[0];

  // ---- results -----------------------------------------------------------------------------------
  montcore_dsp_result #(
      .PairBits(PairBits)
  ) u_result (
      .clk_i,
      .tick_i,
      .rst_ni,
      .clear_i,
      .pairs_i,
      .digit_valid_i,
      .digit_i,
      .odd_i       (digit_odd_i),
      .even_digit_o(even_digit),
      .odd_digit_o (odd_digit),
      .first_i     (result_first_i),
      .reduced_i   (reduced),
      .valid_i     (result_valid_i),
      .sum_i       (result_i),
      .valid_o     (z_valid),
      .pair_o      (z_data),
      .send_i      (send),
      .send_valid_o(z_valid_o),
      .send_last_o (z_last)
  );
  assign z_data_o = z_data;

  logic due_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) due_q <= 1'b0;
    else if (tick_i) begin
      if (ends && (op == OpProduct || op == OpReduce)) due_q <= 1'b1;
      else if (z_valid_o && z_last) due_q <= 1'b0;
    end
  end
  assign busy_o = control_busy || active_o || run_o || due_q || result_valid_i || z_valid;
endmodule
