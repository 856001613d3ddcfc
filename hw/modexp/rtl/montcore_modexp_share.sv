// SPDX-License-Identifier: Apache-2.0

/// One multiplier for several exponentiators that have the same modulus.
///
/// A slot is an exponentiator. It gives the modulus after each request, as it would to a multiplier
/// of its own: if the multiplier has it, the beats are only counted; else one of those that ask loads
/// it for all. Products go to the multiplier while it has the modulus, in turns.
/// What requests leave in the multiplier is cleared as soon as no slot is at work.
/// Precondition: all slots have the same modulus; a new one comes, forget_i, while none is at work. A
/// slot has at most one product under way, and none when it pulses clear_i or end_i; after clear_i it
/// gives the modulus, unless there is none.
/// Latency: none for a product that is alone. Products of several slots take turns packet by packet.
/// Example: slots 0 and 1 end their requests one after the other: with the end of 1 the multiplier is
/// cleared, then one of them loads it.
module montcore_modexp_share #(
    /// Exponentiators, 2 or more.
    parameter int unsigned Slots = 2,
    /// Bits of a beat.
    parameter int unsigned Width = 32,
    /// Bits of a beat of operands.
    parameter int unsigned OperandWidth = Width,
    /// Beats of an operand at the built width.
    parameter int unsigned Beats = 8,
    /// 1: after a product that is to be reduced no other follows before its result.
    parameter bit Await = 1'b0,
    /// Bits of a beat count (do not change).
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    /// Clock, rising edge.
    input  logic                                      clk_i,
    /// Synchronous reset, active low.
    input  logic                                      rst_ni,
    /// Pulse: clear everything.
    input  logic                                      zeroize_i,
    /// Beats of an operand at the length in force.
    input  logic [    BeatBits-1:0]                   beats_i,
    /// The multiplier is being cleared, or will be in the next cycle.
    output logic                                      busy_o,
    /// A new modulus is coming: the multiplier does not have it.
    input  logic                                      forget_i,
    /// Slots: a request or the set-up of a modulus begins.
    input  logic [       Slots-1:0]                   begin_i,
    /// Slots: pulse: the set-up has ended.
    input  logic [       Slots-1:0]                   end_i,
    /// Slots: pulse: the request has ended, and what it has left is to be cleared.
    input  logic [       Slots-1:0]                   clear_i,
    /// Slots: a beat of the modulus.
    input  logic [       Slots-1:0]                   cfg_valid_i,
    /// Slots: it is taken.
    output logic [       Slots-1:0]                   cfg_ready_o,
    /// Slots: its data.
    input  logic [       Slots-1:0][       Width-1:0] cfg_data_i,
    /// Slots: pulse: the modulus is loaded.
    output logic [       Slots-1:0]                   cfg_done_o,
    /// Slots: last beat of modulus or operands.
    input  logic [       Slots-1:0]                   last_i,
    /// Slots: a beat of operands.
    input  logic [       Slots-1:0]                   valid_i,
    /// Slots: it is taken.
    output logic [       Slots-1:0]                   ready_o,
    /// Slots: operand x.
    input  logic [       Slots-1:0][OperandWidth-1:0] x_i,
    /// Slots: operand y.
    input  logic [       Slots-1:0][OperandWidth-1:0] y_i,
    /// Slots: the product is to be reduced.
    input  logic [       Slots-1:0]                   canonical_i,
    /// Slots: whose the beat of a result is; it is taken at once.
    output logic [       Slots-1:0]                   z_valid_o,
    /// Multiplier: clear everything, for one cycle.
    output logic                                      mul_clear_o,
    /// Multiplier: something is under way.
    input  logic                                      mul_busy_i,
    /// Multiplier: modulus, valid.
    output logic                                      mul_cfg_valid_o,
    /// Multiplier: modulus, ready.
    input  logic                                      mul_cfg_ready_i,
    /// Multiplier: modulus, data.
    output logic [       Width-1:0]                   mul_cfg_data_o,
    /// Multiplier: modulus, last beat.
    output logic                                      mul_cfg_last_o,
    /// Multiplier: the modulus is loaded.
    input  logic                                      mul_cfg_done_i,
    /// Multiplier: operands, valid.
    output logic                                      mul_valid_o,
    /// Multiplier: operands, ready.
    input  logic                                      mul_ready_i,
    /// Multiplier: operand x.
    output logic [OperandWidth-1:0]                   mul_x_o,
    /// Multiplier: operand y.
    output logic [OperandWidth-1:0]                   mul_y_o,
    /// Multiplier: operands, last beat.
    output logic                                      mul_last_o,
    /// Multiplier: the product is to be reduced.
    output logic                                      mul_canonical_o,
    /// Multiplier: result, valid.
    input  logic                                      mul_z_valid_i,
    /// Multiplier: it refused a product: the answer is this beat alone.
    input  logic                                      mul_z_error_i
);
  localparam int unsigned IndexBits = $clog2(Slots);

  typedef enum logic [1:0] {
    StServe,
    StClear,
    StLoad,
    StDone
  } state_e;

  // ---- the modulus, and what requests leave ------------------------------------------------------
  state_e state_q;
  logic loaded_q, dirty_q, cleared_q, due;
  logic [Slots-1:0] working_q, counting_q, done_q, counted, asks;
  logic [IndexBits-1:0] leader_q, leader;

  assign due = dirty_q && working_q == '0;
  assign asks = cfg_valid_i & ~counting_q;
  // A packet whose first beat is counted is counted to its end: whoever has the multiplier cleared
  // meanwhile loads it again.
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
  assign mul_clear_o = state_q == StClear && !cleared_q;
  assign busy_o = state_q == StClear || due;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      state_q    <= StClear;
      loaded_q   <= 1'b0;
      dirty_q    <= 1'b0;
      cleared_q  <= 1'b0;
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
            state_q   <= StClear;
            cleared_q <= 1'b0;
            loaded_q  <= 1'b0;
            dirty_q   <= clear_i != '0;
          end else if (!loaded_q && asks != '0) begin
            state_q  <= StLoad;
            leader_q <= leader;
          end
        end
        StClear: begin
          cleared_q <= 1'b1;
          if (cleared_q && !mul_busy_i) state_q <= StServe;
        end
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
  assign z_come = mul_z_valid_i && state_q != StClear;
  assign open   = state_q == StServe && loaded_q && !await_q;
  montcore_turns #(
      .Users(Slots),
      .Width(2 * OperandWidth + 1),
      .Beats(Beats),
      .Open (1)
  ) u_turns (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .zeroize_i    (zeroize_i),
      .beats_i      (beats_i),
      .empty_o      (empty),
      .held_o       (unused_held),
      .valid_i      (valid_i),
      .ready_o      (ready_o),
      .last_i       (last_i),
      .data_i       (operands),
      .z_valid_o    (z_valid_o),
      .mul_valid_o  (offered),
      .mul_ready_i  (mul_ready_i && open),
      .mul_last_o   (mul_last_o),
      .mul_data_o   (operand),
      .mul_z_valid_i(z_come),
      .mul_z_error_i(mul_z_error_i)
  );
  assign mul_valid_o = offered && open;
  assign {mul_canonical_o, mul_x_o, mul_y_o} = operand;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || !Await) await_q <= 1'b0;
    else if (mul_valid_o && mul_ready_i && mul_last_o) await_q <= mul_canonical_o;
    else if (empty) await_q <= 1'b0;
  end
endmodule
