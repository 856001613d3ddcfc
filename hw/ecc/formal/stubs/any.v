// SPDX-License-Identifier: Apache-2.0
(* techmap_celltype = "ecc_any" *)
module any (y_o);
  parameter Width = 1;
  output [Width-1:0] y_o;
  \$anyseq #(.WIDTH(Width)) u_any (.Y(y_o));
endmodule
