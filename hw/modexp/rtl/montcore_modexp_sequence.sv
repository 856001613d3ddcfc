// SPDX-License-Identifier: Apache-2.0

/// The exponentiator's sequencer: the state machine, its transfers, the windows of e.
///
/// In a transfer a result is read from the multiplier, or a product is sent, or both; in a walk
/// all beats of the chosen number pass the adder, or are output: one beat per cycle. Both
/// memories are read ahead: their first beat takes a cycle.
/// Precondition: the multiplier returns its results in the order of its products.
/// Latency: for policy 0 a function of the lengths of m and e; configuration includes R^2 mod m.
/// Example: policy 3 runs StFirst, StOne, StMultiply, StLeave, StResult, StReduce, StOutput.
module montcore_modexp_sequence
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Length = 512,
    parameter int unsigned Width = 34,  // Bits of a beat, 16 or more.
    parameter int unsigned Beats = 17,  // Beats of the multiplier's operands at the built width.
    parameter int unsigned Window = 5,  // Window width in bits, 2 or more.
    parameter bit LazySetUp = 1'b1,  // 1: R^2 is made with lazy products.
    localparam int unsigned BeatBits = $clog2(Beats + 1),
    localparam int unsigned PlaceBits = $clog2(Width)  // Width of a bit position in a beat.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic forget_i,  // High while everything is cleared, the modulus included.
    input logic clear_i,  // High while data that depends on x or e is cleared.
    input packets_t packets_i,  // Status of the packet streams and fields of the headers received.
    input policy_t policy_i,  // Policy of the request, constant while it runs.
    input logic refused_i,  // The modulus is refused; read in StVerdict only.
    input logic operands_bad_i,  // The request is refused; read in StJudge only.
    input logic [BeatBits-1:0] top_beat_i,  // Index of the modulus's highest beat that is not zero.
    /// Length of the exponent in bits; as length of the first window valid once at most Window.
    input logic [LengthBits-1:0] e_length_i,
    /// Beat and bit position of the exponent's top bit, in StJudge.
    input logic [BeatBits + PlaceBits - 1:0] e_top_i,
    input feedback_t feedback_i,  // Status of the multiplier and of the table.
    input logic xy_ready_i,  // Multiplier, operand streams: ready.
    /// Beats of the multiplier's operands at the present length.
    input logic [BeatBits-1:0] beats_i,
    input logic [LengthBits-1:0] radix_i,  // log2 of the radix of a product on the way to R^2.
    input logic [LengthBits-1:0] power_i,  // Exponent from which R^2 is made.
    /// Beat whose lowest bit is 1 in the factor that converts out of the Montgomery domain.
    input logic [BeatBits-1:0] leave_i,
    input logic [Width-1:0] word_i,  // Word read from the store in the previous cycle.
    input logic z_wait_i,  // High: the output stage holds a beat that is not accepted.
    output state_e state_o,  // State of the exponentiator.
    output logic loaded_o,  // High: a modulus is loaded and its constants are ready.
    output operands_t operands_o,  // Sources of the multiplier's operands.
    output route_t route_o,  // Destinations of the beats of a transfer.
    output request_t request_o,  // Requests to the multiplier: start, reduce, or load a modulus.
    output taking_t taking_o,  // Use of the multiplier's result in this cycle.
    output transfer_t transfer_o,  // Source of the beats of a transfer.
    output logic [BeatBits-1:0] index_o,  // Index of the beat that moves.
    output logic [BeatBits-1:0] next_index_o,  // Index of the beat that moves in the next cycle.
    /// Beat of the exponent to read while the exponent's region is selected.
    output logic [BeatBits-1:0] e_beat_o,
    /// Table entry to which the multiplier's results are written.
    output logic [Window-1:0] power_index_o,
    output logic choose_o,  // Pulse: copy the power digit_o to the chosen number.
    output logic [Window-1:0] digit_o,  // Table entry to choose; valid with choose_o.
    output logic wipe_o,  // Pulse: the answer was accepted; clear all data that depends on x or e.
    output logic cfg_done_o,
    output logic core_start_o,  // Pulse: the first product of a request starts.
    output logic core_done_o  // Pulse: the result of a request is complete.
);
  localparam int unsigned HostBeats = (Length + Width - 1) / Width;
  localparam int unsigned HostBeatBits = $clog2(HostBeats + 1);
  localparam int unsigned CountBits = $clog2(Window + 1);

  state_e state_q;
  logic [BeatBits-1:0] index_q, index_plus, next_index, last_beat_q;
  logic [LengthBits-1:0] e_left;
  logic [  BeatBits-1:0] power_factor;
  logic [CountBits-1:0] squares_q, length;
  logic [Window-1:0] power_index_q, last_power;
  logic loaded_q, fetched_q, pending_q, begun_q, multiply_q, chosen_base_q, first_q, swap_q;
  logic give, take, walk, transfer, hold, xy_valid, move, first, last, moved_last, mul_z_error;
  logic sliding, ladder, by_factor, choose, chosen_next, skip, zero_next, last_window;
  logic led, seed, last_double, power_bit, last_bit, powers_done;
  logic single, bit_is_one, look_ready, first_ready, ladder_base;

  assign sliding = policy_i.sliding;
  assign ladder = policy_i.ladder;
  assign by_factor = policy_i.by_factor;

  // ---- transfers -------------------------------------------------------------------------------
  montcore_modexp_route #(
      .LazySetUp(LazySetUp)
  ) u_route (
      .state_i      (state_q),
      .policy_i,
      .pending_i    (pending_q),
      .begun_i      (begun_q),
      .chosen_base_i(chosen_base_q),
      .ladder_base_i(ladder_base),
      .bits_ready_i (look_ready),
      .table_busy_i (feedback_i.table_busy),
      .factor_i     (packets_i.factor),
      .give_o       (give),
      .take_o       (take),
      .walk_o       (walk),
      .canonical_o  (request_o.canonical),
      .operands_o,
      .route_o
  );

  assign transfer = give || take || walk;
  assign hold = (state_q == StConfigure && !feedback_i.cfg_ready) ||
                (state_q == StOutput && z_wait_i);
  assign first = index_q == '0;
  // The number of beats is stable long before the first transfer.
  always_ff @(posedge clk_i) last_beat_q <= beats_i - 1;
  assign last = index_q == last_beat_q;
  assign xy_valid = give && fetched_q && (!take || feedback_i.z_valid);
  assign move = transfer && fetched_q && !hold && (!give || xy_ready_i) &&
                (!take || feedback_i.z_valid);
  assign moved_last = move && last;
  // The addition does not wait for move, which is late.
  assign index_plus = index_q + 1;
  assign next_index = !move ? index_q : last ? '0 : index_plus;
  assign mul_z_error = move && take && feedback_i.z_error;

  assign request_o.cfg_valid = state_q == StConfigure && fetched_q;
  assign request_o.xy_valid = xy_valid;
  assign taking_o.z_ready = take && fetched_q && (!give || xy_ready_i);
  assign transfer_o.move = move;
  assign transfer_o.first = first;
  assign transfer_o.last = last;
  assign taking_o.refused = mul_z_error;
  assign transfer_o.seed = state_q == StPower && seed;
  assign transfer_o.factor = index_q == ((state_q == StPowerFactor) ? power_factor : leave_i);
  assign index_o = index_q;
  assign next_index_o = next_index;

  // ---- the exponent ----------------------------------------------------------------------------
  logic [HostBeatBits-1:0] e_beat;
  logic e_read, e_load, take_bit;
  // Outside the instance: in a port expression Icarus Verilog 11 does not find names of a package.
  assign e_read   = route_o.read_region == RegionExponent;
  assign e_load   = state_q == StJudge;
  assign take_bit = skip || zero_next || (state_q == StLadderSquare && moved_last);
  montcore_modexp_window #(
      .Width (Width),
      .Beats (HostBeats),
      .Window(Window)
  ) u_window (
      .clk_i,
      .rst_ni,
      .clear_i,
      .beat_o        (e_beat),
      .granted_i     (e_read),
      .word_i,
      .load_i        (e_load),
      .length_i      (e_length_i),
      .top_beat_i    (HostBeatBits'(e_top_i >> PlaceBits)),
      .top_place_i   (e_top_i[PlaceBits-1:0]),
      .sliding_i     (sliding),
      .first_i       (first_q),
      .first_length_i(CountBits'(e_length_i)),
      .take_window_i (choose),
      .take_bit_i    (take_bit),
      .digit_o,
      .length_o      (length),
      .single_o      (single),
      .bit_o         (bit_is_one),
      .ready_o       (look_ready),
      .left_o        (e_left)
  );
  assign e_beat_o = BeatBits'(e_beat);
  assign first_ready = e_length_i <= LengthBits'(Window);
  assign last_window = e_left == '0;
  // A window is chosen after its first square, when the old one is no longer read.
  assign chosen_next = state_q == StSquare && multiply_q && !begun_q && moved_last;
  assign choose = (state_q == StChoose && look_ready) || chosen_next;
  assign zero_next = state_q == StSquare && sliding && !multiply_q && moved_last;
  // Skips leading zeros of a public exponent.
  assign skip = state_q == StDigit && sliding && look_ready && !bit_is_one;
  // R0 is in the chosen power's memory unless swap_q; the bit selects which of R0, R1 is squared.
  assign ladder_base = (state_q == StLeave) ? swap_q : bit_is_one != swap_q;
  assign choose_o = choose;

  // ---- doublings and squares on the way to R^2 mod m ---------------------------------------------
  // LazySetUp = 0: 2^(Width top) is doubled to 2^(radix + a), a the LeadBits leading bits of e; for
  // each further bit of e a square, and for a 1 a doubling. They end with R^2 = 2^(radix + e). Here e > 0.
  // LazySetUp = 1: 2^(Width (top + 1)) is doubled, modulo 2^Width m, to 2^(radix + Width / 2); a
  // square for each bit of e, and a product with 2^(Width f), f = e without its leading 1. They end
  // with R^2 = 2^(Width e). Here e > 1, and Width is even. Example, Width = 34, e = 63, R = 2^(17 * 63):
  // 6 squares lead from 2^17 R to 2^(34 * 32) R, and the factor 2^(34 * 31) to 2^(34 * 63) = R^2.
  localparam int unsigned BitBits = $clog2(LengthBits + 1);
  // A bit more saves a square, and costs on average 12 doublings at 5 bits and 24 at 6.
  localparam int unsigned LeadBits = 5;

  logic [LengthBits-1:0] doublings_q, first_count;
  logic [ BitBits-1:0] bit_q;
  logic [BeatBits-1:0] seed_beat;
  logic next_bit, one_more;

  assign power_bit = 1'(power_i >> bit_q);
  assign last_bit = bit_q == '0;
  assign powers_done = bit_q == '1;
  assign last_double = doublings_q == LengthBits'(1'b1);
  assign seed_beat = top_beat_i + BeatBits'(LazySetUp);
  assign seed = index_q == seed_beat;
  assign power_factor = BeatBits'(doublings_q);
  // All bits of e are in doublings_q, or LeadBits of them from the highest 1 on.
  assign led = LazySetUp ? power_bit : doublings_q[LeadBits-1] || powers_done;
  assign first_count = LazySetUp ? LengthBits'(Width / 2) : doublings_q;
  assign next_bit = LazySetUp ? (state_q == StPowerSquare || state_q == StPowerStore) :
      (state_q == StReduce || (state_q == StPowerStore && !power_bit && !last_bit));
  assign one_more = !LazySetUp && state_q == StReduce;

  always_ff @(posedge clk_i) begin
    if (state_q == StSetUp) begin
      doublings_q <= '0;
      bit_q       <= BitBits'(LengthBits - 1);
    end else if (state_q == StLead) begin
      if (led) doublings_q <= radix_i + first_count;
      else begin
        doublings_q <= {doublings_q[LengthBits-2:0], power_bit};
        bit_q       <= bit_q - 1;
      end
    end else if (state_q == StPower) begin
      if (move && index_q < seed_beat) doublings_q <= doublings_q - LengthBits'(Width);
    end else if (moved_last) begin
      if (state_q == StDouble) doublings_q <= doublings_q - 1;
      if (next_bit) bit_q <= bit_q - 1;
      if (one_more) doublings_q <= LengthBits'(1'b1);
      // 0 before: the bits of e below its leading 1, which StPowerSquare has passed, are f.
      if (LazySetUp && state_q == StPowerStore) begin
        doublings_q <= {doublings_q[LengthBits-2:0], power_bit};
      end
    end
    // The reductions of results have counted too.
    if (state_q == StWipe) bit_q <= '0;
  end

  // ---- states ----------------------------------------------------------------------------------
  // The power before the last one in the table.
  assign last_power = sliding ? ~Window'(2'd2) : ~Window'(1'b1);
  assign wipe_o = state_q == StLast && !z_wait_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      state_q       <= StIdle;
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
      core_start_o  <= 1'b0;
      core_done_o   <= 1'b0;
    end else begin
      cfg_done_o   <= 1'b0;
      core_start_o <= state_q == StJudge && !operands_bad_i && (packets_i.factor || !by_factor);
      core_done_o  <= state_q == StOutput && move && first;
      fetched_q    <= transfer && !moved_last;
      if (transfer) index_q <= next_index;
      if (moved_last) pending_q <= give;
      unique case (state_q)
        StIdle: begin
          if (packets_i.cfg_valid) state_q <= StHeader;
          else if (packets_i.xy_valid) state_q <= StOperands;
        end
        StHeader: begin
          loaded_q <= 1'b0;
          if (packets_i.cfg_beat) begin
            if (packets_i.cfg_last) state_q <= StVerdict;
            else state_q <= StModulus;
            index_q <= '0;
          end
        end
        StModulus:
        if (packets_i.cfg_beat) begin
          if (index_q < BeatBits'(HostBeats)) index_q <= index_q + 1;
          if (packets_i.cfg_last) state_q <= StFill;
        end
        StFill: begin
          index_q <= index_q + 1;
          if (packets_i.length_bad || index_q >= beats_i - 1) begin
            state_q <= StVerdict;
            index_q <= '0;
          end
        end
        StVerdict: begin
          index_q <= '0;
          cfg_done_o <= refused_i;
          state_q    <= StConfigure;
          if (refused_i) state_q <= StIdle;
        end
        StConfigure:   if (moved_last) state_q <= StSetUp;
        StSetUp: begin
          if (feedback_i.cfg_done) state_q <= StLead;
          if (feedback_i.cfg_done && loaded_q) state_q <= StIdle;
        end
        StLead:        if (led) state_q <= StPower;
        StPower:       if (moved_last) state_q <= StDouble;
        StDouble:      if (moved_last && last_double) state_q <= StCorrect;
        StCorrect: begin
          if (moved_last) state_q <= StPowerSquare;
          if (moved_last && powers_done) state_q <= StKeep;
        end
        StPowerSquare: if (moved_last) state_q <= StPowerStore;
        StPowerStore: begin
          if (moved_last && LazySetUp) begin
            if (last_bit) state_q <= StPowerFactor;
          end else if (moved_last) begin
            // A square that is not doubled is squared as it is, unless it is the last one.
            if (power_bit || last_bit) state_q <= StReduce;
            else state_q <= StPowerSquare;
          end
        end
        StPowerFactor: if (moved_last) state_q <= StKeep;
        // The result of a canonical product is below 2 m.
        StReduce:
        if (moved_last) begin
          state_q <= StCorrect;
          if (loaded_q) state_q <= StOutput;
          else if (power_bit) state_q <= StDouble;
        end
        StKeep:
        if (moved_last) begin
          loaded_q   <= 1'b1;
          cfg_done_o <= 1'b1;
          state_q    <= StIdle;
        end
        StOperands:    if (packets_i.operands_done) state_q <= StCheck;
        // The second factor replaces x, which StCheck has copied to the base's region.
        StFactor:      if (packets_i.factor_done) state_q <= StCheck;
        StCheck:       if (moved_last) state_q <= StJudge;
        StJudge: begin
          begun_q    <= 1'b0;
          multiply_q <= 1'b0;
          swap_q     <= 1'b0;
          first_q    <= 1'b1;
          state_q    <= StFirst;
          if (by_factor && !packets_i.factor) state_q <= StFactor;
          else if (operands_bad_i) state_q <= StError;
          else if (ladder) state_q <= StLook;
        end
        // In the first steps of the ladder the memory is busy with its numbers.
        StLook:        if (look_ready) state_q <= StFirst;

        StFirst: begin
          power_index_q <= Window'(8'd1);
          if (moved_last) state_q <= StOne;
          if (moved_last && single) state_q <= StTableEnd;
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
        // Next: the result, a window, or (sliding) a zero.
        StWait: begin
          begun_q <= 1'b0;
          if (!feedback_i.table_busy && look_ready) begin
            multiply_q <= !sliding || bit_is_one;
            squares_q  <= !sliding ? CountBits'(Window - 1) : bit_is_one ? length - 1 : '0;
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
            // The product is in the chosen number's memory: R1 for a 0 bit, R0 for a 1 bit.
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
        StLast:   if (wipe_o) state_q <= StWipe;
        // Afterwards the multiplier is loaded with the modulus again.
        StWipe: begin
          begun_q       <= 1'b0;
          multiply_q    <= 1'b0;
          chosen_base_q <= 1'b0;
          first_q       <= 1'b0;
          swap_q        <= 1'b0;
          squares_q     <= '0;
          if (!clear_i) state_q <= StIdle;
          if (!clear_i && loaded_q) state_q <= StConfigure;
        end
        default:  state_q <= StIdle;
      endcase
      if (mul_z_error) begin
        state_q   <= StError;
        pending_q <= 1'b0;
        fetched_q <= 1'b0;
        index_q   <= '0;
      end
    end
  end

  assign state_o = state_q;
  assign loaded_o = loaded_q;
  assign power_index_o = power_index_q;
endmodule
