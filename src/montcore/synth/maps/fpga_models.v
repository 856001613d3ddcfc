// SPDX-License-Identifier: Apache-2.0
// Functional models of primitives that Yosys has only headers of, as far as the mapped cores use them.

`ifdef XILINX
/// DSP block of Virtex-5: that of Virtex-6 without the adder before the multiplier.
module DSP48E (
    input         CLK,
    input  [29:0] A,
    input  [29:0] ACIN,
    input  [17:0] B,
    input  [17:0] BCIN,
    input  [47:0] C,
    input  [47:0] PCIN,
    input         CARRYCASCIN,
    input         MULTSIGNIN,
    input         CARRYIN,
    input  [ 2:0] CARRYINSEL,
    input  [ 3:0] ALUMODE,
    input  [ 6:0] OPMODE,
    input         CEA1,
    input         CEA2,
    input         CEALUMODE,
    input         CEB1,
    input         CEB2,
    input         CEC,
    input         CECARRYIN,
    input         CECTRL,
    input         CEM,
    input         CEMULTCARRYIN,
    input         CEP,
    input         RSTA,
    input         RSTALLCARRYIN,
    input         RSTALUMODE,
    input         RSTB,
    input         RSTC,
    input         RSTCTRL,
    input         RSTM,
    input         RSTP,
    output [29:0] ACOUT,
    output [17:0] BCOUT,
    output        CARRYCASCOUT,
    output [ 3:0] CARRYOUT,
    output        MULTSIGNOUT,
    output        OVERFLOW,
    output [47:0] P,
    output        PATTERNBDETECT,
    output        PATTERNDETECT,
    output [47:0] PCOUT,
    output        UNDERFLOW
);
  parameter integer ACASCREG = 1;
  parameter integer ALUMODEREG = 1;
  parameter integer AREG = 1;
  parameter A_INPUT = "DIRECT";
  parameter integer BCASCREG = 1;
  parameter integer BREG = 1;
  parameter B_INPUT = "DIRECT";
  parameter integer CARRYINREG = 1;
  parameter integer CARRYINSELREG = 1;
  parameter integer CREG = 1;
  parameter integer MREG = 1;
  parameter integer MULTCARRYINREG = 1;
  parameter integer OPMODEREG = 1;
  parameter integer PREG = 1;
  parameter USE_MULT = "MULT_S";
  parameter USE_SIMD = "ONE48";
  DSP48E1 #(
      .ACASCREG     (ACASCREG),
      .ADREG        (0),
      .ALUMODEREG   (ALUMODEREG),
      .AREG         (AREG),
      .A_INPUT      (A_INPUT),
      .BCASCREG     (BCASCREG),
      .BREG         (BREG),
      .B_INPUT      (B_INPUT),
      .CARRYINREG   (CARRYINREG),
      .CARRYINSELREG(CARRYINSELREG),
      .CREG         (CREG),
      .DREG         (0),
      .INMODEREG    (0),
      .MREG         (MREG),
      .OPMODEREG    (OPMODEREG),
      .PREG         (PREG),
      .USE_DPORT    ("FALSE"),
      .USE_MULT     ((USE_MULT == "NONE") ? "NONE" : "MULTIPLY"),
      .USE_SIMD     (USE_SIMD)
  ) block (
      .CLK           (CLK),
      .A             (A),
      .ACIN          (ACIN),
      .B             (B),
      .BCIN          (BCIN),
      .C             (C),
      .D             (25'd0),
      .PCIN          (PCIN),
      .CARRYCASCIN   (CARRYCASCIN),
      .MULTSIGNIN    (MULTSIGNIN),
      .CARRYIN       (CARRYIN),
      .CARRYINSEL    (CARRYINSEL),
      .ALUMODE       (ALUMODE),
      .INMODE        (5'd0),
      .OPMODE        (OPMODE),
      .CEA1          (CEA1),
      .CEA2          (CEA2),
      .CEAD          (1'b0),
      .CEALUMODE     (CEALUMODE),
      .CEB1          (CEB1),
      .CEB2          (CEB2),
      .CEC           (CEC),
      .CECARRYIN     (CECARRYIN),
      .CECTRL        (CECTRL),
      .CED           (1'b0),
      .CEINMODE      (1'b0),
      .CEM           (CEM),
      .CEP           (CEP),
      .RSTA          (RSTA),
      .RSTALLCARRYIN (RSTALLCARRYIN),
      .RSTALUMODE    (RSTALUMODE),
      .RSTB          (RSTB),
      .RSTC          (RSTC),
      .RSTCTRL       (RSTCTRL),
      .RSTD          (1'b0),
      .RSTINMODE     (1'b0),
      .RSTM          (RSTM),
      .RSTP          (RSTP),
      .ACOUT         (ACOUT),
      .BCOUT         (BCOUT),
      .CARRYCASCOUT  (CARRYCASCOUT),
      .CARRYOUT      (CARRYOUT),
      .MULTSIGNOUT   (MULTSIGNOUT),
      .OVERFLOW      (OVERFLOW),
      .P             (P),
      .PATTERNBDETECT(PATTERNBDETECT),
      .PATTERNDETECT (PATTERNDETECT),
      .PCOUT         (PCOUT),
      .UNDERFLOW     (UNDERFLOW)
  );
endmodule
`endif

`ifdef ECP5
/// Multiplier of ECP5 without registers, as Yosys maps to it.
module MULT18X18D (
    input A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
    input B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
    input C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17,
    input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
    output P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17,
    output P18, P19, P20, P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire signed [18:0] a_signed = {SIGNEDA && a[17], a};
  wire signed [18:0] b_signed = {SIGNEDB && b[17], b};
  wire signed [37:0] p = a_signed * b_signed;
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
          P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = p[35:0];
endmodule
`endif
