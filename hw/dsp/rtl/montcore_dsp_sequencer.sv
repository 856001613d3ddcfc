// SPDX-License-Identifier: Apache-2.0

/// Sequence of half-iterations: the operation, the iteration, and the pair in the half-iteration.
///
/// A product has n + 2 iterations, counted from 0; q and a reduction have 2. An iteration has a
/// half-iteration with A and one with the modulus. The first of them shifts S.
/// A half-iteration whose operand is always 0 is left out:
///   in a product, with the modulus in iterations 0 and 1, with A in iterations n and n + 1;
///   in q, with the modulus in every iteration;
///   in a reduction, with A in iteration 0.
/// If a half-iteration has one pair, a product leaves none out: its quotient digits would be late.
/// Precondition: digits_i and last_slot_i are constant while run_o is high; digits_i >= 2.
/// Latency: run_o one tick after begin_o, which waits for the end of a half-iteration, or when idle
/// follows launch_i at once. Operations follow each other without a pause, except where a
/// half-iteration has one pair: one passes before a product, and two before q and a reduction.
/// Source: dsp48-2007, Algorithm 2.
/// Example, last_slot_i = 1, op_i = OpReduce: 6 ticks of run_o, for 0 with the modulus, 1 with A
/// and with the modulus.
module montcore_dsp_sequencer #(
    parameter int unsigned DigitBits = 6,  // Width of a word count in bits.
    parameter int unsigned SlotBits  = 1   // Width of a pair index in a block in bits.
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic rst_ni,
    input logic clear_i,
    input logic [DigitBits-1:0] digits_i,  // Words n of the present modulus.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic launch_i,  // High until begin_o: start an operation.
    input logic [1:0] op_i,  // Operation to start, `montcore_dsp_pkg::Op...`; valid with launch_i.
    input logic at_rest_i,  // High: the row is idle, the next operation may start in any tick.
    output logic begin_o,  // High: the operation starts in the next tick.
    output logic start_o,  // Pulse of one tick, two ticks after begin_o: a product has started.
    output logic run_o,  // High while half-iterations are in progress.
    output logic [1:0] op_o,  // Operation in progress, `montcore_dsp_pkg::Op...`.
    output logic [DigitBits-1:0] iteration_o,  // Index of the iteration in the operation.
    /// High: iteration_o >= n, B has no word for the iteration; valid in a product.
    output logic beyond_o,
    output logic multiply_m_o,  // High: the half-iteration is that of the modulus.
    output logic shift_o,  // High: the half-iteration shifts S, as the first one of its iteration.
    output logic complete_o,  // High: the half-iteration completes its iteration.
    output logic [SlotBits-1:0] slot_o,  // Index of the pair in the half-iteration.
    output logic slot_first_o,  // High: the pair is the first of the half-iteration.
    output logic last_half_o  // High in the last half-iteration of the operation.
);
  import montcore_dsp_pkg::OpProduct;
  import montcore_dsp_pkg::OpDigits;
  import montcore_dsp_pkg::OpReduce;
  import montcore_dsp_pkg::OpSetup;

  logic [1:0] op_q;
  logic run_q, ran_q, multiply_m_q, shift_q, slot_last, every, with_m, next_with_a, digits_next;
  logic [ SlotBits-1:0] slot_q;
  logic [DigitBits-1:0] iteration_q;
  // What iteration_q is compared with, computed one iteration ahead: much depends on it, also outside
  // the engine. It is below n - 1; n or more; the last one.
  logic below_q, beyond_q, last_iteration_q;

  // Whether the present iteration has a half-iteration with the modulus, and the next one with A.
  assign every = last_slot_i == '0;
  always_comb begin
    if (op_q == OpProduct) begin
      with_m = every || iteration_q[DigitBits-1:1] != '0;
      next_with_a = every || below_q;
    end else begin
      with_m = op_q != OpDigits;
      next_with_a = 1'b1;
    end
  end
  assign slot_last = slot_q >= last_slot_i;
  // Half-iterations of one pair: the operands of q and of a reduction are digits, which are later.
  assign digits_next = op_i == OpDigits || op_i == OpReduce;
  assign begin_o     = launch_i && slot_last &&
                       (every ? !run_q && !(ran_q && digits_next) : !run_q || last_half_o);
  assign complete_o = multiply_m_q || !with_m;
  assign last_half_o = complete_o && last_iteration_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_q <= '0;
    else if (tick_i) slot_q <= at_rest_i ? last_slot_i : slot_last ? '0 : slot_q + 1;
    if (!rst_ni || clear_i) begin
      run_q <= 1'b0;
      ran_q <= 1'b0;
    end else if (tick_i) begin
      ran_q <= run_q;
      if (begin_o) run_q <= 1'b1;
      else if (slot_last && last_half_o) run_q <= 1'b0;
    end
    if (tick_i) begin
      if (begin_o) begin
        op_q             <= op_i;
        iteration_q      <= '0;
        below_q          <= 1'b1;
        beyond_q         <= 1'b0;
        last_iteration_q <= 1'b0;
        multiply_m_q     <= op_i == OpReduce || op_i == OpSetup;
        shift_q          <= 1'b1;
      end else if (slot_last) begin
        multiply_m_q <= complete_o ? !next_with_a : 1'b1;
        shift_q      <= complete_o;
        if (complete_o) begin
          iteration_q      <= iteration_q + 1;
          below_q          <= (DigitBits + 1)'(iteration_q) + 2 < (DigitBits + 1)'(digits_i);
          beyond_q         <= !below_q;
          last_iteration_q <= iteration_q == ((op_q == OpProduct) ? digits_i : '0);
        end
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
  assign beyond_o = beyond_q;
  assign multiply_m_o = multiply_m_q;
  assign shift_o = shift_q;
  assign slot_o = slot_q;
  assign slot_first_o = slot_q == '0;
endmodule
