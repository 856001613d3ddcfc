// SPDX-License-Identifier: Apache-2.0
// What `dsp_blocks.v` maps the DSP blocks of the Xilinx families to.

/// Product and sum of a DSP block with the registers that it is configured for.
///
/// Z: 0 nothing, 1 cascade, 2 own sum, 3 C, 5 and 6 cascade and own sum shifted down by 17 bits,
/// 8 by the input. PRE: 0 the first factor is A, 1 D + A, 2 D - A.
module dsp_block #(
    parameter AREG = 0,
    parameter BREG = 0,
    parameter CREG = 0,
    parameter DREG = 0,
    parameter ADREG = 0,
    parameter MREG = 0,
    parameter PREG = 0,
    parameter ACASCREG = 0,
    parameter BCASCREG = 0,
    parameter PRE = 0,
    parameter Z = 0
) (
    input         CLK,
    input  [29:0] A,
    input  [17:0] B,
    input  [47:0] C,
    input  [24:0] D,
    input  [47:0] PCIN,
    input  [ 2:0] z_by,
    input         carry,
    input         CEA1, CEA2, CEB1, CEB2, CEC, CED, CEAD, CEM, CEP,
    input         RSTA, RSTB, RSTC, RSTD, RSTM, RSTP,
    output [29:0] ACOUT,
    output [17:0] BCOUT,
    output [47:0] P
);
  wire [29:0] a1, a2;
  wire [17:0] b1, b2;
  wire [24:0] d, ad;
  wire [47:0] c;
  wire [42:0] m;
  dsp_register #(.WIDTH(30), .USED(AREG == 2)) reg_a1 (CLK, CEA1, RSTA, A, a1);
  dsp_register #(.WIDTH(30), .USED(AREG != 0)) reg_a2 (CLK, CEA2, RSTA, a1, a2);
  dsp_register #(.WIDTH(18), .USED(BREG == 2)) reg_b1 (CLK, CEB1, RSTB, B, b1);
  dsp_register #(.WIDTH(18), .USED(BREG != 0)) reg_b2 (CLK, CEB2, RSTB, b1, b2);
  dsp_register #(.WIDTH(48), .USED(CREG != 0)) reg_c (CLK, CEC, RSTC, C, c);
  assign ACOUT = AREG == 2 && ACASCREG == 1 ? a1 : a2;
  assign BCOUT = BREG == 2 && BCASCREG == 1 ? b1 : b2;
  generate
    if (PRE == 0) begin
      assign ad = a2[24:0];
    end else begin
      wire [24:0] sum;
      dsp_register #(.WIDTH(25), .USED(DREG != 0)) reg_d (CLK, CED, RSTD, D, d);
      assign sum = PRE == 1 ? d + a2[24:0] : d - a2[24:0];
      dsp_register #(.WIDTH(25), .USED(ADREG != 0)) reg_ad (CLK, CEAD, RSTD, sum, ad);
    end
  endgenerate
  wire signed [24:0] factor_a = ad;
  wire signed [17:0] factor_b = b2;
  wire signed [42:0] product = factor_a * factor_b;
  dsp_register #(.WIDTH(43), .USED(MREG != 0)) reg_m (CLK, CEM, RSTM, product, m);
  wire [47:0] x = {{5{m[42]}}, m};
  wire [47:0] total;
  wire [47:0] cascade_down = {{17{PCIN[47]}}, PCIN[47:17]};
  wire [47:0] sum_down = {{17{P[47]}}, P[47:17]};
  generate
    if (Z == 0) assign total = x + carry;
    else if (Z == 1) assign total = x + PCIN + carry;
    else if (Z == 2) assign total = x + P + carry;
    else if (Z == 3) assign total = x + c + carry;
    else if (Z == 5) assign total = x + cascade_down + carry;
    else if (Z == 6) assign total = x + sum_down + carry;
    else begin
      wire [47:0] z = z_by == 3'd2 ? P : z_by == 3'd3 ? c : z_by == 3'd5 ? cascade_down :
          z_by == 3'd6 ? sum_down : 48'bx;
      assign total = x + z + carry;
    end
  endgenerate
  dsp_register #(.WIDTH(48), .USED(PREG != 0)) reg_p (CLK, CEP, RSTP, total, P);
endmodule

/// A register of a DSP block, or a wire where it is not used.
module dsp_register #(
    parameter WIDTH = 1,
    parameter USED = 1
) (
    input CLK,
    input enable,
    input clear,
    input [WIDTH-1:0] d,
    output [WIDTH-1:0] q
);
  generate
    if (USED) begin
      reg [WIDTH-1:0] value;
      always @(posedge CLK)
        if (clear) value <= 0;
        else if (enable) value <= d;
      assign q = value;
    end else begin
      assign q = d;
    end
  endgenerate
endmodule
