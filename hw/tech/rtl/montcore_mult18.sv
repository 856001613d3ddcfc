// SPDX-License-Identifier: Apache-2.0

/// ECP5's multiplier of 18 x 18 bits with its registers, as vectors.
///
/// p_o = a * b, of the registered factors
/// Precondition: none.
/// Latency: 1 edge from the factors to p_o, 2 with ProductRegister.
/// The block is instantiated, since Yosys infers its multiplier without its registers. For other
/// technologies, whose tools do not know the block, the module is empty; none of them uses it.
/// Example: a_i = 3 with a_load_i, b_i = 5 -> p_o = 15 after the edge.
module montcore_mult18 #(
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    parameter bit SignedA = 1'b0,  // 1: the first factor is signed.
    parameter bit SignedB = 1'b0,  // 1: the second factor is signed.
    /// 1: the product is registered too; 0: combinational product.
    parameter bit ProductRegister = 1'b0
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear of both factor registers, active high.
    input logic a_load_i,  // Load enable of the first factor's register.
    input logic [17:0] a_i,  // First factor, loaded with a_load_i.
    input logic [17:0] b_i,  // Second factor, loaded at each edge.
    output logic [35:0] p_o  // Product of the registered factors.
);
  if (Tech == montcore_pkg::TechMult18) begin : g_block
    // Pins that are left open have the default values of the block.
    // verilator lint_off PINMISSING
    MULT18X18D #(
        .REG_INPUTA_CLK("CLK0"),
        .REG_INPUTA_CE("CE0"),
        .REG_INPUTA_RST("RST0"),
        .REG_INPUTB_CLK("CLK0"),
        .REG_INPUTB_CE("CE1"),
        .REG_INPUTB_RST("RST0"),
        .REG_PIPELINE_CLK("NONE"),
        .REG_PIPELINE_CE("CE1"),
        .REG_PIPELINE_RST("RST1"),
        .REG_OUTPUT_CLK(ProductRegister ? "CLK0" : "NONE"),
        .REG_OUTPUT_CE("CE1"),
        .REG_OUTPUT_RST("RST1"),
        .CLK0_DIV("ENABLED"),
        .GSR("DISABLED"),
        .RESETMODE("SYNC")
    ) u_mult (
        .CLK0(clk_i),
        .CE0(a_load_i || clear_i),
        .CE1(1'b1),
        .RST0(clear_i),
        .RST1(1'b0),
        .SIGNEDA(SignedA),
        .SIGNEDB(SignedB),
        .SOURCEA(1'b0),
        .SOURCEB(1'b0),
        .A0(a_i[0]),
        .A1(a_i[1]),
        .A2(a_i[2]),
        .A3(a_i[3]),
        .A4(a_i[4]),
        .A5(a_i[5]),
        .A6(a_i[6]),
        .A7(a_i[7]),
        .A8(a_i[8]),
        .A9(a_i[9]),
        .A10(a_i[10]),
        .A11(a_i[11]),
        .A12(a_i[12]),
        .A13(a_i[13]),
        .A14(a_i[14]),
        .A15(a_i[15]),
        .A16(a_i[16]),
        .A17(a_i[17]),
        .B0(b_i[0]),
        .B1(b_i[1]),
        .B2(b_i[2]),
        .B3(b_i[3]),
        .B4(b_i[4]),
        .B5(b_i[5]),
        .B6(b_i[6]),
        .B7(b_i[7]),
        .B8(b_i[8]),
        .B9(b_i[9]),
        .B10(b_i[10]),
        .B11(b_i[11]),
        .B12(b_i[12]),
        .B13(b_i[13]),
        .B14(b_i[14]),
        .B15(b_i[15]),
        .B16(b_i[16]),
        .B17(b_i[17]),
        .P0(p_o[0]),
        .P1(p_o[1]),
        .P2(p_o[2]),
        .P3(p_o[3]),
        .P4(p_o[4]),
        .P5(p_o[5]),
        .P6(p_o[6]),
        .P7(p_o[7]),
        .P8(p_o[8]),
        .P9(p_o[9]),
        .P10(p_o[10]),
        .P11(p_o[11]),
        .P12(p_o[12]),
        .P13(p_o[13]),
        .P14(p_o[14]),
        .P15(p_o[15]),
        .P16(p_o[16]),
        .P17(p_o[17]),
        .P18(p_o[18]),
        .P19(p_o[19]),
        .P20(p_o[20]),
        .P21(p_o[21]),
        .P22(p_o[22]),
        .P23(p_o[23]),
        .P24(p_o[24]),
        .P25(p_o[25]),
        .P26(p_o[26]),
        .P27(p_o[27]),
        .P28(p_o[28]),
        .P29(p_o[29]),
        .P30(p_o[30]),
        .P31(p_o[31]),
        .P32(p_o[32]),
        .P33(p_o[33]),
        .P34(p_o[34]),
        .P35(p_o[35])
    );
    // verilator lint_on PINMISSING
  end else begin : g_none
    logic unused;
    assign unused = ^{clk_i, clear_i, a_load_i, a_i, b_i};
    assign p_o = '0;
  end
endmodule
