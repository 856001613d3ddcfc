// SPDX-License-Identifier: Apache-2.0

/// Receives a result below 2 m in pairs, and returns it reduced below m.
///
/// d = z - (z >= m ? m : 0)
/// Precondition: m written before z; z < 2 m; two pairs or more, on an FPGA three, or two of which
/// only the first is read.
/// Latency: full_o one cycle after the last pair; then one pair of d per cycle, in order.
/// The last pair decides whether z >= m; the difference is computed as d is read, on an FPGA one
/// pair ahead.
/// Example, m = 0x8b: z = 0x90 -> d = 0x5.
module montcore_dsp_reduce #(
    parameter int unsigned WordPairs = 17,  // Pairs of an operand at the built width.
    parameter bit LateWrites = 1'b0,  // 1: m is written one cycle late, through a register.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned PairBits = $clog2(WordPairs + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; memories are cleared row by row.
    input logic [PairBits-1:0] sweep_i,  // Memory row to clear, valid with clear_i.
    input logic m_we_i,  // A pair of m is valid.
    input logic [33:0] m_data_i,  // Pair of m, low word first; valid with m_we_i.
    input logic m_last_i,  // Last pair of m; valid with m_we_i.
    input logic z_we_i,  // A pair of z is valid.
    input logic [33:0] z_data_i,  // Pair of z, low word first; valid with z_we_i.
    input logic z_last_i,  // Last pair of z; valid with z_we_i.
    output logic full_o,  // High: a complete result is available, d_o is valid.
    input logic step_i,  // Consumes the pair d_o.
    input logic free_i,  // The consumed pair is the last one needed; with step_i.
    output logic [33:0] d_o  // Pair of d, low word first; valid with full_o.
);
  localparam int unsigned AddrBits = (WordPairs > 1) ? $clog2(WordPairs) : 1;

  logic [PairBits-1:0] m_index_q, index_q, index_next;
  logic [33:0] m_word, z_word;
  logic borrow, borrow_q, subtract_q;
  logic sweep;

  assign sweep = clear_i && sweep_i < PairBits'(WordPairs);
  logic m_we;
  logic [AddrBits-1:0] m_index;
  logic [33:0] m_data;
  if (LateWrites) begin : g_late
    always_ff @(posedge clk_i) begin
      m_we    <= m_we_i && rst_ni && !clear_i;
      m_index <= AddrBits'(m_index_q);
      m_data  <= clear_i ? '0 : m_data_i;
    end
  end else begin : g_at_once
    assign m_we = m_we_i;
    assign m_index = AddrBits'(m_index_q);
    assign m_data = m_data_i;
  end

  // No block RAM where blocks have no adders: its output arrives late in the cycle.
  localparam int unsigned BlockBits = montcore_pkg::has_tiles(Tech) ? 1_000_000 : 1800;
  // The memories are read ahead: their outputs are the words index_q. The first pair is written
  // before the cycle of the last one, in which it is read.
  montcore_block_ram #(
      .Rows     (WordPairs),
      .Width    (34),
      .BlockBits(BlockBits),
      .Tech     (Tech)
  ) u_m (
      .clk_i,
      .we_i   (m_we || sweep),
      .waddr_i(clear_i ? AddrBits'(sweep_i) : m_index),
      .wdata_i(clear_i ? '0 : m_data),
      .raddr_i(AddrBits'(index_next)),
      .rdata_o(m_word)
  );
  montcore_block_ram #(
      .Rows     (WordPairs),
      .Width    (34),
      .BlockBits(BlockBits),
      .Tech     (Tech)
  ) u_z (
      .clk_i,
      .we_i   (z_we_i || sweep),
      .waddr_i(clear_i ? AddrBits'(sweep_i) : AddrBits'(index_q)),
      .wdata_i(clear_i ? '0 : z_data_i),
      .raddr_i(AddrBits'(index_next)),
      .rdata_o(z_word)
  );

  // index_q counts the pairs of z as they arrive, and the pairs of d as they are consumed.
  logic count, restart;
  logic [PairBits-1:0] first_wanted;
  assign count      = full_o ? step_i : z_we_i;
  assign restart    = !rst_ni || clear_i || (full_o ? free_i : z_we_i && z_last_i);
  assign index_next = restart ? first_wanted : index_q + PairBits'(count);
  always_ff @(posedge clk_i) index_q <= index_next;

  if (Tech >= montcore_pkg::TechFpga) begin : g_ahead
    // Registers hold the next pair, with and without m subtracted: the first since it arrived, the
    // others since the previous pair was consumed. Neither the comparison with the pairs of S nor
    // the conversion to 32-bit words is then in the same cycle as this subtraction.
    logic [34:0] compared, next;
    logic [33:0] less_q, same_q;
    logic next_borrow_q;
    assign compared = {1'b0, z_data_i} - {1'b0, m_word} - 35'(borrow_q);
    assign next = {1'b0, z_word} - {1'b0, m_word} - 35'(next_borrow_q);
    assign borrow = compared[34];
    assign first_wanted = PairBits'(!(!rst_ni || clear_i || full_o));
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        less_q        <= '0;
        same_q        <= '0;
        next_borrow_q <= 1'b0;
      end else if (!full_o && z_we_i && index_q == '0) begin
        less_q        <= compared[33:0];
        same_q        <= z_data_i;
        next_borrow_q <= compared[34];
      end else if (full_o && step_i && !free_i) begin
        less_q        <= next[33:0];
        same_q        <= z_word;
        next_borrow_q <= next[34];
      end
    end
    assign d_o = subtract_q ? less_q : same_q;
  end else begin : g_at_exit
    logic [33:0] subtrahend, minuend;
    logic [34:0] difference;
    assign minuend = full_o ? z_word : z_data_i;
    assign subtrahend = (!full_o || subtract_q) ? m_word : '0;
    assign difference = {1'b0, minuend} - {1'b0, subtrahend} - 35'(borrow_q);
    assign borrow = difference[34];
    assign first_wanted = '0;
    assign d_o = difference[33:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      full_o     <= 1'b0;
      m_index_q  <= '0;
      borrow_q   <= 1'b0;
      subtract_q <= 1'b0;
    end else begin
      if (m_we_i) m_index_q <= m_last_i ? '0 : m_index_q + 1;
      if (!full_o && z_we_i) begin
        borrow_q <= borrow && !z_last_i;
        if (z_last_i) begin
          full_o     <= 1'b1;
          subtract_q <= !borrow;
        end
      end else if (full_o && free_i) begin
        full_o   <= 1'b0;
        borrow_q <= 1'b0;
      end else if (full_o && step_i) begin
        borrow_q <= borrow;
      end
    end
  end
endmodule
