// SPDX-License-Identifier: Apache-2.0

/// Multiplier with registers on its factors and optionally on its product, as in a DSP block; each
/// factor is signed or not.
///
/// p_o = a * b, of the registered factors
/// Precondition: none.
/// Latency: 1 edge from the factors to p_o, 2 with ProductRegister.
/// For ECP5 the block is instantiated, since Yosys infers its multiplier without its registers.
/// Example, WidthA = WidthB = 4, SignedA = 1, SignedB = 0: a_i = -3, b_i = 9 -> p_o = -27 after the
/// edge.
module montcore_mul_signed #(
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    parameter int unsigned WidthA = 17,  // Width of the first factor in bits, at most 18.
    parameter int unsigned WidthB = 17,  // Width of the second factor in bits, at most 18.
    parameter bit SignedA = 1'b0,  // 1: the first factor is signed.
    parameter bit SignedB = 1'b0,  // 1: the second factor is signed.
    /// 1: the product is registered too; 0: combinational product.
    parameter bit ProductRegister = 1'b0
) (
    input logic clk_i,
    input logic [WidthA-1:0] a_i,  // First factor, loaded at each edge.
    input logic [WidthB-1:0] b_i,  // Second factor, loaded at each edge.
    /// Product of the registered factors, signed if a factor is.
    output logic [WidthA+WidthB-1:0] p_o
);
  localparam int unsigned Width = WidthA + WidthB;

  if (Tech == montcore_pkg::TechMult18) begin : g_mult18
    logic [17:0] a, b;
    logic [35:0] p;
    logic unused_high;
    if (SignedA) begin : g_signed_a
      assign a = $unsigned(18'($signed(a_i)));
    end else begin : g_unsigned_a
      assign a = 18'(a_i);
    end
    if (SignedB) begin : g_signed_b
      assign b = $unsigned(18'($signed(b_i)));
    end else begin : g_unsigned_b
      assign b = 18'(b_i);
    end
    assign p_o = p[Width-1:0];
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
        .CE0(1'b1),
        .CE1(1'b1),
        .RST0(1'b0),
        .RST1(1'b0),
        .SIGNEDA(SignedA),
        .SIGNEDB(SignedB),
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
    logic [WidthA-1:0] a_q;
    logic [WidthB-1:0] b_q;
    logic signed [WidthA:0] a;
    logic signed [WidthB:0] b;
    logic signed [Width+1:0] product;
    logic unused_high;

    always_ff @(posedge clk_i) begin
      a_q <= a_i;
      b_q <= b_i;
    end
    assign a = $signed({SignedA && a_q[WidthA-1], a_q});
    assign b = $signed({SignedB && b_q[WidthB-1], b_q});
    assign product = (Width + 2)'(a) * (Width + 2)'(b);
    assign unused_high = ^product[Width+1:Width];
    if (ProductRegister) begin : g_register
      logic [Width-1:0] product_q;
      always_ff @(posedge clk_i) product_q <= $unsigned(product[Width-1:0]);
      assign p_o = product_q;
    end else begin : g_direct
      assign p_o = $unsigned(product[Width-1:0]);
    end
  end
endmodule
