// SPDX-License-Identifier: Apache-2.0

/// Modular exponentiator over one multiplier core, `montcore_modexp_multiplier`.
///
/// z = x^e mod m
/// Precondition: m odd, 3 <= m < 2^length, x < m, e >= 1 of at most Length bits; else an error.
/// Packets: cfg = length in bits, then m; y = (policy << 14) + bits of e, then e; x and z as m.
/// The streams of x and y may come in any order, but for a product: e is taken after x then.
/// Policies: 0 fixed window, the same operations and accesses for every exponent of a length;
/// 1 sliding window, for public exponents; 2 Montgomery ladder, as constant as 0;
/// 3 no power but a product, z = x * e mod m, e < m in as many beats as m.
/// Latency: for policy 0 a function of the lengths of m and e; R^2 mod m is made at configuration.
/// After each answer all that depends on x or e is cleared, in the multiplier too, to which m is
/// given anew; only then is anything taken.
/// Source: dsp48-2007, Figure 6 and Algorithm 3 (sliding window).
/// Example: length 8, m = 0x8b; x = 0x53, e = 0x11 -> z = 0x53^17 mod 0x8b = 0x1d.
module montcore_modexp #(
    /// Built width L in bits.
    parameter int unsigned Length = 512,
    /// Bits of a beat, 16 or more.
    parameter int unsigned Width  = 34,
    /// Beats of the multiplier's operands at the built width.
    parameter int unsigned Beats  = 17,
    /// Window in bits, 2 or more.
    parameter int unsigned Window = 5
) (
    /// Clock.
    input  logic             clk_i,
`ifdef MONTCORE_CLK2X
    /// Clock of the multiplier's blocks, twice as fast; each edge of clk_i is one of its edges.
    input  logic             clk2x_i,
`endif
    /// Synchronous reset, active low.
    input  logic             rst_ni,
    /// Pulse: clear everything that held a modulus, an operand, an exponent or a result.
    input  logic             zeroize_i,
    /// Something is under way.
    output logic             busy_o,
    /// Modulus stream: valid.
    input  logic             cfg_valid_i,
    /// Modulus stream: ready.
    output logic             cfg_ready_o,
    /// Modulus stream: the length in bits, then the modulus.
    input  logic [Width-1:0] cfg_data_i,
    /// Modulus stream: last beat.
    input  logic             cfg_last_i,
    /// Pulse: the modulus was accepted or refused.
    output logic             cfg_done_o,
    /// Why it was refused (montcore_error_e).
    output logic [      2:0] cfg_error_o,
    /// Base stream: valid.
    input  logic             x_valid_i,
    /// Base stream: ready.
    output logic             x_ready_o,
    /// Base stream: data.
    input  logic [Width-1:0] x_data_i,
    /// Base stream: last beat.
    input  logic             x_last_i,
    /// Exponent stream: valid.
    input  logic             y_valid_i,
    /// Exponent stream: ready.
    output logic             y_ready_o,
    /// Exponent stream: policy and length in bits, then the exponent.
    input  logic [Width-1:0] y_data_i,
    /// Exponent stream: last beat.
    input  logic             y_last_i,
    /// Z stream: valid.
    output logic             z_valid_o,
    /// Z stream: ready.
    input  logic             z_ready_i,
    /// Z stream: data, or the error.
    output logic [Width-1:0] z_data_o,
    /// Z stream: last beat.
    output logic             z_last_o,
    /// Z stream: the beat is an error.
    output logic             z_error_o,
    /// Pulse: the first product begins.
    output logic             core_start_o,
    /// Pulse: the result is complete.
    output logic             core_done_o
);
  import montcore_pkg::montcore_error_e;

  localparam int unsigned BeatBits = $clog2(Beats + 1);
  localparam int unsigned HostBeats = (Length + Width - 1) / Width;
  localparam int unsigned HostBeatBits = $clog2(HostBeats + 1);
  localparam int unsigned LengthBits = 13;
  // The exponent's header: this many bits of length, then the policy, then nothing.
  localparam int unsigned HeaderBits = 14;
  localparam int unsigned CountBits = $clog2(Window + 1);
  localparam int unsigned PlaceBits = $clog2(Width);
  localparam int unsigned AddrBits = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int unsigned StoreRows = 4 * 2 ** AddrBits;
  localparam int unsigned StoreBits = $clog2(StoreRows);
  localparam int unsigned TableRows = Beats * 2 ** (Window - 1);
  localparam int unsigned TableSweepBits = $clog2(TableRows + 1);
  localparam int unsigned SweepBits = $clog2(((TableRows > StoreRows) ? TableRows : StoreRows) + 1);

  localparam logic [1:0] PolicyConstant = 2'd0;
  localparam logic [1:0] PolicySliding = 2'd1;
  localparam logic [1:0] PolicyLadder = 2'd2;
  localparam logic [1:0] PolicyProduct = 2'd3;

  // What the store holds: the exponent and the base (or the ladder's R1), which are cleared after
  // each answer, the modulus and R^2.
  localparam logic [1:0] RegionExponent = 2'd0;
  localparam logic [1:0] RegionBase = 2'd1;
  localparam logic [1:0] RegionModulus = 2'd2;
  localparam logic [1:0] RegionSquare = 2'd3;

  if (Width < 16) begin : g_bad_width
    $fatal(1, "%m: the exponentiator needs a multiplier with a bus of at least 16 bits");
  end
  if (Length >= 2 ** LengthBits) begin : g_bad_length
    $fatal(1, "%m: the exponentiator is built for at most 8191 bits");
  end
  if (Window < 2 || Window > 6) begin : g_bad_window
    $fatal(1, "%m: the window must have 2 to 6 bits");
  end

  typedef enum logic [5:0] {
    StIdle,
    StHeader,
    StModulus,
    StFill,
    StVerdict,
    StConfigure,
    StSetUp,
    StPower,
    StDouble,
    StPowerBit,
    StCorrect,
    StPowerSquare,
    StPowerStore,
    StReduce,
    StKeep,
    StOperands,
    StFactor,
    StCheck,
    StJudge,
    StLook,
    StFirst,
    StOne,
    StTable,
    StTableEnd,
    StDigit,
    StChoose,
    StWait,
    StSquare,
    StMultiply,
    StLadderOne,
    StLadderProduct,
    StLadderSquare,
    StLadderEnd,
    StLeave,
    StResult,
    StOutput,
    StError,
    StLast,
    StWipe
  } state_e;

  state_e state_q;
  montcore_error_e error_q, z_error_q;
  logic clear, forget, wipe, sweep_store, table_we, mul_busy, mul_zeroize, loaded_q;
  logic [SweepBits-1:0] sweep;

  montcore_modexp_clear #(
      .StoreRows(StoreRows),
      .TableRows(TableRows)
  ) u_clear (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .zeroize_i    (zeroize_i),
      .wipe_i       (wipe),
      .power_we_i   (table_we),
      .mul_busy_i   (mul_busy),
      .mul_zeroize_o(mul_zeroize),
      .clear_o      (clear),
      .forget_o     (forget),
      .row_o        (sweep),
      .store_we_o   (sweep_store)
  );
  // When the consumer has taken the answer.
  assign wipe = state_q == StLast && (!z_valid_o || z_ready_i);

  // ---- transfers and walks: a beat in each cycle -----------------------------------------------
  // In a transfer a result is taken, or a product is given, or both; in a walk all beats of the
  // chosen number go through the adder, or elsewhere. Both memories read ahead: their first beat
  // takes a cycle.
  logic [BeatBits-1:0] index_q, next_index, beats, host_beats_q, leave;
  logic [LengthBits-1:0] length_q, radix, power;
  logic give, take, walk, hold, move, transfer, fetched_q, first_beat, last_beat, moved_last;
  logic xy_valid, xy_ready, mul_z_valid, mul_z_ready, mul_z_error, canonical, pending_q;
  logic [Width-1:0] x_operand, y_operand, mul_z, stored, chosen, sum;
  logic [Window-1:0] power_index_q;
  logic mul_cfg_valid, mul_cfg_ready, mul_cfg_done;
  logic [1:0] policy_q;
  logic constant, sliding, ladder, by_factor;  // what policy_q says
  logic table_busy, look_ready, begun_q, chosen_base_q, multiply_q, swap_q, bit_is_one, factor_q;
  logic ladder_base;  // the ladder squares what the base's memory holds
  logic negative;

  assign constant = policy_q == PolicyConstant;
  assign sliding = policy_q == PolicySliding;
  assign ladder = policy_q == PolicyLadder;
  assign by_factor = policy_q == PolicyProduct;

  assign give = state_q == StPowerSquare || state_q == StFirst || state_q == StOne ||
                state_q == StTable || state_q == StSquare ||
                (state_q == StMultiply && !table_busy) || state_q == StLadderOne ||
                state_q == StLadderProduct || (state_q == StLadderSquare && look_ready) ||
                state_q == StLeave;
  assign take = state_q == StPowerStore || state_q == StOne || state_q == StTable ||
                state_q == StTableEnd || (state_q == StSquare && !chosen_base_q) ||
                (state_q == StMultiply && !table_busy) || state_q == StLadderOne ||
                state_q == StLadderProduct || (state_q == StLadderSquare && look_ready) ||
                state_q == StLadderEnd || (state_q == StLeave && pending_q) || state_q == StResult;
  assign walk = state_q == StConfigure || state_q == StPower || state_q == StDouble ||
                state_q == StCorrect || state_q == StReduce || state_q == StKeep ||
                state_q == StCheck || state_q == StOutput;
  assign canonical = state_q == StPowerSquare || state_q == StLeave;

  assign transfer = give || take || walk;
  assign hold = (state_q == StConfigure && !mul_cfg_ready) ||
                (state_q == StOutput && z_valid_o && !z_ready_i);
  assign first_beat = index_q == '0;
  assign last_beat = index_q == beats - 1;
  assign xy_valid = give && fetched_q && (!take || mul_z_valid);
  assign mul_z_ready = take && fetched_q && (!give || xy_ready);
  assign move = transfer && fetched_q && !hold && (!give || xy_ready) && (!take || mul_z_valid);
  assign moved_last = move && last_beat;
  assign next_index = moved_last ? '0 : index_q + BeatBits'(move);
  assign mul_cfg_valid = state_q == StConfigure && fetched_q;

  montcore_modexp_multiplier u_multiplier (
      .clk_i      (clk_i),
`ifdef MONTCORE_CLK2X
      .clk2x_i    (clk2x_i),
`endif
      .rst_ni     (rst_ni),
      .zeroize_i  (mul_zeroize),
      .busy_o     (mul_busy),
      .length_i   (length_q),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (power),
      .leave_o    (leave),
      .cfg_valid_i(mul_cfg_valid),
      .cfg_ready_o(mul_cfg_ready),
      .cfg_data_i (stored),
      .cfg_last_i (last_beat),
      .cfg_done_o (mul_cfg_done),
      .xy_valid_i (xy_valid),
      .xy_ready_o (xy_ready),
      .x_data_i   (x_operand),
      .y_data_i   (y_operand),
      .xy_last_i  (last_beat),
      .canonical_i(canonical),
      .z_valid_o  (mul_z_valid),
      .z_ready_i  (mul_z_ready),
      .z_data_o   (mul_z),
      .z_error_o  (mul_z_error)
  );

  // What is multiplied:
  //   StPowerSquare   chosen x chosen      R^2, on the way there
  //   StFirst         chosen x R^2         x R
  //   StOne           1 x R^2              R; sliding: x R x R for odd powers; product: x R x R^2
  //   StTable         z x chosen           the next power (constant: the first from x R x R)
  //   StSquare        z x z                the first one of the chosen power
  //   StMultiply      z x chosen           the accumulator by a power; product: by the other factor
  //   StLadderOne     z x base             R0 R1 with R0 = R, R1 = x R at first
  //   StLadderProduct chosen x z           R0 R1
  //   StLadderSquare  either x either      the square of the one that a bit names
  //   StLeave         z x leave            out of the domain
  logic x_one, x_either, x_stored, x_result, x_chosen, y_stored, y_result, y_chosen, y_leave;
  assign x_one = state_q == StOne && (constant || ladder);
  assign x_either = state_q == StLadderSquare || (state_q == StLeave && ladder);
  assign x_stored = x_either && ladder_base;
  assign x_result = (state_q == StOne && (sliding || by_factor)) ||
                    (state_q == StTable && (sliding || begun_q)) ||
                    (state_q == StSquare && !chosen_base_q) || state_q == StMultiply ||
                    state_q == StLadderOne || (state_q == StLeave && !ladder && pending_q);
  assign x_chosen = !(x_one || x_stored || x_result);
  assign y_stored = state_q == StFirst || (state_q == StOne && !sliding) ||
                    (state_q == StMultiply && by_factor) || state_q == StLadderOne ||
                    (state_q == StLadderSquare && ladder_base);
  assign y_result = (state_q == StOne && sliding) || (state_q == StSquare && !chosen_base_q) ||
                    state_q == StLadderProduct;
  assign y_leave = state_q == StLeave;
  assign y_chosen = !(y_stored || y_result || y_leave);
  // One at most is let through: AND and OR take fewer tables than a choice.
  assign x_operand = (mul_z & {Width{x_result}}) | (chosen & {Width{x_chosen}}) |
                     (stored & {Width{x_stored}}) | Width'(x_one && first_beat);
  assign y_operand = (mul_z & {Width{y_result}}) | (chosen & {Width{y_chosen}}) |
                     (stored & {Width{y_stored}}) | Width'(y_leave && index_q == leave);

  // Where a result goes.
  logic to_table, to_chosen, to_base, first_powers;
  assign first_powers = state_q == StOne && (constant || sliding);
  assign to_table = first_powers || (state_q == StTable && (constant || begun_q)) ||
                    state_q == StTableEnd;
  assign to_chosen = first_powers || (state_q == StTable && sliding && !begun_q) ||
                     state_q == StLadderOne || state_q == StLadderSquare ||
                     state_q == StPowerStore || state_q == StResult;
  assign to_base = (state_q == StOne && ladder) || state_q == StLadderProduct ||
                   state_q == StLadderEnd;

  // ---- memories --------------------------------------------------------------------------------
  logic x_beat, y_beat, x_we, y_we, m_we, factor_we, sum_kept, choose, seed;
  logic [BeatBits-1:0] x_index_q, y_index_q, top_beat_q;
  logic [HostBeatBits-1:0] bits_beat;
  logic [Width-1:0] placed, store_wdata, chosen_wdata;
  logic [1:0] read_region, write_region;
  logic store_we, chosen_we, place_host;

  // One memory for what is read in different states.
  assign read_region = (state_q == StFirst || state_q == StOne) ? RegionSquare :
      (walk) ? RegionModulus :
      (state_q == StLadderOne || (state_q == StLadderSquare && look_ready) || state_q == StLeave ||
       (state_q == StMultiply && by_factor)) ? RegionBase : RegionExponent;
  assign write_region = (state_q == StModulus || state_q == StFill) ? RegionModulus :
      (state_q == StOperands) ? RegionExponent : (state_q == StKeep) ? RegionSquare : RegionBase;
  assign place_host = state_q == StModulus || state_q == StOperands;
  assign store_we = m_we || y_we || sweep_store || (move && to_base) ||
                    (move && (state_q == StKeep || (state_q == StCheck && !factor_q)));
  assign store_wdata = (placed & {Width{place_host}}) | (mul_z & {Width{to_base}}) |
                       (chosen & {Width{state_q == StKeep || state_q == StCheck}});
  logic [AddrBits-1:0] write_index, read_index;
  logic [BeatBits-1:0] store_index, chosen_index;
  assign store_index = (state_q == StOperands) ? y_index_q : index_q;
  assign chosen_index = (state_q == StOperands) ? x_index_q :
      (state_q == StFactor) ? y_index_q : index_q;
  assign write_index = AddrBits'(store_index);
  assign read_index = (read_region == RegionExponent) ? AddrBits'(bits_beat) :
      AddrBits'(next_index);
  logic unused_counts;  // counts reach one beyond the last index
  assign unused_counts = ^{store_index, bits_beat};
  montcore_block_ram #(
      .Rows (StoreRows),
      .Width(Width)
  ) u_store (
      .clk_i  (clk_i),
      .we_i   (store_we),
      .waddr_i(clear ? StoreBits'(sweep) : {write_region, write_index}),
      .wdata_i(store_wdata),
      .raddr_i({read_region, read_index}),
      .rdata_o(stored)
  );

  logic doubling, subtracting;
  assign doubling = state_q == StDouble;
  assign subtracting = state_q == StReduce || state_q == StCheck;
  montcore_modexp_adder #(
      .Width(Width)
  ) u_adder (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .clear_i   (clear),
      .step_i    (move),
      .first_i   (first_beat),
      .last_i    (last_beat),
      .double_i  (doubling),
      .subtract_i(subtracting),
      .v_i       (chosen),
      .m_i       (stored),
      .sum_o     (sum),
      .negative_o(negative)
  );

  logic [Window-1:0] digit;
  assign sum_kept = state_q == StDouble || state_q == StCorrect || state_q == StReduce;
  assign seed = state_q == StPower && index_q == top_beat_q;
  assign table_we = move && to_table;
  // Where x and the factor have fewer beats than the multiplier, zeros are there already: what the
  // set-up leaves is below m, and a wipe leaves nothing.
  assign chosen_we = x_we || factor_we || (move && (to_chosen || sum_kept || state_q == StPower));
  assign chosen_wdata = (mul_z & {Width{to_chosen}}) |
                        (sum & {Width{sum_kept}}) |
                        (x_data_i & {Width{x_beat}}) |
                        (y_data_i & {Width{y_beat && factor_q}}) | Width'(seed);
  montcore_modexp_table #(
      .Width (Width),
      .Beats (Beats),
      .Window(Window)
  ) u_table (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .clear_i(clear),
      .sweep_i    ((sweep < SweepBits'(TableRows)) ? TableSweepBits'(sweep)
                                                   : TableSweepBits'(TableRows)),
      .beats_i(beats),
      .we_i(table_we),
      .power_i(power_index_q),
      .chosen_we_i(chosen_we),
      .index_i(chosen_index),
      .data_i(mul_z),
      .chosen_i(chosen_wdata),
      .next_i(next_index),
      .choose_i(choose),
      .constant_i(!sliding),
      .digit_i(digit),
      .busy_o(table_busy),
      .chosen_o(chosen)
  );

  logic load_bits;
  logic [LengthBits-1:0] e_length_q, room_q, e_left;
  logic [CountBits-1:0] take_bits, look_count;
  logic [Window-1:0] look;
  montcore_modexp_bits #(
      .Width     (Width),
      .Beats     (HostBeats),
      .LengthBits(LengthBits),
      .Window    (Window)
  ) u_bits (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .clear_i    (clear),
      .beat_o     (bits_beat),
      .granted_i  (read_region == RegionExponent),
      .word_i     (stored),
      .load_i     (load_bits),
      .length_i   (e_length_q),
      .top_beat_i (HostBeatBits'(y_index_q)),
      .top_place_i(PlaceBits'(32'(room_q) - 1)),
      .take_i     (take_bits),
      .look_o     (look),
      .count_o    (look_count),
      .ready_o    (look_ready),
      .left_o     (e_left)
  );
  assign load_bits = state_q == StJudge;

  // ---- packets ---------------------------------------------------------------------------------
  logic m_odd_q, m_above_one_q, length_bad_q, m_bad_q, bad_length, cfg_beat, placed_last, refused;
  logic bad_e_length;
  logic beat_bad;  // not the last beat and no bits left, or the last one and bits left, or too many
  logic [PlaceBits-1:0] top_place;  // of the highest 1 in a beat
  logic x_short_q, y_short_q, x_done_q, y_done_q, y_header_q, x_bad_q, e_nonzero_q;
  logic x_beat_bad, operands_done, operands_bad;

  assign cfg_ready_o = state_q == StHeader || state_q == StModulus;
  assign cfg_beat = cfg_valid_i && cfg_ready_o;
  assign bad_length = cfg_data_i < Width'(2) || cfg_data_i > Width'(Length);
  // A length of 0 leaves no room for a beat.
  assign bad_e_length = y_data_i[HeaderBits-1:0] > HeaderBits'(Length) ||
                        (y_data_i >> (HeaderBits + 2)) != '0;
  assign m_we = (state_q == StModulus && cfg_beat && index_q < BeatBits'(HostBeats)) ||
                (state_q == StFill && index_q < beats);

  assign placed = (state_q == StModulus) ? cfg_data_i : y_data_i;
  assign placed_last = (state_q == StModulus) ? cfg_last_i : y_last_i;
  logic [PlaceBits-1:0] highest;
  always_comb begin
    highest = '0;
    for (int unsigned k = 0; k < Width; k++) if (placed[k]) highest = PlaceBits'(k);
  end
  assign top_place = highest;
  // room_q: bits of the length that the beats so far have not covered.
  assign beat_bad = placed_last != (room_q <= LengthBits'(Width)) ||
                    (room_q < LengthBits'(Width) && LengthBits'(top_place) >= room_q);

  assign x_ready_o = state_q == StOperands && !x_done_q;
  assign y_ready_o = !y_done_q &&
                     (state_q == StFactor || (state_q == StOperands && !(y_header_q && by_factor)));
  assign x_beat = x_valid_i && x_ready_o;
  assign y_beat = y_valid_i && y_ready_o;
  assign x_beat_bad = (x_index_q == host_beats_q - 1) != x_last_i || x_index_q >= host_beats_q;
  assign x_we = x_beat && x_index_q < host_beats_q;
  assign y_we = state_q == StOperands && y_beat && y_header_q && y_index_q < BeatBits'(HostBeats);
  assign factor_we = state_q == StFactor && y_beat && y_index_q < host_beats_q;
  assign operands_done = x_done_q && (by_factor ? y_header_q : y_done_q);
  // The verdicts: what control learns of the data, each in the one state that answers with it.
  assign refused = state_q == StVerdict && (length_bad_q || m_bad_q || !m_odd_q || !m_above_one_q);
  assign operands_bad = state_q == StJudge &&
                        (!loaded_q || x_short_q || y_short_q || !negative || x_bad_q ||
                         !(e_nonzero_q || by_factor));

  // ---- sequence --------------------------------------------------------------------------------
  localparam int unsigned BitBits = $clog2(LengthBits + 1);
  logic [LengthBits-1:0] doublings_q;
  logic [BitBits-1:0] bit_q;
  logic [CountBits-1:0] squares_q, width, full_width, odd_width, first_width;
  logic chosen_next, last_window, first_q, power_bit, skip, zero_next, first_ready;
  logic [Window-1:0] odd_digit, shifted, fixed_digit, last_power;

  // The power before the last one in the table.
  assign last_power = sliding ? ~Window'(2'd2) : ~Window'(1'b1);

  // The window that begins with the next bit: Window bits, or, sliding, without zeros at its end.
  assign full_width = (look_count < CountBits'(Window)) ? look_count : CountBits'(Window);
  always_comb begin
    odd_width = full_width;
    shifted   = look >> (CountBits'(Window) - full_width);
    for (int unsigned k = 0; k < Window - 1; k++) begin
      if (!shifted[0] && shifted != '0) begin
        shifted   = shifted >> 1;
        odd_width = odd_width - 1;
      end
    end
  end
  assign width = odd_width;
  assign odd_digit = shifted;
  assign bit_is_one = look[Window-1];
  assign fixed_digit = look >> (CountBits'(Window) - first_width);
  assign digit = sliding ? odd_digit : fixed_digit;

  // Fixed windows: the first one takes what does not fill a window, so that the last ends with e.
  // For that the exponent's length is reduced by windows, while the table is made.
  assign first_width = first_q ? CountBits'(e_length_q) : CountBits'(Window);
  assign first_ready = e_length_q <= LengthBits'(Window);
  assign power_bit = 1'(power >> bit_q);
  assign last_window = e_left == '0;
  // A window is chosen after its first square, when the old one is no longer read.
  assign chosen_next = state_q == StSquare && multiply_q && !begun_q && moved_last;
  assign zero_next = state_q == StSquare && sliding && !multiply_q && moved_last;
  // Leading zeros of a public exponent.
  assign skip = state_q == StDigit && sliding && look_ready && !bit_is_one;
  assign choose = (state_q == StChoose && look_ready) || chosen_next;
  assign take_bits = choose ? (sliding ? width : first_width) :
      CountBits'(skip || zero_next || (state_q == StLadderSquare && moved_last));
  // R0 is in the chosen power's memory unless swap_q; the bit says which of R0, R1 is squared.
  assign ladder_base = (state_q == StLeave) ? swap_q : bit_is_one != swap_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget) begin
      state_q       <= StIdle;
      error_q       <= montcore_pkg::ErrNone;
      z_error_q     <= montcore_pkg::ErrNone;
      loaded_q      <= 1'b0;
      index_q       <= '0;
      fetched_q     <= 1'b0;
      cfg_done_o    <= 1'b0;
      pending_q     <= 1'b0;
      begun_q       <= 1'b0;
      multiply_q    <= 1'b0;
      chosen_base_q <= 1'b0;
      first_q       <= 1'b0;
      swap_q        <= 1'b0;
      factor_q      <= 1'b0;
      core_start_o  <= 1'b0;
      core_done_o   <= 1'b0;
      x_index_q     <= '0;
      y_index_q     <= '0;
      x_done_q      <= 1'b0;
      y_done_q      <= 1'b0;
      y_header_q    <= 1'b0;
    end else begin
      cfg_done_o   <= 1'b0;
      core_start_o <= state_q == StJudge && !operands_bad && (factor_q || !by_factor);
      core_done_o  <= state_q == StOutput && move && first_beat;
      fetched_q    <= transfer && !moved_last;
      if (transfer) index_q <= next_index;
      if (moved_last) pending_q <= give;
      unique case (state_q)
        StIdle: begin
          x_index_q  <= '0;
          y_index_q  <= '0;
          x_done_q   <= 1'b0;
          y_done_q   <= 1'b0;
          y_header_q <= 1'b0;
          factor_q   <= 1'b0;
          if (cfg_valid_i) state_q <= StHeader;
          else if (x_valid_i || y_valid_i) state_q <= StOperands;
        end
        StHeader: begin
          loaded_q <= 1'b0;
          if (cfg_beat) begin
            state_q <= cfg_last_i ? StVerdict : StModulus;
            index_q <= '0;
          end
        end
        StModulus: begin
          if (cfg_beat) begin
            if (index_q < BeatBits'(HostBeats)) index_q <= index_q + 1;
            if (cfg_last_i) state_q <= StFill;
          end
        end
        StFill: begin
          index_q <= index_q + 1;
          if (length_bad_q || index_q >= beats - 1) begin
            state_q <= StVerdict;
            index_q <= '0;
          end
        end
        StVerdict: begin
          index_q <= '0;
          if (length_bad_q || m_bad_q) error_q <= montcore_pkg::ErrModulusLength;
          else if (!m_odd_q) error_q <= montcore_pkg::ErrModulusEven;
          else if (!m_above_one_q) error_q <= montcore_pkg::ErrModulusOne;
          else error_q <= montcore_pkg::ErrNone;
          cfg_done_o <= refused;
          state_q    <= StConfigure;
          if (refused) state_q <= StIdle;
        end
        StConfigure:   if (moved_last) state_q <= StSetUp;
        // v = 2^(Width top_beat), which is below m, doubled to 2 R, squared and doubled to R^2.
        StSetUp: begin
          doublings_q <= radix + 1;
          bit_q       <= BitBits'(LengthBits - 1);
          begun_q     <= 1'b0;
          if (mul_cfg_done) state_q <= loaded_q ? StIdle : StPower;
        end
        StPower: begin
          if (move && index_q < top_beat_q) doublings_q <= doublings_q - LengthBits'(Width);
          if (moved_last) state_q <= StDouble;
        end
        StDouble: begin
          if (moved_last) begin
            doublings_q <= doublings_q - 1;
            if (doublings_q == LengthBits'(1'b1)) state_q <= StPowerBit;
          end
        end
        StPowerBit: begin
          // From the bit below the highest one on.
          begun_q <= begun_q || power_bit;
          if (begun_q) state_q <= StCorrect;
          else bit_q <= bit_q - 1;
        end
        StCorrect: begin
          if (moved_last) begin
            state_q <= StPowerSquare;
            if (bit_q == '1) state_q <= StKeep;
          end
        end
        StPowerSquare: if (moved_last) state_q <= StPowerStore;
        StPowerStore:  if (moved_last) state_q <= StReduce;
        // A canonical product's result is below 2 m.
        StReduce: begin
          if (moved_last) begin
            doublings_q <= LengthBits'(1'b1);
            bit_q       <= bit_q - 1;
            state_q     <= StPowerBit;
            if (loaded_q) state_q <= StOutput;
            else if (power_bit) state_q <= StDouble;
          end
        end
        StKeep: begin
          if (moved_last) begin
            begun_q    <= 1'b0;
            loaded_q   <= 1'b1;
            cfg_done_o <= 1'b1;
            state_q    <= StIdle;
          end
        end

        StOperands: begin
          if (x_beat) begin
            if (x_index_q < host_beats_q) x_index_q <= x_index_q + 1;
            if (x_last_i) x_done_q <= 1'b1;
          end
          if (y_beat) begin
            y_header_q <= 1'b1;
            if (y_header_q && !y_last_i) y_index_q <= y_index_q + 1;
            if (y_last_i) y_done_q <= 1'b1;
          end
          if (operands_done) state_q <= StCheck;
        end
        // The second factor takes the place of x, which StCheck has brought to the base's.
        StFactor: begin
          if (y_beat && y_last_i) y_done_q <= 1'b1;
          if (y_beat) y_index_q <= y_index_q + 1;
          if (y_done_q) state_q <= StCheck;
        end
        StCheck: if (moved_last) state_q <= StJudge;
        StJudge: begin
          begun_q    <= 1'b0;
          multiply_q <= 1'b0;
          swap_q     <= 1'b0;
          first_q    <= 1'b1;
          if (!loaded_q) z_error_q <= montcore_pkg::ErrNoModulus;
          else if (x_short_q || y_short_q) z_error_q <= montcore_pkg::ErrOperandLength;
          else z_error_q <= montcore_pkg::ErrOperandRange;
          factor_q <= by_factor;
          state_q  <= StFirst;
          if (by_factor && !factor_q) state_q <= StFactor;
          else if (operands_bad) state_q <= StError;
          else if (ladder) state_q <= StLook;
        end
        // In the first steps of the ladder the memory is busy with its numbers.
        StLook:  if (look_ready) state_q <= StFirst;

        StFirst: begin
          power_index_q <= Window'(8'd1);
          if (moved_last) state_q <= StOne;
        end
        StOne: begin
          if (moved_last) begin
            power_index_q <= Window'(sliding);
            state_q       <= StTable;
            if (by_factor) state_q <= StMultiply;
            else if (ladder) state_q <= StLadderOne;
          end
        end
        StTable: begin
          if (moved_last) begin
            begun_q <= 1'b1;
            if (sliding) power_index_q <= power_index_q + Window'(8'd2);
            else power_index_q <= (power_index_q == '0) ? Window'(8'd2) : power_index_q + 1;
            if (power_index_q == last_power) state_q <= StTableEnd;
          end
        end
        StTableEnd: begin
          begun_q <= 1'b0;
          if (moved_last) state_q <= StDigit;
        end
        StDigit: begin
          if (look_ready && first_ready && (!sliding || bit_is_one)) state_q <= StChoose;
        end
        StChoose: begin
          chosen_base_q <= 1'b1;
          first_q       <= !look_ready;
          if (look_ready) state_q <= StWait;
        end
        // What comes next: the result, a window, or (sliding) a zero.
        StWait: begin
          begun_q <= 1'b0;
          if (!table_busy && look_ready) begin
            multiply_q <= !sliding || bit_is_one;
            squares_q  <= !sliding ? CountBits'(Window - 1) : bit_is_one ? width - 1 : '0;
            state_q    <= StSquare;
            if (last_window) state_q <= StLeave;
          end
        end
        StSquare: begin
          if (moved_last) begin
            chosen_base_q <= 1'b0;
            begun_q       <= 1'b1;
            squares_q     <= squares_q - 1;
            if (squares_q == '0) begin
              state_q <= StWait;
              if (multiply_q) state_q <= StMultiply;
            end
          end
        end
        StMultiply: begin
          if (moved_last) begin
            state_q <= StWait;
            if (by_factor) state_q <= StLeave;
          end
        end

        StLadderOne: if (moved_last) state_q <= StLadderSquare;
        StLadderProduct: if (moved_last) state_q <= StLadderSquare;
        StLadderSquare: begin
          if (moved_last) begin
            // The product went to the chosen one's memory: it is R1 for a 0 bit, R0 for a 1 bit.
            swap_q  <= !bit_is_one;
            state_q <= StLadderProduct;
            if (e_left == LengthBits'(8'd1)) state_q <= StLadderEnd;
          end
        end
        StLadderEnd: if (moved_last) state_q <= StLeave;

        StLeave:  if (moved_last) state_q <= StResult;
        StResult: if (moved_last) state_q <= StReduce;
        StOutput: if (moved_last) state_q <= StLast;
        StError:  state_q <= StLast;
        StLast:   if (wipe) state_q <= StWipe;
        // Then the multiplier is given the modulus again.
        StWipe: begin
          begun_q       <= 1'b0;
          multiply_q    <= 1'b0;
          chosen_base_q <= 1'b0;
          first_q       <= 1'b0;
          swap_q        <= 1'b0;
          squares_q     <= '0;
          bit_q         <= '0;
          z_error_q     <= montcore_pkg::ErrNone;
          if (!clear) state_q <= loaded_q ? StConfigure : StIdle;
        end
        default:  state_q <= StIdle;
      endcase
      if (move && take && mul_z_error) begin
        z_error_q <= montcore_pkg::ErrOperandRange;
        state_q   <= StError;
        pending_q <= 1'b0;
        fetched_q <= 1'b0;
        index_q   <= '0;
      end
    end
  end

  // What the packets say.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget) begin
      length_q      <= LengthBits'(8'd1);
      host_beats_q  <= '0;
      length_bad_q  <= 1'b0;
      m_bad_q       <= 1'b0;
      m_odd_q       <= 1'b0;
      m_above_one_q <= 1'b0;
      e_nonzero_q   <= 1'b0;
      top_beat_q    <= '0;
      x_bad_q       <= 1'b0;
      x_short_q     <= 1'b0;
      y_short_q     <= 1'b0;
      policy_q      <= '0;
      e_length_q    <= '0;
      room_q        <= '0;
    end else begin
      if (state_q == StHeader && cfg_beat) begin
        length_bad_q  <= bad_length || cfg_last_i;
        length_q      <= bad_length ? LengthBits'(2'd2) : LengthBits'(cfg_data_i);
        room_q        <= LengthBits'(cfg_data_i);
        m_bad_q       <= 1'b0;
        m_odd_q       <= 1'b0;
        m_above_one_q <= 1'b0;
        host_beats_q  <= '0;
      end
      if (state_q == StModulus && cfg_beat) begin
        if (beat_bad) m_bad_q <= 1'b1;
        room_q <= room_q - LengthBits'(Width);
        if (index_q == '0) m_odd_q <= cfg_data_i[0];
        if (cfg_data_i[Width-1:1] != '0 || (index_q != '0 && cfg_data_i[0])) m_above_one_q <= 1'b1;
        if (cfg_data_i != '0) top_beat_q <= index_q;
      end
      if (state_q == StFill && host_beats_q == '0) host_beats_q <= index_q;

      if (state_q == StIdle) begin
        x_bad_q     <= 1'b0;
        x_short_q   <= 1'b0;
        y_short_q   <= 1'b0;
        e_nonzero_q <= 1'b0;
      end
      if (x_beat && x_beat_bad) x_short_q <= 1'b1;
      if (y_beat) begin
        if (!y_header_q) begin
          e_length_q <= LengthBits'(y_data_i);
          room_q     <= LengthBits'(y_data_i);
          policy_q   <= y_data_i[HeaderBits+:2];
          if (y_last_i || bad_e_length) y_short_q <= 1'b1;
        end else begin
          // The top bit's place in the last beat is what room_q says then.
          if (beat_bad) y_short_q <= 1'b1;
          if (!y_last_i) room_q <= room_q - LengthBits'(Width);
          if (factor_q && y_last_i && y_index_q != host_beats_q - 1) y_short_q <= 1'b1;
          if (y_data_i != '0) e_nonzero_q <= 1'b1;
        end
      end
      if (state_q == StJudge && by_factor && !factor_q) x_bad_q <= !negative;
      if ((state_q == StTable || state_q == StDigit) && !first_ready) begin
        e_length_q <= e_length_q - LengthBits'(Window);
      end
    end
  end

  // ---- result ----------------------------------------
  logic output_beat;
  assign output_beat = state_q == StOutput && move && index_q < host_beats_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget) begin
      z_valid_o <= 1'b0;
      z_error_o <= 1'b0;
      z_last_o  <= 1'b0;
    end else if (state_q == StError) begin
      z_valid_o <= 1'b1;
      z_error_o <= 1'b1;
      z_last_o  <= 1'b1;
    end else if (output_beat) begin
      z_valid_o <= 1'b1;
      z_error_o <= 1'b0;
      z_last_o  <= index_q == host_beats_q - 1;
    end else if (z_ready_i) begin
      z_valid_o <= 1'b0;
    end
    if (forget || clear) z_data_o <= '0;
    else if (state_q == StError) z_data_o <= Width'(z_error_q);
    else if (output_beat) z_data_o <= sum;
  end

  assign cfg_error_o = error_q;
  assign busy_o = clear || state_q != StIdle || z_valid_o || mul_busy || cfg_done_o;
endmodule
