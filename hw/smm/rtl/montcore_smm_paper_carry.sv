// SPDX-License-Identifier: Apache-2.0

/// Carries across one row of words, and from row to row.
///
/// carry_o[0] = carry of the row before (0 in the first row),
/// carry_o[k + 1] = generate_i[k] | propagate_i[k] & carry_o[k]
/// Precondition: the rows of a pass come in successive cycles.
/// Latency: 0 within a row, 1 from row to row.
/// Example, NumPe = 3: generate 001, propagate 010, first -> carry_o = 110, out_o = 0.
module montcore_smm_paper_carry #(
    parameter int unsigned NumPe = 4  // Words of a row.
) (
    input logic clk_i,
    input logic first_i,  // High: the row is the first one of a pass.
    /// Per word: it generates a carry, independent of its carry in.
    input logic [NumPe-1:0] generate_i,
    input logic [NumPe-1:0] propagate_i,  // Per word: it propagates a carry in.
    output logic [NumPe-1:0] carry_o,  // Per word: its carry in.
    output logic out_o,  // Carry out of this row.
    output logic out_q_o  // Carry out of the previous row, registered.
);
  logic carry_q;
  logic [NumPe-1:0] either;
  logic [NumPe:0] total;

  // An adder with one bit per word computes the carries of the row.
  assign either  = generate_i | propagate_i;
  assign total   = {1'b0, either} + {1'b0, generate_i} + {{NumPe{1'b0}}, ~first_i & carry_q};
  assign carry_o = total[NumPe-1:0] ^ either ^ generate_i;
  assign out_o   = total[NumPe];

  assign out_q_o = carry_q;

  always_ff @(posedge clk_i) carry_q <= out_o;
endmodule
