// SPDX-License-Identifier: Apache-2.0

/// Write port of the operand memories: block and row of the next pair of a number, and the sweep
/// of zeroize.
///
/// A number is distributed over the blocks, last_slot_i + 1 pairs in each, lowest first.
/// Precondition: region_i, all_rows_i and fill_i are constant within a number.
/// Latency: LateWrites ticks; counters change in the tick of we_i.
/// Example, Alpha = 2, last_slot_i = 1: pairs 0, 1, 2, 3 -> block_o 1, 1, 2, 2, rows 0, 1, 0, 1 of the
/// region.
module montcore_dsp_writer #(
    parameter int unsigned Alpha = 17,  // Number of blocks of the row.
    parameter int unsigned Pairs = 1,  // Pairs of words per block.
    parameter int unsigned PairBits = 5,  // Width of a pair count in bits.
    parameter int unsigned SweepBits = 5,  // Width of the sweep's row index in bits.
    parameter bit LateWrites = 1'b0,  // 1: a pair is written one tick late, through a register.
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1,
    localparam int unsigned Rows = 3 * Pairs,  // Rows of an operand memory.
    localparam int unsigned AddrBits = $clog2(Rows)
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic rst_ni,
    input logic clear_i,
    input logic [SweepBits-1:0] sweep_i,  // Memory row to clear, valid with clear_i.
    input logic [PairBits-1:0] pairs_i,  // Pairs of words of a number.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic we_i,  // A pair is valid and is written.
    input logic [33:0] data_i,  // Pair to write, low word first; valid with we_i.
    input logic [1:0] region_i,  // Region of the pair, `montcore_dsp_pkg::Region...`.
    /// 1: the number ends with the last row of the last block; 0: with its last pair.
    input logic all_rows_i,
    input logic fill_i,  // High: the rows above the number's pairs are filled.
    output logic [Alpha-1:0] we_o,  // Per block: write enable of its operand memory.
    output logic [AddrBits-1:0] addr_o,  // Operand memory row to write, common to all blocks.
    output logic [33:0] data_o,  // Pair to write; ignored while clear_i is high.
    output logic last_o,  // High: the number ends with this pair.
    output logic row_end_o,  // High: the last row of the last block is next.
    output logic none_o,  // High: no pair of the number has been written yet.
    /// High: all pairs of the number have been written; the rest is filling.
    output logic pairs_done_o
);
  import montcore_dsp_pkg::RegionA;
  import montcore_dsp_pkg::RegionScaled;

  logic [Alpha-1:0] block_q;
  logic [SlotBits-1:0] row_q;
  logic [PairBits-1:0] count_q;
  logic [AddrBits-1:0] addr;
  logic row_last;

  assign none_o = count_q == '0 && !pairs_done_o;
  assign row_last = row_q == last_slot_i;
  assign row_end_o = block_q[Alpha-1] && row_last;
  assign last_o = all_rows_i ? row_end_o : (count_q == pairs_i - 1);

  always_comb begin
    unique case (region_i)
      RegionA: addr = AddrBits'(row_q);
      RegionScaled: addr = AddrBits'(Pairs) + AddrBits'(row_q);
      default: addr = AddrBits'(2 * Pairs) + AddrBits'(row_q);
    endcase
    if (clear_i) addr = AddrBits'(sweep_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      block_q      <= Alpha'(1);
      row_q        <= '0;
      count_q      <= '0;
      pairs_done_o <= 1'b0;
    end else if (tick_i && we_i) begin
      if (last_o) begin
        block_q      <= Alpha'(1);
        row_q        <= '0;
        count_q      <= '0;
        pairs_done_o <= 1'b0;
      end else begin
        row_q <= row_last ? '0 : row_q + 1;
        if (row_last) block_q <= block_q << 1;
        if (!pairs_done_o) count_q <= count_q + 1;
        if (fill_i) pairs_done_o <= pairs_done_o || count_q == pairs_i - 1;
      end
    end
  end

  logic [Alpha-1:0] block_we;
  if (LateWrites) begin : g_late
    // The path from a memory through the word conversion to every block is long.
    logic [Alpha-1:0] we_q;
    logic [AddrBits-1:0] addr_q;
    logic [33:0] data_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        we_q   <= '0;
        data_q <= '0;
      end else if (tick_i) begin
        we_q   <= block_q & {Alpha{we_i}};
        data_q <= data_i;
      end
      if (tick_i) addr_q <= addr;
    end
    assign block_we = we_q;
    assign addr_o   = clear_i ? addr : addr_q;
    assign data_o   = data_q;
  end else begin : g_at_once
    assign block_we = block_q & {Alpha{we_i}};
    assign addr_o   = addr;
    assign data_o   = data_i;
  end
  // The sweep also covers another memory, which may have more rows.
  assign we_o = clear_i ? {Alpha{sweep_i < SweepBits'(Rows)}} : block_we;
endmodule
