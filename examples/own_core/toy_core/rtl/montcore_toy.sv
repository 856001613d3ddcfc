// SPDX-License-Identifier: Apache-2.0

/// Bit-serial Montgomery multiplier: one bit of X a cycle, whole numbers in one adder.
///
/// z = x * y * R^-1 mod m, R = 2^k, k = WordBits * words, words = beats of the modulus
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency: k + 1 cycles inside the datapath, two more on the port; a product every k + words + 3
/// cycles.
/// Example, Length = 8, WordBits = 8: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x45 (R = 2^8).
module montcore_toy #(
    parameter int unsigned Length = 256,  // Built width L in bits, 2 or more.
    parameter int unsigned WordBits = 8  // Word size w in bits: 4, 8, 16 or 32.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [WordBits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [WordBits-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o
);
  if (WordBits < 4 || WordBits > 32 || 2 ** $clog2(WordBits) != WordBits) begin : g_bad_word
    $fatal(1, "%m: the word size w must be 4, 8, 16 or 32");
  end
  if (Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end

  import montcore_pkg::montcore_error_e;

  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  localparam int unsigned Width = Words * WordBits;
  localparam int unsigned WordCountBits = $clog2(Words + 1);
  localparam int unsigned BitCountBits = $clog2(Width);

  typedef enum logic [2:0] {
    StIdle,
    StCheck,
    StRun,
    StSubtract,
    StAnswer,
    StRefuse
  } state_e;

  state_e state_q;
  logic clear, cfg_we, setup, load_we, load_bank, use_bank, available, out_of_range, reject;
  logic front_busy, free, begins, taken;
  logic [WordCountBits-1:0] words, cfg_index, load_index, index_q;
  montcore_error_e cfg_error, reject_error, error_q;
  logic [WordBits-1:0] m_word;

  // The modulus, and the operands in use.
  logic [Width-1:0] m, x, y;
  logic [Width+1:0] with_y, with_m;

  // Unused: rows have one word, there is no set-up, and all words are cleared in one cycle.
  logic unused_sweep, unused_cfg_lane, unused_load_lane, unused_loaded, unused;
  logic [WordCountBits-1:0] unused_cfg_row, unused_load_row, unused_rows;
  assign unused = ^{unused_sweep, unused_cfg_lane, unused_load_lane, unused_loaded, unused_cfg_row,
                    unused_load_row, unused_rows, with_m[0]};

  logic idle;
  assign idle = state_q == StIdle;
  montcore_front #(
      .Length    (Length),
      .WordBits  (WordBits),
      .Lanes     (1),
      .ClearTicks(2)
  ) u_front (
      .tick_i        (1'b1),
      .count_i       (1'b0),
      .clear_o       (clear),
      .sweep_o       (unused_sweep),
      .idle_i        (idle),
      .stall_i       (1'b0),
      .defer_i       (1'b0),
      .busy_o        (front_busy),
      .cfg_we_o      (cfg_we),
      .cfg_index_o   (cfg_index),
      .cfg_row_o     (unused_cfg_row),
      .cfg_lane_o    (unused_cfg_lane),
      .cfg_error_o   (cfg_error),
      .setup_o       (setup),
      .setup_done_i  (setup),
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
      .release_i     (free),
      .*
  );
  assign cfg_error_o = cfg_error;
  assign m_word = m[WordBits*load_index+:WordBits];

  // M, then X and Y of both banks, each one word at a time. Word 0 sets the words above it to zero,
  // so that a shorter number is whole.
  logic [4:0][Width-1:0] number;
  logic [4:0] number_we;
  logic [4:0][WordCountBits-1:0] index;
  logic [4:0][WordBits-1:0] word;
  logic [1:0] bank_we;
  assign bank_we = {load_we && load_bank, load_we && !load_bank};
  assign number_we = {bank_we, bank_we, cfg_we};
  assign index = {{4{load_index}}, cfg_index};
  assign word = {{2{y_data_i}}, {2{x_data_i}}, cfg_data_i};
  for (genvar i = 0; i < 5; i++) begin : g_number
    for (genvar w = 0; w < Words; w++) begin : g_word
      logic [WordBits-1:0] word_q;
      always_ff @(posedge clk_i) begin
        if (clear || (number_we[i] && index[i] == 0 && w != 0)) word_q <= '0;
        else if (number_we[i] && index[i] == WordCountBits'(w)) word_q <= word[i];
      end
      assign number[i][WordBits*w+:WordBits] = word_q;
    end
  end
  assign m = number[0];
  assign x = use_bank ? number[2] : number[1];
  assign y = use_bank ? number[4] : number[3];

  // t <- (t + x_i y + q m) / 2; t stays below m + y < 2m.
  logic [BitCountBits-1:0] count_q;
  logic [Width:0] t_q, difference;
  logic last_bit;
  assign with_y = {1'b0, t_q} + (x[count_q] ? {2'b0, y} : '0);
  assign with_m = with_y + (with_y[0] ? {2'b0, m} : '0);
  assign difference = t_q - {1'b0, m};
  assign last_bit = 32'(count_q) == 32'(words) * WordBits - 1;
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StCheck: t_q <= '0;
      StRun: t_q <= with_m[Width+1:1];
      StSubtract: t_q <= difference[Width] ? t_q : difference;
      StAnswer: if (taken) t_q <= t_q >> WordBits;
      default: ;
    endcase
    if (clear) t_q <= '0;
  end

  assign begins = state_q == StCheck && !out_of_range;
  assign taken = z_valid_o && z_ready_i;
  assign free   = (state_q == StIdle && reject) || (state_q == StCheck && out_of_range) ||
                  state_q == StSubtract;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      state_q <= StIdle;
      count_q <= '0;
      index_q <= '0;
      error_q <= montcore_pkg::ErrNone;
    end else begin
      unique case (state_q)
        StIdle: begin
          error_q <= reject_error;
          if (reject) state_q <= StRefuse;
          else if (available) state_q <= StCheck;
        end
        StCheck: begin
          count_q <= '0;
          error_q <= montcore_pkg::ErrOperandRange;
          if (out_of_range) state_q <= StRefuse;
          else state_q <= StRun;
        end
        StRun: begin
          count_q <= last_bit ? '0 : count_q + 1;
          if (last_bit) state_q <= StSubtract;
        end
        StSubtract: state_q <= StAnswer;
        StAnswer: begin
          if (taken) index_q <= z_last_o ? '0 : index_q + 1;
          if (taken && z_last_o) state_q <= StIdle;
        end
        StRefuse: if (taken) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end

  assign busy_o = front_busy || state_q != StIdle;
  assign core_start_o = begins && !clear;
  assign core_done_o = state_q == StSubtract && !clear;
  assign z_valid_o = (state_q == StAnswer || state_q == StRefuse) && !clear;
  assign z_error_o = state_q == StRefuse;
  assign z_last_o = z_error_o || index_q == words - 1;
  assign z_data_o = z_error_o ? WordBits'(error_q) : t_q[WordBits-1:0];
endmodule
