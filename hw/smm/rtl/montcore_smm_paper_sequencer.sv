// SPDX-License-Identifier: Apache-2.0

/// Orders the slots of the paper's schedule, one product after the other.
///
/// rows Plq, 3 idle, 2 words rows times {Y, M}, rows Resolve, rows Subtract, 2 idle, rows Restore,
/// rows Correct, 1 idle that fetches the result; then it waits until the result has been sent.
/// Precondition: 1 <= rows_i, words_i, constant while a product is in flight.
/// Latency: the first slot comes one cycle after the operands are available and the sequencer is
/// idle; the fetching slot 5 rows + 2 words rows + 5 cycles later.
/// Source: smm-2021, Figures 2 and 3.
/// Example, words 2, rows 1: Plq - - - Y M Y M Resolve Subtract - - Restore Correct -.
module montcore_smm_paper_sequencer
  import montcore_smm_paper_pkg::*;
#(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    parameter int unsigned Rows = 2,  // Rows of an operand at the built width.
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    /// Synchronous clear, active high: drops all work and counts through all rows.
    input logic clear_i,
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    input logic [RowBits-1:0] rows_i,  // Rows of the modulus.
    input logic available_i,  // High: operands are complete, or become complete in this cycle.
    input logic reject_i,  // High: operands must be answered with an error and not be multiplied.
    output logic reject_taken_o,  // Pulse: the result path accepts the rejection.
    input logic gone_i,  // Pulse: the result, or the error, has been sent.
    output logic used_up_o,  // Pulse: X and Y have been used.
    output logic busy_o,
    output logic start_o,  // Pulse: a product starts.
    output smm_slot_e kind_o,  // Operation of the slot (stage R).
    output smm_slot_t slot_o,  // Flags of the slot (stage R).
    output logic [RowBits-1:0] row_o,  // Row index of the slot (stage R).
    output logic plq_read_o,  // High: store word x_row_o, x_lane_o of PLQ, not of X.
    output logic [RowBits-1:0] x_row_o,  // Row of X or of PLQ to read.
    output logic [LaneBits-1:0] x_lane_o  // Lane of the word to read.
);
  typedef enum logic [3:0] {
    StIdle,
    StPlq,
    StStore,     // PLQ is multiplied, added, stored; its word 0 is read back
    StMain,
    StResolve,
    StSubtract,
    StSign,      // the sign of the difference is determined
    StRestore,
    StCorrect,
    StFetch,
    StOut        // the result, or an error, is sent
  } state_e;

  state_e state_q, state_d;
  logic [RowBits-1:0] row_q, x_row_q;
  logic [LaneBits-1:0] x_lane_q;
  logic [WordCountBits-1:0] word_q;
  logic [1:0] wait_q;
  logic turn_q;  // 0: Y, 1: M
  logic first, last, last_word, last_lane, ready, start, pass, next_x;

  assign first = row_q == 0;
  assign last = row_q == (clear_i ? RowBits'(Rows - 1) : rows_i - 1);
  assign last_word = word_q == words_i - 1;
  assign last_lane = x_lane_q == LaneBits'(NumPe - 1);
  assign ready = state_q == StIdle || (state_q == StOut && gone_i);
  assign pass = state_q != StStore && state_q != StSign && state_q != StFetch && state_q != StOut;
  assign start = ready && available_i;
  assign reject_taken_o = state_q == StIdle && reject_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StPlq:      if (last) state_d = StStore;
      StStore:    if (wait_q == 2) state_d = StMain;
      StMain:     if (turn_q && last && last_word) state_d = StResolve;
      StResolve:  if (last) state_d = StSubtract;
      StSubtract: if (last) state_d = StSign;
      StSign:     if (wait_q == 1) state_d = StRestore;
      StRestore:  if (last) state_d = StCorrect;
      StCorrect:  if (last) state_d = StFetch;
      StFetch:    state_d = StOut;
      StOut:      if (gone_i) state_d = StIdle;
      default:    if (reject_taken_o) state_d = StOut;
    endcase
    if (start) state_d = StPlq;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) state_q <= StIdle;
    else state_q <= state_d;
  end

  // X word by word: its row and lane advance after the first slot of a Y turn, so that they select
  // the next word, for PLQ, in the first slot of the M turn.
  assign next_x = state_q == StMain && !turn_q && first;

  always_ff @(posedge clk_i) begin
    wait_q <= (state_q == StStore || state_q == StSign) ? wait_q + 1 : '0;
    turn_q <= state_q == StMain && !turn_q;
    if (!rst_ni || (ready && !clear_i)) row_q <= '0;
    else if (clear_i || (pass && (state_q != StMain || turn_q))) row_q <= last ? '0 : row_q + 1;
    if (ready) begin
      word_q   <= '0;
      x_row_q  <= '0;
      x_lane_q <= '0;
    end else begin
      if (state_q == StMain && turn_q && last) word_q <= word_q + 1;
      if (next_x) begin
        x_lane_q <= last_lane ? '0 : x_lane_q + 1;
        if (last_lane) x_row_q <= x_row_q + 1;
      end
    end
  end

  always_comb begin
    unique case (state_q)
      StPlq:      kind_o = SlotPlq;
      StMain: begin
        kind_o = SlotY;
        if (turn_q) kind_o = SlotM;
      end
      StResolve:  kind_o = SlotResolve;
      StSubtract: kind_o = SlotSubtract;
      StRestore:  kind_o = SlotRestore;
      StCorrect:  kind_o = SlotCorrect;
      default:    kind_o = SlotIdle;
    endcase
  end
  assign slot_o.first = first;
  assign slot_o.last = last;
  assign slot_o.fresh  = clear_i || state_q == StIdle || state_q == StStore ||
                         (state_q == StMain && word_q == 0);
  assign slot_o.result = state_q == StFetch;
  assign row_o = row_q;

  assign plq_read_o = (state_q == StStore && wait_q == 2) ||
                      (state_q == StMain && turn_q && first && !last_word);
  assign x_row_o = (state_q == StPlq) ? row_q : x_row_q;
  assign x_lane_o = x_lane_q;
  assign start_o = state_q == StPlq && first;
  assign used_up_o = state_q == StMain && !turn_q && last && last_word;
  assign busy_o = state_q != StIdle;
endmodule
