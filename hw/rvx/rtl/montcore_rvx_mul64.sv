// SPDX-License-Identifier: Apache-2.0

/// The paper's first instruction: both halves of a 32 x 32 bit product from one multiplication.
///
/// op 0: result = a * b mod 2^32, and the upper half is kept;  op 1: result = the half that was kept
/// Precondition: op 1 comes after op 0 (any number of times; before the first it gives 0 after a clear).
/// Latency: 2 cycles for op 0 (operands, product), 1 for op 1.
/// Source: riscv-2021, section 4.2, first proposal.
/// Example: a = b = 0xffffffff: op 0 -> 0x00000001, op 1 -> 0xfffffffe.
module montcore_rvx_mul64 (
    /// Clock, rising edge.
    input  logic        clk_i,
    /// Synchronous reset of control, active low; data is cleared by `clear_i` alone.
    input  logic        rst_ni,
    /// Clears every register that held an operand or a result.
    input  logic        clear_i,
    /// An instruction is taken; only while `ready_o`.
    input  logic        start_i,
    /// 0: multiply, 1: the upper half.
    input  logic        op_i,
    /// First factor.
    input  logic [31:0] a_i,
    /// Second factor.
    input  logic [31:0] b_i,
    /// The unit can take an instruction.
    output logic        ready_o,
    /// The instruction is done; stays until `take_i`.
    output logic        done_o,
    /// Its result, valid with `done_o`.
    output logic [31:0] result_o,
    /// The result is taken.
    input  logic        take_i
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
