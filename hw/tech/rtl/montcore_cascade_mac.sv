// SPDX-License-Identifier: Apache-2.0

/// One DSP block: 17 x 17 multiplier and accumulator on the cascade. The technology module.
///
/// p_o = a * b + (0, cascade_i or cascade_i / 2^17)
/// Precondition: the sum is below 2^47.
/// Latency: 0 (no register of the block is used).
/// Yosys finds the accumulator for Virtex-6 and newer by itself; for Virtex-4 and 5 the primitive
/// is instantiated (MONTCORE_TECH_DSP48, MONTCORE_TECH_DSP48E). Everything else uses the behaviour.
/// Example, Source = 2: a = 3, b = 5, cascade = 2 * 2^17 + 9 -> p = 17.
module montcore_cascade_mac #(
    /// What is added: 0 nothing, 1 the cascade, 2 the cascade shifted down by 17 bits.
    parameter int unsigned Source = 0
) (
    /// First factor, unsigned.
    input  logic [16:0] a_i,
    /// Second factor, unsigned.
    input  logic [16:0] b_i,
    /// Cascade from the block below.
    input  logic [47:0] cascade_i,
    /// Result.
    output logic [47:0] p_o,
    /// The same result for the block above.
    output logic [47:0] cascade_o
);
`ifdef MONTCORE_TECH_DSP48E
  localparam logic [6:0] Opmode = (Source == 2) ? 7'b1010101 :
      (Source == 1) ? 7'b0010101 : 7'b0000101;
  DSP48E #(
      .ACASCREG      (0),
      .AREG          (0),
      .ALUMODEREG    (0),
      .BCASCREG      (0),
      .BREG          (0),
      .CARRYINREG    (0),
      .CARRYINSELREG (0),
      .CREG          (0),
      .MREG          (0),
      .MULTCARRYINREG(0),
      .OPMODEREG     (0),
      .PREG          (0),
      .USE_MULT      ("MULT")
  ) u_dsp (
      .A         ({13'd0, a_i}),
      .B         ({1'b0, b_i}),
      .C         (48'd0),
      .PCIN      (cascade_i),
      .OPMODE    (Opmode),
      .ALUMODE   (4'd0),
      .CARRYIN   (1'b0),
      .CARRYINSEL(3'd0),
      .P         (p_o),
      .PCOUT     (cascade_o)
  );
`elsif MONTCORE_TECH_DSP48
  localparam logic [6:0] Opmode = (Source == 2) ? 7'b1010101 :
      (Source == 1) ? 7'b0010101 : 7'b0000101;
  DSP48 #(
      .AREG         (0),
      .BREG         (0),
      .CARRYINREG   (0),
      .CARRYINSELREG(0),
      .CREG         (0),
      .MREG         (0),
      .OPMODEREG    (0),
      .PREG         (0),
      .SUBTRACTREG  (0)
  ) u_dsp (
      .A         ({1'b0, a_i}),
      .B         ({1'b0, b_i}),
      .C         (48'd0),
      .PCIN      (cascade_i),
      .OPMODE    (Opmode),
      .SUBTRACT  (1'b0),
      .CARRYIN   (1'b0),
      .CARRYINSEL(2'd0),
      .P         (p_o),
      .PCOUT     (cascade_o)
  );
`else
  logic [47:0] addend;
  if (Source == 2) begin : g_shifted
    logic unused_low;
    assign addend = cascade_i >> 17;
    assign unused_low = ^cascade_i[16:0];
  end else if (Source == 1) begin : g_cascade
    assign addend = cascade_i;
  end else begin : g_nothing
    logic unused_cascade;
    assign addend = '0;
    assign unused_cascade = ^cascade_i;
  end
  assign p_o = 48'(34'(a_i) * 34'(b_i)) + addend;
  assign cascade_o = p_o;
`endif
endmodule
