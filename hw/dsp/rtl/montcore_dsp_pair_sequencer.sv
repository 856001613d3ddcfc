// SPDX-License-Identifier: Apache-2.0

/// Half-iterations of one of the two operations that share a row: `montcore_dsp_sequencer`, but a
/// half-iteration is issued only when it is granted.
///
/// An operation has the iterations and half-iterations that `montcore_dsp_sequencer` defines. In
/// iterations 0 .. n - 1 of a square the half-iteration with A is a part of a triangle, in the
/// blocks from block_o on (Second = 0) or in those below block_o (Second = 1). For iteration i,
/// block_o r + word_o is i with Second = 0 and i + 1 + r with Second = 1: in both cases the first
/// place at which the other half of the row may take over.
/// Precondition: digits_i and last_slot_i are constant while an operation is in progress; square_i
/// only with last_slot_i > 0.
/// Latency: run_o and the half-iteration one tick after its grant.
/// Source: dsp48-2007, Algorithm 2.
/// Example, Second = 1, last_slot_i = 1, a square: iteration 0 has block_o = 1 and word_o = 1.
module montcore_dsp_pair_sequencer #(
    parameter bit Second = 1'b0,  // 0: the upper triangle of a square; 1: the lower one.
    parameter int unsigned DigitBits = 6,  // Width of a word count in bits.
    parameter int unsigned SlotBits = 1,  // Width of a pair index in a block in bits.
    parameter int unsigned BlockBits = 5  // Width of a count of blocks in bits.
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic rst_ni,
    input logic clear_i,
    input logic [DigitBits-1:0] digits_i,  // Words n of the present modulus.
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic slot_last_i,  // High in the last tick of a half-iteration of the row.
    input logic launch_i,  // High until begin_o: start an operation.
    input logic [1:0] op_i,  // Operation to start, `montcore_dsp_pkg::Op...`; valid with launch_i.
    input logic square_i,  // High: the product to start is a square; valid with launch_i.
    /// High: the next half-iteration may begin in the next tick; used with slot_last_i.
    input logic grant_i,
    output logic want_o,  // High: there is a half-iteration to issue.
    output logic active_o,  // High: an operation has begun and is not issued to its end.
    output logic in_square_o,  // High: the operation in progress or to start is a square.
    output logic next_part_o,  // High: the next half-iteration is a part of a triangle.
    output logic parts_left_o,  // High: of a square a part of a triangle is still to be issued.
    output logic [DigitBits-1:0] next_step_o,  // Iteration of the next half-iteration with A.
    output logic begin_o,  // High: the operation starts in the next tick.
    output logic run_o,  // High while a half-iteration of this operation is at the first block.
    /// Operation, `montcore_dsp_pkg::Op...`; this and the rest are valid with run_o.
    output logic [1:0] op_o,
    output logic [DigitBits-1:0] iteration_o,  // Index of the iteration in the operation.
    output logic multiply_m_o,  // High: the half-iteration is that of the modulus.
    output logic shift_o,  // High: the half-iteration shifts S, as the first one of its iteration.
    output logic complete_o,  // High: the half-iteration completes its iteration.
    output logic last_half_o,  // High in the last half-iteration of the operation.
    output logic triangle_o,  // High: the iteration has a part of a triangle.
    output logic [BlockBits-1:0] block_o,  // Block of the part's border.
    output logic [SlotBits:0] word_o  // Word of the part's border in that block.
);
  import montcore_dsp_pkg::OpProduct;
  import montcore_dsp_pkg::OpDigits;
  import montcore_dsp_pkg::OpReduce;
  import montcore_dsp_pkg::OpSetup;

  // The next half-iteration: registers while an operation is in progress, else the first one of the
  // operation to start.
  logic active_q, multiply_m_q, shift_q, square_q, run_q, ran_q;
  logic [1:0] op_q, op;
  logic [DigitBits-1:0] iteration_q, iteration, last_iteration;
  logic [BlockBits-1:0] block_q, block;
  logic [SlotBits:0] word_q, word;
  logic multiply_m, shift, square, every, with_m, next_with_a, complete, last, word_last, free;

  assign every = last_slot_i == '0;
  always_comb begin
    if (active_q) begin
      op         = op_q;
      iteration  = iteration_q;
      multiply_m = multiply_m_q;
      shift      = shift_q;
      square     = square_q;
      block      = block_q;
      word       = word_q;
    end else begin
      op         = op_i;
      iteration  = '0;
      multiply_m = op_i == OpReduce || op_i == OpSetup;
      shift      = 1'b1;
      square     = square_i && op_i == OpProduct;
      block      = BlockBits'(Second);
      word       = (SlotBits + 1)'(Second);
    end
  end
  // Whether the iteration has a half-iteration with the modulus, and the one after it one with A.
  always_comb begin
    if (op == OpProduct) begin
      last_iteration = digits_i + 1;
      with_m = every || iteration[DigitBits-1:1] != '0;
      next_with_a = every || iteration < digits_i - 1;
    end else begin
      last_iteration = DigitBits'(1);
      with_m = op != OpDigits;
      next_with_a = 1'b1;
    end
  end
  assign complete     = multiply_m || !with_m;
  assign last         = complete && iteration == last_iteration;
  assign word_last    = word == {last_slot_i, 1'b1};

  // Half-iterations of one pair: the digits that the next operation needs come later.
  assign free         = !every || (!run_q && !(ran_q && (op_i == OpDigits || op_i == OpReduce)));
  assign want_o       = active_q || (launch_i && free);
  assign active_o     = active_q;
  assign in_square_o  = square && want_o;
  assign next_part_o  = in_square_o && !multiply_m;
  assign next_step_o  = iteration + DigitBits'(multiply_m);
  assign parts_left_o = in_square_o && next_step_o < digits_i;
  assign begin_o      = slot_last_i && grant_i && !active_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      active_q <= 1'b0;
      run_q    <= 1'b0;
      ran_q    <= 1'b0;
    end else if (tick_i && slot_last_i) begin
      run_q <= grant_i;
      ran_q <= run_q;
      if (grant_i) active_q <= !last;
    end
    if (tick_i && slot_last_i && grant_i) begin
      op_q         <= op;
      square_q     <= square;
      iteration_q  <= iteration + DigitBits'(complete);
      multiply_m_q <= complete ? !next_with_a : 1'b1;
      shift_q      <= complete;
      block_q      <= block + BlockBits'(complete && word_last);
      word_q       <= !complete ? word : word_last ? '0 : word + 1'b1;
      // The half-iteration that is issued.
      op_o         <= op;
      iteration_o  <= iteration;
      multiply_m_o <= multiply_m;
      shift_o      <= shift;
      complete_o   <= complete;
      last_half_o  <= last;
      triangle_o   <= square && iteration < digits_i;
      block_o      <= block;
      word_o       <= word;
    end
  end
  assign run_o = run_q;
endmodule
