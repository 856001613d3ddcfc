// SPDX-License-Identifier: Apache-2.0
// A memory as an array of latches. The word to write is kept in registers for a cycle, and so is, in a
// latch that is transparent while the clock is low, whether a row is to be written; in the next cycle
// the row is open while the clock is high. So a write shows from the next cycle on, and nothing that
// opens a row changes while the clock is high.
(* techmap_celltype = "montcore_ram_macro" *)
module _montcore_latch_array (clk_i, we_i, waddr_i, wdata_i, raddr_i, rdata_o);
  parameter Rows = 8;
  parameter Width = 32;
  localparam AddrBits = (Rows > 1) ? $clog2(Rows) : 1;
  input clk_i, we_i;
  input [AddrBits-1:0] waddr_i, raddr_i;
  input [Width-1:0] wdata_i;
  output [Width-1:0] rdata_o;

  wire [Width-1:0] kept;
  wire [Rows*Width-1:0] rows;
  genvar row, bit_;
  generate
    for (bit_ = 0; bit_ < Width; bit_ = bit_ + 1) begin : gen_kept
      \$_DFF_P_ register (.C(clk_i), .D(wdata_i[bit_]), .Q(kept[bit_]));
    end
    for (row = 0; row < Rows; row = row + 1) begin : gen_row
      wire chosen = we_i & (waddr_i == row);
      wire ready, open;
      \$_DLATCH_N_ gate (.E(clk_i), .D(chosen), .Q(ready));
      \$_AND_ opener (.A(clk_i), .B(ready), .Y(open));
      for (bit_ = 0; bit_ < Width; bit_ = bit_ + 1) begin : gen_bit
        \$_DLATCH_P_ cell_ (.E(open), .D(kept[bit_]), .Q(rows[row*Width+bit_]));
      end
    end
  endgenerate
  assign rdata_o = rows[raddr_i*Width +: Width];
endmodule
