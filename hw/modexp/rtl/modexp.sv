// SPDX-License-Identifier: Apache-2.0

/// Modular exponentiator over one multiplier core, `modexp_multiplier`.
///
/// z = x^e mod m
/// Precondition: m odd, 3 <= m < 2^length, x < m, e >= 1 of at most Length bits; else an error.
/// Packets: cfg = length in bits, then m; y = (policy << 14) + bits of e, then e; x and z as m.
/// Policies: 0 fixed window, the same operations and accesses for every exponent of a length;
/// 1 sliding window, for public exponents; 2 Montgomery ladder, as constant as 0;
/// 3 no power but a product, z = x * e mod m, e < m in as many beats as m.
/// Latency: for policy 0 a function of the lengths of m and e; R^2 mod m is made at configuration.
/// Source: dsp48-2007, Figure 6 and Algorithm 3 (sliding window).
/// Example: length 8, m = 0x8b; x = 0x53, e = 0x11 -> z = 0x53^17 mod 0x8b = 0x1d.
module modexp #(
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
`ifdef MONT_CLK2X
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
    /// Why it was refused (mont_error_e).
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
  import mont_pkg::mont_error_e;

  localparam int unsigned BeatBits = $clog2(Beats + 1);
  localparam int unsigned HostBeats = (Length + Width - 1) / Width;
  localparam int unsigned HostBeatBits = $clog2(HostBeats + 1);
  localparam int unsigned LengthBits = 13;
  localparam int unsigned CountBits = $clog2(Window + 1);
  localparam int unsigned PlaceBits = $clog2(Width);
  localparam int unsigned AddrBits = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int unsigned SweepRows = Beats * 2 ** (Window - 1) + 4;
  localparam int unsigned SweepBits = $clog2(SweepRows + 1);
  localparam int unsigned TableSweepBits = $clog2(Beats * 2 ** (Window - 1) + 1);

  localparam logic [1:0] PolicyConstant = 2'd0;
  localparam logic [1:0] PolicySliding = 2'd1;
  localparam logic [1:0] PolicyLadder = 2'd2;
  localparam logic [1:0] PolicyProduct = 2'd3;

  if (Width < 16) begin : g_bad_width
    $fatal(1, "%m: the exponentiator needs a multiplier with a bus of at least 16 bits");
  end
  if (Window < 2 || Window > 6) begin : g_bad_window
    $fatal(1, "%m: the window must have 2 to 6 bits");
  end

  // What is multiplied, and where a result goes.
  typedef enum logic [2:0] {
    FromResult,
    FromBase,
    FromPower,
    FromChosen,
    FromOne,
    FromLeave,
    FromLadder
  } from_e;
  typedef enum logic [2:0] {
    ToNothing,
    ToTable,
    ToChosen,
    ToBoth,
    ToBase,
    ToPower,
    ToOutput
  } to_e;

  typedef enum logic [4:0] {
    StIdle,
    StHeader,
    StModulus,
    StFill,
    StVerdict,
    StSetUp,
    StConfigure,
    StConstants,
    StPower,
    StDouble,
    StPowerBit,
    StPowerSquare,
    StPowerStore,
    StOperands,
    StCheck,
    StBelow,
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
    StError
  } state_e;

  state_e state_q;
  mont_error_e error_q, z_error_q;
  logic clear_q, mul_busy, loaded_q;
  logic [SweepBits-1:0] sweep_q;
  logic [ BeatBits-1:0] sweep_beat;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q <= 1'b0;
    end else if (zeroize_i) begin
      clear_q <= 1'b1;
      sweep_q <= '0;
    end else if (clear_q) begin
      if (sweep_q == SweepBits'(SweepRows)) clear_q <= mul_busy;
      else sweep_q <= sweep_q + 1;
    end
  end
  assign sweep_beat = (sweep_q < SweepBits'(Beats)) ? BeatBits'(sweep_q) : BeatBits'(Beats);

  // ---- transfers: a result is taken and a product is given, a beat of both in each cycle -----------
  logic [BeatBits-1:0] index_q, beats, host_beats_q, leave;
  logic [LengthBits-1:0] length_q, radix, power;
  logic give, take, move, transfer, first_beat, last_beat, moved_last;
  logic xy_valid, xy_ready, mul_z_valid, mul_z_ready, mul_z_error, canonical, pending_q;
  logic [Width-1:0] x_operand, y_operand, mul_z, base, v, chosen;
  logic [Window-1:0] power_index_q;
  from_e x_from, y_from;
  to_e to;
  logic mul_cfg_valid, mul_cfg_ready, mul_cfg_done;
  logic [Width-1:0] m_beat;

  assign transfer = give || take;
  assign first_beat = index_q == '0;
  assign last_beat = index_q == beats - 1;
  assign xy_valid = give && (!take || mul_z_valid);
  assign mul_z_ready = take && (!give || xy_ready) && (to != ToOutput || !z_valid_o || z_ready_i);
  assign move = transfer && (!give || (xy_valid && xy_ready)) &&
                (!take || (mul_z_valid && mul_z_ready));
  assign moved_last = move && last_beat;

  modexp_multiplier u_multiplier (
      .clk_i      (clk_i),
`ifdef MONT_CLK2X
      .clk2x_i    (clk2x_i),
