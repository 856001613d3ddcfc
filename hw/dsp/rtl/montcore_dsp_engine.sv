// SPDX-License-Identifier: Apache-2.0

/// The multiplier of the paper: operands and results as pairs of 17-bit words, lazy or reduced.
///
/// Product: z = a * b * 2^(-17 n) mod m, below 2 Mt if a and b are, Mt = (M' mod 2^34) m,
/// M' = -m^-1 mod 2^34; below 2^35 m in any case.
/// With final_i: z = (a * b * 2^(-17 n) + q m) / 2^34, which is below 2 m if a b < 2^(17 n) m.
/// Precondition: m odd; 2^36 m < 2^(17 n); a, b < 2^35 m; n + 1 <= 2 (half) Alpha; operands only after
/// ready_o. Pair i of both is written by i ticks after start_i, with LateWrites one tick earlier, but
/// not with Forward.
/// Latency, r = 2 half: n r - half + 4 clk1x cycles (half = 1: 2 n + 7) from the first operand pair
/// at a block to the first pair of the product. The next one can begin n r cycles after it (2 n + 5).
/// Reduced, its result follows 5 half + 1 cycles later (10), and the next product can begin
/// (n + 2.5) r after it (2 n + 14).
/// Source: dsp48-2007, Algorithm 2. The same row reduces by 2^34: q = z (M' mod 2^34) mod 2^34 in
/// two iterations with M' in place of A. z is S 2^17 plus the digit q_(n+1), and S has been kept in
/// place of A. The low word of q times m clears that digit and leaves a carry. Its high word times m
/// and S are added, which clears another word, so that it is not output. Without a carry, as
/// q_(n+1) = 0, that word becomes 1.
/// Example, m = 0x8b, n = 3: z = a b 2^-51 mod 0x8b, below 2^41.
module montcore_dsp_engine #(
    parameter int unsigned Length = 512,
    parameter int unsigned Alpha = 17,  // Number of DSP blocks of the row.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    parameter bit LateWrites = 1'b0,  // 1: operands are written one tick late.
    /// 1: with LateWrites, a pair that waits for its write can be read, so it need not come earlier.
    parameter bit Forward = 1'b0,
    /// Words of an operand at the built width.
    localparam int unsigned Digits = (Length + 36 + 16) / 17,
    /// Pairs of words of an operand at the built width.
    localparam int unsigned WordPairs = (Digits + 1) / 2,
    /// Pairs of words per block.
    localparam int unsigned Pairs = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha),
    localparam int unsigned DigitBits = $clog2(Digits + 2),
    localparam int unsigned PairBits = $clog2(WordPairs + 1),
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    localparam int unsigned Rows = 3 * Pairs,  // Rows of the operand memory of a block.
    localparam int unsigned AddrBits = $clog2(Rows),
    /// Rows that zeroize sweeps.
    localparam int unsigned SweepRows = (Rows > WordPairs) ? Rows : WordPairs,
    localparam int unsigned SweepBits = $clog2(SweepRows + 1)
) (
    input logic clk_i,  // Clock of the adders (clk1x), or the only clock; rising edge.
    /// Clock enable of the logic at clk1x; all inputs below are sampled with it.
    input logic tick_i,
    input logic clk_fast_i,  // Clock of the DSP blocks (clk2x), or the only clock; rising edge.
    input logic phase_i,  // High in the second half of a clk1x cycle.
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; memories are cleared row by row.
    input logic [SweepBits-1:0] sweep_i,  // Memory row to clear, valid with clear_i.
    input logic [DigitBits-1:0] digits_i,  // Words n of the present modulus.
    input logic [PairBits-1:0] pairs_i,  // Pairs of words of an operand, (n + 1) / 2.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1, r / 2 - 1.
    input logic m_we_i,  // A pair of m is valid; pairs_i of them set up a modulus.
    input logic [33:0] m_data_i,  // Pair of m, low word first; valid with m_we_i.
    output logic setup_done_o,  // Pulse of one tick: the constants of the modulus are ready.
    input logic a_we_i,  // A pair of a is valid.
    input logic [33:0] a_data_i,  // Pair of a, low word first; valid with a_we_i.
    input logic b_we_i,  // A pair of b is valid.
    input logic [33:0] b_data_i,  // Pair of b, low word first; valid with b_we_i.
    input logic start_i,  // Pulse of one tick: start a product.
    input logic final_i,  // High: reduce the product; sampled with start_i.
    /// High: operands of the next product may be written from two ticks later on.
    output logic ready_o,
    /// High: no result is waiting outside; sampled at the end of a product that is reduced.
    input logic z_free_i,
    /// High during a set-up or product; result pairs may still be output afterwards.
    output logic busy_o,
    output logic start_o,  // Pulse (one tick): the first operands are at the first block.
    /// Pulse (one tick): the first pair of the product is complete (lazy, also with final_i).
    output logic done_o,
    output logic z_valid_o,  // A pair of the result is valid.
    output logic [33:0] z_data_o,  // Pair of the result, low word first; valid with z_valid_o.
    output logic z_last_o  // Last pair of the result; valid with z_valid_o.
);
  import montcore_dsp_pkg::*;

  logic [1:0] op, op_next;
  logic run, multiply_m, shift, complete, launch, launch_now, slot_first, last_half, at_rest, ends;
  logic beyond;  // the iteration is one of the two that B has no word for
  logic [SlotBits-1:0] slot;
  logic [DigitBits-1:0] iteration;
  montcore_dsp_sequencer #(
      .DigitBits(DigitBits),
      .SlotBits (SlotBits)
  ) u_sequencer (
      .clk_i,
      .tick_i,
      .rst_ni,
      .clear_i,
      .digits_i,
      .last_slot_i,
      .launch_i    (launch),
      .op_i        (op_next),
      .at_rest_i   (at_rest),
      .begin_o     (launch_now),
      .start_o,
      .run_o       (run),
      .op_o        (op),
      .iteration_o (iteration),
      .beyond_o    (beyond),
      .multiply_m_o(multiply_m),
      .shift_o     (shift),
      .complete_o  (complete),
      .slot_o      (slot),
      .slot_first_o(slot_first),
      .last_half_o (last_half)
  );
  assign ends = run && last_half && slot_first;

  logic load, zero, setup, send, reduced, final_product, inverse_start, inverse_done, we, we_last;
  logic control_busy, pairs_done, row_end;
  montcore_dsp_control #(
      .DigitBits(DigitBits),
      .SlotBits (SlotBits)
  ) u_control (
      .we_i          (we),
      .we_last_i     (we_last),
      .inverse_done_i(inverse_done),
      .begin_i       (launch_now),
      .run_i         (run),
      .op_i          (op),
      .iteration_i   (iteration),
      .beyond_i      (beyond),
      .slot_i        (slot),
      .ends_i        (ends),
      .launch_o      (launch),
      .op_o          (op_next),
      .load_o        (load),
      .zero_o        (zero),
      .setup_o       (setup),
      .final_o       (final_product),
      .send_o        (send),
      .reduced_o     (reduced),
      .busy_o        (control_busy),
      .*
  );

  // ---- operands ----------------------------------------------------------------------------------
  logic [16:0] operand, digit;
  logic [33:0] inverse, m_low_q;
  logic [16:0] even_digit, odd_digit;  // the latest quotient digits of both parities
  logic digit_valid, odd, product_first;
  montcore_dsp_operand #(
      .WordPairs (WordPairs),
      .DigitBits (DigitBits),
      .SweepBits (SweepBits),
      .LateWrites(LateWrites),
      .Forward   (Forward)
  ) u_operand (
      .odd_digits_i   (digits_i[0]),
      .run_i          (run),
      .op_i           (op),
      .iteration_i    (iteration),
      .beyond_i       (beyond),
      .multiply_m_i   (multiply_m),
      .product_first_i(product_first),
      .digit_valid_i  (digit_valid),
      .digit_odd_i    (odd),
      .digit_i        (digit),
      .even_digit_i   (even_digit),
      .odd_digit_i    (odd_digit),
      .inverse_i      (inverse),
      .operand_o      (operand),
      .*
  );

  montcore_dsp_inverse u_inverse (
      .clk_i,
      .tick_i,
      .rst_ni,
      .clear_i,
      .start_i  (inverse_start),
      .m_i      (m_low_q),
      .done_o   (inverse_done),
      .inverse_o(inverse)
  );
  // The end of the modulus, without the other numbers that are written: their requests are late.
  assign inverse_start = load && (m_we_i || pairs_done) && row_end;

  logic [1:0] region;
  always_comb begin
    if (op == OpProduct) region = multiply_m ? RegionScaled : RegionA;
    else if (op == OpDigits) region = RegionInverse;
    else region = multiply_m ? RegionM : RegionA;
  end

  // ---- operand memories: one writer at a time ---------------------------------------------------
  logic fill, all_rows, none_yet, z_valid;
  logic [1:0] wregion;
  logic [33:0] wdata, z_data;
  logic [Alpha-1:0] row_we;
  logic [AddrBits-1:0] row_addr;
  logic [33:0] row_data;

  assign fill     = load || m_we_i;
  assign all_rows = fill || zero || setup;
  assign wregion  = fill ? RegionM : setup ? RegionScaled : RegionA;
  always_comb begin
    // Words above the pairs of the modulus are filled with zeros.
    we    = a_we_i;
    wdata = a_data_i;
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
  montcore_dsp_writer #(
      .Alpha     (Alpha),
      .Pairs     (Pairs),
      .PairBits  (PairBits),
      .SweepBits (SweepBits),
      .LateWrites(LateWrites)
  ) u_writer (
      .we_i        (we),
      .data_i      (wdata),
      .region_i    (wregion),
      .all_rows_i  (all_rows),
      .fill_i      (fill),
      .we_o        (row_we),
      .addr_o      (row_addr),
      .data_o      (row_data),
      .last_o      (we_last),
      .row_end_o   (row_end),
      .none_o      (none_yet),
      .pairs_done_o(pairs_done),
      .*
  );

  // ---- the row ------------------------------------------------------------------------------------
  logic fresh, keep, show, round, product_last, result_first, result_valid;
  logic [33:0] result;

  // A product that is reduced stays in the row.
  assign fresh        = shift && iteration == '0;
  assign product_last = last_half && op == OpProduct;
  assign keep         = product_last && final_product;
  assign show         = last_half && op != OpDigits && !keep;
  assign round        = op[1] && !multiply_m && iteration == DigitBits'(1);
  montcore_dsp_row #(
      .Alpha  (Alpha),
      .Pairs  (Pairs),
      .Forward(LateWrites && Forward),
      .Tech   (Tech)
  ) u_row (
      .we_i           (row_we),
      .waddr_i        (row_addr),
      .wdata_i        (row_data),
      .wzero_i        (clear_i),
      .fetch_slot_i   (slot),
      .run_i          (run),
      .region_i       (region),
      .stay_i         (!shift),
      .fresh_i        (fresh),
      .result_i       (show),
      .keep_i         (keep),
      .product_last_i (product_last),
      .round_i        (round),
      .digit_i        (complete),
      .odd_i          (iteration[0]),
      .operand_i      (operand),
      .inverse_i      (inverse),
      .digit_valid_o  (digit_valid),
      .digit_o        (digit),
      .odd_o          (odd),
      .product_first_o(product_first),
      .result_first_o (result_first),
      .result_valid_o (result_valid),
      .result_o       (result),
      .*
  );

  montcore_dsp_result #(
      .PairBits(PairBits),
      .Tech    (Tech)
  ) u_result (
      .clk_i,
      .tick_i,
      .rst_ni,
      .clear_i,
      .pairs_i,
      .digit_valid_i(digit_valid),
      .digit_i      (digit),
      .odd_i        (odd),
      .even_digit_o (even_digit),
      .odd_digit_o  (odd_digit),
      .first_i      (result_first),
      .reduced_i    (reduced),
      .valid_i      (result_valid),
      .sum_i        (result),
      .valid_o      (z_valid),
      .pair_o       (z_data),
      .send_i       (send),
      .send_valid_o (z_valid_o),
      .send_last_o  (z_last_o)
  );

  logic due_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      due_q  <= 1'b0;
      done_o <= 1'b0;
    end else if (tick_i) begin
      done_o <= product_first;
      if (ends && (op == OpProduct || op == OpReduce)) due_q <= 1'b1;
      else if (z_valid_o && z_last_o) due_q <= 1'b0;
    end
    if (clear_i) m_low_q <= '0;
    else if (tick_i && m_we_i && none_yet) m_low_q <= m_data_i;
  end
  assign z_data_o = z_data;
  // When idle a half-iteration may start at once; from then on they follow each other in step.
  assign at_rest  = !busy_o && !start_i && !m_we_i && !clear_i;
  assign busy_o   = control_busy || run || due_q || result_valid || z_valid;
endmodule
