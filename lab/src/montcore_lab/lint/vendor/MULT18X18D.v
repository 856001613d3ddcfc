// SPDX-License-Identifier: Apache-2.0

/// Ports and parameters of ECP5's multiplier that the RTL uses, for linters; it computes nothing.
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
    input  logic A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
    input  logic B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
    output logic P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17,
    output logic P18, P19, P20, P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33,
    output logic P34, P35
);
  logic unused;
  always_ff @(posedge CLK0) begin
    {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18} <=
        {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
    {P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} <=
        {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  end
  assign unused = ^{CE0, CE1, RST0, RST1, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
                    REG_INPUTA_CLK, REG_INPUTA_CE, REG_INPUTA_RST, REG_INPUTB_CLK, REG_INPUTB_CE,
                    REG_INPUTB_RST, REG_PIPELINE_CLK, REG_PIPELINE_CE, REG_PIPELINE_RST,
                    REG_OUTPUT_CLK, REG_OUTPUT_CE, REG_OUTPUT_RST, CLK0_DIV, GSR, RESETMODE};
endmodule
