// SPDX-License-Identifier: Apache-2.0

/// The common port around `montcore_dsp_engine`: 32-bit streams, operand checks, results below m.
///
/// z = x * y * R^-1 mod m, R = 2^(17 n + 34), n = ceil((h + 36) / 17), h = min(32 words, Length)
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency: a function of words, and so is the interval: products overlap, and follow each other in
/// the row of blocks without a pause.
/// Source: dsp48-2007.
/// Example, Length = 8: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x3c (R = 2^85).
module montcore_dsp_core #(
    parameter int unsigned Length = 512,  // Built width L in bits, 2 or more.
    parameter int unsigned Alpha = 17,  // Number of DSP blocks, 1 or more.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    /// Clock of the port and of the adders (clk1x), or the only clock; rising edge.
    input logic clk_i,
    input logic tick_i,  // Clock enable of the logic at clk1x; constant 1 with two clocks.
    input logic clk_fast_i,  // Clock of the DSP blocks (clk2x), or the only clock; rising edge.
    input logic phase_i,  // High in the second half of a clk1x cycle.
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [31:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [31:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [31:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [31:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    /// Pulse: the result of a product is complete (its first pair, below 2 Mt).
    output logic core_done_o,
    output logic rest_o  // High: idle, so that the phase of the ticks may be restarted.
);
  import montcore_pkg::montcore_error_e;

  localparam bit Fpga = Tech >= montcore_pkg::TechFpga;
  localparam int unsigned Words = (Length + 31) / 32;
  localparam int unsigned WordCountBits = $clog2(Words + 1);
  localparam int unsigned Digits = (Length + 36 + 16) / 17;
  localparam int unsigned WordPairs = (Digits + 1) / 2;
  localparam int unsigned Pairs = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha);
  localparam int unsigned DigitBits = $clog2(Digits + 2);
  localparam int unsigned PairBits = $clog2(WordPairs + 1);
  localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1;
  localparam int unsigned EngineRows = (3 * Pairs > WordPairs) ? 3 * Pairs : WordPairs;
  localparam int unsigned EngineSweepBits = $clog2(EngineRows + 1);
  localparam int unsigned BankAddrBits = $clog2(2 * Words);
  localparam int unsigned MAddrBits = (Words > 1) ? $clog2(Words) : 1;

  typedef enum logic [2:0] {
    StIdle,
    StModulus,
    StSetup,
    StCheck,
    StOperands,
    StError
  } state_e;

  state_e state_q;
  // Icarus Verilog 11 takes an enum value in a port expression for a net of that name.
  logic take_m, take_xy, answer_error;
  assign take_m       = state_q == StModulus;
  assign take_xy      = state_q == StOperands;
  assign answer_error = state_q == StError;

  // Zeroize: memories are swept first, then zeros are shifted through the datapath.
  localparam int unsigned SweepRows = (EngineRows > 2 * Words) ? EngineRows : 2 * Words;
  localparam int unsigned SweepTicks = SweepRows + Alpha * Pairs + 16;
  localparam int unsigned SweepBits = $clog2(SweepTicks);
  logic clear, cfg_we, setup, setup_q, setup_done, unused_loaded, front_busy, resting, rest_q;
  logic load_we, load_bank, use_bank, available, out_of_range, reject, release_bank;
  logic [SweepBits-1:0] sweep;
  logic [WordCountBits-1:0] cfg_index, load_index, feed_index, feed_next, words;
  logic [WordCountBits-1:0] unused_row, unused_rows, unused_load_row;
  logic unused_lane, unused_load_lane;
  logic [31:0] m_word, m_feed, x_word, y_word;
  logic [MAddrBits-1:0] m_raddr;
  montcore_error_e cfg_error, reject_error;
  montcore_front #(
      .Length    (Length),
      .WordBits  (32),
      .Lanes     (1),
      .ClearTicks(SweepTicks),
      .Tech      (Tech)
  ) u_front (
      .count_i       (1'b0),
      .clear_o       (clear),
      .sweep_o       (sweep),
      .idle_i        (resting),
      .stall_i       (1'b0),
      .defer_i       (rest_q != rest_o),
      .busy_o        (front_busy),
      .cfg_error_o   (cfg_error),
      .cfg_we_o      (cfg_we),
      .cfg_index_o   (cfg_index),
      .cfg_row_o     (unused_row),
      .cfg_lane_o    (unused_lane),
      .setup_o       (setup),
      .setup_done_i  (setup_done && tick_i),
      .loaded_o      (unused_loaded),
      .words_o       (words),
      .rows_o        (unused_rows),
      .m_word_i      (m_word),
      .load_we_o     (load_we),
      .load_bank_o   (load_bank),
      .load_index_o  (load_index),
      .load_row_o    (unused_load_row),
      .load_lane_o   (unused_load_lane),
      .use_bank_o    (use_bank),
      .available_o   (available),
      .out_of_range_o(out_of_range),
      .reject_o      (reject),
      .reject_error_o(reject_error),
      .release_i     (release_bank && tick_i),
      .*
  );
  assign cfg_error_o = cfg_error;

  montcore_ram #(
      .Rows (Words),
      .Width(32)
  ) u_m (
      .clk_i,
      .we_i   (cfg_we || (clear && sweep < SweepBits'(Words))),
      .wzero_i(clear),
      .waddr_i(clear ? MAddrBits'(sweep) : MAddrBits'(cfg_index)),
      .wdata_i(cfg_data_i),
      .raddr_i(m_raddr),
      .rdata_o(m_word)
  );
  // The memory of m is read for the range check of operands and for the engine, one after the
  // other.
  if (Fpga) begin : g_m_ahead
    // Read one tick ahead, so that a register precedes the word conversion. The address comes from
    // registers only: it continues past the last word, which the feeder ignores.
    logic [MAddrBits-1:0] ahead_q;
    logic [31:0] m_feed_q;
    assign m_raddr = (take_m || setup_q) ? ahead_q : MAddrBits'(load_index);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) begin
        ahead_q  <= '0;
        m_feed_q <= '0;
      end else if (tick_i) begin
        ahead_q  <= (take_m || setup_q) ? ahead_q + 1 : '0;
        m_feed_q <= m_word;
      end
    end
    assign m_feed = m_feed_q;
  end else begin : g_m_at_once
    assign m_raddr = take_m ? MAddrBits'(feed_index) : MAddrBits'(load_index);
    assign m_feed  = m_word;
  end

  function automatic logic [BankAddrBits-1:0] bank_address(logic bank,
                                                           logic [WordCountBits-1:0] word_no);
    return (bank ? BankAddrBits'(Words) : '0) + BankAddrBits'(word_no);
  endfunction
  // No block RAM where blocks have no adders: the conversion to 17-bit words follows the memory,
  // whose output arrives late in the cycle.
  localparam int unsigned BlockBits = montcore_pkg::has_tiles(Tech) ? 1_000_000 : 1800;
  logic bank_we;
  logic [BankAddrBits-1:0] bank_waddr, bank_raddr;
  assign bank_we = load_we || (clear && sweep < SweepBits'(2 * Words));
  assign bank_waddr = clear ? BankAddrBits'(sweep) : bank_address(load_bank, load_index);
  assign bank_raddr = bank_address(use_bank, feed_next);
  montcore_block_ram #(
      .Rows     (2 * Words),
      .Width    (32),
      .BlockBits(BlockBits),
      .Tech     (Tech)
  ) u_x (
      .clk_i,
      .we_i   (bank_we),
      .waddr_i(bank_waddr),
      .wdata_i(clear ? '0 : x_data_i),
      .raddr_i(bank_raddr),
      .rdata_o(x_word)
  );
  montcore_block_ram #(
      .Rows     (2 * Words),
      .Width    (32),
      .BlockBits(BlockBits),
      .Tech     (Tech)
  ) u_y (
      .clk_i,
      .we_i   (bank_we),
      .waddr_i(bank_waddr),
      .wdata_i(clear ? '0 : y_data_i),
      .raddr_i(bank_raddr),
      .rdata_o(y_word)
  );
  // Counts reach one more than the last index; addresses do not need that bit.
  logic unused_bits;
  assign unused_bits = ^{cfg_index, load_index, feed_index};

  // ---- conversion to pairs of 17-bit words
  logic [DigitBits-1:0] digits;
  logic [ PairBits-1:0] pairs;
  logic [ SlotBits-1:0] last_slot;
  montcore_dsp_length #(
      .Length(Length),
      .Alpha (Alpha),
      .Tech  (Tech)
  ) u_length (
      .clk_i,
      .words_i    (words),
      .digits_o   (digits),
      .pairs_o    (pairs),
      .last_slot_o(last_slot)
  );

  // x, and y or m.
  logic feed, feed_valid, feed_last, feed_ahead;
  logic [1:0][31:0] feed_words;
  logic [1:0][33:0] feed_pairs;
  assign feed_words = {x_word, take_m ? m_feed : y_word};
  montcore_dsp_feeder #(
      .Operands     (2),
      .WordCountBits(WordCountBits),
      .PairBits     (PairBits)
  ) u_feeder (
      .clk_i,
      .tick_i,
      .rst_ni,
      .clear_i(clear),
      .words_i(words),
      .pairs_i(pairs),
      .start_i(feed),
      .index_o(feed_index),
      .next_o (feed_next),
      .word_i (feed_words),
      .valid_o(feed_valid),
      .pair_o (feed_pairs),
      .last_o (feed_last),
      .ahead_o(feed_ahead)
  );

  logic engine_busy, engine_ready, engine_start, engine_done, start;
  logic z_pair_valid, z_pair_last, full, step, free;
  logic [33:0] z_pair, reduced;
  montcore_dsp_engine #(
      .Length(Length),
      .Alpha(Alpha),
      .Tech(Tech),
      .LateWrites(Fpga)
  ) u_engine (
      .clk_i,
      .tick_i,
      .clk_fast_i,
      .phase_i,
      .rst_ni,
      .clear_i(clear),
      .sweep_i     ((sweep < SweepBits'(EngineRows)) ? EngineSweepBits'(sweep)
                                                       : EngineSweepBits'(EngineRows)),
      .digits_i(digits),
      .pairs_i(pairs),
      .last_slot_i(clear ? SlotBits'(Pairs - 1) : last_slot),
      .m_we_i(feed_valid && take_m),
      .m_data_i(feed_pairs[0]),
      .setup_done_o(setup_done),
      .a_we_i(feed_valid && take_xy),
      .a_data_i(feed_pairs[0]),
      .b_we_i(feed_valid && take_xy),
      .b_data_i(feed_pairs[1]),
      .start_i(start),
      .final_i(1'b1),
      .ready_o(engine_ready),
      .z_free_i(!full),
      .busy_o(engine_busy),
      .start_o(engine_start),
      .done_o(engine_done),
      .z_valid_o(z_pair_valid),
      .z_data_o(z_pair),
      .z_last_o(z_pair_last)
  );

  montcore_dsp_reduce #(
      .WordPairs (WordPairs),
      .LateWrites(Fpga),
      .Tech      (Tech)
  ) u_reduce (
      .clk_i,
      .rst_ni,
      .clear_i (clear),
      .sweep_i ((sweep < SweepBits'(WordPairs)) ? PairBits'(sweep) : PairBits'(WordPairs)),
      .m_we_i  (feed_valid && take_m && tick_i),
      .m_data_i(feed_pairs[0]),
      .m_last_i(feed_last),
      .z_we_i  (z_pair_valid && tick_i),
      .z_data_i(z_pair),
      .z_last_i(z_pair_last),
      .full_o  (full),
      .step_i  (step),
      .free_i  (free),
      .d_o     (reduced)
  );

  logic error_ready, output_idle, z_valid;
  montcore_error_e error_q;
  montcore_dsp_output #(
      .WordCountBits(WordCountBits)
  ) u_output (
      .clk_i,
      .rst_ni,
      .clear_i      (clear),
      .words_i      (words),
      .full_i       (full),
      .pair_i       (reduced),
      .step_o       (step),
      .free_o       (free),
      .error_valid_i(answer_error && tick_i && !engine_busy),
      .error_i      (error_q),
      .error_ready_o(error_ready),
      .idle_o       (output_idle),
      .z_valid_o    (z_valid),
      .z_ready_i,
      .z_data_o,
      .z_last_o,
      .z_error_o
  );

  // ---- sequence of products
  // ------------------------------------------------------------------------ Operands enter the row
  // as soon as it has read those of the previous product. A product is reduced when the previous
  // result has left the memory of u_reduce.
  assign feed = (state_q == StIdle && setup_q) ||
                (state_q == StCheck && !out_of_range && engine_ready);
  assign start = take_xy && feed_ahead;
  assign release_bank = (take_xy && feed_valid && feed_last) ||
                        (state_q == StCheck && out_of_range) ||
                        (state_q == StIdle && !setup_q && !available && reject);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      state_q <= StIdle;
      setup_q <= 1'b0;
      error_q <= montcore_pkg::ErrNone;
    end else begin
      if (setup) setup_q <= 1'b1;
      if (tick_i) begin
        unique case (state_q)
          StIdle: begin
            if (setup_q) begin
              setup_q <= 1'b0;
              state_q <= StModulus;
            end else if (available) begin
              state_q <= StCheck;
            end else if (reject) begin
              error_q <= reject_error;
              state_q <= StError;
            end
          end
          StModulus: if (feed_valid && feed_last) state_q <= StSetup;
          StSetup: if (setup_done) state_q <= StIdle;
          StCheck: begin
            error_q <= montcore_pkg::ErrOperandRange;
            if (out_of_range) state_q <= StError;
            else if (engine_ready) state_q <= StOperands;
          end
          StOperands: if (feed_valid && feed_last) state_q <= StIdle;
          StError: if (error_ready && !engine_busy) state_q <= StIdle;
          default: state_q <= StIdle;
        endcase
      end
    end
  end

  // The phase of the ticks is stable one cycle after the end of work.
  always_ff @(posedge clk_i) rest_q <= rest_o && rst_ni;
  assign rest_o = state_q == StIdle && !engine_busy && !clear;
  assign resting = rest_q && rest_o && !setup_q && !full && output_idle;
  // In the first cycle of zeroize the registers behind the outputs still hold pending values.
  assign z_valid_o = z_valid && !clear;
  assign busy_o = front_busy || !resting;
  assign core_start_o = engine_start && tick_i && !clear;
  assign core_done_o = engine_done && tick_i && !clear;
endmodule
