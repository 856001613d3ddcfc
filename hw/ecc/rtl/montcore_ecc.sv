// SPDX-License-Identifier: Apache-2.0

/// Curve engine over one multiplier core, `montcore_ecc_multiplier`.
///
/// Points of any curve of odd order over a prime field below 2^Length: scalar multiplication,
/// ECDSA, the X25519 ladder; see README.md of this folder for packets, operations and status codes.
/// Precondition: p and n odd, p prime, n the base point's order and prime for ECDSA.
/// Latency: a function of the curve's lengths, its form and the operation, never of data, except
/// that it ends early if public data is refused, and that a slow random source stalls it.
/// Example: cfg = P-256, y = 1, x = 2: z = 0, then x and y of 2 G.
module montcore_ecc
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Length = 256,  // Built width in bits, of the longer of p and n.
    parameter int unsigned Width = 32,  // Beat width in bits, 32 or more.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 2,  // Beats that the adder processes per cycle, 1 or 2.
    /// Maximum number of products in flight; a power of two, 2 or more.
    parameter int unsigned Open = 8,
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
`ifdef MONTCORE_CURVE_CLK2X
    /// Clock of the blocks at twice the rate; each edge of clk_i is one of its edges.
    input logic clk2x_i,
`endif
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon the operation and clear all state, secrets included.
    output logic busy_o,  // High while a packet or operation is open or memories are being cleared.
    input logic cfg_valid_i,  // Curve stream: valid.
    output logic cfg_ready_o,  // Curve stream: ready.
    input logic [Width-1:0] cfg_data_i,  // Curve stream: data, least significant beat first.
    input logic cfg_last_i,  // Curve stream: last beat.
    output logic cfg_done_o,  // Pulse: the curve was accepted or refused.
    /// Reason: 0 accepted, 1 even, 3 length, 4 constant out of range or base point off the curve.
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,  // Scalar stream: valid.
    output logic x_ready_o,  // Scalar stream: ready.
    input logic [Width-1:0] x_data_i,  // Scalar stream: data, least significant beat first.
    input logic x_last_i,  // Scalar stream: last beat.
    input logic y_valid_i,  // Stream of operation and points: valid.
    output logic y_ready_o,  // Stream of operation and points: ready.
    input logic [Width-1:0] y_data_i,  // Stream of operation and points: data, the operation first.
    input logic y_last_i,  // Stream of operation and points: last beat.
    output logic z_valid_o,  // Answer stream: valid.
    input logic z_ready_i,  // Answer stream: ready.
    /// Answer: data, the status first, then two numbers, least significant beat first.
    output logic [Width-1:0] z_data_o,
    output logic z_last_o,  // Answer stream: last beat.
    /// Always low: the status of an operation is in the answer's first beat.
    output logic z_error_o,
    input logic random_valid_i,  // Random stream: valid.
    output logic random_ready_o,  // Random stream: ready.
    /// Random stream: data, every bit random, valid with random_valid_i.
    input logic [Width-1:0] random_data_i,
    input logic random_fail_i,  // Random stream: the source has failed; its words must not be used.
    output logic core_start_o,  // Pulse: an operation starts.
    output logic core_done_o  // Pulse: the last beat of the answer is transferred.
);
  localparam int unsigned BeatBits = $clog2(Beats + 1);

  logic [AddressBits-1:0] address;
  logic [CodeBits-1:0] word;
  logic clear_multiplier, mul_busy, cfg_valid, cfg_ready, cfg_done, xy_valid, xy_ready, last;
  logic z_valid, z_error, unused_order;
  logic [LengthBits-1:0] length, radix, unused_power;
  logic [BeatBits-1:0] beats, unused_leave;
  logic [Width-1:0] x_word, y_word, modulus_word, z_data;

  if (Width < 32) begin : g_bad_width
    $fatal(1, "%m: the curve engine needs a multiplier with a bus of at least 32 bits");
  end
  if (Length > 1000) begin : g_bad_length
    $fatal(1, "%m: the curve engine is built for at most 1000 bits");
  end

  montcore_ecc_engine #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats),
      .Lanes (Lanes),
      .Open  (Open),
      .Tech  (Tech)
  ) u_engine (
      .address_o      (address),
      .word_i         (word),
      .mul_clear_o    (clear_multiplier),
      .mul_busy_i     (mul_busy),
      .mul_length_o   (length),
      .mul_beats_i    (beats),
      .mul_radix_i    (radix),
      .mul_cfg_valid_o(cfg_valid),
      .mul_cfg_ready_i(cfg_ready),
      .mul_cfg_data_o (modulus_word),
      .mul_order_o    (unused_order),
      .mul_cfg_done_i (cfg_done),
      .mul_valid_o    (xy_valid),
      .mul_ready_i    (xy_ready),
      .mul_x_o        (x_word),
      .mul_y_o        (y_word),
      .mul_last_o     (last),
      .mul_z_valid_i  (z_valid),
      .mul_z_data_i   (z_data),
      .mul_z_error_i  (z_error),
      .*
  );

  montcore_ecc_rom u_rom (
      .address_i(address),
      .word_o   (word)
  );

  montcore_ecc_multiplier u_multiplier (
      .clk_i,
`ifdef MONTCORE_CURVE_CLK2X
      .clk2x_i,
`endif
      .rst_ni,
      .zeroize_i  (clear_multiplier),
      .busy_o     (mul_busy),
      .length_i   (length),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (unused_power),
      .leave_o    (unused_leave),
      .cfg_valid_i(cfg_valid),
      .cfg_ready_o(cfg_ready),
      .cfg_data_i (modulus_word),
      .cfg_last_i (last),
      .cfg_done_o (cfg_done),
      .xy_valid_i (xy_valid),
      .xy_ready_o (xy_ready),
      .x_data_i   (x_word),
      .y_data_i   (y_word),
      .xy_last_i  (last),
      .canonical_i(1'b1),
      .z_valid_o  (z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_data),
      .z_error_o  (z_error)
  );
  logic unused;
  assign unused = ^{unused_power, unused_leave, unused_order};
endmodule
