// SPDX-License-Identifier: Apache-2.0

/// Curve engine over one multiplier core, `montcore_ecc_multiplier`.
///
/// Points of any curve of odd order over a prime field below 2^Length: scalar products, ECDSA, the
/// ladder of X25519; see README.md of this folder for packets, operations and statuses.
/// Precondition: p and n odd, p prime, n the base point's order and prime for ECDSA.
/// Latency: a function of the curve's lengths, its form and the operation; never of data, unless an
/// operation ends early because what is refused is public, or the source of randomness is slow.
/// Example: cfg = P-256, y = 1, x = 2: z = 0, then x and y of 2 G.
module montcore_ecc
  import montcore_ecc_pkg::*;
#(
    /// Built width in bits.
    parameter int unsigned Length = 256,
    /// Bits of a beat, 32 or more.
    parameter int unsigned Width  = 32,
    /// Beats of an element at the built width.
    parameter int unsigned Beats  = 8,
    /// Beats that the adder takes in a cycle, 1 or 2.
    parameter int unsigned Lanes  = 2,
    /// Products under way at most; a power of two, 2 or more.
    parameter int unsigned Open   = 8,
    /// Technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech   = montcore_pkg::TechGeneric
) (
    /// Clock, rising edge.
    input  logic             clk_i,
`ifdef MONTCORE_CURVE_CLK2X
    /// Clock of the blocks, twice as fast; each edge of clk_i is one of its edges.
    input  logic             clk2x_i,
`endif
    /// Synchronous reset, active low.
    input  logic             rst_ni,
    /// Pulse: clear everything.
    input  logic             zeroize_i,
    /// Something is under way or being cleared.
    output logic             busy_o,
    /// Curve stream: valid.
    input  logic             cfg_valid_i,
    /// Curve stream: ready.
    output logic             cfg_ready_o,
    /// Curve stream: data.
    input  logic [Width-1:0] cfg_data_i,
    /// Curve stream: last beat.
    input  logic             cfg_last_i,
    /// Pulse: the curve was accepted or refused.
    output logic             cfg_done_o,
    /// Why it was refused: 1 even, 3 length, 4 a constant out of range or a base point off the curve.
    output logic [      2:0] cfg_error_o,
    /// Stream of scalars: valid.
    input  logic             x_valid_i,
    /// Stream of scalars: ready.
    output logic             x_ready_o,
    /// Stream of scalars: data.
    input  logic [Width-1:0] x_data_i,
    /// Stream of scalars: last beat.
    input  logic             x_last_i,
    /// Stream of operation and points: valid.
    input  logic             y_valid_i,
    /// Stream of operation and points: ready.
    output logic             y_ready_o,
    /// Stream of operation and points: data.
    input  logic [Width-1:0] y_data_i,
    /// Stream of operation and points: last beat.
    input  logic             y_last_i,
    /// Answer: valid.
    output logic             z_valid_o,
    /// Answer: ready.
    input  logic             z_ready_i,
    /// Answer: data.
    output logic [Width-1:0] z_data_o,
    /// Answer: last beat.
    output logic             z_last_o,
    /// Always low: how an operation ended is in the answer's first beat.
    output logic             z_error_o,
    /// Randomness: valid.
    input  logic             random_valid_i,
    /// Randomness: ready.
    output logic             random_ready_o,
    /// Randomness: a word of which every bit is random.
    input  logic [Width-1:0] random_data_i,
    /// Randomness: the source has failed.
    input  logic             random_fail_i,
    /// Pulse: an operation begins.
    output logic             core_start_o,
    /// Pulse: its result is there.
    output logic             core_done_o
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
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .zeroize_i      (zeroize_i),
      .busy_o         (busy_o),
      .cfg_valid_i    (cfg_valid_i),
      .cfg_ready_o    (cfg_ready_o),
      .cfg_data_i     (cfg_data_i),
      .cfg_last_i     (cfg_last_i),
      .cfg_done_o     (cfg_done_o),
      .cfg_error_o    (cfg_error_o),
      .x_valid_i      (x_valid_i),
      .x_ready_o      (x_ready_o),
      .x_data_i       (x_data_i),
      .x_last_i       (x_last_i),
      .y_valid_i      (y_valid_i),
      .y_ready_o      (y_ready_o),
      .y_data_i       (y_data_i),
      .y_last_i       (y_last_i),
      .z_valid_o      (z_valid_o),
      .z_ready_i      (z_ready_i),
      .z_data_o       (z_data_o),
      .z_last_o       (z_last_o),
      .z_error_o      (z_error_o),
      .random_valid_i (random_valid_i),
      .random_ready_o (random_ready_o),
      .random_data_i  (random_data_i),
      .random_fail_i  (random_fail_i),
      .core_start_o   (core_start_o),
      .core_done_o    (core_done_o),
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
      .mul_z_error_i  (z_error)
  );

  montcore_ecc_rom u_rom (
      .address_i(address),
      .word_o   (word)
  );

  montcore_ecc_multiplier u_multiplier (
      .clk_i      (clk_i),
`ifdef MONTCORE_CURVE_CLK2X
      .clk2x_i    (clk2x_i),
`endif
      .rst_ni     (rst_ni),
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
