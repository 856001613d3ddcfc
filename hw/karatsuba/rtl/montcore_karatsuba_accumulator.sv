// SPDX-License-Identifier: Apache-2.0

/// Adds numbers one after the other, one adder for all: a look-up table of six inputs holds a bit of
/// the sum with a choice of three.
///
/// sum_o = Start + vectors_i[0] + vectors_i[1] + ... mod 2^Width, in the cycle of done_o; held_o is the
/// same from the cycle after it to the next start.
/// Precondition: vectors_i[k] is there First + k cycles after start_i; start_i pulses only after
/// done_o.
/// Latency: done_o comes First + Vectors - 1 cycles after start_i, for one cycle.
/// Example, Width = 8, Vectors = 3, First = 2, Start = 1: 5, 6 and 7 -> 19, four cycles after start_i.
module montcore_karatsuba_accumulator #(
    /// Bits of a number.
    parameter int unsigned Width = 32,
    /// Numbers, 3 or 4.
    parameter int unsigned Vectors = 4,
    /// Cycles from start_i to the first number, 2 or more.
    parameter int unsigned First = 2,
    /// What the sum begins with.
    parameter logic [Width-1:0] Start = '0
) (
    /// Clock, rising edge.
    input  logic                          clk_i,
    /// Abandon the sum and a pending start.
    input  logic                          clear_i,
    /// Pulse: count the cycles from this one.
    input  logic                          start_i,
    /// The numbers.
    input  logic [Vectors-1:0][Width-1:0] vectors_i,
    /// Sum.
    output logic [  Width-1:0]            sum_o,
    /// It is complete.
    output logic                          done_o,
    /// The last sum.
    output logic [  Width-1:0]            held_o
);
  localparam int unsigned Last = First + Vectors - 1;

  // age_q[k]: start_i was k cycles ago. A control signal of many bits has a register of its own.
  logic [Last:1] age_q;
  logic [1:0] choice_q;
  logic begin_q, add_q;
  logic [Last-1:0] ages;
  logic [3:0][Width-1:0] vector;
  logic [Width-1:0] sum_q;

  for (genvar i = 0; i < 4; i++) begin : g_vector
    if (i < Vectors) begin : g_given
      assign vector[i] = vectors_i[i];
    end else begin : g_none
      assign vector[i] = '0;
    end
  end

  // The sum that grows must be the first operand: the carry chains of FPGAs take that one directly.
  assign sum_o  = sum_q + vector[choice_q];
  assign done_o = age_q[Last];
  assign held_o = sum_q;

  assign ages   = {age_q[Last-1:1], start_i};

  logic [1:0] choice;
  assign choice = age_q[First] ? 2'd1 : age_q[First+1] ? 2'd2 :
      (age_q[Last-1] && Vectors == 4) ? 2'd3 : 2'd0;
  always_ff @(posedge clk_i) begin
    age_q    <= clear_i ? '0 : ages;
    choice_q <= choice;
    begin_q  <= clear_i || ages[First-2];
    add_q    <= age_q[Last-1:First-1] != '0;
    if (begin_q) sum_q <= Start;
    else if (add_q) sum_q <= sum_o;
  end
endmodule
