// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_smm_fast_compare_blocks`, with short blocks.
///
/// a_once, a_twice: the cycle after the last slot, at_least_1_o and at_least_2_o say whether words + carries of
///   all slots, with the top above the last one, are at least M and at least 2 M, as integers.
/// The difference is within a quarter of what the bits hold, which is the precondition of
/// `montcore_smm_fast_compare`. Words, carries and multiples are arbitrary otherwise.
module smm_fast_compare_blocks_proof #(
    parameter bit OneSlot = 1'b1,  // 1: a result has a single slot; 0: two slots.
    parameter int unsigned SlotBits = 8,  // Width of a slot in bits.
    parameter int unsigned BlockBits = 4,  // Width of a block in bits, even.
    parameter int unsigned TopBits = 5,  // Bits above the last slot.
    /// Width of a slot and of the part above it.
    localparam int unsigned TotalBits = SlotBits + TopBits,
    localparam int unsigned Slots = OneSlot ? 1 : 2,  // Slots of a result.
    /// Width of a difference, as an integer.
    localparam int unsigned WideBits = Slots * SlotBits + TopBits + 2
) (
    input logic clk_i,
    input logic [TotalBits-1:0] words_i,  // Words of the slot.
    input logic [TotalBits-1:0] carries_i,  // Carries of the slot.
    input logic [1:0][TotalBits-1:0] multiples_i  // M and 2 M.
);
  logic [2:0] cycle_q = '0;
  always_ff @(posedge clk_i) cycle_q <= cycle_q + 3'(cycle_q != '1);
  logic slot, last;
  assign slot = 32'(cycle_q) < Slots;
  assign last = 32'(cycle_q) == Slots - 1;

  logic [1:0] at_least;
  montcore_smm_fast_compare_blocks #(
      .SlotBits (SlotBits),
      .TopBits  (TopBits),
      .BlockBits(BlockBits),
      .OneSlot  (OneSlot)
  ) u_dut (
      .clk_i,
      .first_i     (cycle_q == 0),
      .slot_i      (slot),
      .words_i,
      .carries_i,
      .multiples_i,
      .at_least_1_o(at_least[0]),
      .at_least_2_o(at_least[1])
  );

  // The difference so far. Above the slots that are not the last one nothing counts.
  logic [1:0][WideBits-1:0] sum_q, sum;
  logic [TotalBits-1:0] counted;
  assign counted = last ? '1 : TotalBits'({SlotBits{1'b1}});
  for (genvar i = 0; i < 2; i++) begin : g_multiple
    logic [WideBits-1:0] slot_sum;
    assign slot_sum = WideBits'(words_i & counted) + WideBits'(carries_i & counted) -
                      WideBits'(multiples_i[i] & counted);
    assign sum[i] = (cycle_q == 0) ? slot_sum : sum_q[i] + (slot_sum << SlotBits);
    always_ff @(posedge clk_i) if (slot) sum_q[i] <= sum[i];
    always_comb begin
      if (last) begin
        m_small :
        assume (sum[i][WideBits-1:WideBits-4] == '0 || sum[i][WideBits-1:WideBits-4] == '1);
      end
    end
  end

  logic reached;
  assign reached = 32'(cycle_q) == Slots;
  always_comb begin
    if (reached) begin
      // Mutant: the specification asks for more than M.
      a_once : assert (at_least[0] == (!sum_q[0][WideBits-1] && !(`MUTANT && sum_q[0] == '0)));
      a_twice : assert (at_least[1] == !sum_q[1][WideBits-1]);
      c_equal : cover (sum_q[0] == '0 && sum_q[1][WideBits-1]);
    end
  end
endmodule
