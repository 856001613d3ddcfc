// SPDX-License-Identifier: Apache-2.0

/// Counts the Newton steps for n0' of a new modulus, four cycles each, then waits for the set-up
/// pass.
///
/// newton_o is high for 4 log2(WordBits) cycles from the one after start_i on; phase_o counts 0 to
/// 3 in each step; then active_o stays high until finished_i.
/// Precondition: start_i only while active_o is low.
/// Latency: 4 log2(WordBits) + 1 cycles from start_i to the first cycle in which finished_i is
/// sampled.
/// Source: smm-2021 assumes n0* to be precomputed.
/// Example, WordBits = 4: start, two steps of phases 0 1 2 3, then until finished_i.
module montcore_smm_newton #(
    parameter int unsigned WordBits = 32  // Word size w in bits, a power of two.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; abandons the set-up.
    input logic start_i,  // Pulse: start the set-up.
    input logic finished_i,  // High: the scaled modulus has been written.
    output logic begin_o,  // High: phase 0 of the first step is the next cycle.
    output logic newton_o,  // High: a step is in progress.
    output logic [1:0] phase_o,  // Cycle of the step, 0 to 3.
    output logic first_step_o,  // High: the step is the first one.
    output logic last_step_o,  // High: the step is the last one.
    output logic active_o,  // High while the constants are computed.
    output logic done_o  // Pulse: the constants are ready.
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:   if (start_i) state_q <= StNewton;
        StNewton: if (phase_q == 3 && last_step_o) state_q <= StPass;
        StPass:   if (finished_i) state_q <= StIdle;
        default:  state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!newton_o) begin
      phase_q <= '0;
      step_q  <= '0;
    end else begin
      phase_q <= phase_q + 1;
      if (phase_q == 3) step_q <= step_q + 1;
    end
  end

  assign begin_o = state_q == StIdle && start_i;
  assign newton_o = state_q == StNewton;
  assign phase_o = phase_q;
  assign first_step_o = step_q == '0;
  assign last_step_o = step_q == StepBits'(Steps - 1);
  assign active_o = state_q != StIdle;
  assign done_o = state_q == StPass && finished_i;
endmodule
