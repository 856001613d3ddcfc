// SPDX-License-Identifier: Apache-2.0
// DSP blocks in several configurations beside mapped copies of them, under random traffic; prints PASS
// if they are alike. The blocks are in the module `wanted`, the mapped copies in `mapped`.
module dsp_block_bench;
  parameter Traffic = 400;
  parameter Blocks = 1;
  reg clk = 0;
  reg [29:0] a = 0;
  reg [17:0] b = 0;
  reg [47:0] c = 0;
  reg [24:0] d = 0;
  reg [47:0] cascade = 0;
  reg choice = 0;
  reg [7:0] enable = 0;
  reg [5:0] clear = 0;
  wire [48*Blocks-1:0] p_wanted, p_mapped;
  reg [48*Blocks-1:0] moved = 0, last = 0;
  integer count, errors, block;
  wanted one (clk, a, b, c, d, cascade, choice, enable, clear, p_wanted);
  mapped two (clk, a, b, c, d, cascade, choice, enable, clear, p_mapped);
  always #5 clk = ~clk;
  initial begin
    errors = 0;
    for (count = 0; count < Traffic; count = count + 1) begin
      @(negedge clk);
      #1;
      // The first cycles clear every register.
      if (count > 6) begin
        if (p_mapped !== p_wanted || ^p_wanted === 1'bx) errors = errors + 1;
        moved = moved | (last ^ p_wanted);
        last = p_wanted;
      end
      a = $random;
      b = $random;
      c = {$random, $random};
      d = $random;
      cascade = {$random, $random};
      choice = $random;
      enable = count < 6 ? 8'hff : ($random | $random);
      clear = count < 6 ? 6'h3f : ($random & $random & $random & $random);
    end
    // Each block has shown values, all of whose bits moved.
    for (block = 0; block < Blocks; block = block + 1)
      if (moved[48*block+:30] !== {30{1'b1}}) errors = errors + 1;
    if (errors == 0) $display("PASS");
    else $display("FAIL %0d times", errors);
    $finish;
  end
endmodule
