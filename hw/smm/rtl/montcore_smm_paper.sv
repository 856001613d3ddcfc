// SPDX-License-Identifier: Apache-2.0

/// The datapath of `smm` with the schedule of the paper.
///
/// z = x * y * R^-1 mod m, R = 2^(words_i * WordBits)
/// For each word x[i]: q = (s0 + PLQ[i]) * n0' mod 2^w, S <- (S + x[i] * y + q * m) / 2^w; each
/// processing element multiplies x[i] * y[j] and q * m[j] alternately, PLQ[i] = x[i] * y[0] mod 2^w
/// is computed beforehand. S < 2 m at the end; m is subtracted, and added again if that was too
/// much.
/// Precondition: the memories hold m, x and y; x < m and y < m; 3 <= m, odd.
/// Latency: start_o to done_o in 5 rows + 2 words rows + 7 cycles; a slot of the row of processing
/// elements passes the stages R (read), M (multiply) and A (add) in successive cycles:
///
///   cycles                    what is done
///   rows                      read the rows of x, one a cycle, for PLQ           (steps 1 to 5)
///   3                         last row of PLQ: multiply; add and store; read word 0 back
///   2 words rows              read the rows of y and m in turn, for each x[i]    (steps 6 to 27)
///   2                         last row: multiply; add, with the top word         (step 26)
/// rows           Resolve: shift, and add all carries but one per word
///   rows                      Subtract: S - m, with single carries left          (steps 28, 29)
///   1                         sign: the carry out of the last row of S - m
///   1                         multiply the first row of m by 1 or 0
///   rows                      Restore: add m if S - m was negative
///   rows                      Correct: add the carries that remain, write back
///
/// Source: smm-2021, Figures 2 to 5. The paper gives the sum of these cycles and the first lines
/// (PLQ, 2 words rows); the use of the rest is ours.
/// Example, WordBits = 4, words 2: x = 0x53, y = 0x2a, m = 0x8b, R = 2^8 -> z = 0x45.
module montcore_smm_paper
  import montcore_smm_paper_pkg::*;
