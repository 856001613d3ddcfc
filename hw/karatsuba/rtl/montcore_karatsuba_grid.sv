// SPDX-License-Identifier: Apache-2.0

/// Signed multiplier for DSP blocks of 25 x 18 bits with an adder: one block per tile.
///
/// p_o = a * b
/// Precondition: none.
/// Latency: 2 cycles, plus the addition of the rows after the second register.
/// a is cut at 24 bits, b at 17; the blocks of a row accumulate in a chain, each adding the part
/// above 17 bits of the one below it, so that only the rows remain to be added. An a of 26 bits, as
/// in differences of differences, splits off its lowest bit: a * b = (a / 2) b 2 + (a mod 2) b.
/// Example, Width = 20: a = -300000, b = 7 -> p = -2100000.
module montcore_karatsuba_grid #(
    parameter int unsigned Width = 65  // Width of each factor in bits, 3 or more.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // First factor, signed.
    input logic [Width-1:0] b_i,  // Second factor, signed.
    output logic [2*Width-1:0] p_o  // Product, signed, of the factors of two cycles before.
);
  localparam int unsigned TileA = 24;
  localparam int unsigned TileB = 17;
  localparam bit Peel = Width == TileA + 2;
  localparam int unsigned WidthA = Width - 32'(Peel);
  localparam int unsigned TilesA = (WidthA <= TileA + 1) ? 1 : (WidthA - 1 + TileA - 1) / TileA;
  localparam int unsigned TilesB = (Width <= TileB + 1) ? 1 : (Width - 1 + TileB - 1) / TileB;
  localparam int unsigned SumBits = 48;

  logic [Width-1:0] a_q, b_q, rest_q;
  logic [WidthA-1:0] a_cut;
  logic [WidthA+Width-1:0] product;
  assign a_cut = a_q[Width-1-:WidthA];
  // A row is below 2^TileA times 2^(Width - 1); its sum with the upper part of the row below
  // needs one bit more.
  localparam int unsigned RowBits = TileA + Width + 1;
  logic [TilesA-1:0][RowBits-1:0] rows, rows_q;
  logic [TilesA-1:0][RowBits-1:0] above  /* verilator split_var */;

  always_ff @(posedge clk_i) begin
    a_q    <= a_i;
    b_q    <= b_i;
    rows_q <= rows;
    rest_q <= b_q & {Width{Peel && a_q[0]}};
  end

  for (genvar i = 0; i < TilesA; i++) begin : g_row
    logic signed [TileA:0] a;
    logic [TilesB-1:0][SumBits-1:0] sums  /* verilator split_var */;
    logic [TileB*(TilesB-1)+SumBits-1:0] row;

    if (i == TilesA - 1) begin : g_top
      localparam int unsigned Rest = WidthA - i * TileA;
      assign a = $signed({{(TileA + 1 - Rest) {a_cut[WidthA-1]}}, a_cut[WidthA-1:i*TileA]});
    end else begin : g_inner
      assign a = $signed({1'b0, a_cut[i*TileA+:TileA]});
    end

    for (genvar j = 0; j < TilesB; j++) begin : g_tile
      logic signed [TileB:0] b;
      logic signed [SumBits-1:0] below, sum;
      if (j == TilesB - 1) begin : g_last
        localparam int unsigned Rest = Width - j * TileB;
        assign b = $signed({{(TileB + 1 - Rest) {b_q[Width-1]}}, b_q[Width-1:j*TileB]});
      end else begin : g_before
        assign b = $signed({1'b0, b_q[j*TileB+:TileB]});
        assign row[j*TileB+:TileB] = sums[j][TileB-1:0];
      end
      if (j == 0) begin : g_first
        assign below = '0;
      end else begin : g_next
        assign below = $signed(sums[j-1]) >>> TileB;
      end
      assign sum = a * b + below;
      assign sums[j] = $unsigned(sum);
    end
    assign row[TileB*(TilesB-1)+:SumBits] = sums[TilesB-1];
    if (TileB * (TilesB - 1) + SumBits >= RowBits) begin : g_cut
      logic unused_row;
      assign rows[i] = row[RowBits-1:0];
      assign unused_row = ^row;
    end else begin : g_extended
      assign rows[i] = {
        {(RowBits - TileB * (TilesB - 1) - SumBits) {row[TileB*(TilesB-1)+SumBits-1]}}, row
      };
    end
  end

  // Adds the rows from the lowest on; each contributes its TileA low bits to the product.
  assign above[0] = rows_q[0];
  for (genvar i = 0; i < TilesA - 1; i++) begin : g_sum
    assign above[i+1] = rows_q[i+1] + {{TileA{above[i][RowBits-1]}}, above[i][RowBits-1:TileA]};
    assign product[i*TileA+:TileA] = above[i][TileA-1:0];
  end
  localparam int unsigned TopBits = WidthA + Width - (TilesA - 1) * TileA;
  if (TopBits > RowBits) begin : g_sign
    assign product[WidthA+Width-1:(TilesA-1)*TileA] = {
      {(TopBits - RowBits) {above[TilesA-1][RowBits-1]}}, above[TilesA-1]
    };
  end else begin : g_fitting
    assign product[WidthA+Width-1:(TilesA-1)*TileA] = above[TilesA-1][TopBits-1:0];
  end
  if (Peel) begin : g_peeled
    // Kept, so that synthesis does not merge the two additions: see `montcore_sum`.
    (* keep *) logic [2*Width-1:0] doubled;
    assign doubled = {product, 1'b0};
    assign p_o = doubled + {{Width{rest_q[Width-1]}}, rest_q};
  end else begin : g_whole
    assign p_o = product;
  end
  logic unused_bits;
  assign unused_bits = ^{above, rest_q};
endmodule
