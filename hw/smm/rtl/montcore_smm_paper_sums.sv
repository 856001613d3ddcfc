// SPDX-License-Identifier: Apache-2.0

/// The running sum S of the paper's schedule: the present row, and a memory for all rows.
///
/// words_o <- 0, or the sum of the previous cycle, or row row_i of the memory; with shift_i, each
/// word comes from its upper neighbour (S shifted down by a word) while the carries stay in place,
/// where they then have the right weight.
/// Precondition: row_i, row_write_i below Rows; a row is written before it is read.
/// Latency: 1 cycle to words_o; a written row can be read in the next cycle.
/// Source: smm-2021, Figure 4 (Reg_File) and the index j * N_PE + k - 1 of steps 17 and 18.
/// Example, NumPe = 2, Rows 1, shift: sum {0x13, 0x20}, top 5 -> words_o {0x15, 0x23}.
module montcore_smm_paper_sums #(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned CarryBits = 3,  // Width of the carries stored beside a word in bits.
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width, ceil(words / NumPe).
    localparam int unsigned SumBits = WordBits + CarryBits,
    localparam int unsigned RowBits = $clog2(Rows + 1)
) (
    input logic clk_i,
    input logic single_i,  // High: the sum has a single row, which never passes through the memory.
    input logic we_i,  // Write enable of sum_i to the memory.
    input logic [RowBits-1:0] row_write_i,  // Index of the row to write, valid with we_i.
    input logic [NumPe-1:0][SumBits-1:0] sum_i,  // Row of the sum computed in this cycle.
    input logic [WordBits-1:0] top_next_i,  // Top word computed in this cycle (low bits).
    input logic [WordBits-1:0] top_i,  // Top word of S, registered (low bits).
    input logic zero_i,  // High: load zeros.
    input logic read_i,  // High: load a row of the memory instead of sum_i (ignored with single_i).
    input logic shift_i,  // High: shift down by a word.
    input logic [RowBits-1:0] row_i,  // Index of the row to read.
    input logic last_i,  // High: the row to read is the last one.
    output logic [NumPe-1:0][SumBits-1:0] words_o  // Present row of S, registered.
);
  logic [NumPe-1:0][SumBits-1:0] taken, words_q;
  logic [WordBits-1:0] above;

  if (Rows == 1) begin : g_one
    logic unused_memory;
    assign taken = sum_i;
    assign above = top_next_i;
    assign unused_memory = ^{single_i, we_i, row_write_i, top_i, read_i, row_i, last_i};
  end else begin : g_rows
    localparam int unsigned AddrBits = $clog2(Rows);
    localparam int unsigned RestBits = NumPe * SumBits - WordBits;
    logic [NumPe-1:0][SumBits-1:0] stored;
    logic [WordBits-1:0] low0, low0_now;
    logic [AddrBits-1:0] row0;
    logic step_row;
    logic [NumPe*SumBits-1:0] sum;

    // Counts may exceed the last index; addresses do not need that bit.
    logic unused_count;
    assign unused_count = ^{row_i, row_write_i};

    // Word 0 of a row is also the upper neighbour of the previous row: it has its own address.
    assign step_row = shift_i & ~last_i;
    assign row0 = AddrBits'(row_i) + AddrBits'(step_row);
    assign sum = sum_i;

    montcore_ram #(
        .Rows (Rows),
        .Width(WordBits)
    ) u_low0 (
        .clk_i,
        .we_i,
        .wzero_i(1'b0),
        .waddr_i(AddrBits'(row_write_i)),
        .wdata_i(sum[WordBits-1:0]),
        .raddr_i(row0),
        .rdata_o(low0)
    );
    if (RestBits == 0) begin : g_no_rest
      assign stored = low0;
    end else begin : g_rest
      logic [RestBits-1:0] rest;
      montcore_ram #(
          .Rows (Rows),
          .Width(RestBits)
      ) u_rest (
          .clk_i,
          .we_i,
          .wzero_i(1'b0),
          .waddr_i(AddrBits'(row_write_i)),
          .wdata_i(sum[NumPe*SumBits-1:WordBits]),
          .raddr_i(AddrBits'(row_i)),
          .rdata_o(rest)
      );
      assign stored = {rest, low0};
    end
    // With two rows, row 1 is being computed when row 0 needs its first word.
    assign low0_now = (row0 == AddrBits'(row_write_i)) ? sum[WordBits-1:0] : low0;

    assign taken = (read_i & ~single_i) ? stored : sum_i;
    assign above = single_i ? top_next_i : last_i ? top_i : low0_now;
  end

  for (genvar k = 0; k < NumPe; k++) begin : g_word
    logic [WordBits-1:0] upper;
    if (k == NumPe - 1) begin : g_last_lane
      assign upper = above;
    end else begin : g_lane
      assign upper = taken[k+1][WordBits-1:0];
    end
    always_ff @(posedge clk_i) begin
      words_q[k] <= taken[k];
      if (shift_i) words_q[k][WordBits-1:0] <= upper;
      if (zero_i) words_q[k] <= '0;
    end
  end
  assign words_o = words_q;
endmodule
