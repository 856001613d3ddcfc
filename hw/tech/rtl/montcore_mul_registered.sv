// SPDX-License-Identifier: Apache-2.0

/// Multiplier with registers on its factors and optionally on its product, as in a DSP block.
///
/// p_o = a * b, of the registered factors
/// Precondition: none.
/// Latency: 1 edge from the factors to p_o, 2 with ProductRegister.
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

    montcore_mult18 #(
        .Tech(Tech),
        .ProductRegister(ProductRegister)
    ) u_block (
        .clk_i,
        .clear_i,
        .a_load_i,
        .a_i(a),
        .b_i(b),
        .p_o(p)
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
