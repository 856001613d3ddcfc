// SPDX-License-Identifier: Apache-2.0

/// `montcore_row_shell` with a row of any results.
module port_unit #(
    /// Built width in bits.
    parameter int unsigned Length   = 5,
    /// Width of a word in bits, a power of two.
    parameter int unsigned WordBits = 4
) (
    /// The common port.
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
`ifdef TWO_CYCLES
  localparam int unsigned CyclesPerDigit = 2;
`else
  localparam int unsigned CyclesPerDigit = 1;
`endif
`ifdef FPGA
  localparam int unsigned Tech = montcore_pkg::TechFpga;
`else
  localparam int unsigned Tech = montcore_pkg::TechGeneric;
`endif
  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  localparam int unsigned WordCountBits = $clog2(Words + 1);

  logic clear, m_we, all_blocks, begins, digit, phase, take;
  logic [WordCountBits-1:0] words, m_index;
  logic [WordBits-1:0] m_data, y_word;
  logic first_q;
  logic [WordBits-1:0] a, b;
  montcore_row_shell #(
      .Length        (Length),
      .WordBits      (WordBits),
      .MinWordBits   (WordBits),
      .CyclesPerDigit(CyclesPerDigit),
      .Tech          (Tech)
  ) u_shell (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .zeroize_i   (zeroize_i),
      .busy_o      (busy_o),
      .cfg_valid_i (cfg_valid_i),
      .cfg_ready_o (cfg_ready_o),
      .cfg_data_i  (cfg_data_i),
      .cfg_last_i  (cfg_last_i),
      .cfg_done_o  (cfg_done_o),
      .cfg_error_o (cfg_error_o),
      .x_valid_i   (x_valid_i),
      .x_ready_o   (x_ready_o),
      .x_data_i    (x_data_i),
      .x_last_i    (x_last_i),
      .y_valid_i   (y_valid_i),
      .y_ready_o   (y_ready_o),
      .y_data_i    (y_data_i),
      .y_last_i    (y_last_i),
      .z_valid_o   (z_valid_o),
      .z_ready_i   (z_ready_i),
      .z_data_o    (z_data_o),
      .z_last_o    (z_last_o),
      .z_error_o   (z_error_o),
      .core_start_o(core_start_o),
      .core_done_o (core_done_o),
      .clear_o     (clear),
      .words_o     (words),
      .m_we_o      (m_we),
      .m_index_o   (m_index),
      .m_data_o    (m_data),
      .all_o       (all_blocks),
      .begin_o     (begins),
      .y_word_o    (y_word),
      .digit_o     (digit),
      .phase_o     (phase),
      .take_o      (take),
      .first_i     (first_q),
      .a_i         (a),
      .b_i         (b)
  );

  // The proof cuts these wires.
  assign a = '0;
  assign b = '0;
  always_ff @(posedge clk_i) first_q <= take && rst_ni && !clear;
  logic unused;
  assign unused = ^{m_we, m_index, m_data, y_word, digit, phase, begins, all_blocks, words};
endmodule
