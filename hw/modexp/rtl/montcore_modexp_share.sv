// SPDX-License-Identifier: Apache-2.0

/// Shares one multiplier among several exponentiators with the same modulus.
///
/// A slot is an exponentiator. It sends the modulus after each request, as to a multiplier of its
/// own: if the multiplier has it, the beats are only counted; otherwise one of the requesting slots
/// loads it for all. Products go to the multiplier while it has the modulus, in turns.
/// Residue of requests in the multiplier is cleared as soon as no slot works.
/// Precondition: all slots have the same modulus; a new one, forget_i, comes while none works, and
/// no request starts before every slot is set up. A slot has at most one product in flight, and
/// none when it pulses clear_i or end_i; after clear_i it sends the modulus, unless there is none.
/// Latency: none for a single product. Products of several slots take turns packet by packet.
/// Example: slots 0 and 1 end their requests one after the other: at the end of 1 the multiplier is
/// cleared, then one of them loads it.
module montcore_modexp_share #(
    parameter int unsigned Slots = 2,  // Number of exponentiators, 2 or more.
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned OperandWidth = Width,  // Width of a beat of operands in bits.
    parameter int unsigned Beats = 8,  // Beats of an operand at the built width.
    /// 1: after a product that is to be reduced no other follows before its result.
    parameter bit Await = 1'b0,
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon all products and clear all state.
    input logic [BeatBits-1:0] beats_i,  // Beats of an operand at the present length.
    /// High while the multiplier is being cleared, or will be in the next cycle.
    output logic busy_o,
    input logic forget_i,  // High: a new modulus arrives, which the multiplier does not have.
    input logic [Slots-1:0] begin_i,  // Per slot: a request or the set-up of a modulus starts.
    input logic [Slots-1:0] end_i,  // Per slot, pulse: the set-up has ended.
    /// Per slot, pulse: the request has ended, its residue is to be cleared.
    input logic [Slots-1:0] clear_i,
    input logic [Slots-1:0] cfg_valid_i,  // Per slot, modulus stream: valid.
    output logic [Slots-1:0] cfg_ready_o,  // Per slot, modulus stream: ready.
    input logic [Slots-1:0][Width-1:0] cfg_data_i,  // Per slot, modulus stream: data.
    output logic [Slots-1:0] cfg_done_o,  // Per slot, pulse: the modulus is loaded.
    input logic [Slots-1:0] last_i,  // Per slot: last beat of the modulus or of the operands.
    input logic [Slots-1:0] valid_i,  // Per slot, operand streams: valid, x and y together.
    output logic [Slots-1:0] ready_o,  // Per slot, operand streams: ready, x and y together.
    input logic [Slots-1:0][OperandWidth-1:0] x_i,  // Per slot, operand streams: beat of x.
    input logic [Slots-1:0][OperandWidth-1:0] y_i,  // Per slot, operand streams: beat of y.
    input logic [Slots-1:0] canonical_i,  // Per slot: the product is to be reduced.
    /// Per slot: the beat of a result is for it; there is no back-pressure.
    output logic [Slots-1:0] z_valid_o,
    output logic mul_clear_o,  // Multiplier, pulse: clear all state.
    input logic mul_busy_i,  // Multiplier: a product is in flight or it is being cleared.
    output logic mul_cfg_valid_o,  // Multiplier, modulus stream: valid.
    input logic mul_cfg_ready_i,  // Multiplier, modulus stream: ready.
    output logic [Width-1:0] mul_cfg_data_o,  // Multiplier, modulus stream: data.
    output logic mul_cfg_last_o,  // Multiplier, modulus stream: last beat.
    input logic mul_cfg_done_i,  // Multiplier, pulse: the modulus is loaded.
    output logic mul_valid_o,  // Multiplier, operand streams: valid, x and y together.
    input logic mul_ready_i,  // Multiplier, operand streams: ready, x and y together.
    output logic [OperandWidth-1:0] mul_x_o,  // Multiplier, operand streams: beat of x.
    output logic [OperandWidth-1:0] mul_y_o,  // Multiplier, operand streams: beat of y.
    output logic mul_last_o,  // Multiplier, operand streams: last beat.
    output logic mul_canonical_o,  // Multiplier: the product is to be reduced.
    input logic mul_z_valid_i,  // Multiplier, result stream: valid.
    /// Multiplier, result stream: product refused; the answer has this beat only.
    input logic mul_z_error_i
);
  localparam int unsigned IndexBits = $clog2(Slots);

  typedef enum logic [2:0] {
    StServe,
    StClear,    // the multiplier starts to clear itself
    StCleared,  // it is being cleared
    StLoad,
    StDone
  } state_e;

  // ---- modulus, and residue of requests
  state_e state_q;
  logic loaded_q, dirty_q, due;
  logic [Slots-1:0] working_q, counting_q, done_q, counted, asks;
  logic [IndexBits-1:0] leader_q, leader;

  assign due = dirty_q && working_q == '0;
  assign asks = cfg_valid_i & ~counting_q;
  // A packet whose first beat is counted is counted to its end: a slot that has the multiplier
  // cleared in the meantime loads it again.
  assign counted = cfg_valid_i & (counting_q | {Slots{state_q == StServe && loaded_q && !due}});
  always_comb begin
    leader = '0;
    for (int unsigned k = Slots; k > 0; k--) if (asks[k-1]) leader = IndexBits'(k - 1);
  end
  always_comb begin
    cfg_ready_o = counted;
    if (state_q == StLoad) cfg_ready_o[leader_q] = mul_cfg_ready_i;
  end
  assign mul_cfg_valid_o = state_q == StLoad && cfg_valid_i[leader_q];
  assign mul_cfg_data_o = cfg_data_i[leader_q];
  assign mul_cfg_last_o = last_i[leader_q];
  assign cfg_done_o = done_q;
  assign mul_clear_o = state_q == StClear;
  assign busy_o = state_q == StClear || state_q == StCleared || due;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      state_q    <= StClear;
      loaded_q   <= 1'b0;
      dirty_q    <= 1'b0;
      working_q  <= '0;
      counting_q <= '0;
      done_q     <= '0;
      leader_q   <= '0;
    end else begin
      done_q     <= counted & last_i;
      counting_q <= (counting_q | counted) & ~(counted & last_i);
      working_q  <= (working_q | begin_i) & ~clear_i & ~end_i;
      if (clear_i != '0) dirty_q <= 1'b1;
      unique case (state_q)
        StServe: begin
          if (forget_i) loaded_q <= 1'b0;
          if (due) begin
            state_q  <= StClear;
            loaded_q <= 1'b0;
            dirty_q  <= clear_i != '0;
          end else if (!loaded_q && asks != '0) begin
            state_q  <= StLoad;
            leader_q <= leader;
          end
        end
        StClear: state_q <= StCleared;
        StCleared: if (!mul_busy_i) state_q <= StServe;
        StLoad: if (mul_cfg_valid_o && mul_cfg_ready_i && mul_cfg_last_o) state_q <= StDone;
        default: begin
          if (mul_cfg_done_i) begin
            state_q          <= StServe;
            loaded_q         <= 1'b1;
            done_q[leader_q] <= 1'b1;
          end
        end
      endcase
    end
  end

  // ---- products ------------------------------------------------------------------------------------
  logic open, offered, await_q, empty, unused_held, z_come;
  logic [Slots-1:0][2*OperandWidth:0] operands;
  logic [2*OperandWidth:0] operand;
  for (genvar k = 0; k < Slots; k++) begin : g_slot
    assign operands[k] = {canonical_i[k], x_i[k], y_i[k]};
  end
  // A beat of an abandoned product may still come while the multiplier is being cleared.
  assign z_come = mul_z_valid_i && state_q != StClear && state_q != StCleared;
  assign open   = state_q == StServe && loaded_q && !await_q;
  montcore_turns #(
      .Users(Slots),
      .Width(2 * OperandWidth + 1),
      .Beats(Beats),
      .Open (1)
  ) u_turns (
      .empty_o      (empty),
      .held_o       (unused_held),
      .data_i       (operands),
      .mul_valid_o  (offered),
      .mul_ready_i  (mul_ready_i && open),
      .mul_data_o   (operand),
      .mul_z_valid_i(z_come),
      .*
  );
  assign mul_valid_o = offered && open;
  assign {mul_canonical_o, mul_x_o, mul_y_o} = operand;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || !Await) await_q <= 1'b0;
    else if (mul_valid_o && mul_ready_i && mul_last_o) await_q <= mul_canonical_o;
    else if (empty) await_q <= 1'b0;
  end
endmodule
