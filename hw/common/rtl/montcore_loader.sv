// SPDX-License-Identifier: Apache-2.0

/// Receives X and Y in step into one of two banks, and compares them with m.
///
/// Both operands advance by one word per cycle, so that one word of m serves both comparisons.
/// Precondition: words_i does not change while a bank is in use.
/// Latency: a bank is available in the cycle in which its last beat is accepted; out_of_range_o
/// shows one cycle later whether X >= m or Y >= m. Before that it is low, whatever was received.
/// Packets of a wrong length, or without a modulus, are drained and cause a rejection.
/// Example, words_i = 2, m = 0x8b, WordBits = 4: x = 3, 5; y = 0xa, 2 -> available, in range.
module montcore_loader #(
    parameter int unsigned WordBits = 32,  // Word width w in bits, one beat of the port.
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    parameter int unsigned Lanes = 4,  // Words of a memory row; 1 for memories organised by words.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Memory rows of an operand at the built width.
    localparam int unsigned Rows = (Words + Lanes - 1) / Lanes,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = $clog2(Rows + 1),
    localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high: drops the operands.
    input logic enable_i,  // High: operands may be accepted, since no modulus is being received.
    input logic loaded_i,  // High while a valid modulus is loaded.
    /// Words of the modulus, constant while a bank is in use.
    input logic [WordCountBits-1:0] words_i,
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
    input logic [WordBits-1:0] m_word_i,  // Word index_o of m, in the same cycle.
    output logic we_o,  // Memory write enable for the words of X and Y.
    output logic bank_o,  // Bank to write, valid with we_o.
    output logic [WordCountBits-1:0] index_o,  // Word index of X and Y, valid with we_o.
    output logic [RowBits-1:0] row_o,  // Memory row of Y, valid with we_o.
    output logic [LaneBits-1:0] lane_o,  // Lane of Y in the row, valid with we_o.
    output logic use_bank_o,  // Bank of the next product.
    /// High: bank use_bank_o is complete, or becomes complete at this edge.
    output logic available_o,
    /// High: X or Y is not below m; valid from the cycle after the bank became available.
    output logic out_of_range_o,
    output logic reject_o,  // High: the pair is bad and must be answered with an error.
    /// Error of the bad pair, valid with reject_o.
    output montcore_pkg::montcore_error_e reject_error_o,
    input logic release_i,  // Pulse: bank use_bank_o is free again.
    output logic busy_o  // High while operands are received or pending.
);
  // State of a bank.
  typedef enum logic [1:0] {
    BankEmpty,
    BankFull,
    BankWrongLength,
    BankNoModulus
  } bank_e;

  logic [1:0][1:0] bank_q;  // of type bank_e
  logic [1:0] range_q;
  logic fill_q, use_q;
  logic [WordCountBits-1:0] index_q;
  logic [RowBits-1:0] row_q;
  logic [LaneBits-1:0] lane_q;
  logic draining_q, no_modulus_q, x_done_q, y_done_q, x_below_q, y_below_q, busy_q, last_q;
  logic open, joint, x_beat, y_beat, x_below, y_below, complete, wrong, drained, others, first;

  assign first = index_q == '0;
  // Both streams advance together in a good packet, and independently while a bad one is drained.
  assign open = enable_i && bank_q[fill_q] == BankEmpty;
  assign joint = open && !draining_q && x_valid_i && y_valid_i;
  assign x_ready_o = joint || (open && draining_q && !x_done_q);
  assign y_ready_o = joint || (open && draining_q && !y_done_q);
  assign x_beat = x_valid_i && x_ready_o;
  assign y_beat = y_valid_i && y_ready_o;

  // A register predicts, one cycle ahead, whether the next word is the last one.
  always_ff @(posedge clk_i) begin
    if (complete || drained) last_q <= words_i == WordCountBits'(1);
    else if (joint) last_q <= words_i == index_q + WordCountBits'(2'd2);
    else last_q <= words_i == index_q + WordCountBits'(1'd1);
  end
  assign complete = joint && loaded_i && last_q && x_last_i && y_last_i;
  assign wrong = joint && !complete && (!loaded_i || last_q || x_last_i || y_last_i);
  assign drained = open && draining_q && (x_done_q || (x_valid_i && x_last_i)) &&
                   (y_done_q || (y_valid_i && y_last_i));

  // X < m if the last borrow of X - m is set; the borrow into the first word is zero.
  logic x_below_in, y_below_in;
  assign x_below_in = x_below_q && !first;
  assign y_below_in = y_below_q && !first;
  if (Tech >= montcore_pkg::TechFpga) begin : g_chain
    // One carry chain, with an extra bit at the bottom for the carry input.
    logic [WordBits:0] unused_x, unused_y;
    logic x_above, y_above;
    assign {x_above, unused_x} = {1'b0, x_data_i, 1'b1} + {1'b0, ~m_word_i, ~x_below_in};
    assign {y_above, unused_y} = {1'b0, y_data_i, 1'b1} + {1'b0, ~m_word_i, ~y_below_in};
    assign x_below = ~x_above;
    assign y_below = ~y_above;
  end else begin : g_compare
    assign x_below = (x_data_i < m_word_i) || (x_data_i == m_word_i && x_below_in);
    assign y_below = (y_data_i < m_word_i) || (y_data_i == m_word_i && y_below_in);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      bank_q     <= {BankEmpty, BankEmpty};
      fill_q     <= 1'b0;
      use_q      <= 1'b0;
      draining_q <= 1'b0;
      x_done_q   <= 1'b0;
      y_done_q   <= 1'b0;
      busy_q     <= 1'b0;
      index_q    <= '0;
      row_q      <= '0;
      lane_q     <= '0;
    end else begin
      busy_q <= joint || (busy_q && (!release_i || others));
      if (release_i) begin
        bank_q[use_q] <= BankEmpty;
        use_q         <= ~use_q;
      end
      if (joint) begin
        index_q <= index_q + 1;
        lane_q  <= (lane_q == LaneBits'(Lanes - 1)) ? '0 : lane_q + 1;
        if (lane_q == LaneBits'(Lanes - 1)) row_q <= row_q + 1;
      end
      if (wrong) begin
        draining_q <= 1'b1;
        x_done_q   <= x_last_i;
        y_done_q   <= y_last_i;
      end
      if (draining_q) begin
        if (x_beat && x_last_i) x_done_q <= 1'b1;
        if (y_beat && y_last_i) y_done_q <= 1'b1;
      end
      if (complete || drained) begin
        bank_q[fill_q] <= complete ? BankFull : no_modulus_q ? BankNoModulus : BankWrongLength;
        fill_q         <= ~fill_q;
        draining_q     <= 1'b0;
        index_q        <= '0;
        row_q          <= '0;
        lane_q         <= '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (wrong) no_modulus_q <= !loaded_i;
    if (complete) range_q[fill_q] <= !(x_below && y_below);
    if (clear_i) begin
      x_below_q <= 1'b0;
      y_below_q <= 1'b0;
    end else if (joint) begin
      x_below_q <= x_below;
      y_below_q <= y_below;
    end
    if (clear_i) range_q <= '0;
  end

  assign we_o = joint;
  assign bank_o = fill_q;
  assign index_o = index_q;
  assign row_o = row_q;
  assign lane_o = lane_q;
  assign use_bank_o = use_q;
  assign available_o = bank_q[use_q] == BankFull || (complete && fill_q == use_q);
  assign out_of_range_o = bank_q[use_q] == BankFull && range_q[use_q];
  assign reject_o = bank_q[use_q] == BankWrongLength || bank_q[use_q] == BankNoModulus;
  // Icarus Verilog: version 12 wants a cast of a choice between enum values, 11 knows no such cast.
  always_comb begin
    reject_error_o = montcore_pkg::ErrOperandLength;
    if (bank_q[use_q] == BankNoModulus) reject_error_o = montcore_pkg::ErrNoModulus;
  end
  // Registered, since the ready of every stream depends on it: high while a bank is not empty or a
  // packet has started. Only the bank in use can become empty.
  assign others = bank_q[!use_q] != BankEmpty || !first || draining_q;
  assign busy_o = busy_q;
endmodule
