// SPDX-License-Identifier: Apache-2.0

/// The curve engine's elements: 16 products and 16 sums, with four read ports.
///
/// x_o, y_o = beat of an element for the multiplier; a_o, b_o = row of Lanes beats for the adder
/// Precondition: beats and rows below the built ones; a beat is not read before it was written.
/// Latency: 0 for a read, 1 for a write.
/// Each read port has a copy of both banks, so that four operands are read, and both banks written,
/// in each cycle. Operand 32 is zero, 33 is one.
/// Example, Lanes = 2: beat 3 of element 17 is lane 1 of row 1 in the bank of sums.
module montcore_ecc_elements #(
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 2,  // Beats of a row.
    localparam int unsigned Rows = (Beats + Lanes - 1) / Lanes,  // Rows of an element.
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1,
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic [3:0] m_index_i,  // Bank of products, write address: element.
    input logic [RowBits-1:0] m_row_i,  // Bank of products, write address: row.
    input logic [Lanes-1:0] m_we_i,  // Bank of products, write enable per lane.
    input logic [Lanes*Width-1:0] m_data_i,  // Bank of products, write data: one row.
    input logic [3:0] s_index_i,  // Bank of sums, write address: element.
    input logic [RowBits-1:0] s_row_i,  // Bank of sums, write address: row.
    input logic s_we_i,  // Bank of sums, write enable for the whole row.
    input logic [Lanes*Width-1:0] s_data_i,  // Bank of sums, write data: one row.
    /// Operand x of the multiplier: 0 to 15 product, 16 to 31 sum, 32 zero, 33 one.
    input logic [5:0] x_i,
    input logic [5:0] y_i,  // Operand y of the multiplier, coded like x_i.
    input logic [BeatBits-1:0] beat_i,  // Beat that is read of x and y.
    output logic [Width-1:0] x_o,  // Beat beat_i of operand x; combinational.
    output logic [Width-1:0] y_o,  // Beat beat_i of operand y; combinational.
    input logic [5:0] a_i,  // Operand a of the adder, coded like x_i.
    input logic [5:0] b_i,  // Operand b of the adder, coded like x_i.
    input logic [RowBits-1:0] row_i,  // Row that is read of a and b.
    output logic [Lanes*Width-1:0] a_o,  // Row row_i of operand a; combinational.
    output logic [Lanes*Width-1:0] b_o  // Row row_i of operand b; combinational.
);
  localparam int unsigned Depth = 16 * 2 ** RowBits;

  logic [3:0][5:0] operand;
  logic [3:0][RowBits-1:0] row;
  logic [3:0][Lanes*Width-1:0] word;
  logic [RowBits-1:0] beat_row;
  logic lane;

  assign beat_row = RowBits'(beat_i / BeatBits'(Lanes));
  assign lane = (Lanes > 1) && beat_i[0];
  assign operand = {b_i, a_i, y_i, x_i};
  assign row = {row_i, row_i, beat_row, beat_row};

  for (genvar port = 0; port < 4; port++) begin : g_port
    logic [Lanes*Width-1:0] product, sum;
    for (genvar k = 0; k < Lanes; k++) begin : g_lanes
      montcore_ram #(
          .Rows (Depth),
          .Width(Width)
      ) u_products (
          .clk_i,
          .we_i   (m_we_i[k]),
          .wzero_i(1'b0),
          .waddr_i({m_index_i, m_row_i}),
          .wdata_i(m_data_i[k*Width+:Width]),
          .raddr_i({operand[port][3:0], row[port]}),
          .rdata_o(product[k*Width+:Width])
      );
      montcore_ram #(
          .Rows (Depth),
          .Width(Width)
      ) u_sums (
          .clk_i,
          .we_i   (s_we_i),
          .wzero_i(1'b0),
          .waddr_i({s_index_i, s_row_i}),
          .wdata_i(s_data_i[k*Width+:Width]),
          .raddr_i({operand[port][3:0], row[port]}),
          .rdata_o(sum[k*Width+:Width])
      );
    end
    assign word[port] = operand[port][5] ? '0 : operand[port][4] ? sum : product;
  end

  // The constants zero and one.
  logic [3:0] one;
  for (genvar port = 0; port < 4; port++) begin : g_one
    assign one[port] = operand[port][5] && operand[port][0] &&
                       ((port < 2) ? beat_i == '0 : row_i == '0);
  end
  if (Lanes > 1) begin : g_select
    assign x_o = (lane ? word[0][Width+:Width] : word[0][Width-1:0]) | Width'(one[0]);
    assign y_o = (lane ? word[1][Width+:Width] : word[1][Width-1:0]) | Width'(one[1]);
  end else begin : g_single
    logic unused_lane;
    assign unused_lane = lane;
    assign x_o = word[0] | Width'(one[0]);
    assign y_o = word[1] | Width'(one[1]);
  end
  assign a_o = word[2] | (Lanes * Width)'(one[2]);
  assign b_o = word[3] | (Lanes * Width)'(one[3]);
endmodule
