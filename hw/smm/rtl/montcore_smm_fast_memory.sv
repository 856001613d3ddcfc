// SPDX-License-Identifier: Apache-2.0

/// Memories of the fast schedule: operands and scaled modulus by rows, m by rows and by words, X by
/// words.
///
/// row_o = row row_i of region_i: Y of the bank in use, the scaled modulus, or m; a row is NumPe words.
/// Precondition: scaled_we_i and load_we_i are never high together, scaled_we_i counted one cycle
/// later where the output stage has no register.
/// Latency: 0 for reads, 1 for writes, 2 for those of the scaled modulus from an output stage without a register.
/// Example, NumPe = 2, WordBits = 4: words 0xb, 0x8 of m -> m_row_o = 0x8b for m_row_i = 0.
module montcore_smm_fast_memory #(
    parameter int unsigned NumPe = 4,  // Words of a row.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    parameter int unsigned SweepBits = 6,  // Width of the zeroize counter in bits.
    /// Technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Rows of an operand at the built width.
    localparam int unsigned Rows = (Words + NumPe - 1) / NumPe,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear, active high: clears row sweep_i of all memories.
    /// Row to clear; rows beyond the end of a memory are ignored.
    input logic [SweepBits-1:0] sweep_i,
    input logic cfg_we_i,  // Write enable of a word of m.
    input logic [WordCountBits-1:0] cfg_index_i,  // Index of the word of m, valid with cfg_we_i.
    input logic [RowBits-1:0] cfg_row_i,  // Row of the word of m, valid with cfg_we_i.
    /// Lane of the word of m in its row, valid with cfg_we_i.
    input logic [LaneBits-1:0] cfg_lane_i,
    input logic [WordBits-1:0] cfg_data_i,  // Word of m; valid with cfg_we_i.
    input logic load_we_i,  // Write enable of a word of X and one of Y.
    input logic load_bank_i,  // Bank to write, valid with load_we_i.
    input logic [WordCountBits-1:0] load_index_i,  // Index of both words, valid with load_we_i.
    input logic [RowBits-1:0] load_row_i,  // Row of the word of Y.
    input logic [LaneBits-1:0] load_lane_i,  // Lane of the word of Y within its row.
    input logic [WordBits-1:0] x_data_i,  // Word of X; valid with load_we_i.
    input logic [WordBits-1:0] y_data_i,  // Word of Y; valid with load_we_i.
    /// Write enable of a word of the scaled modulus; where the output stage has no register, one cycle late.
    input logic scaled_we_i,
    /// Write enable of the inverse n0', with scaled_data_i (from four rows on).
    input logic inverse_we_i,
    input logic [RowBits-1:0] scaled_row_i,  // Row of the word of the scaled modulus.
    input logic [LaneBits-1:0] scaled_lane_i,  // Lane of the word of the scaled modulus in its row.
    /// Word of the scaled modulus; valid with scaled_we_i.
    input logic [WordBits-1:0] scaled_data_i,
    input logic use_bank_i,  // Bank from which X and Y are read.
    input logic [WordCountBits-1:0] x_index_i,  // Index of the word of X to read.
    /// Word x_index_i of X, in the same cycle; with registered tiles and one row even while it is written.
    output logic [WordBits-1:0] x_word_o,
    input montcore_smm_fast_pkg::smm_region_e region_i,  // Memory from which row_o is read.
    input logic [RowBits-1:0] row_i,  // Index of the row to read.
    output logic [NumPe-1:0][WordBits-1:0] row_o,  // Row row_i of region_i, in the same cycle.
    input logic [RowBits-1:0] m_row_i,  // Index of the row of m to read.
    output logic [NumPe-1:0][WordBits-1:0] m_row_o,  // Row m_row_i of m, in the same cycle.
    input logic [WordCountBits-1:0] m_index_i,  // Index of the word of m to read.
    /// Word m_index_i of m, in the same cycle (up to three rows).
    output logic [WordBits-1:0] m_word_o
);
  import montcore_smm_fast_pkg::RegionY0;
  import montcore_smm_fast_pkg::RegionScaled;
  import montcore_smm_fast_pkg::RegionInverse;
  import montcore_smm_fast_pkg::RegionM;

  // Two banks of Y and the scaled modulus; one row for the inverse.
  localparam bit Shared = montcore_smm_fast_pkg::shares(Rows);
  localparam int unsigned Depth = 3 * Rows + 32'(Shared);
  localparam int unsigned AddrBits = $clog2(Depth);
  localparam int unsigned RowAddrBits = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned XAddrBits = $clog2(2 * Words);
  localparam int unsigned MAddrBits = (Words > 1) ? $clog2(Words) : 1;

  localparam bit Ahead = montcore_smm_fast_pkg::registered_tiles(WordBits, Tech) && Rows == 1;

  logic [NumPe-1:0][WordBits-1:0] operand_row;
  logic [RowBits-1:0] write_row;
  logic [LaneBits-1:0] write_lane;
  logic [1:0] write_region;
  logic [AddrBits-1:0] write_addr, read_addr;
  logic [WordBits-1:0] write_data, x_word;

  // If the scaled modulus does not come from a register, it is written one cycle late, so that its path from the
  // output stage has a cycle of its own.
  logic scaled_we_q;
  logic [RowBits-1:0] scaled_row_q;
  logic [LaneBits-1:0] scaled_lane_q;
  logic [WordBits-1:0] scaled_data_q;
  logic inverse_we;
  if (!montcore_smm_fast_pkg::direct(NumPe, Rows, Tech)) begin : g_registered
    assign scaled_we_q = scaled_we_i;
    assign scaled_row_q = scaled_row_i;
    assign scaled_lane_q = scaled_lane_i;
    assign scaled_data_q = scaled_data_i;
    assign inverse_we = Shared && inverse_we_i;
    logic unused_inverse;
    assign unused_inverse = inverse_we_i;
  end else begin : g_register
    logic unused_inverse;
    always_ff @(posedge clk_i) begin
      scaled_we_q   <= scaled_we_i;
      scaled_row_q  <= scaled_row_i;
      scaled_lane_q <= scaled_lane_i;
      scaled_data_q <= scaled_data_i;
    end
    assign inverse_we = 1'b0;
    assign unused_inverse = inverse_we_i;
  end

  always_comb begin
    if (scaled_we_q || inverse_we) begin
      write_region = inverse_we ? 2'(RegionInverse) : 2'(RegionScaled);
      write_row    = scaled_row_q;
      write_lane   = scaled_lane_q;
      write_data   = scaled_data_q;
    end else begin
      write_region = {1'b0, load_bank_i};
      write_row    = load_row_i;
      write_lane   = load_lane_i;
      write_data   = y_data_i;
    end
  end

  function automatic logic [AddrBits-1:0] row_address(logic [1:0] region_no,
                                                      logic [RowBits-1:0] row_no);
    return AddrBits'(montcore_pkg::multiple(4'(region_no), Rows) + 32'(row_no));
  endfunction
  assign write_addr = clear_i ? AddrBits'(sweep_i) : row_address(write_region, write_row);
  assign read_addr = row_address(
      (region_i == RegionY0) ? {1'b0, use_bank_i} : region_i[1:0], row_i
  );

  if (Ahead) begin : g_one_row
    // As montcore_smm_operand_memory, with one look-up table from load_we_i, which arrives late, to a lane. A sweep
    // goes through more rows than there are; these are cleared several times, so that the counter is not compared.
    localparam int unsigned BuiltRows = 8;
    localparam int unsigned BuiltBits = 3;
    for (genvar k = 0; k < NumPe; k++) begin : g_lane
      logic scaled_here, load_here, own;
      assign scaled_here = scaled_we_q && (scaled_lane_q == LaneBits'(k) || scaled_lane_q == '0);
      assign load_here   = load_lane_i == LaneBits'(k) || load_lane_i == '0;
      assign own         = ~clear_i && write_lane == LaneBits'(k);
      montcore_ram #(
          .Rows (BuiltRows),
          .Width(WordBits)
      ) u_ram (
          .clk_i,
          .we_i   (clear_i || scaled_here || (load_we_i && load_here)),
          .wzero_i(!own),
          .waddr_i(BuiltBits'(write_addr)),
          .wdata_i(write_data),
          .raddr_i(BuiltBits'(read_addr)),
          .rdata_o(operand_row[k])
      );
    end
    logic unused_write;
    assign unused_write = inverse_we;
  end else begin : g_rows
    montcore_smm_operand_memory #(
        .NumPe   (NumPe),
        .WordBits(WordBits),
        .Depth   (Depth),
        .Tech    (Tech)
    ) u_rows (
        .clk_i,
        .clear_i(clear_i && sweep_i < SweepBits'(Depth)),
        .we_i   (scaled_we_q || inverse_we || load_we_i),
        .waddr_i(write_addr),
        .lane_i (write_lane),
        .wdata_i(write_data),
        .raddr_i(read_addr),
        .rdata_o(operand_row)
    );
  end

  montcore_smm_operand_memory #(
      .NumPe   (NumPe),
      .WordBits(WordBits),
      .Depth   (Rows),
      .Tech    (Tech)
  ) u_m_rows (
      .clk_i,
      .clear_i(clear_i && sweep_i < SweepBits'(Rows)),
      .we_i   (cfg_we_i),
      .waddr_i(clear_i ? RowAddrBits'(sweep_i) : RowAddrBits'(cfg_row_i)),
      .lane_i (cfg_lane_i),
      .wdata_i(cfg_data_i),
      .raddr_i(RowAddrBits'(m_row_i)),
      .rdata_o(m_row_o)
  );
  assign row_o = (region_i == RegionM) ? m_row_o : operand_row;

  function automatic logic [XAddrBits-1:0] x_address(logic bank, logic [WordCountBits-1:0] word_no);
    return (bank ? XAddrBits'(Words) : '0) + XAddrBits'(word_no);
  endfunction
  montcore_ram #(
      .Rows (2 * Words),
      .Width(WordBits)
  ) u_x (
      .clk_i,
      .we_i   (load_we_i || (clear_i && sweep_i < SweepBits'(2 * Words))),
      .wzero_i(clear_i),
      .waddr_i(clear_i ? XAddrBits'(sweep_i) : x_address(load_bank_i, load_index_i)),
      .wdata_i(x_data_i),
      .raddr_i(x_address(use_bank_i, x_index_i)),
      .rdata_o(x_word)
  );
  if (Ahead) begin : g_x_ahead
    // An operand of one word is written in the cycle in which it is read.
    logic take_x;
    assign take_x   = load_we_i && load_bank_i == use_bank_i && load_index_i == x_index_i;
    assign x_word_o = take_x ? x_data_i : x_word;
  end else begin : g_x_now
    assign x_word_o = x_word;
  end

  if (Shared) begin : g_m_by_rows
    // The rows of m are free while a result is sent.
    assign m_word_o = '0;
  end else begin : g_m_by_words
    montcore_ram #(
        .Rows (Words),
        .Width(WordBits)
    ) u_m_subtract (
        .clk_i,
        .we_i   (cfg_we_i || (clear_i && sweep_i < SweepBits'(Words))),
        .wzero_i(clear_i),
        .waddr_i(clear_i ? MAddrBits'(sweep_i) : MAddrBits'(cfg_index_i)),
        .wdata_i(cfg_data_i),
        .raddr_i(MAddrBits'(m_index_i)),
        .rdata_o(m_word_o)
    );
  end

  // Counts reach one more than the last index; addresses do not need that bit.
  logic unused_top_bits;
  assign unused_top_bits = ^{cfg_index_i, cfg_row_i, m_index_i, m_row_i};
endmodule
