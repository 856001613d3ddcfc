// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_mx_block`: each cycle preserves the value, from any state.
///
/// Values are integers in the weights of the block. The registers in step 0 are arbitrary. With one
/// row S' and C' are its own, as in a row of `mx`; with two they are those of row 0 and the
/// properties are those of row 1, as in an array.
/// a_first: after a first cycle, S + 2 C = S' / 2 + C' / 2 + a B, where the top carry bit, still
/// stored, has the weight of the top cell; the first iteration of a product starts from zero.
/// a_second: after a second cycle, S + 2 C + the carry up = the value before + carry in + q N + the
/// late bit at the top.
module mx_block_proof #(
    parameter int unsigned Width = 8,  // Number of cells in the block.
    parameter int unsigned Rows  = 1   // Number of rows, 1 or 2.
) (
    input logic clk_i,
    input logic second_i,  // High in the second cycle of an iteration.
    input logic first_i,  // High in the first iteration of a product.
    input logic digit_i,  // Bit of A in a first cycle, quotient digit in a second.
    input logic carry_i,  // Carry from the block below.
    input logic above_i  // Late bit: lowest sum bit of the block above.
);
  logic [Width-1:0] s, c, b, n, s_before, c_before;
  logic [Rows-1:0] carries;
  logic carry, begins;

  montcore_mx_block #(
      .Width(Width),
      .Rows (Rows)
  ) u_dut (
      .clk_i,
      .n_we_i  (1'b0),
      .n_i     ('0),
      .n_o     (),
      .b_we_i  ('0),
      .b_i     ('0),
      .b_o     (),
      .second_i({Rows{second_i}}),
      .first_i,
      .a_i     ({Rows{digit_i & ~second_i}}),
      .q_i     ({Rows{digit_i & second_i}}),
      .carry_i ({Rows{carry_i}}),
      .carry_o (carries),
      .above_i ({Rows{above_i}}),
      .low_o   (),
      .s_o     (s),
      .c_o     (c)
  );
  assign carry = carries[Rows-1];
  assign b = u_dut.b_q[Rows-1];
  assign n = u_dut.n_q[0];
  assign s_before = u_dut.s_q[0];
  assign c_before = u_dut.c_q[0];
  // Only row 0 can start from zero.
  assign begins = first_i && Rows == 1;

  // The value before the cycle, in the weights of this one.
  localparam int unsigned Bits = Width + 3;
  logic started_q = 1'b0;
  logic second_q;
  logic [Bits-1:0] want_q, gated, before_first, before_second, after_first, after_second, top, held;
  logic [Bits-1:0] late;
  assign top = Bits'(c[Width-1]) << (Width - 1);
  assign held = Bits'(s) + (Bits'(c[Width-2:0]) << 1) + top;
  assign gated = digit_i ? (second_i ? Bits'(n) : Bits'(b)) : '0;
  assign before_first = (begins ? '0 : Bits'(s_before >> 1) + Bits'(c_before)) + gated;
  assign late = `MUTANT ? '0 : Bits'(above_i & ~begins) << (Width - 1);
  assign before_second = held + gated + Bits'(carry_i) + late;
  assign after_first = held;
  assign after_second = Bits'(s) + (Bits'(c) << 1) + (Bits'(carry) << Width);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    second_q  <= second_i;
    want_q    <= second_i ? before_second : before_first;
  end
  always_comb begin
    if (started_q && !second_q) a_first : assert (after_first == want_q);
    if (started_q && second_q) a_second : assert (after_second == want_q);
  end
endmodule
