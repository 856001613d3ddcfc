// SPDX-License-Identifier: Apache-2.0

/// `dsp` as the exponentiator's multiplier: chained lazy products, without reduction between them.
/// It has the ports of `montcore_modexp_multiplier`, as the lazy unit of every core has.
///
/// z = x * y * 2^(-17 n) mod m, below 2^35 m; with canonical_i z = x * y * 2^(-17 n - 34) mod m,
/// which is below 2 m if x y < 2^(17 n) m
/// Precondition: m odd and below 2^length; x, y below 2^35 m, as results of this module are; operand
/// beats have no gaps; z is always accepted.
/// Latency: that of `montcore_dsp_engine`. A product that needs the previous result can start when
/// that is output, another one when the row has read the previous operands.
/// Source: dsp48-2007, Figure 6, for which this is MM_ENGINE.
/// Example, length 512, Alpha = 17: 17 beats of 34 bits, one product every 75 cycles of clk1x.
module montcore_modexp_dsp #(
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
    output logic busy_o,  // High while a product, a modulus or a clear is in progress.
    input logic [LengthBits-1:0] length_i,  // Length of the modulus in bits.
    output logic [BeatBits-1:0] beats_o,  // Beats of an operand.
    output logic [LengthBits-1:0] radix_o,  // log2 of the radix of a lazy product, 17 n.
    output logic [LengthBits-1:0] power_o,  // n: the square of that radix is 2^(34 n).
    /// Beat whose lowest bit is 1 in the factor with which a canonical product leaves the domain.
    output logic [BeatBits-1:0] leave_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [33:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,  // Pulse: the constants of the modulus are ready.
    input logic xy_valid_i,  // Operand streams: valid, x and y together.
    output logic xy_ready_o,  // Operand streams: ready, x and y together.
    input logic [33:0] x_data_i,
    input logic [33:0] y_data_i,
    input logic xy_last_i,  // Operand streams: last beat.
    input logic canonical_i,  // High: the product is canonical; sampled with the first beat.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [33:0] z_data_o,
    output logic z_error_o  // Always low: no product is refused.
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
  localparam int unsigned SweepTicks = SweepRows + Alpha * Pairs + 16;
  localparam int unsigned SweepBits = $clog2(SweepTicks);

  logic [SweepBits-1:0] sweep_q;
  logic clear_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q <= 1'b0;
    end else if (zeroize_i) begin
      clear_q <= 1'b1;
      sweep_q <= '0;
    end else if (clear_q && tick) begin
      clear_q <= sweep_q != SweepBits'(SweepTicks - 1);
      sweep_q <= sweep_q + 1;
    end
  end

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

  // Operands are accepted when idle, and when the engine is ready: from the start of a result on,
  // or after two ticks.
  logic engine_busy, loading_q, open_q, m_we, xy_we, start, z_valid, z_last;
  logic m_last, setup_done, engine_ready, engine_start, engine_done, unused;
  logic [1:0] ready_q;
  logic [PairBits-1:0] m_count_q;
  assign unused = ^{words, engine_start, engine_done, cfg_last_i, z_last, z_ready_i};
  assign cfg_ready_o = tick && !clear_q && (loading_q || !engine_busy);
  assign m_we = cfg_valid_i && cfg_ready_o;
  assign m_last = m_count_q == pairs - 1;
  assign xy_ready_o = tick && !clear_q && !loading_q &&
                      (open_q || !engine_busy || (engine_ready && (z_valid || ready_q == '1)));
  assign xy_we = xy_valid_i && xy_ready_o;
  assign start = xy_we && !open_q;

  logic settled_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_q) begin
      loading_q  <= 1'b0;
      open_q     <= 1'b0;
      m_count_q  <= '0;
      cfg_done_o <= 1'b0;
      settled_q  <= 1'b0;
      ready_q    <= '0;
    end else begin
      if (tick) ready_q <= {ready_q[0], engine_ready};
      if (m_we) begin
        loading_q <= !m_last;
        m_count_q <= m_last ? '0 : m_count_q + 1;
      end
      if (xy_we) open_q <= !xy_last_i;
      cfg_done_o <= setup_done && tick;
      settled_q  <= rest;
    end
  end

  // On an FPGA the operands are registered before the memories of all blocks. The row reads a pair in the
  // tick after it has come, and finds it in the register then: no cycle is added.
  localparam bit Late = Tech >= montcore_pkg::TechFpga;
  montcore_dsp_engine #(
      .Length    (Length),
      .Alpha     (Alpha),
      .LateWrites(Late),
      .Forward   (Late),
      .Tech      (Tech)
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
      .sweep_i     ((sweep_q < SweepBits'(SweepRows)) ? EngineSweepBits'(sweep_q)
                                                      : EngineSweepBits'(SweepRows)),
      .digits_i(digits),
      .pairs_i(pairs),
      .last_slot_i(clear_q ? SlotBits'(Pairs - 1) : last_slot),
      .m_we_i(m_we),
      .m_data_i(cfg_data_i),
      .setup_done_o(setup_done),
      .a_we_i(xy_we),
      .a_data_i(y_data_i),
      .b_we_i(xy_we),
      .b_data_i(x_data_i),
      .start_i(start),
      .final_i(canonical_i),
      .ready_o(engine_ready),
      .z_free_i(1'b1),
      .busy_o(engine_busy),
      .start_o(engine_start),
      .done_o(engine_done),
      .z_valid_o(z_valid),
      .z_data_o,
      .z_last_o(z_last)
  );
  assign z_valid_o = z_valid && tick;
  assign z_error_o = 1'b0;
  assign rest    = !engine_busy && !open_q && !loading_q && !clear_q;
  assign busy_o    = !rest || !settled_q;
endmodule
