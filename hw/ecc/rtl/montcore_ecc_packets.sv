// SPDX-License-Identifier: Apache-2.0

/// The curve engine's port: receives the packets of a curve and of an operation, sends the answer.
///
/// cfg = bits of p | bits of n << 10 | family << 20 | public << 23, columns | windows << 8, then p, n, a, b, x, y;
/// y = operation, then its public numbers; x = its scalars. z = status, then two numbers.
/// Precondition: done_i answers start_o.
/// Latency: two cycles from the last beat of the operands to start_o.
/// x and y may come in either order; if both are valid, y is accepted first.
/// Example: y = 1, x = k: k times the base point; z = 0, then its coordinates.
module montcore_ecc_packets
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Length = 256,  // Built width in bits, of the longer of p and n.
    parameter int unsigned Width = 32,  // Beat width in bits, 32 or more.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic forget_i,  // Synchronous clear, active high; drops curve and operation.
    input logic clear_i,  // High while memories are being cleared: no packet is accepted.
    input logic cfg_valid_i,  // Curve stream: valid.
    output logic cfg_ready_o,  // Curve stream: ready.
    input logic [Width-1:0] cfg_data_i,  // Curve stream: data, least significant beat first.
    input logic cfg_last_i,  // Curve stream: last beat.
    output logic cfg_done_o,  // Pulse: the curve was accepted or refused.
    /// Reason for the refusal, 0 if accepted; stable until the next curve.
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,  // Scalar stream: valid.
    output logic x_ready_o,  // Scalar stream: ready.
    input logic [Width-1:0] x_data_i,  // Scalar stream: data, least significant beat first.
    input logic x_last_i,  // Scalar stream: last beat.
    input logic y_valid_i,  // Stream of operation and points: valid.
    output logic y_ready_o,  // Stream of operation and points: ready.
    input logic [Width-1:0] y_data_i,  // Stream of operation and points: data, the operation first.
    input logic y_last_i,  // Stream of operation and points: last beat.
    output logic z_valid_o,  // Answer stream: valid.
    input logic z_ready_i,  // Answer stream: ready.
    output logic [Width-1:0] z_data_o,  // Answer stream: data, the status first, then two numbers.
    output logic z_last_o,  // Answer stream: last beat.
    output logic [LengthBits-1:0] p_length_o,  // Length of p in bits; 0 without a curve.
    output logic [LengthBits-1:0] n_length_o,  // Length of n in bits; 0 without a curve.
    /// The longer of both lengths in bits; 2 without a curve.
    output logic [LengthBits-1:0] length_o,
    input logic [BeatBits-1:0] beats_i,  // Beats of an element of length_o bits.
    /// Family of the curve: 0 a = -3, 1 any a, 2 a = 0, 3 Edwards, 4 Montgomery.
    output logic [2:0] family_o,
    output logic [7:0] columns_o,  // Columns of the comb, from the curve's packet.
    /// Windows of a scalar that is not blinded, from the curve's packet.
    output logic [7:0] windows_o,
    output logic we_o,  // Write a beat to element number_o.
    output logic [3:0] number_o,  // Element to write, in the bank of products.
    output logic modulus_we_o,  // Write a beat to modulus modulus_o.
    output logic modulus_o,  // Modulus to write: 0 p, 1 n.
    output logic [BeatBits-1:0] beat_o,  // Beat to write; while answer_o is high, beat to read.
    output logic [Width-1:0] data_o,  // Beat to write, valid with we_o or modulus_we_o.
    output logic asked_o,  // Pulse: an operation was requested; it may still be refused.
    output logic start_o,  // Pulse: start operation_o.
    /// Operation to run, valid with start_o; 7 is the set-up of a curve.
    output logic [2:0] operation_o,
    input logic done_i,  // Pulse: the operation has ended.
    input logic [3:0] status_i,  // Status of the operation, valid with done_i.
    output logic answer_o,  // High while the answer is read at beat_o.
    output logic second_o,  // Answer: 0 first number, 1 second number.
    input logic [Width-1:0] word_i,  // Beat beat_o of the answer's number, in the same cycle.
    /// Pulse: the answer has been read; everything that depends on secrets is to be cleared.
    output logic wipe_o,
    output logic busy_o  // High while a packet or an operation is open.
);
  localparam logic [2:0] SetUp = 3'd7;
  localparam logic [2:0] Unknown = 3'd7;
  localparam logic [2:0] LastNumber = 3'd5;
  localparam int unsigned MaxElements = 3;
  // The scalar unit works on digits of five bits.
  localparam logic [7:0] MaxWindows = 8'((Length + BlindBits + 4) / 5);

  // StRun with a flipped bit is no other state, so that one fault neither starts the program over
  // its own intermediates nor answers with them.
  typedef enum logic [3:0] {
    StIdle     = 4'b0000,
    StHeader   = 4'b0001,
    StCounts   = 4'b0010,
    StNumbers  = 4'b0100,
    StDrain    = 4'b1000,  // skips the rest of a refused packet
    StVerdict  = 4'b0011,
    StOperands = 4'b0101,
    StJudge    = 4'b1001,
    StStart    = 4'b0110,
    StAnswer   = 4'b1010,
    StWipe     = 4'b1100,
    StRun      = 4'b1111
  } state_e;

  state_e state_q;
  logic [LengthBits-1:0] p_length_q, n_length_q, room_q, comb_bits, window_bits;
  logic [7:0] columns_q, windows_q;
  logic [2:0] family_q, number_q, operation_q, cfg_error_q;
  logic [BeatBits-1:0] beat_q, x_beat_q, y_beat_q;
  logic [2:0] x_number_q, y_number_q;
  logic x_done_q, y_done_q, y_header_q, x_bad_q, y_bad_q, loaded_q, setting_q;
  logic bad_q, even_q, second_q, head_q, public_q;
  logic [3:0] status_q;
  logic cfg_beat, x_beat, y_beat, last_beat, wide, counts_bad, header_bad;
  logic [Width-1:0] mask;

  // ---- streams ---------------------------------------------------------------------------------
  assign cfg_ready_o = !clear_i && (state_q == StHeader || state_q == StCounts ||
                                    state_q == StNumbers || state_q == StDrain);
  assign y_ready_o = state_q == StOperands && !y_done_q;
  assign x_ready_o = state_q == StOperands && !x_done_q && (y_done_q || !y_valid_i);
  assign cfg_beat = cfg_valid_i && cfg_ready_o;
  assign x_beat = x_valid_i && x_ready_o;
  assign y_beat = y_valid_i && y_ready_o;
  assign last_beat = beat_q == beats_i - 1'b1;

  // ---- destination of each beat ----------------------------------------------------------------
  always_comb begin
    beat_o   = beat_q;
    data_o   = cfg_data_i;
    number_o = 4'd2 + {1'b0, number_q};
    we_o     = state_q == StNumbers && cfg_beat && number_q != '0;
    if (number_q == 3'd1) number_o = 4'd3;
    if (state_q == StOperands) begin
      we_o = 1'b0;
      if (y_beat) begin
        beat_o   = y_beat_q;
        data_o   = y_data_i;
        number_o = 4'd8 + {1'b0, y_number_q};
        we_o     = y_header_q && y_number_q < 3'(MaxElements) && !y_bad_q;
      end else begin
        beat_o   = x_beat_q;
        data_o   = x_data_i;
        number_o = 4'd4 + {1'b0, x_number_q};
        we_o     = x_beat && x_number_q < 3'(MaxElements) && !x_bad_q;
      end
    end
  end
  assign modulus_we_o = state_q == StNumbers && cfg_beat && number_q <= 3'd1;
  assign modulus_o = number_q[0];

  // ---- checks ----------------------------------------------------------------------------------
  // Bits above the length of p or n.
  assign mask = (room_q >= LengthBits'(Width)) ? '0 : ({Width{1'b1}} << room_q);
  assign wide = (cfg_data_i & mask) != '0;
  assign header_bad = cfg_data_i[9:0] < 10'd3 || cfg_data_i[9:0] > 10'(Length) ||
                      cfg_data_i[19:10] < 10'd2 || cfg_data_i[19:10] > 10'(Length) ||
                      cfg_data_i[22:20] > 3'd4 || (cfg_data_i >> 24) != '0;
  // The comb must cover a blinded scalar; if all scalars are public, one made odd, as the windows
  // do. The windows must cover the comb's columns.
  assign comb_bits = five_times(cfg_data_i[7:0]);
  assign window_bits = five_times(cfg_data_i[15:8]);
  assign counts_bad =
      comb_bits < n_length_q + (public_q ? LengthBits'(1'b1) : LengthBits'(BlindBits)) ||
      window_bits <= n_length_q ||
      window_bits < LengthBits'(cfg_data_i[7:0]) + LengthBits'(4'd5) ||
      cfg_data_i[7:0] > MaxWindows || cfg_data_i[15:8] > MaxWindows ||
      (cfg_data_i >> 16) != '0;

  // Numbers that each operation takes.
  logic [2:0] x_count, y_count;
  always_comb begin
    unique case (operation_q)
      3'd0:    {x_count, y_count} = {3'd1, 3'd2};
      3'd1:    {x_count, y_count} = {3'd1, 3'd0};
      3'd2:    {x_count, y_count} = {3'd2, 3'd1};
      3'd3:    {x_count, y_count} = {3'd2, 3'd3};
      3'd4:    {x_count, y_count} = {3'd2, 3'd2};
      3'd5:    {x_count, y_count} = {3'd1, 3'd2};
      default: {x_count, y_count} = {3'd2, 3'd1};
    endcase
  end
  logic lengths_bad, form_bad;
  assign lengths_bad = x_bad_q || y_bad_q || operation_q == Unknown || x_number_q != x_count ||
                       x_beat_q != '0 || y_number_q != y_count || y_beat_q != '0;
  // A public-only engine only verifies; Montgomery: ladder only; Edwards: no ECDSA.
  assign form_bad = (family_q == 3'd4) != (operation_q == 3'd5) ||
                    (public_q && operation_q != 3'd3 && operation_q != 3'd4) ||
                    (family_q == 3'd3 && (operation_q == 3'd2 || operation_q == 3'd3));

  // The program alone says that a result is good.
  logic [3:0] status;
  assign status = (state_q == StRun) ? status_i : StatusFault;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      state_q     <= StIdle;
      p_length_q  <= '0;
      n_length_q  <= '0;
      room_q      <= '0;
      columns_q   <= '0;
      windows_q   <= '0;
      family_q    <= '0;
      public_q    <= 1'b0;
      number_q    <= '0;
      operation_q <= '0;
      cfg_error_q <= '0;
      cfg_done_o  <= 1'b0;
      beat_q      <= '0;
      x_beat_q    <= '0;
      y_beat_q    <= '0;
      x_number_q  <= '0;
      y_number_q  <= '0;
      x_done_q    <= 1'b0;
      y_done_q    <= 1'b0;
      y_header_q  <= 1'b0;
      x_bad_q     <= 1'b0;
      y_bad_q     <= 1'b0;
      loaded_q    <= 1'b0;
      setting_q   <= 1'b0;
      bad_q       <= 1'b0;
      even_q      <= 1'b0;
      second_q    <= 1'b0;
      head_q      <= 1'b0;
      status_q    <= StatusOk;
    end else begin
      cfg_done_o <= 1'b0;
      unique case (state_q)
        StIdle: begin
          beat_q     <= '0;
          number_q   <= '0;
          x_beat_q   <= '0;
          y_beat_q   <= '0;
          x_number_q <= '0;
          y_number_q <= '0;
          x_done_q   <= 1'b0;
          y_done_q   <= 1'b0;
          y_header_q <= 1'b0;
          x_bad_q    <= 1'b0;
          y_bad_q    <= 1'b0;
          bad_q      <= 1'b0;
          even_q     <= 1'b0;
          second_q   <= 1'b0;
          status_q   <= StatusFault;
          if (!clear_i) begin
            if (cfg_valid_i) state_q <= StHeader;
            else if (x_valid_i || y_valid_i) state_q <= StOperands;
          end
        end
        StHeader: begin
          loaded_q <= 1'b0;
          if (cfg_beat) begin
            if (cfg_last_i) state_q <= StVerdict;
            else if (header_bad) state_q <= StDrain;
            else state_q <= StCounts;
            bad_q <= header_bad || cfg_last_i;
            if (!header_bad) begin
              p_length_q <= LengthBits'(cfg_data_i[9:0]);
              n_length_q <= LengthBits'(cfg_data_i[19:10]);
              family_q   <= cfg_data_i[22:20];
              public_q   <= cfg_data_i[23];
            end
          end
        end
        StCounts: begin
          if (cfg_beat) begin
            if (cfg_last_i) state_q <= StVerdict;
            else if (counts_bad) state_q <= StDrain;
            else state_q <= StNumbers;
            bad_q     <= counts_bad || cfg_last_i;
            columns_q <= cfg_data_i[7:0];
            windows_q <= cfg_data_i[15:8];
            room_q    <= p_length_q;
          end
        end
        StNumbers: begin
          if (cfg_beat) begin
            beat_q <= last_beat ? '0 : beat_q + 1'b1;
            room_q <= (room_q >= LengthBits'(Width)) ? room_q - LengthBits'(Width) : '0;
            if (number_q <= 3'd1) begin
              if (wide) bad_q <= 1'b1;
              if (beat_q == '0 && !cfg_data_i[0]) even_q <= 1'b1;
            end
            if (last_beat) begin
              number_q <= number_q + 1'b1;
              room_q   <= n_length_q;
            end
            if (cfg_last_i) begin
              state_q <= StVerdict;
              if (!last_beat || number_q != LastNumber) bad_q <= 1'b1;
            end else if (last_beat && number_q == LastNumber) begin
              state_q <= StDrain;
              bad_q   <= 1'b1;
            end
          end
        end
        StDrain: if (cfg_beat && cfg_last_i) state_q <= StVerdict;
        StVerdict: begin
          if (bad_q || even_q) begin
            cfg_error_q <= bad_q ? 3'd3 : 3'd1;
            cfg_done_o  <= 1'b1;
            p_length_q  <= '0;
            n_length_q  <= '0;
            state_q     <= StIdle;
          end else begin
            setting_q   <= 1'b1;
            operation_q <= SetUp;
            state_q     <= StStart;
          end
        end
        StOperands: begin
          if (x_beat) begin
            x_beat_q <= (x_beat_q == beats_i - 1'b1) ? '0 : x_beat_q + 1'b1;
            if (x_beat_q == beats_i - 1'b1) begin
              if (x_number_q == '1) x_bad_q <= 1'b1;
              else x_number_q <= x_number_q + 1'b1;
            end
            if (x_last_i) x_done_q <= 1'b1;
          end
          if (y_beat) begin
            y_header_q <= 1'b1;
            if (!y_header_q) begin
              operation_q <= (y_data_i[Width-1:3] != '0) ? Unknown : y_data_i[2:0];
            end else begin
              y_beat_q <= (y_beat_q == beats_i - 1'b1) ? '0 : y_beat_q + 1'b1;
              if (y_beat_q == beats_i - 1'b1) begin
                if (y_number_q == '1) y_bad_q <= 1'b1;
                else y_number_q <= y_number_q + 1'b1;
              end
            end
            if (y_last_i) y_done_q <= 1'b1;
          end
          if (x_done_q && y_done_q) state_q <= StJudge;
        end
        StJudge: begin
          beat_q  <= '0;
          head_q  <= 1'b1;
          state_q <= StStart;
          if (!loaded_q || lengths_bad || form_bad) begin
            status_q <= loaded_q ? StatusLength : StatusCurve;
            state_q  <= StAnswer;
          end
        end
        StAnswer: begin
          if (z_ready_i) begin
            head_q <= 1'b0;
            if (!head_q) begin
              beat_q <= last_beat ? '0 : beat_q + 1'b1;
              if (last_beat) second_q <= 1'b1;
            end
            if (z_last_o) state_q <= StWipe;
          end
        end
        StStart: state_q <= StRun;
        StWipe:  state_q <= StIdle;
        // StRun, or a code of no state.
        default: begin
          if (done_i || state_q != StRun) begin
            status_q <= status;
            state_q  <= StAnswer;
            if (setting_q) begin
              setting_q   <= 1'b0;
              cfg_done_o  <= 1'b1;
              cfg_error_q <= (status == StatusOk) ? 3'd0 : 3'd4;
              loaded_q    <= status == StatusOk;
              state_q     <= StWipe;
            end
          end
        end
      endcase
    end
  end

  assign asked_o = state_q == StJudge;
  assign start_o = state_q == StStart;
  assign operation_o = operation_q;
  assign cfg_error_o = cfg_error_q;
  assign z_valid_o = state_q == StAnswer;
  assign z_last_o = head_q ? !loaded_q : (second_q && last_beat);
  assign z_data_o = head_q ? Width'(status_q) : (status_q == StatusOk) ? word_i : '0;
  assign answer_o = state_q == StAnswer;
  assign second_o = second_q;
  assign wipe_o = state_q == StWipe;
  assign busy_o = state_q != StIdle;
  assign p_length_o = p_length_q;
  assign n_length_o = n_length_q;
  assign length_o = (p_length_q == '0) ? LengthBits'(2'd2) :
      (p_length_q > n_length_q) ? p_length_q : n_length_q;
  assign family_o = family_q;
  assign columns_o = columns_q;
  assign windows_o = windows_q;
endmodule
