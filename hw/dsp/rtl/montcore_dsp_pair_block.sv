// SPDX-License-Identifier: Apache-2.0

/// One block of a row for two operations, 0 and 1: `montcore_dsp_block` with an operand memory
/// and a bank of S for each.
///
/// A half-iteration of one operation multiplies one operand word by the 2 half words of one memory
/// region of that operation, or by a part of them (`montcore_dsp_pair_lockstep`), and adds the
/// product to its bank of S, shifted down by a word or not. The next half-iteration
/// may be one of the other operation.
/// Precondition: a half-iteration starts half clk1x cycles after that of the block to the left,
/// with the same operands.
/// Latency: 3 clk1x cycles from the memory's output to the addition.
/// Source: dsp48-2007, Figure 4.
/// A part of the lower triangle ends in this block if hold_i: its carry waits for the
/// half-iteration with M'' of operation 1, where the block to the right adds it to its product.
/// Example, half = 1, S of 1 = (5, 7), b = 2, A of 1 = (3, 1), next_held_i = 9: sum = (13, 11).
module montcore_dsp_pair_block #(
    parameter int unsigned Pairs = 1,  // Word pairs of a region, r / 2 at the built width.
    /// 1: the block with the lowest words, which reads M' in place of RegionInverse.
    parameter bit First = 1'b0,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    localparam int unsigned Rows = 3 * Pairs,  // Rows of an operand memory: A, M'' and M.
    localparam int unsigned AddrBits = $clog2(Rows)
) (
    input logic clk_i,  // Clock of the adders (clk1x), or the only clock; rising edge.
    input logic tick_i,  // Clock enable of the logic at clk1x.
    input logic clk_fast_i,  // Clock of the DSP block (clk2x), or the only clock; rising edge.
    input logic phase_i,  // High in the second half of a clk1x cycle.
    input logic clear_i,
    input logic [1:0] we_i,  // Of both operand memories: write enable.
    /// Of both operand memories: row to write, valid with we_i.
    input logic [1:0][AddrBits-1:0] waddr_i,
    /// Of both operand memories: word pair to write, valid with we_i.
    input logic [1:0][33:0] wdata_i,
    input logic wzero_i,  // High: write zero instead of wdata_i.
    input logic [1:0][33:0] inverse_i,  // Of both: M' mod 2^34.
    input logic read_second_i,  // Operation whose memory is read, and whose operand is used.
    input logic [1:0] region_i,  // Region to read, `montcore_dsp_pkg::Region...`.
    input logic [SlotBits-1:0] fetch_slot_i,  // Index of the pair to read in its region.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic none_i,  // High: the block has no part of the half-iteration.
    input logic edge_i,  // High: the border of a part is in this block.
    input logic near_i,  // High: it is in the neighbour.
    input logic [SlotBits:0] word_i,  // Word of the border in its block.
    input logic above_i,  // Top bit of the word of A below the operand of 1.
    input logic load_i,  // High in the first cycle of a half-iteration: load operands_i.
    input logic [1:0][16:0] operands_i,  // Operands of both, valid with load_i.
    /// Operands, one half-iteration later, for the block to the right.
    output logic [1:0][16:0] operands_o,
    input logic first_i,  // High: the next sum of the DSP block begins a half-iteration.
    /// High: the carry that the block to the left holds is added to the product that begins then;
    /// sampled with the fetch of its first pair.
    input logic inject_i,
    input logic held_carry_i,  // Carry held by the block to the left.
    /// Carry of the last part of the lower triangle, if it ended in this block.
    output logic held_carry_o,
    /// Cascade from the block to the left, which carries its upper bits.
    input logic [47:0] cascade_i,
    output logic [47:0] cascade_o,  // Cascade to the block to the right.
    /// High: a product pair is added to S. The inputs from here on belong to this addition.
    input logic add_i,
    input logic second_i,  // Bank of S.
    input logic stay_i,  // High: S is not shifted by this half-iteration.
    input logic fresh_i,  // High: S counts as zero.
    /// High: the sums are written to RegionA; not while the same memory is written.
    input logic keep_i,
    input logic complete_i,  // High: the half-iteration completes an iteration.
    input logic ends_i,  // High: no iteration of the operation follows.
    input logic hold_i,  // High: a part of the lower triangle ends in this block.
    input logic lower_i,  // High: a part of the lower triangle, which ends here or farther right.
    input logic [SlotBits-1:0] add_slot_i,  // Index of the pair that is added.
    input logic add_first_i,  // High: the pair is the first of the half-iteration.
    input logic add_last_i,  // High: the pair is the last of the half-iteration.
    input logic carry_i,  // Carry of the block to the left, of its last half-iteration.
    output logic carry_o,  // Carry of this block, for the block to the right.
    /// High: the word that moves in from the right is computed in this cycle.
    input logic next_is_new_i,
    /// Lowest word of S in the block to the right, as computed in this cycle.
    input logic [16:0] next_new_i,
    /// The same word of this operation, held from the half-iteration that completed an iteration.
    input logic [16:0] next_held_i,
    output logic [16:0] new_o,  // Lowest word of S in this block, as computed in this cycle.
    output logic [1:0][16:0] held_o,  // Of both: lowest word of S in this block, held.
    output logic [33:0] sum_o  // New pair of S, low word first.
);
  // ---- multiplicands and operand: a pair per clk1x cycle, a word per clk2x cycle ------------------
  logic [1:0][33:0] rows;
  logic [1:0][16:0] operands_q;
  logic [16:0] sum_low, sum_high, a_q, b_q, operand;
  logic [33:0] row, pair, part, pair_q;
  logic [AddrBits-1:0] raddr;
  logic second_q;

  always_comb begin
    unique case (region_i)
      montcore_dsp_pkg::RegionA: raddr = AddrBits'(fetch_slot_i);
      montcore_dsp_pkg::RegionScaled: raddr = AddrBits'(Pairs) + AddrBits'(fetch_slot_i);
      default: raddr = AddrBits'(2 * Pairs) + AddrBits'(fetch_slot_i);
    endcase
  end
  for (genvar k = 0; k < 2; k++) begin : g_memory
    logic keep;
    assign keep = keep_i && second_i == 1'(k);
    montcore_ram #(
        .Rows (Rows),
        .Width(34)
    ) u_operands (
        .clk_i,
        .we_i   ((we_i[k] || keep) && tick_i),
        .wzero_i,
        .waddr_i(keep ? AddrBits'(add_slot_i) : waddr_i[k]),
        .wdata_i(keep ? {sum_high, sum_low} : wdata_i[k]),
        .raddr_i(raddr),
        .rdata_o(rows[k])
    );
  end
  assign row = rows[read_second_i];
  if (First) begin : g_first
    assign pair = (region_i == montcore_dsp_pkg::RegionInverse) ? inverse_i[read_second_i] : row;
  end else begin : g_others
    logic unused_inverse;
    assign pair = row;
    assign unused_inverse = ^inverse_i;
  end
  assign operand = load_i ? operands_i[read_second_i] : operands_q[read_second_i];
  montcore_dsp_pair_lockstep #(
      .SlotBits(SlotBits)
  ) u_lockstep (
      .pair_i   (pair),
      .slot_i   (fetch_slot_i),
      .last_slot_i,
      .none_i,
      .lower_i  (read_second_i),
      .edge_i,
      .near_i,
      .word_i,
      .operand_i(operand),
      .above_i  (above_i && read_second_i),
      .pair_o   (part)
  );
  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      pair_q <= part;
      if (load_i) begin
        operands_q <= operands_i;
        second_q   <= read_second_i;
      end
    end
  end
  assign operands_o = operands_q;

  logic [47:0] p;
  logic [ 1:0] inject_q;
  always_ff @(posedge clk_i) if (tick_i) inject_q <= {inject_q[0], inject_i};
  always_ff @(posedge clk_fast_i) begin
    a_q <= phase_i ? pair_q[33:17] : pair_q[16:0];
    b_q <= operands_q[second_q];
  end
  montcore_mul_add #(
      .Tech  (Tech),
      .Source(montcore_mul_add_pkg::AddCarry)
  ) u_mul_add (
      .clk_i  (clk_fast_i),
      .a_i    (a_q),
      .b_i    (b_q),
      .first_i,
      .carry_i(inject_q[1] && held_carry_i),
      .cascade_i,
      .p_o    (p),
      .cascade_o
  );
  logic [16:0] p_low_q;
  logic [33:0] product_q;
  logic unused_carry;
  assign unused_carry = ^p[47:17];
  always_ff @(posedge clk_fast_i) p_low_q <= p[16:0];
  always_ff @(posedge clk_i) if (tick_i) product_q <= {p[16:0], p_low_q};

  // ---- S: low and high words in separate memories, since S is shifted by one word -----------------
  localparam int unsigned SumBits = $clog2(2 * Pairs);
  logic [16:0] s_low, s_high, add_low, add_high;
  logic [1:0][16:0] first_low_q;
  logic [SumBits-1:0] sum_addr, low_addr;
  logic [SlotBits-1:0] low_slot;
  logic stay, carry_q, carry_in, carry_out, held_carry_q;

  assign stay     = stay_i || clear_i;
  assign low_slot = stay ? add_slot_i : add_last_i ? '0 : add_slot_i + 1;
  if (Pairs == 1) begin : g_one_slot
    logic unused_slot;
    assign sum_addr = second_i;
    assign low_addr = second_i;
    assign unused_slot = ^low_slot;
  end else begin : g_slots
    assign sum_addr = SumBits'(add_slot_i) + (second_i ? SumBits'(Pairs) : '0);
    assign low_addr = SumBits'(low_slot) + (second_i ? SumBits'(Pairs) : '0);
  end

  // Distributed RAM on an FPGA, otherwise small memories of flip-flops or macros.
  // Index 0 is the low word, which has a read address of its own.
  logic [1:0][16:0] s, sums;
  logic [1:0][SumBits-1:0] read;
  assign {s_high, s_low} = s;
  assign sums = {sum_high, sum_low};
  assign read = {sum_addr, low_addr};
  for (genvar k = 0; k < 2; k++) begin : g_word
    if (Tech >= montcore_pkg::TechFpga) begin : g_lut_ram
      montcore_ram_macro #(
          .Rows (2 * Pairs),
          .Width(17)
      ) u_words (
          .clk_i,
          .we_i   (add_i && tick_i),
          .waddr_i(sum_addr),
          .wdata_i(sums[k]),
          .raddr_i(read[k]),
          .rdata_o(s[k])
      );
    end else begin : g_ram
      montcore_ram #(
          .Rows (2 * Pairs),
          .Width(17)
      ) u_words (
          .clk_i,
          .we_i   (add_i && tick_i),
          .wzero_i(1'b0),
          .waddr_i(sum_addr),
          .wdata_i(sums[k]),
          .raddr_i(read[k]),
          .rdata_o(s[k])
      );
    end
  end

  // At most one word of S is selected: AND-OR logic takes fewer tables than a multiplexer.
  logic same, move, enter;
  logic [16:0] kept;
  assign same = stay && !fresh_i && !clear_i;
  assign move = !stay && !fresh_i && !clear_i;
  assign enter = move && add_last_i;
  assign add_low = (s_low & {17{same}}) | (s_high & {17{move}});
  assign kept = (s_high & {17{same}}) | (s_low & {17{move && !add_last_i}}) |
                (next_held_i & {17{enter && !next_is_new_i}});
  assign add_high = kept | (next_new_i & {17{enter && next_is_new_i}});
  assign carry_in = add_first_i ? carry_i : carry_q;
  if (Tech >= montcore_pkg::TechFpga) begin : g_chains
    // One chain for both words; an extra bit at its lower end is the carry in.
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
      // After an operation the bank is empty: a triangle does not reach every block at once.
      if (add_first_i && complete_i) first_low_q[second_i] <= sum_low & {17{!ends_i}};
      if (add_last_i && lower_i) held_carry_q <= carry_out && hold_i;
    end
    if (clear_i) begin
      first_low_q  <= '0;
      held_carry_q <= 1'b0;
    end
  end
  assign carry_o = carry_q;
  assign held_carry_o = held_carry_q;
  assign new_o = sum_low;
  assign held_o = first_low_q;
  assign sum_o = {sum_high, sum_low};
endmodule
