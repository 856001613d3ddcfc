// SPDX-License-Identifier: Apache-2.0

/// Memory with one write port and one registered read port: block RAM on an FPGA.
///
/// rdata_o = word raddr_i as it was before the last clock edge
/// Precondition: addresses below Rows; a row is written before it is read.
/// Latency: 1 for a read, 1 for a write; a read of the row that is being written gives the old word,
/// with Apart any word.
/// Below BlockBits bits the FPGA flow chooses the kind of memory. On an ASIC it is a register file
/// macro with an output register.
/// Example, Rows = 8, Width = 4: write 0x9 to row 5; raddr_i = 5 in the next cycle; rdata_o = 0x9 then.
module montcore_block_ram #(
    parameter int unsigned Rows = 512,  // Number of words, 2 or more.
    parameter int unsigned Width = 34,  // Word width in bits.
    /// Size in bits from which an FPGA uses block RAM, 1 or more: it pays from about a tenth of its
    /// 18 kbit.
    parameter int unsigned BlockBits = 1800,
    // The parameter is used in attributes, which Verilator does not read.
    // verilator lint_off UNUSEDPARAM
    /// 1: what is read from a row in the cycle of its write is not used. Block RAM then needs no
    /// logic that keeps the old word.
    parameter bit Apart = 1'b0,
    // verilator lint_on UNUSEDPARAM
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned AddrBits = $clog2(Rows)
) (
    input logic clk_i,
    input logic we_i,  // Write enable, active high.
    input logic [AddrBits-1:0] waddr_i,  // Write address, a row index, valid with we_i.
    input logic [Width-1:0] wdata_i,  // Word to write, valid with we_i.
    input logic [AddrBits-1:0] raddr_i,  // Read address, a row index.
    output logic [Width-1:0] rdata_o  // Word read, one cycle after raddr_i.
);
  if (Rows < 2 || BlockBits < 1) begin : g_bad_size
    $fatal(1, "%m: Rows must be at least 2 and BlockBits at least 1");
  end
  logic [Width-1:0] rdata_q;
  assign rdata_o = rdata_q;

  if (Tech == montcore_pkg::TechAsic) begin : g_macro
    logic [Width-1:0] word;
    montcore_ram_macro #(
        .Rows (Rows),
        .Width(Width)
    ) u_macro (
        .clk_i,
        .we_i,
        .waddr_i,
        .wdata_i,
        .raddr_i,
        .rdata_o(word)
    );
    always_ff @(posedge clk_i) rdata_q <= word;
  end else if (Rows * Width >= BlockBits) begin : g_block
    (* ram_style = "block", no_rw_check = Apart *)
    logic [Width-1:0] rows_q[Rows];
    always_ff @(posedge clk_i) begin
      if (we_i) rows_q[waddr_i] <= wdata_i;
      rdata_q <= rows_q[raddr_i];
    end
  end else begin : g_any
    // Large memories would be inferred as block RAM: a raised BlockBits forces distributed RAM.
    (* ram_style = (BlockBits > 1800) ? "distributed" : "auto", no_rw_check = Apart *)
    logic [Width-1:0] rows_q[Rows];
    always_ff @(posedge clk_i) begin
      if (we_i) rows_q[waddr_i] <= wdata_i;
      rdata_q <= rows_q[raddr_i];
    end
  end
endmodule
