// SPDX-License-Identifier: Apache-2.0
// Headers of the vendor's primitives that montcore_mul_add instantiates: the parameters and ports that it
// uses, no behaviour. Synthesis replaces them by the primitives themselves.

/// DSP block of Virtex-5; see the vendor's user guide.
module DSP48E #(
    parameter int ACASCREG       = 0,
    parameter int AREG           = 0,
    parameter int ALUMODEREG     = 0,
    parameter int BCASCREG       = 0,
    parameter int BREG           = 0,
    parameter int CARRYINREG     = 0,
    parameter int CARRYINSELREG  = 0,
    parameter int CREG           = 0,
    parameter int MREG           = 0,
    parameter int MULTCARRYINREG = 0,
    parameter int OPMODEREG      = 0,
    parameter int PREG           = 0,
    parameter     USE_MULT       = "MULT"
) (
    input  logic        CLK,
    input  logic        CEA2,
    input  logic        CEB2,
    input  logic        CEM,
    input  logic        CEP,
    input  logic [29:0] A,
    input  logic [17:0] B,
    input  logic [47:0] C,
    input  logic [47:0] PCIN,
    input  logic [ 6:0] OPMODE,
    input  logic [ 3:0] ALUMODE,
    input  logic        CARRYIN,
    input  logic [ 2:0] CARRYINSEL,
    output logic [47:0] P,
    output logic [47:0] PCOUT
);
endmodule

/// DSP block of Virtex-4; see the vendor's user guide.
module DSP48 #(
    parameter int AREG          = 0,
    parameter int BREG          = 0,
    parameter int CARRYINREG    = 0,
    parameter int CARRYINSELREG = 0,
    parameter int CREG          = 0,
    parameter int MREG          = 0,
    parameter int OPMODEREG     = 0,
    parameter int PREG          = 0,
    parameter int SUBTRACTREG   = 0
) (
    input  logic        CLK,
    input  logic        CEA,
    input  logic        CEB,
    input  logic        CEM,
    input  logic        CEP,
    input  logic [17:0] A,
    input  logic [17:0] B,
    input  logic [47:0] C,
    input  logic [47:0] PCIN,
    input  logic [ 6:0] OPMODE,
    input  logic        SUBTRACT,
    input  logic        CARRYIN,
    input  logic [ 1:0] CARRYINSEL,
    output logic [47:0] P,
    output logic [47:0] PCOUT
);
endmodule
