// SPDX-License-Identifier: Apache-2.0
// Functional models of primitives of Gowin that Yosys has only headers of, as far as the mapped cores use
// them.

/// Multiplier without registers, as Yosys maps to it.
module MULT18X18 (
    input  [17:0] A, B, SIA, SIB,
    input         ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET,
    output [35:0] DOUT,
    output [17:0] SOA, SOB
);
  wire signed [18:0] a_signed = {ASIGN && A[17], A};
  wire signed [18:0] b_signed = {BSIGN && B[17], B};
  wire signed [37:0] product = a_signed * b_signed;
  assign DOUT = product[35:0];
endmodule

/// Small multiplier without registers, as Yosys maps to it.
module MULT9X9 (
    input  [ 8:0] A, B, SIA, SIB,
    input         ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET,
    output [17:0] DOUT,
    output [ 8:0] SOA, SOB
);
  wire signed [9:0] a_signed = {ASIGN && A[8], A};
  wire signed [9:0] b_signed = {BSIGN && B[8], B};
  wire signed [19:0] product = a_signed * b_signed;
  assign DOUT = product[17:0];
endmodule
