// SPDX-License-Identifier: Apache-2.0
// Full adders found by extract_fa become FAX1 cells (X is the carry, Y the sum). The name sorts before
// Yosys' own _90_fa, so that this template is taken first.
(* techmap_celltype = "$fa" *)
module _80_fa_osu018 (A, B, C, X, Y);
  parameter WIDTH = 1;
  (* force_downto *) input [WIDTH-1:0] A, B, C;
  (* force_downto *) output [WIDTH-1:0] X, Y;
  genvar i;
  generate
    for (i = 0; i < WIDTH; i = i + 1) begin : gen_bit
      FAX1 fa (.A(A[i]), .B(B[i]), .C(C[i]), .YC(X[i]), .YS(Y[i]));
    end
  endgenerate
endmodule
