// SPDX-License-Identifier: Apache-2.0

/// In the place of the paper's schedule, for `karatsuba_port`, which cuts its results off: the
/// set-up takes one cycle, a product two or more.
module montcore_karatsuba_paper
  import montcore_karatsuba_pkg::*;
#(
    /// Width of a number in bits, a multiple of 4 (Depth = 1) or 16 (Depth = 2).
    parameter int unsigned Bits = 256,
    parameter int unsigned Depth = 1,  // 1: four-parts splitting; 2: deep four-parts splitting.
    /// Style of the multiplier, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = StyleTiles,
    /// 1: the datapath is `montcore_karatsuba_staged`, for Depth = 1.
    parameter bit Staged = 1'b0
) (
    input logic clk_i,
    input logic rst_ni,
    /// Synchronous clear, active high; all registers become zero within 32 cycles.
    input logic clear_i,
    input logic [Bits-1:0] m_i,  // Modulus, odd; stable from setup_i on.
    input logic setup_i,  // Pulse: compute the constant of the modulus on m_i.
    output logic setup_done_o,  // Pulse: the constant of the modulus is ready.
    input logic [Bits-1:0] x_i,  // X of the pending product; valid with available_i.
    input logic [Bits-1:0] y_i,  // Y of the pending product; valid with available_i.
    input logic available_i,  // High: both operands are complete, or become complete in this cycle.
    input logic reject_i,  // High: answer the pending product with an error instead of a result.
    /// Error code of that answer; valid with reject_i.
    input montcore_pkg::montcore_error_e reject_error_i,
    /// High: an operand is not below the modulus; valid from the cycle after available_i.
    input logic out_of_range_i,
    output logic release_o,  // Pulse: the operands have been sampled and may be overwritten.
    input logic room_i,  // High: the output queue has room for another result.
    output logic busy_o,  // High while a product or a set-up is in progress.
    output logic start_o,  // Pulse: a product starts.
    output logic write_o,  // Write enable of the output queue, for error_o and z_o.
    output logic [2:0] error_o,  // Error code of the answer, montcore_error_e; valid with write_o.
    output logic [Bits-1:0] z_o,  // Product, if error_o is 0; valid with write_o.
    output logic done_o  // Pulse: a product is complete; its result was valid one cycle earlier.
);
  logic start_q, open_q, done_q, take, finish;
  montcore_pkg::montcore_error_e error_q;
  assign finish = open_q && !start_q && room_i;
  assign take   = (available_i || reject_i) && !start_q && (!open_q || finish);
  always_ff @(posedge clk_i) begin
    setup_done_o <= rst_ni && !clear_i && setup_i;
    start_q      <= rst_ni && !clear_i && take;
    open_q       <= rst_ni && !clear_i && (take || (open_q && !finish));
    z_o          <= ~z_o;  // cut off
    done_q       <= rst_ni && !clear_i && finish && error_q == montcore_pkg::ErrNone;
    if (start_q) begin
      error_q <= reject_i ? reject_error_i :
          out_of_range_i ? montcore_pkg::ErrOperandRange : montcore_pkg::ErrNone;
    end
  end
  assign release_o = start_q;
  assign start_o = start_q && !reject_i;
  assign busy_o = open_q || setup_done_o;
  assign write_o = finish;
  assign error_o = error_q;
  assign done_o = done_q;
endmodule
