// SPDX-License-Identifier: Apache-2.0

/// The row of blocks for two operations, 0 and 1: `montcore_dsp_row`, whose half-iterations belong
/// to one of them each, or, as parts of two squares, to both.
///
/// A half-iteration takes half clk1x cycles in a block and then moves on to the next. With
/// triangle_i one with A is a part of 0 in the blocks from border_i on, and of 1 in those below.
/// The one with M'' that follows shifts S in the blocks that the part has left out.
/// Precondition: a half-iteration starts where fetch_slot_i is 0; the borders of both are the same
/// in a half-iteration of both; half > 1 with triangle_i.
/// Latency: 4 clk1x cycles from a half-iteration at the fetch stage to its sum.
/// Source: dsp48-2007, Figure 4.
/// Example, Alpha = 3, half = 2, run_i = 3, border_i = 1: block 0 multiplies the operand of 1, blocks
/// 1 and 2 that of 0.
module montcore_dsp_pair_row #(
    parameter int unsigned Alpha = 17,  // Number of blocks of the row.
    parameter int unsigned Pairs = 1,  // Word pairs of a region, r / 2 at the built width.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    localparam int unsigned AddrBits = $clog2(3 * Pairs),
    localparam int unsigned BlockBits = $clog2(Alpha + 1)
) (
    input logic clk_i,  // Clock of the adders (clk1x), or the only clock; rising edge.
    input logic tick_i,  // Clock enable of the logic at clk1x.
    input logic clk_fast_i,  // Clock of the DSP blocks (clk2x), or the only clock; rising edge.
    input logic phase_i,  // High in the second half of a clk1x cycle.
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; clears S and all data in flight.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic [1:0][Alpha-1:0] we_i,  // Of both, per block: write enable of the operand memory.
    /// Of both: operand memory row to write, valid with we_i.
    input logic [1:0][AddrBits-1:0] waddr_i,
    input logic [1:0][33:0] wdata_i,  // Of both: word pair to write, valid with we_i.
    input logic wzero_i,  // High: write zero instead of wdata_i.
    input logic [SlotBits-1:0] fetch_slot_i,  // Pair index at the fetch stage.
    /// Of both: the half-iteration at the first block is theirs. The inputs from here to operand_i
    /// belong to it, and are common if it is of both.
    input logic [1:0] run_i,
    input logic triangle_i,  // It is one of a square that has a triangle's part in this iteration.
    input logic multiply_m_i,  // It is that of the modulus.
    /// First block that a part of 0 is in, or that a part of 1 is not in.
    input logic [BlockBits-1:0] border_i,
    /// Word of the border in that block, or in the one below it for 1.
    input logic [SlotBits:0] word_i,
    input logic [1:0] region_i,  // Region to read, `montcore_dsp_pkg::Region...`.
    input logic stay_i,  // S is not shifted; without triangle_i.
    input logic fresh_i,  // S counts as zero, where it is shifted; of 1 if it is of both.
    input logic complete_i,  // It completes an iteration; of 1 if it is of both.
    input logic result_i,  // The sums are the result.
    input logic keep_i,  // The sums are written to RegionA.
    input logic product_last_i,  // It is a product's last one; of the first block alone.
    input logic round_i,  // 1 is added; of the first block alone.
    /// The iteration has an odd index; of 1 if it is of both, and of the first block alone.
    input logic odd_i,
    /// Of both: the operand, valid with the first pair; 0 without run_i.
    input logic [1:0][16:0] operand_i,
    input logic above_i,  // Top bit of the word of A below the operand of 1.
    /// Of both: M' mod 2^34, which the first block reads as RegionInverse.
    input logic [1:0][33:0] inverse_i,
    /// Of both: the first block adds the first pair of a half-iteration that completes an iteration.
    output logic [1:0] digit_valid_o,
    output logic [16:0] digit_o,  // Low word of that sum: a quotient digit.
    output logic odd_o,  // odd_i of that half-iteration.
    /// Of both: the first pair of a product is added, whether it is a result or is kept.
    output logic [1:0] product_first_o,
    output logic [1:0] result_first_o,  // Of both: the first pair of the result is added.
    output logic [1:0] result_valid_o,  // Of both: a pair of the result is added.
    /// Of both: pair of the result, low word first; valid with result_valid_o.
    output logic [1:0][33:0] result_o
);
  // What travels to the adders of each block.
  typedef struct packed {
    logic [1:0]           run;
    logic                 triangle;
    logic                 multiply_m;
    logic [BlockBits-1:0] border;
    logic                 stay;
    logic                 fresh;
    logic                 complete;
    logic                 result;
    logic                 keep;
  } token_t;
  // What travels to the operand memory of each block.
  typedef struct packed {
    logic [1:0]           run;
    logic                 triangle;
    logic                 multiply_m;
    logic [BlockBits-1:0] border;
    logic [SlotBits:0]    word;
    logic [1:0]           region;
    logic                 above;
  } fetch_t;
  // What the first block alone needs.
  typedef struct packed {
    logic product_last;
    logic round;
    logic odd;
  } head_t;

  // Stages: fetch, T0 (operands), T1 and T2 (product, sum), T3 (addition).
  logic [SlotBits-1:0] slot_t0_q, slot_t1_q, slot_t2_q, slot_t3_q;
  token_t token, token_t0_q, token_t1_q, token_t2_q, token_t3_q;
  head_t head, head_t0_q, head_t1_q, head_t2_q, head_t3_q;
  fetch_t fetch;
  logic load, fetch_last, add_first, add_last, single, product_first, first_q, sweep_q;
  assign load = fetch_slot_i == '0;
  assign token.run = run_i;
  assign token.triangle = triangle_i;
  assign token.multiply_m = multiply_m_i;
  assign token.border = border_i;
  assign token.stay = stay_i;
  assign token.fresh = fresh_i;
  assign token.complete = complete_i;
  assign token.result = result_i;
  assign token.keep = keep_i;
  assign head.product_last = product_last_i;
  assign head.round = round_i;
  assign head.odd = odd_i;
  assign fetch.run = run_i;
  assign fetch.triangle = triangle_i;
  assign fetch.multiply_m = multiply_m_i;
  assign fetch.border = border_i;
  assign fetch.word = word_i;
  assign fetch.region = region_i;
  assign fetch.above = above_i;

  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      slot_t0_q <= fetch_slot_i;
      slot_t1_q <= slot_t0_q;
      slot_t2_q <= slot_t1_q;
      slot_t3_q <= slot_t2_q;
    end
    if (!rst_ni || clear_i) begin
      token_t0_q <= '0;
      token_t1_q <= '0;
      token_t2_q <= '0;
      token_t3_q <= '0;
      head_t0_q  <= '0;
      head_t1_q  <= '0;
      head_t2_q  <= '0;
      head_t3_q  <= '0;
    end else if (tick_i) begin
      token_t0_q <= token;
      token_t1_q <= token_t0_q;
      token_t2_q <= token_t1_q;
      token_t3_q <= token_t2_q;
      head_t0_q  <= head;
      head_t1_q  <= head_t0_q;
      head_t2_q  <= head_t1_q;
      head_t3_q  <= head_t2_q;
    end
    // A clear sweeps both banks of S in turn.
    if (!clear_i) sweep_q <= 1'b0;
    else if (tick_i && add_last) sweep_q <= !sweep_q;
  end
  assign fetch_last    = fetch_slot_i >= last_slot_i;
  assign add_first     = slot_t3_q == '0;
  assign add_last      = slot_t3_q >= last_slot_i;
  assign single        = last_slot_i == '0;
  // The first sum of a half-iteration takes its addend from the left.
  assign product_first = slot_t1_q == '0 && !phase_i;
  always_ff @(posedge clk_fast_i) first_q <= product_first;

  logic [Alpha-1:0][33:0] sums;
  logic [1:0][Alpha-1:0] results;

  for (genvar k = 0; k < Alpha; k++) begin : g_block
    // Tokens of this block, and its outputs to its neighbours.
    token_t token_here;
    fetch_t fetch_here;
    logic [1:0][16:0] operand_in, operand, held_low;
    logic [16:0] new_low, next_new, next_held;
    logic [47:0] cascade_in, cascade;
    logic carry_in, carry, held_carry_in, held_carry, next_is_new;
    logic part, below, edge_here, add, second, covered, stay, fresh_here, complete;

    if (k == 0) begin : g_head
      assign fetch_here    = fetch;
      assign token_here    = token_t3_q;
      assign operand_in    = operand_i;
      assign cascade_in    = '0;
      assign carry_in      = head_t3_q.round;
      assign held_carry_in = 1'b0;
    end else begin : g_tail
      fetch_t fetch_q;
      token_t token_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i) token_q <= '0;
        else if (tick_i && add_last) token_q <= g_block[k-1].token_here;
        if (!rst_ni || clear_i) fetch_q <= '0;
        else if (tick_i && fetch_last) fetch_q <= g_block[k-1].fetch_here;
      end
      assign fetch_here    = fetch_q;
      assign token_here    = token_q;
      assign operand_in    = g_block[k-1].operand;
      assign cascade_in    = g_block[k-1].cascade;
      // The part of 0 begins at its border, without a carry.
      assign carry_in      = g_block[k-1].carry && !(part && !below && edge_here);
      assign held_carry_in = g_block[k-1].held_carry;
    end

    // ---- at the operand memory -------------------------------------------------------------------
    logic fetch_part, fetch_below, read_second, none, edge_at, near;
    assign fetch_part = fetch_here.triangle && !fetch_here.multiply_m;
    assign fetch_below = fetch_here.border > BlockBits'(k);
    assign read_second = fetch_here.run[1] && (!fetch_part || fetch_below);
    assign none = fetch_part && !(fetch_below ? fetch_here.run[1] : fetch_here.run[0]);
    // The border of 1 is in the block below border.
    assign edge_at     = fetch_part && (read_second ? fetch_here.border == BlockBits'(k + 1) :
                                                      fetch_here.border == BlockBits'(k));
    if (k == 0) begin : g_lowest
      assign near = fetch_part && read_second && fetch_here.border == BlockBits'(2);
    end else begin : g_higher
      assign near = fetch_part && (read_second ? fetch_here.border == BlockBits'(k + 2) :
                                                 fetch_here.border == BlockBits'(k - 1));
    end

    // ---- at the adders ---------------------------------------------------------------------------
    assign part = token_here.triangle && !token_here.multiply_m;
    assign below = token_here.border > BlockBits'(k);
    assign edge_here = token_here.border == BlockBits'(k);
    assign second = token_here.run[1] && (!part || below);
    assign add = part ? (below ? token_here.run[1] : token_here.run[0]) : token_here.run != '0;
    assign covered = below == second;
    assign stay = token_here.triangle ? token_here.multiply_m && covered : token_here.stay;
    // In a half-iteration of both these are of 1.
    assign fresh_here = token_here.fresh && !stay && (second || !token_here.run[1]);
    assign complete = token_here.complete && (second || !token_here.run[1]);

    if (k == Alpha - 1) begin : g_last
      logic unused_outputs;
      assign next_new = '0;
      assign next_held = '0;
      assign next_is_new = 1'b0;
      assign unused_outputs = ^{
        operand, cascade, carry, new_low, held_low, held_carry, fetch_last, single, edge_here
      };
    end else begin : g_inner
      if (k == 0) begin : g_first
        logic unused_low;
        assign unused_low = ^{new_low, held_low, edge_here};
      end
      assign next_new = g_block[k+1].new_low;
      assign next_held = g_block[k+1].held_low[second];
      // Half-iterations of one pair: the block to the right works on the one before.
      assign next_is_new = single && g_block[k+1].add && g_block[k+1].second == second &&
                           g_block[k+1].complete;
    end

    montcore_dsp_pair_block #(
        .Pairs(Pairs),
        .First(k == 0),
        .Tech (Tech)
    ) u_block (
        .we_i({we_i[1][k], we_i[0][k]}),
        .read_second_i(read_second),
        .region_i(fetch_here.region),
        .none_i(none),
        .edge_i(edge_at),
        .near_i(near),
        .word_i(fetch_here.word),
        .above_i(fetch_here.above),
        .load_i(load),
        .operands_i(operand_in),
        .operands_o(operand),
        .first_i(first_q),
        .inject_i     (load && fetch_here.run[1] && fetch_here.triangle &&
                       fetch_here.multiply_m && fetch_here.border == BlockBits'(k)),
        .held_carry_i(held_carry_in),
        .held_carry_o(held_carry),
        .cascade_i(cascade_in),
        .cascade_o(cascade),
        .add_i(add || clear_i),
        .second_i(clear_i ? sweep_q : second),
        .stay_i(stay),
        .fresh_i(fresh_here),
        .keep_i(add && token_here.keep && !clear_i),
        .complete_i(complete),
        .ends_i(token_here.result || token_here.keep),
        .hold_i(token_here.border == BlockBits'(k + 1)),
        .lower_i(part && second),
        .add_slot_i(slot_t3_q),
        .add_first_i(add_first),
        .add_last_i(add_last),
        .carry_i(carry_in),
        .carry_o(carry),
        .next_is_new_i(next_is_new),
        .next_new_i(next_new),
        .next_held_i(next_held),
        .new_o(new_low),
        .held_o(held_low),
        .sum_o(sums[k]),
        .*
    );
    assign results[0][k] = add && token_here.result && !second;
    assign results[1][k] = add && token_here.result && second;
  end

  // For each bit one OR over all blocks, which tools build as a tree.
  for (genvar side = 0; side < 2; side++) begin : g_side
    for (genvar place = 0; place < 34; place++) begin : g_result
      logic [Alpha-1:0] shown;
      for (genvar k = 0; k < Alpha; k++) begin : g_shown
        assign shown[k] = sums[k][place] & results[side][k];
      end
      assign result_o[side][place] = |shown;
    end
    logic first_here;
    assign first_here = add_first && g_block[0].add && g_block[0].second == 1'(side);
    assign result_valid_o[side] = results[side] != '0;
    assign result_first_o[side] = results[side][0] && add_first;
    assign product_first_o[side] = first_here && head_t3_q.product_last;
    assign digit_valid_o[side] = first_here && g_block[0].complete;
  end
  assign odd_o   = head_t3_q.odd;
  assign digit_o = sums[0][16:0];
endmodule
