// SPDX-License-Identifier: Apache-2.0

/// Multiplier with registers on its factors and optionally on its product, as in a DSP block.
///
/// p_o = a * b, of the registered factors
/// Precondition: none.
/// Latency: 1 edge from the factors to p_o, 2 with ProductRegister.
/// For ECP5 the block is instantiated, since Yosys infers its multiplier without its registers.
/// Example, Width = 17: a_i = 3 with a_load_i, b_i = 5 -> p_o = 15 after the edge.
module montcore_mul_registered #(
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    parameter int unsigned Width = 17,  // Width of each factor in bits, at most 18.
    /// 1: the product is registered too; 0: combinational product.
    parameter bit ProductRegister = 1'b0
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear of both factor registers, active high.
    input logic a_load_i,  // Load enable of the first factor's register.
    input logic [Width-1:0] a_i,  // First factor, unsigned.
    input logic [Width-1:0] b_i,  // Second factor, unsigned, loaded at each edge.
    output logic [2*Width-1:0] p_o  // Product of the registered factors.
);
  if (Tech == montcore_pkg::TechMult18) begin : g_mult18
    logic [17:0] a, b;
    logic [35:0] p;
    logic unused_high;
    assign a = 18'(a_i);
    assign b = 18'(b_i);
    assign p_o = p[2*Width-1:0];
    assign unused_high = ^p;

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
        .SIGNEDA(1'b0),
        .SIGNEDB(1'b0),
        .SOURCEA(1'b0),
        .SOURCEB(1'b0),
        .A0(a[0]),
        .A1(a[1]),
        .A2(a[2]),
        .A3(a[3]),
        .A4(a[4]),
        .A5(a[5]),
        .A6(a[6]),
        .A7(a[7]),
        .A8(a[8]),
        .A9(a[9]),
        .A10(a[10]),
        .A11(a[11]),
        .A12(a[12]),
        .A13(a[13]),
        .A14(a[14]),
        .A15(a[15]),
        .A16(a[16]),
        .A17(a[17]),
        .B0(b[0]),
        .B1(b[1]),
        .B2(b[2]),
        .B3(b[3]),
        .B4(b[4]),
        .B5(b[5]),
        .B6(b[6]),
        .B7(b[7]),
        .B8(b[8]),
        .B9(b[9]),
        .B10(b[10]),
        .B11(b[11]),
        .B12(b[12]),
        .B13(b[13]),
        .B14(b[14]),
        .B15(b[15]),
        .B16(b[16]),
        .B17(b[17]),
        .P0(p[0]),
        .P1(p[1]),
        .P2(p[2]),
        .P3(p[3]),
        .P4(p[4]),
        .P5(p[5]),
        .P6(p[6]),
        .P7(p[7]),
        .P8(p[8]),
        .P9(p[9]),
        .P10(p[10]),
        .P11(p[11]),
        .P12(p[12]),
        .P13(p[13]),
        .P14(p[14]),
        .P15(p[15]),
        .P16(p[16]),
        .P17(p[17]),
        .P18(p[18]),
        .P19(p[19]),
        .P20(p[20]),
        .P21(p[21]),
        .P22(p[22]),
        .P23(p[23]),
        .P24(p[24]),
        .P25(p[25]),
        .P26(p[26]),
        .P27(p[27]),
        .P28(p[28]),
        .P29(p[29]),
        .P30(p[30]),
        .P31(p[31]),
        .P32(p[32]),
        .P33(p[33]),
        .P34(p[34]),
        .P35(p[35])
    );
  end else begin : g_behaviour
    logic [Width-1:0] a_q, b_q;
    logic [2*Width-1:0] product;

    always_ff @(posedge clk_i) begin
      if (clear_i) a_q <= '0;
      else if (a_load_i) a_q <= a_i;
      b_q <= clear_i ? '0 : b_i;
    end
    assign product = (2 * Width)'(a_q) * (2 * Width)'(b_q);
    if (ProductRegister) begin : g_register
      logic [2*Width-1:0] product_q;
      always_ff @(posedge clk_i) product_q <= product;
      assign p_o = product_q;
    end else begin : g_direct
      assign p_o = product;
    end
  end
endmodule
