// SPDX-License-Identifier: Apache-2.0
// Functional model of the vendor's multiplier, of which Yosys has only a header, as far as the mapped
// cores use it. Elaboration reads it as a header; synthesis replaces it by the primitive itself.

/// Multiplier of ECP5: without registers, as Yosys maps to it, or with registers on its factors and on
/// its product, as montcore_mul_registered has them. A reset comes with its enable only.
module MULT18X18D (
    input A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
    input B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
    input C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17,
    input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CE0, CE1, RST0, RST1,
    output P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17,
    output P18, P19, P20, P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  parameter REG_INPUTA_CLK = "NONE";
  parameter REG_INPUTA_CE = "CE0";
  parameter REG_INPUTA_RST = "RST0";
  parameter REG_INPUTB_CLK = "NONE";
  parameter REG_INPUTB_CE = "CE0";
  parameter REG_INPUTB_RST = "RST0";
  parameter REG_PIPELINE_CLK = "NONE";
  parameter REG_PIPELINE_CE = "CE0";
  parameter REG_PIPELINE_RST = "RST0";
  parameter REG_OUTPUT_CLK = "NONE";
  parameter REG_OUTPUT_CE = "CE0";
  parameter REG_OUTPUT_RST = "RST0";
  parameter CLK0_DIV = "ENABLED";
  parameter GSR = "ENABLED";
  parameter RESETMODE = "SYNC";
  generate
    if ((REG_INPUTA_CLK == "CLK0" && (REG_INPUTB_CLK != "CLK0" || REG_INPUTA_CE != "CE0" ||
         REG_INPUTA_RST != "RST0" || REG_INPUTB_CE != "CE1" || REG_INPUTB_RST != "RST0")) ||
        (REG_INPUTA_CLK != "CLK0" && (REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE")) ||
        (REG_OUTPUT_CLK == "CLK0" && (REG_OUTPUT_CE != "CE1" || REG_OUTPUT_RST != "RST1")) ||
        (REG_OUTPUT_CLK != "CLK0" && REG_OUTPUT_CLK != "NONE") || REG_PIPELINE_CLK != "NONE" ||
        RESETMODE != "SYNC")
      NO_MODEL_OF_THIS_MULTIPLIER no_model ();
  endgenerate
  wire [17:0] a_in = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b_in = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  reg [17:0] a_q, b_q;
  reg [35:0] p_q;
  wire [17:0] a = REG_INPUTA_CLK == "CLK0" ? a_q : a_in;
  wire [17:0] b = REG_INPUTA_CLK == "CLK0" ? b_q : b_in;
  wire signed [18:0] a_signed = {SIGNEDA && a[17], a};
  wire signed [18:0] b_signed = {SIGNEDB && b[17], b};
  wire signed [37:0] product = a_signed * b_signed;
  wire [35:0] p = REG_OUTPUT_CLK == "CLK0" ? p_q : product[35:0];
  always @(posedge CLK0) begin
    if (CE0) a_q <= RST0 ? 18'd0 : a_in;
    if (CE1) b_q <= RST0 ? 18'd0 : b_in;
    if (CE1) p_q <= RST1 ? 36'd0 : product[35:0];
  end
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
          P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = p;
endmodule
