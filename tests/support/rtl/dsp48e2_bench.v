// SPDX-License-Identifier: Apache-2.0
// Six configurations of DSP48E2 under random traffic, each beside Yosys' model of DSP48E1 with
// factors of 25 bits, and a product of 27 bits beside Verilog's; prints the numbers of equal
// samples.
`define SAME_PARAMETERS .AREG(Ab), .BREG(Ab), .ACASCREG(Cascade), .BCASCREG(Cascade), \
  .CREG(n % 2), .MREG(n / 2 % 2), .PREG(n != 4), .A_INPUT(Source), .B_INPUT(Source)
`define SAME_PINS .CLK(clk), .A(narrow), .ACIN(~narrow), .B(b), .BCIN(~b), .C(c), .PCIN(cascade), \
  .CEA1(on[0]), .CEA2(on[1]), .CEB1(on[2]), .CEB2(on[3]), .CEC(on[4]), .CEM(on[5]), .CEP(on[6]), \
  .RSTA(off[0]), .RSTB(off[1]), .RSTC(off[2]), .RSTM(off[3]), .RSTP(off[4])
module dsp48e2_bench;
  reg clk = 0;
  reg signed [26:0] a;
  reg signed [17:0] b;
  reg signed [47:0] c, cascade;
  reg [6:0] on;
  reg [4:0] off;
  reg [2:0] way;
  wire [29:0] narrow = {{6{a[24]}}, a[23:0]};
  wire signed [47:0] product;
  wire [5:0] same;
  integer right = 0, wide = 0, count;
  always #5 clk = ~clk;

  genvar n;
  for (n = 0; n < 6; n = n + 1) begin : g_pair
    localparam Ab = (n + 1) % 3;
    localparam Cascade = (n > 3 && Ab == 2) ? 1 : Ab;
    localparam Source = (n == 3) ? "CASCADE" : "DIRECT";
    // Without a register of the sum there is no way back from it.
    wire [2:0] z = (n == 4 && (way == 2 || way == 6)) ? 3'd1 : way;
    wire [143:0] out[0:1];
    DSP48E2 #(`SAME_PARAMETERS) block (
        `SAME_PINS, .OPMODE({2'd0, z, 4'b0101}),
        .P(out[0][47:0]), .PCOUT(out[0][95:48]), .ACOUT(out[0][125:96]), .BCOUT(out[0][143:126])
    );
    DSP48E1 #(
        `SAME_PARAMETERS, .ADREG(0), .DREG(0), .ALUMODEREG(0), .CARRYINREG(0), .CARRYINSELREG(0),
        .INMODEREG(0), .OPMODEREG(0)
    ) older (
        `SAME_PINS, .OPMODE({z, 4'b0101}), .ALUMODE(4'd0), .INMODE(5'd0), .CARRYIN(1'b0),
        .CARRYINSEL(3'd0), .D(25'd0),
        .P(out[1][47:0]), .PCOUT(out[1][95:48]), .ACOUT(out[1][125:96]), .BCOUT(out[1][143:126])
    );
    assign same[n] = out[0] === out[1];
  end
  DSP48E2 #(.AREG(0), .BREG(0), .CREG(0), .MREG(0), .PREG(0)) alone (
      .CLK(clk), .A({3'd0, a}), .B(b), .C(c), .OPMODE(9'h035), .P(product)
  );

  initial begin
    // After the first cycles, with a reset of everything, all registers are known.
    for (count = 0; count < 1004; count = count + 1) begin
      @(negedge clk);
      if (count > 4) begin
        right = right + same[0] + same[1] + same[2] + same[3] + same[4] + same[5];
        wide = wide + (product === a * b + c);
      end
      {a, b} = {$random, $random};
      if (count % 8 == 0) {a, b} = {27'h4000000, 18'h20000};
      {c, cascade} = {$random, $random, $random};
      on = $random | $random;
      off = count < 4 ? 5'h1f : $random & $random & $random;
      way = count % 7 == 4 ? 3 : count % 7;
      #1;
    end
    $display("right: %0d and %0d", right, wide);
    $finish;
  end
endmodule
