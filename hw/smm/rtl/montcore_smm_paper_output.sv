// SPDX-License-Identifier: Apache-2.0

/// Sends the result from the row at hand, word by word, or an error.
///
/// The words move down a lane each time one is taken; after NumPe words the next row is fetched.
/// Precondition: begin_i and reject_i only while idle; the first row is at hand one cycle after
/// begin_i.
/// Latency: the first word is valid one cycle after begin_i; a word a cycle.
/// Source: smm-2021, Figure 4.
/// Example, NumPe = 2, words_i = 3: word, shift, word, load, word.
module montcore_smm_paper_output #(
    /// Number of processing elements.
    parameter int unsigned NumPe = 4,
    /// Word size w in bits.
    parameter int unsigned WordBits = 32,
    /// Words built.
    parameter int unsigned Words = 8,
    /// Rows built (do not change).
    localparam int unsigned Rows = (Words + NumPe - 1) / NumPe,
    /// Bits of a word count (do not change).
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    /// Bits of a row count (do not change).
    localparam int unsigned RowBits = $clog2(Rows + 1),
    /// Bits of a lane number (do not change).
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    /// Clock, rising edge.
    input  logic                                              clk_i,
    /// Synchronous reset, active low.
    input  logic                                              rst_ni,
    /// Abandon the result.
    input  logic                                              clear_i,
    /// Words in use.
    input  logic                          [WordCountBits-1:0] words_i,
    /// Send a result from the next cycle on.
    input  logic                                              begin_i,
    /// Its operands were out of range: send an error instead.
    input  logic                                              out_of_range_i,
    /// Send an error from the next cycle on.
    input  logic                                              reject_i,
    /// Which error, for reject_i.
    input  montcore_pkg::montcore_error_e                     reject_error_i,
    /// Next word of the result.
    input  logic                          [     WordBits-1:0] word_i,
    /// Move the words down by a lane.
    output logic                                              shift_o,
    /// Fetch the next row.
    output logic                                              load_o,
    /// Its number.
    output logic                          [      RowBits-1:0] row_o,
    /// Result stream: a beat is offered, until it is taken.
    output logic                                              z_valid_o,
    /// Result stream: the beat is taken at this edge if it is valid.
    input  logic                                              z_ready_i,
    /// Result stream: data.
    output logic                          [     WordBits-1:0] z_data_o,
    /// Result stream: last beat.
    output logic                                              z_last_o,
    /// Result stream: the beat is an error.
    output logic                                              z_error_o,
    /// A result is complete: its first beat is valid for the first time.
    output logic                                              done_o,
    /// The last beat leaves.
    output logic                                              gone_o
);
  logic valid_q, error_q, begin_q, last_word, last_lane, step;
  montcore_pkg::montcore_error_e error_code_q;
  logic [WordCountBits-1:0] index_q;
  logic [LaneBits-1:0] lane_q;
  logic [RowBits-1:0] row_q;

  assign last_word = index_q == words_i - 1;
  assign last_lane = lane_q == LaneBits'(NumPe - 1);
  assign step = valid_q && z_ready_i;
  assign gone_o = step && z_last_o;
  assign shift_o = step && !last_lane;
  assign load_o = step && last_lane && !last_word;
  assign row_o = row_q;
  assign done_o = begin_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || gone_o) begin
      valid_q <= 1'b0;
      error_q <= 1'b0;
      begin_q <= 1'b0;
      index_q <= '0;
      lane_q  <= '0;
      row_q   <= RowBits'(Rows > 1);
    end else begin
      begin_q <= begin_i;
      if (begin_i || reject_i) valid_q <= 1'b1;
      if (reject_i || (begin_i && out_of_range_i)) error_q <= 1'b1;
      if (step) begin
        index_q <= index_q + 1;
        lane_q  <= last_lane ? '0 : lane_q + 1;
        if (last_lane) row_q <= row_q + 1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) error_code_q <= montcore_pkg::ErrNone;
    else if (reject_i) error_code_q <= reject_error_i;
    else if (begin_i) error_code_q <= montcore_pkg::ErrOperandRange;
  end

  assign z_valid_o = valid_q;
  assign z_error_o = error_q;
  assign z_last_o  = last_word || error_q;
  assign z_data_o  = error_q ? WordBits'(error_code_q) : word_i;
endmodule
