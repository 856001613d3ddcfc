// SPDX-License-Identifier: Apache-2.0

/// Multiply-add block on a cascade: 17 x 17 bits, as in one DSP block of an FPGA.
///
/// AddNothing, AddCascade, AddShifted: p_o = a * b + (0, cascade, cascade / 2^17), without registers
/// AddOwn: p_o = a * b + (first_i ? cascade : own last sum) / 2^17, pipelined
/// AddCarry: p_o = a * b + (first_i ? cascade / 2^17 + carry_i : own last sum / 2^17), pipelined
/// Precondition: the sum is below 2^47, with AddOwn below 2^34; with AddCarry the cascade is below
/// 2^34 - 2^17, as sums of such blocks are without a carry.
/// Latency: 0; with AddOwn and AddCarry 3 edges from the operands to p_o (operand, product and sum
/// registers).
/// The carry never makes a sum too large: with a, b < 2^17 and c <= 2^17 - 1, a b + c is at most
/// 2^34 - 2^17, and c = 2^17 - 1 is the most that the next block receives.
/// Yosys infers the complete block for Virtex-6 and newer; for Virtex-4 and 5 the primitive is
/// instantiated, for ECP5 its multiplier. All other targets use the behavioural description.
/// Example, AddShifted: a = 3, b = 5, cascade = 2 * 2^17 + 9 -> p = 17; AddCarry with first_i and
/// carry_i = 1 -> p = 18.
module montcore_mul_add #(
    parameter int unsigned Tech   = montcore_pkg::TechGeneric,
    /// Addend of the product, `montcore_mul_add_pkg::Add...`.
    parameter int unsigned Source = montcore_mul_add_pkg::AddNothing
) (
    input logic clk_i,  // Clock of the registers of AddOwn and AddCarry, rising edge.
    input logic [16:0] a_i,  // First factor, unsigned.
    input logic [16:0] b_i,  // Second factor, unsigned.
    /// With registers: the sum computed at the next edge takes its addend from the cascade.
    input logic first_i,
    input logic carry_i,  // With AddCarry: carry, used with first_i only.
    input logic [47:0] cascade_i,  // Sum of the block below in the cascade.
    output logic [47:0] p_o,  // Sum of product and addend; registered with AddOwn and AddCarry.
    output logic [47:0] cascade_o  // The same sum on the cascade output, for the block above.
);
  import montcore_mul_add_pkg::AddCascade;
  import montcore_mul_add_pkg::AddShifted;
  import montcore_mul_add_pkg::AddOwn;
  import montcore_mul_add_pkg::AddCarry;

  // Configuration of the primitives: registers on both factors, on the product and on the sum, or
  // none; the addend, by OPMODE bits 6 to 4: 0, the cascade, the cascade shifted, or the own sum
  // shifted.
  localparam bit Registers = Source == AddOwn || Source == AddCarry;
  localparam logic [6:0] Opmode = (Source == AddShifted) ? 7'b1010101 :
      (Source == AddCascade) ? 7'b0010101 : 7'b0000101;
  logic [6:0] opmode;
  logic carry;
  assign carry  = Source == AddCarry && first_i && carry_i;
  assign opmode = !Registers ? Opmode : first_i ? 7'b1010101 : 7'b1100101;

  if (Tech == montcore_pkg::TechDsp48e) begin : g_dsp48e
    DSP48E #(
        .ACASCREG      (Registers),
        .AREG          (Registers),
        .ALUMODEREG    (0),
        .BCASCREG      (Registers),
        .BREG          (Registers),
        .CARRYINREG    (0),
        .CARRYINSELREG (0),
        .CREG          (0),
        .MREG          (Registers),
        .MULTCARRYINREG(0),
        .OPMODEREG     (0),
        .PREG          (Registers),
        .USE_MULT      (Registers ? "MULT_S" : "MULT")
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
        .AREG         (Registers),
        .BREG         (Registers),
        .CARRYINREG   (0),
        .CARRYINSELREG(0),
        .CREG         (0),
        .MREG         (Registers),
        .OPMODEREG    (0),
        .PREG         (Registers),
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
  end else if (Registers) begin : g_registers
    logic [16:0] addend;
    logic [33:0] product, sum, sum_q;

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
    if (Source == AddCarry) begin : g_carry
      // An extra bit at the lower end is the carry in, so that there is one chain.
      logic unused_bit;
      assign {sum, unused_bit} = {product, 1'b1} + {17'd0, addend, carry};
    end else begin : g_no_carry
      assign sum = product + 34'(addend);
    end
    always_ff @(posedge clk_i) sum_q <= sum;
    assign p_o = 48'(sum_q);
    assign cascade_o = 48'(sum_q);
  end else begin : g_behaviour
    logic [47:0] addend;
    assign addend = (Source == AddShifted) ? cascade_i >> 17 :
                    (Source == AddCascade) ? cascade_i : '0;
    assign p_o = 48'(34'(a_i) * 34'(b_i)) + addend;
    assign cascade_o = p_o;
  end
  // Which inputs are used, and whether opmode and carry are, depends on the parameters.
  logic unused;
  assign unused = ^{clk_i, first_i, carry_i, cascade_i, opmode, carry};
endmodule
