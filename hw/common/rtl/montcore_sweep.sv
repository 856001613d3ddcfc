// SPDX-License-Identifier: Apache-2.0

/// Times a zeroize: how long a core clears itself, and which memory row it clears in each tick.
///
/// clear_o is high for Ticks ticks from the cycle after zeroize_i on; index_o counts 0 .. Ticks - 1.
/// Precondition: count_i is low while zeroize_i is high or clear_o is.
/// Latency: 1 cycle from zeroize_i to clear_o.
/// Example, Ticks = 3, tick_i = 1: zeroize_i in cycle 0 -> clear_o and index_o = 0, 1, 2 in cycles 1,
/// 2, 3; a second zeroize_i in cycle 2 -> index_o = 0 again in cycle 3.
module montcore_sweep #(
    parameter int unsigned Ticks = 16,  // Length of a zeroize in ticks, 2 or more.
    localparam int unsigned CountBits = $clog2(Ticks)
) (
    input logic clk_i,
    input logic rst_ni,  // Synchronous reset, active low: ends a zeroize.
    input logic tick_i,  // Count enable; constant 1 if every cycle counts.
    /// Pulse of one cycle, independent of tick_i: start or restart the zeroize.
    input logic zeroize_i,
    input logic count_i,  // High: count from 0 for another purpose, without clear_o.
    output logic clear_o,  // High while the core is being cleared.
    output logic [CountBits-1:0] index_o  // Ticks since the start; 0 when idle.
);
  logic clear_q;
  logic [CountBits-1:0] index_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) clear_q <= 1'b0;
    else if (zeroize_i) clear_q <= 1'b1;
    else if (tick_i) clear_q <= clear_q && index_q != CountBits'(Ticks - 1);
    if (zeroize_i) index_q <= '0;
    else if (tick_i) index_q <= (clear_q || count_i) ? index_q + 1 : '0;
  end
  assign clear_o = clear_q;
  assign index_o = index_q;
endmodule
