// SPDX-License-Identifier: Apache-2.0

/// Synchroniser: brings one bit from another clock domain to clk_i, by two flip-flops in series.
///
/// The two should be placed side by side: ASYNC_REG tells Vivado so; for other tools place the
/// registers of each instance u_*_sync together, and bound the path to them with set_max_delay.
/// Precondition: bit_i comes from a register of the other clock and is stable for more than a cycle
/// of clk_i; a shorter pulse may be missed.
/// Latency: 2 cycles, or 3 if bit_i changes within the setup and hold window of an edge.
/// Example: bit_i rises -> bit_o rises after the second edge of clk_i that follows.
module montcore_soc_sync (
    input logic clk_i,
    input logic rst_ni,
    input logic bit_i,  // Bit to synchronise, from another clock domain.
    output logic bit_o  // Synchronised bit, in the domain of clk_i.
);
  (* ASYNC_REG = "TRUE" *) logic [1:0] sync_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sync_q <= '0;
    else sync_q <= {sync_q[0], bit_i};
  end
  assign bit_o = sync_q[1];
endmodule
