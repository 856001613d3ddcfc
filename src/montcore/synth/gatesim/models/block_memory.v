// SPDX-License-Identifier: Apache-2.0
// The memory in every block memory of the FPGA families, as far as the mapped cores use it: one port
// writes and one reads, both as wide, with a registered output and no other option. A wrapper that
// is asked for anything else instantiates a module that does not exist, which is an error.

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
