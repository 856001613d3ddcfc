// SPDX-License-Identifier: Apache-2.0

/// The operand memories of the paper's schedule: Y and M by rows; X and PLQ by rows.
///
/// row_o = row row_i of M or of the Y in use; x_row_o = row x_row_i of PLQ or of the X in use.
/// Precondition: load_we_i and plq_we_i are never high together; clear_i for at least 3 Rows
/// cycles.
/// Latency: 0 for a read, 1 for a write.
/// A partially written row ends in zeros. X and Y have two banks, so that the next operands can be
/// loaded while a product is in flight.
/// Source: smm-2021, Figure 4 (a RAM whose ports are w x N_PE wide).
/// Example, NumPe = 2: load x[0] = 5, x[1] = 6 -> x_row_o = {6, 5} for row 0.
module montcore_smm_paper_memory #(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width.
    parameter int unsigned SweepBits = 6,  // Width of the zeroize counter in bits.
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear, active high: clears row sweep_i of all memories.
    /// Row to clear, valid with clear_i; rows beyond the end of a memory are ignored.
    input logic [SweepBits-1:0] sweep_i,
    input logic cfg_we_i,  // Write enable of a word of M.
    input logic [RowBits-1:0] cfg_row_i,  // Row of the word of M.
    input logic [LaneBits-1:0] cfg_lane_i,  // Lane of the word of M in its row.
    input logic [WordBits-1:0] cfg_data_i,  // Word of M; valid with cfg_we_i.
    input logic load_we_i,  // Write enable of a word of X and one of Y.
    input logic load_bank_i,  // Bank to write, valid with load_we_i.
    input logic [RowBits-1:0] load_row_i,  // Row to write, valid with load_we_i.
    input logic [LaneBits-1:0] load_lane_i,  // Lane to write in that row, valid with load_we_i.
    input logic [WordBits-1:0] x_data_i,  // Word of X; valid with load_we_i.
    input logic [WordBits-1:0] y_data_i,  // Word of Y; valid with load_we_i.
    input logic plq_we_i,  // Write enable of a row of PLQ.
    input logic [RowBits-1:0] plq_row_i,  // Index of the row of PLQ to write.
    input logic [NumPe-1:0][WordBits-1:0] plq_i,  // Row of PLQ; valid with plq_we_i.
    input logic use_bank_i,  // Bank from which X and Y are read.
    input logic m_i,  // 1: row_o is a row of M; 0: of Y.
    input logic [RowBits-1:0] row_i,  // Index of the row of Y or M to read.
    output logic [NumPe-1:0][WordBits-1:0] row_o,  // Row row_i of Y or M, in the same cycle.
    input logic x_plq_i,  // 1: x_row_o is a row of PLQ; 0: of X.
    input logic [RowBits-1:0] x_row_i,  // Index of the row of X or PLQ to read.
    output logic [NumPe-1:0][WordBits-1:0] x_row_o  // Row x_row_i of X or PLQ, in the same cycle.
);
  // Both memories: bank 0, bank 1, and a third region.
  localparam int unsigned Depth = 3 * Rows;
  localparam int unsigned AddrBits = $clog2(Depth);

  function automatic logic [AddrBits-1:0] address(logic bank, logic third, logic [RowBits-1:0] row);
    return (third ? AddrBits'(2 * Rows) : bank ? AddrBits'(Rows) : '0) + AddrBits'(row);
  endfunction

  logic sweep;
  logic [AddrBits-1:0] sweep_addr;
  assign sweep      = clear_i && sweep_i < SweepBits'(Depth);
  assign sweep_addr = AddrBits'(sweep_i);

  logic [AddrBits-1:0] load_addr, y_m_addr, x_plq_addr;
  assign load_addr  = address(load_bank_i, 1'b0, load_row_i);
  assign y_m_addr   = cfg_we_i ? address(1'b0, 1'b1, cfg_row_i) : load_addr;
  assign x_plq_addr = plq_we_i ? address(1'b0, 1'b1, plq_row_i) : load_addr;

  montcore_smm_operand_memory #(
      .NumPe   (NumPe),
      .WordBits(WordBits),
      .Depth   (Depth)
  ) u_y_m (
      .clk_i,
      .clear_i(sweep),
      .we_i   (cfg_we_i || load_we_i),
      .waddr_i(clear_i ? sweep_addr : y_m_addr),
      .lane_i (cfg_we_i ? cfg_lane_i : load_lane_i),
      .wdata_i(cfg_we_i ? cfg_data_i : y_data_i),
      .raddr_i(address(use_bank_i, m_i, row_i)),
      .rdata_o(row_o)
  );

  // X is written word by word, like Y, but PLQ by rows.
  for (genvar k = 0; k < NumPe; k++) begin : g_x_plq
    logic own;
    assign own = load_lane_i == LaneBits'(k);

    montcore_ram #(
        .Rows (Depth),
        .Width(WordBits)
    ) u_ram (
        .clk_i,
        .we_i   (sweep || plq_we_i || (load_we_i && (own || load_lane_i == '0))),
        .wzero_i(clear_i || (!plq_we_i && !own)),
        .waddr_i(clear_i ? sweep_addr : x_plq_addr),
        .wdata_i(plq_we_i ? plq_i[k] : x_data_i),
        .raddr_i(address(use_bank_i, x_plq_i, x_row_i)),
        .rdata_o(x_row_o[k])
    );
  end
endmodule
