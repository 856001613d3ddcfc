// SPDX-License-Identifier: Apache-2.0

/// Abstract engine: only the stream properties that `ecc_packets_proof` proves are assumed. Each
/// answer returns the tag of its operation's x, so that answers can be told apart.
module montcore_ecc_engine
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Length = 40,  // Built width in bits, unused here.
    parameter int unsigned Width = 32,  // Beat width in bits, as of `montcore_ecc_engine`.
    parameter int unsigned Beats = 2,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 1,  // Beats that the adder takes per cycle, unused here.
    parameter int unsigned Open = 2,  // Maximum number of products in flight, unused here.
    parameter int unsigned Tech = 0,  // Target technology, unused here.
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    /// Clock, rising edge. All ports are those of `montcore_ecc_engine` in hw/ecc/rtl.
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [Width-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [Width-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [Width-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [Width-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    input logic random_valid_i,
    output logic random_ready_o,
    input logic [Width-1:0] random_data_i,
    input logic random_fail_i,
    output logic core_start_o,
    output logic core_done_o,
    output logic [AddressBits-1:0] address_o,
    input logic [CodeBits-1:0] word_i,
    output logic mul_clear_o,
    input logic mul_busy_i,
    output logic [LengthBits-1:0] mul_length_o,
    input logic [BeatBits-1:0] mul_beats_i,
    input logic [LengthBits-1:0] mul_radix_i,
    output logic mul_cfg_valid_o,
    input logic mul_cfg_ready_i,
    output logic [Width-1:0] mul_cfg_data_o,
    output logic mul_order_o,
    input logic mul_cfg_done_i,
    output logic mul_valid_o,
    input logic mul_ready_i,
    output logic [Width-1:0] mul_x_o,
    output logic [Width-1:0] mul_y_o,
    output logic mul_last_o,
    input logic mul_z_valid_i,
    input logic [Width-1:0] mul_z_data_i,
    input logic mul_z_error_i
);
  logic x_begun_q = 1'b0, x_open_q = 1'b0, y_begun_q = 1'b0, y_open_q = 1'b0;
  logic cfg_begun_q = 1'b0, cfg_due_q = 1'b0, second_q = 1'b0, held_q = 1'b0, forgot_q = 1'b1;
  logic held_last_q, tag_q, cfg_moves, x_moves, y_moves, z_moves;
  // The proof cuts this register.
  logic [9:0] any_q;
  always_ff @(posedge clk_i) any_q <= ~any_q;
  assign {busy_o, cfg_ready_o, cfg_done_o, x_ready_o, y_ready_o} = any_q[9:5];
  assign {z_valid_o, z_last_o, random_ready_o, core_start_o, mul_clear_o} = any_q[4:0];
  // An answer carries its operation's tag. All engines refuse a curve with the same error.
  assign z_data_o = Width'(tag_q);
  assign cfg_error_o = 3'd4;
  assign {z_error_o, core_done_o, address_o, mul_length_o, mul_order_o} = '0;
  assign {mul_cfg_valid_o, mul_cfg_data_o, mul_valid_o, mul_x_o, mul_y_o, mul_last_o} = '0;
  assign cfg_moves = cfg_valid_i && cfg_ready_o;
  assign x_moves = x_valid_i && x_ready_o;
  assign y_moves = y_valid_i && y_ready_o;
  assign z_moves = z_valid_o && z_ready_i;
  always_ff @(posedge clk_i) begin
    forgot_q    <= !rst_ni || zeroize_i;
    held_q      <= z_valid_o && !z_ready_i;
    held_last_q <= z_last_o;
    if (cfg_moves) {cfg_begun_q, cfg_due_q} <= {!cfg_last_i, cfg_last_i};
    if (cfg_done_o) cfg_due_q <= 1'b0;
    if (x_moves) {x_begun_q, x_open_q} <= {!x_last_i, x_last_i};
    if (x_moves) tag_q <= x_data_i[0];
    if (y_moves) {y_begun_q, y_open_q} <= {!y_last_i, y_last_i};
    if (z_moves) second_q <= !z_last_o;
    if (z_moves && z_last_o) {x_open_q, y_open_q} <= '0;
    if (!rst_ni || zeroize_i) begin
      {x_begun_q, x_open_q, y_begun_q, y_open_q} <= '0;
      {cfg_begun_q, cfg_due_q, second_q, held_q} <= '0;
    end
  end
  always_comb begin
    m_pair : assume (!z_valid_o || (x_open_q && y_open_q));
    m_one : assume (!(x_ready_o && x_open_q) && !(y_ready_o && y_open_q));
    m_held : assume (!held_q || (z_valid_o && z_last_o == held_last_q));
    m_two : assume (!z_valid_o || z_last_o == second_q);
    m_alone :
    assume (!cfg_ready_o || !(x_begun_q || x_open_q || y_begun_q || y_open_q || x_ready_o ||
                              y_ready_o));
    m_due : assume (!cfg_ready_o || !cfg_due_q);
    m_begun : assume (!(cfg_begun_q || cfg_due_q) || !(x_ready_o || y_ready_o));
    m_done : assume (!cfg_done_o || cfg_due_q);
    m_busy :
    assume (busy_o || !(cfg_begun_q || (cfg_due_q && !cfg_done_o) || x_begun_q || x_open_q ||
                        y_begun_q || y_open_q || z_valid_o));
    m_silent : assume (!forgot_q || !(z_valid_o || cfg_done_o || core_start_o));
  end
endmodule
