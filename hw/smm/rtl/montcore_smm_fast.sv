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

  // Stage R: the multiplier word, recoded, and the operand row.
  logic [WordBits-1:0] op_word, word0, word0_product, word0_base, low, low_d, low_q;
  logic [CodeBits-1:0] op_code, op_code_q;
  logic [NumPe-1:0][WordBits-1:0] row_q;
  logic capture, keep, plus_two;

  // Only one of the two ways to choose the word is built.
  logic unused_source;
  assign unused_source = ^{op, next_op, next_not_x, word0_product, word0_base};

  assign capture = slot_a_q.pass.capture & slot_a_q.first;
  assign low = (capture | digit) ? word0 : low_q;
  if (Shared) begin : g_element
    // The word captured last is a digit of M', the last digit, or n0'.
    logic times_one;
    assign op_word = (op == OpX) ? x_word_i :
        (op == OpZero) ? '0 : (low & {WordBits{~times_one}}) | WordBits'(times_one);
    assign low_d = clear_i ? '0 : capture ? word0 : low_q;
    always_ff @(posedge clk_i) low_q <= low_d;

    montcore_smm_shared_setup #(
        .WordBits(WordBits)
    ) u_setup (
        .clk_i,
        .rst_ni,
        .clear_i,
        .start_i        (setup_i),
        .finished_i     (result_gone),
        .times_m_o      (times_m),
        .one_o          (times_one),
        .times_inverse_o(times_inverse),
        .plus_two_o     (plus_two),
        .keep_o         (keep),
        .pass_o         (setup_pass),
        .active_o       (setup_active),
        .done_o         (setup_done_o)
    );
  end else begin : g_multiplier
    logic factor_load, factor_one, plus_two_low, take_n0, take_product;
    logic [WordBits-1:0] product, more;

    if (Ahead) begin : g_word0_in_sum
      // One look-up table before the carry chain of word 0, and none after it. The addends of word 0, and the other
      // sources of the word, exclude each other.
      logic take_word0_q, take_early_q, take_product_q;
      logic [WordBits-1:0] early_q;
      logic next_word0, next_low;
      assign next_word0 = next_op == OpLow && slot_m_q.pass.capture;
      assign next_low   = next_op == OpLow && !slot_m_q.pass.capture;
      always_ff @(posedge clk_i) begin
        take_word0_q   <= next_word0 && rst_ni;
        take_early_q   <= (next_op == OpX || next_low) && rst_ni;
        take_product_q <= next_op == OpQuotient && rst_ni;
        early_q        <= next_not_x ? low_d : x_word_i;
      end
      assign op_word = ((word0_product & {WordBits{take_word0_q}}) |
                        (early_q & {WordBits{take_early_q}})) +
                       ((word0_base & {WordBits{take_word0_q}}) |
                        (product & {WordBits{take_product_q}}));
    end else if (montcore_pkg::has_tiles(Tech)) begin : g_word0_last
      // Word 0 of the sum arrives last.
      logic [WordBits-1:0] early;
      logic take_word0;
      assign take_word0 = op == OpLow && capture && (Registered || !factor_load);
      always_comb begin
        unique case (op)
          OpX:        early = x_word_i;
          OpLow:      early = capture ? '0 : low_q;
          OpQuotient: early = product;
          default:    early = '0;
        endcase
        if (factor_load && !Registered) early = product;
      end
      assign op_word = early | (word0 & {WordBits{take_word0}});
    end else begin : g_choose
      always_comb begin
        unique case (op)
          OpX:        op_word = x_word_i;
          OpLow:      op_word = low;
          OpQuotient: op_word = product;
          default:    op_word = '0;
        endcase
        if (factor_load) op_word = product;
      end
    end

    always_comb begin
      low_d = low;
      if (clear_i) low_d = '0;
      else if (take_n0) low_d = Registered ? m_row_i[0] : m_word_i;
      else if (take_product) low_d = more;
    end
    always_ff @(posedge clk_i) low_q <= low_d;

    if (Registered) begin : g_registered
      montcore_smm_tile_quotient #(
          .WordBits(WordBits),
          .Tech(Tech)
      ) u_quotient (
          .clk_i,
          .clear_i,
          .factor_i      (factor_one ? WordBits'(1) : product),
          .factor_load_i (factor_load || factor_one),
          .multiplicand_i(low_d),
          .product_o     (product),
          .more_o        (more)
      );
      logic unused_two;
      assign unused_two = plus_two_low;
    end else begin : g_plain
      montcore_smm_quotient #(
          .WordBits(WordBits),
          .Tech(Tech)
      ) u_quotient (
          .clk_i,
          .factor_code_i (op_code),
          .factor_load_i (factor_load),
          .factor_one_i  (factor_one),
          .multiplicand_i(low_q),
          .plus_two_i    (plus_two_low),
          .product_o     (product)
      );
      // The multiplier itself adds the 2 when plus_two_low is high.
      assign more = product;
    end

    montcore_smm_fast_setup #(
        .WordBits(WordBits)
    ) u_setup (
        .clk_i,
        .rst_ni,
        .clear_i,
        .start_i       (setup_i),
        .finished_i    (result_gone),
        .take_n0_o     (take_n0),
        .take_product_o(take_product),
        .plus_two_o    (plus_two_low),
        .factor_one_o  (factor_one),
        .factor_load_o (factor_load),
        .pass_o        (setup_pass),
        .active_o      (setup_active),
        .done_o        (setup_done_o)
    );
    assign {times_m, times_inverse, plus_two, keep} = '0;
  end

  montcore_recode #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_recode (
      .word_i(op_word),
      .code_o(op_code)
  );

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
