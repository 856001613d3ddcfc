// SPDX-License-Identifier: Apache-2.0

/// Sends the result from F, word by word: carries resolved, 0, 1 or 2 times M subtracted.
///
/// word j = (low word j + 1 of F) + (carry of word j of F) - multiple * (word j of M) + carry
/// Precondition: start_i only while idle; F complete in the next cycle; at_least_* stable from then
/// on.
/// Latency: the first word is valid one cycle after start_i, or two with more than three rows; one
/// word per cycle. The beats come from a register, except where `montcore_smm_fast_pkg::direct`.
/// With up to three rows the register receives the first word with start_i, before F is complete and before the
/// comparison has ended. It therefore holds the words for 0, 1 and 2 times M, and the answer selects.
/// The set-up sum n0' * M, plus one, is sent the same way to the operand memory; a rejected product
/// is answered with one beat that holds the error code.
/// Example, WordBits = 4, M = 7, F = {carry 0, low 0}, top 9: words of S = 9, result 9 - 7 = 2.
module montcore_smm_fast_output #(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SumBits = WordBits + montcore_smm_fast_pkg::carry_bits(WordBits, Tech),
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; drops the result.
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    input logic [RowBits-1:0] rows_i,  // Rows of the modulus.
    input logic start_i,  // Pulse: a result is in F from the next cycle on.
    input logic setup_i,  // High: the result is the set-up sum; with start_i.
    input logic reject_i,  // Pulse: send an error beat from the next cycle on.
    input montcore_pkg::montcore_error_e reject_error_i,  // Error code, valid with reject_i.
    input logic out_of_range_i,  // High: the result's operands were out of range.
    input logic at_least_1_i,  // High: S is at least M.
    input logic at_least_2_i,  // High: S is at least 2 M.
    /// Low bits of the first word of the result, valid with start_i (up to three rows).
    input logic [WordBits-1:0] next_low_i,
    /// Deferred carry of that word, valid with start_i.
    input logic [SumBits-1:WordBits] next_carry_i,
    input logic [NumPe-1:0][SumBits-1:0] f_row_i,  // First row of F, in redundant form.
    input logic [WordBits-1:0] f_next_i,  // First word of the second row of F.
    input logic [WordBits-1:0] f_top_i,  // Top word of F, its low bits.
    output logic f_turn_o,  // Rotate F by one row.
    output logic [WordCountBits-1:0] m_index_o,  // Index of the word of M that is needed.
    input logic [WordBits-1:0] m_word_i,  // Word m_index_o of M.
    output logic [RowBits-1:0] m_row_o,  // Row of the word of M needed next (from four rows on).
    output logic [LaneBits-1:0] m_lane_o,  // Lane of the word of M needed now (from four rows on).
    output logic leaving_o,  // High: words of M are needed in the next cycle.
    output logic busy_o,  // High: a beat is pending in the output register.
    /// High: output keep_data_i to the memory in the next cycle, as the inverse n0'.
    input logic keep_i,
    input logic [WordBits-1:0] keep_data_i,  // Inverse n0', valid with keep_i.
    output logic inverse_we_o,  // Write enable of the inverse in the memory.
    output logic [WordBits-1:0] kept_data_o,  // Word of the inverse, or of the scaled modulus.
    output logic scaled_we_o,  // Write enable of a word of the scaled modulus.
    output logic [RowBits-1:0] scaled_row_o,  // Row of the word of the scaled modulus.
    output logic [LaneBits-1:0] scaled_lane_o,  // Lane of the word of the scaled modulus.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic done_o,  // Pulse: the first beat of a result is valid.
    output logic gone_o  // Pulse: F is free again.
);
  import montcore_pkg::montcore_error_e;

  localparam int unsigned CarryBits = SumBits - WordBits;
  localparam bit Direct = montcore_smm_fast_pkg::direct(NumPe, Rows, Tech);
  // The first word of a result goes to the register with start_i.
  localparam bit Early = !Direct && !montcore_smm_fast_pkg::shares(Rows);

  typedef enum logic [1:0] {
    StIdle,
    StWords,
    StSetup,
    StError
  } state_e;

  state_e state_q;
  montcore_error_e error_q;
  logic begin_q;
  logic [WordCountBits-1:0] index_q;
  logic [LaneBits-1:0] lane_q;
  logic [RowBits-1:0] row_q;
  logic last_word, last_lane, last_row, offer, accept, step, finish, is_error;
  logic begins_setup;
  logic [WordBits-1:0] low, m_word;
  logic [CarryBits-1:0] carry;
  logic [NumPe-1:0][WordBits-1:0] lows;
  logic [NumPe-1:0][CarryBits-1:0] carries;

  logic [WordCountBits-1:0] last_index;
  if (montcore_pkg::has_tiles(Tech)) begin : g_last_index
    // Constant while a product is in flight.
    logic [WordCountBits-1:0] last_index_q;
    always_ff @(posedge clk_i) last_index_q <= words_i - 1;
    assign last_index = last_index_q;
  end else begin : g_words
    assign last_index = words_i - 1;
  end
  assign last_word = index_q == last_index;
  assign last_lane = lane_q == LaneBits'(NumPe - 1);
  assign last_row  = (Rows == 1) || (row_q == rows_i - 1);

  for (genvar k = 0; k < NumPe; k++) begin : g_lane
    assign carries[k] = f_row_i[k][SumBits-1:WordBits];
    if (k == NumPe - 1) begin : g_last_lane
      assign lows[k] = last_row ? f_top_i : f_next_i;
    end else begin : g_inner_lane
      assign lows[k] = f_row_i[k+1][WordBits-1:0];
    end
  end

  logic [WordCountBits-1:0] index_next;
  assign m_row_o = (!rst_ni || clear_i || finish) ? '0 : row_q + RowBits'(step && last_lane);
  assign m_lane_o = lane_q;
  assign index_next = (!rst_ni || clear_i || finish) ? '0 : index_q + WordCountBits'(step);

  if (montcore_pkg::has_tiles(Tech)) begin : g_lane_ahead
    // The words of F and M are selected one cycle ahead, except for lane 0, to which F has just
    // rotated; below, the results for all three multiples are computed, since the comparison's answer
    // arrives late.
    logic [LaneBits-1:0] lane_next;
    logic [WordBits-1:0] ahead, ahead_q, m_q, m_ahead_q;
    logic [CarryBits-1:0] carry_ahead, carry_ahead_q;
    assign lane_next = (step && last_lane) ? '0 : lane_q + LaneBits'(step);
    always_comb begin
      ahead       = '0;
      carry_ahead = '0;
      for (int unsigned k = 0; k < NumPe; k++) begin
        ahead |= lows[k] & {WordBits{lane_next == LaneBits'(k)}};
        carry_ahead |= carries[k] & {CarryBits{lane_next == LaneBits'(k)}};
      end
      if (Rows == 1 && start_i) begin
        ahead       = next_low_i;
        carry_ahead = next_carry_i;
      end
    end
    always_ff @(posedge clk_i) begin
      ahead_q       <= ahead;
      carry_ahead_q <= carry_ahead;
      m_ahead_q     <= (clear_i || setup_i) ? '0 : m_word_i;
    end
    // From four rows on the words of M come from a register.
    assign m_q = montcore_smm_fast_pkg::shares(Rows) ? m_word_i & {WordBits{~setup_i}} : m_ahead_q;
    // A single row of F does not rotate, so lane 0 is prefetched like the others.
    assign low = (Rows != 1 && lane_q == '0) ? lows[0] : ahead_q;
    assign carry = (Rows != 1 && lane_q == '0) ? carries[0] : carry_ahead_q;
    assign m_index_o = index_next;
    assign m_word = m_q;
  end else begin : g_lane_now
    always_comb begin
      low   = '0;
      carry = '0;
      for (int unsigned k = 0; k < NumPe; k++) begin
        low |= lows[k] & {WordBits{lane_q == LaneBits'(k)}};
        carry |= carries[k] & {CarryBits{lane_q == LaneBits'(k)}};
      end
    end
    assign m_index_o = index_q;
    assign m_word = m_word_i;
    logic unused_ahead;
    assign unused_ahead = ^index_next;
  end

  if (Early) begin : g_early
    logic [WordBits-1:0] chosen;
    // Words of S, S - M and S - 2 M in registers, least significant first; the comparison selects last.
    logic words_step;
    assign words_step = step || clear_i;
    logic [2:0][WordBits-1:0] words_q;
    logic [WordBits-1:0] low_now, plain;
    logic [CarryBits-1:0] carry_now;
    logic [1:0][WordBits-1:0] multiples, differences;
    logic [1:0] enough, borrow_q;
    logic over, over_q, m_below_q;

    assign multiples = {{m_word[WordBits-2:0], m_below_q}, m_word};
    assign low_now = start_i ? next_low_i : low;
    assign carry_now = start_i ? next_carry_i : carry;
    assign {over, plain} = {1'b0, low_now} + (WordBits + 1)'(carry_now) +
                           (WordBits + 1)'(over_q | begins_setup);
    for (genvar i = 0; i < 2; i++) begin : g_multiple
      assign {enough[i], differences[i]} = {1'b0, plain} + {1'b0, ~multiples[i]} +
                                           (WordBits + 1)'(!borrow_q[i]);
    end

    always_ff @(posedge clk_i) begin
      if (words_step) words_q <= {differences, plain};
      if (!rst_ni || clear_i || finish) begin
        over_q    <= 1'b0;
        borrow_q  <= '0;
        m_below_q <= 1'b0;
      end else if (words_step) begin
        over_q    <= over;
        borrow_q  <= ~enough;
        m_below_q <= m_word[WordBits-1];
      end
    end

    assign kept_data_o = words_q[0];
    assign chosen = (words_q[0] & {WordBits{~(at_least_1_i | z_error_o)}}) |
                      (words_q[1] & {WordBits{at_least_1_i & ~at_least_2_i & ~z_error_o}}) |
                      (words_q[2] & {WordBits{at_least_2_i & ~z_error_o}});
    assign z_data_o = chosen | (WordBits'(error_q) & {WordBits{z_error_o}});
    logic unused_keep;
    assign unused_keep = ^{keep_i, keep_data_i};
  end else begin : g_words_on_time
    // -multiple = ~multiple + 1 - 2^WordBits. The 1 is added to the carry between words, which
    // without it is -1, 0 or 1: it becomes a count of ones, carry_q, so that no value is signed.
    logic [1:0] carry_q, over;
    logic m_below_q;
    logic [WordBits+1:0] word;
    if (montcore_pkg::has_tiles(Tech)) begin : g_three
      logic [2:0][WordBits-1:0] multiples;
      logic [2:0][WordBits+1:0] words;
      assign multiples = {{m_word[WordBits-2:0], m_below_q}, m_word, {WordBits{1'b0}}};
      for (genvar i = 0; i < 3; i++) begin : g_multiple
        logic [WordBits+1:0] two_sum, two_carry;
        logic unused_bit;
        montcore_csa #(
            .Width(WordBits + 2)
        ) u_csa (
            .a_i    ({2'b00, low}),
            .b_i    ({2'b00, ~multiples[i]}),
            .c_i    ((WordBits + 2)'(carry)),
            .sum_o  (two_sum),
            .carry_o(two_carry)
        );
        // An extra bit at the lower end of the chain is the second carry in.
        assign {words[i], unused_bit} = {two_sum, 1'b1} +
                                        {two_carry | (WordBits + 2)'(carry_q[1]), carry_q[0]};
      end
      // During set-up nothing is subtracted because the words of M are gated to zero, so that the result of
      // the comparison drives the selection directly.
      assign word = at_least_2_i ? words[2] : at_least_1_i ? words[1] : words[0];
    end else begin : g_one
      logic [WordBits-1:0] multiple;
      logic [WordBits+1:0] tree_sum, tree_carry;
      always_comb begin
        multiple = '0;
        if (state_q == StWords && at_least_2_i) multiple = {m_word[WordBits-2:0], m_below_q};
        else if (state_q == StWords && at_least_1_i) multiple = m_word;
      end
      montcore_csa #(
          .Width(WordBits + 2)
      ) u_csa (
          .a_i    ({2'b00, low}),
          .b_i    ({2'b00, ~multiple}),
          .c_i    ((WordBits + 2)'(carry)),
          .sum_o  (tree_sum),
          .carry_o(tree_carry)
      );
      assign word = tree_sum + (tree_carry | (WordBits + 2)'(carry_q[1])) +
          (WordBits + 2)'(carry_q[0]);
      logic unused_next;
      assign unused_next = ^{next_low_i, next_carry_i};
    end
    assign over = word[WordBits+1:WordBits];
    always_ff @(posedge clk_i) begin
      if (start_i || clear_i) begin
        // The set-up sum ends in all ones below the words that are stored; adding one gives a carry.
        carry_q   <= {setup_i & ~clear_i, 1'b1};
        m_below_q <= 1'b0;
      end else if (step) begin
        carry_q   <= {over[1], over != 0};
        m_below_q <= m_word[WordBits-1];
      end
    end

    logic [WordBits-1:0] beat;
    assign beat = state_q == StError ? WordBits'(error_q) :
        is_error ? WordBits'(montcore_pkg::ErrOperandRange) : word[WordBits-1:0];
    if (Direct) begin : g_to_port
      logic unused_keep;
      assign unused_keep = ^{keep_i, keep_data_i};
      assign z_data_o = beat;
    end else begin : g_beat
      // The register also holds the constants on their way to the memory.
      logic [WordBits-1:0] beat_q;
      // Zeroize drops the beat; the register is then loaded with zeros from F.
      always_ff @(posedge clk_i) if (accept) beat_q <= keep_i ? keep_data_i : beat;
      assign z_data_o = beat_q;
    end
    assign kept_data_o = z_data_o;
  end

  // What is offered in this cycle, to the register or to the port.
  if (Early) begin : g_from_start
    assign begins_setup = start_i && setup_i;
    assign is_error = reject_i || (start_i && !setup_i && out_of_range_i);
    assign offer = state_q == StWords || (start_i && !setup_i) || reject_i;
  end else begin : g_after_start
    assign begins_setup = 1'b0;
    assign is_error = state_q == StError || (state_q == StWords && out_of_range_i);
    assign offer = state_q == StWords || state_q == StError;
  end
  assign step = state_q == StSetup || begins_setup || (offer && accept);
  assign finish = step && (last_word || is_error);
  assign f_turn_o = step && last_lane;
  assign leaving_o = state_q == StWords || start_i;

  if (Direct) begin : g_direct
    assign accept = z_ready_i;
    assign z_valid_o = offer;
    assign z_last_o = last_word || is_error;
    assign z_error_o = is_error;
    assign done_o = begin_q && state_q == StWords;
    assign gone_o = finish;
    assign busy_o = 1'b0;
    assign scaled_we_o = state_q == StSetup;
    assign scaled_row_o = row_q;
    assign scaled_lane_o = lane_q;
    assign inverse_we_o = 1'b0;
  end else begin : g_register
    logic valid_q, last_q, failed_q, begun_q, scaled_q, inverse_q;
    logic [ RowBits-1:0] scaled_row_q;
    logic [LaneBits-1:0] scaled_lane_q;
    assign accept = !valid_q || z_ready_i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        valid_q   <= 1'b0;
        begun_q   <= 1'b0;
        scaled_q  <= 1'b0;
        inverse_q <= 1'b0;
      end else begin
        if (accept) valid_q <= offer;
        begun_q   <= Early ? start_i && !setup_i : begin_q && state_q == StWords;
        scaled_q  <= state_q == StSetup || begins_setup;
        inverse_q <= keep_i;
      end
      scaled_row_q  <= row_q;
      scaled_lane_q <= lane_q;
      if (accept) begin
        last_q   <= last_word || is_error;
        failed_q <= is_error;
      end
    end
    assign z_valid_o = valid_q;
    assign z_last_o = last_q;
    assign z_error_o = failed_q;
    assign done_o = begun_q;
    assign busy_o = valid_q;
    assign scaled_we_o = scaled_q;
    assign scaled_row_o = scaled_row_q;
    assign scaled_lane_o = scaled_lane_q;
    assign inverse_we_o = inverse_q;
    // Early words also depend on the comparison, which must not change before the last one is accepted.
    assign gone_o = Early ? last_q && (scaled_q || (valid_q && z_ready_i)) : finish;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || finish) begin
      state_q <= StIdle;
      index_q <= '0;
      lane_q  <= '0;
      row_q   <= '0;
    end else begin
      if (start_i) begin
        if (setup_i) state_q <= StSetup;
        else state_q <= StWords;
      end else if (reject_i) state_q <= StError;
      if (step) begin
        index_q <= index_q + 1;
        lane_q  <= last_lane ? '0 : lane_q + 1;
        if (last_lane) row_q <= row_q + 1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    begin_q <= start_i;
    if (reject_i) error_q <= reject_error_i;
    else if (Early && start_i) error_q <= montcore_pkg::ErrOperandRange;
  end
endmodule
