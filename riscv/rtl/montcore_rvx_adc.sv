// SPDX-License-Identifier: Apache-2.0

/// The paper's third instruction: addition with a carry flag in the unit.
///
/// op 0: result = a + b, carry out;  op 1: result = a + b + carry, carry out
/// Precondition: none.
/// Latency: 1 cycle, one instruction per cycle.
/// Source: riscv-2021, section 4.2, third proposal.
/// Example: op 0 with 0xffffffff + 1 -> 0; then op 1 with 2 + 3 -> 6.
module montcore_rvx_adc (
    input logic clk_i,
    /// Synchronous reset of control, active low; data is cleared by `clear_i` only.
    input logic rst_ni,
    /// Synchronous clear of every register with operands or results, active high.
    input logic clear_i,
    input logic start_i,  // Pulse: start an instruction; only while `ready_o` is high.
    input logic op_i,  // 0: addition without carry in, 1: with the carry flag as carry in.
    input logic [31:0] a_i,  // First addend, valid with `start_i`.
    input logic [31:0] b_i,  // Second addend, valid with `start_i`.
    output logic ready_o,  // High: an instruction may be started.
    output logic done_o,  // High: the instruction is complete; until `take_i`.
    output logic [31:0] result_o,  // Result of the instruction, valid with `done_o`.
    input logic take_i  // Pulse: the result is accepted, clears `done_o`.
);
  logic [32:0] sum_q;  // the top bit is the carry flag
  logic done_q;

  assign ready_o  = 1'b1;
  assign done_o   = done_q;
  assign result_o = sum_q[31:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q <= 1'b0;
    end else if (start_i) begin
      done_q <= 1'b1;
    end else if (take_i) begin
      done_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      sum_q <= '0;
    end else if (start_i) begin
      sum_q <= 33'(a_i) + 33'(b_i) + 33'({op_i & sum_q[32]});
    end
  end
endmodule
