// SPDX-License-Identifier: Apache-2.0

/// The row of processing elements and the running sum T of the fast schedule.
///
/// A pass takes `rows_i` slots, one slot per cycle; slot g adds a * (row g of the operand memory)
/// to words g * NumPe ... of T. T is in a queue that rotates by one row per slot, so that each lane
/// only handles its own words; a second queue F holds the sum of an ending product while the
/// next one starts, and then its result.
/// Every word holds WordBits + 3 bits: the carry into the next word is deferred to the next shift.
/// Precondition: the flags of a slot come one cycle after its operands (stage A after stage M).
/// Latency: 2 cycles from an operand row to `tail_o`.
/// Source: smm-2021, Figures 3 and 4.
/// Example, NumPe = 2, WordBits = 4: a = 3, row 0x21, fresh -> tail_o = {6, 3}, top = 0.
module montcore_smm_fast_array #(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width, ceil(words / NumPe).
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SumBits = WordBits + montcore_smm_fast_pkg::carry_bits(WordBits, Tech),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits
) (
    input logic clk_i,
    input logic rst_ni,  // Synchronous reset, active low, of the queues' pointers.
    input logic [RowBits-1:0] rows_i,  // Rows in use, 1 .. Rows.
    input logic load_i,  // Load enable of the multiplier word (stage R; registered tiles only).
    input logic clear_i,  // Clear of the multipliers' registers (registered tiles only).
    /// Multiplier word, recoded (stage M; for registered tiles stage R).
    input logic [CodeBits-1:0] code_i,
    /// Operand row (stage M; for registered tiles stage R).
    input logic [NumPe-1:0][WordBits-1:0] row_i,
    input logic hold_i,  // High: T is unchanged, the slot only computes word0_o (stage A).
    input logic plus_two_i,  // High: add two to word 0, in a slot that holds T (stage A).
    input logic first_i,  // First slot of a pass (stage A).
    input logic last_i,  // Last slot of a pass (stage A).
    input logic fresh_i,  // High: the pass starts a new sum (stage A).
    input logic shift_i,  // High: the pass shifts T down by one word (stage A).
    input logic from_f_i,  // High: the pass continues the sum that is in F (stage A).
    /// High: the next slot starts a new sum (stage M; used only with registered tiles and one row).
    input logic next_fresh_i,
    /// High: the next slot shifts T (stage M; used only with registered tiles and one row).
    input logic next_shift_i,
    /// High: the next slot continues the sum in F (stage M; used only with registered tiles and one row).
    input logic next_from_f_i,
    /// High: F receives the head of T and rotates (stage A; up to three rows).
    input logic f_from_head_i,
    /// High: F receives the newest row of T, rotates (one cycle after stage A; from four rows on).
    input logic f_from_tail_i,
    input logic f_turn_i,  // High: F rotates by one row, to be read.
    input logic f_top_i,  // High: F's top word receives T's top word (with the last row).
    /// Word 0 of the sum computed in this cycle (stage A, first slot).
    output logic [WordBits-1:0] word0_o,
    /// word0_o is the sum of these two in the first slot of a pass that does not shift (stage A; used only with
    /// registered tiles and one row).
    output logic [WordBits-1:0] word0_product_o,
    output logic [WordBits-1:0] word0_base_o,  // Base of the accumulation in word 0.
    output logic [NumPe-1:0][SumBits-1:0] tail_o,  // Newest row of T (one cycle after stage A).
    /// Word rows_i * NumPe of T, complete one cycle after the last slot.
    output logic [SumBits-1:0] top_o,
    output logic [NumPe-1:0][SumBits-1:0] f_row_o,  // First row of F, in redundant form.
    output logic [WordBits-1:0] f_next_o,  // First word of F's second row.
    output logic [WordBits-1:0] f_top_o,  // Top word of F, its low bits.
    /// Low bits of the first word of a result, in the cycle in which F receives its last row (up to three rows).
    output logic [WordBits-1:0] first_low_o,
    output logic [SumBits-1:WordBits] first_carry_o  // Deferred carry of that word.
);
  localparam bit Shared = montcore_smm_fast_pkg::shares(Rows);
  logic plus_two;
  assign plus_two = Shared && plus_two_i;

  logic [NumPe-1:0][SumBits-1:0] sum, tail_q, head;
  localparam bit Registered = montcore_smm_fast_pkg::registered_tiles(WordBits, Tech);
  localparam int unsigned CarryBits = SumBits - WordBits;
  // The constant 2^WordBits in every high word, except with registered tiles.
  localparam logic [WordBits:0] HighConstant = {!Registered, {WordBits{1'b0}}};
  logic [NumPe-1:0][WordBits:0] high_sum, high_carry;
  logic [NumPe-1:0][WordBits-1:0] word, product_low;
  logic [NumPe-1:0] kappa;
  logic [WordBits:0] edge_sum_q, edge_carry_q;
  logic edge_kappa_q;
  logic [WordBits-1:0] head_next;
  logic [SumBits-1:0] top_sum, top_q, f_top_q;

  // T: the newest row, and a queue of the others, whose head is output when it is due again.
  always_ff @(posedge clk_i) if (!hold_i) tail_q <= sum;

  if (Rows == 1) begin : g_one_row
    assign head = tail_q;
    assign head_next = '0;
  end else begin : g_queue
    localparam int unsigned LengthBits = $clog2(Rows);
    logic [NumPe-1:0][SumBits-1:0] oldest, after;
    logic [SumBits-1:0] next;
    logic unused_next;
    // Constant while a product is in flight, and computed ahead because of its distance from the
    // sums.
    logic one_row_q, two_rows_q;
    always_ff @(posedge clk_i) begin
      one_row_q  <= rows_i == 1;
      two_rows_q <= rows_i == 2;
    end

    montcore_smm_row_queue #(
        .NumPe   (NumPe),
        .WordBits(SumBits),
        .MaxRows (Rows - 1)
    ) u_rows (
        .clk_i,
        .rst_ni,
        .length_i((rows_i == 1) ? LengthBits'(1) : LengthBits'(32'(rows_i) - 1)),
        .move_i  (!hold_i),
        .row_i   (tail_q),
        .head_o  (oldest),
        .next_o  (next),
        .after_o (after)
    );
    assign head = one_row_q ? tail_q : oldest;
    assign head_next = two_rows_q ? tail_q[0][WordBits-1:0] : next[WordBits-1:0];
    assign unused_next = ^{next, after};
  end

  // F: a queue of full length that moves only on request.
  logic [NumPe-1:0][SumBits-1:0] f_in, f_after;
  logic [SumBits-1:0] f_next;
  logic f_move, unused_f_next;
  if (Shared) begin : g_f_tail
    assign f_in = tail_q;
  end else begin : g_f_head
    logic unused_from_tail;
    assign f_in = head;
    assign unused_from_tail = f_from_tail_i;
  end
  // A single row is not rotated while it is read out.
  assign f_move = (f_from_head_i && !Shared) || f_from_tail_i || (f_turn_i && Rows != 1);
  montcore_smm_row_queue #(
      .NumPe   (NumPe),
      .WordBits(SumBits),
      .MaxRows (Rows)
  ) u_f (
      .clk_i,
      .rst_ni,
      .length_i(rows_i),
      .move_i  (f_move),
      .row_i   (f_in),
      .head_o  (f_row_o),
      .next_o  (f_next),
      .after_o (f_after)
  );
  always_ff @(posedge clk_i) if (f_top_i) f_top_q <= top_q;
  assign f_next_o = f_next[WordBits-1:0];
  assign f_top_o = f_top_q[WordBits-1:0];
  // Word 0 of S * 2^w is the carry of lane 0 only.
  assign first_low_o = (NumPe > 1) ? f_after[NumPe>1?1 : 0][WordBits-1:0] : top_q[WordBits-1:0];
  assign first_carry_o = f_after[0][SumBits-1:WordBits];
  assign unused_f_next = ^{f_next, f_after};

  // Base of the accumulation: T, F or zero; for a shift also the first word of the next row.
  logic [NumPe-1:0][WordBits-1:0] base_low;
  logic [NumPe-1:0][CarryBits-1:0] base_carry;
  logic [SumBits-1:0] base_top;
  if (Registered && Rows == 1) begin : g_base_ahead
    logic unused_flags;
    // The base of the next slot's accumulation is in registers: T after this slot, F or zero, as the flags
    // of the next slot say, and for a slot that shifts one word further down. Two select bits per
    // output bit, so that the sum, which arrives last, passes a single look-up table: neither set
    // gives 0, both set give 1, and this is how a bit of F is inserted.
    logic [NumPe:0][SumBits-1:0] ahead_sum, f;
    logic kept;
    assign kept = !next_fresh_i && !next_from_f_i;
    assign ahead_sum = {top_sum, sum};
    always_comb begin
      f[NumPe]     = f_top_i ? top_q : f_top_q;
      f[NumPe-1:0] = f_move ? tail_q : f_row_o;
      if (next_fresh_i || !next_from_f_i) f = '0;
    end

    function automatic logic [SumBits-1:0] either(
        logic [SumBits-1:0] same, logic [SumBits-1:0] ahead_above, logic [SumBits-1:0] instead,
        logic keep, logic shift);
      logic [SumBits-1:0] take_same, take_above;
      take_same  = instead | {SumBits{keep & ~shift}};
      take_above = instead | {SumBits{keep & shift}};
      return (take_same & take_above) | (take_same & same) | (take_above & ahead_above);
    endfunction

    logic [NumPe-1:0][SumBits-1:0] ahead_base;
    for (genvar k = 0; k < NumPe; k++) begin : g_ahead_word
      // The carries stay in their lane: a shift only lowers their weight.
      logic [SumBits-1:0] ahead_above, f_above;
      assign ahead_above = {ahead_sum[k][SumBits-1:WordBits], ahead_sum[k+1][WordBits-1:0]};
      assign f_above = {f[k][SumBits-1:WordBits], f[k+1][WordBits-1:0]};
      assign ahead_base[k] = either(
          ahead_sum[k], ahead_above, next_shift_i ? f_above : f[k], kept, next_shift_i
      );
      always_ff @(posedge clk_i) {base_carry[k], base_low[k]} <= ahead_base[k];
    end
    always_ff @(posedge clk_i) begin
      base_top <= either(
          ahead_sum[NumPe],
          SumBits'(ahead_sum[NumPe][SumBits-1:WordBits]),
          next_shift_i ? SumBits'(f[NumPe][SumBits-1:WordBits]) : f[NumPe],
          kept,
          next_shift_i
      );
    end
    assign unused_flags = ^{fresh_i, from_f_i, head, head_next};
  end else begin : g_base
    logic [NumPe-1:0][SumBits-1:0] base;
    logic [SumBits-1:0] whole_top;
    logic [WordBits-1:0] base_next;
    logic from_f, unused_next_slot;
    assign from_f = from_f_i && !Shared;
    assign base = fresh_i ? '0 : from_f ? f_row_o : head;
    assign whole_top = fresh_i ? '0 : from_f ? f_top_q : top_q;
    assign base_next = last_i ? whole_top[WordBits-1:0] :
        fresh_i ? '0 : from_f ? f_next_o : head_next;
    for (genvar k = 0; k < NumPe; k++) begin : g_word
      logic [WordBits-1:0] above;
      if (k == NumPe - 1) begin : g_last_lane
        assign above = base_next;
      end else begin : g_lane
        assign above = base[k+1][WordBits-1:0];
      end
      assign base_low[k]   = shift_i ? above : base[k][WordBits-1:0];
      assign base_carry[k] = base[k][SumBits-1:WordBits];
    end
    assign base_top = shift_i ? SumBits'(whole_top[SumBits-1:WordBits]) : whole_top;
    assign unused_next_slot = ^{next_fresh_i, next_shift_i, next_from_f_i};
  end

  for (genvar k = 0; k < NumPe; k++) begin : g_pe
    logic [WordBits:0] high_sum_in, high_carry_in;
    logic kappa_in;

    if (k == 0) begin : g_first_lane
      // This constant represents zero here.
      assign high_sum_in = first_i ? HighConstant | (WordBits + 1)'({plus_two, 1'b0}) : edge_sum_q;
      assign high_carry_in = first_i ? '0 : edge_carry_q;
      assign kappa_in = ~first_i & edge_kappa_q;
    end else begin : g_neighbour
      assign high_sum_in = high_sum[k-1];
      assign high_carry_in = high_carry[k-1];
      assign kappa_in = kappa[k-1];
    end

    montcore_smm_fast_pe #(
        .WordBits(WordBits),
        .Tech(Tech)
    ) u_pe (
        .clk_i,
        .load_i,
        .clear_i,
        .code_i,
        .b_i         (row_i[k]),
        .low_i       (base_low[k]),
        .carry_i     (base_carry[k]),
        .shift_i,
        .high_sum_i  (high_sum_in),
        .high_carry_i(high_carry_in),
        .kappa_i     (kappa_in),
        .high_sum_o  (high_sum[k]),
        .high_carry_o(high_carry[k]),
        .kappa_o     (kappa[k]),
        .low_o       (product_low[k]),
        .sum_o       (sum[k]),
        .word_o      (word[k])
    );
  end

  // The last lane's high word belongs to the first lane, one slot later.
  always_ff @(posedge clk_i) begin
    if (!hold_i) begin
      edge_sum_q   <= high_sum[NumPe-1];
      edge_carry_q <= high_carry[NumPe-1];
      edge_kappa_q <= kappa[NumPe-1];
    end
  end

  // Top word: the last lane's high word of the last slot (the paper's step 26).
  logic [3:0][SumBits-1:0] top_rows;
  logic [SumBits-1:0] top_tree_sum, top_tree_carry;
  assign top_rows[0] = SumBits'(high_sum[NumPe-1]);
  assign top_rows[1] = SumBits'(high_carry[NumPe-1]);
  assign top_rows[2] = base_top;
  assign top_rows[3] = Registered ? '0 : {{CarryBits{1'b1}}, {WordBits{1'b0}}};
  montcore_csa_tree #(
      .Rows (4),
      .Width(SumBits)
  ) u_top_tree (
      .rows_i (top_rows),
      .sum_o  (top_tree_sum),
      .carry_o(top_tree_carry)
  );
  assign top_sum = top_tree_sum + top_tree_carry + SumBits'(kappa[NumPe-1]);
  always_ff @(posedge clk_i) if (last_i) top_q <= top_sum;

  assign word0_o = word[0];
  logic unused_word;
  assign unused_word = ^{word, product_low};
  assign word0_product_o = product_low[0];
  assign word0_base_o = base_low[0];
  assign tail_o = tail_q;
  assign top_o = top_q;
endmodule
