// SPDX-License-Identifier: Apache-2.0

/// One multiplier for several curve engines: products in turns, one modulus at a time.
///
/// A context is a curve engine. It asks for its modulus, p or n, at the beginning of an operation and
/// whenever it changes. If the multiplier has that modulus, its beats are only counted; if not, the
/// multiplier is loaded anew once every other context has ended its operation or asks as well. All that
/// ask for the new one then get it. As long as one waits for the other modulus nobody else is let in,
/// so that each gets its turn.
/// What an operation leaves in the multiplier is cleared as soon as no context uses it, and if it can
/// be before another modulus is loaded.
/// Precondition: all contexts have the same p, n and lengths, which change only while none asks for a
/// modulus or has one and busy_o is low: then the multiplier has none either. A context that pulses
/// clear_i has no product under way and is not in a packet.
/// Latency: none for a product that is alone. Products of several contexts take turns packet by packet.
/// Example: contexts 0 and 1 ask for p: the multiplier is loaded by 0, then 1 is answered at once.
module montcore_ecc_share #(
    /// Curve engines, 2 or more.
    parameter int unsigned Contexts = 2,
    /// Bits of a beat.
    parameter int unsigned Width = 32,
    /// Beats of an element at the built width.
    parameter int unsigned Beats = 8,
    /// Products that a context has under way at most; a power of two.
    parameter int unsigned Open = 4,
    /// Bits of a beat count (do not change).
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    /// Clock, rising edge.
    input  logic                           clk_i,
    /// Synchronous reset, active low.
    input  logic                           rst_ni,
    /// Pulse: clear everything.
    input  logic                           zeroize_i,
    /// Beats of an element.
    input  logic [BeatBits-1:0]            beats_i,
    /// The multiplier is being cleared, or will be in the next cycle.
    output logic                           busy_o,
    /// Contexts: pulse: what an operation has left is to be cleared.
    input  logic [Contexts-1:0]            clear_i,
    /// Contexts: an answer waits for its turn, so that no product follows before clear_i.
    input  logic [Contexts-1:0]            ended_i,
    /// Contexts: which modulus cfg_valid_i is about, 0: p, 1: n.
    input  logic [Contexts-1:0]            order_i,
    /// Contexts: a beat of the modulus.
    input  logic [Contexts-1:0]            cfg_valid_i,
    /// Contexts: it is taken.
    output logic [Contexts-1:0]            cfg_ready_o,
    /// Contexts: its data.
    input  logic [Contexts-1:0][Width-1:0] cfg_data_i,
    /// Contexts: pulse: the modulus is loaded.
    output logic [Contexts-1:0]            cfg_done_o,
    /// Contexts: last beat of modulus or operands.
    input  logic [Contexts-1:0]            last_i,
    /// Contexts: a beat of operands.
    input  logic [Contexts-1:0]            valid_i,
    /// Contexts: it is taken.
    output logic [Contexts-1:0]            ready_o,
    /// Contexts: operand x.
    input  logic [Contexts-1:0][Width-1:0] x_i,
    /// Contexts: operand y.
    input  logic [Contexts-1:0][Width-1:0] y_i,
    /// Contexts: whose the beat of a result is; it is taken at once.
    output logic [Contexts-1:0]            z_valid_o,
    /// Multiplier: clear everything, for one cycle.
    output logic                           mul_clear_o,
    /// Multiplier: something is under way.
    input  logic                           mul_busy_i,
    /// Multiplier: modulus, valid.
    output logic                           mul_cfg_valid_o,
    /// Multiplier: modulus, ready.
    input  logic                           mul_cfg_ready_i,
    /// Multiplier: modulus, data.
    output logic [   Width-1:0]            mul_cfg_data_o,
    /// Multiplier: the modulus is loaded.
    input  logic                           mul_cfg_done_i,
    /// Multiplier: operands, valid.
    output logic                           mul_valid_o,
    /// Multiplier: operands, ready.
    input  logic                           mul_ready_i,
    /// Multiplier: operand x.
    output logic [   Width-1:0]            mul_x_o,
    /// Multiplier: operand y.
    output logic [   Width-1:0]            mul_y_o,
    /// Multiplier: last beat of operands or modulus.
    output logic                           mul_last_o,
    /// Multiplier: result, valid.
    input  logic                           mul_z_valid_i,
    /// Multiplier: it refused a product: the answer is this beat alone.
    input  logic                           mul_z_error_i
);
  localparam int unsigned IndexBits = $clog2(Contexts);

  typedef enum logic [1:0] {
    StServe,
    StClear,
    StLoad,
    StDone
  } state_e;

  // ---- who may have which modulus --------------------------------------------------------------
  state_e state_q;
  logic loaded_q, order_q, dirty_q, cleared_q;
  logic [Contexts-1:0] using_q, taking_q, done_q, batch_q, differs, free, begins, same;
  logic [IndexBits-1:0] leader_q, leader;
  logic empty, change, held, unused_now;

  assign same = ~(order_i ^{Contexts{order_q}}) & {Contexts{loaded_q}};
  assign differs = cfg_valid_i & ~taking_q & ~same;
  assign free = ~taking_q & (~using_q | cfg_valid_i | ended_i);
  assign unused_now = using_q == '0;
  assign change = state_q == StServe && differs != '0 && free == '1 && empty && !held;
  always_comb begin
    begins = '0;
    if (state_q == StServe && !(dirty_q && unused_now)) begin
      begins = cfg_valid_i & ~taking_q & same & (batch_q | {Contexts{differs == '0}});
    end
  end
  always_comb begin
    leader = '0;
    for (int unsigned k = Contexts; k > 0; k--) if (differs[k-1]) leader = IndexBits'(k - 1);
  end

  always_comb begin
    cfg_ready_o = taking_q | begins;
    if (state_q == StLoad) cfg_ready_o[leader_q] = mul_cfg_ready_i;
  end
  assign mul_cfg_valid_o = state_q == StLoad;
  assign mul_cfg_data_o = cfg_data_i[leader_q];
  assign cfg_done_o = done_q;
  assign mul_clear_o = state_q == StClear && !cleared_q;
  assign busy_o = state_q == StClear || (dirty_q && unused_now);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      state_q   <= StClear;
      loaded_q  <= 1'b0;
      order_q   <= 1'b0;
      dirty_q   <= 1'b0;
      cleared_q <= 1'b0;
      using_q   <= '0;
      taking_q  <= '0;
      done_q    <= '0;
      batch_q   <= '0;
      leader_q  <= '0;
    end else begin
      batch_q  <= batch_q & ~begins;
      done_q   <= (taking_q | begins) & last_i;
      taking_q <= (taking_q | begins) & ~last_i;
      using_q  <= (using_q | begins) & ~clear_i;
      if (clear_i != '0) dirty_q <= 1'b1;
      unique case (state_q)
        StServe: begin
          if (dirty_q && (change || unused_now)) begin
            state_q   <= StClear;
            cleared_q <= 1'b0;
            loaded_q  <= 1'b0;
            dirty_q   <= clear_i != '0;
          end else if (change) begin
            state_q  <= StLoad;
            leader_q <= leader;
            order_q  <= order_i[leader];
            batch_q  <= cfg_valid_i & ~(order_i ^{Contexts{order_i[leader]}});
          end
        end
        StClear: begin
          cleared_q <= 1'b1;
          if (cleared_q && !mul_busy_i) state_q <= StServe;
        end
        StLoad: begin
          if (mul_cfg_ready_i && last_i[leader_q]) state_q <= StDone;
        end
        default: begin
          if (mul_cfg_done_i) begin
            state_q           <= StServe;
            loaded_q          <= 1'b1;
            using_q[leader_q] <= 1'b1;
            done_q[leader_q]  <= 1'b1;
            batch_q[leader_q] <= 1'b0;
          end
        end
      endcase
    end
  end

  // ---- products --------------------------------------------------------------------------------
  logic [Contexts-1:0][2*Width-1:0] operands;
  logic last;
  for (genvar k = 0; k < Contexts; k++) begin : g_context
    assign operands[k] = {x_i[k], y_i[k]};
  end
  montcore_turns #(
      .Users(Contexts),
      .Width(2 * Width),
      .Beats(Beats),
      .Open (Open)
  ) u_turns (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .zeroize_i    (zeroize_i),
      .beats_i      (beats_i),
      .empty_o      (empty),
      .held_o       (held),
      .valid_i      (valid_i),
      .ready_o      (ready_o),
      .last_i       (last_i),
      .data_i       (operands),
      .z_valid_o    (z_valid_o),
      .mul_valid_o  (mul_valid_o),
      .mul_ready_i  (mul_ready_i),
      .mul_last_o   (last),
      .mul_data_o   ({mul_x_o, mul_y_o}),
      .mul_z_valid_i(mul_z_valid_i),
      .mul_z_error_i(mul_z_error_i)
  );
  assign mul_last_o = (state_q == StLoad) ? last_i[leader_q] : last;
endmodule
