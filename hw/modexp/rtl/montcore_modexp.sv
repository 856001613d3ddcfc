// SPDX-License-Identifier: Apache-2.0

/// Modular exponentiator over one multiplier core, `montcore_modexp_multiplier`.
///
/// z = x^e mod m
/// Precondition: m odd, 3 <= m < 2^length, x < m, e >= 1 of at most Length bits; else an error.
/// Packets: cfg = length in bits, then m; y = (policy << 14) + bits of e, then e; x and z as m.
/// Policies: 0 fixed window, 2 Montgomery ladder: operations and accesses depend on e's length
/// only; 1 sliding window, for public e; 3 a product, z = x * e mod m, e < m in as many beats as m.
/// Latency: for policy 0 a function of the lengths of m and e; R^2 mod m is computed at
/// configuration. After each answer all data that depends on x or e is cleared; then the multiplier
/// is reloaded with m.
/// Source: dsp48-2007, Figure 6 and Algorithm 3 (sliding window).
/// Example: length 8, m = 0x8b; x = 0x53, e = 0x11 -> z = 0x53^17 mod 0x8b = 0x10.
module montcore_modexp
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Length = 512,  /// Built width L in bits.
    parameter int unsigned Width = 34,  /// Beat width in bits, 16 or more.
    parameter int unsigned OperandWidth = Width,  /// Beat width of the multiplier's operands.
    parameter int unsigned Beats = 17,  /// Beats of the multiplier's operands at full width.
    parameter int unsigned Window = 5,  /// Window width in bits, 2 to 6.
    parameter int unsigned LazySetUp = 1,  /// 1: R^2 is made with lazy products.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,  /// Target, `montcore_pkg::Tech...`.
    localparam int unsigned BeatBits = $clog2(Beats + 1)  /// Width of a beat count (do not change).
) (
    input logic clk_i,  /// Clock, rising edge.
`ifdef MONTCORE_CLK2X
    input logic clk2x_i,  /// Clock at twice the rate; each edge of clk_i is one of its edges.
`endif
    input logic rst_ni,  /// Synchronous reset, active low.
    input logic zeroize_i,  /// Pulse: abandon all work, clear modulus, operands and result.
    output logic busy_o,  /// High while a packet, a request or a clear is in progress.
    input logic cfg_valid_i,  /// Modulus stream: valid.
    output logic cfg_ready_o,  /// Modulus stream: ready, independent of cfg_valid_i.
    input logic [Width-1:0] cfg_data_i,  /// Modulus stream: length in bits, then the modulus.
    input logic cfg_last_i,  /// Modulus stream: last beat.
    output logic cfg_done_o,  /// Pulse: the modulus was accepted or refused.
    output logic [2:0] cfg_error_o,  /// Reason (montcore_error_e), valid with cfg_done_o.
    input logic x_valid_i,  /// Base stream: valid.
    output logic x_ready_o,  /// Base stream: ready, independent of x_valid_i.
    input logic [Width-1:0] x_data_i,  /// Base stream: data, least significant beat first.
    input logic x_last_i,  /// Base stream: last beat.
    input logic y_valid_i,  /// Exponent stream: valid.
    output logic y_ready_o,  /// Exponent stream: ready, independent of y_valid_i.
    input logic [Width-1:0] y_data_i,  /// Exponent stream: policy and length, then the exponent.
    input logic y_last_i,  /// Exponent stream: last beat.
    output logic z_valid_o,  /// Result stream: valid, stable until accepted.
    input logic z_ready_i,  /// Result stream: ready, the beat is accepted.
    output logic [Width-1:0] z_data_o,  /// Result, or a montcore_error_e with z_error_o.
    output logic z_last_o,  /// Result stream: last beat.
    output logic z_error_o,  /// Result stream: the beat is an error code and the only beat.
    output logic core_start_o,  /// Pulse: the first product of a request starts.
    output logic core_done_o  /// Pulse: the result of a request is complete.
);
  logic
      mul_zeroize,
      mul_busy,
      mul_canonical,
      mul_cfg_valid,
      mul_cfg_ready,
      mul_cfg_last,
      mul_cfg_done;
  logic mul_xy_valid, mul_xy_ready, mul_xy_last, mul_z_valid, mul_z_ready, mul_z_error;
  logic [LengthBits-1:0] mul_length, mul_radix, mul_power;
  logic [BeatBits-1:0] mul_beats, mul_leave;
  logic [Width-1:0] mul_cfg_data;
  logic [OperandWidth-1:0] mul_x_data, mul_y_data, mul_z_data;

  montcore_modexp_engine #(
      .Length(Length),
      .Width(Width),
      .OperandWidth(OperandWidth),
      .Beats(Beats),
      .Window(Window),
      .LazySetUp(LazySetUp != 0),
      .Tech(Tech)
  ) u_engine (
      .mul_zeroize_o(mul_zeroize),
      .mul_busy_i(mul_busy),
      .mul_length_o(mul_length),
      .mul_beats_i(mul_beats),
      .mul_radix_i(mul_radix),
      .mul_power_i(mul_power),
      .mul_leave_i(mul_leave),
      .mul_cfg_valid_o(mul_cfg_valid),
      .mul_cfg_ready_i(mul_cfg_ready),
      .mul_cfg_data_o(mul_cfg_data),
      .mul_cfg_last_o(mul_cfg_last),
      .mul_cfg_done_i(mul_cfg_done),
      .mul_xy_valid_o(mul_xy_valid),
      .mul_xy_ready_i(mul_xy_ready),
      .mul_x_data_o(mul_x_data),
      .mul_y_data_o(mul_y_data),
      .mul_xy_last_o(mul_xy_last),
      .mul_canonical_o(mul_canonical),
      .mul_z_valid_i(mul_z_valid),
      .mul_z_ready_o(mul_z_ready),
      .mul_z_data_i(mul_z_data),
      .mul_z_error_i(mul_z_error),
      .*
  );

  montcore_modexp_multiplier u_multiplier (
      .clk_i,
`ifdef MONTCORE_CLK2X
      .clk2x_i,
`endif
      .rst_ni,
      .zeroize_i(mul_zeroize),
      .busy_o(mul_busy),
      .length_i(mul_length),
      .beats_o(mul_beats),
      .radix_o(mul_radix),
      .power_o(mul_power),
      .leave_o(mul_leave),
      .cfg_valid_i(mul_cfg_valid),
      .cfg_ready_o(mul_cfg_ready),
      .cfg_data_i(mul_cfg_data),
      .cfg_last_i(mul_cfg_last),
      .cfg_done_o(mul_cfg_done),
      .xy_valid_i(mul_xy_valid),
      .xy_ready_o(mul_xy_ready),
      .x_data_i(mul_x_data),
      .y_data_i(mul_y_data),
      .xy_last_i(mul_xy_last),
      .canonical_i(mul_canonical),
      .z_valid_o(mul_z_valid),
      .z_ready_i(mul_z_ready),
      .z_data_o(mul_z_data),
      .z_error_o(mul_z_error)
  );
endmodule
