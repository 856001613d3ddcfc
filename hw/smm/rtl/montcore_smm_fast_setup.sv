// SPDX-License-Identifier: Apache-2.0

/// Makes the constants of a new modulus: n0' by Newton steps, then the pass n0' * M.
///
/// Each step x <- x (n0 x + 2) takes four cycles and doubles the right bits of x = -1 / n0.
/// Precondition: start_i only while the datapath is idle; M odd and in the memories.
/// Latency: 4 log2(WordBits) + 1 cycles to the pass n0' * M.
/// Source: smm-2021 takes n0* as pre-computed.
/// Example, WordBits = 4, n0 = 0xb: x = 1, 0xd (4 bits right after 2 steps: 0xb * 0xd = 0x8f).
module montcore_smm_fast_setup #(
    /// Word size w in bits, a power of two.
    parameter int unsigned WordBits = 32
) (
    /// Clock, rising edge.
    input  logic clk_i,
    /// Synchronous reset, active low.
    input  logic rst_ni,
    /// Abandon.
    input  logic clear_i,
    /// Begin.
    input  logic start_i,
    /// The scaled modulus has been written.
    input  logic finished_i,
    /// The multiplicand takes word 0 of M.
    output logic take_n0_o,
    /// The multiplicand takes the product.
    output logic take_product_o,
    /// The product leaving is to be increased by two.
    output logic plus_two_o,
    /// The factor becomes 1.
    output logic factor_one_o,
    /// The factor takes the product.
    output logic factor_load_o,
    /// Ask for the pass n0' * M.
    output logic pass_o,
    /// The constants are being made.
    output logic active_o,
    /// The constants are ready.
    output logic done_o
);
  logic [1:0] phase;
  logic newton, last_step, beginning, unused_first;

  montcore_smm_newton #(
      .WordBits(WordBits)
  ) u_newton (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear_i),
      .start_i     (start_i),
      .finished_i  (finished_i),
      .begin_o     (beginning),
      .newton_o    (newton),
      .phase_o     (phase),
      .first_step_o(unused_first),
      .last_step_o (last_step),
      .active_o    (active_o),
      .done_o      (done_o)
  );

  // Phase 0: n0 x into the register; 1: n0 x + 2 becomes the multiplicand; 2: x (n0 x + 2) into
  // the register; 3: it becomes the factor, and n0 the multiplicand. The pass is asked for a cycle
  // early, so that it finds n0' leaving the multiplier.
  assign factor_one_o = beginning || clear_i;
  assign take_n0_o = beginning || (newton && phase == 3);
  assign plus_two_o = newton && phase == 1;
  assign take_product_o = plus_two_o;
  assign factor_load_o = newton && phase == 3;
  assign pass_o = newton && phase == 2 && last_step;
endmodule
