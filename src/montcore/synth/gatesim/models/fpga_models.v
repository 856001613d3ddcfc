// SPDX-License-Identifier: Apache-2.0
// Functional models of primitives that Yosys has only headers of, as far as the mapped cores use them.
// A block memory has one port that writes and one that reads, both as wide, with a registered output
// and no other option; any other use of it asks for a module that does not exist.

/// Memory that gives the word from before a write: Bytes of nine bits, each with its write enable.
module block_memory #(
    parameter AddrBits = 9,
    parameter Bytes = 4
) (
    input                     write_clk,
    input                     write,
    input      [   Bytes-1:0] bytes,
    input      [AddrBits-1:0] write_addr,
    input      [ 8*Bytes-1:0] data,
    input      [   Bytes-1:0] parity,
    input                     read_clk,
    input                     read,
    input      [AddrBits-1:0] read_addr,
    output reg [ 8*Bytes-1:0] data_out,
    output reg [   Bytes-1:0] parity_out
);
  reg [9*Bytes-1:0] rows[0:(1<<AddrBits)-1];
  wire [9*Bytes-1:0] row = rows[read_addr];
  integer i, j;
  always @(posedge write_clk)
    for (i = 0; i < Bytes; i = i + 1)
      if (write && bytes[i]) rows[write_addr][9*i+:9] <= {parity[i], data[8*i+:8]};
  always @(posedge read_clk)
    if (read)
      for (j = 0; j < Bytes; j = j + 1) {parity_out[j], data_out[8*j+:8]} <= row[9*j+:9];
endmodule

