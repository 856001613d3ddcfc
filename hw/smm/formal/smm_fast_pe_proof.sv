// SPDX-License-Identifier: Apache-2.0

/// Properties of the accumulate stage of `montcore_smm_fast_pe`, without the multiplier: its
/// registers hold any carry-save pair that represents 2^(2 w) plus a number no larger than a
/// product.
///
/// Two elements in a row, so that the carry between a low word and the next high word is included.
/// a_exact: sum_o = base + own low word + neighbour's high word as integers, without overflow; base
/// is   low_i + 2^w carry_i, or low_i + carry_i in a pass that shifts.
/// a_after_shift: a pass that shifts, from carries of at most 4, leaves a word of at most 3 * 2^w.
/// a_after_add: a pass that does not shift leaves at most 5 * 2^w - 3, from such a word: so the
/// deferred carry is always at most 4. a_after_last: one further pass stays below 7 * 2^w.
module smm_fast_pe_proof #(
    parameter  int unsigned WordBits = 8,
    localparam int unsigned SumBits  = WordBits + 3,
    localparam int unsigned PairBits = 2 * WordBits + 1
) (
    input logic clk_i,
    input logic [WordBits-1:0] low_i,  // Low word of the base, any value.
    input logic [2:0] carry_i,  // Deferred carry of the base, at most 4.
    input logic shift_i  // High: the pass shifts T by a word.
);
  logic [1:0][WordBits:0] high_sum, high_carry;
  logic [1:0] kappa;
  logic [1:0][SumBits-1:0] sum;
  logic [1:0][PairBits-1:0] pair_sum, pair_carry, product;

  for (genvar k = 0; k < 2; k++) begin : g_pe
    logic [PairBits:0] total;
    montcore_smm_fast_pe #(
        .Tech(montcore_pkg::TechAsic),
        .WordBits(WordBits)
    ) u_pe (
        .clk_i,
        .load_i      (1'b0),
        .clear_i     (1'b0),
        .code_i      ('0),
        .b_i         ('0),
        .low_i,
        .carry_i,
        .shift_i,
        .high_sum_i  ((k == 0) ? {1'b1, {WordBits{1'b0}}} : high_sum[0]),
        .high_carry_i((k == 0) ? '0 : high_carry[0]),
        .kappa_i     ((k == 0) ? 1'b0 : kappa[0]),
        .high_sum_o  (high_sum[k]),
        .high_carry_o(high_carry[k]),
        .kappa_o     (kappa[k]),
        .low_o       (),
        .sum_o       (sum[k]),
        .word_o      ()
    );
    assign pair_sum[k] = u_pe.g_plain.sum_q;
    assign pair_carry[k] = u_pe.g_plain.carry_q;
    assign total = {1'b0, pair_sum[k]} + {1'b0, pair_carry[k]};
    assign product[k] = PairBits'(total - ((PairBits + 1)'(1) << (2 * WordBits)));
    always_comb begin
      m_constant : assume (total >= (PairBits + 1)'(1) << (2 * WordBits));
      m_product :
      assume (total - ((PairBits + 1)'(1) << (2 * WordBits)) <=
                          ((PairBits + 1)'(1) << (2 * WordBits)) -
                          ((PairBits + 1)'(2) << WordBits) + 1);
    end
  end

  // Integers wide enough for every sum.
  logic [SumBits+2:0] word, base, expected;
  assign word = {2'b00, carry_i, low_i, 1'b0} >> 1;
  assign base = shift_i ? (SumBits + 3)'(low_i) + (SumBits + 3)'(carry_i) : word;
  assign expected = base + (SumBits + 3)'(product[1][WordBits-1:0]) +
                    (SumBits + 3)'(product[0][2*WordBits-1:WordBits]);
  localparam logic [SumBits+2:0] One = (SumBits + 3)'(1) << WordBits;

  always_comb begin
    m_carry : assume (carry_i <= (`MUTANT ? 6 : 4));
    a_exact : assert ((SumBits + 3)'(sum[1]) == expected);
    if (shift_i) a_after_shift : assert ((SumBits + 3)'(sum[1]) <= 3 * One);
    if (!shift_i && word <= 3 * One) begin
      a_after_add : assert ((SumBits + 3)'(sum[1]) <= 5 * One - 3);
    end
    if (!shift_i && word <= 5 * One - 3) begin
      a_after_last : assert ((SumBits + 3)'(sum[1]) < 7 * One);
    end
  end
endmodule
