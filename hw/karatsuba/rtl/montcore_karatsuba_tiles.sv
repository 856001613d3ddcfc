// SPDX-License-Identifier: Apache-2.0

/// Signed multiplier for DSP blocks: halved by Karatsuba until a product fits one block.
///
/// p_o = a * b
/// Precondition: none.
/// Latency: 2 cycles, plus the additions of the halves after the second register.
/// a = a1 * 2^Low + a0 with a0 unsigned, and likewise b:
/// a * b = a1 b1 4^Low + (a1 b1 + a0 b0 - (a1 - a0) (b1 - b0)) 2^Low + a0 b0.
/// A block has 18 x 18 bits (Virtex, ECP5). A factor of 19 bits, as in differences of differences,
/// splits off its lowest bit: a * b = (a / 2) (b / 2) 4 + (a mod 2) (b / 2) 2 + a (b mod 2).
/// Example, Width = 20: a = -300000, b = 7 -> p = -2100000.
module montcore_karatsuba_tiles #(
    parameter int unsigned Width = 65  // Width of each factor in bits, 2 or more.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, signed.
    input logic [Width-1:0] b_i,  // Second factor, signed.
    output logic [2*Width-1:0] p_o  // Product, signed, of the factors of two cycles before.
);
  localparam int unsigned Tile = 18;

  if (Width <= Tile) begin : g_block
    logic [Width-1:0] a_q, b_q;
    logic signed [2*Width-1:0] product;
    assign product = $signed(a_q) * $signed(b_q);
    always_ff @(posedge clk_i) begin
      a_q <= a_i;
      b_q <= b_i;
      p_o <= $unsigned(product);
    end
  end else if (Width == Tile + 1) begin : g_peeled
    logic [Width-1:0] a_q, b_q;
    logic signed [2*Tile-1:0] product;
    logic [2*Tile-1:0] product_q;
    logic [Width:0] rest_q;
    assign product = $signed(a_q[Width-1:1]) * $signed(b_q[Width-1:1]);
    always_ff @(posedge clk_i) begin
      a_q <= a_i;
      b_q <= b_i;
      product_q <= $unsigned(product);
      rest_q <= ({b_q[Width-1], b_q[Width-1:1], 1'b0} & {(Width + 1) {a_q[0]}}) +
                ({a_q[Width-1], a_q} & {(Width + 1) {b_q[0]}});
    end
    montcore_sum #(
        .Rows (2),
        .Width(2 * Width),
        .Tree (1'b0)
    ) u_sum (
        .rows_i ({{product_q, 2'b00}, {(Width - 1) {rest_q[Width]}}, rest_q}),
        .carry_i(1'b0),
        .sum_o  (p_o)
    );
  end else begin : g_halves
    localparam int unsigned Low = (Width - 1) / 2;
    localparam int unsigned High = Width - Low;
    localparam int unsigned Diff = High + 1;

    logic [Diff-1:0] a_diff, b_diff;
    logic [2*High-1:0] p_high;
    logic [2*Low+1:0] p_low;
    logic [2*Diff-1:0] p_diff;
    logic [Width:0] mid;
    logic [2*Width-Low-1:0] upper;
    logic unused_bits;

    assign a_diff = {a_i[Width-1], a_i[Width-1:Low]} - Diff'(a_i[Low-1:0]);
    assign b_diff = {b_i[Width-1], b_i[Width-1:Low]} - Diff'(b_i[Low-1:0]);

    montcore_karatsuba_tiles #(
        .Width(High)
    ) u_high (
        .clk_i,
        .a_i(a_i[Width-1:Low]),
        .b_i(b_i[Width-1:Low]),
        .p_o(p_high)
    );
    montcore_karatsuba_tiles #(
        .Width(Low + 1)
    ) u_low (
        .clk_i,
        .a_i({1'b0, a_i[Low-1:0]}),
        .b_i({1'b0, b_i[Low-1:0]}),
        .p_o(p_low)
    );
    montcore_karatsuba_tiles #(
        .Width(Diff)
    ) u_diff (
        .clk_i,
        .a_i(a_diff),
        .b_i(b_diff),
        .p_o(p_diff)
    );

    // a1 b0 + a0 b1 has at most Width + 1 bits.
    montcore_karatsuba_middle #(
        .Width(Width + 1)
    ) u_mid (
        .high_i  (p_high[Width:0]),
        .low_i   ((Width + 1)'(p_low)),
        .diff_i  (p_diff[Width:0]),
        .middle_o(mid)
    );
    montcore_sum #(
        .Rows (2),
        .Width(2 * Width - Low),
        .Tree (1'b0)
    ) u_upper (
        .rows_i ({{p_high, p_low[2*Low-1:Low]}, {{(Width - Low - 1) {mid[Width]}}, mid}}),
        .carry_i(1'b0),
        .sum_o  (upper)
    );
    assign p_o = {upper, p_low[Low-1:0]};
    assign unused_bits = ^{p_diff, p_low, p_high};
  end
endmodule
