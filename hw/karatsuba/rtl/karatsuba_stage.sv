// SPDX-License-Identifier: Apache-2.0

/// A register, or none.
///
/// q_o = d_i, Register cycles later
/// Precondition: none.
/// Latency: 0 or 1.
/// Example, Register = 1, Width = 4: d = 0x9, one cycle later q = 0x9.
module karatsuba_stage #(
    /// Bits.
    parameter int unsigned Width = 32,
    /// 1: a register; 0: a wire.
    parameter bit Register = 1'b1
) (
    /// Clock.
    input  logic             clk_i,
    /// Data in.
    input  logic [Width-1:0] d_i,
    /// Data out.
    output logic [Width-1:0] q_o
);
  if (Register) begin : g_register
    always_ff @(posedge clk_i) q_o <= d_i;
  end else begin : g_wire
    logic unused_clk;
    assign unused_clk = clk_i;
    assign q_o = d_i;
  end
endmodule
