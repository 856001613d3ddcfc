// SPDX-License-Identifier: Apache-2.0

/// One block of the cells of an array of `cs` or `op`, for all rows: a product moves one row per
/// cycle.
///
/// (C2, C1, S) of row i <- montcore_row_cells applied to those of row i - 1; row 0 starts from
/// zero. B, and B + N if Precomputed, move down with the product; N is static.
/// Precondition: the inputs of a row belong to the product that is in the row before.
/// Latency: 1 cycle per row.
/// Source: mmm-mx-2006, Algorithms 1 and 2 in the form of Figure 2.
/// Example, Width = 4, Rows = 3: B = 0b0101, a_i[0] = 1 -> row 0 holds S = 0b0101, C1 = 0.
module montcore_row_grid_block #(
    parameter int unsigned Width = 32,  // Number of cells, 3 or more.
    parameter int unsigned Rows = 34,  // Number of rows; the last two add no multiple of B.
    parameter int unsigned RowsPerCopy = 16,  // Number of rows that share a copy of N.
    parameter bit Precomputed = 1'b0  // 1: select among 0, N, B and B + N; 0: add a B and q N.
) (
    input logic clk_i,
    input logic [Width-1:0] n_i,  // Modulus N, the word of this block, constant.
    output logic [Width-1:0] n_o,  // Copy of N of the last rows.
    input logic [Width-1:0] b_i,  // Word of B for row 0.
    input logic [Width-1:0] both_i,  // Word of B + N for row 0; used only if Precomputed.
    output logic [Width-1:0] b_o,  // Word of B in row 0, one cycle after b_i.
    input logic [Rows-1:0] a_i,  // Per row: bit of A.
    input logic [Rows-1:0] q_i,  // Per row: quotient digit.
    output logic [Rows-1:0] q_o,  // Per row: quotient digit required by the lowest cell.
    /// Per row: lowest sum bit of the block above, from two rows before.
    input logic [Rows-1:0] late_i,
    output logic [Rows-1:0] low_o,  // Per row: lowest sum bit, for the block below.
    output logic [Width-1:0] s_o,  // S of the last row, its sum bits.
    output logic [Width-1:0] c1_o,  // C1 of the last row, its first carries.
    output logic [Width-1:0] c2_o  // C2 of the last row, its second carries; zero if Precomputed.
);
  localparam int unsigned Copies = (Rows + RowsPerCopy - 1) / RowsPerCopy;

  logic [Copies-1:0][Width-1:0] n_q;
  for (genvar i = 0; i < Copies; i++) begin : g_copy
    if (i == 0) begin : g_first
      always_ff @(posedge clk_i) n_q[i] <= n_i;
    end else begin : g_next
      always_ff @(posedge clk_i) n_q[i] <= n_q[i-1];
    end
  end

  // Registers of all rows, row 0 lowest.
  logic [Rows-1:0][Width-1:0] s_q, c1_q, c2_q, s, c1, c2;
  for (genvar i = 0; i < Rows; i++) begin : g_row
    localparam bit First = i == 0;
    logic [Width-1:0] b_q, both_q, s_in, c1_in, c2_in;
    if (i == 0) begin : g_first
      always_ff @(posedge clk_i) b_q <= b_i;
      assign s_in  = '0;
      assign c1_in = '0;
      assign c2_in = '0;
    end else begin : g_next
      if (i < Rows - 2) begin : g_b
        always_ff @(posedge clk_i) b_q <= g_row[i-1].b_q;
      end else begin : g_none
        assign b_q = '0;
      end
      assign s_in  = s_q[i-1];
      assign c1_in = c1_q[i-1];
      assign c2_in = c2_q[i-1];
    end
    if (!Precomputed || i >= Rows - 2) begin : g_no_sum
      assign both_q = '0;
    end else if (i == 0) begin : g_first_sum
      always_ff @(posedge clk_i) both_q <= both_i;
    end else begin : g_next_sum
      always_ff @(posedge clk_i) both_q <= g_row[i-1].both_q;
    end
    montcore_row_cells #(
        .Width      (Width),
        .Precomputed(Precomputed)
    ) u_cells (
        .first_i(First),
        .s_i    (s_in),
        .c1_i   (c1_in),
        .c2_i   (c2_in),
        .late_i (late_i[i]),
        .n_i    (n_q[i/RowsPerCopy]),
        .b_i    (b_q),
        .both_i (both_q),
        .a_i    (a_i[i]),
        .q_i    (q_i[i]),
        .q_o    (q_o[i]),
        .s_o    (s[i]),
        .c1_o   (c1[i]),
        .c2_o   (c2[i])
    );
    assign low_o[i] = s_q[i][0];
  end
  always_ff @(posedge clk_i) begin
    s_q  <= s;
    c1_q <= c1;
    c2_q <= c2;
  end

  assign n_o  = n_q[Copies-1];
  assign b_o  = g_row[0].b_q;
  assign s_o  = s_q[Rows-1];
  assign c1_o = c1_q[Rows-1];
  assign c2_o = c2_q[Rows-1];
  if (!Precomputed) begin : g_no_both
    logic unused;
    assign unused = ^both_i;
  end
endmodule
