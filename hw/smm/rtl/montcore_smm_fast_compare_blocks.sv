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
/// for all three in parallel. Each block stores the carry of its sum and whether the difference
/// borrows.
/// Example, SlotBits = 4, one slot, words + carries = 9, M = 7: outputs 1, 0.
module montcore_smm_fast_compare_blocks #(
    /// Width of a slot in bits.
    parameter int unsigned SlotBits = 128,
    /// Bits above the last slot, with the sign.
    parameter int unsigned TopBits = 36,
    /// 1: a result has a single slot.
    parameter bit OneSlot = 1'b0,
    /// Width of a slot and of the part above it (do not change).
    localparam int unsigned TotalBits = SlotBits + TopBits
) (
    /// Clock, rising edge.
    input  logic                                clk_i,
    /// High: the slot is the first one of a result.
    input  logic                                first_i,
    /// High: the slot belongs to a result.
    input  logic                                slot_i,
    /// Words of the slot; above them the top word, in the last slot.
    input  logic [TotalBits-1:0]                words_i,
    /// Carries to be added to words_i.
    input  logic [TotalBits-1:0]                carries_i,
    /// M and 2 M, aligned with words_i.
    input  logic [          1:0][TotalBits-1:0] multiples_i,
    /// High: S is at least M.
    output logic                                at_least_1_o,
    /// High: S is at least 2 M.
    output logic                                at_least_2_o
);
  // Longer chains would limit the clock frequency.
  localparam int unsigned BlockBits = 128;
  localparam int unsigned Blocks = (SlotBits + BlockBits - 1) / BlockBits;

  // Carry in -1, 0, 1: index 0, 1, 2. No borrow: the difference of the block is not negative.
  logic [Blocks:0][2:1] sum_carry_q;
  logic [Blocks:0][1:0][2:0] no_borrow_q;

  for (genvar b = 0; b <= Blocks; b++) begin : g_block
    localparam int unsigned Low = (b == Blocks) ? SlotBits : b * BlockBits;
    localparam int unsigned High = (b == Blocks) ? TotalBits :
        (b == Blocks - 1) ? SlotBits : (b + 1) * BlockBits;
    localparam int unsigned Bits = High - Low;

    logic [Bits-1:0] words, carries, whole, whole_more;
    logic carry, carry_more, unused_bit;
    assign words = words_i[High-1:Low];
    assign carries = carries_i[High-1:Low];
    assign {carry, whole} = {1'b0, words} + {1'b0, carries};
    assign {carry_more, whole_more, unused_bit} = {1'b0, words, 1'b1} + {1'b0, carries, 1'b1};
    always_ff @(posedge clk_i) if (slot_i) sum_carry_q[b] <= {carry_more, carry};

    for (genvar i = 0; i < 2; i++) begin : g_multiple
      logic [Bits-1:0] complement, unused_less, unused_same, unused_more;
      logic less, same, more;
      logic [1:0] unused_ends;
      assign complement = ~multiples_i[i][High-1:Low];
      assign {less, unused_less} = {1'b0, whole} + {1'b0, complement};
      assign {same, unused_same, unused_ends[0]} = {1'b0, whole, 1'b1} + {1'b0, complement, 1'b1};
      assign {more, unused_more, unused_ends[1]} = {1'b0, whole_more, 1'b1} +
                                                   {1'b0, complement, 1'b1};
      if (b == Blocks) begin : g_sign
        // Of the top only the sign matters, which is the highest bit.
        always_ff @(posedge clk_i) begin
          if (slot_i) begin
            no_borrow_q[b][i] <= {~unused_more[Bits-1], ~unused_same[Bits-1], ~unused_less[Bits-1]};
          end
        end
        logic unused_top;
        assign unused_top = ^{less, same, more};
      end else begin : g_borrow
        always_ff @(posedge clk_i) if (slot_i) no_borrow_q[b][i] <= {more, same, less};
      end
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
      assign one[0] = sum_carry_q[b][1] & no_borrow_q[b][i][0];
      assign one[1] = sum_carry_q[b][1] & no_borrow_q[b][i][1];
      assign one[2] = sum_carry_q[b][2] & no_borrow_q[b][i][2];
      assign none[0] = sum_carry_q[b][1] | no_borrow_q[b][i][0];
      assign none[1] = sum_carry_q[b][1] | no_borrow_q[b][i][1];
      assign none[2] = sum_carry_q[b][2] | no_borrow_q[b][i][2];
      // A larger carry in never makes the carry out smaller.
      assign passing[b+1][1] = one[0] | (one[1] & passing[b][0]) | (one[2] & passing[b][1]);
      assign passing[b+1][0] = none[0] | (none[1] & passing[b][0]) | (none[2] & passing[b][1]);
    end
    // The top wraps around: exactly one of its three answers is right.
    assign at_least[i] = passing[Blocks][1] ? no_borrow_q[Blocks][i][2] :
        passing[Blocks][0] ? no_borrow_q[Blocks][i][1] : no_borrow_q[Blocks][i][0];
    // Carry out of the previous slots: loaded with the next slot.
    always_ff @(posedge clk_i) if (slot_i) state_q[i] <= passing[Blocks];
  end
  assign {at_least_2_o, at_least_1_o} = at_least;
  logic unused_join;
  assign unused_join = ^{first_q, state_q, sum_carry_q[Blocks]};
endmodule
