// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_smm_operand_memory`.
///
/// a_row: a row reads as the words written to it since the last write to lane 0, lanes not
/// written since then as zero, and as zero after a clear; writes to other rows do not matter.
/// The observed row is arbitrary but fixed, so the property holds for all rows.
module smm_operand_memory_proof #(
    parameter int unsigned NumPe = 3,  // Number of lanes of a row.
    parameter int unsigned WordBits = 2,
    parameter int unsigned Depth = 4,  // Number of rows of the memory.
    localparam int unsigned AddrBits = $clog2(Depth),
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    input logic clk_i,
    input logic clear_i,  // High: write zero to the whole row.
    input logic we_i,  // Write enable, active high.
    input logic [AddrBits-1:0] waddr_i,  // Index of the row to write.
    input logic [LaneBits-1:0] lane_i,  // Lane to write, below NumPe.
    input logic [WordBits-1:0] wdata_i,  // Word to write, valid with we_i.
    input logic [AddrBits-1:0] raddr_i  // Index of the row to read.
);
  // Mutant: the specification keeps the last lane.
  localparam int unsigned ClearedLanes = NumPe - `MUTANT;
  logic [AddrBits-1:0] watched_q;  // no driver: an arbitrary constant
  logic written_q = 1'b0;
  logic [NumPe-1:0][WordBits-1:0] expected_q, row;

  always_comb begin
    m_lane : assume (32'(lane_i) < NumPe);
    m_write_in_range : assume (32'(waddr_i) < Depth);
    m_read_in_range : assume (32'(raddr_i) < Depth);
    m_watched_in_range : assume (32'(watched_q) < Depth);
  end

  montcore_smm_operand_memory #(
      .NumPe   (NumPe),
      .WordBits(WordBits),
      .Depth   (Depth)
  ) u_dut (
      .rdata_o(row),
      .*
  );

  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    if (waddr_i == watched_q) begin
      if (clear_i) begin
        expected_q <= '0;
        written_q  <= 1'b1;
      end else if (we_i) begin
        for (int unsigned k = 0; k < NumPe; k++) begin
          if (lane_i == LaneBits'(k)) expected_q[k] <= wdata_i;
          else if (lane_i == 0 && k < ClearedLanes) expected_q[k] <= '0;
        end
        if (lane_i == 0) written_q <= 1'b1;
      end
    end
  end

  always_comb if (written_q && raddr_i == watched_q) a_row : assert (row == expected_q);
endmodule
