// SPDX-License-Identifier: Apache-2.0
// Functional models of memories of the Xilinx families, as far as the mapped cores use them: block
// memories, of which Yosys has only headers, and tables as memory, which Yosys' own models write as
// registers.

`define LUT_MEMORY_CLOCK \
  parameter IS_WCLK_INVERTED = 1'b0; \
  generate \
    if (IS_WCLK_INVERTED) NO_MODEL_OF_THIS_MEMORY no_model (); \
  endgenerate

`define FOUR_TABLES(WIDTH, ROWS) \
  parameter [63:0] INIT_A = 64'd0; \
  parameter [63:0] INIT_B = 64'd0; \
  parameter [63:0] INIT_C = 64'd0; \
  parameter [63:0] INIT_D = 64'd0; \
  `LUT_MEMORY_CLOCK \
  reg [WIDTH-1:0] a[0:ROWS-1]; \
  reg [WIDTH-1:0] b[0:ROWS-1]; \
  reg [WIDTH-1:0] c[0:ROWS-1]; \
  reg [WIDTH-1:0] d[0:ROWS-1]; \
  always @(posedge WCLK) if (WE) a[ADDRD] <= DIA; \
  always @(posedge WCLK) if (WE) b[ADDRD] <= DIB; \
  always @(posedge WCLK) if (WE) c[ADDRD] <= DIC; \
  always @(posedge WCLK) if (WE) d[ADDRD] <= DID; \
  assign DOA = a[ADDRA]; \
  assign DOB = b[ADDRB]; \
  assign DOC = c[ADDRC]; \
  assign DOD = d[ADDRD];

`define TWO_READ_PORTS(ROWS, ADDRESS, READ_ADDRESS) \
  parameter INIT = 0; \
  `LUT_MEMORY_CLOCK \
  reg rows[0:ROWS-1]; \
  always @(posedge WCLK) if (WE) rows[ADDRESS] <= D; \
  assign SPO = rows[ADDRESS]; \
  assign DPO = rows[READ_ADDRESS];

/// Four tables of 32 rows of 2 bits.
module RAM32M (
    output [1:0] DOA, DOB, DOC, DOD,
    input [4:0] ADDRA, ADDRB, ADDRC, ADDRD,
    input [1:0] DIA, DIB, DIC, DID,
    input WCLK, WE
);
  `FOUR_TABLES(2, 32)
endmodule

/// Four tables of 64 rows of a bit.
module RAM64M (
    output DOA, DOB, DOC, DOD,
    input [5:0] ADDRA, ADDRB, ADDRC, ADDRD,
    input DIA, DIB, DIC, DID,
    input WCLK, WE
);
  `FOUR_TABLES(1, 64)
endmodule

/// Memory of 16 bits with a port that writes and reads and one that reads.
module RAM16X1D (
    output DPO, SPO,
    input D, WCLK, WE,
    input A0, A1, A2, A3,
    input DPRA0, DPRA1, DPRA2, DPRA3
);
  wire [3:0] a = {A3, A2, A1, A0};
  wire [3:0] dpra = {DPRA3, DPRA2, DPRA1, DPRA0};
  `TWO_READ_PORTS(16, a, dpra)
endmodule

/// Memory of 32 bits, likewise.
module RAM32X1D (
    output DPO, SPO,
    input D, WCLK, WE,
    input A0, A1, A2, A3, A4,
    input DPRA0, DPRA1, DPRA2, DPRA3, DPRA4
);
  wire [4:0] a = {A4, A3, A2, A1, A0};
  wire [4:0] dpra = {DPRA4, DPRA3, DPRA2, DPRA1, DPRA0};
  `TWO_READ_PORTS(32, a, dpra)
endmodule

/// Memory of 64 bits, likewise.
module RAM64X1D (
    output DPO, SPO,
    input D, WCLK, WE,
    input A0, A1, A2, A3, A4, A5,
    input DPRA0, DPRA1, DPRA2, DPRA3, DPRA4, DPRA5
);
  wire [5:0] a = {A5, A4, A3, A2, A1, A0};
  wire [5:0] dpra = {DPRA5, DPRA4, DPRA3, DPRA2, DPRA1, DPRA0};
  `TWO_READ_PORTS(64, a, dpra)
endmodule

/// Memory of 128 bits, likewise.
module RAM128X1D (
    output DPO, SPO,
    input D, WCLK, WE,
    input [6:0] A, DPRA
);
  `TWO_READ_PORTS(128, A, DPRA)
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

// What the wrappers of block memories have in common: parameters, and `block_ports` or
// `block_memory` behind their ports.
`define BLOCK_PARAMETERS \
  parameter DOA_REG = 0; \
  parameter DOB_REG = 0; \
  parameter RAM_EXTENSION_A = "NONE"; \
  parameter RAM_EXTENSION_B = "NONE"; \
  parameter READ_WIDTH_A = 0; \
  parameter READ_WIDTH_B = 0; \
  parameter WRITE_WIDTH_A = 0; \
  parameter WRITE_WIDTH_B = 0; \
  parameter SRVAL_A = 0; \
  parameter SRVAL_B = 0; \
  parameter WRITE_MODE_A = "READ_FIRST"; \
  parameter WRITE_MODE_B = "READ_FIRST"; \
  generate \
    if (RAM_EXTENSION_A != "NONE") NO_MODEL_OF_THIS_BLOCK_MEMORY no_model (); \
  endgenerate

