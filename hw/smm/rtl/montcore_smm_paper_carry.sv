// SPDX-License-Identifier: Apache-2.0

/// Carries across one row of words, and from row to row.
///
/// carry_o[0] = carry of the row before (0 in the first row),
/// carry_o[k + 1] = generate_i[k] | propagate_i[k] & carry_o[k]
/// Precondition: the rows of a pass come in successive cycles.
/// Latency: 0 within a row, 1 from row to row.
/// Example, NumPe = 3: generate 001, propagate 010, first -> carry_o = 110, out_o = 0.
module montcore_smm_paper_carry #(
    /// Words in a row.
    parameter int unsigned NumPe = 4
) (
    /// Clock, rising edge.
    input  logic             clk_i,
    /// First row.
    input  logic             first_i,
    /// The word makes a carry whatever comes in.
    input  logic [NumPe-1:0] generate_i,
    /// The word passes a carry on.
    input  logic [NumPe-1:0] propagate_i,
    /// Carry into each word.
    output logic [NumPe-1:0] carry_o,
    /// Carry out of the row.
    output logic             out_o,
    /// Carry out of the row before.
    output logic             out_q_o
);
  logic carry_q;
  logic [NumPe-1:0] either;
  logic [NumPe:0] total;

  // The carries of an adder of one bit a word are the carries of the row.
  assign either  = generate_i | propagate_i;
  assign total   = {1'b0, either} + {1'b0, generate_i} + {{NumPe{1'b0}}, ~first_i & carry_q};
  assign carry_o = total[NumPe-1:0] ^ either ^ generate_i;
  assign out_o   = total[NumPe];

  assign out_q_o = carry_q;

  always_ff @(posedge clk_i) carry_q <= out_o;
endmodule
