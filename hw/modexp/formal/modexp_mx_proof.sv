// SPDX-License-Identifier: Apache-2.0

/// Properties of the control of `montcore_modexp_mx`, for all data and products of both kinds in any
/// order, with any pauses between them. Words have 4 bits, so that a product takes 8 words + 8 cycles.
///
/// a_words: the beats of a result come in the cycles determined by the kind of the product and the
/// length of the modulus, and no others, for any operands and any other products in flight.
/// a_setup: a modulus is loaded a fixed number of cycles after its last beat.
/// a_busy: the unit is busy until all of these have come.
/// a_ready: a product can start in the first beat of a lazy result, or after the last one of a
/// canonical one, and in no cycle before; a_no_pause: a started one is accepted without pause.
/// After zeroize no output is expected until the next packet, so that all of these hold for it too.
module modexp_mx_proof #(
    parameter int unsigned Length = 8  // Built width in bits, 4 or 8.
) (
    input logic clk_i,
    input logic zeroize_i,
    input logic [5:0] length_i,  // Length of the modulus in bits.
    input logic cfg_valid_i,
    input logic [3:0] cfg_data_i,
    input logic xy_valid_i,  // Operand streams: valid, x and y together.
    input logic [8:0] x_data_i,
    input logic [8:0] y_data_i,
    input logic canonical_i  // High: the product is canonical; sampled with the first beat.
);
  localparam int unsigned Word = 4;
  localparam int unsigned Words = Length / Word;
  // Cycles to the first beat of a lazy result: for a modulus of one word, and for the longest one.
  localparam int unsigned Short = 8 + 8;
  localparam int unsigned Long = 8 * Words + 8;
  // Cycles to the last beat of a canonical result.
  localparam int unsigned Last = Long + 2 * Words;
`ifdef MUTANT_SETUP
  localparam int unsigned SetUp = Words + 6;
`else
  localparam int unsigned SetUp = Words + 5;
`endif
  logic busy, cfg_ready, cfg_done, xy_ready, z_valid, z_error;
  logic [1:0] beats, leave;
  logic [5:0] radix, power;
  logic [8:0] z_data;
  logic rst, begins, second, setting, last_m, last_x, m_second;
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
      .cfg_second_o(m_second),
      .set_o       (set),
      .setting_o   (setting)
  );
  montcore_modexp_mx #(
      .Length    (Length),
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
      .z_valid_o  (z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_data),
      .z_error_o  (z_error),
      .*
  );

  // Products started, by their age in cycles.
  logic [Last:1] lazy_q, canonical_q, lazy_kept, kept;
  assign lazy_kept = (beats == 2'd1) ? Last'((1 << Short) - 1) : '1;
  assign kept = (beats == 2'd1) ? Last'((1 << (Short + 2)) - 1) : '1;
  always_ff @(posedge clk_i) begin
    if (!rst || zeroize_i) begin
      lazy_q      <= '0;
      canonical_q <= '0;
    end else begin
      // Finished products are dropped, since the length may change afterwards.
      lazy_q      <= {lazy_q[Last-1:1], begins && !canonical_i} & lazy_kept;
      canonical_q <= {canonical_q[Last-1:1], begins && canonical_i} & kept;
    end
  end

  logic expected, waits, one;
  assign one = beats == 2'd1;
`ifdef MUTANT_WORDS
  assign expected = one ? lazy_q[Short] || canonical_q[Short+1] :
      lazy_q[Long] || canonical_q[Last-1] || canonical_q[Last];
`else
  assign expected = one ? lazy_q[Short] || canonical_q[Short+2] :
      lazy_q[Long] || lazy_q[Long+1] || canonical_q[Last-1] || canonical_q[Last];
`endif
  // A product waits for the previous one.
`ifdef MUTANT_READY
  assign waits = lazy_q[Short-1:1] != '0 || canonical_q[Short+1:1] != '0;
`else
  assign waits = one ? lazy_q[Short-1:1] != '0 || canonical_q[Short+2:1] != '0 :
      lazy_q[Long-1:1] != '0 || canonical_q[Last:1] != '0;
`endif
  always_comb begin
    if (rst) begin
      a_words : assert (z_valid == expected);
      a_setup : assert (cfg_done == set[SetUp]);
      if (waits || expected || m_second || set[SetUp-1:1] != '0) a_busy : assert (busy);
      if (second)
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
