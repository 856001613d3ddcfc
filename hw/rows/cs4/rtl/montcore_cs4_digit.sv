// SPDX-License-Identifier: Apache-2.0

/// Quotient digits of `cs4`, and the value of the two lowest cells as a number of three bits.
///
/// q = -T / N mod 4 from {-1, 0, 1, 2}: T and -T for N = 3 and 1 mod 4. The next T is the cells'
/// sum plus the carry of T + q N: low_o <- next_i + ceil(low_o / 4). It is below 8,
/// since the cells add at most 5.
/// Precondition: begin_i in the cycle before the first of a product, first_i in that cycle.
/// Latency: q_o and low_o are registers, so the digit is available when its iteration starts.
/// Source: the digit does not depend on a B, which is added after the division: H. Orup,
/// "Simplifying Quotient Determination in High-Radix Modular Multiplication" (1995).
/// Example, N = 1 mod 4: next_i = 3'b011, low_o = 0 before -> low_o = 3, and q = 1.
module montcore_cs4_digit (
    input logic clk_i,
    input logic begin_i,  // High: the next cycle is the first of a product.
    input logic first_i,  // High in the first cycle of a product.
    input logic n_bit_i,  // Bit 1 of N, constant.
    input logic [2:0] next_i,  // Next state of the two lowest cells: C of cell 0, S of both.
    output logic [2:0] q_o,  // Quotient digit, coded as lines {-1, 2, 1}.
    output logic [2:0] low_o  // Value of the two lowest cells.
);
  logic one, over, low_carry;
  logic [2:0] low, low_q, q_q;

  // ceil(low / 4), 0 to 2, as up_one + 2 up_two.
  logic up_one, up_two;
  assign one       = |q_q;
  assign over      = low_q[2] & ~first_i;
  assign up_one    = one ^ over;
  assign up_two    = one & over;
  // up_one and up_two exclude each other, so that an OR is sufficient.
  assign low[0]    = next_i[0] ^ up_one;
  assign low_carry = (next_i[0] & up_one) | up_two;
  assign low[1]    = next_i[1] ^ next_i[2] ^ low_carry;
  assign low[2]    = (next_i[1] & next_i[2]) | (low_carry & (next_i[1] | next_i[2]));

  always_ff @(posedge clk_i) begin
    low_q  <= low;
    q_q[0] <= low[0] & (low[1] ^ n_bit_i) & ~begin_i;
    q_q[1] <= ~low[0] & low[1] & ~begin_i;
    q_q[2] <= low[0] & ~(low[1] ^ n_bit_i) & ~begin_i;
  end
  assign q_o   = q_q;
  assign low_o = low_q;
endmodule