#(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    parameter bit Drawn = 1'b0,  // 1: the processing elements drawn in the paper; 0: ours.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Rows of an operand at the built width.
    localparam int unsigned Rows = (Words + NumPe - 1) / NumPe,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    /// Synchronous clear, active high: abandons all work and drives zeros through all registers.
    input logic clear_i,
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    input logic [RowBits-1:0] rows_i,  // Rows of the modulus.
    input logic setup_i,  // Pulse: compute the constant n0' of a new modulus.
    output logic setup_done_o,  // Pulse: the constant n0' is ready.
    input logic available_i,  // High: operands are complete, or become complete in this cycle.
    /// An operand is not below the modulus; valid one cycle after available_i.
    input logic out_of_range_i,
    input logic reject_i,  // High: answer the pending operands with an error instead of a result.
    /// Error code of that answer; valid with reject_i.
    input montcore_pkg::montcore_error_e reject_error_i,
    /// Pulse: the pending operands have been used or rejected and may be overwritten.
    output logic release_o,
    output logic busy_o,
    output logic x_plq_o,  // 1: x_row_i is a row of PLQ; 0: of X.
    output logic [RowBits-1:0] x_row_o,  // Index of the row of X or PLQ to read.
    input logic [NumPe-1:0][WordBits-1:0] x_row_i,  // Row x_row_o of X or PLQ, in the same cycle.
    output logic plq_we_o,  // Write enable of a row of PLQ.
    output logic [RowBits-1:0] plq_row_o,  // Index of the row of PLQ to write.
    output logic [NumPe-1:0][WordBits-1:0] plq_o,  // Row of PLQ; valid with plq_we_o.
    output logic m_o,  // 1: row_i is a row of M; 0: of Y.
    output logic [RowBits-1:0] row_o,  // Index of the row of Y or M to read.
    input logic [NumPe-1:0][WordBits-1:0] row_i,  // Row row_o of Y or M, in the same cycle.
    output logic start_o,  // Pulse: a product starts.
    output logic done_o,  // Pulse: the first beat of the result is valid.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o
);

  localparam int unsigned CodeBits =
      (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits;

  logic reject_taken, used_up, result_gone, plq_read;
  smm_slot_e kind, kind_m_q, kind_a_q;
  smm_slot_t slot, slot_m_q, slot_a_q;
  logic [RowBits-1:0] slot_row, row_m_q, row_a_q;
  logic [LaneBits-1:0] x_lane;

  montcore_smm_paper_sequencer #(
      .NumPe(NumPe),
      .Words(Words),
      .Rows (Rows)
  ) u_sequencer (
      .reject_taken_o(reject_taken),
      .gone_i        (result_gone),
      .used_up_o     (used_up),
      .kind_o        (kind),
      .slot_o        (slot),
      .row_o         (slot_row),
      .plq_read_o    (plq_read),
      .x_lane_o      (x_lane),
      .*
  );
  assign release_o = used_up | reject_taken;
  assign x_plq_o   = plq_read;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      kind_m_q <= SlotIdle;
      kind_a_q <= SlotIdle;
      slot_m_q <= '0;
      slot_a_q <= '0;
    end else begin
      kind_m_q <= kind;
      kind_a_q <= kind_m_q;
      slot_m_q <= slot;
      slot_a_q <= slot_m_q;
    end
    row_m_q <= slot_row;
    row_a_q <= row_m_q;
  end

  logic late_row, use_digit, use_product;
  assign late_row = kind_m_q == SlotSubtract;
  assign m_o = late_row || (kind != SlotPlq && kind != SlotY);
  assign use_digit = kind_m_q == SlotY && slot_m_q.first;
  assign use_product = kind_m_q == SlotM;
  assign plq_we_o = kind_a_q == SlotPlq;

  // Stage R: the operand row and the multiplier word. Subtract needs its row of M in stage A,
  // without the multiplier, and so reads it one stage later.
  logic restore, take_n0;
  logic [WordBits-1:0] x_word, word_q, plq_q;
  logic [NumPe-1:0][WordBits-1:0] row_q;

  assign row_o  = late_row ? row_m_q : slot_row;
  assign x_word = x_row_i[x_lane];

  always_ff @(posedge clk_i) begin
    if (clear_i) row_q <= '0;
    else row_q <= (kind == SlotPlq) ? x_row_i : row_i;
    if (clear_i) plq_q <= '0;
    else if (plq_read) plq_q <= x_word;
    unique case (kind)
      SlotPlq:     if (slot.first) word_q <= row_i[0];
      SlotY:       if (slot.first) word_q <= x_word;
      SlotM:       word_q <= word_q;
      SlotRestore: if (slot.first) word_q <= WordBits'(restore);
      default:     word_q <= '0;
    endcase
    if (clear_i) word_q <= '0;
  end

  // Stage M: the word, or q, recoded for the multipliers; and the next q.
  logic take_product, plus_two, factor_one, factor_load, setup_active, unused_setup;
  logic q_valid, q_kappa;
  logic [2:0] q_digit;
  logic [WordBits-1:0] q_sum, q_carry, product;
  logic [CodeBits-1:0] code;

  montcore_recode #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_recode (
      .word_i((use_product || setup_active) ? product : word_q),
      .code_o(code)
  );

  // Quotient digits (step 9): q = (s0 + PLQ) * n0' mod 2^w, with a multiplier of their own, whose result
  // is stable from the cycle after use_digit to the next use_digit. s0 arrives as it is computed: as a
  // word, or in parts, so that one carry-propagate adder is between PP_reg and the multiplier.
  logic valid;
  assign valid = q_valid || (use_digit && slot_m_q.fresh);
  logic [WordBits-1:0] total, kept, multiplicand, multiplicand_q;

  if (Drawn) begin : g_whole
    logic unused_parts;
    assign total = q_sum + plq_q;
    assign unused_parts = ^{q_carry, q_kappa, q_digit};
  end else begin : g_parts
    // PLQ and the digit arrive early; the parts of s0 arrive late.
    logic [WordBits-1:0] early_sum, early_carry, sum, carry, total_sum, total_carry;
    assign early_sum   = plq_q ^ WordBits'(q_digit);
    assign early_carry = (plq_q & WordBits'(q_digit)) << 1;
    montcore_csa #(
        .Width(WordBits)
    ) u_first (
        .a_i    (q_sum),
        .b_i    (q_carry),
        .c_i    (early_sum),
        .sum_o  (sum),
        .carry_o(carry)
    );
    montcore_csa #(
        .Width(WordBits)
    ) u_second (
        .a_i    (sum),
        .b_i    (carry),
        .c_i    (early_carry),
        .sum_o  (total_sum),
        .carry_o(total_carry)
    );
    assign total = total_sum + total_carry + WordBits'(q_kappa);
  end

  // With more than one row, s0 is computed long before its digit is needed.
  if (Rows == 1) begin : g_now
    logic unused_valid;
    assign kept = total;
    assign unused_valid = valid;
  end else begin : g_kept
    logic [WordBits-1:0] kept_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) kept_q <= '0;
      else if (valid) kept_q <= total;
    end
    assign kept = valid ? total : kept_q;
  end

  assign multiplicand = use_digit ? kept : multiplicand_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) multiplicand_q <= '0;
    else if (take_n0) multiplicand_q <= row_i[0];
    else if (take_product) multiplicand_q <= product;
    else multiplicand_q <= multiplicand;
  end

  montcore_smm_quotient #(
      .WordBits(WordBits),
      .Tech(Tech)
  ) u_quotient (
      .clk_i,
      .factor_code_i(code),
      .factor_load_i(factor_load),
      .factor_one_i(factor_one),
      .multiplicand_i(multiplicand),
      .plus_two_i(plus_two),
      .product_o(product)
  );

  // Newton steps only: this schedule needs no other constant, so it does not wait for a pass.
  logic setup_pass;
  montcore_smm_fast_setup #(
      .WordBits(WordBits)
  ) u_setup (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i       (setup_i),
      .finished_i    (1'b1),
      .take_n0_o     (take_n0),
      .take_product_o(take_product),
      .plus_two_o    (plus_two),
      .factor_one_o  (factor_one),
      .factor_load_o (factor_load),
      .pass_o        (setup_pass),
      .active_o      (setup_active),
      .done_o        (setup_done_o)
  );
  assign unused_setup = setup_pass;

  // Stages M and A: multiply and add.
  logic out_shift, out_load;
  logic [ RowBits-1:0] out_row;
  logic [WordBits-1:0] result_word;

  if (Drawn) begin : g_drawn
    montcore_smm_drawn_array #(
        .NumPe   (NumPe),
        .WordBits(WordBits),
        .Rows    (Rows),
        .Tech    (Tech)
    ) u_array (
        .clk_i,
        .clear_i,
        .single_i   (rows_i == RowBits'(1)),
        .code_i     (code),
        .row_i      (row_q),
        .kind_m_i   (kind_m_q),
        .slot_m_i   (slot_m_q),
        .row_m_i    (row_m_q),
        .kind_a_i   (kind_a_q),
        .slot_a_i   (slot_a_q),
        .row_a_i    (row_a_q),
        .out_shift_i(out_shift),
        .out_load_i (out_load),
        .out_row_i  (out_row),
        .low_o      (plq_o),
        .word_o     (result_word),
        .q_word_o   (q_sum),
        .q_valid_o  (q_valid),
        .restore_o  (restore)
    );
    assign {q_carry, q_kappa, q_digit} = '0;
  end else begin : g_ours
    montcore_smm_paper_array #(
        .NumPe   (NumPe),
        .WordBits(WordBits),
        .Rows    (Rows),
        .Tech    (Tech)
    ) u_array (
        .clk_i,
        .clear_i,
        .single_i   (rows_i == RowBits'(1)),
        .code_i     (code),
        .row_i      (row_q),
        .kind_m_i   (kind_m_q),
        .slot_m_i   (slot_m_q),
        .row_m_i    (row_m_q),
        .kind_a_i   (kind_a_q),
        .slot_a_i   (slot_a_q),
        .row_a_i    (row_a_q),
        .out_shift_i(out_shift),
        .out_load_i (out_load),
        .out_row_i  (out_row),
        .low_o      (plq_o),
        .word_o     (result_word),
        .q_sum_o    (q_sum),
        .q_carry_o  (q_carry),
        .q_kappa_o  (q_kappa),
        .q_digit_o  (q_digit),
        .q_valid_o  (q_valid),
        .restore_o  (restore)
    );
  end
  assign plq_row_o = row_a_q;

  logic out_of_range_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) out_of_range_q <= 1'b0;
    else if (used_up) out_of_range_q <= out_of_range_i;
  end

  // Sends the result from the present row, word by word, or an error. The words move down by a lane with
  // each transfer; after NumPe words the next row is fetched.
  logic output_begin;
  assign output_begin = slot_m_q.result;
  logic valid_q, error_q, begin_q, last_word, last_lane, step;
  montcore_pkg::montcore_error_e error_code_q;
  logic [WordCountBits-1:0] index_q;
  logic [LaneBits-1:0] lane_q;
  logic [RowBits-1:0] output_row_q;

  assign last_word = index_q == words_i - 1;
  assign last_lane = lane_q == LaneBits'(NumPe - 1);
  assign step = valid_q && z_ready_i;
  assign result_gone = step && z_last_o;
  assign out_shift = step && !last_lane;
  assign out_load = step && last_lane && !last_word;
  assign out_row = output_row_q;
  assign done_o = begin_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || result_gone) begin
      valid_q <= 1'b0;
      error_q <= 1'b0;
      begin_q <= 1'b0;
      index_q <= '0;
      lane_q <= '0;
      output_row_q <= RowBits'(Rows > 1);
    end else begin
      begin_q <= output_begin;
      if (output_begin || reject_taken) valid_q <= 1'b1;
      if (reject_taken || (output_begin && out_of_range_q)) error_q <= 1'b1;
      if (step) begin
        index_q <= index_q + 1;
        lane_q  <= last_lane ? '0 : lane_q + 1;
        if (last_lane) output_row_q <= output_row_q + 1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) error_code_q <= montcore_pkg::ErrNone;
    else if (reject_taken) error_code_q <= reject_error_i;
    else if (output_begin) error_code_q <= montcore_pkg::ErrOperandRange;
  end

  assign z_valid_o = valid_q;
  assign z_error_o = error_q;
  assign z_last_o  = last_word || error_q;
  assign z_data_o  = error_q ? WordBits'(error_code_q) : result_word;
endmodule
