// SPDX-License-Identifier: Apache-2.0

/// The storage array of `montcore_ram`: a two-port register file macro.
///
/// rdata_o = word raddr_i, in the same cycle; a write is visible from the next cycle on.
/// Precondition: addresses below Rows.
/// Latency: 0 for a read, 1 for a write.
/// ASIC flows treat this module as a black box of Rows * Width bits; FPGA flows infer
/// distributed RAM from it.
/// Example, Rows = 8, Width = 4: write 0x9 to row 5; one cycle later raddr_i = 5 reads 0x9.
module montcore_ram_macro #(
    parameter int unsigned Rows = 8,  // Number of words in the array.
    parameter int unsigned Width = 32,  // Word width in bits.
    localparam int unsigned AddrBits = (Rows > 1) ? $clog2(Rows) : 1
) (
    input logic clk_i,
    input logic we_i,  // Write enable, active high.
    input logic [AddrBits-1:0] waddr_i,  // Write address, a row index, valid with we_i.
    input logic [Width-1:0] wdata_i,  // Word to write, valid with we_i.
    input logic [AddrBits-1:0] raddr_i,  // Read address, a row index.
    output logic [Width-1:0] rdata_o  // Word read at raddr_i, combinational.
);
  // Distributed, also if the user registers the read data: a block RAM would be wasted.
  (* ram_style = "distributed" *)
  logic [Width-1:0] rows_q[Rows];

  always_ff @(posedge clk_i) if (we_i) rows_q[waddr_i] <= wdata_i;

  assign rdata_o = rows_q[raddr_i];
endmodule
