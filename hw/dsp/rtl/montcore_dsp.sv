// SPDX-License-Identifier: Apache-2.0

/// Quotient-pipelined radix-2^17 Montgomery multiplier in a row of DSP blocks, one clock.
///
/// z = x * y * R^-1 mod m, R = 2^(17 n + 34), n = ceil((h + 36) / 17), h = min(32 words, Length)
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency, r = 2 ceil((n + 1) / (2 Alpha)): 2 (n r - r / 2 + 4) cycles in the row, 4 n + 14 for
/// r = 2.
/// Source: dsp48-2007.
/// Example, Length = 8: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x3c (R = 2^85).
module montcore_dsp #(
    parameter int unsigned Length = 512,  // Built width L in bits, 2 or more.
    parameter int unsigned Alpha = 17,  // Number of DSP blocks, 1 or more.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [31:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [31:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [31:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [31:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    /// Pulse: the result of a product is complete (its first pair, below 2 Mt).
    output logic core_done_o
);
  if (Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end
  if (Alpha < 1) begin : g_bad_alpha
    $fatal(1, "%m: alpha must be at least 1");
  end
  // An Alpha of 0 must still elaborate up to its refusal above.
  localparam int unsigned Blocks = (Alpha > 0) ? Alpha : 1;

  // The blocks work in every cycle, the rest in every second one, counted from the start of work.
  logic phase_q, rest;
  always_ff @(posedge clk_i) phase_q <= !rst_ni || rest || !phase_q;

  montcore_dsp_core #(
      .Length(Length),
      .Alpha (Blocks),
      .Tech  (Tech)
  ) u_core (
      .tick_i    (phase_q),
      .clk_fast_i(clk_i),
      .phase_i   (phase_q),
      .rest_o    (rest),
      .*
  );
endmodule
