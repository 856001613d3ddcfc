// SPDX-License-Identifier: Apache-2.0

/// Command sequencer: checks a command, starts its packets, waits for the answer, counts cycles.
///
/// error_o is the result of the last command. A command that is refused ends without a packet.
/// A key is used only with its own modulus or curve and lengths. Slots that hold a secret scalar
/// are cleared after the operation that used them.
/// Precondition: the units answer each packet as hw/modexp/README.md and hw/ecc/README.md specify.
/// Latency: a refused command ends 2 cycles after start_i; done_o is high in the last of them.
/// Example: load with length 8 and 0x8b in slot 0; then 0x53 in slot 1, 0x11 in slot 2, y_length 5:
/// power with x = 1, y = 2, z = 3 -> 0x1d in slot 3, error 0.
module montcore_pka_sequence
  import montcore_pka_pkg::*;
#(
    /// Units built: bit 0 exponentiator, bit 1 curve engine, bit 2 multiplier.
    parameter int unsigned Units = 3,
    parameter int unsigned Length = 512,
    parameter int unsigned CurveLength = 256,  // Built width of the curve engine in bits.
    parameter int unsigned Words = 16,  // Words of a slot, 32 bits each.
    parameter int unsigned Rows = 256,  // Rows of the operand memory, all slots.
    localparam int unsigned RowBits = $clog2(Rows)
) (
    input logic clk_i,
    input logic rst_ni,  // Synchronous reset, active low; the memory is cleared after it.
    input logic zeroize_i,  // Pulse: abandon the command and clear all state and the memory.
    input logic keep_i,  // High: a locked key stays, in memory and locked; valid with zeroize_i.
    input logic start_i,  // Pulse: start the command; ignored while busy_o is high.
    input command_t command_i,  // Command to carry out, sampled with start_i.
    /// Length of the modulus or of p in bits, sampled with start_i.
    input logic [LengthBits-1:0] length_i,
    input logic [LengthBits-1:0] y_length_i,  // Length of y or of n in bits, sampled with start_i.
    input form_t form_i,  // Form of the curve, sampled with start_i.
    output logic busy_o,  // High while a command runs or memory is being cleared.
    output logic done_o,  // Pulse: a command has ended.
    /// Result of the last command, DoneOk for success; valid from done_o on.
    output logic [ErrorBits-1:0] error_o,
    /// Modulus, curve and key that are loaded, and the lock of the key.
    output standing_t standing_o,
    output logic [31:0] cycles_o,  // Clock cycles of the last command; saturates.
    output logic curves_o,  // High: the present command is one of the curve engine.
    output logic feed_o,  // Link, pulse: send packet_o.
    input logic feed_busy_i,  // Link: a packet is being sent.
    output packet_t packet_o,  // Link: packet to send, constant while it is sent.
    /// Link: stream of the packet, one-hot: bit 0 cfg, bit 1 x, bit 2 y.
    output logic [2:0] stream_o,
    input logic cfg_done_i,  // Unit, pulse: the modulus or curve was accepted or refused.
    /// Unit: reason for the refusal, 0 if accepted; valid with cfg_done_i.
    input logic [2:0] cfg_error_i,
    input logic unit_busy_i,  // Units: any unit computes or clears itself.
    output logic active_o,  // Link: high while an answer is expected.
    output logic [LengthBits-1:0] bits_o,  // Link: bits of each number of the answer.
    input logic answer_done_i,  // Link: the answer is complete, high until active_o falls.
    /// Link: status of the answer, 0 for success; valid with answer_done_i.
    input logic [3:0] status_i,
    /// Slot to which the first number of the answer is written.
    output logic [SlotBits-1:0] z_slot_o,
    /// Slot of y, which a stand-alone multiplier reads together with x.
    output logic [SlotBits-1:0] y_slot_o,
    output logic draw_o,  // Draw unit, pulse: start drawing a number.
    input logic draw_busy_i,  // Draw unit: a number is being drawn.
    input logic draw_failed_i,  // Draw unit: the last draw failed.
    output logic [SlotBits-1:0] draw_slot_o,  // Draw unit: slot to which the number is written.
    /// Draw unit: bits of the order, the number's exclusive bound.
    output logic [LengthBits-1:0] draw_bits_o,
    output logic clear_o,  // Memory: clear the row sweep_o in this cycle.
    output logic [RowBits-1:0] sweep_o  // Memory: row to clear, valid with clear_o.
);
  // Operand slots are cleared first, then the scalar slots, of which the last one may hold a key.
  localparam int unsigned OperandRows = Slots * Words;
  localparam int unsigned ScalarRow = Units[1] ? 32'(Scalar) * Words : 0;

  state_e   state_q;
  command_t command_q;
  form_t new_form_q, key_form_q;  // of the last command, of the key
  standing_t standing_q;
  logic [LengthBits-1:0] new_length_q, new_y_length_q;  // of the last command
  logic [LengthBits-1:0] length_q, curve_bits_q;  // of the loaded modulus, of the loaded curve
  logic [LengthBits-1:0] key_length_q, key_y_length_q;
  logic [LengthBits-1:0] p_length, n_length;
  logic [ErrorBits-1:0] error_q, verdict;
  logic [31:0] cycles_q;
  logic [RowBits-1:0] sweep_q, last_row;
  logic all_q, units_q, quiet_q, cfg_done_q, pending_q, configuring, sending_x, sending_y;
  logic use_key, curves, swept, under_way, draws, hides, keeps;
  form_t form;

  assign use_key = command_q.op == OpKeyLoad || command_q.op == OpKeyPower ||
                   command_q.op == OpKeyCurve || command_q.op == OpKeyPoint;
  assign curves = Units[1] && command_q.op >= OpCurve;
  assign draws = command_q.op == OpCurveDraw ||
                 (command_q.op == OpKeyPoint && command_q.operation == PointSign);
  assign hides = (command_q.op == OpPoint && command_q.x == Scalar) || draws;
  assign p_length = use_key ? key_length_q : new_length_q;
  assign n_length = use_key ? key_y_length_q : new_y_length_q;
  assign form = use_key ? key_form_q : new_form_q;

  montcore_pka_check #(
      .Units      (Units),
      .Length     (Length),
      .CurveLength(CurveLength)
  ) u_check (
      .command_i (command_q),
      .length_i  (new_length_q),
      .y_length_i(new_y_length_q),
      .standing_i(standing_q),
      .verdict_o (verdict)
  );

  // ---- packets -----------------------------------------------------------------------------------
  assign feed_o = state_q == StConfigure || state_q == StX || state_q == StY;
  assign configuring = state_q == StConfigure || state_q == StConfiguring;
  assign sending_x = state_q == StX || state_q == StSendingX;
  assign sending_y = state_q == StY || state_q == StSendingY;
  assign stream_o = {sending_y, sending_x, configuring};
  assign bits_o = curves ? curve_bits_q : length_q;
  always_comb begin
    packet_o = '0;
    packet_o.headers = 2'(!sending_x && !Units[2]);
    packet_o.numbers = 3'd1;
    packet_o.bits = bits_o;
    packet_o.slot = sending_y ? command_q.y : command_q.x;
    if (curves) begin
      if (configuring) begin
        packet_o.headers   = 2'd2;
        packet_o.numbers   = 3'd6;
        packet_o.header[0] = {8'd0, form.public_only, form.family, n_length[9:0], p_length[9:0]};
        packet_o.header[1] = {16'd0, form.windows, form.columns};
        if (use_key) packet_o.slot = KeyCurve;
      end else if (sending_x) begin
        packet_o.numbers = x_numbers(command_q.operation);
        if (use_key) packet_o.slot = (command_q.operation == PointSign) ? Scalar : KeyScalar;
      end else begin
        packet_o.numbers   = y_numbers(command_q.operation);
        packet_o.header[0] = 32'(command_q.operation);
      end
    end else if (configuring) begin
      packet_o.header[0] = 32'(length_q);
      if (use_key) packet_o.slot = KeyModulus;
    end else if (sending_y && command_q.op == OpProduct) begin
      packet_o.header[0] = 32'({2'd3, length_q});
    end else if (sending_y) begin
      packet_o.bits      = n_length;
      packet_o.header[0] = 32'({command_q.policy, n_length});
      if (use_key) packet_o.slot = KeyExponent;
    end
  end
  assign active_o = state_q == StResult;
  assign z_slot_o = command_q.z;
  assign y_slot_o = command_q.y;
  assign draw_o = state_q == StDraw;
  assign draw_slot_o = (command_q.op == OpCurveDraw) ? KeyScalar : Scalar;
  assign draw_bits_o = n_length;

  // ---- clearing ----------------------------------------------------------------------------------
  assign clear_o = state_q == StClear;
  assign sweep_o = sweep_q;
  assign under_way = pending_q || !(state_q == StIdle || state_q == StClear || state_q == StDone);
  always_comb begin
    last_row = RowBits'(OperandRows - 1);
    if (Units[1] && standing_q.locked) last_row = RowBits'(ScalarRow + Words - 1);
    else if (Units[1] || all_q) last_row = RowBits'(Rows - 1);
  end
  assign swept = sweep_q == last_row;
  assign keeps = rst_ni && keep_i && standing_q.locked;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      state_q        <= StClear;
      all_q          <= !keeps;
      units_q        <= 1'b1;
      // A command that zeroize abandons reports its end when the clearing is complete.
      pending_q      <= rst_ni && under_way;
      quiet_q        <= 1'b0;
      sweep_q        <= '0;
      command_q      <= '0;
      new_length_q   <= '0;
      new_y_length_q <= '0;
      new_form_q     <= '0;
      length_q       <= '0;
      curve_bits_q   <= '0;
      error_q        <= !rst_ni ? DoneOk : under_way ? DoneAbandoned : error_q;
      standing_q     <= '0;
      cfg_done_q     <= 1'b0;
      if (!rst_ni) cycles_q <= '0;
      if (keeps) begin
        standing_q.locked <= 1'b1;
        standing_q.kind   <= standing_q.kind;
        standing_q.uses   <= standing_q.uses;
      end else begin
        key_length_q   <= '0;
        key_y_length_q <= '0;
        key_form_q     <= '0;
      end
    end else begin
      if (state_q != StIdle && cycles_q != '1) cycles_q <= cycles_q + 1;
      case (state_q)
        StClear: begin
          if (Units[1] && !all_q && sweep_q == RowBits'(OperandRows - 1)) begin
            sweep_q <= RowBits'(ScalarRow);
          end else if (!swept) begin
            sweep_q <= sweep_q + 1;
          end
          // The units clear themselves too; their busy flags are valid from the next cycle on.
          quiet_q <= 1'b1;
          if (swept && !(units_q && (unit_busy_i || !quiet_q))) begin
            if (pending_q) state_q <= StDone;
            else state_q <= StIdle;
            pending_q <= 1'b0;
          end
        end
        StIdle: begin
          if (start_i) begin
            state_q        <= StCheck;
            command_q      <= command_i;
            new_length_q   <= length_i;
            new_y_length_q <= y_length_i;
            new_form_q     <= form_i;
            error_q        <= DoneOk;
            cycles_q       <= '0;
          end
        end
        StCheck: begin
          error_q    <= verdict;
          cfg_done_q <= 1'b0;
          sweep_q    <= '0;
          all_q      <= 1'b0;
          units_q    <= 1'b0;
          state_q    <= StDone;
          if (verdict == DoneOk) begin
            case (command_q.op)
              OpLoad, OpKeyLoad: begin
                state_q               <= StConfigure;
                length_q              <= p_length;
                standing_q.loaded     <= 1'b0;
                standing_q.key_loaded <= 1'b0;
              end
              OpCurve, OpKeyCurve: begin
                state_q                 <= StConfigure;
                curve_bits_q            <= (p_length > n_length) ? p_length : n_length;
                standing_q.curve_loaded <= 1'b0;
                standing_q.key_curve    <= 1'b0;
              end
              OpClear: begin
                state_q   <= StClear;
                pending_q <= 1'b1;
              end
              OpLock, OpCurveLock: begin
                standing_q.locked <= 1'b1;
                standing_q.kind   <= curves;
                standing_q.uses   <= command_q.policy;
                key_length_q      <= new_length_q;
                key_y_length_q    <= new_y_length_q;
                key_form_q        <= new_form_q;
              end
              default: begin
                if (draws) state_q <= StDraw;
                else state_q <= StX;
              end
            endcase
          end
        end
        StDraw:      state_q <= StDrawing;
        StDrawing: begin
          if (!draw_busy_i) begin
            if (draw_failed_i) begin
              error_q   <= DoneRandom;
              state_q   <= StClear;
              sweep_q   <= RowBits'(ScalarRow);
              pending_q <= 1'b1;
            end else if (command_q.op == OpCurveDraw) begin
              state_q           <= StDone;
              standing_q.locked <= 1'b1;
              standing_q.kind   <= 1'b1;
              standing_q.uses   <= command_q.policy;
              key_length_q      <= new_length_q;
              key_y_length_q    <= new_y_length_q;
              key_form_q        <= new_form_q;
            end else begin
              state_q <= StX;
            end
          end
        end
        StConfigure: state_q <= StConfiguring;
        StConfiguring: begin
          if (cfg_done_i) cfg_done_q <= 1'b1;
          if (!feed_busy_i && cfg_done_q) begin
            state_q <= StDone;
            error_q <= ErrorBits'(cfg_error_i);
            if (curves) begin
              standing_q.curve_loaded <= cfg_error_i == '0;
              standing_q.key_curve    <= cfg_error_i == '0 && use_key;
            end else begin
              standing_q.loaded     <= cfg_error_i == '0;
              standing_q.key_loaded <= cfg_error_i == '0 && use_key;
            end
          end
        end
        StX:         state_q <= StSendingX;
        StSendingX:
        if (!feed_busy_i) begin
          if (Units[2]) state_q <= StResult;
          else state_q <= StY;
        end
        StY:         state_q <= StSendingY;
        StSendingY:  if (!feed_busy_i) state_q <= StResult;
        StResult: begin
          if (answer_done_i) begin
            error_q <= {curves && status_i != '0, status_i};
            if (hides) begin
              state_q   <= StClear;
              sweep_q   <= RowBits'(ScalarRow);
              pending_q <= 1'b1;
            end else begin
              state_q <= StDone;
            end
          end
        end
        default:     state_q <= StIdle;
      endcase
    end
  end

  assign busy_o = state_q != StIdle;
  assign done_o = state_q == StDone;
  assign error_o = error_q;
  assign standing_o = standing_q;
  assign cycles_o = cycles_q;
  assign curves_o = curves;
endmodule
