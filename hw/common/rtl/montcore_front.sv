// SPDX-License-Identifier: Apache-2.0

/// Front end of a multiplier core: zeroize, the modulus, and the operands, from the port's streams.
///
/// Joins `montcore_sweep`, `montcore_config` and `montcore_loader` by the rules that hold for every
/// core: a modulus is taken only while nothing is under way, and goes before operand packets that
/// have not begun; nothing is taken while the core clears itself.
/// Precondition: idle_i is low from available_o on until the last answer has left.
/// Latency: that of the three parts.
/// Example: cfg_valid_i and x_valid_i, y_valid_i high at rest -> cfg_ready_o; the operands wait.
module montcore_front #(
    /// Built width L in bits.
    parameter int unsigned Length = 256,
    /// Word size w in bits.
    parameter int unsigned WordBits = 32,
    /// Words of a memory row; 1 where memories are by words.
    parameter int unsigned Lanes = 1,
    /// Ticks that a zeroize takes.
    parameter int unsigned ClearTicks = 32,
    /// Technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Words built (do not change).
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    /// Rows built (do not change).
    localparam int unsigned Rows = (Words + Lanes - 1) / Lanes,
    /// Bits of a word count (do not change).
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    /// Bits of a row count (do not change).
    localparam int unsigned RowBits = $clog2(Rows + 1),
    /// Bits of a lane number (do not change).
    localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1,
    /// Bits of the count of a zeroize (do not change).
    localparam int unsigned SweepBits = $clog2(ClearTicks)
) (
    /// Clock, rising edge.
    input  logic                                              clk_i,
    /// Synchronous reset, active low: clears control, not data.
    input  logic                                              rst_ni,
    /// High in the cycles in which zeroize counts; 1 where each does.
    input  logic                                              tick_i,
    /// Pulse of one cycle: clear everything.
    input  logic                                              zeroize_i,
    /// High: the core counts through its memory rows, by sweep_o, for its own set-up.
    input  logic                                              count_i,
    /// High while everything is cleared.
    output logic                                              clear_o,
    /// Ticks of the zeroize, or of count_i, so far; 0 at rest.
    output logic                          [    SweepBits-1:0] sweep_o,
    /// High: no product is under way and no answer waits, so a modulus may be taken.
    input  logic                                              idle_i,
    /// High: no beat of an operand is taken in this cycle.
    input  logic                                              stall_i,
    /// High: no operand packet is begun in this cycle.
    input  logic                                              defer_i,
    /// High while clearing, or while a modulus or operands come in or wait.
    output logic                                              busy_o,
    /// Modulus stream: a beat is offered, until it is taken.
    input  logic                                              cfg_valid_i,
    /// Modulus stream: it is taken at this edge if it is valid.
    output logic                                              cfg_ready_o,
    /// Modulus stream: data, least significant word first.
    input  logic                          [     WordBits-1:0] cfg_data_i,
    /// Modulus stream: last beat.
    input  logic                                              cfg_last_i,
    /// Pulse of one cycle: the modulus was accepted or refused.
    output logic                                              cfg_done_o,
    /// Why it was refused; valid with cfg_done_o, held until the next one.
    output montcore_pkg::montcore_error_e                     cfg_error_o,
    /// Write cfg_data_i to the memories at this edge.
    output logic                                              cfg_we_o,
    /// Its word number.
    output logic                          [WordCountBits-1:0] cfg_index_o,
    /// Its memory row.
    output logic                          [      RowBits-1:0] cfg_row_o,
    /// Its lane in the row.
    output logic                          [     LaneBits-1:0] cfg_lane_o,
    /// Pulse of one cycle: make the constants of the modulus.
    output logic                                              setup_o,
    /// Pulse of one cycle: they are ready.
    input  logic                                              setup_done_i,
    /// High while a modulus is in and its constants are ready.
    output logic                                              loaded_o,
    /// Words of the modulus; 1 before there is one.
    output logic                          [WordCountBits-1:0] words_o,
    /// Memory rows of the modulus; 1 before there is one.
    output logic                          [      RowBits-1:0] rows_o,
    /// X stream: a beat is offered, until it is taken.
    input  logic                                              x_valid_i,
    /// X stream: it is taken at this edge if it is valid.
    output logic                                              x_ready_o,
    /// X stream: data, least significant word first.
    input  logic                          [     WordBits-1:0] x_data_i,
    /// X stream: last beat.
    input  logic                                              x_last_i,
    /// Y stream: a beat is offered, until it is taken.
    input  logic                                              y_valid_i,
    /// Y stream: it is taken at this edge if it is valid.
    output logic                                              y_ready_o,
    /// Y stream: data, least significant word first.
    input  logic                          [     WordBits-1:0] y_data_i,
    /// Y stream: last beat.
    input  logic                                              y_last_i,
    /// Word load_index_o of the modulus, in the same cycle.
    input  logic                          [     WordBits-1:0] m_word_i,
    /// Write x_data_i and y_data_i to the memories at this edge.
    output logic                                              load_we_o,
    /// The bank to write.
    output logic                                              load_bank_o,
    /// The word number.
    output logic                          [WordCountBits-1:0] load_index_o,
    /// The memory row.
    output logic                          [      RowBits-1:0] load_row_o,
    /// The lane in the row.
    output logic                          [     LaneBits-1:0] load_lane_o,
    /// The bank to be multiplied next.
    output logic                                              use_bank_o,
    /// High: it is complete, or becomes so at this edge.
    output logic                                              available_o,
    /// High: its X or Y is not below m; valid from the cycle after it became available.
    output logic                                              out_of_range_o,
    /// High: the pair must be answered with an error instead.
    output logic                                              reject_o,
    /// Which error; valid with reject_o.
    output montcore_pkg::montcore_error_e                     reject_error_o,
    /// Pulse of one cycle: the bank, or the rejection, is used up.
    input  logic                                              release_i
);
  logic clear, cfg_done, cfg_busy, loader_busy;
  montcore_sweep #(
      .Ticks(ClearTicks)
  ) u_sweep (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .tick_i   (tick_i),
      .zeroize_i(zeroize_i),
      .count_i  (count_i),
      .clear_o  (clear),
      .index_o  (sweep_o)
  );
  assign clear_o = clear;

  montcore_config #(
      .Length  (Length),
      .WordBits(WordBits),
      .Lanes   (Lanes)
  ) u_config (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear),
      .ready_i     (!clear && idle_i && !loader_busy),
      .cfg_valid_i (cfg_valid_i),
      .cfg_ready_o (cfg_ready_o),
      .cfg_data_i  (cfg_data_i),
      .cfg_last_i  (cfg_last_i),
      .done_o      (cfg_done),
      .error_o     (cfg_error_o),
      .we_o        (cfg_we_o),
      .index_o     (cfg_index_o),
      .row_o       (cfg_row_o),
      .lane_o      (cfg_lane_o),
      .setup_o     (setup_o),
      .setup_done_i(setup_done_i),
      .loaded_o    (loaded_o),
      .busy_o      (cfg_busy),
      .words_o     (words_o),
      .rows_o      (rows_o)
  );
  // In the first cycle of zeroize the output registers still hold pending values.
  assign cfg_done_o = cfg_done && !clear;

  // A waiting modulus has priority over operand packets that have not begun.
  logic enable;
  assign enable = !clear && !cfg_busy && !stall_i && (loader_busy || (!cfg_valid_i && !defer_i));
  montcore_loader #(
      .WordBits(WordBits),
      .Words   (Words),
      .Lanes   (Lanes),
      .Tech    (Tech)
  ) u_loader (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .clear_i       (clear),
      .enable_i      (enable),
      .loaded_i      (loaded_o),
      .words_i       (words_o),
      .x_valid_i     (x_valid_i),
      .x_ready_o     (x_ready_o),
      .x_data_i      (x_data_i),
      .x_last_i      (x_last_i),
      .y_valid_i     (y_valid_i),
      .y_ready_o     (y_ready_o),
      .y_data_i      (y_data_i),
      .y_last_i      (y_last_i),
      .m_word_i      (m_word_i),
      .we_o          (load_we_o),
      .bank_o        (load_bank_o),
      .index_o       (load_index_o),
      .row_o         (load_row_o),
      .lane_o        (load_lane_o),
      .use_bank_o    (use_bank_o),
      .available_o   (available_o),
      .out_of_range_o(out_of_range_o),
      .reject_o      (reject_o),
      .reject_error_o(reject_error_o),
      .release_i     (release_i),
      .busy_o        (loader_busy)
  );
  assign busy_o = clear || cfg_busy || loader_busy;
endmodule
