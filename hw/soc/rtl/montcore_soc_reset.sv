// SPDX-License-Identifier: Apache-2.0

/// Reset of a build with another reset than its bus's: of the other level, or at any moment.
///
/// With Async a reset of any length is caught, at any moment, with two flip-flops that it clears
/// at once; two more bring it to the clock, so that inside it begins and ends with an edge and all
/// registers see it in the same cycle. Without a clock nothing is reset.
/// Precondition: without Async rst_i is synchronous to clk_i. With it, rst_i has no glitches: it comes
/// from a register or a pad, and its release has no set-up time to keep.
/// Latency: 0 without Async; with it rst_no is low from the second edge after rst_i begins on and at
/// least up to the fourth after it ends.
/// Example, Async = 1, High = 1: rst_i high for a tenth of a cycle -> rst_no low for two cycles.
module montcore_soc_reset #(
    /// rst_i may begin and end at any moment.
    parameter bit Async = 1'b1,
    /// rst_i is active high.
    parameter bit High  = 1'b0
) (
    /// Clock, rising edge.
    input  logic clk_i,
    /// The reset.
    input  logic rst_i,
    /// Synchronous reset, active low.
    output logic rst_no
);
  logic rst_n;
  assign rst_n = High ? !rst_i : rst_i;
  if (Async) begin : g_async
    (* ASYNC_REG = "TRUE" *)logic [1:0] held_q;
    (* ASYNC_REG = "TRUE" *)logic [1:0] sync_q;
    always_ff @(posedge clk_i or negedge rst_n) begin
      if (!rst_n) held_q <= '0;
      else held_q <= {held_q[0], 1'b1};
    end
    always_ff @(posedge clk_i) sync_q <= {sync_q[0], held_q[1]};
    assign rst_no = sync_q[1];
  end else begin : g_sync
    logic unused;
    assign unused = clk_i;
    assign rst_no = rst_n;
  end
endmodule
