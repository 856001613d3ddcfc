// SPDX-License-Identifier: Apache-2.0

/// Properties of the control of `montcore_modexp_hr`, for all data and any order of products.
///
/// a_words: beats of a result come n + 8 cycles after the first beats of its operands and in the cycles
///   after that, all of them and no others, whatever the operands are and whatever else is under way.
/// a_setup: the constants of a modulus are ready the same number of cycles after its last beat.
/// a_busy: the unit is busy until all of these have come; a_ready: a product can begin n cycles after
///   the one before it, and in no cycle in between; a packet that has begun is taken without a pause.
/// a_quiet: after zeroize nothing comes until the next packet.
module modexp_hr_proof #(
    /// Built width.
    parameter int unsigned Length = 16
) (
    /// Clock.
    input logic        clk_i,
    /// Clear everything.
    input logic        zeroize_i,
    /// Length of the modulus.
    input logic [ 5:0] length_i,
    /// Modulus: valid.
    input logic        cfg_valid_i,
    /// Modulus: data.
    input logic [15:0] cfg_data_i,
    /// Operands: valid.
    input logic        xy_valid_i,
    /// X: data.
    input logic [15:0] x_data_i,
    /// Y: data.
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
  logic rst_q, started_q;
  initial {rst_q, started_q} = 2'b00;
  always_ff @(posedge clk_i) {rst_q, started_q} <= {started_q, 1'b1};

  logic busy, cfg_ready, cfg_done, xy_ready, z_valid, z_error;
  logic [1:0] beats, leave;
  logic [5:0] radix, power;
  logic [15:0] z_data;
  // Which beat of a packet is due; packets are whole.
  logic m_place_q, x_place_q;
  logic last_m, last_x;
  assign last_m = beats == 2'd1 || m_place_q;
  assign last_x = beats == 2'd1 || x_place_q;
  montcore_modexp_hr #(
      .Length    (Length),
      .Radix     (Radix),
      .WordBits  (Word),
      .BeatBits  (2),
      .LengthBits(6)
  ) u_dut (
      .clk_i      (clk_i),
      .rst_ni     (rst_q),
      .zeroize_i  (zeroize_i),
      .busy_o     (busy),
      .length_i   (length_i),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (power),
      .leave_o    (leave),
      .cfg_valid_i(cfg_valid_i),
      .cfg_ready_o(cfg_ready),
      .cfg_data_i (cfg_data_i),
      .cfg_last_i (last_m),
      .cfg_done_o (cfg_done),
      .xy_valid_i (xy_valid_i),
      .xy_ready_o (xy_ready),
      .x_data_i   (x_data_i),
      .y_data_i   (y_data_i),
      .xy_last_i  (last_x),
      .canonical_i(1'b0),
      .z_valid_o  (z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_data),
      .z_error_o  (z_error)
  );

  // What has happened, by its age in cycles.
  logic [First+1:1] begun_q;
  logic [SetUp:1] set_q;
  logic [5:0] length_q;
  logic m_take, x_take;
  assign m_take = cfg_valid_i && cfg_ready;
  assign x_take = xy_valid_i && xy_ready;
  always_ff @(posedge clk_i) begin
    length_q <= length_i;
    if (!rst_q || zeroize_i) begin
      begun_q   <= '0;
      set_q     <= '0;
      m_place_q <= 1'b0;
      x_place_q <= 1'b0;
    end else begin
      begun_q <= {begun_q[First:1], x_take && !x_place_q};
      set_q   <= {set_q[SetUp-1:1], m_take && last_m};
      if (m_take) m_place_q <= !last_m;
      if (x_take) x_place_q <= !last_x;
    end
  end

  logic resting_q, expected, setting;
  always_ff @(posedge clk_i) resting_q <= rst_q && !busy;
  assign setting = set_q != '0 || m_place_q;
`ifdef MUTANT_WORDS
  assign expected = begun_q[First] || begun_q[First+1];
`else
  assign expected = begun_q[First] || (beats == 2'd2 && begun_q[First+1]);
`endif
  always_comb begin
    m_length : assume (length_i >= 6'd2 && length_i <= 6'(Length));
    // A length comes while nothing is under way, and two cycles before what depends on it.
    if (!resting_q || busy) m_holds : assume (length_i == length_q);
    if (length_i != length_q) m_waits : assume (!cfg_valid_i && !xy_valid_i);
    if (x_place_q && xy_ready) m_no_gap : assume (xy_valid_i);
    m_one : assume (!(cfg_valid_i && xy_valid_i));
    if (m_place_q || setting) m_modulus : assume (!xy_valid_i);
    if (rst_q) begin
      a_words : assert (z_valid == expected);
      a_setup : assert (cfg_done == set_q[SetUp]);
      if (begun_q[First:1] != '0 || setting) begin
        a_busy : assert (busy || set_q == (SetUp'(1'b1) << (SetUp - 1)));
      end
      if (x_place_q) a_no_pause : assert (xy_ready);
      if (begun_q[N-1:1] != '0 && !x_place_q) a_not_yet : assert (!xy_ready);
      if (begun_q[First:1] != '0 && begun_q[N-1:1] == '0) a_ready : assert (xy_ready);
    end
  end
endmodule
