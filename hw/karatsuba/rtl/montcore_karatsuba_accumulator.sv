// SPDX-License-Identifier: Apache-2.0

/// Adds numbers sequentially with one adder: a six-input look-up table holds one bit of the sum and
/// a selection of one of three numbers.
///
/// sum_o = Start + vectors_i[0] + vectors_i[1] + ... mod 2^Width, in the cycle of done_o; held_o
/// has the same value from the cycle after it to the next start.
/// Precondition: vectors_i[k] is valid First + k cycles after start_i; start_i pulses only after
/// done_o.
/// Latency: done_o is high First + Vectors - 1 cycles after start_i, for one cycle.
/// Example, Width = 8, Vectors = 3, First = 2, Start = 1: 5, 6 and 7 -> 19, four cycles after start_i.
module montcore_karatsuba_accumulator #(
    parameter int unsigned Width = 32,  // Width of a number in bits.
    parameter int unsigned Vectors = 4,  // Count of numbers to add, 3 or 4.
    parameter int unsigned First = 2,  // Cycles from start_i to the first number, 2 or more.
    parameter logic [Width-1:0] Start = '0  // Initial value of the sum.
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear, active high; drops the sum and a pending start.
    input logic start_i,  // Pulse: start counting cycles.
    /// Numbers to add; number k is valid First + k cycles after start_i.
    input logic [Vectors-1:0][Width-1:0] vectors_i,
    output logic [Width-1:0] sum_o,  // Sum, valid with done_o; combinational.
    output logic done_o,  // High for one cycle: sum_o is complete.
    output logic [Width-1:0] held_o  // Last sum, registered.
);
  localparam int unsigned Last = First + Vectors - 1;

  // age_q[k]: start_i was k cycles ago. A control signal with a high fan-out has its own register.
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

  // The running sum must be the first operand: the carry chains of FPGAs take that one directly.
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