`define TWO_PORTS(BITS, CA, CB, EA, EB, AA, AB, IA, IB, PA, PB, WA, WB, OA, OB, QA, QB) \
  block_ports #( \
      .AddrBits     (BITS), \
      .READ_WIDTH_A (READ_WIDTH_A), \
      .READ_WIDTH_B (READ_WIDTH_B), \
      .WRITE_WIDTH_A(WRITE_WIDTH_A), \
      .WRITE_WIDTH_B(WRITE_WIDTH_B), \
      .DOA_REG      (DOA_REG), \
      .DOB_REG      (DOB_REG) \
  ) block ( \
      .CLKA(CA), .CLKB(CB), .ENA(EA), .ENB(EB), .ADDRA(AA[BITS-1:0]), .ADDRB(AB[BITS-1:0]), \
      .DIA(IA), .DIB(IB), .DIPA(PA), .DIPB(PB), .WEA(WA), .WEB(WB), \
      .DOA(OA), .DOB(OB), .DOPA(QA), .DOPB(QB) \
  );

`define ONE_PORT_EACH(BITS, BYTES, WC, WEN, WBYTES, WADDR, WDATA, WPARITY, RC, REN, RADDR, RDATA, RPARITY) \
  block_memory #( \
      .AddrBits(BITS), \
      .Bytes   (BYTES) \
  ) memory ( \
      .write_clk(WC), .write(WEN), .bytes(WBYTES), .write_addr(WADDR), .data(WDATA), \
      .parity(WPARITY), .read_clk(RC), .read(REN), .read_addr(RADDR), .data_out(RDATA), \
      .parity_out(RPARITY) \
  );

`define BLOCK_OF_VIRTEX_4_AND_5(BITS) \
  `BLOCK_PARAMETERS \
  `TWO_PORTS(BITS, CLKA, CLKB, ENA, ENB, ADDRA, ADDRB, DIA, DIB, DIPA, DIPB, WEA, WEB, \
      DOA, DOB, DOPA, DOPB)

`define BLOCK_WITH_A_PORT_EACH(BYTES) \
  parameter DO_REG = 0; \
  parameter SRVAL = 0; \
  generate \
    if (DO_REG != 0) NO_MODEL_OF_THIS_BLOCK_MEMORY no_model (); \
  endgenerate \
  `ONE_PORT_EACH(9, BYTES, WRCLK, WREN, WE, WRADDR, DI, DIP, RDCLK, RDEN, RDADDR, DO, DOP)

`define BLOCK_OF_VIRTEX_6(BITS, BYTES) \
  parameter RAM_MODE = "TDP"; \
  `BLOCK_PARAMETERS \
  wire [8*BYTES-1:0] both_in = {DIBDI, DIADI}; \
  wire [BYTES-1:0] parities_in = {DIPBDIP, DIPADIP}; \
  wire [8:0] write_row = ADDRBWRADDR[BITS-1:BITS-9]; \
  wire [8:0] read_row = ADDRARDADDR[BITS-1:BITS-9]; \
  wire [8*BYTES-1:0] both_out; \
  wire [BYTES-1:0] parities_out; \
  generate \
    if (RAM_MODE == "SDP") begin \
      if (READ_WIDTH_A != 9 * BYTES || WRITE_WIDTH_B != 9 * BYTES || DOA_REG != 0) \
        NO_MODEL_OF_THIS_BLOCK_MEMORY no_model (); \
      `ONE_PORT_EACH(9, BYTES, CLKBWRCLK, ENBWREN, WEBWE, write_row, both_in, parities_in, \
          CLKARDCLK, ENARDEN, read_row, both_out, parities_out) \
      assign {DOBDO, DOADO} = both_out; \
      assign {DOPBDOP, DOPADOP} = parities_out; \
    end else begin \
      `TWO_PORTS(BITS, CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, ADDRARDADDR, ADDRBWRADDR, DIADI, \
          DIBDI, DIPADIP, DIPBDIP, WEA, WEBWE[3:0], DOADO, DOBDO, DOPADOP, DOPBDOP) \
    end \
  endgenerate

`define BLOCK_OF_VIRTEX_2(BITS, BYTES) \
  parameter SRVAL_A = 0; \
  parameter SRVAL_B = 0; \
  parameter WRITE_MODE_A = "READ_FIRST"; \
  parameter WRITE_MODE_B = "READ_FIRST"; \
  wire [BYTES-1:0] bytes = {BYTES{WEA}}; \
  assign DOA = 0; \
  assign DOPA = 0; \
  `ONE_PORT_EACH(BITS, BYTES, CLKA, ENA, bytes, ADDRA, DIA, DIPA, CLKB, ENB, ADDRB, DOB, DOPB)

/// Block memory of Virtex-4.
module RAMB16 (
    input CLKA, CLKB, ENA, ENB, SSRA, SSRB, REGCEA, REGCEB,
    input [14:0] ADDRA, ADDRB,
    input [31:0] DIA, DIB,
    input [3:0] DIPA, DIPB, WEA, WEB,
    output [31:0] DOA, DOB,
    output [3:0] DOPA, DOPB
);
  `BLOCK_OF_VIRTEX_4_AND_5(14)
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
  `BLOCK_OF_VIRTEX_4_AND_5(14)
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
  `BLOCK_OF_VIRTEX_4_AND_5(15)
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
  `BLOCK_WITH_A_PORT_EACH(4)
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
  `BLOCK_WITH_A_PORT_EACH(8)
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
  `BLOCK_OF_VIRTEX_6(14, 4)
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
  `BLOCK_OF_VIRTEX_6(15, 8)
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
  `BLOCK_OF_VIRTEX_2(11, 1)
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
  `BLOCK_OF_VIRTEX_2(10, 2)
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
  `BLOCK_OF_VIRTEX_2(9, 4)
endmodule
