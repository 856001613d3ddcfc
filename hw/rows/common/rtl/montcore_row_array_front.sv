// SPDX-License-Identifier: Apache-2.0

/// Front end of an array: whole modulus and operands, one beat each, every CyclesPerRow cycles.
///
/// Every pair of operand packets becomes one token, valid or not: an invalid pair also passes the
/// array, is answered in order, and takes the same time. For a token in token_o in cycle T, its
/// status is at status_o in cycle T + Words, when X and Y have been compared with m word by word.
/// Precondition: y_word_i[j] is word j of Y in cycle T + j.
/// Latency: token_o in the cycle after the last operand beat.
/// Example, Length = 8, WordBits = 8, m = 0x8b: x = 0x8b, y = 1 -> ErrOperandRange in the cycle after
/// token_o.
module montcore_row_array_front #(
    parameter int unsigned Length = 128,
    parameter int unsigned WordBits = 32,  // Word width of the comparison in bits.
    parameter int unsigned CyclesPerRow = 2,  // Cycles between products, 1 or 2.
    parameter int unsigned ClearCycles = 300,  // Cycles that zeros need to pass the whole datapath.
    parameter int unsigned SetupCycles = 9,  // Cycles that a modulus needs to reach all copies.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,  // Words of an operand.
    localparam int unsigned Bits = Words * WordBits  // Beat width in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic clear_o,  // High while the core clears itself by shifting in zeros.
    /// High while clearing, or while a modulus or an incomplete packet is received.
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [Bits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    /// Reason for the refusal, ErrNone if accepted; valid with cfg_done_o.
    output montcore_pkg::montcore_error_e cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [Bits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic y_last_i,
    input logic room_i,  // High: there is room for one more result.
    input logic idle_i,  // High: no product is in flight.
    /// High in the last cycle of an iteration of row 0, block 0: operands are sampled at its end.
    output logic second_o,
    output logic [Bits-1:0] m_o,  // Modulus m, constant while loaded.
    /// Words of Y, word j one cycle after word j - 1.
    input logic [Words-1:0][WordBits-1:0] y_word_i,
    output logic take_o,  // Reserves room for a result, one cycle before token_o.
    output logic token_o,  // Pulse: a product starts in row 0.
    output logic status_valid_o,  // The status of a token is valid.
    /// Status of the token, a montcore_error_e; valid with status_valid_o.
    output logic [2:0] status_o
);
  // Zeroize: zeros are shifted in until they have reached the output.
  logic clear;
  logic [$clog2(ClearCycles)-1:0] unused_sweep;
  montcore_sweep #(
      .Ticks(ClearCycles)
  ) u_sweep (
      .clk_i,
      .rst_ni,
      .tick_i (1'b1),
      .zeroize_i,
      .count_i(1'b0),
      .clear_o(clear),
      .index_o(unused_sweep)
  );
  assign clear_o = clear;

  // Configuration: one beat; the copies of m are filled while the set-up counter runs.
  localparam int unsigned SetupBits = $clog2(SetupCycles + 1);
  logic cfg_we, cfg_busy, loaded, setup, setup_q, setup_done, quiet;
  logic cfg_index, cfg_row, cfg_lane, words, rows;
  logic [SetupBits-1:0] setup_left_q;
  logic [Bits-1:0] m_q;
  montcore_config #(
      .Length  (Length),
      .WordBits(Bits),
      .Lanes   (1)
  ) u_config (
      .clk_i,
      .rst_ni,
      .clear_i     (clear),
      .ready_i     (!clear && quiet && idle_i),
      .cfg_valid_i,
      .cfg_ready_o,
      .cfg_data_i,
      .cfg_last_i,
      .done_o      (cfg_done_o),
      .error_o     (cfg_error_o),
      .we_o        (cfg_we),
      .index_o     (cfg_index),
      .row_o       (cfg_row),
      .lane_o      (cfg_lane),
      .setup_o     (setup),
      .setup_done_i(setup_done),
      .loaded_o    (loaded),
      .busy_o      (cfg_busy),
      .words_o     (words),
      .rows_o      (rows)
  );
  assign setup_done = setup_q && setup_left_q == 0;
  always_ff @(posedge clk_i) begin
    setup_q      <= rst_ni && !clear && (setup || (setup_q && !setup_done));
    setup_left_q <= setup_q ? setup_left_q - 1 : SetupBits'(SetupCycles - 1);
  end
  always_ff @(posedge clk_i) begin
    if (clear) m_q <= '0;
    else if (cfg_we) m_q <= cfg_data_i;
  end
  assign m_o = m_q;

  // Operands: one pair of beats at the end of each iteration of row 0. Longer packets are drained
  // and answered afterwards.
  logic second_q, draining_q, x_done_q, y_done_q, owed_q, no_modulus_q;
  logic open, joint, wrong, rest, x_end, y_end, token, token_q;
  logic [2:0] code, code_q;
  assign open = !clear && !cfg_busy && !owed_q && !draining_q && !cfg_valid_i;
  assign joint = open && second_q && room_i && x_valid_i && y_valid_i;
  assign wrong = joint && !(x_last_i && y_last_i);
  assign token = joint ? !wrong : owed_q && second_q && room_i && !clear;
  assign x_ready_o = joint || (draining_q && !x_done_q && !clear);
  assign y_ready_o = joint || (draining_q && !y_done_q && !clear);
  assign x_end = x_done_q || x_valid_i && x_last_i;
  assign y_end = y_done_q || y_valid_i && y_last_i;
  assign code = (joint ? !loaded : no_modulus_q) ? montcore_pkg::ErrNoModulus
                : joint ? montcore_pkg::ErrNone : montcore_pkg::ErrOperandLength;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      draining_q <= 1'b0;
      x_done_q   <= 1'b0;
      y_done_q   <= 1'b0;
      owed_q     <= 1'b0;
      token_q    <= 1'b0;
    end else begin
      token_q <= token;
      if (wrong) begin
        draining_q <= 1'b1;
        x_done_q   <= x_last_i;
        y_done_q   <= y_last_i;
      end else if (draining_q) begin
        draining_q <= !(x_end && y_end);
        x_done_q   <= x_end;
        y_done_q   <= y_end;
        owed_q     <= x_end && y_end;
      end else if (token) begin
        owed_q <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    second_q <= rst_ni && (CyclesPerRow == 1 || !second_q || (rest && !token));
    if (clear) code_q <= montcore_pkg::ErrNone;
    else code_q <= code;
    if (wrong) no_modulus_q <= !loaded;
  end
  // The phase is held while the array is idle: operands are accepted at once, and the latency does
  // not depend on the start of the previous product.
  assign rest = quiet && idle_i && !clear;
  assign second_o = second_q;
  assign take_o = token;
  assign token_o = token_q;
  assign quiet = !draining_q && !owed_q && !token_q;
  assign busy_o = clear || cfg_busy || !quiet;

  // Compares X and Y with m, word by word from the lowest: the highest word that differs decides.
  logic [Words-1:0][WordBits-1:0] x_word, x_word_q;
  logic [Words-1:0] x_below_q, y_below_q;
  montcore_row_array_skew #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_skew (
      .clk_i,
      .step_i ({Words{1'b1}}),
      .words_i(x_data_i & {Bits{!clear && x_valid_i}}),
      .words_o(x_word)
  );
  for (genvar j = 0; j < Words; j++) begin : g_word
    logic [WordBits-1:0] m_word;
    logic x_before, y_before;
    assign m_word = m_q[j*WordBits+:WordBits];
    if (j == 0) begin : g_lowest
      assign x_before = 1'b0;
      assign y_before = 1'b0;
    end else begin : g_upper
      assign x_before = x_below_q[j-1];
      assign y_before = y_below_q[j-1];
    end
    always_ff @(posedge clk_i) begin
      x_word_q[j]  <= x_word[j];
      x_below_q[j] <= x_word_q[j] < m_word || (x_word_q[j] == m_word && x_before);
      y_below_q[j] <= y_word_i[j] < m_word || (y_word_i[j] == m_word && y_before);
    end
  end

  // The status code is delayed along with the comparison.
  logic [Words:0] valid_late;
  logic [Words:0][2:0] code_late;
  logic [Words-1:0] valid_late_q;
  logic [Words-1:0][2:0] code_late_q;
  assign valid_late = {valid_late_q, token_q};
  assign code_late  = {code_late_q, code_q};
  always_ff @(posedge clk_i) begin
    code_late_q <= code_late[Words-1:0];
    if (!rst_ni || clear) valid_late_q <= '0;
    else valid_late_q <= valid_late[Words-1:0];
  end
  assign status_valid_o = valid_late[Words];
  assign status_o = !status_valid_o || code_late[Words] != montcore_pkg::ErrNone ? code_late[Words]
                    : (x_below_q[Words-1] && y_below_q[Words-1]) ? montcore_pkg::ErrNone
                                                                 : montcore_pkg::ErrOperandRange;
  logic unused;
  assign unused = ^{cfg_index, cfg_row, cfg_lane, words, rows};
endmodule