`endif
      .rst_ni     (rst_ni),
      .zeroize_i  (zeroize_i),
      .busy_o     (mul_busy),
      .length_i   (length_q),
      .beats_o    (beats),
      .radix_o    (radix),
      .power_o    (power),
      .leave_o    (leave),
      .cfg_valid_i(mul_cfg_valid),
      .cfg_ready_o(mul_cfg_ready),
      .cfg_data_i (m_beat),
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

  logic ladder_base;  // the ladder squares what the base's memory holds
  always_comb begin
    unique case (x_from)
      FromResult: x_operand = mul_z;
      FromBase: x_operand = base;
      FromPower: x_operand = v;
      FromChosen: x_operand = chosen;
      FromOne: x_operand = Width'(first_beat);
      default: x_operand = ladder_base ? base : chosen;
    endcase
    unique case (y_from)
      FromResult: y_operand = mul_z;
      FromBase: y_operand = base;
      FromPower: y_operand = v;
      FromChosen: y_operand = chosen;
      FromLeave: y_operand = Width'(index_q == leave);
      default: y_operand = ladder_base ? base : chosen;
    endcase
  end

  // ---- memories ----------------------------------------
  logic m_we, x_we, y_we, store_base, v_we, v_set, v_double, v_done, choose, table_busy;
  logic [BeatBits-1:0] v_index, x_index_q, y_index_q, m_index;
  logic [Width-1:0] m_wdata;
  logic [BeatBits-1:0] top_beat_q;
  logic [PlaceBits-1:0] top_place_q, top_place;

  assign m_index = (state_q == StDouble || state_q == StPower) ? v_index :
      (state_q == StOperands) ? x_index_q : index_q;
  mont_ram #(
      .Rows (Beats),
      .Width(Width)
  ) u_m (
      .clk_i  (clk_i),
      .we_i   (m_we || (clear_q && sweep_q < SweepBits'(Beats))),
      .wzero_i(clear_q),
      .waddr_i(clear_q ? AddrBits'(sweep_beat) : AddrBits'(index_q)),
      .wdata_i(m_wdata),
      .raddr_i(AddrBits'(m_index)),
      .rdata_o(m_beat)
  );
  assign store_base = move && take && to == ToBase;
  mont_ram #(
      .Rows (Beats),
      .Width(Width)
  ) u_base (
      .clk_i  (clk_i),
      .we_i   (x_we || store_base || (clear_q && sweep_q < SweepBits'(Beats))),
      .wzero_i(clear_q),
      .waddr_i(clear_q ? AddrBits'(sweep_beat) : AddrBits'(store_base ? index_q : x_index_q)),
      .wdata_i(store_base ? mul_z : (x_valid_i && x_ready_o) ? x_data_i : '0),
      .raddr_i(AddrBits'(index_q)),
      .rdata_o(base)
  );
  modexp_powers #(
      .Width(Width),
      .Beats(Beats)
  ) u_powers (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .clear_i      (clear_q),
      .sweep_i      (sweep_beat),
      .beats_i      (beats),
      .set_i        (v_set),
      .power_beat_i (top_beat_q),
      .power_place_i(top_place_q),
      .double_i     (v_double),
      .done_o       (v_done),
      .index_o      (v_index),
      .m_i          (m_beat),
      .we_i         (v_we),
      .index_i      (index_q),
      .data_i       (mul_z),
      .v_o          (v)
  );
  assign v_we = move && take && to == ToPower;

  logic [1:0] policy_q;
  logic [Window-1:0] digit;
  logic by_factor;  // policy 3: the second factor has the place of the chosen power
  logic factor_we, factor_beat;
  modexp_table #(
      .Width (Width),
      .Beats (Beats),
      .Window(Window)
  ) u_table (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .clear_i(clear_q),
      .sweep_i    ((sweep_q < SweepBits'(SweepRows - 4)) ? TableSweepBits'(sweep_q)
                                                         : TableSweepBits'(SweepRows - 4)),
      .beats_i(beats),
      .we_i(move && take && (to == ToTable || to == ToBoth)),
      .power_i(power_index_q),
      .chosen_we_i(factor_we || (move && take && (to == ToChosen || to == ToBoth))),
      .index_i(factor_we ? y_index_q : index_q),
      .data_i(!factor_we ? mul_z : factor_beat ? y_data_i : '0),
      .choose_i(choose),
      .constant_i(policy_q != PolicySliding),
      .digit_i(digit),
      .busy_o(table_busy),
      .chosen_o(chosen)
  );

  logic load_bits;
  logic [LengthBits-1:0] e_length_q, e_place_q, e_left;
  logic [CountBits-1:0] take_bits, look_count;
  logic [Window-1:0] look;
  logic look_ready, e_nonzero_q, x_below_q, x_short_q, y_short_q, x_done_q, y_done_q, y_header_q;
  modexp_bits #(
      .Width     (Width),
      .Beats     (HostBeats),
      .LengthBits(LengthBits),
      .Window    (Window)
  ) u_bits (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .clear_i(clear_q),
      .sweep_i    ((sweep_q < SweepBits'(HostBeats)) ? HostBeatBits'(sweep_q)
                                                     : HostBeatBits'(HostBeats)),
      .we_i(y_we),
      .index_i(HostBeatBits'(y_index_q)),
      .data_i(y_data_i),
      .load_i(load_bits),
      .length_i(e_length_q),
      .top_beat_i(HostBeatBits'(y_index_q)),
      .top_place_i(e_place_q),
      .take_i(take_bits),
      .look_o(look),
      .count_o(look_count),
      .ready_o(look_ready),
      .left_o(e_left)
  );
  // ---- the modulus ----------------------------------------
  logic m_odd_q, m_above_one_q, m_excess_q, length_bad_q, bad_length;
  logic [LengthBits-1:0] room_q;  // bits of the length that the beats so far have not covered
  logic [LengthBits-1:0] bits_q;  // bits of the modulus
  logic [LengthBits-1:0] below_q;  // bits of the beats before
  logic [Width-1:0] placed;
  logic cfg_beat;

  assign cfg_ready_o = !clear_q && (state_q == StHeader || state_q == StModulus);
  assign cfg_beat = cfg_valid_i && cfg_ready_o;
  assign placed = (state_q == StOperands) ? y_data_i : cfg_data_i;
  assign bad_length = cfg_data_i < Width'(2) || cfg_data_i > Width'(Length);
  assign m_we = (state_q == StModulus && cfg_beat && index_q < BeatBits'(HostBeats)) ||
                (state_q == StFill && index_q < beats);
  assign m_wdata = (state_q == StFill) ? '0 : cfg_data_i;
  always_comb begin
    top_place = '0;
    for (int unsigned k = 0; k < Width; k++) if (placed[k]) top_place = PlaceBits'(k);
  end

  // ---- base and exponent ----------------------------------------
  logic x_beat, y_beat, x_below, operands_done;
  logic [Width-1:0] below_data;
  assign x_ready_o = !clear_q && state_q == StOperands && !x_done_q;
  assign y_ready_o = !clear_q && state_q == StOperands && !y_done_q;
  assign x_beat = x_valid_i && x_ready_o;
  assign y_beat = y_valid_i && y_ready_o;
  assign x_we = (x_beat && x_index_q < host_beats_q) ||
                (state_q == StOperands && x_done_q && x_index_q < beats);
  assign y_we = y_beat && y_header_q && !by_factor && y_index_q < BeatBits'(HostBeats);
  assign by_factor = policy_q == PolicyProduct;
  assign factor_beat = y_beat && y_header_q;
  assign factor_we = state_q == StOperands && by_factor &&
                     (factor_beat ? y_index_q < host_beats_q : y_done_q && y_index_q < beats);
  assign below_data = (state_q == StBelow) ? chosen : x_data_i;
  assign x_below = (below_data < m_beat) || (below_data == m_beat && x_below_q);
  assign operands_done = x_done_q && y_done_q && (x_index_q >= beats || x_short_q) &&
                         (!by_factor || y_index_q >= beats || y_short_q);

  // ---- sequence ----------------------------------------
  logic [LengthBits-1:0] doublings_q, bit_q;
  logic [CountBits-1:0] squares_q, width, first_width;
  logic chosen_base_q, chosen_next, last_window, multiply_q, swap_q, bit_is_one, begun_q, first_q;
  logic run_double_q, power_bit, skip;
  logic [LengthBits-1:0] rest_q;  // of the exponent's length, by a window
  logic [Window-1:0] odd_digit, fixed_digit, last_power;

  // The power before the last one in the table.
  assign last_power = (policy_q == PolicySliding) ? ~Window'(2'd2) : ~Window'(1'b1);

  // The window that begins with the next bit: Window bits, or, sliding, without zeros at its end.
  always_comb begin
    width = (look_count < CountBits'(Window)) ? look_count : CountBits'(Window);
    odd_digit = look >> (CountBits'(Window) - width);
    for (int unsigned k = 0; k < Window - 1; k++) begin
      if (!odd_digit[0] && odd_digit != '0) begin
        odd_digit = odd_digit >> 1;
        width     = width - 1;
      end
    end
  end
  assign bit_is_one = look[Window-1];
  assign fixed_digit = look >> (CountBits'(Window) - first_width);
  assign digit = (policy_q == PolicySliding) ? odd_digit : fixed_digit;

  // Fixed windows: the first one takes what does not fill a window, so that the last ends with e.
  assign first_width = first_q ? CountBits'(rest_q) + 1 : CountBits'(Window);
  assign power_bit = 1'(power >> bit_q);
  assign last_window = e_left == '0;

  always_comb begin
    give      = 1'b0;
    take      = 1'b0;
    canonical = 1'b0;
    x_from    = FromResult;
    y_from    = FromResult;
    to        = ToNothing;
    choose    = 1'b0;
    take_bits = '0;
    skip      = 1'b0;
    unique case (state_q)
      // v := v^2 for R^2.
      StPowerSquare: begin
        give      = 1'b1;
        canonical = 1'b1;
        x_from    = FromPower;
        y_from    = FromPower;
      end
      StPowerStore: begin
        take = 1'b1;
        to   = ToPower;
      end
      // x R
      StFirst: begin
        give   = 1'b1;
        x_from = FromBase;
        y_from = FromPower;
      end
      // R, or x^2 for odd powers, or x R^2 for a product.
      StOne: begin
        take = 1'b1;
        give = 1'b1;
        to   = by_factor ? ToNothing : (policy_q == PolicyLadder) ? ToBase : ToBoth;
        if (policy_q != PolicySliding) begin
          x_from = by_factor ? FromResult : FromOne;
          y_from = FromPower;
        end
      end
      // The next power: by x, or by x^2, which takes the place of x in the chosen one.
      StTable: begin
        take   = 1'b1;
        give   = 1'b1;
        to     = (policy_q == PolicySliding && !begun_q) ? ToChosen : ToTable;
        x_from = (policy_q == PolicyConstant && !begun_q) ? FromChosen : FromResult;
        y_from = FromChosen;
      end
      StTableEnd: begin
        take = 1'b1;
        to   = ToTable;
      end
      StChoose: begin
        choose    = look_ready;
        take_bits = !look_ready ? '0 : (policy_q == PolicySliding) ? width : first_width;
      end
      StDigit: begin
        // Leading zeros of a public exponent.
        skip      = policy_q == PolicySliding && look_ready && !bit_is_one;
        take_bits = CountBits'(skip);
      end
      StSquare: begin
        give   = 1'b1;
        take   = !chosen_base_q;
        x_from = chosen_base_q ? FromChosen : FromResult;
        y_from = chosen_base_q ? FromChosen : FromResult;
        if (chosen_next && moved_last) begin
          choose    = 1'b1;
          take_bits = (policy_q == PolicySliding) ? width : CountBits'(Window);
        end else if (policy_q == PolicySliding && !multiply_q && moved_last) begin
          take_bits = CountBits'(8'd1);
        end
      end
      // The accumulator by the chosen power, or x R^2 by the second factor.
      StMultiply: begin
        give   = !table_busy;
        take   = !table_busy;
        y_from = FromChosen;
      end
      // R0 R1, with R0 = R and R1 = x R at first, and the square of one of them.
      StLadderOne: begin
        take   = 1'b1;
        give   = 1'b1;
        to     = ToChosen;
        y_from = FromBase;
      end
      StLadderProduct: begin
        take   = 1'b1;
        give   = 1'b1;
        to     = ToBase;
        x_from = FromChosen;
      end
      StLadderSquare: begin
        take   = look_ready;
        give   = look_ready;
        to     = ToChosen;
        x_from = FromLadder;
        y_from = FromLadder;
        if (moved_last) take_bits = CountBits'(8'd1);
      end
      StLadderEnd: begin
        take = 1'b1;
        to   = ToBase;
      end
      StLeave: begin
        give      = 1'b1;
        take      = pending_q;
        canonical = 1'b1;
        x_from    = (policy_q == PolicyLadder) ? FromLadder : pending_q ? FromResult : FromChosen;
        y_from    = FromLeave;
      end
      StResult: begin
        take = 1'b1;
        to   = ToOutput;
      end
      default: ;
    endcase
  end
  // A window is chosen after its first square, when the old one is no longer read.
  assign chosen_next = multiply_q && !begun_q;
  // R0 is in the chosen power's memory unless swap_q; the bit says which of R0, R1 is squared.
  assign ladder_base = (state_q == StLeave) ? swap_q : bit_is_one != swap_q;

  assign mul_cfg_valid = state_q == StConfigure;
  assign v_set = state_q == StConstants;
  assign v_double = (state_q == StPower && v_done && doublings_q != '0) ||
                    (state_q == StDouble && !run_double_q);
  assign load_bits = state_q == StCheck;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_q) begin
      state_q       <= StIdle;
      error_q       <= mont_pkg::ErrNone;
      z_error_q     <= mont_pkg::ErrNone;
      loaded_q      <= 1'b0;
      index_q       <= '0;
      cfg_done_o    <= 1'b0;
      run_double_q  <= 1'b0;
      pending_q     <= 1'b0;
      begun_q       <= 1'b0;
      multiply_q    <= 1'b0;
      chosen_base_q <= 1'b0;
      swap_q        <= 1'b0;
      core_start_o  <= 1'b0;
      core_done_o   <= 1'b0;
      x_index_q     <= '0;
      y_index_q     <= '0;
      x_done_q      <= 1'b0;
      y_done_q      <= 1'b0;
      y_header_q    <= 1'b0;
    end else begin
      cfg_done_o   <= 1'b0;
      core_start_o <= state_q == StCheck && (e_nonzero_q || by_factor) && x_below_q;
      core_done_o  <= state_q == StResult && move && first_beat;
      if (transfer && move) index_q <= last_beat ? '0 : index_q + 1;
      if (moved_last) pending_q <= give;
      unique case (state_q)
        StIdle: begin
          x_index_q  <= '0;
          y_index_q  <= '0;
          x_done_q   <= 1'b0;
          y_done_q   <= 1'b0;
          y_header_q <= 1'b0;
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
          if (length_bad_q || m_excess_q || room_q != '0) error_q <= mont_pkg::ErrModulusLength;
          else if (!m_odd_q) error_q <= mont_pkg::ErrModulusEven;
          else if (!m_above_one_q) error_q <= mont_pkg::ErrModulusOne;
          else error_q <= mont_pkg::ErrNone;
          if (length_bad_q || m_excess_q || room_q != '0 || !m_odd_q || !m_above_one_q) begin
            cfg_done_o <= 1'b1;
            state_q    <= StIdle;
          end else begin
            state_q <= StConfigure;
          end
        end
        StConfigure: begin
          if (mul_cfg_ready) begin
            index_q <= last_beat ? '0 : index_q + 1;
            if (last_beat) state_q <= StSetUp;
          end
        end
        StSetUp:       if (mul_cfg_done) state_q <= StConstants;
        // v = 2^(bits - 1), doubled to 2 R, squared and doubled to R^2.
        StConstants: begin
          doublings_q <= radix + 2 - bits_q;
          bit_q       <= LengthBits'(LengthBits - 1);
          begun_q     <= 1'b0;
          state_q     <= StPower;
        end
        StPower: begin
          if (v_done) begin
            doublings_q <= doublings_q - 1;
            if (doublings_q == '0) state_q <= StPowerBit;
          end
        end
        StPowerBit: begin
          // From the bit below the highest one on.
          begun_q <= begun_q || power_bit;
          bit_q   <= bit_q - 1;
          if (begun_q) begin
            bit_q   <= bit_q;
            state_q <= StPowerSquare;
          end
          if (begun_q && bit_q == '1) begin
            begun_q <= 1'b0;
            loaded_q <= 1'b1;
            cfg_done_o <= 1'b1;
            state_q <= StIdle;
          end
        end
        StPowerSquare: if (moved_last) state_q <= StPowerStore;
        StPowerStore: begin
          if (moved_last) begin
            bit_q   <= bit_q - 1;
            state_q <= power_bit ? StDouble : StPowerBit;
          end
        end
        StDouble: begin
          run_double_q <= !v_done;
          if (v_done) state_q <= StPowerBit;
        end

        StOperands: begin
          if (x_beat) begin
            if (x_index_q < host_beats_q) x_index_q <= x_index_q + 1;
            if (x_last_i) x_done_q <= 1'b1;
          end else if (x_done_q && x_index_q < beats) begin
            x_index_q <= x_index_q + 1;
          end
          if (y_beat) begin
            y_header_q <= 1'b1;
            if (y_header_q && (!y_last_i || by_factor)) y_index_q <= y_index_q + 1;
            if (y_last_i) y_done_q <= 1'b1;
          end else if (factor_we) begin
            y_index_q <= y_index_q + 1;
          end
          if (operands_done) begin
            if (!loaded_q) z_error_q <= mont_pkg::ErrNoModulus;
            else if (x_short_q || y_short_q) z_error_q <= mont_pkg::ErrOperandLength;
            else z_error_q <= mont_pkg::ErrOperandRange;
            state_q <= (!loaded_q || x_short_q || y_short_q) ? StError : StCheck;
          end
        end
        StCheck: begin
          begun_q    <= 1'b0;
          multiply_q <= 1'b0;
          swap_q     <= 1'b0;
          first_q    <= 1'b1;
          if (!(e_nonzero_q || by_factor) || !x_below_q) state_q <= StError;
          else state_q <= by_factor ? StBelow : StFirst;
        end
        StBelow: begin
          index_q <= last_beat ? '0 : index_q + 1;
          if (last_beat) state_q <= x_below ? StFirst : StError;
        end

        StFirst: begin
          power_index_q <= Window'(8'd1);
          if (moved_last) state_q <= StOne;
        end
        StOne: begin
          if (moved_last) begin
            power_index_q <= Window'(policy_q == PolicySliding);
            if (by_factor) state_q <= StMultiply;
            else state_q <= (policy_q == PolicyLadder) ? StLadderOne : StTable;
          end
        end
        StTable: begin
          if (moved_last) begin
            begun_q <= 1'b1;
            if (policy_q == PolicySliding) power_index_q <= power_index_q + Window'(8'd2);
            else power_index_q <= (power_index_q == '0) ? Window'(8'd2) : power_index_q + 1;
            if (power_index_q == last_power) begin
              state_q <= StTableEnd;
            end
          end
        end
        StTableEnd: begin
          begun_q <= 1'b0;
          if (moved_last) state_q <= StDigit;
        end
        StDigit: begin
          if (look_ready && rest_q < LengthBits'(Window) &&
              (policy_q != PolicySliding || bit_is_one)) begin
            state_q <= StChoose;
          end
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
            multiply_q <= policy_q != PolicySliding || bit_is_one;
            squares_q  <= (policy_q != PolicySliding) ? CountBits'(Window - 1) :
                bit_is_one ? width - 1 : '0;
            state_q <= last_window ? StLeave : StSquare;
          end
        end
        StSquare: begin
          if (moved_last) begin
            chosen_base_q <= 1'b0;
            begun_q       <= 1'b1;
            squares_q     <= squares_q - 1;
            if (squares_q == '0) state_q <= multiply_q ? StMultiply : StWait;
          end
        end
        StMultiply: if (moved_last) state_q <= by_factor ? StLeave : StWait;

        StLadderOne: if (moved_last) state_q <= StLadderSquare;
        StLadderProduct: if (moved_last) state_q <= StLadderSquare;
        StLadderSquare: begin
          if (moved_last) begin
            // The product went to the chosen one's memory: it is R1 for a 0 bit, R0 for a 1 bit.
            swap_q  <= !bit_is_one;
            state_q <= (e_left == LengthBits'(8'd1)) ? StLadderEnd : StLadderProduct;
          end
        end
        StLadderEnd: if (moved_last) state_q <= StLeave;

        StLeave:  if (moved_last) state_q <= StResult;
        StResult: if (moved_last) state_q <= StIdle;
        StError:  if (!z_valid_o) state_q <= StIdle;
        default:  state_q <= StIdle;
      endcase
      if (transfer && move && take && mul_z_error) begin
        z_error_q <= mont_pkg::ErrOperandRange;
        state_q   <= StError;
        pending_q <= 1'b0;
        index_q   <= '0;
      end
    end
  end

  // What the packets say.
  always_ff @(posedge clk_i) begin
    if (clear_q) begin
      length_q <= LengthBits'(8'd1);
      bits_q <= '0;
      e_place_q <= '0;
      e_nonzero_q <= 1'b0;
      top_beat_q <= '0;
      top_place_q <= '0;
      x_below_q <= 1'b0;
      rest_q <= '0;
      policy_q <= '0;
      e_length_q <= '0;
      m_odd_q <= 1'b0;
      m_above_one_q <= 1'b0;
    end else begin
      if (state_q == StHeader && cfg_beat) begin
        length_bad_q  <= bad_length || cfg_last_i;
        length_q      <= bad_length ? LengthBits'(2'd2) : LengthBits'(cfg_data_i);
        room_q        <= LengthBits'(cfg_data_i);
        m_excess_q    <= 1'b0;
        m_odd_q       <= 1'b0;
        m_above_one_q <= 1'b0;
        host_beats_q  <= '0;
        below_q       <= '0;
        bits_q        <= '0;
      end
      if (state_q == StModulus && cfg_beat) begin
        // A beat beyond the length, or bits of the modulus beyond it.
        if (room_q == '0) m_excess_q <= 1'b1;
        if (room_q < LengthBits'(Width) && LengthBits'(top_place) >= room_q) m_excess_q <= 1'b1;
        room_q <= (room_q < LengthBits'(Width)) ? '0 : room_q - LengthBits'(Width);
        if (index_q < BeatBits'(HostBeats)) below_q <= below_q + LengthBits'(Width);
        if (index_q == '0) m_odd_q <= cfg_data_i[0];
        if (cfg_data_i[Width-1:1] != '0 || (index_q != '0 && cfg_data_i[0])) m_above_one_q <= 1'b1;
        if (cfg_data_i != '0) begin
          top_beat_q  <= index_q;
          top_place_q <= top_place;
          bits_q      <= below_q + LengthBits'(top_place) + 1;
        end
      end
      if (state_q == StFill && host_beats_q == '0) host_beats_q <= index_q;

      if (state_q == StIdle) begin
        x_below_q   <= 1'b0;
        x_short_q   <= 1'b0;
        y_short_q   <= 1'b0;
        e_nonzero_q <= 1'b0;
      end
      if (state_q == StOperands) begin
        if (x_beat) begin
          x_below_q <= x_below;
          if ((x_index_q == host_beats_q - 1) != x_last_i || x_index_q >= host_beats_q) begin
            x_short_q <= 1'b1;
          end
        end
        if (y_beat) begin
          if (!y_header_q) begin
            e_length_q <= LengthBits'(y_data_i);
            policy_q   <= y_data_i[15:14];
            e_place_q  <= LengthBits'(y_data_i) - 1;
            if (y_last_i || LengthBits'(y_data_i) == '0 ||
                LengthBits'(y_data_i) > LengthBits'(Length)) begin
              y_short_q <= 1'b1;
            end
          end else begin
            // The last beat must hold the top bit; e_place_q counts down to its place in it.
            if (y_last_i != (e_place_q < LengthBits'(Width))) y_short_q <= 1'b1;
            if (!y_last_i) e_place_q <= e_place_q - LengthBits'(Width);
            if (y_last_i && LengthBits'(top_place) > e_place_q) y_short_q <= 1'b1;
            if (by_factor && y_last_i && y_index_q != host_beats_q - 1) y_short_q <= 1'b1;
            if (y_data_i != '0) e_nonzero_q <= 1'b1;
          end
        end
      end
      if (state_q == StCheck) x_below_q <= 1'b0;
      if (state_q == StBelow) x_below_q <= x_below;

      // Length of the first fixed window: what is left over by the others.
      if (state_q == StCheck) rest_q <= e_length_q - 1;
      else if (rest_q >= LengthBits'(Window)) rest_q <= rest_q - LengthBits'(Window);
    end
  end

  // ---- result ----------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_q) begin
      z_valid_o <= 1'b0;
      z_error_o <= 1'b0;
      z_last_o  <= 1'b0;
    end else if (state_q == StError && !z_valid_o) begin
      z_valid_o <= 1'b1;
      z_error_o <= 1'b1;
      z_last_o  <= 1'b1;
    end else if (state_q == StResult && move && index_q < host_beats_q) begin
      z_valid_o <= 1'b1;
      z_error_o <= 1'b0;
      z_last_o  <= index_q == host_beats_q - 1;
    end else if (z_ready_i) begin
      z_valid_o <= 1'b0;
    end
    if (clear_q) z_data_o <= '0;
    else if (state_q == StError && !z_valid_o) z_data_o <= Width'(z_error_q);
    else if (state_q == StResult && move && index_q < host_beats_q) z_data_o <= mul_z;
  end

  assign cfg_error_o = error_q;
  assign busy_o = clear_q || state_q != StIdle || z_valid_o || mul_busy || cfg_done_o;
endmodule
