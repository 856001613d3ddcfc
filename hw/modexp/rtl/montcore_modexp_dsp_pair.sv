// SPDX-License-Identifier: Apache-2.0

/// `dsp` as the multiplier of two exponentiators, 0 and 1, with a modulus each: two of
/// `montcore_modexp_dsp` in one row, `montcore_dsp_pair_engine`.
///
/// z = x * y * 2^(-17 n) mod m_k, below 2^35 m_k; with canonical_i z = x * y * 2^(-17 n - 34) mod m_k,
/// which is below 2 m_k if x y < 2^(17 n) m_k
/// Precondition: as `montcore_modexp_dsp`, for each; square_i as `montcore_dsp_pair_engine`. Operands
/// come when their product may start, or with a result of the same exponentiator.
/// A modulus that is sent again after an answer is only counted: a clear leaves moduli in place.
/// What requests have left is cleared as soon as neither exponentiator works, zeroize_i clears all.
/// Latency: that of `montcore_dsp_pair_engine`.
/// Source: dsp48-2007, Figure 6, for which this is MM_ENGINE.
/// Example, length 1024, Alpha = 17: two squares every 392 cycles of clk1x.
module montcore_modexp_dsp_pair #(
    parameter int unsigned Length = 512,
    parameter int unsigned Alpha = 17,  // Number of DSP blocks of the row.
    parameter int unsigned BeatBits = 5,  // Width of a beat count in bits.
    parameter int unsigned LengthBits = 13,  // Width of a length in bits.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,  // Clock of the adders (clk1x), or the only clock; rising edge.
`ifdef MONTCORE_CLK2X
    /// Clock of the DSP blocks at twice the rate; each edge of clk_i is one of its edges.
    input logic clk2x_i,
`endif
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,  // High while anything is in progress.
    /// High while what requests have left is cleared, or will be in the next cycle.
    output logic clearing_o,
    input logic [LengthBits-1:0] length_i,  // Length of both moduli in bits.
    output logic [BeatBits-1:0] beats_o,  // Beats of an operand.
    output logic [LengthBits-1:0] radix_o,  // log2 of the radix of a lazy product, 17 n.
    output logic [LengthBits-1:0] power_o,  // n: the square of that radix is 2^(34 n).
    /// Beat whose lowest bit is 1 in the factor with which a canonical product leaves the domain.
    output logic [BeatBits-1:0] leave_o,
    input logic [1:0] begin_i,  // Of both: a request or the set-up of a modulus starts.
    input logic [1:0] end_i,  // Of both, pulse: the set-up has ended.
    input logic [1:0] wipe_i,  // Of both, pulse: a request has ended, its residue is to be cleared.
    input logic [1:0] forget_i,  // Of both: a new modulus arrives.
    input logic [1:0] cfg_valid_i,  // Of both, modulus stream: valid.
    output logic [1:0] cfg_ready_o,  // Of both, modulus stream: ready.
    input logic [1:0][33:0] cfg_data_i,  // Of both, modulus stream: data.
    input logic [1:0] cfg_last_i,  // Of both, modulus stream: last beat.
    output logic [1:0] cfg_done_o,  // Of both, pulse: the constants of the modulus are ready.
    input logic [1:0] xy_valid_i,  // Of both, operand streams: valid, x and y together.
    output logic [1:0] xy_ready_o,  // Of both, operand streams: ready, x and y together.
    input logic [1:0][33:0] x_data_i,  // Of both, x stream: data.
    input logic [1:0][33:0] y_data_i,  // Of both, y stream: data.
    input logic [1:0] xy_last_i,  // Of both, operand streams: last beat.
    /// Of both: the product is canonical; sampled with the first beat.
    input logic [1:0] canonical_i,
    input logic [1:0] square_i,  // Of both: the product is a square; sampled with the first beat.
    output logic [1:0] z_valid_o,  // Of both, z stream: valid; always accepted.
    output logic [1:0][33:0] z_data_o  // Of both, z stream: data.
);
  // rest: idle, so that the phase of the ticks may be restarted.
  logic tick, phase, rest;
