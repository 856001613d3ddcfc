// SPDX-License-Identifier: Apache-2.0

/// Assumptions on how the exponentiator uses a lazy unit, and the signals that the proofs observe.
///
/// m_length, m_holds, m_waits: a length fits, changes only while idle, and one cycle before any
/// beat; m_no_gap: operand beats have no gaps; m_one, m_modulus: no operands come together with a
/// modulus, nor before it is set up. Packets are complete.
module modexp_lazy_traffic #(
    parameter int unsigned Length = 16,
    /// Cycles from the last beat of a modulus to its set-up, 2 or more.
    parameter int unsigned SetUp  = 8
) (
    input logic clk_i,
    input logic zeroize_i,
    output logic rst_no,  // Synchronous reset of the unit, active low: low in the first two cycles.
    input logic [5:0] length_i,  // Length of the modulus in bits.
    input logic [1:0] beats_i,  // Beats of an operand, reported by the unit, 1 or 2.
    input logic busy_i,  // Busy flag of the unit.
    input logic cfg_valid_i,
    input logic cfg_ready_i,
    output logic cfg_last_o,
    input logic xy_valid_i,  // Operand streams: valid, x and y together.
    input logic xy_ready_i,  // Operand streams: ready, x and y together.
    output logic xy_last_o,  // Operand streams: last beat.
    output logic begins_o,  // The first beat of operands is transferred.
    output logic second_o,  // The second beat of operands is due.
    output logic cfg_second_o,  // The second beat of a modulus is due.
    /// Bit k: the last beat of a modulus was transferred k cycles ago.
    output logic [SetUp:1] set_o,
    output logic setting_o  // High while a modulus is received or set up.
);
  logic rst_q, started_q;
  initial {rst_q, started_q} = 2'b00;
  always_ff @(posedge clk_i) {rst_q, started_q} <= {started_q, 1'b1};
  assign rst_no = rst_q;

  logic m_second_q, x_second_q, m_take, x_take, resting_q;
  logic [5:0] length_q;
  logic [SetUp:1] set_q;
  assign cfg_last_o = beats_i == 2'd1 || m_second_q;
  assign xy_last_o = beats_i == 2'd1 || x_second_q;
  assign m_take = cfg_valid_i && cfg_ready_i;
  assign x_take = xy_valid_i && xy_ready_i;
  always_ff @(posedge clk_i) begin
    length_q  <= length_i;
    resting_q <= rst_q && !busy_i;
    if (!rst_q || zeroize_i) begin
      set_q      <= '0;
      m_second_q <= 1'b0;
      x_second_q <= 1'b0;
    end else begin
      set_q <= {set_q[SetUp-1:1], m_take && cfg_last_o};
      if (m_take) m_second_q <= !cfg_last_o;
      if (x_take) x_second_q <= !xy_last_o;
    end
  end
  assign begins_o = x_take && !x_second_q;
  assign second_o = x_second_q;
  assign cfg_second_o = m_second_q;
  assign set_o = set_q;
  assign setting_o = set_q != '0 || m_second_q;

  always_comb begin
    m_length : assume (length_i >= 6'd2 && length_i <= 6'(Length));
    if (!resting_q || busy_i) m_holds : assume (length_i == length_q);
    if (length_i != length_q) m_waits : assume (!cfg_valid_i && !xy_valid_i);
    if (x_second_q && xy_ready_i) m_no_gap : assume (xy_valid_i);
    m_one : assume (!(cfg_valid_i && xy_valid_i));
    if (setting_o) m_modulus : assume (!xy_valid_i);
  end
endmodule
