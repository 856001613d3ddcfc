// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_cs4_block`: each cycle preserves the value, from any state.
///
/// Values are integers in the weights of the block. The registers in step 0 are arbitrary.
/// a_exact: S + 2 C after a cycle = a quarter of S + 2 C before it, without the two lowest cells, +
///   the late bits two cells below the top + floor(q N / 4) + floor(a B) + the carry in; a
/// first iteration of a product starts from zero. So no carry leaves the block.
/// a_down: the two lowest cells hold the two bits for the block below plus four times the
/// block's own carry.
module cs4_block_proof #(
    parameter int unsigned Width = 8  // Number of cells in the block.
) (
    input logic clk_i,
    input logic first_i,  // High in the first iteration of a product.
    input logic late_mask_i,  // High in the first and second iteration: the late bits are ignored.
    input logic [1:0] a_i,  // Digit of A, coded: 0, 1, 2, and 3 for -1.
    input logic [1:0] q_i,  // Quotient digit, coded: 0, 1, 2, and 3 for -1.
    input logic carry_i,  // Carry into the lowest cell.
    input logic [1:0] above_i  // Late bits: the two lowest of the block above.
);
  logic [Width-1:0] s, c;
  logic [Width:0] b, n;
  logic [2:0] next;
  logic [1:0] down;
  logic over, n_bit;

  // Codes 0 to 3: digits 0, 1, 2 and -1.
  montcore_cs4_block #(
      .Width(Width)
  ) u_dut (
      .n_we_i    (1'b0),
      .n_i       ('0),
      .n_top_we_i(1'b0),
      .n_top_i   ('0),
      .b_we_i    (1'b0),
      .b_i       ('0),
      .a_i       ({a_i == 3, a_i == 2, a_i == 1}),
      .q_i       ({q_i == 3, q_i == 2, q_i == 1}),
      .down_o    (down),
      .over_o    (over),
      .next_o    (next),
      .n_bit_o   (n_bit),
      .s_o       (s),
      .c_o       (c),
      .*
  );
  assign b = u_dut.b_q;
  assign n = u_dut.n_q;

  // A digit times a number, given as twice its value plus the bit below it; bits below the block
  // are dropped.
  function automatic logic [Width-1:0] multiple(logic [1:0] digit, logic [Width:0] twice);
    case (digit)
      2'd0: return '0;
      2'd1: return twice[Width:1];
      2'd2: return twice[Width-1:0];
      default: return ~twice[Width:1];
    endcase
  endfunction

  localparam int unsigned Bits = Width + 3;
  logic started_q = 1'b0;
  logic [Bits-1:0] want_q, late, held, low;
  assign late = Bits'(above_i & {2{`MUTANT ? ~first_i : ~late_mask_i}}) << (Width - 4);
  assign held = first_i ? '0 : Bits'(s >> 2) + Bits'(c >> 1);
  assign low  = Bits'(s[1:0]) + (Bits'(c[0]) << 1);
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    want_q <= held + late + Bits'(multiple(a_i, b)) + Bits'(multiple(q_i, n)) + Bits'(carry_i);
  end
  always_comb begin
    if (started_q) a_exact : assert (Bits'(s) + (Bits'(c) << 1) == want_q);
    if (!first_i) a_down : assert (low == Bits'(down) + (Bits'(over) << 2));
  end
endmodule
