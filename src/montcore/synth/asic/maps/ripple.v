// SPDX-License-Identifier: Apache-2.0
// Carry look-ahead units as ripple chains, which extract_fa then turns into rows of full adders.
(* techmap_celltype = "$lcu" *)
module _80_lcu_ripple (P, G, CI, CO);
  parameter WIDTH = 2;
  (* force_downto *) input [WIDTH-1:0] P, G;
  input CI;
  (* force_downto *) output [WIDTH-1:0] CO;
  genvar i;
  generate
    for (i = 0; i < WIDTH; i = i + 1) begin : gen_bit
      if (i == 0) assign CO[i] = G[i] | (P[i] & CI);
      else assign CO[i] = G[i] | (P[i] & CO[i-1]);
    end
  endgenerate
endmodule
