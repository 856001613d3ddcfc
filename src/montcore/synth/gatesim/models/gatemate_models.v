// SPDX-License-Identifier: Apache-2.0
// Functional models of primitives of GateMate, where Yosys' own cannot be simulated here.

/// Flip-flop whose asynchronous set or reset is never used: the cores have none.
module CC_DFF #(
    parameter [0:0] CLK_INV = 1'b0,
    parameter [0:0] EN_INV  = 1'b0,
    parameter [0:0] SR_INV  = 1'b0,
    parameter [0:0] SR_VAL  = 1'b0,
    parameter [0:0] INIT    = 1'bx
) (
    input      D, CLK, EN, SR,
    output reg Q
);
  generate
    if (CLK_INV) NO_MODEL_OF_THIS_FLIP_FLOP no_model ();
  endgenerate
  always @(posedge CLK)
    if (SR ^ SR_INV) Q <= SR_VAL;
    else if (EN ^ EN_INV) Q <= D;
endmodule
