// SPDX-License-Identifier: Apache-2.0

/// The row of processing elements of the paper's schedule, with the storage of S.
///
/// Stage M (*_m_i): row_i times code_i into PP_reg; the row of S that the slot adds to is fetched.
/// Stage A (*_a_i): the adders; the new row goes to the memory, or stays for the next slot.
/// The passes after the last word of X use the same adders: Resolve makes every carry 0 or 1,
/// Subtract computes S - m, one cycle later restore_o gives its sign, Restore adds m again if it
/// was negative, and Correct adds the remaining carries. Each of the last three adds the single
/// carries that the previous pass has left, across the row, to the words as it reads them.
/// Precondition: a slot is at *_a_i one cycle after *_m_i; row_i in stage A of a
/// Subtract slot is its row of M.
/// Latency: 2 cycles from row_i to sum_o's row.
/// Source: smm-2021, Figures 2 and 3, steps 7 to 30.
/// Example, NumPe = 2, WordBits = 4: SlotPlq, code of 3, row 0x67 -> low_o = 0x25.
module montcore_smm_paper_array
  import montcore_smm_paper_pkg::*;
#(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width, ceil(words / NumPe).
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned SumBits = WordBits + 3,
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits
) (
    input logic clk_i,
    input logic clear_i,  // Drives zeros through all registers and rows.
    input logic single_i,  // High: a single row is in use.
    input logic [CodeBits-1:0] code_i,  // Multiplier word, recoded (stage M).
    /// Operand row (stage M); of a Subtract slot, in stage A.
    input logic [NumPe-1:0][WordBits-1:0] row_i,
    input smm_slot_e kind_m_i,  // Slot in stage M: operation.
    input smm_slot_t slot_m_i,  // Slot in stage M: flags; first is not used.
    input logic [RowBits-1:0] row_m_i,  // Slot in stage M: row index.
    input smm_slot_e kind_a_i,  // Slot in stage A: operation.
    input smm_slot_t slot_a_i,  // Slot in stage A: flags; result is not used.
    input logic [RowBits-1:0] row_a_i,  // Slot in stage A: row index.
    input logic out_shift_i,  // Result output: the word after word_o moves down.
    input logic out_load_i,  // Result output: fetch the row out_row_i.
    input logic [RowBits-1:0] out_row_i,  // Index of that row, valid with out_load_i.
    output logic [NumPe-1:0][WordBits-1:0] low_o,  // Low words computed in stage A.
    /// First word of the present row: the next word of the result.
    output logic [WordBits-1:0] word_o,
    /// Next word of S for a quotient digit, as it is computed: first part.
    output logic [WordBits-1:0] q_sum_o,
    output logic [WordBits-1:0] q_carry_o,  // Next word of S for a quotient digit: second part.
    output logic q_kappa_o,  // Next word of S for a quotient digit: third part, a carry.
    /// Next word of S for a quotient digit: carries out of the word below, which is 0.
    output logic [2:0] q_digit_o,
    output logic q_valid_o,  // High: the four parts are valid in this cycle.
    /// High: add m again (one cycle after stage A of the last Subtract slot).
    output logic restore_o
);

  logic [NumPe-1:0][SumBits-1:0] base, sum, sum_kept;
  logic [NumPe-1:0][WordBits-1:0] partial_sum, partial_carry;
  logic [NumPe-1:0][WordBits:0] high_sum, high_carry;
  logic [NumPe-1:0] kappa, kappa_in, chained, carry_in, pass_on, all_ones;
  // Decoded slots: stage A, then stage M.
  logic plq, accumulate, second_turn, digit_turn, within_word, above, subtract, single_carries;
  logic chain, keep, fetch, nothing, shift;
  always_comb begin
    plq = kind_a_i == SlotPlq;
    accumulate = kind_a_i == SlotY || kind_a_i == SlotM;
    second_turn = kind_a_i == SlotM;
    digit_turn = kind_a_i == SlotM && slot_a_i.first;
    within_word = kind_a_i == SlotY || kind_a_i == SlotResolve;
    above = kind_a_i == SlotM || kind_a_i == SlotIdle;
    subtract = kind_a_i == SlotSubtract;
    // The words of S that are read have a single carry each; also those that are written.
    chain = subtract || kind_a_i == SlotRestore || kind_a_i == SlotCorrect;
    single_carries = chain || kind_a_i == SlotResolve;
    keep = clear_i || second_turn || single_carries;

    fetch = slot_m_i.result || (kind_m_i != SlotIdle && kind_m_i != SlotPlq && kind_m_i != SlotM);
    nothing = kind_m_i == SlotPlq || (slot_m_i.fresh && kind_m_i != SlotM);
    shift = kind_m_i == SlotY || kind_m_i == SlotResolve;
  end

  logic unused_parts;
  assign unused_parts = ^{plq, partial_sum, partial_carry};

  logic unused_flags;
  assign unused_flags = slot_m_i.first ^ slot_a_i.result;

  // C_add1 and C_add2: the last lane's PH waits two cycles for the next row of its own turn.
  logic [WordBits:0] edge_sum, edge_carry;
  logic edge_kappa;
  if (Rows == 1) begin : g_no_edge
    assign edge_sum   = {1'b1, {WordBits{1'b0}}};
    assign edge_carry = '0;
    assign edge_kappa = 1'b0;
  end else begin : g_edge
    logic [1:0][WordBits:0] sum_q, carry_q;
    logic [1:0] kappa_q;
    logic inner;
    always_ff @(posedge clk_i) begin
      sum_q   <= {sum_q[0], high_sum[NumPe-1]};
      carry_q <= {carry_q[0], high_carry[NumPe-1]};
      kappa_q <= {kappa_q[0], kappa[NumPe-1]};
    end
    // The constant 2^WordBits in every PH represents zero in front of the first word.
    assign inner = accumulate && !slot_a_i.first;
    assign edge_sum = inner ? sum_q[1] : {1'b1, {WordBits{1'b0}}};
    assign edge_carry = inner ? carry_q[1] : '0;
    assign edge_kappa = inner & kappa_q[1];
  end

  for (genvar k = 0; k < NumPe; k++) begin : g_pe
    logic [WordBits:0] high_sum_in, high_carry_in;

    if (k == 0) begin : g_first_lane
      assign high_sum_in   = edge_sum;
      assign high_carry_in = edge_carry;
      assign kappa_in[k]   = edge_kappa;
      // The complement of m needs an additional one in its lowest word, which has no carry in.
      assign carry_in[k]   = chained[k] | (subtract & slot_a_i.first);
    end else begin : g_neighbour
      // Only low words are needed for the quotient digits.
      assign high_sum_in   = high_sum[k-1] & ~{(WordBits + 1) {plq}};
      assign high_carry_in = high_carry[k-1] & ~{(WordBits + 1) {plq}};
      assign kappa_in[k]   = kappa[k-1] & ~plq;
      assign carry_in[k]   = chained[k];
    end

    // The products of the passes with single carries are 0 or 1 * m, which has no kappa.
    montcore_smm_paper_pe #(
        .WordBits(WordBits),
        .Tech(Tech)
    ) u_pe (
        .clk_i,
        .code_i,
        .b_i             (row_i[k]),
        .base_i          (base[k]),
        .carries_above_i (above),
        .carries_within_i(within_word),
        .subtract_i      (subtract),
        .high_sum_i      (high_sum_in),
        .high_carry_i    (high_carry_in),
        .carry_i         (kappa_in[k] | (chain & carry_in[k])),
        .high_sum_o      (high_sum[k]),
        .high_carry_o    (high_carry[k]),
        .kappa_o         (kappa[k]),
        .partial_sum_o   (partial_sum[k]),
        .partial_carry_o (partial_carry[k]),
        .sum_o           (sum[k])
    );
    assign low_o[k] = sum[k][WordBits-1:0];
    assign all_ones[k] = &low_o[k];
    // A single carry is stored beside the word (bit WordBits), and whether the word would propagate
    // a carry in (next bit). A carry that the word has already propagated has been counted.
    assign pass_on[k] = chain & base[k][WordBits+1] & chained[k];
    assign sum_kept[k] = {
      sum[k][SumBits-1],
      sum[k][WordBits+1] | (single_carries & all_ones[k]),
      sum[k][WordBits] & ~pass_on[k],
      low_o[k]
    };
  end

  // Top word (step 26) {c_msb, s_(m-1)}: C_add1 and C_add2 in series.
  logic [WordBits:0] top_base, top_sum, top_carry, top_next, top_q;
  assign top_base = second_turn ? top_q : {{WordBits{1'b0}}, top_q[WordBits] & ~slot_a_i.fresh};
  montcore_csa #(
      .Width(WordBits + 1)
  ) u_top (
      .a_i    ({~high_sum[NumPe-1][WordBits], high_sum[NumPe-1][WordBits-1:0]}),
      .b_i    (high_carry[NumPe-1]),
      .c_i    (top_base),
      .sum_o  (top_sum),
      .carry_o(top_carry)
  );
  assign top_next = top_sum + top_carry + (WordBits + 1)'(kappa[NumPe-1]);
  always_ff @(posedge clk_i) begin
    if (clear_i) top_q <= '0;
    else if (accumulate && slot_a_i.last) top_q <= top_next;
  end

  // The row that the slot in stage M adds to.
  montcore_smm_paper_sums #(
      .NumPe   (NumPe),
      .WordBits(WordBits),
      .Rows    (Rows)
  ) u_sums (
      .clk_i,
      .single_i,
      .we_i       (keep),
      .row_write_i(row_a_i),
      .sum_i      (sum_kept),
      .top_next_i (top_next[WordBits-1:0]),
      .top_i      (top_q[WordBits-1:0]),
      .zero_i     (nothing),
      .read_i     (fetch || out_load_i),
      .shift_i    (shift || out_shift_i),
      .row_i      (out_load_i ? out_row_i : row_m_i),
      .last_i     (slot_m_i.last),
      .words_o    (base)
  );
  assign word_o = base[0][WordBits-1:0];

  // The next word of S for a quotient digit is word 1: S shifts down and word 0 becomes 0. Its own
  // carries are c1 + c2 and one more, unless it was 0 already.
  if (NumPe > 1) begin : g_q_same_row
    assign q_valid_o = digit_turn;
    assign q_digit_o = base[0][SumBits-1:WordBits] + 3'(base[0][WordBits-1:0] != '0);
    assign q_sum_o   = partial_sum[1];
    assign q_carry_o = partial_carry[1];
    assign q_kappa_o = kappa_in[1];
  end else begin : g_q_next_row
    logic [2:0] digit_q;
    always_ff @(posedge clk_i) begin
      if (clear_i || plq) digit_q <= '0;
      else if (digit_turn) digit_q <= sum[0][SumBits-1:WordBits];
    end
    assign q_valid_o = second_turn && row_a_i == RowBits'(1);
    assign q_digit_o = digit_q;
    assign q_sum_o   = partial_sum[0];
    assign q_carry_o = partial_carry[0];
    assign q_kappa_o = kappa_in[0];
  end

  // Carries of S, of S - m and of the result, across each row as it is used.
  logic [NumPe-1:0] generated, propagated;
  logic unused_chain, chain_out_q;
  for (genvar k = 0; k < NumPe; k++) begin : g_carries
    assign generated[k]  = base[k][WordBits];
    assign propagated[k] = base[k][WordBits+1];
  end
  montcore_smm_paper_carry #(
      .NumPe(NumPe)
  ) u_carry (
      .clk_i,
      .first_i    (slot_a_i.first),
      .generate_i (generated),
      .propagate_i(propagated),
      .carry_o    (chained),
      .out_o      (unused_chain),
      .out_q_o    (chain_out_q)
  );

  // The sign of S - m, one stage later: S + 2^(rows * NumPe * WordBits) - m has a carry out of the
  // top word, of S or of the sum.
  logic [NumPe-1:0] sign_generate_q, sign_propagate_q, unused_carries;
  logic first_q, sign_out, unused_out;
  always_ff @(posedge clk_i) begin
    first_q          <= slot_a_i.first;
    sign_propagate_q <= all_ones;
  end
  for (genvar k = 0; k < NumPe; k++) begin : g_sign
    always_ff @(posedge clk_i) sign_generate_q[k] <= sum_kept[k][WordBits];
  end
  montcore_smm_paper_carry #(
      .NumPe(NumPe)
  ) u_sign (
      .clk_i,
      .first_i    (first_q),
      .generate_i (sign_generate_q),
      .propagate_i(sign_propagate_q),
      .carry_o    (unused_carries),
      .out_o      (sign_out),
      .out_q_o    (unused_out)
  );
  assign restore_o = ~(sign_out | chain_out_q | top_q[WordBits]);
endmodule
