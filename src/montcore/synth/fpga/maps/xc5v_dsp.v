// SPDX-License-Identifier: Apache-2.0
// The DSP block of Virtex-5 from that of Virtex-6, into which Yosys packs adders and registers. It
// is the same block without the adder before the multiplier: ports D, INMODE, CED, CEAD, CEINMODE,
// RSTD and RSTINMODE, and where that adder is used the cell stays what it is.

module DSP48E1 (
    input         CLK,
    input  [29:0] A,
    input  [29:0] ACIN,
    input  [17:0] B,
    input  [17:0] BCIN,
    input  [47:0] C,
    input  [24:0] D,
    input  [47:0] PCIN,
    input         CARRYCASCIN,
    input         MULTSIGNIN,
    input         CARRYIN,
    input  [ 2:0] CARRYINSEL,
    input  [ 3:0] ALUMODE,
    input  [ 4:0] INMODE,
    input  [ 6:0] OPMODE,
    input         CEA1,
    input         CEA2,
    input         CEAD,
    input         CEALUMODE,
    input         CEB1,
    input         CEB2,
    input         CEC,
    input         CECARRYIN,
    input         CECTRL,
    input         CED,
    input         CEINMODE,
    input         CEM,
    input         CEP,
    input         RSTA,
    input         RSTALLCARRYIN,
    input         RSTALUMODE,
    input         RSTB,
    input         RSTC,
    input         RSTCTRL,
    input         RSTD,
    input         RSTINMODE,
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
  parameter ACASCREG = 1;
  parameter ADREG = 1;
  parameter ALUMODEREG = 1;
  parameter AREG = 1;
  parameter A_INPUT = "DIRECT";
  parameter BCASCREG = 1;
  parameter BREG = 1;
  parameter B_INPUT = "DIRECT";
  parameter CARRYINREG = 1;
  parameter CARRYINSELREG = 1;
  parameter CREG = 1;
  parameter DREG = 1;
  parameter INMODEREG = 1;
  parameter MREG = 1;
  parameter OPMODEREG = 1;
  parameter PREG = 1;
  parameter USE_DPORT = "FALSE";
  parameter USE_MULT = "MULTIPLY";
  parameter USE_SIMD = "ONE48";

  wire _TECHMAP_FAIL_ = USE_DPORT == "TRUE";

  DSP48E #(
      .ACASCREG      (ACASCREG),
      .ALUMODEREG    (ALUMODEREG),
      .AREG          (AREG),
      .A_INPUT       (A_INPUT),
      .BCASCREG      (BCASCREG),
      .BREG          (BREG),
      .B_INPUT       (B_INPUT),
      .CARRYINREG    (CARRYINREG),
      .CARRYINSELREG (CARRYINSELREG),
      .CREG          (CREG),
      .MREG          (MREG),
      .MULTCARRYINREG(CARRYINREG),
      .OPMODEREG     (OPMODEREG),
      .PREG          (PREG),
      .USE_MULT      ((USE_MULT == "NONE") ? "NONE" : MREG ? "MULT_S" : "MULT"),
      .USE_SIMD      (USE_SIMD)
  ) _TECHMAP_REPLACE_ (
      .CLK           (CLK),
      .A             (A),
      .ACIN          (ACIN),
      .B             (B),
      .BCIN          (BCIN),
      .C             (C),
      .PCIN          (PCIN),
      .CARRYCASCIN   (CARRYCASCIN),
      .MULTSIGNIN    (MULTSIGNIN),
      .CARRYIN       (CARRYIN),
      .CARRYINSEL    (CARRYINSEL),
      .ALUMODE       (ALUMODE),
      .OPMODE        (OPMODE),
      .CEA1          (CEA1),
      .CEA2          (CEA2),
      .CEALUMODE     (CEALUMODE),
      .CEB1          (CEB1),
      .CEB2          (CEB2),
      .CEC           (CEC),
      .CECARRYIN     (CECARRYIN),
      .CECTRL        (CECTRL),
      .CEM           (CEM),
      .CEMULTCARRYIN (1'b1),
      .CEP           (CEP),
      .RSTA          (RSTA),
      .RSTALLCARRYIN (RSTALLCARRYIN),
      .RSTALUMODE    (RSTALUMODE),
      .RSTB          (RSTB),
      .RSTC          (RSTC),
      .RSTCTRL       (RSTCTRL),
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
