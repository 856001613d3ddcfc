// SPDX-License-Identifier: Apache-2.0

/// Compares a number in redundant form with M and 2 M, for FPGAs: short chains, joined in a second
/// cycle.
///
/// at_least_1_o = (S >= M), at_least_2_o = (S >= 2 M), S = sum over all slots of words + carries, the
/// top above the last slot included; the sign of the difference is that of its TopBits.
/// Precondition: as `montcore_smm_fast_compare`; slot_i marks the slots of a result, in order.
/// Latency: 1 cycle after the last slot (from registers through the joining logic), then stable
/// until the first slot of the next result.
/// The carry out of a block of bits is -1, 0 or 1, and so is the carry in: each block is computed
/// for all three in parallel.
/// Example, SlotBits = 4, one slot, words + carries = 9, M = 7: outputs 1, 0.
module montcore_smm_fast_compare_blocks #(
    parameter int unsigned SlotBits = 128,  // Width of a slot in bits.
    parameter int unsigned TopBits = 36,  // Bits above the last slot, with the sign.
    /// Width of a block in bits, even; longer chains would limit the clock frequency.
    parameter int unsigned BlockBits = 128,
    parameter bit OneSlot = 1'b0,  // 1: a result has a single slot.
    /// Width of a slot and of the part above it.
    localparam int unsigned TotalBits = SlotBits + TopBits
) (
    input logic clk_i,
    input logic first_i,  // High: the slot is the first one of a result.
    input logic slot_i,  // High: the slot belongs to a result.
    /// Words of the slot; above them the top word, in the last slot.
    input logic [TotalBits-1:0] words_i,
    input logic [TotalBits-1:0] carries_i,  // Carries to be added to words_i.
    input logic [1:0][TotalBits-1:0] multiples_i,  // M and 2 M, aligned with words_i.
    output logic at_least_1_o,  // High: S is at least M.
    output logic at_least_2_o  // High: S is at least 2 M.
);
  localparam int unsigned Blocks = (SlotBits + BlockBits - 1) / BlockBits;

  // Carry in -1, 0, 1: index 0, 1, 2. words + carries + complement is the difference of the block plus
  // 2^Bits - 1. Its carry is split over two bits, crossing_q and carry_q, whose sum is 1 more than the
  // carry out.
  logic [Blocks:0][1:0] crossing_q;
  logic [Blocks:0][1:0][2:0] carry_q;
  logic [1:0][2:0] answers;

  for (genvar b = 0; b <= Blocks; b++) begin : g_block
    localparam int unsigned Low = (b == Blocks) ? SlotBits : b * BlockBits;
    localparam int unsigned High = (b == Blocks) ? TotalBits :
        (b == Blocks - 1) ? SlotBits : (b + 1) * BlockBits;
    localparam int unsigned Bits = High - Low;

    for (genvar i = 0; i < 2; i++) begin : g_multiple
      logic [Bits:0] sum, carry;
      montcore_csa #(
          .Width(Bits + 1)
      ) u_csa (
          .a_i    ({1'b0, words_i[High-1:Low]}),
          .b_i    ({1'b0, carries_i[High-1:Low]}),
          .c_i    ({1'b0, ~multiples_i[i][High-1:Low]}),
          .sum_o  (sum),
          .carry_o(carry)
      );
      if (b == Blocks) begin : g_sign
        // Of the top only the sign matters, which is the highest bit. Bit 0 of a carry vector is unused.
        logic [Bits-2:0] unused_less, unused_same, unused_more;
        logic less, same, more;
        logic [1:0] unused_ends;
        assign {less, unused_less} = sum[Bits-1:0] + carry[Bits-1:0];
        assign {same, unused_same, unused_ends[0]} = {sum[Bits-1:0], 1'b1} +
                                                     {carry[Bits-1:0], 1'b1};
        assign {more, unused_more, unused_ends[1]} = {sum[Bits-1:0], 1'b1} +
                                                     {carry[Bits-1:1], 1'b1, 1'b1};
        assign answers[i] = ~{more, same, less};
        always_ff @(posedge clk_i) if (slot_i) carry_q[b][i] <= answers[i];
      end else begin : g_borrow
        // Two bits of the sum form one bit of the carry chain: generate, and generate or propagate.
        localparam int unsigned Pairs = Bits / 2;
        logic [Pairs:0] unused_less, unused_same, unused_more;
        logic [Pairs-1:0] always_out, with_in;
        logic [Pairs-1:0] more_always_out, more_with_in;
        logic less, same, more;
        logic [1:0] unused_ends;
        for (genvar j = 0; j < Pairs; j++) begin : g_pair
          logic both, any;
          assign both = sum[2*j+1] & carry[2*j+1];
          assign any = sum[2*j+1] | carry[2*j+1];
          assign always_out[j] = both | (any & sum[2*j] & carry[2*j]);
          assign with_in[j] = both | (any & (sum[2*j] | carry[2*j]));
          if (j == 0) begin : g_two_in
            // Bit 0 of a carry vector is unused: the further 1 is inserted there.
            assign more_always_out[0] = both | (any & sum[0]);
            assign more_with_in[0] = any;
          end else begin : g_same
            assign more_always_out[j] = always_out[j];
            assign more_with_in[j] = with_in[j];
          end
        end
        // If a result is a single slot, the highest block already selects, at the end of its chain, between two
        // answers of the top: a larger carry in never makes the difference smaller.
        logic if_carry, if_none;
        if (OneSlot && b == Blocks - 1) begin : g_answer
          assign if_carry = carry[Bits] ? answers[i][2] : answers[i][1];
          assign if_none  = carry[Bits] ? answers[i][1] : answers[i][0];
        end else begin : g_carry
          assign if_carry = 1'b1;
          assign if_none  = 1'b0;
        end
        assign {less, unused_less} = {1'b0, if_carry, always_out} + {1'b0, if_none, with_in};
        assign {same, unused_same, unused_ends[0]} = {1'b0, if_carry, always_out, 1'b1} +
                                                     {1'b0, if_none, with_in, 1'b1};
        assign {more, unused_more, unused_ends[1]} = {1'b0, if_carry, more_always_out, 1'b1} +
                                                     {1'b0, if_none, more_with_in, 1'b1};
        always_ff @(posedge clk_i) if (slot_i) carry_q[b][i] <= {more, same, less};
      end
      always_ff @(posedge clk_i) if (slot_i) crossing_q[b][i] <= carry[Bits];
      logic unused_sum;
      assign unused_sum = ^{sum[Bits], carry[0]};
    end
  end

  // Joins the blocks. A number from {-1, 0, 1} is coded as {1 or more, 0 or more}.
  logic first_q;
  logic [1:0][1:0] state_q;
  logic [1:0] at_least;
  always_ff @(posedge clk_i) if (slot_i) first_q <= first_i;
  for (genvar i = 0; i < 2; i++) begin : g_join
    logic [Blocks:0][1:0] passing;
    if (OneSlot) begin : g_only
      assign passing[0] = 2'b01;
    end else begin : g_from_below
      assign passing[0] = first_q ? 2'b01 : state_q[i];
    end
    for (genvar b = 0; b < Blocks; b++) begin : g_pass
      logic [2:0] one, none;  // carry out is 1; carry out is 0 or more
      assign one  = carry_q[b][i] & {3{crossing_q[b][i]}};
      assign none = carry_q[b][i] | {3{crossing_q[b][i]}};
      if (OneSlot && b == 0) begin : g_lowest
        logic unused_others;
        assign passing[1] = {one[1], none[1]};
        assign unused_others = ^{one[2], one[0], none[2], none[0]};
      end else begin : g_above
        // A larger carry in never makes the carry out smaller.
        assign passing[b+1][1] = one[0] | (one[1] & passing[b][0]) | (one[2] & passing[b][1]);
        assign passing[b+1][0] = none[0] | (none[1] & passing[b][0]) | (none[2] & passing[b][1]);
      end
    end
    // The top wraps around: exactly one of its three answers is right.
    localparam int unsigned Last = OneSlot ? Blocks - 1 : Blocks;
    assign at_least[i] = passing[Last][1] ? carry_q[Last][i][2] :
        passing[Last][0] ? carry_q[Last][i][1] : carry_q[Last][i][0];
    // Carry out of the previous slots: loaded with the next slot.
    always_ff @(posedge clk_i) if (slot_i) state_q[i] <= passing[Blocks];
  end
  assign {at_least_2_o, at_least_1_o} = at_least;
  logic unused_join;
  assign unused_join = ^{first_q, state_q, crossing_q[Blocks], carry_q[Blocks]};
endmodule
