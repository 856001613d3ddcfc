// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_ram` (flip-flops below 8 rows, otherwise a macro).
///
/// a_read: a read gives the last word, or zero, written to the row, whatever was written elsewhere.
/// The observed row is arbitrary but fixed, so the property holds for all rows.
module montcore_ram_proof #(
    parameter int unsigned Rows = 4,  // Number of rows of the memory.
    parameter int unsigned Width = 4,  // Word width in bits.
    localparam int unsigned AddrBits = (Rows > 1) ? $clog2(Rows) : 1
) (
    input logic clk_i,
    input logic we_i,  // Write enable, active high.
    input logic wzero_i,  // High: write zero instead of wdata_i.
    input logic [AddrBits-1:0] waddr_i,  // Write address, a row index below Rows.
    input logic [Width-1:0] wdata_i,  // Word to write, valid with we_i.
    input logic [AddrBits-1:0] raddr_i  // Read address, a row index below Rows.
);
  logic [AddrBits-1:0] watched_q;  // no driver: an arbitrary constant
  logic written_q = 1'b0;
  logic [Width-1:0] expected_q, rdata;

  always_comb begin
    m_write_in_range : assume (32'(waddr_i) < Rows);
    m_read_in_range : assume (32'(raddr_i) < Rows);
    m_watched_in_range : assume (32'(watched_q) < Rows);
  end

  montcore_ram #(
      .Rows (Rows),
      .Width(Width)
  ) u_ram (
      .rdata_o(rdata),
      .*
  );

  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    if (we_i && waddr_i == watched_q) begin
      written_q  <= 1'b1;
      expected_q <= wzero_i ? '0 : wdata_i;
    end
    // Mutant: the specification lets a write to the neighbouring row through.
    if (`MUTANT && we_i && waddr_i == (watched_q ^ 1)) expected_q <= wdata_i;
  end

  always_comb if (written_q && raddr_i == watched_q) a_read : assert (rdata == expected_q);
endmodule
