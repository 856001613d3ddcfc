// SPDX-License-Identifier: Apache-2.0

/// Small memory with one write port and one asynchronous read port.
///
/// rdata_o = word raddr_i, in the same cycle; a write, of wdata_i or of zero, is visible from the
/// next cycle on.
/// Precondition: addresses below Rows; a row is written before it is read.
/// Latency: 0 for a read, 1 for a write.
/// Fewer than 8 rows are flip-flops and count as logic; more are one `montcore_ram_macro`, whose bits
/// are counted separately on an ASIC target and become distributed RAM on an FPGA.
/// Example, Rows = 2, Width = 4: write 0x9 to row 1; one cycle later raddr_i = 1 reads 0x9.
module montcore_ram #(
    parameter int unsigned Rows = 8,  // Number of words, 1 or more.
    parameter int unsigned Width = 32,  // Word width in bits.
    localparam int unsigned AddrBits = (Rows > 1) ? $clog2(Rows) : 1
) (
    input logic clk_i,
    input logic we_i,  // Write enable, active high.
    /// High: write zero instead of wdata_i; flip-flops use a reset input for it, not gates.
    input logic wzero_i,
    input logic [AddrBits-1:0] waddr_i,  // Write address, a row index, valid with we_i.
    input logic [Width-1:0] wdata_i,  // Word to write, valid with we_i.
    input logic [AddrBits-1:0] raddr_i,  // Read address, a row index.
    output logic [Width-1:0] rdata_o  // Word read at raddr_i, combinational.
);
  // A macro below this size would be mostly periphery: such arrays are flip-flops.
  localparam int unsigned MinMacroRows = 8;

  if (Rows >= MinMacroRows) begin : g_macro
    montcore_ram_macro #(
        .Rows (Rows),
        .Width(Width)
    ) u_macro (
        .clk_i,
        .we_i,
        .waddr_i,
        .wdata_i(wzero_i ? '0 : wdata_i),
        .raddr_i,
        .rdata_o
    );
  end else if (Rows > 1) begin : g_flops
    logic [Rows-1:0][Width-1:0] rows_q;

    always_ff @(posedge clk_i) begin
      for (int unsigned row = 0; row < Rows; row++) begin
        if (we_i && waddr_i == AddrBits'(row)) rows_q[row] <= wzero_i ? '0 : wdata_i;
      end
    end

    // Indexed, not a loop over the rows: Icarus Verilog 11 propagates each step of such a loop, and
    // an apparent combinational ring then never settles.
    assign rdata_o = rows_q[raddr_i];
  end else begin : g_register
    logic [Width-1:0] row_q;
    logic             unused_addr;

    always_ff @(posedge clk_i) if (we_i) row_q <= wzero_i ? '0 : wdata_i;

    assign rdata_o = row_q;
    assign unused_addr = ^{waddr_i, raddr_i};
  end
endmodule
