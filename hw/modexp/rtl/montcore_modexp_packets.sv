// SPDX-License-Identifier: Apache-2.0

/// The exponentiator's input protocol: receives and checks the packets of modulus, base and
/// exponent.
///
/// cfg = length in bits, then m; y = (policy << 14) + bits of e, then e; x as m. x and y may come
/// in either order, except for a product: after its header y is accepted when x is complete.
/// refused_o and operands_bad_o are the verdicts, the only path from data to control. Each is low
/// except in the one state that uses it.
/// Precondition: the state follows packets_o as `montcore_modexp_sequence` does.
/// Latency: 0 from a beat to its write to the memories; the verdicts are valid in StVerdict and in
/// StJudge.
/// Example: Width = 16, length 8, beats 8, 0x8b: a modulus; 8, 0x18b: ErrModulusLength.
module montcore_modexp_packets
  import montcore_modexp_pkg::*;
  import montcore_pkg::montcore_error_e;
#(
    parameter int unsigned Length = 512,
    parameter int unsigned Width = 34,  // Bits of a beat, 16 or more.
    parameter int unsigned Beats = 17,  // Beats of the multiplier's operands at the built width.
    parameter int unsigned Window = 5,  // Window width in bits, 2 or more.
    localparam int unsigned BeatBits = $clog2(Beats + 1),
    localparam int unsigned PlaceBits = $clog2(Width)  // Width of a bit position in a beat.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic forget_i,  // Synchronous clear of everything, the modulus included.
    input state_e state_i,  // State of the sequencer.
    input logic cfg_valid_i,
    output logic cfg_ready_o,  // Modulus stream: ready; does not depend on valid.
    input logic [Width-1:0] cfg_data_i,  // Modulus stream: the length in bits, then the modulus.
    input logic cfg_last_i,
    /// Reason for the last refusal (montcore_error_e), from the cycle after StVerdict on.
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,  // Base stream: valid.
    output logic x_ready_o,  // Base stream: ready; does not depend on valid.
    input logic [Width-1:0] x_data_i,  // Base stream: data.
    input logic x_last_i,  // Base stream: last beat.
    input logic y_valid_i,  // Exponent stream: valid.
    output logic y_ready_o,  // Exponent stream: ready; does not depend on valid.
    /// Exponent stream: policy and length in bits, then the exponent.
    input logic [Width-1:0] y_data_i,
    input logic y_last_i,  // Exponent stream: last beat.
    /// Index of the beat of the modulus or of a transfer, counted by the sequencer.
    input logic [BeatBits-1:0] index_i,
    /// Beats of the multiplier's operands at the present length.
    input logic [BeatBits-1:0] beats_i,
    input logic loaded_i,  // High: a modulus is loaded.
    input logic below_i,  // High: the number compared in StCheck is below m; valid in StJudge.
    output packets_t packets_o,  // Status of the streams for the sequencer.
    output policy_t policy_o,  // Policy of the last header of y.
    output logic [LengthBits-1:0] length_o,  // Length of the modulus in bits; 1 if there is none.
    output logic [BeatBits-1:0] host_beats_o,  // Beats of the modulus at the port.
    /// Index of the modulus's highest beat that is not zero.
    output logic [BeatBits-1:0] top_beat_o,
    /// Length of the exponent in bits; from StTable on that of its first fixed window.
    output logic [LengthBits-1:0] e_length_o,
    /// Beat and bit position of the exponent's top bit; valid in StJudge.
    output logic [BeatBits + PlaceBits - 1:0] e_top_o,
    output logic refused_o,  // High: the modulus is refused; StVerdict only.
    output logic operands_bad_o,  // High: the request is refused; StJudge only.
    output logic [2:0] status_o,  // Reason for the refusal (montcore_error_e), valid in StJudge.
    /// Write enables of a beat: [0] store, [1] memory of the chosen number.
    output logic [1:0] we_o,
    /// Write index in the store; index_i while no packet is received.
    output logic [BeatBits-1:0] store_index_o,
    /// Write data of the store; 0 while no packet is received.
    output logic [Width-1:0] store_data_o,
    /// Write index in the chosen number's memory; index_i while no packet is received.
    output logic [BeatBits-1:0] chosen_index_o,
    /// Write data of the chosen number's memory; 0 without a beat.
    output logic [Width-1:0] chosen_data_o
);
  localparam int unsigned HostBeats = (Length + Width - 1) / Width;

  if (Width < 16) begin : g_bad_width
    $fatal(1, "%m: the exponentiator needs a multiplier with a bus of at least 16 bits");
  end
  if (Length >= 2 ** LengthBits) begin : g_bad_length
    $fatal(1, "%m: the exponentiator is built for at most 8191 bits");
  end
  if (Window < 2 || Window > 6) begin : g_bad_window
    $fatal(1, "%m: the window must have 2 to 6 bits");
  end

  localparam logic [1:0] PolicyConstant = 2'd0;
  localparam logic [1:0] PolicySliding = 2'd1;
  localparam logic [1:0] PolicyLadder = 2'd2;
  localparam logic [1:0] PolicyProduct = 2'd3;

  montcore_error_e error_q;
  logic [1:0] policy_q;
  logic [LengthBits-1:0] length_q, e_length_q, room_q;
  logic [BeatBits-1:0] host_beats_q, top_beat_q, x_index_q, y_index_q;
  logic m_odd_q, m_above_one_q, length_bad_q, m_bad_q, x_bad_q, x_short_q, y_short_q, e_nonzero_q;
  logic x_done_q, y_done_q, y_header_q, factor_q;
  logic cfg_beat, x_beat, y_beat, x_beat_bad, bad_length, bad_e_length, placed_last, m_we, y_we;
  logic beat_bad;  // not the last beat and no bits left, or the last one and bits left, or too many
  logic by_factor;
  logic [Width-1:0] placed;

  assign by_factor = policy_q == PolicyProduct;
  assign policy_o.constant = policy_q == PolicyConstant;
  assign policy_o.sliding = policy_q == PolicySliding;
  assign policy_o.ladder = policy_q == PolicyLadder;
  assign policy_o.by_factor = by_factor;

  // ---- streams ---------------------------------------------------------------------------------
  assign cfg_ready_o = state_i == StHeader || state_i == StModulus;
  assign x_ready_o = state_i == StOperands && !x_done_q;
  assign y_ready_o = !y_done_q &&
                     (state_i == StFactor || (state_i == StOperands && !(y_header_q && by_factor)));
  assign cfg_beat = cfg_valid_i && cfg_ready_o;
  assign x_beat = x_valid_i && x_ready_o;
  assign y_beat = y_valid_i && y_ready_o;

  assign packets_o.cfg_valid = cfg_valid_i;
  assign packets_o.xy_valid = x_valid_i || y_valid_i;
  assign packets_o.cfg_beat = cfg_beat;
  assign packets_o.cfg_last = cfg_last_i;
  assign packets_o.length_bad = length_bad_q;
  assign packets_o.operands_done = x_done_q && (by_factor ? y_header_q : y_done_q);
  assign packets_o.factor_done = y_done_q;
  assign packets_o.factor = factor_q;

  // ---- memories --------------------------------------------------------------------------------
  assign m_we = (state_i == StModulus && cfg_beat && index_i < BeatBits'(HostBeats)) ||
                (state_i == StFill && index_i < beats_i);
  assign y_we = state_i == StOperands && y_beat && y_header_q && y_index_q < BeatBits'(HostBeats);
  assign we_o[0] = m_we || y_we;
  // Where x and the factor have fewer beats than the multiplier, the memory already holds zeros:
  // the set-up leaves a number below m, and a wipe leaves zero.
  assign we_o[1] = (x_beat && x_index_q < host_beats_q) ||
                   (state_i == StFactor && y_beat && y_index_q < host_beats_q);
  assign store_index_o = (state_i == StOperands) ? y_index_q : index_i;
  assign chosen_index_o = (state_i == StOperands) ? x_index_q :
      (state_i == StFactor) ? y_index_q : index_i;
  assign store_data_o = placed & {Width{state_i == StModulus || state_i == StOperands}};
  assign chosen_data_o = (x_data_i & {Width{x_beat}}) | (y_data_i & {Width{y_beat && factor_q}});

  // ---- checks ----------------------------------------------------------------------------------
  assign bad_length = cfg_data_i < Width'(2) || cfg_data_i > Width'(Length);
  // A length of 0 leaves no room for a beat, so it is refused there.
  assign bad_e_length = y_data_i[HeaderBits-1:0] > HeaderBits'(Length) ||
                        (y_data_i >> (HeaderBits + 2)) != '0;
  assign placed = (state_i == StModulus) ? cfg_data_i : y_data_i;
  assign placed_last = (state_i == StModulus) ? cfg_last_i : y_last_i;
  // room_q: bits of the length that the beats so far have not covered; bits above it must be zero.
  logic [Width-1:0] above;
  always_comb begin
    for (int unsigned k = 0; k < Width; k++) above[k] = placed[k] && LengthBits'(k) >= room_q;
  end
  assign beat_bad = placed_last != (room_q <= LengthBits'(Width)) || room_q == '0 || above != '0;
  assign x_beat_bad = (x_index_q == host_beats_q - 1) != x_last_i || x_index_q >= host_beats_q;

  assign refused_o = state_i == StVerdict &&
                     (length_bad_q || m_bad_q || !m_odd_q || !m_above_one_q);
  assign operands_bad_o = state_i == StJudge &&
                          (!loaded_i || x_short_q || y_short_q || !below_i || x_bad_q ||
                           !(e_nonzero_q || by_factor));
  assign status_o = !loaded_i ? montcore_pkg::ErrNoModulus :
      (x_short_q || y_short_q) ? montcore_pkg::ErrOperandLength : montcore_pkg::ErrOperandRange;

  // ---- index of the next beat ------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      x_index_q  <= '0;
      y_index_q  <= '0;
      x_done_q   <= 1'b0;
      y_done_q   <= 1'b0;
      y_header_q <= 1'b0;
      factor_q   <= 1'b0;
    end else if (state_i == StIdle) begin
      x_index_q  <= '0;
      y_index_q  <= '0;
      x_done_q   <= 1'b0;
      y_done_q   <= 1'b0;
      y_header_q <= 1'b0;
      factor_q   <= 1'b0;
    end else begin
      if (x_beat) begin
        if (x_index_q < host_beats_q) x_index_q <= x_index_q + 1;
        if (x_last_i) x_done_q <= 1'b1;
      end
      if (y_beat) begin
        y_header_q <= 1'b1;
        // The last beat of the exponent keeps its index: it holds the top bit.
        if (state_i == StFactor || (y_header_q && !y_last_i)) y_index_q <= y_index_q + 1;
        if (y_last_i) y_done_q <= 1'b1;
      end
      if (state_i == StJudge) factor_q <= by_factor;
    end
  end

  // ---- contents of the packets -----------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      error_q       <= montcore_pkg::ErrNone;
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
      if (state_i == StHeader && cfg_beat) begin
        length_bad_q  <= bad_length || cfg_last_i;
        length_q      <= bad_length ? LengthBits'(2'd2) : LengthBits'(cfg_data_i);
        room_q        <= LengthBits'(cfg_data_i);
        m_bad_q       <= 1'b0;
        m_odd_q       <= 1'b0;
        m_above_one_q <= 1'b0;
        host_beats_q  <= '0;
      end
      if (state_i == StModulus && cfg_beat) begin
        if (beat_bad) m_bad_q <= 1'b1;
        room_q <= room_q - LengthBits'(Width);
        if (index_i == '0) m_odd_q <= cfg_data_i[0];
        if (cfg_data_i[Width-1:1] != '0 || (index_i != '0 && cfg_data_i[0])) m_above_one_q <= 1'b1;
        if (cfg_data_i != '0) top_beat_q <= index_i;
      end
      if (state_i == StFill && host_beats_q == '0) host_beats_q <= index_i;
      if (state_i == StVerdict) begin
        if (length_bad_q || m_bad_q) error_q <= montcore_pkg::ErrModulusLength;
        else if (!m_odd_q) error_q <= montcore_pkg::ErrModulusEven;
        else if (!m_above_one_q) error_q <= montcore_pkg::ErrModulusOne;
        else error_q <= montcore_pkg::ErrNone;
      end

      if (state_i == StIdle) begin
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
          // The position of the top bit in the last beat is the remaining room_q.
          if (beat_bad) y_short_q <= 1'b1;
          if (!y_last_i) room_q <= room_q - LengthBits'(Width);
          if (factor_q && y_last_i && y_index_q != host_beats_q - 1) y_short_q <= 1'b1;
          if (y_data_i != '0) e_nonzero_q <= 1'b1;
        end
      end
      if (state_i == StJudge && by_factor && !factor_q) x_bad_q <= !below_i;
      // Fixed windows: the first one has the bits that do not fill a window, so that the last ends
      // with e. For that the length is reduced by whole windows, while the table is computed.
      if ((state_i == StTable || state_i == StDigit) && e_length_q > LengthBits'(Window)) begin
        e_length_q <= e_length_q - LengthBits'(Window);
      end
    end
  end

  assign cfg_error_o = error_q;
  assign length_o = length_q;
  assign host_beats_o = host_beats_q;
  assign top_beat_o = top_beat_q;
  assign e_length_o = e_length_q;
  assign e_top_o = {y_index_q, PlaceBits'(32'(room_q) - 1)};
endmodule
