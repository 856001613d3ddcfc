// SPDX-License-Identifier: Apache-2.0

/// The datapath of `smm` with the fast schedule.
///
/// z = x * y * R^-1 mod m, R = 2^(words_i * WordBits)
/// T <- (T >> w) + low(T) * M' + x[n] * y, where M' = (m n0' + 1) / 2^w = 2^-w mod m: the quotient
/// digit is the lowest word of T itself, so that no multiplication is needed between two steps.
/// Only the last step uses the true digit q = low(T) n0', which brings the result below 3 m; 0, 1
/// or 2 times m are subtracted at the output.
/// Precondition: the memories hold m (and, from set-up, M'), x < m and y < m; 3 <= m, odd.
/// Latency: start_o to done_o in 2 words rows + 6, 6, 8 cycles for 1, 2, 3 rows, one product every
/// 2 words rows cycles; built for four rows or more 2 words rows + 7, 6, 5, 5 cycles for 1, 2, 3 and more,
/// one product every 2 words rows + 3, 2, 1, 1.
/// Source: smm-2021, Figures 2 to 5; the scaled modulus is the idea of H. Orup (ARITH 1995).
/// Example, WordBits = 4, words 2: x = 0x53, y = 0x2a, m = 0x8b, R = 2^8 -> z = 0x45.
module montcore_smm_fast
  import montcore_smm_fast_pkg::*;
