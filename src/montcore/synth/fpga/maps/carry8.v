// SPDX-License-Identifier: Apache-2.0
// Sums and carries in CARRY8 cells, for UltraScale+: the map of Yosys 0.70 has only CARRY4. The
// names put these maps before those of techmap.v.

(* techmap_celltype = "$lcu" *)
module _80_carry8_lcu #(
    parameter WIDTH = 8
) (
    input  [WIDTH-1:0] P, G,
    input              CI,
    output [WIDTH-1:0] CO
);
  wire _TECHMAP_FAIL_ = WIDTH <= 2;
  wire [WIDTH-1:0] sum, halves;
  \$alu #(
      .A_SIGNED(0), .B_SIGNED(0), .A_WIDTH(WIDTH), .B_WIDTH(WIDTH), .Y_WIDTH(WIDTH)
  ) sums (.A(G), .B(P | G), .CI(CI), .BI(1'b0), .X(halves), .Y(sum), .CO(CO));
endmodule

(* techmap_celltype = "$alu" *)
module _80_carry8_alu #(
    parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 8, B_WIDTH = 8, Y_WIDTH = 8
) (
    input  [A_WIDTH-1:0] A,
    input  [B_WIDTH-1:0] B,
    input                CI, BI,
    output [Y_WIDTH-1:0] X, Y, CO
);
  wire _TECHMAP_FAIL_ = Y_WIDTH <= 2;
  localparam Cells = (Y_WIDTH + 7) / 8;
  wire [Y_WIDTH-1:0] first, second;
  \$pos #(.A_SIGNED(A_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(Y_WIDTH)) a_to_y (.A(A), .Y(first));
  \$pos #(.A_SIGNED(B_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) b_to_y (.A(B), .Y(second));
  assign X = first ^ second ^ {Y_WIDTH{BI}};
  wire [8*Cells-1:0] sums, carries, propagate = X, generated = first;
  assign {Y, CO} = {sums[Y_WIDTH-1:0], carries[Y_WIDTH-1:0]};
  genvar i;
  for (i = 0; i < 8 * Cells; i = i + 8)
    CARRY8 carry (
        .CI(i ? carries[i-1] : CI), .CI_TOP(1'b0), .DI(generated[i+:8]), .S(propagate[i+:8]),
        .O(sums[i+:8]), .CO(carries[i+:8])
    );
endmodule
