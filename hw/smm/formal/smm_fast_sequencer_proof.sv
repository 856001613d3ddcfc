// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_smm_fast_sequencer`, for every mix of products, rejections, set-ups and waits.
///
/// The proof tracks the effect of the passes on T, F and the quotient digit by labels instead of
/// numbers: a label says which product a sum belongs to and how many passes it includes.
/// a_pass_*: every pass has in its base exactly the passes that the schedule puts before it, reads
/// the right word of X and the right rows, and has rows_i slots; so each product gets its
/// 2 words_i passes once each and in order.
/// a_digit_*: the quotient digit that a pass multiplies by is the one captured from its own product
/// by the capture before it, despite the pipeline and another product in the gap; if element 0
/// computes the last digit, from the pass before the last one, whose own digit is loaded again
/// after it. a_hold_*: the slots of that digit and of the set-up, and the cycles in which the last
/// pass waits, do not change T and F.
/// a_release_*: operands are released once for each product, with the last pass that reads them.
/// a_f_free: F is written only after its result has been sent; a_out_*: what is sent is a complete
/// result, in the order of the starts, and never starts while another is being sent.
/// a_start_clear: no start while everything is being cleared.
/// With AlwaysReady (a consumer that is always ready, no rejections, no set-up, no clear):
/// a_latency: from start to the first word in a number of cycles that depends on words_i and rows_i
/// only, for a product that starts alone; a_follows: at most 8 cycles more for one that follows
/// another;
/// a_service: available operands are started after at most 2 words_i rows_i + 8 cycles.
module smm_fast_sequencer_proof
  import montcore_smm_fast_pkg::*;
