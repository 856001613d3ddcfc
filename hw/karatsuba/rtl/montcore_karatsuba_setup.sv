// SPDX-License-Identifier: Apache-2.0

/// Sequencer for the constants of a modulus: n0' = -1 / m mod 2^Half, then M' = 2^-Half mod M.
///
/// Newton's iteration x <- x * (m x + 2) mod 2^Half doubles the correct bits of x, from x = 1; each
/// of its two products takes five cycles. M' = (n0' m + 1) / 2^Half is one last pass.
/// Precondition: start_i only while idle.
/// Latency: done_o is high 10 clog2(Half) + LastCycles cycles after start_i.
/// Example, Half = 8: 3 iterations, done_o 35 cycles after start_i.
module montcore_karatsuba_setup #(
    parameter int unsigned Half = 128,  // Width of n0' in bits.
    parameter int unsigned LastCycles = 5  // Cycles of the last pass, 5 or 6.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; abandons the computation.
    input logic start_i,  // Pulse: a modulus is loaded, start.
    output logic active_o,  // High while constants are computed.
    output logic take_modulus_o,  // Load the first factor with the low half of m.
    output logic take_product_o,  // Load the first factor with the last product plus two.
    output logic take_inverse_o,  // Load the second factor, x, with the last product.
    output logic done_o  // Pulse: the constant M' is complete.
);
  localparam int unsigned Rounds = $clog2(Half);
  localparam int unsigned RoundBits = $clog2(Rounds + 1);

  typedef enum logic [1:0] {
    StIdle,
    StModulus,
    StInverse,
    StScaled
  } state_e;

  state_e state_q;
  logic [2:0] step_q;
  logic [RoundBits-1:0] round_q;
  logic last;

  assign last = step_q == ((state_q == StScaled) ? 3'(LastCycles - 1) : 3'd4);
  assign active_o = state_q != StIdle;
  assign take_modulus_o = start_i || (state_q == StInverse && last);
  assign take_product_o = state_q == StModulus && last;
  assign take_inverse_o = state_q == StInverse && last;
  assign done_o = state_q == StScaled && last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
      step_q  <= '0;
      round_q <= '0;
    end else begin
      step_q <= (last || !active_o) ? '0 : step_q + 1;
      unique case (state_q)
        StIdle: begin
          round_q <= RoundBits'(1);
          if (start_i) state_q <= StModulus;
        end
        StModulus: if (last) state_q <= StInverse;
        StInverse: begin
          if (last) begin
            round_q <= round_q + 1;
            state_q <= (round_q == RoundBits'(Rounds)) ? StScaled : StModulus;
          end
        end
        StScaled:  if (last) state_q <= StIdle;
        default:   state_q <= StIdle;
      endcase
    end
  end
endmodule
