// SPDX-License-Identifier: Apache-2.0

/// Operand memory with a read port of NumPe words, written word by word.
///
/// rdata_o = row raddr_i; writing lane 0 of a row clears the row's other lanes, so that a partially
/// written row ends in zeros.
/// Precondition: addresses below Depth; the lanes of a row are written in order.
/// Latency: 0 for a read, 1 for a write.
/// Source: smm-2021, Figure 4 (a RAM whose ports are w x N_PE wide).
/// Example, NumPe = 2: write 5 to row 0 lane 0, 6 to row 0 lane 1 -> row 0 = {6, 5}.
module montcore_smm_operand_memory #(
    parameter int unsigned NumPe = 4,  // Number of lanes of a row.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Depth = 8,  // Number of rows of the memory.
    /// Technology, `montcore_pkg::Tech...`: on FPGAs a memory of few rows is distributed RAM, not registers.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned AddrBits = (Depth > 1) ? $clog2(Depth) : 1,
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    input logic clk_i,
    input logic clear_i,  // High: write zero to the whole row waddr_i.
    input logic we_i,  // Write enable, active high.
    input logic [AddrBits-1:0] waddr_i,  // Index of the row to write.
    input logic [LaneBits-1:0] lane_i,  // Lane to write, valid with we_i.
    input logic [WordBits-1:0] wdata_i,  // Word to write, valid with we_i.
    input logic [AddrBits-1:0] raddr_i,  // Index of the row to read.
    output logic [NumPe-1:0][WordBits-1:0] rdata_o  // Row raddr_i, combinational.
);
  // From eight rows on `montcore_ram` infers a memory.
  localparam int unsigned BuiltRows =
      (Tech >= montcore_pkg::TechFpga && Depth > 1 && Depth < 8) ? 8 : Depth;
  localparam int unsigned BuiltBits = (BuiltRows > 1) ? $clog2(BuiltRows) : 1;

  for (genvar k = 0; k < NumPe; k++) begin : g_lane
    logic own;
    assign own = ~clear_i && (lane_i == LaneBits'(k));

    montcore_ram #(
        .Rows (BuiltRows),
        .Width(WordBits)
    ) u_ram (
        .clk_i,
        .we_i   (clear_i || (we_i && (own || lane_i == '0))),
        .wzero_i(!own),
        .waddr_i(BuiltBits'(waddr_i)),
        .wdata_i,
        .raddr_i(BuiltBits'(raddr_i)),
        .rdata_o(rdata_o[k])
    );
  end
endmodule
