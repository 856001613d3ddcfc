// SPDX-License-Identifier: Apache-2.0

/// Multiply-accumulate into 96 bits, for the sum of a column of word products; our own instruction.
///
/// op 0: sum += a * b, result = 0;  op 1: result = sum mod 2^32, sum >>= 32;  op 2: sum = 0, result = 0
/// Wide (160 bits, the sum of a column of 64-bit blocks): op 3: sum += a * b * 2^32, op 4: * 2^64.
/// Precondition: fewer than 2^32 products between two shifts.
/// Latency: 1 cycle for op 0 and 2, one instruction per cycle: the host does not wait for the sum.
/// op 1 waits up to 2 cycles until the last products have been added, and takes 1 cycle.
/// Source: ours; the columns are those of riscv-2021, section 3.2, with words for limbs.
/// Example: op 2, op 0 with 0xffffffff * 0xffffffff twice, op 1 three times -> 2, 0xfffffffc, 1.
module montcore_rvx_mac #(
    /// 1: accumulate into 160 bits, at three weights; 0: into 96 bits.
    parameter  bit          Wide    = 1'b0,
    /// Width of the accumulator in bits; do not change.
    localparam int unsigned SumBits = Wide ? 160 : 96
) (
    input logic clk_i,
    /// Synchronous reset of control, active low; data is cleared by `clear_i` only.
    input logic rst_ni,
    /// Synchronous clear of every register with operands or results, active high.
    input logic clear_i,
    input logic start_i,  // Pulse: start an instruction; only while `ready_o` is high.
    /// 0: accumulate, 1: read and shift, 2: clear; Wide: 3, 4: accumulate at 2^32, 2^64.
    input logic [2:0] op_i,
    input logic [31:0] a_i,  // First factor, unsigned, valid with `start_i`.
    input logic [31:0] b_i,  // Second factor, unsigned, valid with `start_i`.
    output logic ready_o,  // High: an instruction may be started.
    output logic done_o,  // High: the instruction is complete; until `take_i`.
    output logic [31:0] result_o,  // Result of the instruction, valid with `done_o`.
    input logic take_i  // Pulse: the result is accepted, clears `done_o`.
);
  logic [31:0] a_q, b_q, result_q;
  logic [63:0] product_q;
  logic [SumBits-1:0] sum_q, addend;
  logic multiply_q, add_q, done_q, multiply;

  assign multiply = op_i == 3'd0 || (Wide && (op_i == 3'd3 || op_i == 3'd4));
  assign ready_o  = multiply || !(multiply_q || add_q);
  assign done_o   = done_q;
  assign result_o = result_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      multiply_q <= 1'b0;
      add_q      <= 1'b0;
      done_q     <= 1'b0;
    end else begin
      multiply_q <= start_i && multiply;
      add_q      <= multiply_q;
      if (start_i) begin
        done_q <= 1'b1;
      end else if (take_i) begin
        done_q <= 1'b0;
      end
    end
  end

  if (Wide) begin : g_weights
    logic [1:0] weight_q, weight_product_q;

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        weight_q         <= '0;
        weight_product_q <= '0;
      end else begin
        weight_q         <= op_i == 3'd3 ? 2'd1 : op_i == 3'd4 ? 2'd2 : 2'd0;
        weight_product_q <= weight_q;
      end
    end

    always_comb begin
      unique case (weight_product_q)
        2'd0:    addend = {96'd0, product_q};
        2'd1:    addend = {64'd0, product_q, 32'd0};
        default: addend = {32'd0, product_q, 64'd0};
      endcase
    end
  end else begin : g_one_weight
    assign addend = {32'd0, product_q};
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      a_q       <= '0;
      b_q       <= '0;
      product_q <= '0;
      sum_q     <= '0;
      result_q  <= '0;
    end else begin
      if (start_i && multiply) begin
        a_q <= a_i;
        b_q <= b_i;
      end
      if (multiply_q) begin
        product_q <= 64'(a_q) * 64'(b_q);
      end
      if (start_i) begin
        result_q <= op_i == 3'd1 ? sum_q[31:0] : '0;
      end
      if (add_q) begin
        sum_q <= sum_q + addend;
      end else if (start_i && op_i == 3'd1) begin
        sum_q <= {32'd0, sum_q[SumBits-1:32]};
      end else if (start_i && op_i == 3'd2) begin
        sum_q <= '0;
      end
    end
  end
endmodule
