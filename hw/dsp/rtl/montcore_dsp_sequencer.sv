// SPDX-License-Identifier: Apache-2.0

/// Half-iterations of one operation after the other: which one it is, and the pair in it.
///
/// An operation is iterations 0 .. last, each a half-iteration with A and one with the modulus, and a
/// half-iteration is last_slot_i + 1 ticks: n + 2 iterations for a product, 2 for q, 4 for a reduction.
/// Precondition: digits_i and last_slot_i do not change while run_o is high.
/// Latency: run_o one tick after begin_o, which waits for the end of a half-iteration, or at rest
/// follows launch_i at once.
/// Source: dsp48-2007, Algorithm 2.
/// Example, last_slot_i = 1, op_i = OpDigits: 8 ticks of run_o.
module montcore_dsp_sequencer #(
    /// Bits of a word count.
    parameter int unsigned DigitBits = 6,
    /// Bits of a pair number in a block.
    parameter int unsigned SlotBits  = 1
) (
    /// Clock, rising edge.
    input logic clk_i,
    /// The edge counts.
    input logic tick_i,
    /// Synchronous reset, active low: clears control, not data.
    input logic rst_ni,
    /// High while everything is cleared.
    input logic clear_i,
    /// Words n of the modulus in force.
    input logic [DigitBits-1:0] digits_i,
    /// Pairs of a half-iteration less one.
    input logic [SlotBits-1:0] last_slot_i,
    /// High until begin_o: an operation is due.
    input logic launch_i,
    /// Which one, `montcore_dsp_pkg::Op...`.
    input logic [1:0] op_i,
    /// Nothing is under way: the next operation may begin in any tick.
    input logic at_rest_i,
    /// It begins in the next tick.
    output logic begin_o,
    /// Pulse (one tick), two ticks after begin_o: a product has begun.
    output logic start_o,
    /// High while half-iterations follow each other.
    output logic run_o,
    /// Operation under way.
    output logic [1:0] op_o,
    /// Number of the iteration.
    output logic [DigitBits-1:0] iteration_o,
    /// The half-iteration is that of the modulus.
    output logic multiply_m_o,
    /// Number of the pair in the half-iteration.
    output logic [SlotBits-1:0] slot_o,
    /// It is the first.
    output logic slot_first_o,
    /// The half-iteration is the last of the operation.
    output logic last_half_o
);
  import montcore_dsp_pkg::OpProduct;
  import montcore_dsp_pkg::OpDigits;

  logic [1:0] op_q;
  logic run_q, multiply_m_q, slot_last;
  logic [SlotBits-1:0] slot_q;
  logic [DigitBits-1:0] iteration_q, last_iteration;

  always_comb begin
    unique case (op_q)
      OpProduct: last_iteration = digits_i + 1;
      OpDigits:  last_iteration = DigitBits'(1);
      default:   last_iteration = DigitBits'(3);
    endcase
  end
  assign slot_last   = slot_q >= last_slot_i;
  assign begin_o     = launch_i && !run_q && slot_last;
  assign last_half_o = multiply_m_q && iteration_q == last_iteration;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_q <= '0;
    else if (tick_i) slot_q <= at_rest_i ? last_slot_i : slot_last ? '0 : slot_q + 1;
    if (!rst_ni || clear_i) begin
      run_q <= 1'b0;
    end else if (tick_i) begin
      if (begin_o) run_q <= 1'b1;
      else if (slot_last && last_half_o) run_q <= 1'b0;
    end
    if (tick_i) begin
      if (begin_o) begin
        op_q         <= op_i;
        iteration_q  <= '0;
        multiply_m_q <= 1'b0;
      end else if (slot_last) begin
        multiply_m_q <= !multiply_m_q;
        if (multiply_m_q) iteration_q <= iteration_q + 1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      start_o <= 1'b0;
    end else if (tick_i) begin
      start_o <= run_q && op_q == OpProduct && iteration_q == '0 && !multiply_m_q && slot_first_o;
    end
  end
  assign run_o = run_q;
  assign op_o = op_q;
  assign iteration_o = iteration_q;
  assign multiply_m_o = multiply_m_q;
  assign slot_o = slot_q;
  assign slot_first_o = slot_q == '0;
endmodule
