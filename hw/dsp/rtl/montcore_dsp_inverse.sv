// SPDX-License-Identifier: Apache-2.0

/// M' = -m^-1 mod 2^34, one bit per cycle.
///
/// inverse_o * m = -1 mod 2^34
/// Precondition: m odd.
/// Latency: 34 cycles from start_i to done_o.
/// Bit i of the inverse is bit i of 1 + (bits so far) * m: where it is 1, m * 2^i clears it.
/// Example: m_i = 3 -> inverse_o = 0x155555555.
module montcore_dsp_inverse (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic rst_ni,
    input logic clear_i,
    input logic start_i,  // Pulse of one tick: start the computation.
    input logic [33:0] m_i,  // The low 34 bits of m, constant while running.
    output logic done_o,  // Pulse of one tick: inverse_o is valid.
    output logic [33:0] inverse_o  // Inverse M', valid from done_o on.
);
  logic [33:0] sum_q, inverse_q;
  logic [5:0] count_q;
  logic run_q;
  logic [34:0] next;
  logic unused_bit;  // always 0: m is added to clear it

  assign next = {1'b0, sum_q} + (sum_q[0] ? {1'b0, m_i} : '0);
  assign unused_bit = next[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q  <= 1'b0;
      done_o <= 1'b0;
    end else if (tick_i) begin
      done_o <= run_q && count_q == 6'd33;
      if (start_i) run_q <= 1'b1;
      else if (count_q == 6'd33) run_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      sum_q     <= '0;
      inverse_q <= '0;
    end else if (tick_i) begin
      if (start_i) begin
        sum_q   <= 34'd1;
        count_q <= '0;
      end else if (run_q) begin
        sum_q     <= next[34:1];
        inverse_q <= {sum_q[0], inverse_q[33:1]};
        count_q   <= count_q + 1;
      end
    end
  end
  assign inverse_o = inverse_q;
endmodule