#(
    parameter int unsigned Words = 3,  // Words of an operand at the built width.
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width.
    /// 1: the consumer is always ready and there are only products.
    parameter bit AlwaysReady = 1'b0,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1)
) (
    input logic clk_i,
    input logic clear_i,
    input logic available_i,  // Operands are complete, until released.
    input logic out_of_range_i,  // The operands are out of range, one cycle later.
    input logic reject_i,  // Operands are to be rejected, until taken.
    input logic times_m_i,  // Set-up slot: captured word times word 0 of M.
    input logic times_inverse_i,  // Set-up slot: captured word times the inverse.
    input logic setup_i,  // Pulse: send the set-up pass.
    input logic gone_i  // The result has been sent, if there is one.
);
  localparam int unsigned CountBits = $clog2(2 * Words + 1);

  localparam bit Shared = shares(Rows);

  typedef struct packed {
    logic                 quotient;
    logic                 valid;
    logic                 setup;
    logic [1:0]           id;
    logic [CountBits-1:0] count;
  } label_t;

  logic started_q = 1'b0;
  logic [WordCountBits-1:0] words_q;  // no driver: an arbitrary constant
  logic [RowBits-1:0] rows_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    words_q   <= words_q;
    rows_q    <= rows_q;
  end

  logic load, digit, reject_taken, release_used, start, first, last, busy, range, result_gone;
  smm_op_e op;
  smm_region_e region;
  smm_pass_t pass;
  logic [WordCountBits-1:0] x_index;
  logic [RowBits-1:0] row;

  montcore_smm_fast_sequencer #(
      .Words(Words),
      .Rows (Rows)
  ) u_dut (
      .rst_ni               (started_q),
      .words_i              (words_q),
      .rows_i               (rows_q),
      .reject_taken_o       (reject_taken),
      .result_gone_i        (result_gone),
      .release_o            (release_used),
      .busy_o               (busy),
      .start_o              (start),
      .first_o              (first),
      .load_o               (load),
      .digit_o              (digit),
      .last_o               (last),
      .op_o                 (op),
      .next_op_o            (),
      .next_not_x_o         (),
      .x_index_o            (x_index),
      .region_o             (region),
      .row_o                (row),
      .pass_o               (pass),
      .result_out_of_range_o(range),
      .*
  );

  // Environment: operands wait until released; a set-up comes only when idle, and delays
  // operands until its result has been sent, as montcore_config and montcore_loader do.
  logic [2:0] clear_for_q = '0;  // clear lasts at least this many more cycles
  logic waiting_q = 1'b0, waiting_reject_q = 1'b0, setting_up_q = 1'b0, clear_q = 1'b0;
  always_ff @(posedge clk_i) begin
    clear_q          <= clear_i;
    clear_for_q      <= !clear_i ? '0 : !clear_q ? 3'd7 : clear_for_q - 3'(clear_for_q != 0);
    waiting_q        <= available_i && !release_used && !clear_i;
    waiting_reject_q <= reject_i && !reject_taken && !clear_i;
    if (clear_i || result_gone) setting_up_q <= 1'b0;
    else if (setup_i) setting_up_q <= 1'b1;
  end
  always_comb begin
    m_sizes : assume (words_q != 0 && 32'(words_q) <= Words && rows_q != 0 && 32'(rows_q) <= Rows);
    m_rows : assume (32'(rows_q) <= 32'(words_q));
    m_one : assume (32'(available_i) + 32'(reject_i) + 32'(setup_i) <= 1);
    if (!started_q || clear_q || setting_up_q) m_none : assume (!available_i && !reject_i);
    if (waiting_q && !clear_q) m_available : assume (available_i);
    if (waiting_reject_q && !clear_q) m_reject : assume (reject_i);
    if (!started_q || clear_i || clear_q || busy || setting_up_q) begin
      m_setup : assume (!setup_i);
    end
    if (!started_q || clear_i || busy || available_i || reject_i || setup_i || setting_up_q) begin
      m_slots : assume (!times_m_i && !times_inverse_i);
    end
    if (AlwaysReady) m_products_only : assume (!clear_i && !reject_i && !setup_i);
    if (clear_for_q != 0) m_clear : assume (clear_i);
    if (!started_q) m_no_clear : assume (!clear_i);
  end

  // Slots in the stages R, M, A and C, as in montcore_smm_fast.
  typedef struct packed {
    logic      last;
    smm_pass_t pass;
  } slot_t;
  slot_t slot_m_q = '0, slot_a_q = '0, slot_c_q = '0, ending;
  always_ff @(posedge clk_i) begin
    slot_m_q <= '{last: last, pass: pass};
    slot_a_q <= slot_m_q;
    slot_c_q <= slot_a_q;
    if (!started_q) slot_m_q <= '0;
  end

  // The result path: busy from the start of a result until it has been sent.
  logic long_result, out_start, out_q = 1'b0, out_error_q = 1'b0;
  logic [WordCountBits-1:0] out_words_q;
  assign long_result = Shared;
  // Mutant: the result path starts one cycle early.
  assign ending = `MUTANT == 1 ? (Shared ? slot_a_q : slot_m_q) : (Shared ? slot_c_q : slot_a_q);
  assign out_start = ending.last & (Shared ? ending.pass.result : ending.pass.moved);
  assign result_gone = out_q && (AlwaysReady ? out_words_q == words_q - 1 : gone_i);
  always_ff @(posedge clk_i) begin
    if (!started_q || clear_i || result_gone) begin
      out_q       <= 1'b0;
      out_words_q <= '0;
    end else begin
      if (out_start || reject_taken) begin
        out_q       <= 1'b1;
        out_error_q <= reject_taken;
      end
      if (out_q) out_words_q <= out_words_q + 1;
    end
  end

  // Labels of T, F and the captured digits.
  label_t t_q = '0, f_q = '0, base, t_d, t_now;
  label_t captured_m_q = '0, captured_a_q = '0, low, low_q = '0, product_q = '0;
  label_t begun_m_q = '0, begun_a_q = '0, digit_label, wanted;
  label_t slow_q = '0;
  logic [1:0] next_id_q = '0, released_q = '0, out_id_q = '0;
  logic pass_begins;
  assign pass_begins = u_dut.active_q && first && !pass.hold;
  // The digit of a separate slot is that of the pass whose first slot is in stage A.
  always_comb begin
    digit_label          = begun_a_q;
    digit_label.quotient = 1'b1;
    wanted               = base;
    wanted.quotient      = Shared;
  end

  always_comb begin
    base = pass.fresh ? '0 : pass.from_f ? f_q : t_q;
    t_d  = base;
    if (pass.fresh && op == OpX)
      t_d = '{quotient: 1'b0, valid: 1'b1, setup: 1'b0, id: next_id_q, count: 1};
    else if (pass.fresh && op == OpQuotient)
      t_d = '{quotient: 1'b0, valid: 1'b1, setup: 1'b1, id: '0, count: '0};
    else if (op != OpZero) t_d.count = base.count + 1;
  end
  assign t_now = pass_begins ? t_d : t_q;
  assign low   = captured_a_q.valid ? captured_a_q : low_q;

  always_ff @(posedge clk_i) begin
    // Mutant: a multiplier that takes one cycle more than the schedule assumes.
    product_q    <= `MUTANT == 2 ? slow_q : low_q;
    slow_q       <= low_q;
    captured_m_q <= digit ? digit_label : (pass_begins && pass.capture) ? t_d : '0;
    begun_m_q    <= pass_begins ? t_d : '0;
    begun_a_q    <= begun_m_q;
    captured_a_q <= captured_m_q;
    low_q        <= low;
    if (!started_q || clear_i) begin
      t_q          <= '0;
      f_q          <= '0;
      captured_m_q <= '0;
      captured_a_q <= '0;
      begun_m_q    <= '0;
      begun_a_q    <= '0;
    end else begin
      if (result_gone) f_q <= '0;
      if (pass_begins) begin
        t_q <= t_d;
        if (pass.f_from_head) f_q <= t_q;
        else if (pass.from_f) f_q <= '0;
        if (pass.result && long_result) f_q <= t_d;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    // After a clear the numbers restart, once the cleaning passes are complete.
    if (!started_q || clear_i) begin
      next_id_q  <= '0;
      released_q <= '0;
      out_id_q   <= '0;
    end else begin
      if ((pass_begins && pass.fresh && op == OpX) || reject_taken) next_id_q <= next_id_q + 1;
      if (release_used || reject_taken) released_q <= released_q + 1;
      if ((out_start && !f_q.setup) || reject_taken) out_id_q <= out_id_q + 1;
    end
  end

  // Index of the pass's slot in stage R.
  logic [RowBits-1:0] slot_q = '0;
  always_ff @(posedge clk_i) begin
    if (!started_q || clear_i || !u_dut.active_q || last) slot_q <= '0;
    else if (!pass.hold) slot_q <= slot_q + 1;
  end

  logic [CountBits-1:0] passes;
  assign passes = CountBits'(2 * 32'(words_q));

  always_comb begin
    if (started_q && !clear_i && !clear_q) begin
      if (pass.hold) begin
        a_hold_nothing :
        assert (Shared && !(last && u_dut.active_q) && !release_used && !start &&
                pass.fresh && !pass.result && !pass.moved &&
                !pass.f_from_head && !pass.from_f && pass.capture == (digit || !u_dut.active_q));
        if (digit) begin
          a_digit_region : assert (region == RegionInverse && row == 0 && op == OpLow && load);
          a_digit_pass : assert (begun_a_q.valid && begun_a_q.count == passes - 1);
        end
        if (!u_dut.active_q) begin
          a_hold_setup :
          assert (op == OpLow && row == 0 && load &&
                                 region == (times_m_i ? RegionM : RegionInverse));
        end
      end else if (u_dut.active_q) begin
        a_pass_slot : assert (row == slot_q && first == (slot_q == 0));
        a_pass_last : assert (last == (slot_q == rows_q - 1));
      end else begin
        a_pass_idle :
        assert (!release_used && !pass.result && !pass.moved && op == OpZero &&
                              !pass.f_from_head && !pass.capture);
      end
      a_pass_start : assert (start == (pass_begins && pass.fresh && op == OpX));
      if (pass_begins) begin
        unique case (op)
          OpX: begin
            a_pass_x_rows : assert (region == RegionY0 && !pass.result);
            a_pass_x_bank : assert (released_q == (pass.fresh ? next_id_q : base.id));
            if (pass.fresh) begin
              a_pass_first_x : assert (x_index == 0 && pass.capture && !pass.shift);
            end else begin
              a_pass_x :
              assert (base.valid && !base.setup && base.count[0] && pass.shift &&
                                 !pass.capture && base.count < passes - 1 &&
                                 32'(x_index) == (32'(base.count) + 1) / 2);
            end
          end
          OpLow: begin
            a_pass_low :
            assert (base.valid && !base.setup && !base.count[0] && base.count != 0 &&
                                 base.count < passes && !pass.shift &&
                                 pass.capture == !(Shared && base.count == passes - 2) &&
                                 !pass.result && region == RegionScaled);
            a_digit_low : assert (low.valid && low.id == base.id && low.count == base.count - 1);
          end
          OpQuotient: begin
            a_pass_m : assert (region == RegionM && pass.result && !pass.shift && !pass.capture);
            if (!pass.fresh) begin
              a_pass_quotient : assert (base.valid && !base.setup && base.count == passes - 1);
              a_digit_quotient :
              assert (base.valid && (Shared ? low == wanted : product_q == wanted));
            end
          end
          default: a_pass_zero : assert (!pass.result && !pass.capture && !pass.shift);
        endcase
        if (pass.fresh) a_pass_fresh_keeps : assert (!pass.from_f);
        // T is lost by a pass that does not continue it, unless F takes it.
        if ((pass.fresh || pass.from_f) && !pass.f_from_head) begin
          a_t_kept :
          assert (!t_q.valid || (t_q.count == passes && !t_q.setup && long_result) ||
                             (t_q.setup && long_result));
        end
        if (pass.f_from_head || (pass.result && long_result)) begin
          a_f_free : assert (!f_q.valid || (pass.from_f && pass.f_from_head));
        end
      end
      if (release_used) begin
        a_release_pass :
        assert (op == OpX && last && t_now.id == released_q && (32'(x_index) == 32'(words_q) - 1));
      end
      // A multiplier word loaded in the middle of a pass is the one that the pass started with.
      if (u_dut.active_q && load && !first && !pass.hold) begin
        a_digit_again :
        assert (op == OpLow && low.valid && !low.quotient && low.id == t_q.id &&
                low.count == t_q.count - 2);
      end
      if (u_dut.active_q && first && !pass.hold) a_load : assert (load);
      if (Shared && slot_c_q.pass.result) begin
        a_f_taken : assert (!out_q || out_error_q || result_gone);
      end
      if (slot_a_q.pass.f_from_head) begin
        a_f_not_leaving : assert (!out_q || out_error_q || result_gone);
      end
      if (out_start) begin
        a_out_idle : assert (!out_q);
        a_out_complete : assert (f_q.valid && (f_q.setup || (f_q.count == passes)));
        a_out_order : assert (f_q.setup || f_q.id == out_id_q);
      end
      if (reject_taken) a_out_reject : assert (!out_q && !f_q.valid && out_id_q == next_id_q);
      a_busy : assert (busy || (!out_q && !f_q.valid));
    end
    if (clear_q) a_start_clear : assert (!start);
  end

  // Timing for a consumer that is always ready.
  if (AlwaysReady) begin : g_time
    localparam int unsigned MostCycles = 2 * Words * Rows + 24;
    localparam int unsigned TimeBits = $clog2(MostCycles + 2);
    logic [1:0][TimeBits-1:0] age_q = '0;
    logic [TimeBits-1:0] wait_q = '0, latency;
    logic [1:0] alone_q = '0;
    logic idle_q = 1'b0;
    logic begin_q = 1'b0, taken_q = 1'b0, begin_id_q = 1'b0;
    always_comb begin
      latency = TimeBits'(2 * 32'(words_q) * 32'(rows_q)) + TimeBits'(4);
      if (Shared && rows_q == 1) latency = TimeBits'(2 * 32'(words_q)) + TimeBits'(6);
      else if (Shared && rows_q == 2) latency = TimeBits'(4 * 32'(words_q)) + TimeBits'(5);
      else if (Shared) latency = TimeBits'(2 * 32'(words_q) * 32'(rows_q)) + TimeBits'(4);
      else if (rows_q <= 2) latency = TimeBits'(2 * 32'(words_q) * 32'(rows_q)) + TimeBits'(6);
      else if (rows_q == 3) latency = TimeBits'(2 * 32'(words_q) * 32'(rows_q)) + TimeBits'(8);
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < 2; i++) begin
        if (start && next_id_q[0] == 1'(i)) alone_q[i] <= idle_q;
        if (start && next_id_q[0] == 1'(i)) age_q[i] <= 1;
        else if (age_q[i] != '1) age_q[i] <= age_q[i] + 1;
      end
      wait_q     <= (available_i && !u_dut.start && !taken_q) ? wait_q + 1 : '0;
      idle_q     <= !busy;
      begin_q    <= started_q && out_start;
      begin_id_q <= f_q.id[0];
    end
    // Started operands stay complete until they are released.
    always_ff @(posedge clk_i) begin
      if (!started_q || release_used) taken_q <= 1'b0;
      else if (u_dut.start) taken_q <= 1'b1;
    end
    always_comb begin
      if (begin_q) begin
        a_follows : assert (age_q[begin_id_q] >= latency && age_q[begin_id_q] <= latency + 8);
        if (alone_q[begin_id_q]) a_latency : assert (age_q[begin_id_q] == latency);
      end
      a_service : assert (32'(wait_q) <= 2 * 32'(words_q) * 32'(rows_q) + 8);
    end
  end
endmodule
