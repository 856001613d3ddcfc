// SPDX-License-Identifier: Apache-2.0

/// Carries out the commands: checks them, has packets made, takes the answer, counts cycles.
///
/// error_o says how the last command ended. A command that cannot be done ends without a packet.
/// A key's exponent is used with the key's modulus and lengths alone, by policies of a constant sequence.
/// Precondition: the unit answers each packet as hw/modexp/README.md says.
/// Latency: a command that is refused ends 2 cycles after start_i; done_o is high in the last of them.
/// Example: load with length 8 and 0x8b in slot 0; then 0x53 in slot 1, 0x11 in slot 2, y_length 5:
/// power with x = 1, y = 2, z = 3 -> 0x1d in slot 3, error 0.
module montcore_pka_sequence
  import montcore_pka_pkg::*;
#(
    /// Built width L in bits.
    parameter int unsigned Length = 512,
    /// Bits of a beat, 16 or more.
    parameter int unsigned Width = 34,
    /// Rows of the memory.
    parameter int unsigned Rows = 160,
    /// Rows of its operand slots.
    parameter int unsigned OperandRows = 128,
    /// Bits of a row's number (do not change).
    localparam int unsigned RowBits = $clog2(Rows)
) (
    /// Clock, rising edge.
    input logic clk_i,
    /// Synchronous reset, active low; memory is cleared after it.
    input logic rst_ni,
    /// Pulse: abandon everything, clear everything.
    input logic zeroize_i,
    /// Pulse: begin the command; ignored while busy_o is high.
    input logic start_i,
    /// The command; with start_i.
    input command_t command_i,
    /// Length of the modulus in bits; with start_i.
    input logic [LengthBits-1:0] length_i,
    /// Length of y in bits; with start_i.
    input logic [LengthBits-1:0] y_length_i,
    /// A command is under way, or memory is being cleared.
    output logic busy_o,
    /// Pulse: a command has ended.
    output logic done_o,
    /// How the last one ended.
    output logic [3:0] error_o,
    /// A modulus is loaded.
    output logic loaded_o,
    /// It is the key's.
    output logic key_loaded_o,
    /// The key is locked.
    output logic locked_o,
    /// Cycles of the last command.
    output logic [31:0] cycles_o,
    /// Feeder: begin a packet.
    output logic feed_o,
    /// Feeder: it is under way.
    input logic feed_busy_i,
    /// Feeder: there is a header.
    output logic header_o,
    /// Feeder: the header.
    output logic [Width-1:0] header_data_o,
    /// Feeder: slot of the number.
    output logic [SlotBits-1:0] slot_o,
    /// Feeder: bits of the number.
    output logic [LengthBits-1:0] bits_o,
    /// The packet under way is for cfg [0], x [1], y [2].
    output logic [2:0] stream_o,
    /// Unit: the modulus was accepted or refused.
    input logic cfg_done_i,
    /// Unit: why it was refused.
    input logic [2:0] cfg_error_i,
    /// Unit: something is under way.
    input logic unit_busy_i,
    /// Unit: a beat of the answer.
    input logic z_valid_i,
    /// Unit: it is taken.
    output logic z_ready_o,
    /// Unit: its lowest bits.
    input logic [2:0] z_status_i,
    /// Unit: it is the last.
    input logic z_last_i,
    /// Unit: it is an error.
    input logic z_error_i,
    /// Gear: forget everything.
    output logic gear_clear_o,
    /// Gear: a beat of the answer is offered.
    output logic gear_valid_o,
    /// Gear: there is room.
    input logic gear_ready_i,
    /// Gear: no beat will come.
    output logic gear_flush_o,
    /// Gear: a word of the answer is complete.
    input logic word_valid_i,
    /// It goes to memory.
    output logic word_ready_o,
    /// Slot to which it goes.
    output logic [SlotBits-1:0] z_slot_o,
    /// Word to which it goes.
    output logic [WordBits-1:0] z_word_o,
    /// Memory: clear the row sweep_o.
    output logic clear_o,
    /// Row to clear.
    output logic [RowBits-1:0] sweep_o
);
  state_e   state_q;
  command_t command_q;
  logic [LengthBits-1:0] new_length_q, new_y_length_q;  // of the command
  logic [LengthBits-1:0]
      length_q, key_length_q, key_y_length_q;  // of the loaded modulus, of the key
  logic [3:0] error_q, verdict;
  logic [31:0] cycles_q;
  logic [RowBits-1:0] sweep_q;
  logic [SlotBits-1:0] x_slot, y_slot;
  logic [WordBits:0] word_q;
  logic all_q, quiet_q, loaded_q, key_loaded_q, locked_q, fed_q, cfg_done_q, z_last_q, pending_q;
  logic use_key, length_bad, y_length_bad, slots_bad, stored, swept, under_way;

  assign use_key = command_q.op == OpKeyLoad || command_q.op == OpKeyPower;
  assign x_slot = command_q.x;
  assign y_slot = command_q.y;

  // ---- may the command be done -------------------------------------------------------------------
  assign length_bad = new_length_q < LengthBits'(2) || new_length_q > LengthBits'(Length);
  assign y_length_bad = new_y_length_q == '0 || new_y_length_q > LengthBits'(Length);
  assign slots_bad = command_q.x[3] || command_q.y[3] || command_q.z[3];
  always_comb begin
    verdict = DoneOk;
    case (command_q.op)
      OpLoad: begin
        if (slots_bad) verdict = DoneCommand;
        else if (length_bad) verdict = DoneLength;
      end
      OpPower, OpProduct: begin
        if (slots_bad || command_q.policy == 2'd3) verdict = DoneCommand;
        else if (!loaded_q) verdict = DoneNoModulus;
        else if (command_q.op == OpPower && y_length_bad) verdict = DoneLength;
      end
      OpKeyLoad: if (!locked_q) verdict = DoneKey;
      OpKeyPower: begin
        // The sequence of the sliding window tells the exponent.
        if (slots_bad || command_q.policy[0]) verdict = DoneCommand;
        else if (!locked_q) verdict = DoneKey;
        else if (!key_loaded_q) verdict = DoneNoModulus;
      end
      OpClear:   verdict = DoneOk;
      OpLock: begin
        if (locked_q) verdict = DoneKey;
        else if (length_bad || y_length_bad) verdict = DoneLength;
      end
      default:   verdict = DoneCommand;
    endcase
  end

  // ---- packets -----------------------------------------------------------------------------------
  assign feed_o = (state_q == StConfigure || state_q == StX || state_q == StY) && !fed_q &&
                  !feed_busy_i;
  assign stream_o = {state_q == StY, state_q == StX, state_q == StConfigure};
  assign header_o = state_q != StX;
  always_comb begin
    slot_o = (state_q == StY) ? y_slot : x_slot;
    bits_o = length_q;
    header_data_o = Width'(length_q);
    if (state_q == StConfigure) begin
      if (use_key) slot_o = SlotBits'(KeyModulus);
    end else if (state_q == StY) begin
      if (command_q.op == OpProduct) begin
        header_data_o = Width'({2'd3, length_q});
      end else begin
        if (use_key) slot_o = SlotBits'(KeyExponent);
        bits_o = use_key ? key_y_length_q : new_y_length_q;
        header_data_o = Width'({command_q.policy, bits_o});
      end
    end
  end

  // ---- answer ------------------------------------------------------------------------------------
  assign stored = 32'(word_q) * 32 >= 32'(length_q);
  assign gear_valid_o = state_q == StResult && z_valid_i && !z_error_i && !z_last_q;
  assign z_ready_o = state_q == StResult && !z_last_q && (z_error_i || gear_ready_i);
  assign gear_flush_o = z_last_q;
  assign word_ready_o = state_q == StResult && word_valid_i && !stored;
  assign gear_clear_o = state_q != StResult;
  assign z_slot_o = command_q.z;
  assign z_word_o = word_q[WordBits-1:0];

  // ---- clearing ----------------------------------------------------------------------------------
  assign clear_o = state_q == StClear;
  assign sweep_o = sweep_q;
  assign under_way = pending_q || !(state_q == StIdle || state_q == StClear || state_q == StDone);
  assign swept = sweep_q == (all_q ? RowBits'(Rows - 1) : RowBits'(OperandRows - 1));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      state_q        <= StClear;
      all_q          <= 1'b1;
      // A command that zeroize ends tells so when everything is cleared.
      pending_q      <= rst_ni && under_way;
      quiet_q        <= 1'b0;
      sweep_q        <= '0;
      command_q      <= '0;
      new_length_q   <= '0;
      new_y_length_q <= '0;
      length_q       <= '0;
      key_length_q   <= '0;
      key_y_length_q <= '0;
      error_q        <= !rst_ni ? DoneOk : under_way ? DoneAbandoned : error_q;
      loaded_q       <= 1'b0;
      key_loaded_q   <= 1'b0;
      locked_q       <= 1'b0;
      fed_q          <= 1'b0;
      cfg_done_q     <= 1'b0;
      z_last_q       <= 1'b0;
      word_q         <= '0;
      if (!rst_ni) cycles_q <= '0;
    end else begin
      if (state_q != StIdle && cycles_q != '1) cycles_q <= cycles_q + 1;
      case (state_q)
        StClear: begin
          if (!swept) sweep_q <= sweep_q + 1;
          // The unit clears itself too, and says so from the next cycle on.
          quiet_q <= 1'b1;
          if (swept && !(all_q && (unit_busy_i || !quiet_q))) begin
            state_q   <= pending_q ? StDone : StIdle;
            pending_q <= 1'b0;
          end
        end
        StIdle: begin
          if (start_i) begin
            state_q        <= StCheck;
            command_q      <= command_i;
            new_length_q   <= length_i;
            new_y_length_q <= y_length_i;
            error_q        <= DoneOk;
            cycles_q       <= '0;
          end
        end
        StCheck: begin
          error_q    <= verdict;
          fed_q      <= 1'b0;
          cfg_done_q <= 1'b0;
          z_last_q   <= 1'b0;
          word_q     <= '0;
          sweep_q    <= '0;
          all_q      <= 1'b0;
          state_q    <= StDone;
          if (verdict == DoneOk) begin
            case (command_q.op)
              OpLoad, OpKeyLoad: begin
                state_q      <= StConfigure;
                length_q     <= use_key ? key_length_q : new_length_q;
                loaded_q     <= 1'b0;
                key_loaded_q <= 1'b0;
              end
              OpPower, OpProduct, OpKeyPower: state_q <= StX;
              OpClear: begin
                state_q   <= StClear;
                pending_q <= 1'b1;
              end
              default: begin
                locked_q       <= 1'b1;
                key_length_q   <= new_length_q;
                key_y_length_q <= new_y_length_q;
              end
            endcase
          end
        end
        StConfigure: begin
          if (feed_o) fed_q <= 1'b1;
          if (cfg_done_i) cfg_done_q <= 1'b1;
          if (fed_q && !feed_busy_i && cfg_done_q) begin
            state_q      <= StDone;
            error_q      <= {1'b0, cfg_error_i};
            loaded_q     <= cfg_error_i == '0;
            key_loaded_q <= cfg_error_i == '0 && use_key;
          end
        end
        StX: begin
          fed_q <= 1'b1;
          if (fed_q && !feed_busy_i) begin
            fed_q   <= 1'b0;
            state_q <= StY;
          end
        end
        StY: begin
          fed_q <= 1'b1;
          if (fed_q && !feed_busy_i) state_q <= StResult;
        end
        StResult: begin
          if (z_valid_i && z_ready_o && z_last_i) z_last_q <= 1'b1;
          if (z_valid_i && z_ready_o && z_error_i) begin
            state_q <= StDone;
            error_q <= {1'b0, z_status_i};
          end
          if (word_ready_o) word_q <= word_q + 1;
          if (z_last_q && stored) state_q <= StDone;
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  assign busy_o = state_q != StIdle;
  assign done_o = state_q == StDone;
  assign error_o = error_q;
  assign loaded_o = loaded_q;
  assign key_loaded_o = key_loaded_q;
  assign locked_o = locked_q;
  assign cycles_o = cycles_q;
endmodule
