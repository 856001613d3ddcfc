// SPDX-License-Identifier: Apache-2.0

/// A block of the cells of `mx`: gated full adders, used in two alternating cycles; in a row, or in
/// all rows of an array.
///
/// First cycle:  (C, S) <- S' / 2 + C' / 2 + a B;  second cycle:  (C, S) <- S + C + q N.
/// S' and C' are the result of the previous iteration: the block's own S and C if there is one row,
/// those of the row before in an array, whose row 0 starts from zero. B moves from row to row.
/// A carry bit has the weight of the cell above the one that produced it.
/// The block above works one cycle later. The bit that its shift passes down, its lowest sum bit,
/// arrives late, in the second cycle; the top cell therefore stores a B separately in its first
/// cycle and adds five bits in its second, with two full adders.
/// Precondition: first_i is high in both cycles of the first iteration of a product (one row), or
/// always (array).
/// Latency: 1.
/// Source: mmm-mx-2006, Figures 1, 2 and 4.
/// Example, Width = 4: B = 0b0101, a = 1, first -> S = 0b0101, C = 0.
module montcore_mx_block #(
    parameter int unsigned Width = 32,  // Number of cells in the block.
    parameter int unsigned Rows = 1,  // Number of rows, 1 for a single row.
    parameter int unsigned RowsPerCopy = 16  // Number of rows that share a register of N.
) (
    input logic clk_i,
    /// Write enable of the word of N; further copies follow, one cycle after each other.
    input logic n_we_i,
    input logic [Width-1:0] n_i,  // Word of N, valid with n_we_i.
    output logic [Width-1:0] n_o,  // Copy of N of the last rows.
    input logic [Rows-1:0] b_we_i,  // Per row: load the word of B, from b_i or from the row before.
    input logic [Width-1:0] b_i,  // Word of B for row 0, valid with b_we_i[0].
    output logic [Width-1:0] b_o,  // Word of B in row 0.
    input logic [Rows-1:0] second_i,  // Per row: second cycle of an iteration.
    input logic first_i,  // First iteration of a product: S' and C' of row 0 count as zero.
    input logic [Rows-1:0] a_i,  // Per row: bit of A; zero in the second cycle.
    input logic [Rows-1:0] q_i,  // Per row: quotient digit; zero in the first cycle.
    /// Per row: carry from the block below, used in the second cycle.
    input logic [Rows-1:0] carry_i,
    output logic [Rows-1:0] carry_o,  // Per row: carry to the block above.
    input logic [Rows-1:0] above_i,  // Per row: lowest bit of S of the block above.
    output logic [Rows-1:0] low_o,  // Per row: lowest bit of S.
    output logic [Width-1:0] s_o,  // S of the last row, its sum bits.
    output logic [Width-1:0] c_o  // C of the last row, its carry bits.
);
  localparam int unsigned Copies = (Rows + RowsPerCopy - 1) / RowsPerCopy;

  // Registers of a row: N, B, S, C and the carry to the block above.
  logic [Copies-1:0][Width-1:0] n_q;
  logic [Rows-1:0][Width-1:0] b_q;
  logic [Rows-1:0][Width-1:0] s_q;
  logic [Rows-1:0][Width-1:0] c_q;
  logic [Rows-1:0] up_q;

  // One cycle of a row's cells: carry to the block above, C, S.
  function automatic logic [2*Width:0] cells(
      logic [Width-1:0] s, logic [Width-1:0] c, logic [Width-1:0] s_before,
      logic [Width-1:0] c_before, logic [Width-1:0] b, logic [Width-1:0] n, logic second,
      logic first, logic a, logic q, logic carry_in, logic above);
    logic [Width-1:0] s_in, c_in, gated, sum, carry;
    logic shift, top_sum, top_up, up;
    shift = !second && !first;
    gated = (b & {Width{a}}) | (n & {Width{q}});
    // The cells below the top.
    s_in = ((s_before >> 1) & {Width{shift}}) | (s & {Width{second}});
    c_in = (c_before & {Width{shift}}) | ({c[Width-2:0], carry_in} & {Width{second}});
    sum = s_in ^ c_in ^ gated;
    carry = (s_in & c_in) | (gated & (s_in | c_in));
    // The top cell stores C and a B for the second cycle; then C + a B + late bit gives the carry
    // up, and that sum + carry from below + q N gives the carry that is kept.
    up = second & ((s[Width-1] & c[Width-1]) | (above & ~first & (s[Width-1] | c[Width-1])));
    top_sum = s[Width-1] ^ c[Width-1] ^ (above & ~first);
    top_up = (top_sum & c[Width-2]) | (gated[Width-1] & (top_sum | c[Width-2]));
    sum[Width-1] = gated[Width-1] ^ (second & (top_sum ^ c[Width-2]));
    carry[Width-1] = second ? top_up : c_before[Width-1] & shift;
    return {up, carry, sum};
  endfunction

  // Next register values: packed, and assigned as whole arrays below, since Verilator 5.006
  // accepts no non-blocking assignment to an element of an array inside a loop.
  logic [Copies-1:0][Width-1:0] n_d;
  logic [Rows-1:0][Width-1:0] b_d;
  logic [Rows-1:0][Width-1:0] s_d;
  logic [Rows-1:0][Width-1:0] c_d;
  logic [Rows-1:0] up_d;

  always_comb begin
    n_d[0] = n_we_i ? n_i : n_q[0];
    for (int unsigned copy = 1; copy < Copies; copy++) n_d[copy] = n_q[copy-1];
    for (int unsigned i = 0; i < Rows; i++) begin
      b_d[i] = !b_we_i[i] ? b_q[i] : (i == 0) ? b_i : b_q[(i==0)?0 : i-1];
      {up_d[i], c_d[i], s_d[i]} = cells(
        s_q[i],
        c_q[i],
        s_q[(i==0)?0 : i-1],
        c_q[(i==0)?0 : i-1],
        b_q[i],
        n_q[i/RowsPerCopy],
        second_i[i],
        first_i && i == 0,
        a_i[i],
        q_i[i],
        carry_i[i],
        above_i[(i==0)?0 : i-1]
      );
    end
  end

  always_ff @(posedge clk_i) begin
    n_q  <= n_d;
    b_q  <= b_d;
    s_q  <= s_d;
    c_q  <= c_d;
    up_q <= up_d;
  end

  for (genvar i = 0; i < Rows; i++) begin : g_low
    assign low_o[i] = s_q[i][0];
  end
  assign carry_o = up_q;
  assign n_o = n_q[Copies-1];
  assign b_o = b_q[0];
  assign s_o = s_q[Rows-1];
  assign c_o = c_q[Rows-1];
endmodule
