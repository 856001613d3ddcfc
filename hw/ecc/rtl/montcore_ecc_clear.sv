// SPDX-License-Identifier: Apache-2.0

/// The curve engine's sweep: clears every memory row by row, what stays with the curve left out.
///
/// clear_o is high while row_o takes the numbers 0 to Rows - 1; three cycles before that, while
/// registers are cleared, row_o is -3 to -1
/// Precondition: Rows is 3 or more below the next power of two.
/// Latency: Rows + 4 cycles, and until hold_i is low.
/// Example, Rows = 112: wipe_i; 116 cycles later clear_o is low again.
module montcore_ecc_clear #(
    /// Rows of the largest memory.
    parameter int unsigned Rows = 448,
    /// Bits of a row number (do not change).
    localparam int unsigned RowBits = $clog2(Rows + 1)
) (
    /// Clock, rising edge.
    input  logic               clk_i,
    /// Synchronous reset, active low.
    input  logic               rst_ni,
    /// Pulse: clear everything.
    input  logic               zeroize_i,
    /// Pulse: clear what does not stay with the curve.
    input  logic               wipe_i,
    /// The multiplier is not yet cleared.
    input  logic               hold_i,
    /// Clearing is under way.
    output logic               clear_o,
    /// Of everything.
    output logic               all_o,
    /// This is the row's turn.
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
