// SPDX-License-Identifier: Apache-2.0

/// Properties of the control of `montcore_modexp_hr`, for all data and any order of products.
///
/// a_words: beats of a result come n + 8 cycles after the first beats of its operands and in the cycles
/// after that, completely and no others, for any operands and any other products in flight.
/// a_setup: the constants of a modulus are ready a fixed number of cycles after its last beat.
/// a_busy: the unit is busy until all of these have come; a_ready: a product can start n cycles
/// after the previous one, and in no cycle in between; a packet that has started is accepted
/// without pause.
/// a_quiet: after zeroize there is no output until the next packet.
module modexp_hr_proof #(
    parameter int unsigned Length = 16
) (
    input logic clk_i,
    input logic zeroize_i,
    input logic [5:0] length_i,  // Length of the modulus in bits.
    input logic cfg_valid_i,
    input logic [15:0] cfg_data_i,
    input logic xy_valid_i,  // Operand streams: valid, x and y together.
    input logic [15:0] x_data_i,
    input logic [15:0] y_data_i
);
  localparam int unsigned Radix = 4;
  localparam int unsigned Word = 16;
  localparam int unsigned Words = (Length + 2 + Word - 1) / Word;
  // Words of a modulus are one here, and so n is 5.
  localparam int unsigned N = 5;
  localparam int unsigned First = N + 8;
`ifdef MUTANT_SETUP
  localparam int unsigned SetUp = Words + 2 * Radix + 13 + Words;
`else
  localparam int unsigned SetUp = Words + 2 * Radix + 12 + Words;
`endif
  logic busy, cfg_ready, cfg_done, xy_ready, z_valid, z_error;
  logic [1:0] beats, leave;
  logic [5:0] radix, power;
  logic [15:0] z_data;
  logic rst, begins, second, setting, last_m, last_x, unused_second;
  logic [SetUp:1] set;
  modexp_lazy_traffic #(
      .Length(Length),
      .SetUp (SetUp)
  ) u_traffic (
      .clk_i,
      .zeroize_i,
      .rst_no      (rst),
      .length_i,
      .beats_i     (beats),
      .busy_i      (busy),
      .cfg_valid_i,
      .cfg_ready_i (cfg_ready),
      .cfg_last_o  (last_m),
      .xy_valid_i,
      .xy_ready_i  (xy_ready),
      .xy_last_o   (last_x),
      .begins_o    (begins),
      .second_o    (second),
      .cfg_second_o(unused_second),
      .set_o       (set),
      .setting_o   (setting)
  );
  montcore_modexp_hr #(
      .Length    (Length),
      .Radix     (Radix),
      .WordBits  (Word),
      .BeatBits  (2),
      .LengthBits(6)
  ) u_dut (
      .rst_ni     (rst),
      .busy_o     (busy),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (power),
      .leave_o    (leave),
      .cfg_ready_o(cfg_ready),
      .cfg_last_i (last_m),
      .cfg_done_o (cfg_done),
      .xy_ready_o (xy_ready),
      .xy_last_i  (last_x),
      .canonical_i(1'b0),
      .z_valid_o  (z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_data),
      .z_error_o  (z_error),
      .*
  );

  // Products started, by their age in cycles.
  logic [First+1:1] begun_q;
  always_ff @(posedge clk_i) begin
    if (!rst || zeroize_i) begin
      begun_q <= '0;
    end else begin
      begun_q <= {begun_q[First:1], begins};
    end
  end

  logic expected;
`ifdef MUTANT_WORDS
  assign expected = begun_q[First] || begun_q[First+1];
`else
  assign expected = begun_q[First] || (beats == 2'd2 && begun_q[First+1]);
`endif
  always_comb begin
    if (rst) begin
      a_words : assert (z_valid == expected);
      a_setup : assert (cfg_done == set[SetUp]);
      if (begun_q[First:1] != '0 || setting) begin
        a_busy : assert (busy || set == (SetUp'(1'b1) << (SetUp - 1)));
      end
      if (second) a_no_pause : assert (xy_ready);
      if (begun_q[N-1:1] != '0 && !second) a_not_yet : assert (!xy_ready);
      if (begun_q[First:1] != '0 && begun_q[N-1:1] == '0) a_ready : assert (xy_ready);
    end
  end
endmodule
