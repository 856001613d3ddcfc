// SPDX-License-Identifier: Apache-2.0

/// Multiply-add block on a cascade with a carry: `montcore_mul_add` with AddOwn, and 1 more.
///
/// p_o = a * b + (first_i ? cascade / 2^17 + carry_i : own last sum / 2^17)
/// Precondition: the cascade is below 2^34 - 2^17, as sums of such blocks are without a carry.
/// Latency: 3 edges from the operands to p_o (operand, product and sum registers).
/// The carry never makes a sum too large: with a, b < 2^17 and c <= 2^17 - 1, a b + c is at most
/// 2^34 - 2^17, and c = 2^17 - 1 is the most that the next block receives.
/// Example: a = 3, b = 5, first_i, cascade = 2 * 2^17 + 9, carry_i = 1 -> p = 18.
module montcore_dsp_pair_mul #(
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
    input logic [16:0] a_i,  // First factor, unsigned.
    input logic [16:0] b_i,  // Second factor, unsigned.
    /// High: the sum computed at the next edge takes its addend from the cascade.
    input logic first_i,
    input logic carry_i,  // Carry, used with first_i only.
    input logic [47:0] cascade_i,  // Sum of the block below in the cascade.
    output logic [47:0] p_o,  // Sum of product and addend, registered.
    output logic [47:0] cascade_o  // The same sum on the cascade output, for the block above.
);
  // The addend by OPMODE bits 6 to 4: the cascade shifted, or the own sum shifted.
  logic [6:0] opmode;
  logic carry;
  assign opmode = first_i ? 7'b1010101 : 7'b1100101;
  assign carry  = first_i && carry_i;

  if (Tech == montcore_pkg::TechDsp48e) begin : g_dsp48e
    DSP48E #(
        .ACASCREG      (1),
        .AREG          (1),
        .ALUMODEREG    (0),
        .BCASCREG      (1),
        .BREG          (1),
        .CARRYINREG    (0),
        .CARRYINSELREG (0),
        .CREG          (0),
        .MREG          (1),
        .MULTCARRYINREG(0),
        .OPMODEREG     (0),
        .PREG          (1),
        .USE_MULT      ("MULT_S")
    ) u_dsp (
        .CLK       (clk_i),
        .CEA2      (1'b1),
        .CEB2      (1'b1),
        .CEM       (1'b1),
        .CEP       (1'b1),
        .A         ({13'd0, a_i}),
        .B         ({1'b0, b_i}),
        .C         (48'd0),
        .PCIN      (cascade_i),
        .OPMODE    (opmode),
        .ALUMODE   (4'd0),
        .CARRYIN   (carry),
        .CARRYINSEL(3'd0),
        .P         (p_o),
        .PCOUT     (cascade_o)
    );
  end else if (Tech == montcore_pkg::TechDsp48) begin : g_dsp48
    DSP48 #(
        .AREG         (1),
        .BREG         (1),
        .CARRYINREG   (0),
        .CARRYINSELREG(0),
        .CREG         (0),
        .MREG         (1),
        .OPMODEREG    (0),
        .PREG         (1),
        .SUBTRACTREG  (0)
    ) u_dsp (
        .CLK       (clk_i),
        .CEA       (1'b1),
        .CEB       (1'b1),
        .CEM       (1'b1),
        .CEP       (1'b1),
        .A         ({1'b0, a_i}),
        .B         ({1'b0, b_i}),
        .C         (48'd0),
        .PCIN      (cascade_i),
        .OPMODE    (opmode),
        .SUBTRACT  (1'b0),
        .CARRYIN   (carry),
        .CARRYINSEL(2'd0),
        .P         (p_o),
        .PCOUT     (cascade_o)
    );
  end else begin : g_registers
    logic [16:0] addend;
    logic [33:0] product, sum_q;
    logic unused;
    montcore_mul_registered #(
        .Tech           (Tech),
        .Width          (17),
        .ProductRegister(1'b1)
    ) u_product (
        .clk_i,
        .clear_i (1'b0),
        .a_load_i(1'b1),
        .a_i,
        .b_i,
        .p_o     (product)
    );
    assign addend = first_i ? cascade_i[33:17] : sum_q[33:17];
    // An extra bit at the lower end is the carry in, so that there is one chain.
    logic unused_bit;
    logic [33:0] sum;
    assign {sum, unused_bit} = {product, 1'b1} + {17'd0, addend, carry};
    always_ff @(posedge clk_i) sum_q <= sum;
    assign p_o = 48'(sum_q);
    assign cascade_o = 48'(sum_q);
    assign unused = ^{opmode, cascade_i, unused_bit};
  end
endmodule
