// SPDX-License-Identifier: Apache-2.0
// A mapped block memory beside its RTL, under random traffic; prints PASS if they are alike.
module block_ram_bench;
  parameter Rows = 64;
  parameter Width = 34;
  parameter AddrBits = 6;
  reg clk = 0, we = 0;
  reg [AddrBits-1:0] waddr = 0, raddr = 0;
  reg [Width-1:0] wdata = 0;
  wire [Width-1:0] mapped;
  reg [Width-1:0] rows[0:Rows-1];
  reg [Width-1:0] wanted;
  reg known = 0;
  integer count, errors, seen;
  montcore_block_ram ram (
      .clk_i  (clk),
      .we_i   (we),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .raddr_i(raddr),
      .rdata_o(mapped)
  );
  always #5 clk = ~clk;
  always @(posedge clk) begin
    wanted <= rows[raddr];
    if (we) rows[waddr] <= wdata;
  end
  initial begin
    errors = 0;
    seen = 0;
    // Every row once, in order; then anything, reads of the row being written among them.
    for (count = 0; count < 4 * Rows; count = count + 1) begin
      @(negedge clk);
      if (count > Rows + 1) begin
        seen = seen + 1;
        if (mapped !== wanted) errors = errors + 1;
      end
      we = count < Rows || $random;
      waddr = count < Rows ? count : $unsigned($random) % Rows;
      wdata = {$random, $random};
      raddr = count < Rows ? 0 : ($random & 3) == 0 ? waddr : $unsigned($random) % Rows;
    end
    if (errors == 0 && seen > 2 * Rows) $display("PASS");
    else $display("FAIL %0d of %0d", errors, seen);
    $finish;
  end
endmodule