`ifdef XILINX
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
    if (Z == 0) assign total = x;
    else if (Z == 1) assign total = x + PCIN;
    else if (Z == 2) assign total = x + P;
    else if (Z == 3) assign total = x + c;
    else if (Z == 5) assign total = x + cascade_down;
    else if (Z == 6) assign total = x + sum_down;
    else begin
      wire [47:0] z = z_by == 3'd2 ? P : z_by == 3'd3 ? c : z_by == 3'd5 ? cascade_down :
          z_by == 3'd6 ? sum_down : 48'bx;
      assign total = x + z;
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

/// Four tables as memory: the same as Yosys' own model, with rows that can be told from registers.
module RAM32M (
    output [1:0] DOA, DOB, DOC, DOD,
    input [4:0] ADDRA, ADDRB, ADDRC, ADDRD,
    input [1:0] DIA, DIB, DIC, DID,
    input WCLK, WE
);
  parameter [63:0] INIT_A = 64'd0;
  parameter [63:0] INIT_B = 64'd0;
  parameter [63:0] INIT_C = 64'd0;
  parameter [63:0] INIT_D = 64'd0;
  parameter IS_WCLK_INVERTED = 1'b0;
  generate
    if (IS_WCLK_INVERTED) NO_MODEL_OF_THIS_MEMORY no_model ();
  endgenerate
  reg [1:0] a[0:31];
  reg [1:0] b[0:31];
  reg [1:0] c[0:31];
  reg [1:0] d[0:31];
  always @(posedge WCLK) if (WE) a[ADDRD] <= DIA;
  always @(posedge WCLK) if (WE) b[ADDRD] <= DIB;
  always @(posedge WCLK) if (WE) c[ADDRD] <= DIC;
  always @(posedge WCLK) if (WE) d[ADDRD] <= DID;
  assign DOA = a[ADDRA];
  assign DOB = b[ADDRB];
  assign DOC = c[ADDRC];
  assign DOD = d[ADDRD];
endmodule

/// Four tables as memory: the same as Yosys' own model, with rows that can be told from registers.
module RAM64M (
    output DOA, DOB, DOC, DOD,
    input [5:0] ADDRA, ADDRB, ADDRC, ADDRD,
    input DIA, DIB, DIC, DID,
    input WCLK, WE
);
  parameter [63:0] INIT_A = 64'd0;
  parameter [63:0] INIT_B = 64'd0;
  parameter [63:0] INIT_C = 64'd0;
  parameter [63:0] INIT_D = 64'd0;
  parameter IS_WCLK_INVERTED = 1'b0;
  generate
    if (IS_WCLK_INVERTED) NO_MODEL_OF_THIS_MEMORY no_model ();
  endgenerate
  reg a[0:63];
  reg b[0:63];
  reg c[0:63];
  reg d[0:63];
  always @(posedge WCLK) if (WE) a[ADDRD] <= DIA;
  always @(posedge WCLK) if (WE) b[ADDRD] <= DIB;
  always @(posedge WCLK) if (WE) c[ADDRD] <= DIC;
  always @(posedge WCLK) if (WE) d[ADDRD] <= DID;
  assign DOA = a[ADDRA];
  assign DOB = b[ADDRB];
  assign DOC = c[ADDRC];
  assign DOD = d[ADDRD];
endmodule

/// Memory of 16 bits with a port that writes and reads and one that reads, likewise.
module RAM16X1D (
    output DPO, SPO,
    input D, WCLK, WE,
    input A0, A1, A2, A3,
    input DPRA0, DPRA1, DPRA2, DPRA3
);
  parameter INIT = 0;
  parameter IS_WCLK_INVERTED = 1'b0;
  generate
    if (IS_WCLK_INVERTED) NO_MODEL_OF_THIS_MEMORY no_model ();
  endgenerate
  reg rows[0:15];
  always @(posedge WCLK) if (WE) rows[{A3, A2, A1, A0}] <= D;
  assign SPO = rows[{A3, A2, A1, A0}];
  assign DPO = rows[{DPRA3, DPRA2, DPRA1, DPRA0}];
endmodule

/// Memory of 32 bits with a port that writes and reads and one that reads, likewise.
module RAM32X1D (
    output DPO, SPO,
    input D, WCLK, WE,
    input A0, A1, A2, A3, A4,
    input DPRA0, DPRA1, DPRA2, DPRA3, DPRA4
);
  parameter INIT = 0;
  parameter IS_WCLK_INVERTED = 1'b0;
  generate
    if (IS_WCLK_INVERTED) NO_MODEL_OF_THIS_MEMORY no_model ();
  endgenerate
  reg rows[0:31];
  always @(posedge WCLK) if (WE) rows[{A4, A3, A2, A1, A0}] <= D;
  assign SPO = rows[{A4, A3, A2, A1, A0}];
  assign DPO = rows[{DPRA4, DPRA3, DPRA2, DPRA1, DPRA0}];
endmodule

/// Memory of 64 bits with a port that writes and reads and one that reads, likewise.
module RAM64X1D (
    output DPO, SPO,
    input D, WCLK, WE,
    input A0, A1, A2, A3, A4, A5,
    input DPRA0, DPRA1, DPRA2, DPRA3, DPRA4, DPRA5
);
  parameter INIT = 0;
  parameter IS_WCLK_INVERTED = 1'b0;
  generate
    if (IS_WCLK_INVERTED) NO_MODEL_OF_THIS_MEMORY no_model ();
  endgenerate
  reg rows[0:63];
  always @(posedge WCLK) if (WE) rows[{A5, A4, A3, A2, A1, A0}] <= D;
  assign SPO = rows[{A5, A4, A3, A2, A1, A0}];
  assign DPO = rows[{DPRA5, DPRA4, DPRA3, DPRA2, DPRA1, DPRA0}];
endmodule

/// Memory of 128 bits with a port that writes and reads and one that reads, likewise.
module RAM128X1D (
    output DPO, SPO,
    input D, WCLK, WE,
    input [6:0] A, DPRA
);
  parameter INIT = 0;
  parameter IS_WCLK_INVERTED = 1'b0;
  generate
    if (IS_WCLK_INVERTED) NO_MODEL_OF_THIS_MEMORY no_model ();
  endgenerate
  reg rows[0:127];
  always @(posedge WCLK) if (WE) rows[A] <= D;
  assign SPO = rows[A];
  assign DPO = rows[DPRA];
endmodule

/// A block of two ports of up to 36 bits, of which one writes and the other reads.
module block_ports #(
    parameter AddrBits = 14,
    parameter READ_WIDTH_A = 0,
    parameter READ_WIDTH_B = 0,
    parameter WRITE_WIDTH_A = 0,
    parameter WRITE_WIDTH_B = 0,
    parameter DOA_REG = 0,
    parameter DOB_REG = 0
) (
    input                CLKA, CLKB, ENA, ENB,
    input [AddrBits-1:0] ADDRA, ADDRB,
    input [        31:0] DIA, DIB,
    input [         3:0] DIPA, DIPB, WEA, WEB,
    output [       31:0] DOA, DOB,
    output [        3:0] DOPA, DOPB
);
  localparam A_WRITES = WRITE_WIDTH_A != 0;
  localparam WIDTH = A_WRITES ? WRITE_WIDTH_A : WRITE_WIDTH_B;
  localparam READ = A_WRITES ? READ_WIDTH_B : READ_WIDTH_A;
  localparam SHIFT = WIDTH == 36 ? 5 : WIDTH == 18 ? 4 : WIDTH == 9 ? 3 : WIDTH == 4 ? 2 : WIDTH == 2;
  generate
    if (READ != WIDTH || DOA_REG != 0 || DOB_REG != 0 || (A_WRITES && WRITE_WIDTH_B != 0) ||
        (A_WRITES ? READ_WIDTH_A : READ_WIDTH_B) != 0)
      NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
  endgenerate
  wire [31:0] data;
  wire [3:0] parity;
  block_memory #(
      .AddrBits(AddrBits - SHIFT)
  ) memory (
      .write_clk (A_WRITES ? CLKA : CLKB),
      .write     (A_WRITES ? ENA : ENB),
      .bytes     (A_WRITES ? WEA : WEB),
      .write_addr(A_WRITES ? ADDRA[AddrBits-1:SHIFT] : ADDRB[AddrBits-1:SHIFT]),
      .data      (A_WRITES ? DIA : DIB),
      .parity    (A_WRITES ? DIPA : DIPB),
      .read_clk  (A_WRITES ? CLKB : CLKA),
      .read      (A_WRITES ? ENB : ENA),
      .read_addr (A_WRITES ? ADDRB[AddrBits-1:SHIFT] : ADDRA[AddrBits-1:SHIFT]),
      .data_out  (data),
      .parity_out(parity)
  );
  assign DOA  = A_WRITES ? 32'd0 : data;
  assign DOPA = A_WRITES ? 4'd0 : parity;
  assign DOB  = A_WRITES ? data : 32'd0;
  assign DOPB = A_WRITES ? parity : 4'd0;
endmodule

/// Block memory of Virtex-4.
module RAMB16 (
    input CLKA, CLKB, ENA, ENB, SSRA, SSRB, REGCEA, REGCEB,
    input [14:0] ADDRA, ADDRB,
    input [31:0] DIA, DIB,
    input [3:0] DIPA, DIPB, WEA, WEB,
    output [31:0] DOA, DOB,
    output [3:0] DOPA, DOPB
);
  parameter DOA_REG = 0;
  parameter DOB_REG = 0;
  parameter RAM_EXTENSION_A = "NONE";
  parameter RAM_EXTENSION_B = "NONE";
  parameter READ_WIDTH_A = 0;
  parameter READ_WIDTH_B = 0;
  parameter WRITE_WIDTH_A = 0;
  parameter WRITE_WIDTH_B = 0;
  parameter SRVAL_A = 0;
  parameter SRVAL_B = 0;
  parameter WRITE_MODE_A = "READ_FIRST";
  parameter WRITE_MODE_B = "READ_FIRST";
  generate
    if (RAM_EXTENSION_A != "NONE") NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
  endgenerate
  block_ports #(
      .AddrBits     (14),
      .READ_WIDTH_A (READ_WIDTH_A),
      .READ_WIDTH_B (READ_WIDTH_B),
      .WRITE_WIDTH_A(WRITE_WIDTH_A),
      .WRITE_WIDTH_B(WRITE_WIDTH_B),
      .DOA_REG      (DOA_REG),
      .DOB_REG      (DOB_REG)
  ) block (
      .CLKA(CLKA), .CLKB(CLKB), .ENA(ENA), .ENB(ENB),
      .ADDRA(ADDRA[13:0]), .ADDRB(ADDRB[13:0]),
      .DIA(DIA), .DIB(DIB), .DIPA(DIPA), .DIPB(DIPB), .WEA(WEA), .WEB(WEB),
      .DOA(DOA), .DOB(DOB), .DOPA(DOPA), .DOPB(DOPB)
  );
endmodule

/// Block memory of Virtex-5.
module RAMB18 (
    input CLKA, CLKB, ENA, ENB, SSRA, SSRB, REGCEA, REGCEB,
    input [13:0] ADDRA, ADDRB,
    input [31:0] DIA, DIB,
    input [3:0] DIPA, DIPB, WEA, WEB,
    output [31:0] DOA, DOB,
    output [3:0] DOPA, DOPB
);
  parameter DOA_REG = 0;
  parameter DOB_REG = 0;
  parameter RAM_EXTENSION_A = "NONE";
  parameter RAM_EXTENSION_B = "NONE";
  parameter READ_WIDTH_A = 0;
  parameter READ_WIDTH_B = 0;
  parameter WRITE_WIDTH_A = 0;
  parameter WRITE_WIDTH_B = 0;
  parameter SRVAL_A = 0;
  parameter SRVAL_B = 0;
  parameter WRITE_MODE_A = "READ_FIRST";
  parameter WRITE_MODE_B = "READ_FIRST";
  generate
    if (RAM_EXTENSION_A != "NONE") NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
  endgenerate
  block_ports #(
      .AddrBits     (14),
      .READ_WIDTH_A (READ_WIDTH_A),
      .READ_WIDTH_B (READ_WIDTH_B),
      .WRITE_WIDTH_A(WRITE_WIDTH_A),
      .WRITE_WIDTH_B(WRITE_WIDTH_B),
      .DOA_REG      (DOA_REG),
      .DOB_REG      (DOB_REG)
  ) block (
      .CLKA(CLKA), .CLKB(CLKB), .ENA(ENA), .ENB(ENB),
      .ADDRA(ADDRA[13:0]), .ADDRB(ADDRB[13:0]),
      .DIA(DIA), .DIB(DIB), .DIPA(DIPA), .DIPB(DIPB), .WEA(WEA), .WEB(WEB),
      .DOA(DOA), .DOB(DOB), .DOPA(DOPA), .DOPB(DOPB)
  );
endmodule

/// Block memory of Virtex-5.
module RAMB36 (
    input CLKA, CLKB, ENA, ENB, SSRA, SSRB, REGCEA, REGCEB,
    input [15:0] ADDRA, ADDRB,
    input [31:0] DIA, DIB,
    input [3:0] DIPA, DIPB, WEA, WEB,
    output [31:0] DOA, DOB,
    output [3:0] DOPA, DOPB
);
  parameter DOA_REG = 0;
  parameter DOB_REG = 0;
  parameter RAM_EXTENSION_A = "NONE";
  parameter RAM_EXTENSION_B = "NONE";
  parameter READ_WIDTH_A = 0;
  parameter READ_WIDTH_B = 0;
  parameter WRITE_WIDTH_A = 0;
  parameter WRITE_WIDTH_B = 0;
  parameter SRVAL_A = 0;
  parameter SRVAL_B = 0;
  parameter WRITE_MODE_A = "READ_FIRST";
  parameter WRITE_MODE_B = "READ_FIRST";
  generate
    if (RAM_EXTENSION_A != "NONE") NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
  endgenerate
  block_ports #(
      .AddrBits     (15),
      .READ_WIDTH_A (READ_WIDTH_A),
      .READ_WIDTH_B (READ_WIDTH_B),
      .WRITE_WIDTH_A(WRITE_WIDTH_A),
      .WRITE_WIDTH_B(WRITE_WIDTH_B),
      .DOA_REG      (DOA_REG),
      .DOB_REG      (DOB_REG)
  ) block (
      .CLKA(CLKA), .CLKB(CLKB), .ENA(ENA), .ENB(ENB),
      .ADDRA(ADDRA[14:0]), .ADDRB(ADDRB[14:0]),
      .DIA(DIA), .DIB(DIB), .DIPA(DIPA), .DIPB(DIPB), .WEA(WEA), .WEB(WEB),
      .DOA(DOA), .DOB(DOB), .DOPA(DOPA), .DOPB(DOPB)
  );
endmodule

/// Block memory of Virtex-5 with a port that writes and a port that reads.
module RAMB18SDP (
    input RDCLK, RDEN, REGCE, SSR, WRCLK, WREN,
    input [3:0] WE, DIP,
    input [8:0] WRADDR, RDADDR,
    input [31:0] DI,
    output [31:0] DO,
    output [3:0] DOP
);
  parameter DO_REG = 0;
  parameter SRVAL = 0;
  generate
    if (DO_REG != 0) NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
  endgenerate
  block_memory #(
      .AddrBits(9),
      .Bytes   (4)
  ) memory (
      .write_clk (WRCLK),
      .write     (WREN),
      .bytes     (WE),
      .write_addr(WRADDR),
      .data      (DI),
      .parity    (DIP),
      .read_clk  (RDCLK),
      .read      (RDEN),
      .read_addr (RDADDR),
      .data_out  (DO),
      .parity_out(DOP)
  );
endmodule

/// Block memory of Virtex-5 with a port that writes and a port that reads.
module RAMB36SDP (
    input RDCLK, RDEN, REGCE, SSR, WRCLK, WREN,
    input [7:0] WE, DIP,
    input [8:0] WRADDR, RDADDR,
    input [63:0] DI,
    output [63:0] DO,
    output [7:0] DOP
);
  parameter DO_REG = 0;
  parameter SRVAL = 0;
  generate
    if (DO_REG != 0) NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
  endgenerate
  block_memory #(
      .AddrBits(9),
      .Bytes   (8)
  ) memory (
      .write_clk (WRCLK),
      .write     (WREN),
      .bytes     (WE),
      .write_addr(WRADDR),
      .data      (DI),
      .parity    (DIP),
      .read_clk  (RDCLK),
      .read      (RDEN),
      .read_addr (RDADDR),
      .data_out  (DO),
      .parity_out(DOP)
  );
endmodule

/// Block memory of Virtex-6 and the 7 series.
module RAMB18E1 (
    input CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, REGCEAREGCE, REGCEB,
    input RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB,
    input [13:0] ADDRARDADDR, ADDRBWRADDR,
    input [15:0] DIADI, DIBDI,
    input [1:0] DIPADIP, DIPBDIP,
    input [1:0] WEA,
    input [3:0] WEBWE,
    output [15:0] DOADO, DOBDO,
    output [1:0] DOPADOP, DOPBDOP
);
  parameter DOA_REG = 0;
  parameter DOB_REG = 0;
  parameter RAM_EXTENSION_A = "NONE";
  parameter RAM_EXTENSION_B = "NONE";
  parameter RAM_MODE = "TDP";
  parameter READ_WIDTH_A = 0;
  parameter READ_WIDTH_B = 0;
  parameter WRITE_WIDTH_A = 0;
  parameter WRITE_WIDTH_B = 0;
  parameter SRVAL_A = 0;
  parameter SRVAL_B = 0;
  parameter WRITE_MODE_A = "READ_FIRST";
  parameter WRITE_MODE_B = "READ_FIRST";
  generate
    if (RAM_EXTENSION_A != "NONE") begin
      NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
    end else if (RAM_MODE == "SDP") begin
      if (READ_WIDTH_A != 36 || WRITE_WIDTH_B != 36 || DOA_REG != 0)
        NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
      block_memory #(
          .AddrBits(9),
          .Bytes   (4)
      ) memory (
          .write_clk (CLKBWRCLK),
          .write     (ENBWREN),
          .bytes     (WEBWE),
          .write_addr(ADDRBWRADDR[13:5]),
          .data      ({DIBDI, DIADI}),
          .parity    ({DIPBDIP, DIPADIP}),
          .read_clk  (CLKARDCLK),
          .read      (ENARDEN),
          .read_addr (ADDRARDADDR[13:5]),
          .data_out  ({DOBDO, DOADO}),
          .parity_out({DOPBDOP, DOPADOP})
      );
    end else begin
      block_ports #(
          .AddrBits     (14),
          .READ_WIDTH_A (READ_WIDTH_A),
          .READ_WIDTH_B (READ_WIDTH_B),
          .WRITE_WIDTH_A(WRITE_WIDTH_A),
          .WRITE_WIDTH_B(WRITE_WIDTH_B),
          .DOA_REG      (DOA_REG),
          .DOB_REG      (DOB_REG)
      ) block (
          .CLKA (CLKARDCLK),
          .CLKB (CLKBWRCLK),
          .ENA  (ENARDEN),
          .ENB  (ENBWREN),
          .ADDRA(ADDRARDADDR[13:0]),
          .ADDRB(ADDRBWRADDR[13:0]),
          .DIA  (DIADI),
          .DIB  (DIBDI),
          .DIPA (DIPADIP),
          .DIPB (DIPBDIP),
          .WEA  (WEA),
          .WEB  (WEBWE[3:0]),
          .DOA  (DOADO),
          .DOB  (DOBDO),
          .DOPA (DOPADOP),
          .DOPB (DOPBDOP)
      );
    end
  endgenerate
endmodule

/// Block memory of Virtex-6 and the 7 series.
module RAMB36E1 (
    input CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, REGCEAREGCE, REGCEB,
    input RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB,
    input [15:0] ADDRARDADDR, ADDRBWRADDR,
    input [31:0] DIADI, DIBDI,
    input [3:0] DIPADIP, DIPBDIP,
    input [3:0] WEA,
    input [7:0] WEBWE,
    output [31:0] DOADO, DOBDO,
    output [3:0] DOPADOP, DOPBDOP
);
  parameter DOA_REG = 0;
  parameter DOB_REG = 0;
  parameter RAM_EXTENSION_A = "NONE";
  parameter RAM_EXTENSION_B = "NONE";
  parameter RAM_MODE = "TDP";
  parameter READ_WIDTH_A = 0;
  parameter READ_WIDTH_B = 0;
  parameter WRITE_WIDTH_A = 0;
  parameter WRITE_WIDTH_B = 0;
  parameter SRVAL_A = 0;
  parameter SRVAL_B = 0;
  parameter WRITE_MODE_A = "READ_FIRST";
  parameter WRITE_MODE_B = "READ_FIRST";
  generate
    if (RAM_EXTENSION_A != "NONE") begin
      NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
    end else if (RAM_MODE == "SDP") begin
      if (READ_WIDTH_A != 72 || WRITE_WIDTH_B != 72 || DOA_REG != 0)
        NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
      block_memory #(
          .AddrBits(9),
          .Bytes   (8)
      ) memory (
          .write_clk (CLKBWRCLK),
          .write     (ENBWREN),
          .bytes     (WEBWE),
          .write_addr(ADDRBWRADDR[14:6]),
          .data      ({DIBDI, DIADI}),
          .parity    ({DIPBDIP, DIPADIP}),
          .read_clk  (CLKARDCLK),
          .read      (ENARDEN),
          .read_addr (ADDRARDADDR[14:6]),
          .data_out  ({DOBDO, DOADO}),
          .parity_out({DOPBDOP, DOPADOP})
      );
    end else begin
      block_ports #(
          .AddrBits     (15),
          .READ_WIDTH_A (READ_WIDTH_A),
          .READ_WIDTH_B (READ_WIDTH_B),
          .WRITE_WIDTH_A(WRITE_WIDTH_A),
          .WRITE_WIDTH_B(WRITE_WIDTH_B),
          .DOA_REG      (DOA_REG),
          .DOB_REG      (DOB_REG)
      ) block (
          .CLKA (CLKARDCLK),
          .CLKB (CLKBWRCLK),
          .ENA  (ENARDEN),
          .ENB  (ENBWREN),
          .ADDRA(ADDRARDADDR[14:0]),
          .ADDRB(ADDRBWRADDR[14:0]),
          .DIA  (DIADI),
          .DIB  (DIBDI),
          .DIPA (DIPADIP),
          .DIPB (DIPBDIP),
          .WEA  (WEA),
          .WEB  (WEBWE[3:0]),
          .DOA  (DOADO),
          .DOB  (DOBDO),
          .DOPA (DOPADOP),
          .DOPB (DOPBDOP)
      );
    end
  endgenerate
endmodule

/// Block memory of Virtex-II: port A writes, port B reads.
module RAMB16_S9_S9 (
    input CLKA, CLKB, ENA, ENB, SSRA, SSRB, WEA, WEB,
    input [10:0] ADDRA, ADDRB,
    input [7:0] DIA, DIB,
    input [0:0] DIPA, DIPB,
    output [7:0] DOA, DOB,
    output [0:0] DOPA, DOPB
);
  parameter SRVAL_A = 0;
  parameter SRVAL_B = 0;
  parameter WRITE_MODE_A = "READ_FIRST";
  parameter WRITE_MODE_B = "READ_FIRST";
  assign DOA  = 0;
  assign DOPA = 0;
  block_memory #(
      .AddrBits(11),
      .Bytes   (1)
  ) memory (
      .write_clk (CLKA),
      .write     (ENA),
      .bytes     ({1{WEA}}),
      .write_addr(ADDRA),
      .data      (DIA),
      .parity    (DIPA),
      .read_clk  (CLKB),
      .read      (ENB),
      .read_addr (ADDRB),
      .data_out  (DOB),
      .parity_out(DOPB)
  );
endmodule

/// Block memory of Virtex-II: port A writes, port B reads.
module RAMB16_S18_S18 (
    input CLKA, CLKB, ENA, ENB, SSRA, SSRB, WEA, WEB,
    input [9:0] ADDRA, ADDRB,
    input [15:0] DIA, DIB,
    input [1:0] DIPA, DIPB,
    output [15:0] DOA, DOB,
    output [1:0] DOPA, DOPB
);
  parameter SRVAL_A = 0;
  parameter SRVAL_B = 0;
  parameter WRITE_MODE_A = "READ_FIRST";
  parameter WRITE_MODE_B = "READ_FIRST";
  assign DOA  = 0;
  assign DOPA = 0;
  block_memory #(
      .AddrBits(10),
      .Bytes   (2)
  ) memory (
      .write_clk (CLKA),
      .write     (ENA),
      .bytes     ({2{WEA}}),
      .write_addr(ADDRA),
      .data      (DIA),
      .parity    (DIPA),
      .read_clk  (CLKB),
      .read      (ENB),
      .read_addr (ADDRB),
      .data_out  (DOB),
      .parity_out(DOPB)
  );
endmodule

/// Block memory of Virtex-II: port A writes, port B reads.
module RAMB16_S36_S36 (
    input CLKA, CLKB, ENA, ENB, SSRA, SSRB, WEA, WEB,
    input [8:0] ADDRA, ADDRB,
    input [31:0] DIA, DIB,
    input [3:0] DIPA, DIPB,
    output [31:0] DOA, DOB,
    output [3:0] DOPA, DOPB
);
  parameter SRVAL_A = 0;
  parameter SRVAL_B = 0;
  parameter WRITE_MODE_A = "READ_FIRST";
  parameter WRITE_MODE_B = "READ_FIRST";
  assign DOA  = 0;
  assign DOPA = 0;
  block_memory #(
      .AddrBits(9),
      .Bytes   (4)
  ) memory (
      .write_clk (CLKA),
      .write     (ENA),
      .bytes     ({4{WEA}}),
      .write_addr(ADDRA),
      .data      (DIA),
      .parity    (DIPA),
      .read_clk  (CLKB),
      .read      (ENB),
      .read_addr (ADDRB),
      .data_out  (DOB),
      .parity_out(DOPB)
  );
endmodule
`endif

