// SPDX-License-Identifier: Apache-2.0
// Header of the vendor's multiplier that montcore_mul_registered instantiates: the parameters and ports
// that it uses, no behaviour. Synthesis replaces it by the primitive itself.

/// Multiplier of ECP5; see the vendor's sysDSP usage guide.
module MULT18X18D #(
    parameter REG_INPUTA_CLK   = "NONE",
    parameter REG_INPUTA_CE    = "CE0",
    parameter REG_INPUTA_RST   = "RST0",
    parameter REG_INPUTB_CLK   = "NONE",
    parameter REG_INPUTB_CE    = "CE0",
    parameter REG_INPUTB_RST   = "RST0",
    parameter REG_PIPELINE_CLK = "NONE",
    parameter REG_PIPELINE_CE  = "CE0",
    parameter REG_PIPELINE_RST = "RST0",
    parameter REG_OUTPUT_CLK   = "NONE",
    parameter REG_OUTPUT_CE    = "CE0",
    parameter REG_OUTPUT_RST   = "RST0",
    parameter CLK0_DIV         = "ENABLED",
    parameter GSR              = "ENABLED",
    parameter RESETMODE        = "SYNC"
) (
    input  logic CLK0, CE0, CE1, RST0, RST1, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
    input  logic A0, A1, A2, A3, A4, A5,
    input  logic A6, A7, A8, A9, A10, A11,
    input  logic A12, A13, A14, A15, A16, A17,
    input  logic B0, B1, B2, B3, B4, B5,
    input  logic B6, B7, B8, B9, B10, B11,
    input  logic B12, B13, B14, B15, B16, B17,
    output logic P0, P1, P2, P3, P4, P5,
    output logic P6, P7, P8, P9, P10, P11,
    output logic P12, P13, P14, P15, P16, P17,
    output logic P18, P19, P20, P21, P22, P23,
    output logic P24, P25, P26, P27, P28, P29,
    output logic P30, P31, P32, P33, P34, P35
);
endmodule
