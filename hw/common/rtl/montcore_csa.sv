// SPDX-License-Identifier: Apache-2.0

/// Carry-save adder: reduces three numbers to two, with one full adder per bit.
///
/// sum_o + carry_o = a_i + b_i + c_i mod 2^Width
/// Precondition: none.
/// Latency: 0 (one full adder).
/// Example, Width = 4: a = 3, b = 5, c = 7 -> sum = 1, carry = 14 (1 + 14 = 15).
module montcore_csa #(
    parameter int unsigned Width = 32  // Width of each number in bits.
) (
    input logic [Width-1:0] a_i,  // First addend, unsigned.
    input logic [Width-1:0] b_i,  // Second addend, unsigned.
    input logic [Width-1:0] c_i,  // Third addend, unsigned.
    output logic [Width-1:0] sum_o,  // Bitwise sum without carries.
    output logic [Width-1:0] carry_o  // Carries, shifted to their weight; bit 0 is 0.
);
  logic [Width-1:0] majority;

  assign sum_o    = a_i ^ b_i ^ c_i;
  assign majority = (a_i & b_i) | (a_i & c_i) | (b_i & c_i);
  assign carry_o  = majority << 1;
endmodule