`ifdef ECP5
/// Multiplier of ECP5 without registers, as Yosys maps to it.
module MULT18X18D (
    input A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
    input B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
    input C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17,
    input SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
    output P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17,
    output P18, P19, P20, P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire signed [18:0] a_signed = {SIGNEDA && a[17], a};
  wire signed [18:0] b_signed = {SIGNEDB && b[17], b};
  wire signed [37:0] p = a_signed * b_signed;
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
          P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = p[35:0];
endmodule

/// Block memory of ECP5 as it is used with 36 bits, or with 18 or 9: port A writes, port B reads.
module DP16KD (
    input DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
    input DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    input ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input CLKA, CLKB, CEA, CEB, OCEA, OCEB, WEA, WEB, RSTA, RSTB,
    input CSA2, CSA1, CSA0, CSB2, CSB1, CSB0,
    output DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
    output DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);
  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG";
  parameter REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC";
  parameter ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A = "0b000";
  parameter CSDECODE_B = "0b000";
  parameter WRITEMODE_A = "NORMAL";
  parameter WRITEMODE_B = "NORMAL";
  parameter CLKAMUX = "CLKA";
  parameter CLKBMUX = "CLKB";
  parameter GSR = "ENABLED";
  localparam WIDTH = DATA_WIDTH_A;
  localparam SHIFT = WIDTH == 36 ? 5 : WIDTH == 18 ? 4 : 3;
  generate
    if (DATA_WIDTH_B != WIDTH || WIDTH < 9 || REGMODE_B != "NOREG" || CLKAMUX != "CLKA" ||
        CLKBMUX != "CLKB")
      NO_MODEL_OF_THIS_BLOCK_MEMORY no_model ();
  endgenerate
  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [3:0] bytes = WIDTH == 9 ? 4'd1 : WIDTH == 18 ? {2'd0, ada[1:0]} : ada[3:0];
  wire [35:0] d = {dib, dia};
  wire [35:0] q;
  block_memory #(
      .AddrBits(14 - SHIFT)
  ) memory (
      .write_clk (CLKA),
      .write     (CEA && WEA),
      .bytes     (bytes),
      .write_addr(ada[13:SHIFT]),
      .data      ({d[34:27], d[25:18], d[16:9], d[7:0]}),
      .parity    ({d[35], d[26], d[17], d[8]}),
      .read_clk  (CLKB),
      .read      (CEB),
      .read_addr (adb[13:SHIFT]),
      .data_out  ({q[34:27], q[25:18], q[16:9], q[7:0]}),
      .parity_out({q[35], q[26], q[17], q[8]})
  );
  // With 36 bits the low half leaves on the outputs of port A.
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = q[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = WIDTH == 36 ? q[35:18] : q[17:0];
endmodule
`endif
