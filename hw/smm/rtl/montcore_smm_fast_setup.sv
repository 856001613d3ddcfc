// SPDX-License-Identifier: Apache-2.0

/// Sequencer for the constants of a new modulus: n0' by Newton steps, then the pass n0' * M.
///
/// Each step x <- x (n0 x + 2) takes four cycles and doubles the correct bits of x = -1 / n0.
/// Precondition: start_i only while the datapath is idle; M odd and in the memories.
/// Latency: 4 log2(WordBits) + 1 cycles to the pass n0' * M.
/// Source: smm-2021 assumes n0* to be precomputed.
/// Example, WordBits = 4, n0 = 0xb: x = 1, 0xd (4 bits right after 2 steps: 0xb * 0xd = 0x8f).
module montcore_smm_fast_setup #(
    parameter int unsigned WordBits = 32  // Word size w in bits, a power of two.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; abandons the set-up.
    input logic start_i,  // Pulse: start the set-up.
    input logic finished_i,  // High: the scaled modulus has been written.
    output logic take_n0_o,  // Load the multiplicand with word 0 of M.
    output logic take_product_o,  // Load the multiplicand with the product.
    output logic plus_two_o,  // Add two to the product that is output.
    output logic factor_one_o,  // Set the factor to 1.
    output logic factor_load_o,  // Load the factor with the product.
    output logic pass_o,  // Request the pass n0' * M.
    output logic active_o,  // High while the constants are computed.
    output logic done_o  // Pulse: the constants are ready.
);
  logic [1:0] phase;
  logic newton, last_step, beginning, unused_first;

  montcore_smm_newton #(
      .WordBits(WordBits)
  ) u_newton (
      .begin_o     (beginning),
      .newton_o    (newton),
      .phase_o     (phase),
      .first_step_o(unused_first),
      .last_step_o (last_step),
      .*
  );

  // Phase 0: n0 x into the register; 1: n0 x + 2 becomes the multiplicand; 2: x (n0 x + 2) into
  // the register; 3: it becomes the factor, and n0 the multiplicand. The pass is requested one
  // cycle early, so that it coincides with n0' at the multiplier's output.
  assign factor_one_o = beginning || clear_i;
  assign take_n0_o = beginning || (newton && phase == 3);
  assign plus_two_o = newton && phase == 1;
  assign take_product_o = plus_two_o;
  assign factor_load_o = newton && phase == 3;
  assign pass_o = newton && phase == 2 && last_step;
endmodule
