// SPDX-License-Identifier: Apache-2.0

/// One DSP block: 17 x 17 multiplier and accumulator, pipelined. The technology module of `dsp`.
///
/// p = a * b + (carry_q ? own : cascade) / 2^17, carry from the block's own last sum or the left's
/// Precondition: none; the sum stays below 2^34.
/// Latency: 3 edges from the operands to p_o (operand, product and sum registers).
/// Yosys packs registers and multiplier for Virtex-6 and newer by itself; for Virtex-4 and 5 the
/// primitive is instantiated (MONTCORE_TECH_DSP48, MONTCORE_TECH_DSP48E). Elsewhere: the behaviour.
/// Example: a = 3, b = 5, own = 2 * 2^17 + 9, first_i = 0 -> p = 17.
module montcore_dsp_mac (
    /// Block clock.
    input  logic        clk_i,
    /// First factor, unsigned.
    input  logic [16:0] a_i,
    /// Second factor, unsigned.
    input  logic [16:0] b_i,
    /// The sum made at the next edge takes its carry from the left.
    input  logic        first_i,
    /// Sum of the block to the left.
    input  logic [47:0] cascade_i,
    /// Sum.
    output logic [33:0] p_o,
    /// The same sum for the block to the right.
    output logic [47:0] cascade_o
);
`ifdef MONTCORE_TECH_DSP48E
  logic [47:0] p;
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
      .OPMODE    (first_i ? 7'b1010101 : 7'b1100101),
      .ALUMODE   (4'd0),
      .CARRYIN   (1'b0),
      .CARRYINSEL(3'd0),
      .P         (p),
      .PCOUT     (cascade_o)
  );
  assign p_o = p[33:0];
`elsif MONTCORE_TECH_DSP48
  logic [47:0] p;
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
      .OPMODE    (first_i ? 7'b1010101 : 7'b1100101),
      .SUBTRACT  (1'b0),
      .CARRYIN   (1'b0),
      .CARRYINSEL(2'd0),
      .P         (p),
      .PCOUT     (cascade_o)
  );
  assign p_o = p[33:0];
`else
  logic [16:0] a_q, b_q;
  logic [33:0] product_q, sum_q;
  logic [16:0] carry;
  logic unused_cascade;

  assign carry = first_i ? cascade_i[33:17] : sum_q[33:17];
  always_ff @(posedge clk_i) begin
    a_q       <= a_i;
    b_q       <= b_i;
    product_q <= 34'(a_q) * 34'(b_q);
    sum_q     <= product_q + 34'(carry);
  end
  assign p_o = sum_q;
  assign cascade_o = 48'(sum_q);
  assign unused_cascade = ^{cascade_i[47:34], cascade_i[16:0]};
`endif
endmodule
