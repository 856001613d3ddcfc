// SPDX-License-Identifier: Apache-2.0
// The DSP blocks of the Xilinx families in what the mapped cores use of them: a product, with or
// without an adder before it, and a sum with C, with the block's own last sum or with the cascade, and
// with a carry that has no register.
// A technology map rather than models, because what a block does depends on constants at its ports.
// Anything else that a block is asked for needs a module that does not exist, which is an error.

// An input as a net with the constants in it. One that is not connected is 0, as in the families.
`define DSP_INPUT(PORT, WIDTH) \
  parameter [WIDTH-1:0] _TECHMAP_CONSTMSK_``PORT``_ = ~0; \
  parameter [WIDTH-1:0] _TECHMAP_CONSTVAL_``PORT``_ = 0; \
  wire [WIDTH-1:0] in_``PORT`` = (PORT & ~_TECHMAP_CONSTMSK_``PORT``_) | \
      (_TECHMAP_CONSTVAL_``PORT``_ & _TECHMAP_CONSTMSK_``PORT``_);

// The inputs that all blocks have.
`define DSP_INPUTS(A_BITS) \
  `DSP_INPUT(A, A_BITS) \
  `DSP_INPUT(B, 18) \
  `DSP_INPUT(BCIN, 18) \
  `DSP_INPUT(C, 48) \
  `DSP_INPUT(PCIN, 48) \
  `DSP_INPUT(OPMODE, 7) \
  `DSP_INPUT(CEC, 1) \
  `DSP_INPUT(CEM, 1) \
  `DSP_INPUT(CEP, 1) \
  `DSP_INPUT(RSTA, 1) \
  `DSP_INPUT(RSTB, 1) \
  `DSP_INPUT(RSTC, 1) \
  `DSP_INPUT(RSTM, 1) \
  `DSP_INPUT(RSTP, 1) \
  `DSP_INPUT(CARRYIN, 1)

// Those of Virtex-5 and newer.
`define DSP_NEWER_INPUTS \
  `DSP_INPUTS(30) \
  `DSP_INPUT(ACIN, 30) \
  `DSP_INPUT(CEA1, 1) \
  `DSP_INPUT(CEA2, 1) \
  `DSP_INPUT(CEB1, 1) \
  `DSP_INPUT(CEB2, 1) \
  `DSP_INPUT(ALUMODE, 4) \
  `DSP_INPUT(CARRYINSEL, 3)

// Whether an input may be other than 0.
`define DSP_USED(PORT) (~&_TECHMAP_CONSTMSK_``PORT``_ || _TECHMAP_CONSTVAL_``PORT``_ !== 0)

// The block, from the nets and constants that the family's module declares: factor_a, and in_D,
// DREG, ADREG and PRE of the adder before it, ACASCREG and BCASCREG, the enables of the factors'
// registers, and REFUSED for what else has no model.
//
// A choice of the sum that is made at run time is one of P and C, or one between shifted cascade and
// sum.
`define DSP_BODY \
  localparam [2:0] z_known = _TECHMAP_CONSTMSK_OPMODE_[6:4]; \
  localparam z_const = z_known == 3'h7 ? {1'b0, _TECHMAP_CONSTVAL_OPMODE_[6:4]} : 8; \
  localparam uses_p = z_known != 3'h7 || _TECHMAP_CONSTVAL_OPMODE_[6:4] == 3'b010 || \
      _TECHMAP_CONSTVAL_OPMODE_[6:4] == 3'b110; \
  generate \
    if (_TECHMAP_CONSTMSK_OPMODE_[3:0] != 4'hf || \
        _TECHMAP_CONSTVAL_OPMODE_[3:0] != 4'b0101 || \
        (z_known != 3'h7 && z_known != 3'b100 && z_known != 3'b110) || \
        (z_known == 3'b110 && _TECHMAP_CONSTVAL_OPMODE_[6:5] != 2'b01) || \
        (z_known == 3'b100 && !_TECHMAP_CONSTVAL_OPMODE_[6]) || \
        _TECHMAP_CONSTVAL_OPMODE_[6:4] == 3'b100 && z_known == 3'h7 || \
        _TECHMAP_CONSTVAL_OPMODE_[6:4] == 3'b111 || \
        (PREG == 0 && uses_p) || OPMODEREG != 0 || \
        (`DSP_USED(CARRYIN) && CARRYINREG != 0) || `DSP_USED(CARRYINSEL) || REFUSED) \
      NO_MODEL_OF_THIS_DSP_BLOCK no_model (); \
  endgenerate \
  dsp_block #( \
      .AREG(AREG), .BREG(BREG), .CREG(CREG), .DREG(DREG), .ADREG(ADREG), .MREG(MREG), .PREG(PREG), \
      .ACASCREG(ACASCREG), .BCASCREG(BCASCREG), .Z(z_const), .PRE(PRE) \
  ) block ( \
      .CLK(CLK), .z_by(in_OPMODE[6:4]), .carry(in_CARRYIN), \
      .CEC(in_CEC), .CEM(in_CEM), .CEP(in_CEP), .RSTA(in_RSTA), .RSTB(in_RSTB), .RSTC(in_RSTC), \
      .RSTM(in_RSTM), .RSTP(in_RSTP), .C(in_C), .PCIN(in_PCIN), .BCOUT(BCOUT), .P(P), \
      .A(factor_a), .B(B_INPUT == "DIRECT" ? in_B : in_BCIN), .D(in_D), .ACOUT(a_out), \
      .CEA1(enable_a1), .CEA2(enable_a2), .CEB1(enable_b1), .CEB2(enable_b2), \
      .CEAD(in_CEAD), .CED(in_CED), .RSTD(in_RSTD) \
  ); \
  assign PCOUT = P;

