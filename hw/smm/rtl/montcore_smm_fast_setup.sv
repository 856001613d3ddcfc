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
  localparam int unsigned Steps = $clog2(WordBits);
  localparam int unsigned StepBits = $clog2(Steps + 1);

  typedef enum logic [1:0] {
    StIdle,
    StNewton,
    StPass
  } state_e;

  state_e state_q;
  logic [1:0] phase_q;
  logic [StepBits-1:0] step_q;
  logic newton, last_step;

  assign newton = state_q == StNewton;
  assign last_step = step_q == StepBits'(Steps - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:   if (start_i) state_q <= StNewton;
        StNewton: if (phase_q == 3 && last_step) state_q <= StPass;
        StPass:   if (finished_i) state_q <= StIdle;
        default:  state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!newton) begin
      phase_q <= '0;
      step_q  <= '0;
    end else begin
      phase_q <= phase_q + 1;
      if (phase_q == 3) step_q <= step_q + 1;
    end
  end

  // Phase 0: n0 x into the register; 1: n0 x + 2 becomes the multiplicand; 2: x (n0 x + 2) into
  // the register; 3: it becomes the factor, and n0 the multiplicand. The pass is asked for a cycle
  // early, so that it finds n0' leaving the multiplier.
  assign factor_one_o = (state_q == StIdle && start_i) || clear_i;
  assign take_n0_o = (state_q == StIdle && start_i) || (newton && phase_q == 3);
  assign plus_two_o = newton && phase_q == 1;
  assign take_product_o = plus_two_o;
  assign factor_load_o = newton && phase_q == 3;
  assign pass_o = newton && phase_q == 2 && last_step;
  assign active_o = state_q != StIdle;
  assign done_o = state_q == StPass && finished_i;
endmodule
