// SPDX-License-Identifier: Apache-2.0

/// DSP block of UltraScale+ as Yosys infers it: P = A * B + Z, after the vendor's user guide UG579.
///
/// Z is chosen by OPMODE[6:4]: 0, PCIN, P, C, or PCIN or P shifted right by 17. A register with the
/// number 0 is absent; A and B have up to two, and the first of two may leave on the cascade. The
/// guide has more modes; `vendor_cells.py` refuses them.
/// Example: without registers, A = -3, B = 5, C = 20, OPMODE = 9'h35 -> P = 5.
module DSP48E2 #(
    parameter AREG = 1, ACASCREG = 1, BREG = 1, BCASCREG = 1, CREG = 1, MREG = 1, PREG = 1,
    parameter A_INPUT = "DIRECT", B_INPUT = "DIRECT"
) (
    input                CLK,
    input                CEA1, CEA2, CEB1, CEB2, CEC, CEM, CEP,
    input                RSTA, RSTB, RSTC, RSTM, RSTP,
    input  signed [29:0] A, ACIN,
    input  signed [17:0] B, BCIN,
    input  signed [47:0] C, PCIN,
    input         [ 8:0] OPMODE,
    output signed [29:0] ACOUT,
    output signed [17:0] BCOUT,
    output signed [47:0] P, PCOUT
);
  reg signed [29:0] a1_q, a2_q;
  reg signed [17:0] b1_q, b2_q;
  reg signed [47:0] c_q, p_q;
  reg signed [44:0] m_q;
  wire signed [29:0] a_in = (A_INPUT == "CASCADE") ? ACIN : A;
  wire signed [17:0] b_in = (B_INPUT == "CASCADE") ? BCIN : B;
  wire signed [29:0] a = AREG ? a2_q : a_in;
  wire signed [17:0] b = BREG ? b2_q : b_in;
  wire signed [26:0] factor = a[26:0];
  wire signed [44:0] product = factor * b;
  wire signed [44:0] m = MREG ? m_q : product;
  wire signed [47:0] c = CREG ? c_q : C;
  reg signed [47:0] z;
  wire signed [47:0] sum = m + z;

  assign ACOUT = (AREG == 2 && ACASCREG == 1) ? a1_q : a;
  assign BCOUT = (BREG == 2 && BCASCREG == 1) ? b1_q : b;
  assign P = PREG ? p_q : sum;
  assign PCOUT = P;

  always @*
    case (OPMODE[6:4])
      3'd0: z = 48'd0;
      3'd1: z = PCIN;
      3'd2: z = p_q;
      3'd3: z = c;
      3'd5: z = PCIN >>> 17;
      3'd6: z = p_q >>> 17;
      default: z = 48'bx;
    endcase

  always @(posedge CLK) begin
    if (RSTA) {a1_q, a2_q} <= 60'd0;
    else begin
      if (CEA1) a1_q <= a_in;
      if (CEA2) a2_q <= (AREG == 2) ? a1_q : a_in;
    end
    if (RSTB) {b1_q, b2_q} <= 36'd0;
    else begin
      if (CEB1) b1_q <= b_in;
      if (CEB2) b2_q <= (BREG == 2) ? b1_q : b_in;
    end
    if (RSTC) c_q <= 48'd0;
    else if (CEC) c_q <= C;
    if (RSTM) m_q <= 45'd0;
    else if (CEM) m_q <= product;
    if (RSTP) p_q <= 48'd0;
    else if (CEP) p_q <= sum;
  end
endmodule
