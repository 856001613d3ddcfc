// SPDX-License-Identifier: Apache-2.0

/// Converts a reset of other polarity or timing than the bus's to a synchronous one, active low.
///
/// With Async a reset of any length and at any time clears two flip-flops at once; two more
/// synchronise it to the clock, so that rst_no changes only at a clock edge and all registers see
/// it in the same cycle. Without a clock nothing is reset.
/// Precondition: without Async rst_i is synchronous to clk_i. With Async rst_i is free of glitches:
/// it comes from a register or a pad; its release has no setup time to meet.
/// Latency: 0 without Async; with it rst_no is low from the second edge after rst_i begins on and at
/// least up to the fourth after it ends.
/// Example, Async = 1, High = 1: rst_i high for a tenth of a cycle -> rst_no low for two cycles.
module montcore_soc_reset #(
    /// 1: rst_i may be asserted and released at any time; 0: synchronous to clk_i.
    parameter bit Async = 1'b1,
    parameter bit High  = 1'b0   // 1: rst_i is active high; 0: active low.
) (
    input logic clk_i,
    input logic rst_i,  // External reset, polarity set by High.
    output logic rst_no  // Synchronous reset, active low.
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
