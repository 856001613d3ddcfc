// SPDX-License-Identifier: Apache-2.0
// Functional models of primitives of ECP5 that Yosys has only headers of, as far as the mapped cores
// use them.

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
  localparam FACTORS = REG_INPUTA_CLK == "CLK0";
  localparam PRODUCT = REG_OUTPUT_CLK == "CLK0";
  generate
    if ((FACTORS && (REG_INPUTB_CLK != "CLK0" || REG_INPUTA_CE != "CE0" ||
         REG_INPUTA_RST != "RST0" || REG_INPUTB_CE != "CE1" || REG_INPUTB_RST != "RST0")) ||
        (!FACTORS && (REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE")) ||
        (PRODUCT && (REG_OUTPUT_CE != "CE1" || REG_OUTPUT_RST != "RST1")) ||
        (!PRODUCT && REG_OUTPUT_CLK != "NONE") || REG_PIPELINE_CLK != "NONE" ||
        RESETMODE != "SYNC")
      NO_MODEL_OF_THIS_MULTIPLIER no_model ();
  endgenerate
  wire [17:0] a_in = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b_in = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  reg [17:0] a_q, b_q;
  reg [35:0] p_q;
  wire [17:0] a = FACTORS ? a_q : a_in;
  wire [17:0] b = FACTORS ? b_q : b_in;
  wire signed [18:0] a_signed = {SIGNEDA && a[17], a};
  wire signed [18:0] b_signed = {SIGNEDB && b[17], b};
  wire signed [37:0] product = a_signed * b_signed;
  wire [35:0] p = PRODUCT ? p_q : product[35:0];
  always @(posedge CLK0) begin
    if (CE0) a_q <= RST0 ? 18'd0 : a_in;
    if (CE1) b_q <= RST0 ? 18'd0 : b_in;
    if (CE1) p_q <= RST1 ? 36'd0 : product[35:0];
  end
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
          P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = p;
endmodule

/// Block memory of ECP5 as it is used with 36 bits, or with 18 or 9: port A writes, port B reads.
module DP16KD (
    input DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
    input DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    input ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input CLKA, CLKB, CEA, CEB, OCEA, OCEB, WEA, WEB, RSTA, RSTB,
    input CSA2, CSA1, CSA0, CSB2, CSB1, CSB0,
    output DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
    output DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);
  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG";
  parameter REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC";
  parameter ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A = "0b000";
  parameter CSDECODE_B = "0b000";
  parameter WRITEMODE_A = "NORMAL";
  parameter WRITEMODE_B = "NORMAL";
  parameter CLKAMUX = "CLKA";
  parameter CLKBMUX = "CLKB";
  parameter GSR = "ENABLED";
  localparam WIDTH = DATA_WIDTH_A;
  localparam SHIFT = WIDTH == 36 ? 5 : WIDTH == 18 ? 4 : 3;
  generate
    if (DATA_WIDTH_B != WIDTH || WIDTH < 9 || REGMODE_B != "NOREG" || CLKAMUX != "CLKA" ||
        CLKBMUX != "CLKB")
      NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
  endgenerate
  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [3:0] bytes = WIDTH == 9 ? 4'd1 : WIDTH == 18 ? {2'd0, ada[1:0]} : ada[3:0];
  wire [35:0] d = {dib, dia};
  wire [35:0] q;
  block_memory #(
      .AddrBits(14 - SHIFT)
  ) memory (
      .write_clk (CLKA),
      .write     (CEA && WEA),
      .bytes     (bytes),
      .write_addr(ada[13:SHIFT]),
      .data      ({d[34:27], d[25:18], d[16:9], d[7:0]}),
      .parity    ({d[35], d[26], d[17], d[8]}),
      .read_clk  (CLKB),
      .read      (CEB),
      .read_addr (adb[13:SHIFT]),
      .data_out  ({q[34:27], q[25:18], q[16:9], q[7:0]}),
      .parity_out({q[35], q[26], q[17], q[8]})
  );
  // With 36 bits the low half leaves on the outputs of port A.
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = q[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = WIDTH == 36 ? q[35:18] : q[17:0];
endmodule
