// SPDX-License-Identifier: Apache-2.0

/// Front end of a multiplier core: zeroize, modulus and operands, from the port's streams.
///
/// Joins `montcore_sweep`, `montcore_config` and `montcore_loader` by the rules that hold for every
/// core: a modulus is accepted only while no product is in flight, and has priority over operand
/// packets that have not started; nothing is accepted while the core clears itself.
/// Precondition: idle_i is low from available_o until the last answer has been read.
/// Latency: that of the three parts.
/// Example: cfg_valid_i, x_valid_i and y_valid_i rise while idle -> cfg_ready_o; the operands wait.
module montcore_front #(
    parameter int unsigned Length = 256,  // Built width L of the modulus in bits.
    parameter int unsigned WordBits = 32,  // Word width w in bits, one beat of the port.
    parameter int unsigned Lanes = 1,  // Words of a memory row; 1 for memories organised by words.
    parameter int unsigned ClearTicks = 32,  // Length of a zeroize in ticks.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    /// Memory rows of an operand at the built width.
    localparam int unsigned Rows = (Words + Lanes - 1) / Lanes,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1,
    localparam int unsigned SweepBits = $clog2(ClearTicks)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic tick_i,  // Count enable of zeroize; constant 1 if every cycle counts.
    input logic zeroize_i,
    /// High: the core uses sweep_o to count through its memory rows for its own set-up.
    input logic count_i,
    output logic clear_o,  // High while the core is being cleared.
    /// Ticks since the start of zeroize or of count_i; 0 when idle.
    output logic [SweepBits-1:0] sweep_o,
    /// High: no product is in flight and no answer is pending, so a modulus may be accepted.
    input logic idle_i,
    input logic stall_i,  // High: no operand beat is accepted in this cycle.
    input logic defer_i,  // High: no operand packet is started in this cycle.
    /// High while clearing, or while a modulus or operands are received or pending.
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    /// Reason for the refusal, ErrNone if accepted; valid with cfg_done_o, held until the next one.
    output montcore_pkg::montcore_error_e cfg_error_o,
    output logic cfg_we_o,  // Memory write enable for cfg_data_i.
    output logic [WordCountBits-1:0] cfg_index_o,  // Word index of cfg_data_i, valid with cfg_we_o.
    output logic [RowBits-1:0] cfg_row_o,  // Memory row of cfg_data_i, valid with cfg_we_o.
    output logic [LaneBits-1:0] cfg_lane_o,  // Lane of cfg_data_i in the row, valid with cfg_we_o.
    output logic setup_o,  // Pulse: compute the constants of the modulus.
    input logic setup_done_i,  // Pulse: the constants are ready.
    output logic loaded_o,  // High while a modulus is loaded and its constants are ready.
    output logic [WordCountBits-1:0] words_o,  // Words of the modulus; 1 after reset or clear.
    output logic [RowBits-1:0] rows_o,  // Memory rows of the modulus; 1 after reset or clear.
    input logic x_valid_i,
    /// X stream: ready; depends on y_valid_i unless a bad packet is drained.
    output logic x_ready_o,
    input logic [WordBits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    /// Y stream: ready; depends on x_valid_i unless a bad packet is drained.
    output logic y_ready_o,
    input logic [WordBits-1:0] y_data_i,
    input logic y_last_i,
    input logic [WordBits-1:0] m_word_i,  // Word load_index_o of the modulus, in the same cycle.
    output logic load_we_o,  // Memory write enable for x_data_i and y_data_i.
    output logic load_bank_o,  // Bank to write, valid with load_we_o.
    output logic [WordCountBits-1:0] load_index_o,  // Word index of X and Y, valid with load_we_o.
    output logic [RowBits-1:0] load_row_o,  // Memory row of the word, valid with load_we_o.
    output logic [LaneBits-1:0] load_lane_o,  // Lane of the word in the row, valid with load_we_o.
    output logic use_bank_o,  // Bank of the next product.
    /// High: bank use_bank_o is complete, or becomes complete at this edge.
    output logic available_o,
    /// High: X or Y of that bank is not below m; valid from the cycle after it became available.
    output logic out_of_range_o,
    output logic reject_o,  // High: the pair is bad and must be answered with an error.
    /// Error of the bad pair, valid with reject_o.
    output montcore_pkg::montcore_error_e reject_error_o,
    input logic release_i  // Pulse: bank use_bank_o, or the rejection, has been used.
);
  logic clear, cfg_done, cfg_busy, loader_busy;
  montcore_sweep #(
      .Ticks(ClearTicks)
  ) u_sweep (
      .clk_i,
      .rst_ni,
      .tick_i,
      .zeroize_i,
      .count_i,
      .clear_o(clear),
      .index_o(sweep_o)
  );
  assign clear_o = clear;

  montcore_config #(
      .Length  (Length),
      .WordBits(WordBits),
      .Lanes   (Lanes)
  ) u_config (
      .clear_i(clear),
      .ready_i(!clear && idle_i && !loader_busy),
      .done_o (cfg_done),
      .error_o(cfg_error_o),
      .we_o   (cfg_we_o),
      .index_o(cfg_index_o),
      .row_o  (cfg_row_o),
      .lane_o (cfg_lane_o),
      .busy_o (cfg_busy),
      .*
  );
  // In the first cycle of zeroize the output registers still hold pending values.
  assign cfg_done_o = cfg_done && !clear;

  // A pending modulus has priority over operand packets that have not started.
  logic enable;
  assign enable = !clear && !cfg_busy && !stall_i && (loader_busy || (!cfg_valid_i && !defer_i));
  montcore_loader #(
      .WordBits(WordBits),
      .Words   (Words),
      .Lanes   (Lanes),
      .Tech    (Tech)
  ) u_loader (
      .clear_i (clear),
      .enable_i(enable),
      .loaded_i(loaded_o),
      .words_i (words_o),
      .we_o    (load_we_o),
      .bank_o  (load_bank_o),
      .index_o (load_index_o),
      .row_o   (load_row_o),
      .lane_o  (load_lane_o),
      .busy_o  (loader_busy),
      .*
  );
  assign busy_o = clear || cfg_busy || loader_busy;
endmodule