#(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
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
    input logic setup_i,  // Pulse: compute the constants of a new modulus.
    output logic setup_done_o,  // Pulse: the constants are ready.
    input logic available_i,  // High: operands are complete, or become complete in this cycle.
    input logic out_of_range_i,  // High: the operands are out of range; valid one cycle later.
    input logic reject_i,  // High: operands are to be answered with an error.
    input montcore_pkg::montcore_error_e reject_error_i,  // Error code, valid with reject_i.
    output logic release_o,  // Pulse: the operands have been used or rejected.
    output logic busy_o,
    /// Index of the word of X to read; with registered tiles and one row that of the next cycle.
    output logic [WordCountBits-1:0] x_index_o,
    input logic [WordBits-1:0] x_word_i,  // Word x_index_o of X, in the same cycle.
    /// Rows of the operand memory to read; RegionY0 stands for the bank in use.
    output smm_region_e region_o,
    output logic [RowBits-1:0] row_o,  // Index of the row to read.
    input logic [NumPe-1:0][WordBits-1:0] row_i,  // Row row_o of region_o, in the same cycle.
    /// Index of the row of M to read: row_o, or that of the slot being compared.
    output logic [RowBits-1:0] m_row_index_o,
    input logic [NumPe-1:0][WordBits-1:0] m_row_i,  // Row m_row_index_o of M, in the same cycle.
    output logic [WordCountBits-1:0] m_index_o,  // Index of the word of M to read.
    input logic [WordBits-1:0] m_word_i,  // Word m_index_o of M, in the same cycle.
    output logic scaled_we_o,  // Write enable for a word of the scaled modulus, kept_data_o.
    output logic inverse_we_o,  // Write enable for the inverse n0', kept_data_o.
    /// Row of the scaled modulus to write, valid with scaled_we_o.
    output logic [RowBits-1:0] scaled_row_o,
    /// Lane of the scaled modulus to write, valid with scaled_we_o.
    output logic [LaneBits-1:0] scaled_lane_o,
    output logic [WordBits-1:0] kept_data_o,  // Word of the constant to write.
    output logic start_o,  // Pulse: a product starts.
    output logic done_o,  // Pulse: the first beat of the result is valid.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o
);
  localparam int unsigned SumBits = WordBits + carry_bits(WordBits, Tech);
  localparam bit Registered = registered_tiles(WordBits, Tech);
  localparam int unsigned CodeBits =
      (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits;

  localparam bit Shared = shares(Rows);
  // The source of a multiplier word, and a word of X, are known one cycle before the pass, in registers.
  localparam bit Ahead = Registered && Rows == 1;
  logic first, last, load, digit, reject_taken, used_up, result_gone, out_of_range, sequencer_busy;
  logic setup_pass, setup_active, times_m, times_inverse, output_busy;
  smm_op_e op, next_op;
  logic next_not_x;
  smm_pass_t pass;

  montcore_smm_fast_sequencer #(
      .Words(Words),
      .Rows (Rows),
      .Tech (Tech),
      .Ahead(Ahead)
  ) u_sequencer (
      .reject_taken_o       (reject_taken),
      .times_m_i            (times_m),
      .times_inverse_i      (times_inverse),
      .setup_i              (setup_pass),
      .result_gone_i        (result_gone),
      .release_o            (used_up),
      .busy_o               (sequencer_busy),
      .first_o              (first),
      .load_o               (load),
      .digit_o              (digit),
      .last_o               (last),
      .op_o                 (op),
      .next_op_o            (next_op),
      .next_not_x_o         (next_not_x),
      .pass_o               (pass),
      .result_out_of_range_o(out_of_range),
      .*
  );
  assign release_o = used_up | reject_taken;
  assign busy_o = sequencer_busy | setup_active | output_busy;

  // Slots move through the stages R (read), M (multiply), A (accumulate) and C (compare).
  typedef struct packed {
    logic first;
    logic last;
    logic [RowBits-1:0] row;
    smm_pass_t pass;
  } slot_t;
  slot_t slot_m_q, slot_a_q, slot_c_q;
  always_ff @(posedge clk_i) begin
    slot_m_q <= {first, last, row_o, pass};
    slot_a_q <= slot_m_q;
    slot_c_q <= slot_a_q;
    // After a short reset no slot still in flight may be announced as a result.
    if (!rst_ni) begin
      slot_m_q.pass.moved  <= 1'b0;
      slot_m_q.pass.result <= 1'b0;
      slot_a_q.pass.moved  <= 1'b0;
      slot_a_q.pass.result <= 1'b0;
      slot_c_q.pass.result <= 1'b0;
    end
  end

  // Stage R: the multiplier word, recoded, and the operand row. A module for each way to compute the
  // last quotient digit and n0' forms the word.
  logic [WordBits-1:0] word0, word0_product, word0_base, low;
  logic [CodeBits-1:0] op_code, op_code_q;
  logic [NumPe-1:0][WordBits-1:0] row_q;
  logic capture, keep, plus_two;

  assign capture = slot_a_q.pass.capture & slot_a_q.first;
  if (Shared) begin : g_shared
    logic unused_ahead;
    assign unused_ahead = ^{next_op, next_not_x, word0_product, word0_base};
    montcore_smm_word_shared #(
        .WordBits(WordBits),
        .Tech(Tech)
    ) u_word (
        .op_i           (op),
        .word0_i        (word0),
        .capture_i      (capture),
        .digit_i        (digit),
        .code_o         (op_code),
        .low_o          (low),
        .finished_i     (result_gone),
        .times_m_o      (times_m),
        .times_inverse_o(times_inverse),
        .plus_two_o     (plus_two),
        .keep_o         (keep),
        .setup_pass_o   (setup_pass),
        .setup_active_o (setup_active),
        .*
    );
  end else begin : g_own
    assign {times_m, times_inverse, plus_two, keep} = '0;
    if (Registered) begin : g_tiles
      montcore_smm_word_tiles #(
          .WordBits(WordBits),
          .Tech(Tech),
          .Ahead(Ahead)
      ) u_word (
          .op_i           (op),
          .next_op_i      (next_op),
          .next_not_x_i   (next_not_x),
          .m_word_i       (m_row_i[0]),
          .word0_i        (word0),
          .word0_product_i(word0_product),
          .word0_base_i   (word0_base),
          .capture_i      (capture),
          .next_capture_i (slot_m_q.pass.capture),
          .digit_i        (digit),
          .code_o         (op_code),
          .low_o          (low),
          .finished_i     (result_gone),
          .setup_pass_o   (setup_pass),
          .setup_active_o (setup_active),
          .*
      );
    end else begin : g_plain
      logic unused_ahead;
      assign unused_ahead = ^{next_op, next_not_x, word0_product, word0_base};
      montcore_smm_word_plain #(
          .WordBits(WordBits),
          .Tech(Tech)
      ) u_word (
          .op_i          (op),
          .word0_i       (word0),
          .capture_i     (capture),
          .digit_i       (digit),
          .code_o        (op_code),
          .low_o         (low),
          .finished_i    (result_gone),
          .setup_pass_o  (setup_pass),
          .setup_active_o(setup_active),
          .*
      );
    end
  end

  // Zeroize clears row_q through the memories, which read zero after its first cycle.
  always_ff @(posedge clk_i) begin
    if (load) op_code_q <= op_code;
    row_q <= row_i;
  end

  // Stages M and A: multiply and accumulate.
  logic f_turn, f_from_tail, out_start, leaving;
  logic [NumPe-1:0][SumBits-1:0] tail, f_row;
  logic [SumBits-1:0] top;
  logic [WordBits-1:0] f_next, f_top, first_low;
  logic [SumBits-1:WordBits] first_carry;

  // From four rows on F receives a result as it is computed; with fewer, in the next pass.
  assign f_from_tail = Shared && (slot_c_q.pass.result || clear_i);
  assign out_start = Shared ? slot_c_q.pass.result & slot_c_q.last :
                     slot_a_q.pass.moved & slot_a_q.last;

  montcore_smm_fast_array #(
      .NumPe   (NumPe),
      .WordBits(WordBits),
      .Rows    (Rows),
      .Tech    (Tech)
  ) u_array (
      .clk_i,
      .rst_ni,
      .rows_i,
      .load_i         (load || clear_i),
      .clear_i,
      .code_i         (Registered ? op_code : op_code_q),
      .row_i          (Registered ? row_i : row_q),
      .hold_i         (slot_a_q.pass.hold),
      .plus_two_i     (plus_two),
      .first_i        (slot_a_q.first),
      .last_i         (slot_a_q.last),
      .fresh_i        (slot_a_q.pass.fresh),
      .shift_i        (slot_a_q.pass.shift),
      .from_f_i       (slot_a_q.pass.from_f),
      .next_fresh_i   (slot_m_q.pass.fresh),
      .next_shift_i   (slot_m_q.pass.shift),
      .next_from_f_i  (slot_m_q.pass.from_f),
      .f_from_head_i  (slot_a_q.pass.f_from_head),
      .f_from_tail_i  (f_from_tail),
      .f_turn_i       (f_turn),
      .f_top_i        ((slot_a_q.pass.f_from_head & slot_a_q.last) | (f_from_tail & slot_c_q.last)),
      .word0_o        (word0),
      .word0_product_o(word0_product),
      .word0_base_o   (word0_base),
      .tail_o         (tail),
      .top_o          (top),
      .f_row_o        (f_row),
      .f_next_o       (f_next),
      .f_top_o        (f_top),
      .first_low_o    (first_low),
      .first_carry_o  (first_carry)
  );

  // Stage C: the row of M, read again for few rows, or kept since stage M. Then the words of M to subtract come
  // from the same memory and register, one row ahead: no last pass starts while a result is sent.
  logic [NumPe-1:0][WordBits-1:0] m_row_c;
  logic [WordBits-1:0] m_word;
  logic [RowBits-1:0] m_out_row;
  logic [LaneBits-1:0] m_out_lane;
  logic at_least_1, at_least_2;
  if (!Shared) begin : g_read_again
    logic unused_place;
    assign m_row_index_o = slot_c_q.pass.result ? slot_c_q.row : row_o;
    assign m_row_c = m_row_i;
    assign m_word = m_word_i;
    assign unused_place = ^{m_out_row, m_out_lane, leaving};
  end else begin : g_keep
    logic [NumPe-1:0][WordBits-1:0] m_row_a_q, m_row_c_q;
    logic unused_row;
    always_ff @(posedge clk_i) begin
      m_row_a_q <= row_q;
      m_row_c_q <= leaving ? m_row_i : m_row_a_q;
    end
    assign m_row_index_o = leaving ? m_out_row : row_o;
    assign m_row_c = m_row_c_q;
    assign m_word = (NumPe == 1) ? m_row_c_q[0] : m_row_c_q[m_out_lane];
    assign unused_row = ^{m_word_i, slot_c_q.row, m_out_lane};
  end

  montcore_smm_fast_compare #(
      .NumPe   (NumPe),
      .WordBits(WordBits),
      .Rows    (Rows),
      .Tech    (Tech)
  ) u_compare (
      .clk_i,
      .first_i     (slot_c_q.first),
      .slot_i      (slot_c_q.pass.result | clear_i),
      .take_i      ((slot_c_q.pass.result & slot_c_q.last) | clear_i),
      .sum_i       (tail),
      .top_i       (top),
      .m_i         (m_row_c),
      .at_least_1_o(at_least_1),
      .at_least_2_o(at_least_2)
  );

  montcore_smm_fast_output #(
      .NumPe   (NumPe),
      .WordBits(WordBits),
      .Words   (Words),
      .Rows    (Rows),
      .Tech    (Tech)
  ) u_output (
      .start_i       (out_start),
      .setup_i       (setup_active),
      .reject_i      (reject_taken),
      .out_of_range_i(out_of_range),
      .at_least_1_i  (at_least_1),
      .at_least_2_i  (at_least_2),
      .next_low_i    (first_low),
      .next_carry_i  (first_carry),
      .f_row_i       (f_row),
      .f_next_i      (f_next),
      .f_top_i       (f_top),
      .f_turn_o      (f_turn),
      .m_word_i      (m_word),
      .m_row_o       (m_out_row),
      .m_lane_o      (m_out_lane),
      .leaving_o     (leaving),
      .busy_o        (output_busy),
      .keep_i        (keep),
      .keep_data_i   (low),
      .gone_o        (result_gone),
      .*
  );
endmodule
