// SPDX-License-Identifier: Apache-2.0

/// Shares one multiplier among several curve engines: products in turns, one modulus at a time.
///
/// A context is a curve engine. It requests its modulus, p or n, at the start of an operation and
/// whenever it changes. If the multiplier has that modulus, the beats are only counted; if not, it
/// is loaded once every other context has ended its operation or requests a modulus too. All
/// contexts that request the new one then get it. While one waits for the other modulus, no further
/// context is admitted, so that each gets its turn.
/// Residue of an operation in the multiplier is cleared as soon as no context uses it, and if
/// possible before another modulus is loaded.
/// Precondition: all contexts have the same p, n and lengths; these change only while busy_o is low
/// and no context has or requests a modulus, when the multiplier has none either. A context that
/// pulses clear_i has no product in flight and is not inside a packet.
/// Latency: none for a single product. Products of several contexts take turns packet by packet.
/// Example: contexts 0 and 1 ask for p: the multiplier is loaded by 0, then 1 is answered at once.
module montcore_ecc_share #(
    parameter int unsigned Contexts = 2,  // Number of curve engines, 2 or more.
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    /// Maximum number of products in flight per context; a power of two.
    parameter int unsigned Open = 4,
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon all products and clear all state.
    input logic [BeatBits-1:0] beats_i,  // Beats of an element at the present length.
    /// High while the multiplier is being cleared, or will be in the next cycle.
    output logic busy_o,
    input logic [Contexts-1:0] clear_i,  // Per context, pulse: clear the residue of an operation.
    /// Per context: its answer is pending, no product follows before clear_i.
    input logic [Contexts-1:0] ended_i,
    input logic [Contexts-1:0] order_i,  // Per context: modulus of cfg_valid_i, 0 p, 1 n.
    input logic [Contexts-1:0] cfg_valid_i,  // Per context, modulus stream: valid.
    output logic [Contexts-1:0] cfg_ready_o,  // Per context, modulus stream: ready.
    input logic [Contexts-1:0][Width-1:0] cfg_data_i,  // Per context, modulus stream: data.
    output logic [Contexts-1:0] cfg_done_o,  // Per context, pulse: the modulus is loaded.
    input logic [Contexts-1:0] last_i,  // Per context: last beat of the modulus or of the operands.
    input logic [Contexts-1:0] valid_i,  // Per context, operand streams: valid, x and y together.
    output logic [Contexts-1:0] ready_o,  // Per context, operand streams: ready, x and y together.
    input logic [Contexts-1:0][Width-1:0] x_i,  // Per context, operand streams: beat of x.
    input logic [Contexts-1:0][Width-1:0] y_i,  // Per context, operand streams: beat of y.
    /// Per context: the beat of a result is for it; there is no back-pressure.
    output logic [Contexts-1:0] z_valid_o,
    output logic mul_clear_o,  // Multiplier, pulse: clear all state.
    input logic mul_busy_i,  // Multiplier: a product is in flight or it is being cleared.
    output logic mul_cfg_valid_o,  // Multiplier, modulus stream: valid.
    input logic mul_cfg_ready_i,  // Multiplier, modulus stream: ready.
    /// Multiplier, modulus stream: data, least significant beat first.
    output logic [Width-1:0] mul_cfg_data_o,
    input logic mul_cfg_done_i,  // Multiplier, pulse: the modulus is loaded.
    output logic mul_valid_o,  // Multiplier, operand streams: valid, x and y together.
    input logic mul_ready_i,  // Multiplier, operand streams: ready, x and y together.
    /// Multiplier, operand streams: beat of x, valid with mul_valid_o.
    output logic [Width-1:0] mul_x_o,
    /// Multiplier, operand streams: beat of y, valid with mul_valid_o.
    output logic [Width-1:0] mul_y_o,
    output logic mul_last_o,  // Multiplier: last beat of the operands or of the modulus.
    input logic mul_z_valid_i,  // Multiplier, result stream: valid; always accepted.
    /// Multiplier, result stream: product refused; the answer has this beat only.
    input logic mul_z_error_i
);
  localparam int unsigned IndexBits = $clog2(Contexts);

  typedef enum logic [2:0] {
    StServe,
    StClear,    // the multiplier starts to clear itself
    StCleared,  // it is being cleared
    StLoad,
    StDone
  } state_e;

  // ---- arbitration of the modulus --------------------------------------------------------------
  state_e state_q;
  logic loaded_q, order_q, dirty_q;
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
  assign mul_clear_o = state_q == StClear;
  assign busy_o = state_q == StClear || state_q == StCleared || (dirty_q && unused_now);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      state_q  <= StClear;
      loaded_q <= 1'b0;
      order_q  <= 1'b0;
      dirty_q  <= 1'b0;
      using_q  <= '0;
      taking_q <= '0;
      done_q   <= '0;
      batch_q  <= '0;
      leader_q <= '0;
    end else begin
      batch_q  <= batch_q & ~begins;
      done_q   <= (taking_q | begins) & last_i;
      taking_q <= (taking_q | begins) & ~last_i;
      using_q  <= (using_q | begins) & ~clear_i;
      if (clear_i != '0) dirty_q <= 1'b1;
      unique case (state_q)
        StServe: begin
          if (dirty_q && (change || unused_now)) begin
            state_q  <= StClear;
            loaded_q <= 1'b0;
            dirty_q  <= clear_i != '0;
          end else if (change) begin
            state_q  <= StLoad;
            leader_q <= leader;
            order_q  <= order_i[leader];
            batch_q  <= cfg_valid_i & ~(order_i ^{Contexts{order_i[leader]}});
          end
        end
        StClear:   state_q <= StCleared;
        StCleared: if (!mul_busy_i) state_q <= StServe;
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
      .empty_o   (empty),
      .held_o    (held),
      .data_i    (operands),
      .mul_last_o(last),
      .mul_data_o({mul_x_o, mul_y_o}),
      .*
  );
  assign mul_last_o = (state_q == StLoad) ? last_i[leader_q] : last;
endmodule
