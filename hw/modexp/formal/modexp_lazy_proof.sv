// SPDX-License-Identifier: Apache-2.0

/// Properties of the control of a lazy unit, `montcore_modexp_mx` or `montcore_modexp_hr` (`CORE with
/// `PARAMETERS), for all data and products in any order, with any pauses between them.
///
/// a_words: the beats of a result come in the cycles determined by the kind of the product and the
/// length of the modulus, and no others, for any operands and any other products in flight.
/// a_setup: a modulus is ready a fixed number of cycles after its last beat.
/// a_busy: the unit is busy until all of these have come.
/// a_not_yet, a_ready: a product can start as soon as the previous one permits it, and in no cycle
/// before; a_no_pause: a packet that has started is accepted without pause.
/// After zeroize no output is expected until the next packet, so that all of these hold for it too.
///
/// m_length, m_holds, m_waits: a length fits, changes only while idle, and one cycle before any
/// beat; m_no_gap: operand beats have no gaps; m_one, m_modulus: no operands come together with a
/// modulus, nor before it is set up. Packets are complete.
module modexp_lazy_proof #(
    parameter bit Mx = 1'b0,  // 1: mx, which also has canonical products; 0: hr.
    parameter int unsigned Length = 16,  // Built width in bits, of one word or two.
    localparam int unsigned Word = Mx ? 4 : 16,  // Width of a word of the modulus in bits.
    localparam int unsigned DataBits = Mx ? 9 : 16  // Width of a beat of operands and results.
) (
    input logic clk_i,
    input logic zeroize_i,
    input logic [5:0] length_i,  // Length of the modulus in bits.
    input logic cfg_valid_i,
    input logic [Word-1:0] cfg_data_i,
    input logic xy_valid_i,  // Operand streams: valid, x and y together.
    input logic [DataBits-1:0] x_data_i,
    input logic [DataBits-1:0] y_data_i,
    input logic canonical_i  // High: the product is canonical, in mx; sampled with the first beat.
);
  // Words of an operand; those of hr have two bits more than the modulus, which has one word.
  localparam int unsigned Words = (Length + (Mx ? 0 : 2) + Word - 1) / Word;
  // Cycles to the first beat of a lazy result: for operands of one word, and for the longest ones.
  localparam int unsigned Short = Mx ? 8 + 8 : 5 + 7;
  localparam int unsigned Long = Mx ? 8 * Words + 8 : Short;
  // Cycles after which a product can follow a lazy one, less than those.
  localparam int unsigned ShortPitch = Mx ? Short : 5;
  localparam int unsigned LongPitch = Mx ? Long : 5;
  // Cycles to the last beat of a canonical result.
  localparam int unsigned Last = Long + 2 * Words;
  // Cycles from the last beat of a modulus until it is set up.
  localparam int unsigned SetUp = (Mx ? Words + 5 : 2 * Words + 20) + (`MUTANT == 2 ? 1 : 0);
  logic busy, cfg_ready, cfg_last, cfg_done, xy_ready, xy_last, z_valid, z_error;
  logic [1:0] beats, leave;
  logic [5:0] radix, power;
  logic [DataBits-1:0] z_data;
  logic rst_q = 1'b0, started_q = 1'b0;
  always_ff @(posedge clk_i) {rst_q, started_q} <= {started_q, 1'b1};
  `CORE #(
  `PARAMETERS
  ) u_dut (
      .rst_ni     (rst_q),
      .busy_o     (busy),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (power),
      .leave_o    (leave),
      .cfg_ready_o(cfg_ready),
      .cfg_last_i (cfg_last),
      .cfg_done_o (cfg_done),
      .xy_ready_o (xy_ready),
      .xy_last_i  (xy_last),
      .canonical_i(canonical_i && Mx),
      .z_valid_o  (z_valid),
      .z_ready_i  (1'b1),
      .z_data_o   (z_data),
      .z_error_o  (z_error),
      .*
  );

  // ---- traffic -----------------------------------------------------------------------------------
  logic m_second_q, x_second_q, m_take, x_take, resting_q, one, setting;
  logic [5:0] length_q;
  // Bit k: the last beat of a modulus was transferred k cycles ago.
  logic [SetUp:1] set_q;
  assign one = beats == 2'd1;
  assign cfg_last = one || m_second_q;
  assign xy_last = one || x_second_q;
  assign m_take = cfg_valid_i && cfg_ready;
  assign x_take = xy_valid_i && xy_ready;
  assign setting = set_q != '0 || m_second_q;
  // Products started, by their age in cycles; finished ones are dropped, since the length may change.
  logic [Last:1] lazy_q, canonical_q, lazy_kept, kept;
  assign lazy_kept = one ? Last'((1 << Short) - 1) : '1;
  assign kept = one ? Last'((1 << (Short + 2)) - 1) : '1;
  always_ff @(posedge clk_i) begin
    length_q  <= length_i;
    resting_q <= rst_q && !busy;
    if (!rst_q || zeroize_i) begin
      {lazy_q, canonical_q, set_q, m_second_q, x_second_q} <= '0;
    end else begin
      lazy_q      <= {lazy_q[Last-1:1], x_take && !x_second_q && !(canonical_i && Mx)} & lazy_kept;
      canonical_q <= {canonical_q[Last-1:1], x_take && !x_second_q && canonical_i && Mx} & kept;
      set_q       <= {set_q[SetUp-1:1], m_take && cfg_last};
      if (m_take) m_second_q <= !cfg_last;
      if (x_take) x_second_q <= !xy_last;
    end
  end
  always_comb begin
    m_length : assume (length_i >= 6'd2 && length_i <= 6'(Length));
    if (!resting_q || busy) m_holds : assume (length_i == length_q);
    if (length_i != length_q) m_waits : assume (!cfg_valid_i && !xy_valid_i);
    if (x_second_q && xy_ready) m_no_gap : assume (xy_valid_i);
    m_one : assume (!(cfg_valid_i && xy_valid_i));
    if (setting) m_modulus : assume (!xy_valid_i);
  end

  // ---- properties --------------------------------------------------------------------------------
  logic expected, open, waits, ready;
  assign expected = one ? lazy_q[`MUTANT == 1 ? Short - 1 : Short] || canonical_q[Short+2] :
      lazy_q[Long] || lazy_q[Long+1] || canonical_q[Last-1] || canonical_q[Last];
  assign open = one ? lazy_q[Short:1] != '0 || canonical_q[Short+2:1] != '0 :
      lazy_q[Long+1:1] != '0 || canonical_q != '0;
  // A product waits for the previous one.
  assign waits = one ?
      lazy_q[ShortPitch-1:1] != '0 || canonical_q[(`MUTANT == 3 ? Short + 1 : Short + 2):1] != '0 :
      lazy_q[LongPitch-1:1] != '0 || canonical_q != '0;
  assign ready = !setting && (lazy_q != '0 || canonical_q != '0 || !busy);
  always_comb begin
    if (rst_q) begin
      a_words : assert (z_valid == expected);
      a_setup : assert (cfg_done == set_q[SetUp]);
      if (open || m_second_q || set_q[SetUp-1:1] != '0) a_busy : assert (busy);
      if (x_second_q)
        a_no_pause :
        assert (xy_ready);
        else if (waits)
          a_not_yet :
          assert (!xy_ready);
          else if (ready) a_ready : assert (xy_ready);
    end
  end
endmodule
