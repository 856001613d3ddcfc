// SPDX-License-Identifier: Apache-2.0

/// Sends the result from the present row, word by word, or an error.
///
/// The words move down by a lane with each transfer; after NumPe words the next row is fetched.
/// Precondition: begin_i and reject_i only while idle; the first row is present one cycle after
/// begin_i.
/// Latency: the first word is valid one cycle after begin_i; one word per cycle.
/// Source: smm-2021, Figure 4.
/// Example, NumPe = 2, words_i = 3: word, shift, word, load, word.
module montcore_smm_paper_output #(
    parameter int unsigned NumPe = 4,  // Number of processing elements.
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    /// Rows of an operand at the built width.
    localparam int unsigned Rows = (Words + NumPe - 1) / NumPe,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (NumPe > 1) ? $clog2(NumPe) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; drops the result.
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    input logic begin_i,  // Pulse: send a result from the next cycle on.
    /// High: the operands were out of range, send an error; with begin_i.
    input logic out_of_range_i,
    input logic reject_i,  // Pulse: send an error from the next cycle on.
    input montcore_pkg::montcore_error_e reject_error_i,  // Error code, valid with reject_i.
    input logic [WordBits-1:0] word_i,  // Next word of the result.
    output logic shift_o,  // Move the words of the row down by a lane.
    output logic load_o,  // Fetch the next row, row_o.
    output logic [RowBits-1:0] row_o,  // Index of the row to fetch, valid with load_o.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic done_o,  // Pulse: the first beat of a result is valid.
    output logic gone_o  // Pulse: the last beat is transferred.
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
