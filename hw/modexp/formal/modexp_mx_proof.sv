// SPDX-License-Identifier: Apache-2.0

/// Properties of the control of `montcore_modexp_mx`, for all data and products of both kinds in any
/// order, with any pauses between them. Words have 4 bits, so that a product takes 8 words + 8 cycles.
///
/// a_words: the beats of a result come in the cycles that follow from the kind of the product and the
///   length of the modulus, and no others, whatever the operands are and what else is under way.
/// a_setup: a modulus is loaded the same number of cycles after its last beat.
/// a_busy: the unit is busy until all of these have come.
/// a_ready: a product can begin in the first beat of a lazy result, or after the last one of a
///   canonical one, and in no cycle before; a_no_pause: one that has begun is taken without a pause.
/// After zeroize nothing is expected until the next packet, so that all of these hold for it too.
module modexp_mx_proof #(
    /// Built width, 4 or 8.
    parameter int unsigned Length = 8
) (
    /// Clock.
    input logic       clk_i,
    /// Clear everything.
    input logic       zeroize_i,
    /// Length of the modulus.
    input logic [5:0] length_i,
    /// Modulus: valid.
    input logic       cfg_valid_i,
    /// Modulus: data.
    input logic [3:0] cfg_data_i,
    /// Operands: valid.
    input logic       xy_valid_i,
    /// X: data.
    input logic [8:0] x_data_i,
    /// Y: data.
    input logic [8:0] y_data_i,
    /// The product is to be canonical.
    input logic       canonical_i
);
  localparam int unsigned Word = 4;
  localparam int unsigned Words = Length / Word;
  // Cycles to the first beat of a lazy result: of a modulus of one word, and of the longest one.
  localparam int unsigned Short = 8 + 8;
  localparam int unsigned Long = 8 * Words + 8;
  // Cycles to the last beat of a canonical result.
  localparam int unsigned Last = Long + 2 * Words;
`ifdef MUTANT_SETUP
  localparam int unsigned SetUp = Words + 6;
`else
  localparam int unsigned SetUp = Words + 5;
`endif
  logic rst_q, started_q;
  initial {rst_q, started_q} = 2'b00;
  always_ff @(posedge clk_i) {rst_q, started_q} <= {started_q, 1'b1};

  logic busy, cfg_ready, cfg_done, xy_ready, z_valid, z_error;
  logic [1:0] beats, leave;
  logic [5:0] radix, power;
  logic [8:0] z_data;
  // Which beat of a packet is due; packets are whole.
  logic m_place_q, x_place_q;
  logic last_m, last_x;
  assign last_m = beats == 2'd1 || m_place_q;
  assign last_x = beats == 2'd1 || x_place_q;
  montcore_modexp_mx #(
      .Length    (Length),
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
      .canonical_i(canonical_i),
      .z_valid_o  (z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_data),
      .z_error_o  (z_error)
  );

  // What has happened, by its age in cycles.
  logic [Last:1] lazy_q, canonical_q, lazy_kept, kept;
  assign lazy_kept = (beats == 2'd1) ? Last'((1 << Short) - 1) : '1;
  assign kept = (beats == 2'd1) ? Last'((1 << (Short + 2)) - 1) : '1;
  logic [SetUp:1] set_q;
  logic [5:0] length_q;
  logic m_take, x_take;
  assign m_take = cfg_valid_i && cfg_ready;
  assign x_take = xy_valid_i && xy_ready;
  always_ff @(posedge clk_i) begin
    length_q <= length_i;
    if (!rst_q || zeroize_i) begin
      lazy_q      <= '0;
      canonical_q <= '0;
      set_q       <= '0;
      m_place_q   <= 1'b0;
      x_place_q   <= 1'b0;
    end else begin
      // What is over is forgotten, since another length may come then.
      lazy_q      <= {lazy_q[Last-1:1], x_take && !x_place_q && !canonical_i} & lazy_kept;
      canonical_q <= {canonical_q[Last-1:1], x_take && !x_place_q && canonical_i} & kept;
      set_q       <= {set_q[SetUp-1:1], m_take && last_m};
      if (m_take) m_place_q <= !last_m;
      if (x_take) x_place_q <= !last_x;
    end
  end

  logic resting_q, expected, setting, waits, one;
  always_ff @(posedge clk_i) resting_q <= rst_q && !busy;
  assign setting = set_q != '0 || m_place_q;
  assign one = beats == 2'd1;
`ifdef MUTANT_WORDS
  assign expected = one ? lazy_q[Short] || canonical_q[Short+1] :
      lazy_q[Long] || canonical_q[Last-1] || canonical_q[Last];
`else
  assign expected = one ? lazy_q[Short] || canonical_q[Short+2] :
      lazy_q[Long] || lazy_q[Long+1] || canonical_q[Last-1] || canonical_q[Last];
`endif
  // A product waits for the one before it.
`ifdef MUTANT_READY
  assign waits = lazy_q[Short-1:1] != '0 || canonical_q[Short+1:1] != '0;
`else
  assign waits = one ? lazy_q[Short-1:1] != '0 || canonical_q[Short+2:1] != '0 :
      lazy_q[Long-1:1] != '0 || canonical_q[Last:1] != '0;
`endif
  always_comb begin
    m_length : assume (length_i >= 6'd2 && length_i <= 6'(Length));
    // A length comes while nothing is under way.
    if (!resting_q || busy) m_holds : assume (length_i == length_q);
    if (length_i != length_q) m_waits : assume (!cfg_valid_i && !xy_valid_i);
    if (x_place_q && xy_ready) m_no_gap : assume (xy_valid_i);
    m_one : assume (!(cfg_valid_i && xy_valid_i));
    if (m_place_q || setting) m_modulus : assume (!xy_valid_i);
    if (rst_q) begin
      a_words : assert (z_valid == expected);
      a_setup : assert (cfg_done == set_q[SetUp]);
      if (waits || expected || m_place_q || set_q[SetUp-1:1] != '0) a_busy : assert (busy);
      if (x_place_q)
        a_no_pause :
        assert (xy_ready);
        else if (waits)
          a_not_yet :
          assert (!xy_ready);
          else if (!setting && (lazy_q != '0 || canonical_q != '0 || !busy))
            a_ready : assert (xy_ready);
    end
  end
endmodule
