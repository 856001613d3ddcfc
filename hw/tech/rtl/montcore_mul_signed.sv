// SPDX-License-Identifier: Apache-2.0

/// Multiplier with registers on its factors and optionally on its product, as in a DSP block; each
/// factor is signed or not.
///
/// p_o = a * b, of the registered factors
/// Precondition: none.
/// Latency: 1 edge from the factors to p_o, 2 with ProductRegister.
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

    montcore_mult18 #(
        .Tech(Tech),
        .SignedA(SignedA),
        .SignedB(SignedB),
        .ProductRegister(ProductRegister)
    ) u_block (
        .clk_i,
        .clear_i(1'b0),
        .a_load_i(1'b1),
        .a_i(a),
        .b_i(b),
        .p_o(p)
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
