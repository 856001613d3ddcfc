// SPDX-License-Identifier: Apache-2.0

/// One block of the row: operand memory, DSP block, and its 2 Pairs words of S.
///
/// A half-iteration multiplies one operand word by the 2 half words of one memory region, two
/// words per clk1x cycle, and adds the product to S; the first one of an iteration (not stay_i)
/// also shifts S down by one word: S := S / 2^17 + b A, then S := S + q M''.
/// Precondition: a half-iteration starts half clk1x cycles after that of the block to the left,
/// with the same operand.
/// Latency: 3 clk1x cycles from the memory's output to the addition.
/// Source: dsp48-2007, Figure 4; one adder replaces ADD_PU and ADD_VS, as each of the two
/// adds a word pair in only one half-iteration of two.
/// Example, half = 1, S = (5, 7), b = 2, A = (3, 1), next_low_i = 9: sum = (7 + 6, 9 + 2).
module montcore_dsp_block #(
    parameter int unsigned Pairs = 1,  // Word pairs of a region, r / 2 at the built width.
    /// 1: the block with the lowest words, which reads M' in place of RegionInverse.
    parameter bit First = 1'b0,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    localparam int unsigned Rows = 3 * Pairs,  // Rows of the operand memory: A, M'' and M.
    localparam int unsigned AddrBits = $clog2(Rows)
) (
    input logic clk_i,  // Clock of the adders (clk1x), or the only clock; rising edge.
    input logic tick_i,  // Clock enable of the logic at clk1x.
    input logic clk_fast_i,  // Clock of the DSP block (clk2x), or the only clock; rising edge.
    input logic phase_i,  // High in the second half of a clk1x cycle.
    input logic we_i,  // Write enable of the operand memory.
    input logic [AddrBits-1:0] waddr_i,  // Operand memory: row to write, valid with we_i.
    input logic [33:0] wdata_i,  // Operand memory: word pair to write, valid with we_i.
    input logic wzero_i,  // High: write zero instead of wdata_i.
    input logic keep_i,  // High: the sum is written to RegionA too; not while we_i is high.
    /// High: wdata_i is read in place of the memory's row, which it has not reached yet.
    input logic forward_i,
    input logic [33:0] inverse_i,  // M' mod 2^34.
    input logic [1:0] region_i,  // Region to read, `montcore_dsp_pkg::Region...`.
    input logic [SlotBits-1:0] fetch_slot_i,  // Index of the pair to read in its region.
    input logic load_i,  // High in the first cycle of a half-iteration: load operand_i.
    input logic [16:0] operand_i,  // Operand of the half-iteration, valid with load_i.
    /// Operand, one half-iteration later, for the block to the right.
    output logic [16:0] operand_o,
    input logic first_i,  // High: the next sum of the DSP block begins a half-iteration.
    /// Cascade from the block to the left, which carries its upper bits.
    input logic [47:0] cascade_i,
    output logic [47:0] cascade_o,  // Cascade to the block to the right.
    input logic add_i,  // High: a product pair is added to S.
    input logic stay_i,  // High: S is not shifted by this half-iteration.
    input logic fresh_i,  // High: S counts as zero in this addition.
    input logic [SlotBits-1:0] add_slot_i,  // Index of the pair that is added.
    /// Index of the pair of S whose low word is added; with a shift that of the next pair.
    input logic [SlotBits-1:0] low_slot_i,
    input logic add_first_i,  // High: the pair is the first of the half-iteration.
    input logic add_last_i,  // High: the pair is the last of the half-iteration.
    input logic single_i,  // High: a half-iteration has one pair only.
    input logic carry_i,  // Carry of the block to the left, held from its last half-iteration.
    output logic carry_o,  // Carry of this block, for the block to the right.
    /// Lowest word of S in the block to the right, as computed in this cycle.
    input logic [16:0] next_new_i,
    /// The same word, held from the first pair of its last half-iteration.
    input logic [16:0] next_held_i,
    output logic [16:0] new_o,  // Lowest word of S in this block, as computed in this cycle.
    output logic [16:0] held_o,  // Lowest word of S in this block, held from the first pair.
    output logic [33:0] sum_o  // New pair of S, low word first.
);
  // Operand memory, and the path to the DSP block: a pair per clk1x cycle, a word per clk2x cycle.
  logic [16:0] sum_low, sum_high;
  logic [33:0] row, stored, pair, pair_q, wdata;
  logic [AddrBits-1:0] raddr, waddr;
  logic [16:0] a_q, b_q, operand_q;

  always_comb begin
    unique case (region_i)
      montcore_dsp_pkg::RegionA: raddr = AddrBits'(fetch_slot_i);
      montcore_dsp_pkg::RegionScaled: raddr = AddrBits'(Pairs) + AddrBits'(fetch_slot_i);
      default: raddr = AddrBits'(2 * Pairs) + AddrBits'(fetch_slot_i);
    endcase
  end
  assign waddr = keep_i ? AddrBits'(add_slot_i) : waddr_i;
  assign wdata = keep_i ? {sum_high, sum_low} : wdata_i;
  montcore_ram #(
      .Rows (Rows),
      .Width(34)
  ) u_operands (
      .clk_i,
      .we_i   ((we_i || keep_i) && tick_i),
      .wzero_i,
      .waddr_i(waddr),
      .wdata_i(wdata),
      .raddr_i(raddr),
      .rdata_o(stored)
  );
  assign row = forward_i ? wdata_i : stored;
  if (First) begin : g_first
    assign pair = (region_i == montcore_dsp_pkg::RegionInverse) ? inverse_i : row;
  end else begin : g_others
    logic unused_inverse;
    assign pair = row;
    assign unused_inverse = ^inverse_i;
  end
  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      pair_q <= pair;
      if (load_i) operand_q <= operand_i;
    end
  end
  assign operand_o = operand_q;

  logic [47:0] p;
  always_ff @(posedge clk_fast_i) begin
    a_q <= phase_i ? pair_q[33:17] : pair_q[16:0];
    b_q <= operand_q;
  end
  montcore_mul_add #(
      .Tech  (Tech),
      .Source(montcore_mul_add_pkg::AddOwn)
  ) u_mul_add (
      .clk_i(clk_fast_i),
      .a_i(a_q),
      .b_i(b_q),
      .first_i,
      .carry_i(1'b0),
      .cascade_i,
      .p_o(p),
      .cascade_o
  );
  logic [16:0] p_low_q;
  logic [33:0] product_q;
  logic unused_carry;
  assign unused_carry = ^p[47:17];
  always_ff @(posedge clk_fast_i) p_low_q <= p[16:0];
  always_ff @(posedge clk_i) if (tick_i) product_q <= {p[16:0], p_low_q};

  // S: low and high words in separate memories, since S is shifted by one word.
  logic [16:0] s_low, s_high, add_low, add_high, first_low_q;
  logic carry_q, carry_in, carry_out;

  // Memories of S: distributed RAM on an FPGA, otherwise small memories of flip-flops or macros.
  localparam bit LutRam = Tech >= montcore_pkg::TechFpga;
  // Index 0 is the low word, which has a read address of its own.
  logic [1:0][16:0] s, sums;
  logic [1:0][SlotBits-1:0] read;
  assign {s_high, s_low} = s;
  assign sums = {sum_high, sum_low};
  assign read = {add_slot_i, low_slot_i};
  for (genvar k = 0; k < 2; k++) begin : g_word
    if (LutRam && Pairs > 1) begin : g_lut_ram
      montcore_ram_macro #(
          .Rows (Pairs),
          .Width(17)
      ) u_words (
          .clk_i,
          .we_i   (add_i && tick_i),
          .waddr_i(add_slot_i),
          .wdata_i(sums[k]),
          .raddr_i(read[k]),
          .rdata_o(s[k])
      );
    end else begin : g_ram
      montcore_ram #(
          .Rows (Pairs),
          .Width(17)
      ) u_words (
          .clk_i,
          .we_i   (add_i && tick_i),
          .wzero_i(1'b0),
          .waddr_i(add_slot_i),
          .wdata_i(sums[k]),
          .raddr_i(read[k]),
          .rdata_o(s[k])
      );
    end
  end

  // At most one word of S is selected: AND-OR logic takes fewer tables than a multiplexer. The word
  // that the block to the right computes in this cycle arrives last and has the shortest path.
  logic stay, move, enter;
  logic [16:0] kept;
  assign stay = !fresh_i && stay_i;
  assign move = !fresh_i && !stay_i;
  assign enter = move && add_last_i;
  assign add_low = (s_low & {17{stay}}) | (s_high & {17{move}});
  assign kept = (s_high & {17{stay}}) | (s_low & {17{move && !add_last_i}}) |
                (next_held_i & {17{enter && !single_i}});
  assign add_high = kept | (next_new_i & {17{enter && single_i}});
  assign carry_in = add_first_i ? carry_i : carry_q;
  if (Tech >= montcore_pkg::TechFpga) begin : g_chains
    // One chain for both words: with two the carry would leave the chain and enter it again. An
    // extra bit at its lower end is the carry in.
    logic unused_low;
    assign {carry_out, sum_high, sum_low, unused_low} = {1'b0, product_q, 1'b1} +
                                                        {1'b0, add_high, add_low, carry_in};
  end else begin : g_adders
    logic carry_mid;
    assign {carry_mid, sum_low}  = {1'b0, product_q[16:0]} + {1'b0, add_low} + 18'(carry_in);
    assign {carry_out, sum_high} = {1'b0, product_q[33:17]} + {1'b0, add_high} + 18'(carry_mid);
  end

  always_ff @(posedge clk_i) begin
    if (tick_i && add_i) begin
      carry_q <= carry_out;
      if (add_first_i) first_low_q <= sum_low;
    end
  end
  assign carry_o = carry_q;
  assign new_o   = sum_low;
  assign held_o  = first_low_q;
  assign sum_o   = {sum_high, sum_low};
endmodule
