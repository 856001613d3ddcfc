// SPDX-License-Identifier: Apache-2.0

/// The curve engine's sweep counter: clears all memories row by row, except the curve's constants.
///
/// clear_o is high while row_o counts from 0 to Rows - 1; in the three cycles before, while
/// registers are cleared, row_o is -3 to -1.
/// Precondition: Rows is 3 or more below the next power of two.
/// Latency: Rows + 4 cycles; longer if hold_i is still high then.
/// Example, Rows = 112: wipe_i; clear_o is low again 116 cycles later.
module montcore_ecc_clear #(
    parameter int unsigned Rows = 448,  // Rows of the largest memory.
    localparam int unsigned RowBits = $clog2(Rows + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: clear all memories, the curve included.
    input logic wipe_i,  // Pulse: clear all memories except what belongs to the curve.
    input logic hold_i,  // High: the multiplier is still clearing itself; extends clear_o.
    output logic clear_o,  // High while clearing.
    output logic all_o,  // High while clearing everything, the curve included.
    /// Row to clear, valid with clear_o; -3 to -1 before the first row.
    output logic [RowBits-1:0] row_o
);
  localparam logic [RowBits-1:0] Before = '1 - RowBits'(2'd2);

  logic clear_q, all_q;
  logic [RowBits-1:0] row_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || wipe_i) begin
      clear_q <= 1'b1;
      all_q   <= !rst_ni || zeroize_i;
      row_q   <= Before;
    end else if (clear_q) begin
      if (row_q != RowBits'(Rows)) row_q <= row_q + 1'b1;
      else if (!hold_i) clear_q <= 1'b0;
    end
  end
  assign clear_o = clear_q;
  assign all_o   = clear_q && all_q;
  assign row_o   = row_q;
endmodule
