// SPDX-License-Identifier: Apache-2.0

/// Sequence of operations of the engine: set-up of a modulus, products, and their reduction.
///
/// A product that is reduced is followed by the two digits of q and by the reduction, without a
/// pause; the next product follows without a pause if start_i has come by then.
/// Precondition: m_we_i only while busy_o is low; start_i only after ready_o, and not again before
/// the product has begun; operands come as `montcore_dsp_engine` requires.
/// Latency: launch_o follows start_i in the same tick, if nothing is in progress.
/// Source: dsp48-2007, Figure 6.
/// Example, z_free_i = 0 at the end of a reduced product: it waits there until z_free_i = 1.
module montcore_dsp_control #(
    parameter int unsigned DigitBits = 6,  // Width of a word count in bits.
    parameter int unsigned SlotBits  = 1   // Width of a pair index in a block in bits.
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic rst_ni,
    input logic clear_i,
    input logic [SlotBits-1:0] last_slot_i,  // Pairs of a half-iteration minus 1.
    input logic m_we_i,  // A pair of m is valid.
    input logic start_i,  // Pulse of one tick: start a product.
    input logic final_i,  // High: reduce the product; sampled with start_i.
    input logic z_free_i,  // High: a reduced result can be output.
    input logic we_i,  // High: the operand memories are written.
    input logic we_last_i,  // Last pair or row of a number; valid with we_i.
    input logic inverse_done_i,  // Pulse of one tick: M' is ready.
    input logic begin_i,  // High: the operation launch_o asks for begins in the next tick.
    input logic run_i,  // High while half-iterations are in progress.
    input logic [1:0] op_i,  // Operation in progress, `montcore_dsp_pkg::Op...`.
    input logic [DigitBits-1:0] iteration_i,  // Index of the iteration in the operation.
    /// High: it is n or more, the words of B have been read; valid in a product.
    input logic beyond_i,
    input logic [SlotBits-1:0] slot_i,  // Index of the pair in the half-iteration.
    input logic ends_i,  // High in the first tick of the last half-iteration of an operation.
    output logic launch_o,  // High until begin_i: start an operation.
    output logic [1:0] op_o,  // Operation to start, valid with launch_o.
    output logic load_o,  // High: m is written to the operand memories.
    output logic zero_o,  // High: region A is filled with zeros.
    output logic setup_o,  // High: M'' is computed and written to the operand memories.
    output logic setup_done_o,  // Pulse of one tick: the constants of the modulus are ready.
    output logic final_o,  // High: the product in progress is reduced.
    /// High: a result from the row leaves the engine; constant while its first pair is output.
    output logic send_o,
    /// High: the result from the row is a reduced product, or M''; constant while it is output.
    output logic reduced_o,
    /// High: operands of the next product may be written from two ticks later on, a pair per tick.
    output logic ready_o,
    output logic busy_o  // High while a set-up or product is in progress or pending.
);
  import montcore_dsp_pkg::*;

  typedef enum logic [2:0] {
    StIdle,
    StLoad,
    StInverse,
    StZero,
    StSetup,
    StSetupPairs,
    StProduct,
    StReduce
  } state_e;

  state_e state_q;
  logic pending_q, pending_final_q, final_q, send_q, reduced_q, digits_q;

  assign launch_o = (state_q == StIdle && (start_i || pending_q)) || state_q == StSetup ||
                    (state_q == StReduce && (digits_q || z_free_i));
  always_comb begin
    unique case (state_q)
      StSetup: op_o = OpSetup;
      StReduce: begin
        if (digits_q) op_o = OpReduce;
        else op_o = OpDigits;
      end
      default: op_o = OpProduct;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q   <= StIdle;
      pending_q <= 1'b0;
      final_q   <= 1'b0;
      send_q    <= 1'b0;
      reduced_q <= 1'b0;
      digits_q  <= 1'b0;
    end else if (tick_i) begin
      if (start_i) pending_q <= 1'b1;
      unique case (state_q)
        StIdle: begin
          if (m_we_i) state_q <= StLoad;
          else if (begin_i) begin
            state_q   <= StProduct;
            pending_q <= 1'b0;
            final_q   <= start_i ? final_i : pending_final_q;
          end
        end
        // Modulus to the row, then its inverse, and M'' = (1 + M' m) / 2^34 as a reduction of 1.
        StLoad: if (we_i && we_last_i) state_q <= StInverse;
        StInverse: if (inverse_done_i) state_q <= StZero;
        StZero: if (we_last_i) state_q <= StSetup;
        StSetup: begin
          send_q    <= 1'b0;
          reduced_q <= 1'b1;
          if (begin_i) state_q <= StSetupPairs;
        end
        StSetupPairs: if (we_i && we_last_i) state_q <= StIdle;
        // Without reduction the next product may start as soon as its operands arrive.
        StProduct: begin
          if (ends_i && op_i == OpProduct) begin
            if (final_q) state_q <= StReduce;
            else state_q <= StIdle;
            send_q    <= !final_q;
            reduced_q <= final_q;
          end
        end
        default: begin  // StReduce
          if (begin_i) digits_q <= 1'b1;
          if (ends_i && op_i == OpReduce) begin
            state_q  <= StIdle;
            digits_q <= 1'b0;
            send_q   <= 1'b1;
          end
        end
      endcase
    end
  end
  always_ff @(posedge clk_i) if (tick_i && start_i) pending_final_q <= final_i;

  // The operands have been read, or are read no later than new ones are written: after the last
  // word of B, but with a reduction from the half-iteration on that reads S.
  logic passed;
  always_comb begin
    unique case (state_q)
      StIdle: passed = 1'b1;
      StProduct: passed = run_i && !final_q && beyond_i;
      StReduce: begin
        passed = run_i && op_i == OpReduce &&
                 (iteration_i != '0 || (SlotBits + 1)'(slot_i) + 1 >= (SlotBits + 1)'(last_slot_i));
      end
      default: passed = 1'b0;
    endcase
  end
  assign ready_o = passed && !pending_q;
  assign load_o = state_q == StLoad;
  assign zero_o = state_q == StZero;
  assign setup_o = state_q == StSetup || state_q == StSetupPairs;
  assign setup_done_o = state_q == StSetupPairs && we_i && we_last_i;
  assign final_o = final_q;
  assign send_o = send_q;
  assign reduced_o = reduced_q;
  assign busy_o = state_q != StIdle || pending_q;
endmodule