// The wires of a block without an adder before the multiplier.
`define DSP_NO_PRE_ADDER \
  localparam DREG = 0; \
  localparam ADREG = 0; \
  localparam PRE = 0; \
  wire [24:0] in_D = 25'd0; \
  wire in_CEAD = 1'b0; \
  wire in_CED = 1'b0; \
  wire in_RSTD = 1'b0;

// The wires of a block of Virtex-5 or newer.
`define DSP_NEWER_WIRES \
  wire [29:0] factor_a = A_INPUT == "DIRECT" ? in_A : in_ACIN; \
  wire [29:0] a_out; \
  wire enable_a1 = in_CEA1; \
  wire enable_a2 = in_CEA2; \
  wire enable_b1 = in_CEB1; \
  wire enable_b2 = in_CEB2; \
  assign ACOUT = a_out;

// The ports and parameters of a block of Virtex-5 or newer.
`define DSP_NEWER_PORTS \
    input CLK, \
    input [29:0] A, \
    input [29:0] ACIN, \
    input [17:0] B, \
    input [17:0] BCIN, \
    input [47:0] C, \
    input [47:0] PCIN, \
    input CARRYCASCIN, \
    input MULTSIGNIN, \
    input CARRYIN, \
    input [2:0] CARRYINSEL, \
    input [3:0] ALUMODE, \
    input [6:0] OPMODE, \
    input CEA1, \
    input CEA2, \
    input CEALUMODE, \
    input CEB1, \
    input CEB2, \
    input CEC, \
    input CECARRYIN, \
    input CECTRL, \
    input CEM, \
    input CEP, \
    input RSTA, \
    input RSTALLCARRYIN, \
    input RSTALUMODE, \
    input RSTB, \
    input RSTC, \
    input RSTCTRL, \
    input RSTM, \
    input RSTP, \
    output [29:0] ACOUT, \
    output [17:0] BCOUT, \
    output CARRYCASCOUT, \
    output [3:0] CARRYOUT, \
    output MULTSIGNOUT, \
    output OVERFLOW, \
    output [47:0] P, \
    output PATTERNBDETECT, \
    output PATTERNDETECT, \
    output [47:0] PCOUT, \
    output UNDERFLOW

`define DSP_NEWER_PARAMETERS \
  parameter ACASCREG = 1; \
  parameter ALUMODEREG = 1; \
  parameter AREG = 1; \
  parameter BCASCREG = 1; \
  parameter BREG = 1; \
  parameter CARRYINREG = 1; \
  parameter CARRYINSELREG = 1; \
  parameter CREG = 1; \
  parameter MREG = 1; \
  parameter OPMODEREG = 1; \
  parameter PREG = 1; \
  parameter A_INPUT = "DIRECT"; \
  parameter B_INPUT = "DIRECT"; \
  parameter USE_SIMD = "ONE48";