`ifdef MONTCORE_CLK2X
  // Second half of a clk_i cycle: clk2x_i samples a bit that toggles with clk_i half a cycle later.
  logic turn_q, seen_q, phase_q;
  always_ff @(posedge clk_i) turn_q <= rst_ni && !turn_q;
  always_ff @(posedge clk2x_i) begin
    seen_q  <= turn_q;
    // Registered because the net to all blocks is long.
    phase_q <= turn_q != seen_q;
  end
  assign phase = phase_q;
  assign tick  = 1'b1;
`else
  // The blocks work in each cycle, the rest in every second one.
  logic phase_q;
  always_ff @(posedge clk_i) phase_q <= !rst_ni || rest || !phase_q;
  assign phase = phase_q;
  assign tick  = phase_q;
`endif

  localparam int unsigned Words = (Length + 31) / 32;
  localparam int unsigned WordCountBits = $clog2(Words + 1);
  localparam int unsigned Digits = (Length + 36 + 16) / 17;
  localparam int unsigned WordPairs = (Digits + 1) / 2;
  localparam int unsigned Pairs = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha);
  localparam int unsigned DigitBits = $clog2(Digits + 2);
  localparam int unsigned PairBits = $clog2(WordPairs + 1);
  localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1;
  localparam int unsigned SweepRows = (3 * Pairs > WordPairs) ? 3 * Pairs : WordPairs;
  localparam int unsigned EngineSweepBits = $clog2(SweepRows + 1);
  // Until zeros have passed all blocks, and then both banks of S have been written.
  localparam int unsigned SweepTicks = SweepRows + (Alpha + 2) * Pairs + 16;
  localparam int unsigned SweepBits = $clog2(SweepTicks);

  // ---- clearing: everything, or what requests have left -------------------------------------------
  logic [SweepBits-1:0] sweep_q;
  logic clear_q, all_q, dirty_q, reset_q, due;
  logic [1:0] working_q;
  assign due = dirty_q && working_q == '0;
  assign clearing_o = clear_q || due;
  always_ff @(posedge clk_i) begin
    // A reset does not erase what was written before it.
    reset_q <= !rst_ni;
    if (!rst_ni) begin
      clear_q   <= 1'b0;
      all_q     <= 1'b0;
      dirty_q   <= 1'b0;
      working_q <= '0;
    end else if (zeroize_i || reset_q) begin
      clear_q   <= 1'b1;
      all_q     <= 1'b1;
      dirty_q   <= 1'b0;
      working_q <= '0;
      sweep_q   <= '0;
    end else begin
      working_q <= (working_q | begin_i) & ~wipe_i & ~end_i;
      if (wipe_i != '0) dirty_q <= 1'b1;
      if (due && !clear_q) begin
        clear_q <= 1'b1;
        all_q   <= 1'b0;
        dirty_q <= wipe_i != '0;
        sweep_q <= '0;
      end else if (clear_q && tick) begin
        clear_q <= sweep_q != SweepBits'(SweepTicks - 1);
        sweep_q <= sweep_q + 1;
      end
    end
  end

  // ---- sizes ---------------------------------------------------------------------------------------
  logic [DigitBits-1:0] digits;
  logic [ PairBits-1:0] pairs;
  logic [ SlotBits-1:0] last_slot;
  logic [LengthBits-1:0] words, radix_words, radix;
  assign words = (length_i + LengthBits'(8'd31)) >> 5;
  montcore_dsp_length #(
      .Length(Length),
      .Alpha (Alpha),
      .Tech  (Tech)
  ) u_length (
      .clk_i,
      .words_i    (WordCountBits'(words)),
      .digits_o   (digits),
      .pairs_o    (pairs),
      .last_slot_o(last_slot)
  );
  assign radix_words = LengthBits'(digits);
  assign beats_o = BeatBits'(pairs);
  assign radix = (radix_words << 4) + radix_words;
  if (Tech >= montcore_pkg::TechFpga) begin : g_radix
    // Read only after the modulus has been loaded.
    always_ff @(posedge clk_i) begin
      radix_o <= radix;
      power_o <= radix_words;
    end
  end else begin : g_radix_at_once
    assign radix_o = radix;
    assign power_o = radix_words;
  end
  assign leave_o = BeatBits'(1);

  // ---- streams -------------------------------------------------------------------------------------
  logic [1:0] engine_busy, loaded_q, loading_q, open_q, m_we, xy_we, z_valid, setup_done;
  logic settled_q, open, unused_words;
  assign unused_words = ^words;
  assign open = tick && !clearing_o;
  for (genvar k = 0; k < 2; k++) begin : g_side
    logic [PairBits-1:0] m_count_q;
    logic m_last, take;
    assign take           = cfg_valid_i[k] && cfg_ready_o[k];
    assign cfg_ready_o[k] = open && (loaded_q[k] || loading_q[k] || !engine_busy[k]);
    assign m_we[k]        = take && !loaded_q[k];
    assign m_last         = m_count_q == pairs - 1;
    // Operands of the next product come with the first beat of a result.
    assign xy_ready_o[k]  = open && loaded_q[k] && (open_q[k] || !engine_busy[k] || z_valid[k]);
    assign xy_we[k]       = xy_valid_i[k] && xy_ready_o[k];
    assign z_valid_o[k]   = z_valid[k] && tick;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_q) begin
        loading_q[k]  <= 1'b0;
        open_q[k]     <= 1'b0;
        m_count_q     <= '0;
        cfg_done_o[k] <= 1'b0;
      end else begin
        if (m_we[k]) begin
          loading_q[k] <= !m_last;
          m_count_q    <= m_last ? '0 : m_count_q + 1;
        end
        if (xy_we[k]) open_q[k] <= !xy_last_i[k];
        cfg_done_o[k] <= (setup_done[k] && tick) || (take && loaded_q[k] && cfg_last_i[k]);
      end
      if (!rst_ni || (clear_q && all_q) || forget_i[k]) loaded_q[k] <= 1'b0;
      else if (setup_done[k] && tick) loaded_q[k] <= 1'b1;
    end
  end

  montcore_dsp_pair_engine #(
      .Length(Length),
      .Alpha (Alpha),
      .Tech  (Tech)
  ) u_engine (
      .clk_i,
      .tick_i(tick),
`ifdef MONTCORE_CLK2X
      .clk_fast_i(clk2x_i),
`else
      .clk_fast_i(clk_i),
`endif
      .phase_i(phase),
      .rst_ni,
      .clear_i(clear_q),
      .forget_i(all_q),
      .sweep_i     ((sweep_q < SweepBits'(SweepRows)) ? EngineSweepBits'(sweep_q)
                                                      : EngineSweepBits'(SweepRows)),
      .digits_i(digits),
      .pairs_i(pairs),
      .last_slot_i(clear_q ? SlotBits'(Pairs - 1) : last_slot),
      .m_we_i(m_we),
      .m_data_i(cfg_data_i),
      .setup_done_o(setup_done),
      .xy_we_i(xy_we),
      .a_data_i(y_data_i),
      .b_data_i(x_data_i),
      .start_i(xy_we & ~open_q),
      .final_i(canonical_i),
      .square_i,
      .busy_o(engine_busy),
      .z_valid_o(z_valid),
      .z_data_o
  );
  always_ff @(posedge clk_i) settled_q <= rest && rst_ni;
  assign rest   = engine_busy == '0 && open_q == '0 && loading_q == '0 && !clearing_o;
  assign busy_o = !rest || !settled_q;
endmodule
