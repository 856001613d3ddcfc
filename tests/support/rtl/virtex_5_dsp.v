// SPDX-License-Identifier: Apache-2.0
// What mapped netlists use of the Virtex-5 DSP block: multiplier, one register at each place, and
// the adder with nothing, C, the cascade, or the cascade shifted down by 17 bits.

module DSP48E #(
    parameter ACASCREG       = 1,
    parameter ALUMODEREG     = 1,
    parameter AREG           = 1,
    parameter A_INPUT        = "DIRECT",
    parameter BCASCREG       = 1,
    parameter BREG           = 1,
    parameter B_INPUT        = "DIRECT",
    parameter CARRYINREG     = 1,
    parameter CARRYINSELREG  = 1,
    parameter CREG           = 1,
    parameter MREG           = 1,
    parameter MULTCARRYINREG = 1,
    parameter OPMODEREG      = 1,
    parameter PREG           = 1,
    parameter USE_MULT       = "MULT_S",
    parameter USE_SIMD       = "ONE48"
) (
    input         CLK,
    input  [29:0] A,
    input  [29:0] ACIN,
    input  [17:0] B,
    input  [17:0] BCIN,
    input  [47:0] C,
    input  [47:0] PCIN,
    input         CARRYCASCIN,
    input         MULTSIGNIN,
    input         CARRYIN,
    input  [ 2:0] CARRYINSEL,
    input  [ 3:0] ALUMODE,
    input  [ 6:0] OPMODE,
    input         CEA1,
    input         CEA2,
    input         CEALUMODE,
    input         CEB1,
    input         CEB2,
    input         CEC,
    input         CECARRYIN,
    input         CECTRL,
    input         CEM,
    input         CEMULTCARRYIN,
    input         CEP,
    input         RSTA,
    input         RSTALLCARRYIN,
    input         RSTALUMODE,
    input         RSTB,
    input         RSTC,
    input         RSTCTRL,
    input         RSTM,
    input         RSTP,
    output [29:0] ACOUT,
    output [17:0] BCOUT,
    output        CARRYCASCOUT,
    output [ 3:0] CARRYOUT,
    output        MULTSIGNOUT,
    output        OVERFLOW,
    output [47:0] P,
    output        PATTERNBDETECT,
    output        PATTERNDETECT,
    output [47:0] PCOUT,
    output        UNDERFLOW
);
  reg [29:0] a_q;
  reg [17:0] b_q;
  reg [47:0] c_q, m_q, p_q;
  wire [29:0] a_in = (A_INPUT == "CASCADE") ? ACIN : A;
  wire [17:0] b_in = (B_INPUT == "CASCADE") ? BCIN : B;
  wire signed [24:0] a = AREG ? a_q[24:0] : a_in[24:0];
  wire signed [17:0] b = BREG ? b_q : b_in;
  wire signed [47:0] product = a * b;
  wire [47:0] m = MREG ? m_q : product;
  wire [47:0] c = CREG ? c_q : C;
  reg [47:0] z;
  always @* begin
    case (OPMODE[6:4])
      3'b000:  z = 48'd0;
      3'b001:  z = PCIN;
      3'b011:  z = c;
      3'b101:  z = {{17{PCIN[47]}}, PCIN[47:17]};
      default: z = 48'dx;
    endcase
  end
  // Anything else that a mapper might ask for shows as an unknown result.
  wire known = OPMODE[3:0] == 4'b0101 && ALUMODE == 4'd0 && CARRYINSEL == 3'd0 && !CARRYIN &&
      AREG < 2 && BREG < 2 && USE_SIMD == "ONE48";
  wire [47:0] sum = known ? z + m : 48'dx;
  always @(posedge CLK) begin
    if (RSTA || CEA2) a_q <= RSTA ? 30'd0 : a_in;
    if (RSTB || CEB2) b_q <= RSTB ? 18'd0 : b_in;
    if (RSTC || CEC) c_q <= RSTC ? 48'd0 : C;
    if (RSTM || CEM) m_q <= RSTM ? 48'd0 : product;
    if (RSTP || CEP) p_q <= RSTP ? 48'd0 : sum;
  end
  assign P = PREG ? p_q : sum;
  assign PCOUT = P;
  assign ACOUT = AREG ? a_q : a_in;
  assign BCOUT = BREG ? b_q : b_in;
endmodule