/// DSP block of Virtex-6 and the 7 series.
module DSP48E1 (
    input [24:0] D,
    input [4:0] INMODE,
    input CEAD,
    input CED,
    input CEINMODE,
    input RSTD,
    input RSTINMODE,
    `DSP_NEWER_PORTS
);
  `DSP_NEWER_PARAMETERS
  parameter ADREG = 1;
  parameter DREG = 1;
  parameter INMODEREG = 1;
  parameter USE_DPORT = "FALSE";
  parameter USE_MULT = "MULTIPLY";
  `DSP_NEWER_INPUTS
  `DSP_INPUT(D, 25)
  `DSP_INPUT(CEAD, 1)
  `DSP_INPUT(CED, 1)
  `DSP_INPUT(RSTD, 1)
  `DSP_INPUT(INMODE, 5)
  localparam PRE = USE_DPORT == "FALSE" ? 0 : _TECHMAP_CONSTVAL_INMODE_ == 5'h04 ? 1 : 2;
  localparam REFUSED = ALUMODEREG != 0 || INMODEREG != 0 || USE_SIMD != "ONE48" ||
      USE_MULT != "MULTIPLY" || `DSP_USED(ALUMODE) ||
      (USE_DPORT == "FALSE" && `DSP_USED(INMODE)) ||
      (USE_DPORT != "FALSE" && (~&_TECHMAP_CONSTMSK_INMODE_ ||
       (_TECHMAP_CONSTVAL_INMODE_ !== 5'h04 && _TECHMAP_CONSTVAL_INMODE_ !== 5'h0c)));
  `DSP_NEWER_WIRES
  `DSP_BODY
endmodule

/// DSP block of Virtex-5: the same without the adder before the multiplier.
module DSP48E (
    input CEMULTCARRYIN,
    `DSP_NEWER_PORTS
);
  `DSP_NEWER_PARAMETERS
  parameter MULTCARRYINREG = 1;
  parameter USE_MULT = "MULT_S";
  `DSP_NEWER_INPUTS
  localparam REFUSED = ALUMODEREG != 0 || USE_SIMD != "ONE48" || `DSP_USED(ALUMODE) ||
      (USE_MULT != "MULT" && USE_MULT != "MULT_S");
  `DSP_NO_PRE_ADDER
  `DSP_NEWER_WIRES
  `DSP_BODY
endmodule

/// DSP block of Virtex-4: factors of 18 bits, and one enable for both registers of a factor.
module DSP48 (
    input CLK,
    input [17:0] A,
    input [17:0] B,
    input [17:0] BCIN,
    input [47:0] C,
    input [47:0] PCIN,
    input CARRYIN,
    input [1:0] CARRYINSEL,
    input SUBTRACT,
    input [6:0] OPMODE,
    input CEA,
    input CEB,
    input CEC,
    input CECARRYIN,
    input CECINSUB,
    input CECTRL,
    input CEM,
    input CEP,
    input RSTA,
    input RSTB,
    input RSTC,
    input RSTCARRYIN,
    input RSTCTRL,
    input RSTM,
    input RSTP,
    output [17:0] BCOUT,
    output [47:0] P,
    output [47:0] PCOUT
);
  parameter AREG = 1;
  parameter BREG = 1;
  parameter CARRYINREG = 1;
  parameter CARRYINSELREG = 1;
  parameter CREG = 1;
  parameter MREG = 1;
  parameter OPMODEREG = 1;
  parameter PREG = 1;
  parameter SUBTRACTREG = 1;
  parameter B_INPUT = "DIRECT";
  parameter LEGACY_MODE = "MULT18X18S";
  `DSP_INPUTS(18)
  `DSP_INPUT(CEA, 1)
  `DSP_INPUT(CEB, 1)
  `DSP_INPUT(SUBTRACT, 1)
  `DSP_INPUT(CARRYINSEL, 2)
  localparam ACASCREG = 2;
  localparam BCASCREG = 2;
  localparam REFUSED = `DSP_USED(SUBTRACT);
  `DSP_NO_PRE_ADDER
  wire [29:0] factor_a = {{12{in_A[17]}}, in_A};
  wire [29:0] a_out;
  wire enable_a1 = in_CEA;
  wire enable_a2 = in_CEA;
  wire enable_b1 = in_CEB;
  wire enable_b2 = in_CEB;
  `DSP_BODY
endmodule
