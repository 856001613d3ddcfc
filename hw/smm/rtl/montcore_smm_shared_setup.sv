// SPDX-License-Identifier: Apache-2.0

/// Sequencer for the constants of a new modulus in element 0: n0' by Newton steps, then the pass
/// n0' * M.
///
/// x = n0 + 2, then x <- x (n0 x + 2): each step doubles the correct bits of x = -1 / n0, from x =
/// 1 on.
/// Precondition: start_i only while the datapath is idle; M odd and in the memories; the product of a
/// slot is captured, and available, two cycles after the slot.
/// Latency: 4 log2(WordBits) + 1 cycles to the pass n0' * M.
/// Source: smm-2021 assumes n0* to be precomputed.
/// Example, WordBits = 4, n0 = 0xb: x = 1, 0xd (4 bits right after 2 steps: 0xb * 0xd = 0x8f).
module montcore_smm_shared_setup #(
    parameter int unsigned WordBits = 32  // Word size w in bits, a power of two.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; abandons the set-up.
    input logic start_i,  // Pulse: start the set-up.
    input logic finished_i,  // High: the scaled modulus has been written.
    output logic times_m_o,  // Slot: the captured word times word 0 of M.
    output logic one_o,  // High: one replaces the captured word in the slot.
    output logic times_inverse_o,  // Slot: the captured word times the stored inverse.
    output logic plus_two_o,  // High: add two to the product being captured.
    output logic keep_o,  // High: the product being captured is the inverse to store.
    output logic pass_o,  // Request the pass n0' * M.
    output logic active_o,  // High while the constants are computed.
    output logic done_o  // Pulse: the constants are ready.
);
  logic [1:0] phase;
  logic newton, first_step, last_step, unused_begin;
  logic add_m_q, add_a_q, keep_m_q, keep_a_q;

  montcore_smm_newton #(
      .WordBits(WordBits)
  ) u_newton (
      .begin_o     (unused_begin),
      .newton_o    (newton),
      .phase_o     (phase),
      .first_step_o(first_step),
      .last_step_o (last_step),
      .*
  );

  // Phase 0: n0 x; 2: x (n0 x + 2), with x from the memory. In the first step x = 1, and phase 2
  // computes n0 + 2. The slots pass the stages R, M and A; the pass is requested one cycle early.
  assign times_m_o = newton && ((phase == 0 && !first_step) || one_o);
  assign one_o = newton && phase == 2 && first_step;
  assign times_inverse_o = newton && phase == 2 && !first_step;
  assign pass_o = newton && phase == 3 && last_step;

  always_ff @(posedge clk_i) begin
    add_m_q  <= times_m_o && rst_ni && !clear_i;
    add_a_q  <= add_m_q && rst_ni && !clear_i;
    keep_m_q <= newton && phase == 2 && rst_ni && !clear_i;
    keep_a_q <= keep_m_q && rst_ni && !clear_i;
  end
  assign plus_two_o = add_a_q;
  assign keep_o = keep_a_q;
endmodule
