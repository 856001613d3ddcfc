// SPDX-License-Identifier: Apache-2.0

/// The row of processing elements as drawn in the paper, with the storage of S.
///
/// Stage M (*_m_i): row_i times code_i into PP_reg; the row of S that the slot adds to is fetched.
/// Stage A (*_a_i): the two adders of each element, whose carries ripple along the row and wait for
/// its next row; the new row, without carries, goes to the memory or stays for the next slot.
/// The passes after the last word of X use the same adders: Resolve only shifts, Subtract computes
/// S - m, one cycle later restore_o gives its sign, Restore adds m again if it was negative;
/// Correct has nothing to add, and only makes the cycle count equal that of
/// `montcore_smm_paper_array`.
/// Precondition: a slot is at *_a_i one cycle after *_m_i; row_i in stage A of a
/// Subtract slot is its row of M.
/// Latency: 2 cycles from row_i to sum_o's row.
/// Source: smm-2021, Figures 2 to 5, steps 7 to 30.
/// Example, NumPe = 2, WordBits = 4: SlotPlq, code of 3, row 0x67 -> low_o = 0x25.
module montcore_smm_drawn_array
  import montcore_smm_paper_pkg::*;
#(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width, ceil(words / NumPe).
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
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
    /// Next word of S for a quotient digit, as it is computed.
    output logic [WordBits-1:0] q_word_o,
    output logic q_valid_o,  // High: q_word_o is valid in this cycle.
    /// High: add m again (one cycle after stage A of the last Subtract slot).
    output logic restore_o
);

  logic [NumPe-1:0][WordBits-1:0] base, sum, high;
  logic edge_carry_1, edge_carry_2, last_carry_1, last_carry_2;
  // Decoded slots: stage A, then stage M.
  logic plq, accumulate, second_turn, subtract, chain, keep, fetch, nothing, shift;
  always_comb begin
    plq = kind_a_i == SlotPlq;
    accumulate = kind_a_i == SlotY || kind_a_i == SlotM;
    second_turn = kind_a_i == SlotM;
    subtract = kind_a_i == SlotSubtract;
    chain = subtract || kind_a_i == SlotRestore;
    keep = clear_i || second_turn || chain || kind_a_i == SlotResolve || kind_a_i == SlotCorrect;

    fetch = slot_m_i.result || (kind_m_i != SlotIdle && kind_m_i != SlotPlq && kind_m_i != SlotM);
    nothing = kind_m_i == SlotPlq || (slot_m_i.fresh && kind_m_i != SlotM);
    shift = kind_m_i == SlotY || kind_m_i == SlotResolve;
  end

  logic unused_flags;
  assign unused_flags = slot_m_i.first ^ slot_a_i.result;

  // C_add1 and C_add2, and c1 .. c4: the two turns alternate, so that carries of the last lane wait
  // two cycles for the next row of their own turn; the rows of the last passes follow each other.
  logic [1:0] carry_1_q, carry_2_q;
  logic [WordBits-1:0] edge_high;
  always_ff @(posedge clk_i) begin
    carry_1_q <= {carry_1_q[0], last_carry_1};
    carry_2_q <= {carry_2_q[0], last_carry_2};
  end
  if (Rows == 1) begin : g_no_edge
    // There is no previous row; the complement of m needs an additional one in its lowest word.
    logic unused_carries;
    assign edge_high = '0;
    assign edge_carry_1 = subtract;
    assign edge_carry_2 = 1'b0;
    assign unused_carries = ^{carry_1_q[1], carry_2_q[1], slot_a_i.first};
  end else begin : g_edge
    logic [1:0][WordBits-1:0] high_q;
    logic own_turn, row_before;
    always_ff @(posedge clk_i) high_q <= {high_q[0], high[NumPe-1]};
    assign own_turn = accumulate && !slot_a_i.first;
    assign row_before = chain && !slot_a_i.first;
    assign edge_high = own_turn ? high_q[1] : '0;
    assign edge_carry_1 =
        (own_turn & carry_1_q[1]) | (row_before & carry_1_q[0]) | (subtract & slot_a_i.first);
    assign edge_carry_2 = (own_turn & carry_2_q[1]) | (row_before & carry_2_q[0]);
  end

  for (genvar k = 0; k < NumPe; k++) begin : g_pe
    logic [WordBits-1:0] high_below;
    logic carry_1_in, carry_2_in, carry_1, carry_2;
    if (k == 0) begin : g_first_lane
      assign high_below = edge_high;
      assign carry_1_in = edge_carry_1;
      assign carry_2_in = edge_carry_2;
    end else begin : g_neighbour
      // Only low words are needed for the quotient digits.
      assign high_below = high[k-1] & ~{WordBits{plq}};
      assign carry_1_in = g_pe[k-1].carry_1;
      assign carry_2_in = g_pe[k-1].carry_2;
    end

    // The products of a Subtract slot are 0.
    montcore_smm_drawn_pe #(
        .WordBits(WordBits),
        .Tech(Tech)
    ) u_pe (
        .clk_i,
        .code_i,
        .b_i      (row_i[k]),
        .high_i   (subtract ? ~row_i[k] : high_below),
        .base_i   (base[k]),
        .carry_1_i(carry_1_in),
        .carry_2_i(carry_2_in),
        .high_o   (high[k]),
        .carry_1_o(carry_1),
        .carry_2_o(carry_2),
        .sum_o    (sum[k])
    );
  end
  assign last_carry_1 = g_pe[NumPe-1].carry_1;
  assign last_carry_2 = g_pe[NumPe-1].carry_2;
  assign low_o = sum;
  logic unused_plq;
  assign unused_plq = plq;  // used by one element only

  // Top word (step 26) {c_msb, s_(m-1)}: C_add1 and C_add2 in series, each with its carries.
  logic [WordBits-1:0] top_between, top_base;
  logic [WordBits:0] top_next, top_q;
  logic top_carry, carry_before, unused_carry;
  assign carry_before = top_q[WordBits] & ~slot_a_i.fresh;
  assign top_base = second_turn ? top_q[WordBits-1:0] : WordBits'(carry_before);
  // PH is at most 2^WordBits - 2.
  montcore_smm_select_adder #(
      .WordBits(WordBits)
  ) u_top1 (
      .a_i    (high[NumPe-1]),
      .b_i    ('0),
      .carry_i(last_carry_1),
      .sum_o  (top_between),
      .carry_o(unused_carry)
  );
  montcore_smm_select_adder #(
      .WordBits(WordBits)
  ) u_top2 (
      .a_i    (top_between),
      .b_i    (top_base),
      .carry_i(last_carry_2),
      .sum_o  (top_next[WordBits-1:0]),
      .carry_o(top_carry)
  );
  // S is below 2^(WordBits + 1) of its words' weight: the two turns give one carry at most.
  assign top_next[WordBits] = top_carry | (second_turn & top_q[WordBits]);
  always_ff @(posedge clk_i) begin
    if (clear_i) top_q <= '0;
    else if (accumulate && slot_a_i.last) top_q <= top_next;
  end

  // The row that the slot in stage M adds to.
  montcore_smm_paper_sums #(
      .NumPe    (NumPe),
      .WordBits (WordBits),
      .CarryBits(0),
      .Rows     (Rows)
  ) u_sums (
      .clk_i,
      .single_i,
      .we_i       (keep),
      .row_write_i(row_a_i),
      .sum_i      (sum),
      .top_next_i (top_next[WordBits-1:0]),
      .top_i      (top_q[WordBits-1:0]),
      .zero_i     (nothing),
      .read_i     (fetch || out_load_i),
      .shift_i    (shift || out_shift_i),
      .row_i      (out_load_i ? out_row_i : row_m_i),
      .last_i     (slot_m_i.last),
      .words_o    (base)
  );
  assign word_o = base[0];

  // The next word of S for a quotient digit is word 1: S shifts down and word 0 becomes 0.
  if (NumPe > 1) begin : g_q_same_row
    assign q_valid_o = second_turn && slot_a_i.first;
    assign q_word_o  = sum[1];
  end else begin : g_q_next_row
    assign q_valid_o = second_turn && row_a_i == RowBits'(1);
    assign q_word_o  = sum[0];
  end

  // The sign of S - m, one stage later: S + 2^(rows * NumPe * WordBits) - m has a carry out of the
  // top word, of S or of one of the adders.
  assign restore_o = ~(carry_1_q[0] | carry_2_q[0] | top_q[WordBits]);
endmodule
