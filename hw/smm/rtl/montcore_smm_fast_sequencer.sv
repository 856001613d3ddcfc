// SPDX-License-Identifier: Apache-2.0

/// Orders the passes of the fast schedule, of one product or of two that overlap.
///
/// A product of `words_i` words is 2 words_i passes of rows_i slots:
///   A0, A1, B0, A2, B1, ... A(m-1), B(m-2), gap, last
/// A(n) adds x[n] * Y, B(n) adds (lowest word of T) * scaled modulus, last adds q * M. The gap is
/// the time by which the last quotient digit takes longer than a pass; the next product's first
/// passes fill it, so that products follow each other every 2 words_i rows_i cycles.
/// Built for four rows or more there is no gap: element 0 computes the digit in a separate slot,
/// two after the first of B(m-2), in which T is held; the last pass starts four or more slots after
/// it.
/// Precondition: 1 <= rows_i, words_i, constant while a product is in flight.
/// Latency: a product that becomes available while idle is in stage R one cycle later.
/// Example: m = 3, rows 1, two products: A0 A1 B0 A2 B1 a0 a1 b0 last a2 b1 - - - last.
module montcore_smm_fast_sequencer
  import montcore_smm_fast_pkg::*;
#(
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width.
    /// Technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    parameter bit Ahead = 1'b0,  // 1: x_index_o is that of the next pass; for a single row only.
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    /// Synchronous clear, active high: drops all work and sends cleaning passes.
    input logic clear_i,
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    input logic [RowBits-1:0] rows_i,  // Rows of the modulus.
    input logic available_i,  // High: operands are complete, or become complete in this cycle.
    /// High: X or Y is not below the modulus; valid one cycle after available_i.
    input logic out_of_range_i,
    input logic reject_i,  // High: operands must be answered with an error and not be multiplied.
    output logic reject_taken_o,  // Pulse: the result path accepts the rejection.
    input logic times_m_i,  // Slot of the set-up: the captured word (or one) times word 0 of M.
    input logic times_inverse_i,  // Slot of the set-up: the captured word times the stored inverse.
    input logic setup_i,  // Pulse: send the set-up pass n0' * M; only while idle.
    input logic result_gone_i,  // Pulse: the result in F has been sent.
    output logic release_o,  // Pulse: the operands have been used.
    output logic busy_o,  // High while a product is in flight, or F is in use.
    output logic start_o,  // Pulse: a product starts (stage R).
    output logic first_o,  // First slot of a pass (stage R).
    output logic load_o,  // High: load the multiplier word (stage R).
    /// High: it is the lowest word of T as it is computed, for the last digit (stage R).
    output logic digit_o,
    output logic last_o,  // Last slot of a pass (stage R).
    output smm_op_e op_o,  // Source of the multiplier word of the pass (stage R).
    output smm_op_e next_op_o,  // op_o in the next cycle, if passes have a single row.
    output logic next_not_x_o,  // High: the next pass does not multiply by a word of X.
    /// Index of the word of X (stage R, or one cycle earlier with Ahead).
    output logic [WordCountBits-1:0] x_index_o,
    output smm_region_e region_o,  // Rows to read; RegionY0 stands for the bank in use (stage R).
    output logic [RowBits-1:0] row_o,  // Index of the row to read (stage R).
    output smm_pass_t pass_o,  // Effect of the pass on T and F (stage R).
    /// High: the result being computed, or in F, belongs to operands out of range.
    output logic result_out_of_range_o
);
  // State of a product; `index` is the next word of X.
  logic lead_q, lead_d, lead_b_q, lead_b_d;
  logic [WordCountBits-1:0] index_q, index_d;
  logic tail_q, tail_d, gap_started_q, gap_started_d;
  logic [1:0] gap_q, gap_d;
  logic f_busy_q, f_busy_d, f_in_use;
  logic tail_range_q, result_range_q;

  // The pass in stage R.
  logic active_q, active_d, final_a_q, final_a_d, begins_q, begins_d;
  smm_op_e op_q, op_d;
  smm_region_e region_q, region_d;
  smm_pass_t pass_q, pass_d;
  logic [WordCountBits-1:0] x_index_q, x_index_d;
  logic [RowBits-1:0] row_q;

  logic boundary, move, may_overlap, last_word, start, digit, slot_first, slot_last;
  logic stall, inject;
  logic [1:0] gap_passes;
  logic gap_over, gap_started;

  // Up to three rows: T moves through F, and the last quotient digit needs a gap.
  localparam bit Shared = shares(Rows);
  // With a single row each slot is a pass. The constant is not used on ASICs, where it gives fewer but slower
  // gates (8 elements at 256 bits on osu018: 78.7 kGE and 4.29 ns instead of 81.6 and 3.92).
  localparam bit OneRow = Rows == 1 && montcore_pkg::has_tiles(Tech);
  assign gap_passes = Shared ? 2'd0 : (OneRow || rows_i == 1) ? 2'd3 : 2'd1;
  assign gap_over = Shared || gap_q == 0;
  assign gap_started = !Shared && gap_started_q;
  // A product that starts in the gap must not end before the one it follows.
  assign may_overlap = 32'(words_i) >= 3;
  assign slot_first = OneRow | ~active_q | (row_q == 0);
  assign slot_last = OneRow | ~active_q | (row_q == rows_i - 1);
  assign boundary = slot_last & ~stall;
  assign f_in_use = f_busy_q & ~result_gone_i;
  // The pass in stage R leaves its result in T, from where the next pass moves it to F.
  assign move = active_q & pass_q.result & !Shared;
  assign last_word = index_q == words_i - 1;
  // The product sends the last pass before that of the last digit.
  assign digit = (lead_q && lead_b_q && last_word) || (start && words_i == 1);

  if (Shared) begin : g_slot
    // The first slot of the pass before the last one was one, two, three cycles ago: in the second
    // cycle its lowest word is valid, and two cycles later the digit.
    logic digit_pass_q;
    logic [2:0] since_q;
    always_ff @(posedge clk_i) begin
      if (boundary) digit_pass_q <= digit;
      since_q <= {since_q[1:0], active_q & digit_pass_q & slot_first & ~stall};
      if (!rst_ni || clear_i) since_q <= '0;
    end
    assign stall   = since_q[1] | (pass_q.result & since_q != '0);
    assign digit_o = since_q[1];
    assign inject  = since_q[1] | times_m_i | times_inverse_i;
    assign load_o  = slot_first | since_q[1] | since_q[2];
  end else begin : g_gap
    logic unused_slot;
    assign stall = 1'b0;
    assign digit_o = 1'b0;
    assign inject = 1'b0;
    assign load_o = slot_first;
    assign unused_slot = times_m_i ^ times_inverse_i;
  end

  always_comb begin
    lead_d         = lead_q;
    // The values for a product that starts are the default: whether one starts is on a long path.
    lead_b_d       = lead_q & lead_b_q;
    index_d        = lead_q ? index_q : WordCountBits'(1);
    tail_d         = tail_q;
    gap_d          = gap_q;
    gap_started_d  = gap_started_q;
    f_busy_d       = f_in_use;
    active_d       = 1'b0;
    final_a_d      = 1'b0;
    begins_d       = 1'b0;
    op_d           = OpZero;
    region_d       = RegionY0;
    pass_d         = '0;
    x_index_d      = lead_q ? index_q : '0;
    start          = 1'b0;
    reject_taken_o = 1'b0;

    if (boundary) begin
      if (tail_q && gap_over && (gap_started || !f_in_use)) begin
        // The last pass of a product.
        active_d           = 1'b1;
        op_d               = OpQuotient;
        region_d           = RegionM;
        pass_d.result      = 1'b1;
        pass_d.from_f      = !Shared;
        pass_d.f_from_head = !Shared;
        tail_d             = 1'b0;
        f_busy_d           = 1'b1;
      end else if (tail_q && !gap_started && f_in_use) begin
        // T rotates and waits until the previous result has left F.
        active_d = 1'b1;
      end else begin
        pass_d.from_f      = move;
        pass_d.f_from_head = move;
        pass_d.moved       = move;
        if (tail_q && !Shared) begin
          pass_d.f_from_head = ~gap_started;
          gap_started_d      = 1'b1;
          gap_d              = gap_q - 1;
          f_busy_d           = 1'b1;
        end

        if (lead_q && lead_b_q) begin
          active_d       = 1'b1;
          op_d           = OpLow;
          region_d       = RegionScaled;
          // Of the last one only the digit is needed, which is captured in a separate slot.
          pass_d.capture = !(Shared && last_word);
          lead_b_d       = 1'b0;
          if (last_word) lead_d = 1'b0;
          else index_d = index_q + 1;
        end else if (lead_q) begin
          active_d     = 1'b1;
          op_d         = OpX;
          pass_d.shift = 1'b1;
          final_a_d    = last_word;
          lead_b_d     = 1'b1;
        end else if (available_i && (!tail_q || may_overlap)) begin
          start          = 1'b1;
          active_d       = 1'b1;
          begins_d       = 1'b1;
          op_d           = OpX;
          pass_d.fresh   = 1'b1;
          pass_d.from_f  = 1'b0;
          pass_d.capture = 1'b1;
          final_a_d      = words_i == 1;
          lead_d         = words_i != 1;
        end else if (setup_i) begin
          active_d      = 1'b1;
          op_d          = OpQuotient;
          region_d      = RegionM;
          pass_d.fresh  = 1'b1;
          pass_d.result = 1'b1;
          f_busy_d      = 1'b1;
        end else begin
          active_d      = tail_q | move;
          pass_d.fresh  = 1'b1;
          pass_d.from_f = 1'b0;
          // Not in the cycle in which a result ends: the result path is idle from the next cycle
          // on.
          if (reject_i && !tail_q && !f_busy_q) begin
            reject_taken_o = 1'b1;
            f_busy_d       = 1'b1;
          end
        end

        // The product that has sent its last pass before the gap.
        if (digit) begin
          tail_d        = 1'b1;
          gap_d         = gap_passes;
          gap_started_d = 1'b0;
        end
      end
    end

    if (clear_i) begin
      lead_d             = 1'b0;
      tail_d             = 1'b0;
      f_busy_d           = 1'b0;
      active_d           = 1'b0;
      final_a_d          = 1'b0;
      begins_d           = 1'b0;
      op_d               = OpZero;
      pass_d             = '0;
      pass_d.fresh       = 1'b1;
      pass_d.f_from_head = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lead_q    <= 1'b0;
      tail_q    <= 1'b0;
      f_busy_q  <= 1'b0;
      active_q  <= 1'b0;
      begins_q  <= 1'b0;
      final_a_q <= 1'b0;
      pass_q    <= '0;
      op_q      <= OpZero;
      row_q     <= '0;
    end else begin
      lead_q   <= lead_d;
      tail_q   <= tail_d;
      f_busy_q <= f_busy_d;
      begins_q <= begins_d;
      if (boundary || clear_i) begin
        active_q  <= active_d;
        final_a_q <= final_a_d;
        pass_q    <= pass_d;
        op_q      <= op_d;
        row_q     <= '0;
      end else if (!stall) begin
        row_q <= row_q + 1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    lead_b_q      <= lead_b_d;
    index_q       <= index_d;
    gap_q         <= gap_d;
    gap_started_q <= gap_started_d;
    if (boundary) begin
      region_q  <= region_d;
      x_index_q <= x_index_d;
    end
    if (release_o) tail_range_q <= out_of_range_i;
    if (active_q && pass_q.result && boundary) result_range_q <= tail_range_q;
  end

  assign first_o = slot_first | inject;
  assign last_o = slot_last & ~stall;
  assign release_o = active_q & final_a_q & last_o;
  assign busy_o = lead_q | tail_q | f_busy_q | active_q;
  assign start_o = begins_q;
  always_comb begin
    op_o = op_q;
    if (inject) op_o = OpLow;
  end
  assign next_op_o = op_d;
  assign next_not_x_o = lead_q & lead_b_q;
  assign x_index_o = Ahead ? x_index_d : x_index_q;
  assign row_o = digit_o ? '0 : row_q;
  always_comb begin
    region_o = region_q;
    if (times_m_i) region_o = RegionM;
    else if (inject) region_o = RegionInverse;
    pass_o = pass_q;
    if (stall || inject) begin
      // A separate sum, not part of T.
      pass_o         = '0;
      pass_o.hold    = 1'b1;
      pass_o.fresh   = 1'b1;
      pass_o.capture = inject;
    end
  end
  assign result_out_of_range_o = result_range_q;
endmodule
