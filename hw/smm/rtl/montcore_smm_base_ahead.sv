// SPDX-License-Identifier: Apache-2.0

/// Base of the next slot's accumulation in registers, where T is a single row.
///
/// low_o, carry_o, top_o = T after this slot, F or zero, selected by the next slot's flags. For a slot that
/// shifts, low_o and top_o are one word further down; carry_o stays in place and is added at the lower weight.
/// Precondition: one row is built; the flags are those of the slot in stage M.
/// Latency: 1 cycle from the sums, which arrive last and pass one level of selection, to the base.
/// Example, NumPe = 1, WordBits = 4: sum 0x1f, top 9, shift_i -> low_o = 9, carry_o = 1, top_o = 0.
module montcore_smm_base_ahead #(
    parameter int unsigned NumPe = 8,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned SumBits = 36  // Bits of a word of T.
) (
    input logic clk_i,
    input logic fresh_i,  // High: the next slot starts a new sum.
    input logic shift_i,  // High: the next slot shifts T down by one word.
    input logic from_f_i,  // High: the next slot continues the sum in F.
    input logic f_take_i,  // High: F is loaded with T as it was before this slot.
    /// High: the top word of F is loaded with that of T as it was before this slot.
    input logic f_take_top_i,
    input logic [NumPe-1:0][SumBits-1:0] sum_i,  // T after this slot.
    /// Word NumPe of T after this slot, above the row in sum_i.
    input logic [SumBits-1:0] top_sum_i,
    input logic [NumPe-1:0][SumBits-1:0] tail_i,  // T before this slot.
    input logic [SumBits-1:0] top_i,  // Word NumPe of tail_i, before this slot.
    input logic [NumPe-1:0][SumBits-1:0] f_row_i,  // F before this slot.
    input logic [SumBits-1:0] f_top_i,  // Word NumPe of F before this slot.
    output logic [NumPe-1:0][WordBits-1:0] low_o,  // Low words of the base.
    /// Deferred carries of the words of the base, not moved by a shift.
    output logic [NumPe-1:0][SumBits-1:WordBits] carry_o,
    output logic [SumBits-1:0] top_o  // Word NumPe of the base of the next slot.
);
  // Two select bits per output bit, so that the sum passes a single look-up table: neither set gives 0, both
  // set give 1, and this is how a bit of F is inserted.
  logic [NumPe:0][SumBits-1:0] sum, f;
  logic kept;
  assign kept = !fresh_i && !from_f_i;
  assign sum  = {top_sum_i, sum_i};
  always_comb begin
    f[NumPe]     = f_take_top_i ? top_i : f_top_i;
    f[NumPe-1:0] = f_take_i ? tail_i : f_row_i;
    if (fresh_i || !from_f_i) f = '0;
  end

  function automatic logic [SumBits-1:0] either(logic [SumBits-1:0] same, logic [SumBits-1:0] above,
                                                logic [SumBits-1:0] instead, logic keep,
                                                logic shift);
    logic [SumBits-1:0] take_same, take_above;
    take_same  = instead | {SumBits{keep & ~shift}};
    take_above = instead | {SumBits{keep & shift}};
    return (take_same & take_above) | (take_same & same) | (take_above & above);
  endfunction

  logic [NumPe-1:0][SumBits-1:0] base;
  for (genvar k = 0; k < NumPe; k++) begin : g_word
    // The carries stay in their lane: a shift only lowers their weight.
    logic [SumBits-1:0] above, f_above;
    assign above   = {sum[k][SumBits-1:WordBits], sum[k+1][WordBits-1:0]};
    assign f_above = {f[k][SumBits-1:WordBits], f[k+1][WordBits-1:0]};
    assign base[k] = either(sum[k], above, shift_i ? f_above : f[k], kept, shift_i);
    always_ff @(posedge clk_i) {carry_o[k], low_o[k]} <= base[k];
  end
  always_ff @(posedge clk_i) begin
    top_o <= either(
        sum[NumPe],
        SumBits'(sum[NumPe][SumBits-1:WordBits]),
        shift_i ? SumBits'(f[NumPe][SumBits-1:WordBits]) : f[NumPe],
        kept,
        shift_i
    );
  end
endmodule
