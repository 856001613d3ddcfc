// SPDX-License-Identifier: Apache-2.0

/// The row of blocks, and the signals that travel along it: operand, region, and adder control.
///
/// A half-iteration takes half clk1x cycles in a block and then moves on to the next; all blocks
/// work on the same pair index at any time.
/// Precondition: a half-iteration starts where fetch_slot_i is 0.
/// Latency: 4 clk1x cycles from a token at the fetch stage to its sum.
/// Source: dsp48-2007, Figure 4.
/// Example, Alpha = 2, half = 1: a token of block 0 in cycle 5 is block 1's in cycle 6.
module montcore_dsp_row #(
    parameter int unsigned Alpha = 17,  // Number of blocks of the row.
    parameter int unsigned Pairs = 1,  // Word pairs of a region, r / 2 at the built width.
    parameter bit Forward = 1'b0,  // 1: a pair of RegionA can be read in the tick of its write.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    localparam int unsigned AddrBits = $clog2(3 * Pairs)
) (
    input logic clk_i,  // Clock of the adders (clk1x), or the only clock; rising edge.
    input logic tick_i,  // Clock enable of the logic at clk1x.
    input logic clk_fast_i,  // Clock of the DSP blocks (clk2x), or the only clock; rising edge.
    input logic phase_i,  // High in the second half of a clk1x cycle.
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; clears S and all data in flight.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic [Alpha-1:0] we_i,  // Per block: write enable of its operand memory.
    input logic [AddrBits-1:0] waddr_i,  // Operand memory row to write, valid with we_i.
    input logic [33:0] wdata_i,  // Word pair to write, valid with we_i.
    input logic wzero_i,  // High: write zero instead of wdata_i.
    input logic [SlotBits-1:0] fetch_slot_i,  // Pair index at the fetch stage.
    input logic run_i,  // Token of block 0: a half-iteration is in progress.
    input logic [1:0] region_i,  // Token of block 0: region to read, `montcore_dsp_pkg::Region...`.
    input logic stay_i,  // Token of block 0: S is not shifted.
    input logic fresh_i,  // Token of block 0: S counts as zero.
    input logic result_i,  // Token of block 0: the sums are the result.
    input logic keep_i,  // Token of block 0: the sums are written to RegionA.
    input logic product_last_i,  // Of block 0 alone: the half-iteration is a product's last one.
    input logic round_i,  // Of block 0 alone: 1 is added.
    input logic digit_i,  // Token of block 0: the lowest word of the sum is a quotient digit.
    input logic odd_i,  // Token of block 0: the iteration has an odd index.
    /// Operand of block 0, valid with the first pair of a half-iteration.
    input logic [16:0] operand_i,
    input logic [33:0] inverse_i,  // M' mod 2^34, which block 0 reads as RegionInverse.
    /// Block 0 adds the first pair of a half-iteration whose token had digit_i.
    output logic digit_valid_o,
    output logic [16:0] digit_o,  // Low word of that sum: a quotient digit.
    output logic odd_o,  // odd_i of the half-iteration to which block 0 adds in this cycle.
    /// The first pair of a product is added, whether it is a result or is kept.
    output logic product_first_o,
    output logic result_first_o,  // The first pair of the result is added.
    output logic result_valid_o,  // A pair of the result is added.
    /// Pair of the result, low word first; valid with result_valid_o, on an FPGA a tick later.
    output logic [33:0] result_o
);
  localparam bit Fpga = Tech >= montcore_pkg::TechFpga;

  // Stages: fetch, T0 (operands), T1 and T2 (product, sum), T3 (addition).
  logic [SlotBits-1:0] slot_t0_q, slot_t1_q, slot_t2_q, slot_t3_q;
  // A token: run_i, stay_i, fresh_i, result_i, keep_i.
  logic [4:0] token_t0_q, token_t1_q, token_t2_q, token_t3_q;
  // Of block 0 alone: digit_i, product_last_i, round_i and odd_i.
  logic [3:0] head_t0_q, head_t1_q, head_t2_q, head_t3_q;
  logic load;
  assign load = fetch_slot_i == '0;

  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      slot_t0_q <= fetch_slot_i;
      slot_t1_q <= slot_t0_q;
      slot_t2_q <= slot_t1_q;
      slot_t3_q <= slot_t2_q;
    end
  end
  // During a clear all blocks add, and S counts as zero, so that the products overwrite it. This goes
  // into the tokens, a cycle late, since the net from clear_i to each addition would be long.
  logic cleared_q;
  logic [4:0] no_token;
  assign no_token = clear_i ? 5'b11100 : '0;
  always_ff @(posedge clk_i) begin
    cleared_q <= clear_i;
    if (!rst_ni || clear_i || cleared_q) begin
      token_t0_q <= '0;
      token_t1_q <= '0;
      token_t2_q <= '0;
      token_t3_q <= no_token;
      head_t0_q  <= '0;
      head_t1_q  <= '0;
      head_t2_q  <= '0;
      head_t3_q  <= '0;
    end else if (tick_i) begin
      head_t0_q  <= {run_i && digit_i, run_i && product_last_i, round_i, odd_i};
      head_t1_q  <= head_t0_q;
      head_t2_q  <= head_t1_q;
      head_t3_q  <= head_t2_q;
      token_t0_q <= {run_i, stay_i, fresh_i, result_i, keep_i};
      token_t1_q <= token_t0_q;
      token_t2_q <= token_t1_q;
      token_t3_q <= token_t2_q;
    end
  end

  logic fetch_last, add_first, add_last, single;
  assign fetch_last = fetch_slot_i >= last_slot_i;
  assign add_first  = slot_t3_q == '0;
  if (Fpga) begin : g_ahead
    // Computed one stage ahead, so that the additions start from a register.
    logic add_last_q, single_q;
    always_ff @(posedge clk_i) begin
      if (tick_i) add_last_q <= slot_t2_q >= last_slot_i;
      single_q <= last_slot_i == '0;
    end
    assign add_last = add_last_q;
    assign single   = single_q;
  end else begin : g_at_once
    assign add_last = slot_t3_q >= last_slot_i;
    assign single   = last_slot_i == '0;
  end

  // The first sum of a half-iteration takes its carry from the left. On ECP5 the select is in several copies,
  // one for each part of the row, because the net to all blocks is long. The copies differ in their reset:
  // tools merge equal registers.
  localparam int unsigned Most = montcore_pkg::has_tiles(Tech) ? 4 : 1;
  localparam int unsigned Copies = (Alpha < Most) ? Alpha : Most;
  logic [Copies-1:0] firsts;
  // In the first half of a clk1x cycle with slot_t1_q = 0, known one cycle of the blocks before: the
  // copies are far from each other, so a path to them has no logic.
  logic product_first;
  always_ff @(posedge clk_fast_i) product_first <= slot_t0_q == '0 && phase_i;
  for (genvar c = 0; c < Copies; c++) begin : g_copy
    logic first_q;
    if (c == 0) begin : g_free
      always_ff @(posedge clk_fast_i) first_q <= product_first;
    end else if (c == 1) begin : g_low
      always_ff @(posedge clk_fast_i) first_q <= product_first && rst_ni;
    end else if (c == 2) begin : g_high
      always_ff @(posedge clk_fast_i) first_q <= product_first || !rst_ni;
    end else begin : g_clear
      always_ff @(posedge clk_fast_i) first_q <= product_first && !clear_i;
    end
    assign firsts[c] = first_q;
  end

  // The rows of RegionA are the first ones of the memory, so their addresses are slots.
  logic write_ahead;
  assign write_ahead = Forward && waddr_i == AddrBits'(fetch_slot_i);

  logic [Alpha-1:0][33:0] sums, shown_sums;
  logic [Alpha-1:0] results, shown_results;

  for (genvar k = 0; k < Alpha; k++) begin : g_block
    // Tokens of this block, and its outputs to its neighbours.
    logic [1:0] region;
    logic [4:0] token;
    logic [16:0] operand_in, operand, new_low, held_low, next_new, next_held;
    logic [47:0] cascade_in, cascade;
    logic carry_in, carry;

    if (k == 0) begin : g_head
      assign region     = region_i;
      assign token      = token_t3_q;
      assign operand_in = operand_i;
      assign cascade_in = '0;
      assign carry_in   = head_t3_q[1];
    end else begin : g_tail
      logic [1:0] region_q;
      logic [4:0] token_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i || cleared_q) token_q <= no_token;
        else if (tick_i && add_last) token_q <= g_block[k-1].token;
      end
      always_ff @(posedge clk_i) if (tick_i && fetch_last) region_q <= g_block[k-1].region;
      assign region     = region_q;
      assign token      = token_q;
      assign operand_in = g_block[k-1].operand;
      assign cascade_in = g_block[k-1].cascade;
      assign carry_in   = g_block[k-1].carry;
    end
    // Index of the pair whose low word of S is added.
    logic [SlotBits-1:0] low_slot;
    if (Pairs == 1) begin : g_one_slot
      assign low_slot = slot_t3_q;
    end else if (Fpga) begin : g_slot_ahead
      // Also computed one tick ahead: the memory is read at the start of the addition. During a
      // clear S counts as zero, so the address does not matter.
      logic next_stays;
      logic [SlotBits-1:0] low_slot_q;
      if (k == 0) begin : g_from_head
        assign next_stays = token_t2_q[3];
      end else begin : g_from_left
        assign next_stays = add_last ? g_block[k-1].token[3] : token[3];
      end
      always_ff @(posedge clk_i) begin
        if (tick_i) begin
          if (next_stays) low_slot_q <= slot_t2_q;
          else low_slot_q <= (slot_t2_q >= last_slot_i) ? '0 : slot_t2_q + 1;
        end
      end
      assign low_slot = low_slot_q;
    end else begin : g_slot_at_once
      assign low_slot = token[3] ? slot_t3_q : add_last ? '0 : slot_t3_q + 1;
    end
    if (k == Alpha - 1) begin : g_last
      logic unused_outputs;
      assign next_new = '0;
      assign next_held = '0;
      assign unused_outputs = ^{operand, cascade, carry, new_low, held_low, fetch_last};
    end else begin : g_inner
      if (k == 0) begin : g_first
        logic unused_low;
        assign unused_low = ^{new_low, held_low};
      end
      assign next_new  = g_block[k+1].new_low;
      assign next_held = g_block[k+1].held_low;
    end

    montcore_dsp_block #(
        .Pairs(Pairs),
        .First(k == 0),
        .Tech (Tech)
    ) u_block (
        .we_i       (we_i[k]),
        .keep_i     (token[4] && token[0] && !clear_i),
        .forward_i  (write_ahead && we_i[k] && region == montcore_dsp_pkg::RegionA),
        .region_i   (region),
        .load_i     (load),
        .operand_i  (operand_in),
        .operand_o  (operand),
        .first_i    (firsts[k*Copies/Alpha]),
        .cascade_i  (cascade_in),
        .cascade_o  (cascade),
        .add_i      (token[4]),
        .stay_i     (token[3]),
        .fresh_i    (token[2]),
        .add_slot_i (slot_t3_q),
        .low_slot_i (low_slot),
        .add_first_i(add_first),
        .add_last_i (add_last),
        .single_i   (single),
        .carry_i    (carry_in),
        .carry_o    (carry),
        .next_new_i (next_new),
        .next_held_i(next_held),
        .new_o      (new_low),
        .held_o     (held_low),
        .sum_o      (sums[k]),
        .*
    );
    assign results[k] = token[4] && token[1];
  end

  // On an FPGA the sums are registered before the selection among the blocks, which is as slow.
  if (Fpga) begin : g_wait
    logic [Alpha-1:0][33:0] sums_q;
    logic [Alpha-1:0] results_q, results_next;
    // One tick ahead it is known whether any block has a result; the next operands depend on it.
    logic any_q;
    for (genvar k = 0; k < Alpha; k++) begin : g_next
      if (k == 0) begin : g_from_head
        assign results_next[k] = token_t2_q[4] && token_t2_q[1];
      end else begin : g_from_left
        assign results_next[k] = add_last ? results[k-1] : results[k];
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) any_q <= 1'b0;
      else if (tick_i) any_q <= results_next != '0;
    end
    assign result_valid_o = any_q;
    always_ff @(posedge clk_i) begin
      if (tick_i) begin
        sums_q    <= sums;
        results_q <= results;
      end
    end
    assign shown_sums = sums_q;
    assign shown_results = results_q;
  end else begin : g_show
    assign result_valid_o = results != '0;
    assign shown_sums = sums;
    assign shown_results = results;
  end

  // For each bit one OR over all blocks, which tools build as a tree: a chain from block to block
  // remains a chain in some netlists.
  for (genvar place = 0; place < 34; place++) begin : g_result
    logic [Alpha-1:0] shown;
    for (genvar k = 0; k < Alpha; k++) begin : g_shown
      assign shown[k] = shown_sums[k][place] & shown_results[k];
    end
    assign result_o[place] = |shown;
  end
  assign result_first_o  = results[0] && add_first;
  assign product_first_o = head_t3_q[2] && add_first;
  assign digit_valid_o   = head_t3_q[3] && add_first;
  assign odd_o           = head_t3_q[0];
  assign digit_o         = sums[0][16:0];
endmodule
