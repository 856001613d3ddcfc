// SPDX-License-Identifier: Apache-2.0

/// Control of `montcore_dsp_engine` at Length = 2 (n = 3), for any operands, any pauses between the pairs of a
/// modulus, reduced and lazy products in any order, and starts at any time when idle.
/// a_done: the first pair of the lazy product is complete exactly Latency ticks after the start.
/// a_result: the last pair of the result is output at most Limit ticks after the start, and then,
/// or a row's length later, the engine is idle: every product ends.
/// a_setup: a set-up ends at most SetUp ticks after its last pair.
/// a_pairs: a product outputs exactly the pairs of a result, the last one marked.
module dsp_engine_proof #(
    /// Number of DSP blocks of the row.
    parameter int unsigned Alpha = 1
) (
    /// Clock, rising edge.
    input logic        clk_i,
    /// High: write a pair of the modulus, until it is complete.
    input logic        m_we_i,
    /// High: start a product when idle; the first pairs come with it.
    input logic        start_i,
    /// High: the product is reduced.
    input logic        final_i,
    /// Pairs of the modulus and of a, any value.
    input logic [33:0] data_i,
    /// Pairs of b, any value.
    input logic [33:0] b_data_i
);
  localparam int unsigned Length = 2;
  localparam int unsigned Digits = (Length + 36 + 16) / 17;
  localparam int unsigned WordPairs = (Digits + 1) / 2;
  localparam int unsigned Half = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha);
  localparam int unsigned DigitBits = $clog2(Digits + 2);
  localparam int unsigned PairBits = $clog2(WordPairs + 1);
  localparam int unsigned SlotBits = (Half > 1) ? $clog2(Half) : 1;
  localparam int unsigned Halves = (Half == 1) ? 2 * Digits + 4 : 2 * Digits;
  localparam int unsigned RowTicks = (Halves - 1) * Half + 4;
  // Two ticks pass from the start to the first operands at a block.
`ifdef MUTANT
  localparam int unsigned Latency = RowTicks + 1;
`else
  localparam int unsigned Latency = RowTicks + 2;
`endif
  localparam int unsigned Limit = Latency + 11 * Half + WordPairs + 12;
  localparam int unsigned SetUp = 34 + 5 * Half + 2 * Half * Alpha + 16;

  logic started_q = 1'b0;
  logic setup_done, busy, started, done, z_valid, z_last, m_we, start, operands_q = 1'b0;
  logic [33:0] unused_data;

  // State of the inputs, and ticks since the start.
  logic loaded_q = 1'b0, setting_q = 1'b0, product_q = 1'b0, final_q = 1'b0, due_q = 1'b0;
  logic [PairBits-1:0] m_count_q = '0, given_q = '0, z_count_q = '0;
  logic [7:0] ticks_q = '0, setup_q = '0;

  assign m_we  = started_q && m_we_i && !loaded_q && !setting_q;
  assign start = started_q && start_i && loaded_q && !busy && !product_q;

  montcore_dsp_engine #(
      .Length(Length),
      .Alpha (Alpha)
  ) u_dut (
      .clk_i       (clk_i),
      .tick_i      (1'b1),
      .clk_fast_i  (clk_i),
      .phase_i     (1'b0),
      .rst_ni      (started_q),
      .clear_i     (1'b0),
      .sweep_i     ('0),
      .digits_i    (DigitBits'(Digits)),
      .pairs_i     (PairBits'(WordPairs)),
      .last_slot_i (SlotBits'(Half - 1)),
      .m_we_i      (m_we),
      .m_data_i    (data_i),
      .setup_done_o(setup_done),
      .a_we_i      (start || operands_q),
      .a_data_i    (data_i),
      .b_we_i      (start || operands_q),
      .b_data_i    (b_data_i),
      .start_i     (start),
      .final_i     (final_i),
      .busy_o      (busy),
      .start_o     (started),
      .done_o      (done),
      .z_valid_o   (z_valid),
      .z_data_o    (unused_data),
      .z_last_o    (z_last)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (m_we) m_count_q <= m_count_q + 1;
    if (m_we && m_count_q == PairBits'(WordPairs - 1)) begin
      setting_q <= 1'b1;
      setup_q   <= '0;
    end else if (setting_q) begin
      setup_q <= setup_q + 1;
      if (setup_done) begin
        setting_q <= 1'b0;
        loaded_q  <= 1'b1;
      end
    end
    // Two pairs, the second one in the tick after the start.
    operands_q <= start;
    if (start) begin
      product_q <= 1'b1;
      final_q   <= final_i;
      ticks_q   <= '0;
      z_count_q <= '0;
    end else if (product_q) begin
      ticks_q <= ticks_q + 1;
      if (z_valid) z_count_q <= z_count_q + 1;
      if (z_count_q == PairBits'(WordPairs) && !busy) product_q <= 1'b0;
    end
  end

  always_comb begin
    if (started_q) begin
      if (setting_q) a_setup : assert (setup_q < 8'(SetUp));
      if (product_q) begin
        a_done : assert (done == (ticks_q == 8'(Latency - 1)));
        a_result : assert (ticks_q < 8'(Limit));
        a_pairs : assert (z_count_q < PairBits'(WordPairs) || !z_valid);
        if (z_valid) a_last : assert (z_last == (z_count_q == PairBits'(WordPairs - 1)));
      end else begin
        a_quiet : assert (!z_valid && !done);
      end
    end
  end
endmodule
