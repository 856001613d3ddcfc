// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_ram` (flip-flops below 8 rows, a macro from there on).
///
/// a_read: the row read is the last word, or the zero, written to it, whatever was written elsewhere.
/// The observed row is arbitrary but fixed, so the property holds for all rows.
module montcore_ram_proof #(
    /// Number of rows.
    parameter int unsigned Rows = 4,
    /// Bits in a word.
    parameter int unsigned Width = 4,
    /// Address bits (do not change).
    localparam int unsigned AddrBits = (Rows > 1) ? $clog2(Rows) : 1
) (
    /// Clock, rising edge.
    input logic                clk_i,
    /// Write enable.
    input logic                we_i,
    /// Write zeros.
    input logic                wzero_i,
    /// Write address.
    input logic [AddrBits-1:0] waddr_i,
    /// Word to write.
    input logic [   Width-1:0] wdata_i,
    /// Read address.
    input logic [AddrBits-1:0] raddr_i
);
  logic [AddrBits-1:0] watched_q;  // never written: an arbitrary constant
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
      .clk_i  (clk_i),
      .we_i   (we_i),
      .wzero_i(wzero_i),
      .waddr_i(waddr_i),
      .wdata_i(wdata_i),
      .raddr_i(raddr_i),
      .rdata_o(rdata)
  );

  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    if (we_i && waddr_i == watched_q) begin
      written_q  <= 1'b1;
      expected_q <= wzero_i ? '0 : wdata_i;
    end
`ifdef MUTANT
    // The specification lets a write to a neighbour through.
    if (we_i && waddr_i == (watched_q ^ 1)) expected_q <= wdata_i;
`endif
  end

  always_comb if (written_q && raddr_i == watched_q) a_read : assert (rdata == expected_q);
endmodule
