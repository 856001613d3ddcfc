// SPDX-License-Identifier: Apache-2.0

/// Control of `montcore_dsp_engine` at Length = 2 (n = 3), for any operands, any pauses between the pairs of a
/// modulus, reduced and lazy products in any order, starts at any time after ready_o, and results
/// that wait outside for three ticks at most.
/// a_done: the first pair of a product is complete exactly RowTicks ticks after it has begun.
/// a_pitch: a product that is ready in time begins exactly a pitch after the previous one.
/// a_result: each result is output at most Limit ticks after its start or after the result before.
/// a_idle: when all results have been output, the engine is idle a row's length later.
/// a_setup: a set-up ends at most SetUp ticks after its last pair.
/// a_pairs: there is a result per product, each with exactly its pairs, the last one marked.
module dsp_engine_proof #(
    parameter int unsigned Alpha = 1  // Number of DSP blocks of the row.
) (
    input logic clk_i,
    input logic m_we_i,  // High: write a pair of the modulus, until it is complete.
    input logic start_i,  // High: start a product when it may start; the first pairs come with it.
    input logic final_i,  // High: the product is reduced.
    input logic z_free_i,  // High: a result outside stops waiting.
    input logic [33:0] data_i,  // Pairs of the modulus and of a, any value.
    input logic [33:0] b_data_i  // Pairs of b, any value.
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
  localparam int unsigned LazyPitch = (Half == 1) ? Halves + 1 : Halves * Half;
  localparam int unsigned Later = `MUTANT;
  localparam int unsigned Reduction = (Half == 1) ? 10 : 5 * Half;
  localparam int unsigned ReducedPitch = Halves * Half + Reduction + Later;
  localparam int unsigned Limit = (Halves + 9) * Half + WordPairs + 16;
  localparam int unsigned SetUp = 34 + 5 * Half + 2 * Half * Alpha + 16;

  logic started_q = 1'b0;
  logic setup_done, busy, ready, begins, started, done, z_valid, z_last, z_free, m_we, start;
  logic [33:0] unused_data;

  // State of the inputs; products that have been started and not yet output.
  logic free_q = 1'b1, loaded_q = 1'b0, setting_q = 1'b0, operands_q = 1'b0, pending_q = 1'b0;
  logic [1:0] ready_q = '0, waited_q = '0, due_q = '0;
  logic [PairBits-1:0] m_count_q = '0, z_count_q = '0;
  logic [7:0] ticks_q = '0, setup_q = '0;
  // The present product and the next one; ticks since the present one has begun.
  logic final_q = 1'b0, next_final_q = 1'b0, runs_q = 1'b0, held_q = 1'b0, early_q = 1'b0;
  logic [7:0] age_q = '0;
  logic [RowTicks-1:0] begun_q = '0;

  assign m_we   = started_q && m_we_i && !loaded_q && !setting_q;
  assign start  = started_q && start_i && loaded_q && ready_q[1] && !pending_q;
  assign z_free = free_q;

  montcore_dsp_engine #(
      .Length(Length),
      .Alpha (Alpha)
  ) u_dut (
      .clk_i,
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
      .b_data_i,
      .start_i     (start),
      .final_i,
      .ready_o     (ready),
      .z_free_i    (z_free),
      .busy_o      (busy),
      .start_o     (begins),
      .done_o      (done),
      .z_valid_o   (z_valid),
      .z_data_o    (unused_data),
      .z_last_o    (z_last)
  );

  // Before the reset the outputs have any value.
  logic ends;
  assign started = begins && started_q;
  assign ends = z_valid && z_last && started_q;
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
    waited_q   <= free_q ? '0 : waited_q + 1;
    free_q     <= !ends && (free_q || z_free_i || waited_q == 2'd2);
    // Two pairs, the second one in the tick after the start, two ticks after ready_o.
    ready_q    <= (start || pending_q) ? '0 : {ready_q[0], ready && started_q};
    operands_q <= start;
    if (start) begin
      pending_q    <= 1'b1;
      next_final_q <= final_i;
    end else if (started) begin
      pending_q <= 1'b0;
    end
    if (started) final_q <= next_final_q;

    // Times in the row. A product is ready in time if it has been started two ticks before its
    // turn.
    begun_q <= {begun_q[RowTicks-2:0], started};
    early_q <= pending_q;
    if (started) begin
      runs_q <= 1'b1;
      age_q  <= 8'd1;
      held_q <= 1'b0;
    end else if (runs_q) begin
      age_q <= (age_q == 8'd255) ? age_q : age_q + 1;
      if (!z_free) held_q <= 1'b1;
    end

    due_q <= due_q + 2'(start) - 2'(ends);
    if (!loaded_q || (start && due_q == '0) || ends) ticks_q <= '0;
    else if (due_q != '0 || busy) ticks_q <= ticks_q + 1;
    if (z_valid && started_q) z_count_q <= z_last ? '0 : z_count_q + 1;
  end

  logic turn;
  assign turn = age_q == 8'(final_q ? ReducedPitch : LazyPitch);
  always_comb begin
    if (started_q) begin
      if (setting_q) a_setup : assert (setup_q < 8'(SetUp));
      a_done : assert (done == begun_q[RowTicks-1]);
      if (runs_q && turn && pending_q && early_q && (!held_q || !final_q)) begin
        a_pitch : assert (started);
      end
      if (started && runs_q) a_order : assert (age_q >= 8'(final_q ? ReducedPitch : LazyPitch));
      if (due_q != '0) begin
        a_result : assert (ticks_q < 8'(Limit));
      end else begin
        a_quiet : assert (!z_valid);
        if (loaded_q) a_idle : assert (!busy || ticks_q < 8'(Half * Alpha + 4));
      end
      if (z_valid) a_last : assert (z_last == (z_count_q == PairBits'(WordPairs - 1)));
    end
  end
endmodule
