// SPDX-License-Identifier: Apache-2.0

/// Synchroniser: brings one bit of another clock to this one, by two flip-flops in a row.
///
/// The two should be placed side by side: ASYNC_REG says so to Vivado; for other tools place the
/// registers of each instance u_*_sync together, and bound the way to them with set_max_delay.
/// Precondition: bit_i comes from a register of the other clock and stays longer than a cycle of clk_i,
/// or it may be missed.
/// Latency: 2 cycles, or 3 if bit_i changes too near an edge.
/// Example: bit_i rises -> bit_o rises after the second edge of clk_i that follows.
module montcore_soc_sync (
    /// Clock, rising edge.
    input  logic clk_i,
    /// Synchronous reset, active low.
    input  logic rst_ni,
    /// The bit, of another clock.
    input  logic bit_i,
    /// The bit, of this clock.
    output logic bit_o
);
  (* ASYNC_REG = "TRUE" *) logic [1:0] sync_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sync_q <= '0;
    else sync_q <= {sync_q[0], bit_i};
  end
  assign bit_o = sync_q[1];
endmodule
