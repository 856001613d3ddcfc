// SPDX-License-Identifier: Apache-2.0
// What `vendor_cells.py` makes of the memories of the FPGA families.

/// Memory in look-up tables, read without a clock.
module lut_memory #(
    parameter AddrBits = 5,
    parameter Width = 2
) (
    input                 clk, write,
    input  [AddrBits-1:0] write_addr, read_addr,
    input  [   Width-1:0] data,
    output [   Width-1:0] data_out
);
  reg [Width-1:0] rows[0:(1<<AddrBits)-1];
  assign data_out = rows[read_addr];
  always @(posedge clk) if (write) rows[write_addr] <= data;
endmodule

/// Memory that gives the word from before a write: Bytes of nine bits, each with its write enable.
module block_memory #(
    parameter AddrBits = 9,
    parameter Bytes = 4
) (
    input                     write_clk,
    input      [         1:0] write,
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
      if (&write && bytes[i]) rows[write_addr][9*i+:9] <= {parity[i], data[8*i+:8]};
  always @(posedge read_clk)
    if (read)
      for (j = 0; j < Bytes; j = j + 1) {parity_out[j], data_out[8*j+:8]} <= row[9*j+:9];
endmodule
