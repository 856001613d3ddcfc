// SPDX-License-Identifier: Apache-2.0

/// Compares the result S < 3 M, in the redundant form of the array, with M and 2 M.
///
/// at_least_1_o = (S >= M), at_least_2_o = (S >= 2 M), where S * 2^WordBits is the sum of all words
/// of T, carries included, in slots of NumPe words, the top word with the last slot.
/// Precondition: 0 <= S < 3 M < 2^(2 + words * WordBits); word 0 of T is 0 except for its carry.
/// Latency: 1 cycle after the last slot, which take_i marks; then stable.
/// Example, NumPe = 1, WordBits = 4, M = 7: words of T 0x00, top 9 -> S = 9: outputs 1, 0.
module montcore_smm_fast_compare #(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SumBits = WordBits + montcore_smm_fast_pkg::carry_bits(WordBits, Tech)
) (
    input logic clk_i,
    input logic first_i,  // High: the slot is the first one of a result.
    input logic slot_i,  // High: the slot belongs to a result.
    input logic take_i,  // High: last slot of a result; the answer is stored.
    input logic [NumPe-1:0][SumBits-1:0] sum_i,  // Row of T, in redundant form.
    input logic [SumBits-1:0] top_i,  // Top word of T, with the last slot.
    /// Row of M; its weight is one word higher than that of the row of T.
    input logic [NumPe-1:0][WordBits-1:0] m_i,
    output logic at_least_1_o,  // High: S is at least M; stable after take_i.
    output logic at_least_2_o  // High: S is at least 2 M; stable after take_i.
);
  localparam int unsigned SlotBits = NumPe * WordBits;
  // The top word of S - 2 M is between -2^(WordBits + 2) and 2^(WordBits + 2).
  localparam int unsigned TotalBits = SlotBits + SumBits + 1;

  logic [WordBits-1:0] m_edge_q;
  logic m_below_q;
  logic [SumBits-WordBits-1:0] carry_edge_q;
  logic [TotalBits-1:0] words, carries, m_once, m_twice;

  for (genvar k = 0; k < NumPe; k++) begin : g_word
    assign words[k*WordBits+:WordBits] = sum_i[k][WordBits-1:0];
    if (k == 0) begin : g_edge
      assign carries[WordBits-1:0] = first_i ? '0 : WordBits'(carry_edge_q);
      assign m_once[WordBits-1:0]  = first_i ? '0 : m_edge_q;
    end else begin : g_inner
      assign carries[k*WordBits+:WordBits] = WordBits'(sum_i[k-1][SumBits-1:WordBits]);
      assign m_once[k*WordBits+:WordBits]  = m_i[k-1];
    end
  end
  // Before the last slot the top word has no meaning, and may be unknown in a four-state simulator.
  // Older Verilators (5.006) give the operands the width of the cast, one bit above their own.
  // verilator lint_off WIDTH
  assign words[TotalBits-1:SlotBits] = (SumBits + 1)'(top_i & {SumBits{Rows == 1 || take_i}});
  // verilator lint_on WIDTH
  assign carries[TotalBits-1:SlotBits] = (SumBits + 1)'(sum_i[NumPe-1][SumBits-1:WordBits]);
  assign m_once[TotalBits-1:SlotBits] = (SumBits + 1)'(m_i[NumPe-1]);
  assign m_twice = {m_once[TotalBits-2:0], ~first_i & m_below_q};

  always_ff @(posedge clk_i) begin
    m_edge_q     <= m_i[NumPe-1];
    m_below_q    <= m_once[SlotBits-1];
    carry_edge_q <= sum_i[NumPe-1][SumBits-1:WordBits];
  end

  // The carry from the slot into the top word goes to the next slot; the sign, which matters in
  // the last slot only, is the answer.
  logic [1:0][TotalBits-1:0] multiples;
  assign multiples[0] = m_once;
  assign multiples[1] = m_twice;

  if (montcore_pkg::has_tiles(Tech)) begin : g_blocks
    montcore_smm_fast_compare_blocks #(
        .SlotBits(SlotBits),
        .TopBits(SumBits + 1),
        // Where the other paths are shorter too, a third block per 256 bits pays: the blocks are joined in the next
        // cycle, which has time for it.
        .BlockBits(Rows == 1 && montcore_smm_fast_pkg::registered_tiles(WordBits, Tech) ? 96 : 128),
        .OneSlot(Rows == 1)
    ) u_blocks (
        .clk_i,
        .first_i,
        .slot_i,
        .words_i    (words),
        .carries_i  (carries),
        .multiples_i(multiples),
        .at_least_1_o,
        .at_least_2_o
    );
  end else begin : g_at_once
    logic [1:0] at_least_q;
    logic [1:0][TotalBits-1:0] differences;
    logic unused_slot;
    assign unused_slot = slot_i;

    if (Tech == montcore_pkg::TechAsic) begin : g_tree
      for (genvar i = 0; i < 2; i++) begin : g_multiple
        logic [TotalBits-1:0] tree_sum, tree_carry;
        logic chain_q, majority_q;

        montcore_csa #(
            .Width(TotalBits)
        ) u_csa (
            .a_i    (words),
            .b_i    (carries),
            .c_i    (~multiples[i]),
            .sum_o  (tree_sum),
            .carry_o(tree_carry)
        );
        // Two carries are possible; bit 0 of a carry vector is always free for the second one.
        assign differences[i] = tree_sum + (tree_carry | TotalBits'(!first_i && majority_q))
                                + TotalBits'(first_i || chain_q);
        always_ff @(posedge clk_i) begin
          majority_q <= tree_carry[SlotBits];
          chain_q    <= differences[i][SlotBits] ^ tree_sum[SlotBits] ^ tree_carry[SlotBits];
        end
      end
    end else begin : g_chain
      // The redundant words are added once, for both differences.
      logic [TotalBits-1:0] whole;
      logic whole_q;

      montcore_sum #(
          .Rows (2),
          .Width(TotalBits),
          .Tree (1'b0)
      ) u_whole (
          .rows_i ({carries, words}),
          .carry_i(!first_i && whole_q),
          .sum_o  (whole)
      );
      always_ff @(posedge clk_i) whole_q <= whole[SlotBits] ^ words[SlotBits] ^ carries[SlotBits];

      for (genvar i = 0; i < 2; i++) begin : g_multiple
        logic chain_q;

        montcore_sum #(
            .Rows (2),
            .Width(TotalBits),
            .Tree (1'b0)
        ) u_difference (
            .rows_i ({~multiples[i], whole}),
            .carry_i(first_i || chain_q),
            .sum_o  (differences[i])
        );
        always_ff @(posedge clk_i) begin
          chain_q <= ~(differences[i][SlotBits] ^ whole[SlotBits] ^ multiples[i][SlotBits]);
        end
      end
    end

    for (genvar i = 0; i < 2; i++) begin : g_answer
      logic unused_difference;
      assign unused_difference = ^differences[i][TotalBits-2:0];
      always_ff @(posedge clk_i) if (take_i) at_least_q[i] <= ~differences[i][TotalBits-1];
    end
    assign {at_least_2_o, at_least_1_o} = at_least_q;
  end
endmodule
