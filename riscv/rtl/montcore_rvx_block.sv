// SPDX-License-Identifier: Apache-2.0

/// The paper's second instruction: a 64 x 64 bit product, on one 32 x 32 bit multiplier in four
/// steps.
///
/// op 0: the first factor is {b, a}, result = 0
/// op 1: the second factor is {b, a}; result = bits 31..0 of the product
/// op 2, 3, 4: result = bits 63..32, 95..64, 127..96 of the product
/// Precondition: op 0 once, then op 1, then the others in any order.
/// Latency: 1 cycle for op 0; op 1 has its result after 2 cycles and occupies the multiplier for 5;
/// the others wait for it, and take 1 cycle.
/// Source: riscv-2021, section 4.2, second proposal; the products are those of its Table 5.
/// Example: both factors 2^64 - 1: words 0x00000001, 0, 0xfffffffe, 0xffffffff.
module montcore_rvx_block (
    input logic clk_i,
    /// Synchronous reset of control, active low; data is cleared by `clear_i` only.
    input logic rst_ni,
    /// Synchronous clear of every register with operands or results, active high.
    input logic clear_i,
    input logic start_i,  // Pulse: start an instruction; only while `ready_o` is high.
    input logic [2:0] op_i,  // 0: first factor, 1: second factor, 2 to 4: a word of the product.
    input logic [31:0] a_i,  // Lower word of a 64-bit factor.
    input logic [31:0] b_i,  // Upper word of a 64-bit factor.
    output logic ready_o,  // High: an instruction may be started.
    output logic done_o,  // High: the instruction is complete; until `take_i`.
    output logic [31:0] result_o,  // Result of the instruction, valid with `done_o`.
    input logic take_i  // Pulse: the result is accepted, clears `done_o`.
);
  logic [31:0] x0_q, x1_q, y0_q, y1_q;
  logic [127:0] product_q;
  logic [63:0] partial_q;
  logic [2:0] step_q;  // 1 to 4: the product of this step is computed; 5: the last product is added
  logic [1:0] word_q;
  logic done_q;
  logic [31:0] x, y;
  logic [95:0] upper_sum;

  // Steps: x0 * y0, x0 * y1, x1 * y0, x1 * y1. Each product is added one cycle after it is
  // computed.
  assign x = (step_q == 3'd1 || step_q == 3'd2) ? x0_q : x1_q;
  assign y = step_q[0] ? y0_q : y1_q;
  assign upper_sum = product_q[127:32] + (step_q == 3'd5 ? {partial_q, 32'd0} : {32'd0, partial_q});

  // The lowest word is final after the first product has been added, in step 2.
  assign ready_o = step_q == 3'd0;
  assign done_o = done_q;

  always_comb begin
    unique case (word_q)
      2'd0:    result_o = product_q[31:0];
      2'd1:    result_o = product_q[63:32];
      2'd2:    result_o = product_q[95:64];
      default: result_o = product_q[127:96];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q <= 3'd0;
      done_q <= 1'b0;
    end else begin
      if (start_i && op_i == 3'd1) begin
        step_q <= 3'd1;
      end else if (step_q == 3'd5) begin
        step_q <= 3'd0;
      end else if (step_q != 3'd0) begin
        step_q <= step_q + 3'd1;
      end
      if ((start_i && op_i != 3'd1) || step_q == 3'd2) begin
        done_q <= 1'b1;
      end else if (take_i) begin
        done_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      x0_q      <= '0;
      x1_q      <= '0;
      y0_q      <= '0;
      y1_q      <= '0;
      product_q <= '0;
      partial_q <= '0;
      word_q    <= '0;
    end else begin
      if (start_i) begin
        word_q <= op_i == 3'd2 ? 2'd1 : op_i == 3'd3 ? 2'd2 : op_i == 3'd4 ? 2'd3 : 2'd0;
      end
      if (start_i && op_i == 3'd0) begin
        x0_q <= a_i;
        x1_q <= b_i;
      end
      if (start_i && op_i == 3'd1) begin
        y0_q <= a_i;
        y1_q <= b_i;
      end
      if (step_q != 3'd0 && step_q != 3'd5) begin
        partial_q <= 64'(x) * 64'(y);
      end
      unique case (step_q)
        3'd2:             product_q <= {64'd0, partial_q};
        3'd3, 3'd4, 3'd5: product_q[127:32] <= upper_sum;
        default:          ;
      endcase
    end
  end
endmodule
