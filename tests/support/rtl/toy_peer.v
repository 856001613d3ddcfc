// SPDX-License-Identifier: Apache-2.0

// A bit-serial multiplier as somebody else may have written it, for the tests of `montcore peers`:
// asynchronous reset, numbers at its ports, results below the modulus.
module toy_peer #(
    parameter WIDTH = 16
) (
    input                  clk,
    input                  reset_n,
    input                  go,
    input      [WIDTH-1:0] a,
    input      [WIDTH-1:0] b,
    input      [WIDTH-1:0] n,
    output                 ready,
    output     [WIDTH+1:0] r
);
  reg [WIDTH+1:0] sum;
  reg [WIDTH-1:0] rest;
  reg [15:0] left;
  wire [WIDTH+1:0] with_b = sum + (rest[0] ? b : 0);
  wire [WIDTH+1:0] with_n = with_b + (with_b[0] ? n : 0);
  always @(posedge clk or negedge reset_n) begin
    if (!reset_n) begin
      left <= 0;
      sum  <= 0;
      rest <= 0;
    end else if (go) begin
      left <= WIDTH;
      sum  <= 0;
      rest <= a;
    end else if (left != 0) begin
      left <= left - 1;
      sum  <= with_n >> 1;
      rest <= rest >> 1;
    end
  end
  assign ready = left == 0;
  assign r = (sum >= n) ? sum - n : sum;
endmodule
