// SPDX-License-Identifier: Apache-2.0

/// Multiplies on somebody else's multiplier: reads lines of X, Y, M and a constant of M, and prints
/// for each the product and the cycles from start to done.
///
/// Every adapter is a module `montcore_peer` with these ports. done is high for a cycle, with z.
module montcore_peer_bench #(
    parameter int Bits = 256,  // Bits of the numbers.
    parameter int Limit = 1_000_000  // Cycles after which a product is given up.
);
  logic clk = 1'b0, rst_n = 1'b0, start = 1'b0, done;
  logic [Bits-1:0] x = '0, y = '0, m = '0;
  logic [Bits+16:0] z;
  logic [63:0] constant = '0;
  always #5 clk = ~clk;

  montcore_peer #(
      .Bits(Bits)
  ) u_peer (
      .clk_i     (clk),
      .rst_ni    (rst_n),
      .start_i   (start),
      .x_i       (x),
      .y_i       (y),
      .m_i       (m),
      .constant_i(constant),
      .done_o    (done),
      .z_o       (z)
  );

  string name;
  int file, cycles;
  initial begin
    if (!$value$plusargs("vectors=%s", name)) $fatal(1, "the vectors are missing");
    file = $fopen(name, "r");
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    repeat (4) @(negedge clk);
    // The numbers of a file and of what Python reads have no base in front.
    // verilog_lint: waive-start numeric-format-string-style
    while ($fscanf(
        file, "%h %h %h %h\n", x, y, m, constant
    ) == 4) begin
      start  = 1'b1;
      cycles = 0;
      do begin
        @(negedge clk);
        start  = 1'b0;
        cycles = cycles + 1;
        if (cycles > Limit) $fatal(1, "no product after %0d cycles", Limit);
      end while (!done);
      $display("product %h %0d", z, cycles);
      // verilog_lint: waive-stop numeric-format-string-style
      repeat (4) @(negedge clk);
    end
    $finish;
  end
endmodule
