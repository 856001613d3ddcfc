// SPDX-License-Identifier: Apache-2.0

/// Reads a result out of a row whose blocks finish one after the other, one word per cycle.
///
/// word_o in cycle c + 1 = bits Shift .. WordBits - 1 of the block that has take_i in cycle c, and
/// above them the Shift lowest bits of the block that has take_i in cycle c + 1.
/// Precondition: at most one bit of take_i is high.
/// Latency: 1.
/// Example, WordBits = 4, Shift = 1: blocks 0b1010 and 0b0011 -> word 0b1101.
module montcore_row_select #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Blocks = 9,  // Number of blocks of the row.
    parameter int unsigned Shift = 1  // Bits that a block passes down with the last shift.
) (
    input logic clk_i,
    input logic clear_i,
    /// Per block: it outputs its result in this cycle; at most one.
    input logic [Blocks-1:0] take_i,
    input logic [Blocks-1:0][WordBits-1:0] blocks_i,  // Outputs of the blocks.
    output logic [WordBits-1:0] word_o  // Word of the result, one cycle after its take_i.
);
  logic [WordBits-1:0] chosen;
  logic [WordBits-1:0] chosen_q;

  always_comb begin
    chosen = '0;
    for (int unsigned block = 0; block < Blocks; block++) begin
      chosen |= blocks_i[block] & {WordBits{take_i[block]}};
    end
  end
  always_ff @(posedge clk_i) chosen_q <= clear_i ? '0 : chosen;
  if (Shift == 0) begin : g_whole
    assign word_o = chosen_q;
  end else begin : g_shifted
    logic unused_low;
    assign word_o = {chosen[Shift-1:0], chosen_q[WordBits-1:Shift]};
    assign unused_low = ^chosen_q[Shift-1:0];
  end
endmodule
