// SPDX-License-Identifier: Apache-2.0

/// `montcore_hr_front` and the output stage, with a row of any results.
module port_unit #(
    parameter int unsigned Length   = 5,  // Built width in bits.
    parameter int unsigned WordBits = 4   // Width of a word in bits, a power of two.
) (
    input logic clk_i,  // The common port.
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
  localparam int unsigned Radix = 2;
  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  localparam int unsigned WordCountBits = $clog2(Words + 1);
  localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1;
  localparam int unsigned Bits = Words * WordBits;

  logic clear, front_busy, m_we, unit, unit_q, take;
  logic room, reserve, error;
  logic [WordCountBits-1:0] words, m_index;
  logic [WordBits-1:0] m_data;
  logic [AddrBits-1:0] m_row;
  montcore_pkg::montcore_error_e cfg_error, error_code;
  // Row j of M's memory has word j + 1, the last one word 0.
  logic [Bits-1:0] m_q;
  // The proof cuts this register.
  logic [WordBits-1:0] result_q;
  always_ff @(posedge clk_i) result_q <= ~result_q;
  assign cfg_error_o = cfg_error;
  always_ff @(posedge clk_i) begin
    unit_q <= rst_ni && !clear && unit;
    for (int unsigned i = 0; i < Words; i++) begin
      if (m_we && 32'(m_index) == (i + 1) % Words) m_q[i*WordBits+:WordBits] <= m_data;
    end
  end
  montcore_hr_front #(
      .Length  (Length),
      .Radix   (Radix),
      .WordBits(WordBits)
  ) u_front (
      .clear_o      (clear),
      .busy_o       (front_busy),
      .cfg_error_o  (cfg_error),
      .words_o      (words),
      .m_we_o       (m_we),
      .m_index_o    (m_index),
      .m_data_o     (m_data),
      .m_row_o      (m_row),
      .m_word_i     (m_q[m_row*WordBits+:WordBits]),
      .invert_o     (),
      .unit_o       (unit),
      .unit_done_i  (unit_q),
      .all_o        (),
      .begin_o      (),
      .y_first_o    (),
      .y_low_o      (),
      .y_we_o       (),
      .y_index_o    (),
      .y_word_o     (),
      .digit_first_o(),
      .digit_o      (),
      .last_o       (),
      .take_o       (take),
      .start_o      (core_start_o),
      .room_i       (room),
      .reserve_o    (reserve),
      .error_o      (error),
      .error_code_o (error_code),
      .*
  );

  logic out_q, out_last;
  logic [WordCountBits-1:0] out_index_q;
  always_ff @(posedge clk_i) begin
    out_q       <= rst_ni && !clear && (take || (out_q && !out_last));
    out_index_q <= out_q ? out_index_q + 1'b1 : '0;
  end
  assign out_last = out_q && out_index_q == words - 1'b1;
  montcore_row_output #(
      .WordBits(WordBits),
      .Words   (Words),
      .Adds    (1'b1)
  ) u_output (
      .clear_i     (clear),
      .clear_row_i ('0),
      .words_i     (words),
      .reserve_i   (reserve),
      .room_o      (room),
      .we_i        (out_q),
      .index_i     (AddrBits'(out_index_q)),
      .word_i      (result_q),
      .other_i     ('0),
      .next_o      (),
      .last_i      (out_last),
      .take_other_i(1'b0),
      .error_i     (error),
      .error_code_i(error_code),
      .done_o      (core_done_o),
      .*
  );
  assign busy_o = front_busy || !room;
endmodule
