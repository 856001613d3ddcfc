// SPDX-License-Identifier: Apache-2.0

/// The paper's first instruction: both halves of a 32 x 32 bit product from one multiplication.
///
/// op 0: result = a * b mod 2^32, the upper half is stored; op 1: result = the stored half
/// Precondition: op 1 follows op 0, any number of times; without op 0 it gives 0 after a clear.
/// Latency: 2 cycles for op 0 (operands, product), 1 for op 1.
/// Source: riscv-2021, section 4.2, first proposal.
/// Example: a = b = 0xffffffff: op 0 -> 0x00000001, op 1 -> 0xfffffffe.
module montcore_rvx_mul64 (
    input logic clk_i,
    /// Synchronous reset of control, active low; data is cleared by `clear_i` only.
    input logic rst_ni,
    /// Synchronous clear of every register with operands or results, active high.
    input logic clear_i,
    input logic start_i,  // Pulse: start an instruction; only while `ready_o` is high.
    input logic op_i,  // 0: multiply, 1: return the upper half of the last product.
    input logic [31:0] a_i,  // First factor, unsigned, valid with `start_i`.
    input logic [31:0] b_i,  // Second factor, unsigned, valid with `start_i`.
    output logic ready_o,  // High: an instruction may be started.
    output logic done_o,  // High: the instruction is complete; until `take_i`.
    output logic [31:0] result_o,  // Result of the instruction, valid with `done_o`.
    input logic take_i  // Pulse: the result is accepted, clears `done_o`.
);
  logic [31:0] a_q, b_q;
  logic [63:0] product_q;
  logic multiply_q, upper_q, done_q;

  assign ready_o  = !multiply_q;
  assign done_o   = done_q;
  assign result_o = upper_q ? product_q[63:32] : product_q[31:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      multiply_q <= 1'b0;
      done_q     <= 1'b0;
    end else begin
      multiply_q <= start_i && !op_i;
      if ((start_i && op_i) || multiply_q) begin
        done_q <= 1'b1;
      end else if (take_i) begin
        done_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      a_q       <= '0;
      b_q       <= '0;
      product_q <= '0;
      upper_q   <= 1'b0;
    end else begin
      if (start_i) begin
        upper_q <= op_i;
      end
      if (start_i && !op_i) begin
        a_q <= a_i;
        b_q <= b_i;
      end
      if (multiply_q) begin
        product_q <= 64'(a_q) * 64'(b_q);
      end
    end
  end
endmodule
