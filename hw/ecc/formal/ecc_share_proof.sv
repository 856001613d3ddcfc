// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_ecc_share`, for two contexts that request moduli, multiply and end their
/// operations at any time, and a multiplier that answers at any time, in order.
///
/// a_modulus: when a product is offered, the multiplier holds the modulus of its context.
/// a_load: a modulus is loaded only for a context that requests it.
/// a_idle: the multiplier is loaded or cleared only with no product in flight or offered.
/// a_stable: offered operands are stable until they are accepted.
/// a_whose: a result goes to the context of the oldest product.
/// a_one: a result goes to exactly one context.
/// a_answered: from any state a context gets its modulus and its results within Patience cycles in
/// which neither the contexts nor the multiplier make it wait.
/// a_none: when all operations have ended and the share is not busy, no modulus is loaded, so that
/// another curve can be set up.
/// a_cleared: when all operations have ended, the share stays busy until their residue is cleared.
module ecc_share_proof (
    input logic clk_i,
    input logic [1:0] ask_i,  // Per context: request a modulus, if it is idle.
    input logic [1:0] order_i,  // Per context: modulus requested, 0 p, 1 n.
    input logic [1:0] multiply_i,  // Per context: start a product, if it has a modulus.
    input logic [1:0] pause_i,  // Per context: pause between beats, no operand is valid.
    input logic [1:0] finish_i,  // Per context: end the operation, or clear it once ended.
    input logic ready_i,  // Multiplier: ready for a beat of operands.
    input logic cfg_ready_i,  // Multiplier: ready for a beat of the modulus.
    input logic cfg_done_i,  // Multiplier: pulse, the modulus is loaded.
    input logic z_valid_i,  // Multiplier: a beat of a result is valid.
    input logic busy_i  // Multiplier: busy, it is still clearing itself.
);
  localparam int unsigned Beats = 2;
  localparam int unsigned Open = 2;

  logic reset_q = 1'b1;
  always_ff @(posedge clk_i) reset_q <= 1'b0;

  // ---- two contexts ----------------------------------------------------------------------------
  logic [1:0] asks_q = '0;  // the context sends a request for a modulus, beat by beat
  logic [1:0] waits_q = '0;  // the context waits until the modulus is loaded
  logic [1:0] has_q = '0;  // the context has its modulus
  logic [1:0] ended_q = '0;  // the context's answer is pending
  logic [1:0] sends_q = '0;  // the context offers operands
  logic [1:0] order_q, beat_q;
  logic [1:0][1:0] open_q = '0;  // products offered whose results are outstanding
  logic [1:0] cfg_ready, cfg_done, ready, z_valid, valid, last, clear, begins, rests;
  logic mul_clear, mul_cfg_valid, mul_valid, mul_last, mul_x, mul_cfg_data, share_busy;
  logic z_second_q = 1'b0;

  for (genvar k = 0; k < 2; k++) begin : g_context
    logic result;
    assign result = z_valid[k] && z_second_q;
    // Idle: no request, product or result outstanding.
    assign rests[k] = !asks_q[k] && !waits_q[k] && !sends_q[k] && open_q[k] == '0;
    assign begins[k] = ask_i[k] && rests[k] && !ended_q[k] && !reset_q;
    assign valid[k] = sends_q[k] && !pause_i[k];
    assign last[k] = beat_q[k];
    assign clear[k] = ended_q[k] && finish_i[k];
    always_ff @(posedge clk_i) begin
      if (!reset_q) begin
        if (begins[k]) begin
          asks_q[k]  <= 1'b1;
          waits_q[k] <= 1'b1;
          has_q[k]   <= 1'b0;
          order_q[k] <= order_i[k];
          beat_q[k]  <= 1'b0;
        end else if (has_q[k] && rests[k] && finish_i[k] && !ended_q[k]) begin
          ended_q[k] <= 1'b1;
          has_q[k]   <= 1'b0;
        end else if (has_q[k] && multiply_i[k] && !sends_q[k] && open_q[k] != 2'(Open)) begin
          sends_q[k] <= 1'b1;
          beat_q[k]  <= 1'b0;
        end
        if (asks_q[k] && cfg_ready[k]) begin
          beat_q[k] <= !beat_q[k];
          if (beat_q[k]) asks_q[k] <= 1'b0;
        end
        if (waits_q[k] && cfg_done[k]) begin
          waits_q[k] <= 1'b0;
          has_q[k]   <= 1'b1;
        end
        if (valid[k] && ready[k]) begin
          beat_q[k] <= !beat_q[k];
          if (beat_q[k]) sends_q[k] <= 1'b0;
        end
        if (clear[k]) ended_q[k] <= 1'b0;
        open_q[k] <= open_q[k] + 2'(valid[k] && ready[k] && beat_q[k]) - 2'(result);
      end
    end
  end
  // An offered beat stays valid until it is accepted.
  logic [1:0] offered_q = '0;
  always_ff @(posedge clk_i) offered_q <= valid & ~ready;
  always_comb begin
    m_stays : assume ((offered_q & pause_i) == '0);
  end

  montcore_ecc_share #(
      .Contexts(2),
      .Width   (1),
      .Beats   (Beats),
      .Open    (Open)
  ) u_dut (
      .clk_i,
      .rst_ni         (!reset_q),
      .zeroize_i      (1'b0),
      .beats_i        (`MUTANT == 2 ? 2'd1 : 2'(Beats)),
      .busy_o         (share_busy),
      .clear_i        (clear),
      .ended_i        (ended_q | {2{`MUTANT == 1}}),
      .order_i        (order_q),
      .cfg_valid_i    (asks_q),
      .cfg_ready_o    (cfg_ready),
      .cfg_data_i     (2'b10),
      .cfg_done_o     (cfg_done),
      .last_i         (last),
      .valid_i        (valid),
      .ready_o        (ready),
      .x_i            (2'b10),
      .y_i            (2'b10),
      .z_valid_o      (z_valid),
      .mul_clear_o    (mul_clear),
      .mul_busy_i     (busy_i),
      .mul_cfg_valid_o(mul_cfg_valid),
      .mul_cfg_ready_i(cfg_ready_i),
      .mul_cfg_data_o (mul_cfg_data),
      .mul_cfg_done_i (cfg_done_i && `MUTANT != 3),
      .mul_valid_o    (mul_valid),
      .mul_ready_i    (ready_i),
      .mul_x_o        (mul_x),
      .mul_y_o        (),
      .mul_last_o     (mul_last),
      .mul_z_valid_i  (z_valid_i),
      .mul_z_error_i  (1'b0)
  );

  // ---- the multiplier ----------------------------------------------------------------------------
  logic loading_q = 1'b0;  // the modulus has been sent
  logic loaded_q = 1'b0;
  logic which_q, taken, dirty_q = 1'b0;
  logic [3:0] whose_q;  // contexts of the products in flight, the oldest in bit 0
  logic [2:0] count_q = 3'd0;
  logic ends;
  assign taken = mul_valid && ready_i && mul_last;
  assign ends  = z_valid_i && z_second_q;
  always_comb begin
    m_done : assume (!cfg_done_i || loading_q);
    m_result : assume (!z_valid_i || count_q != '0);
  end
  always_ff @(posedge clk_i) begin
    if (!reset_q) begin
      if (mul_clear) begin
        loaded_q <= 1'b0;
        dirty_q  <= 1'b0;
      end
      if (clear != '0) dirty_q <= 1'b1;
      if (mul_cfg_valid) begin
        loaded_q <= 1'b0;
        which_q  <= order_q[mul_cfg_data];
        if (cfg_ready_i && mul_last) loading_q <= 1'b1;
      end
      if (cfg_done_i) begin
        loading_q <= 1'b0;
        loaded_q  <= 1'b1;
      end
      if (z_valid_i) z_second_q <= !z_second_q;
      whose_q <= ends ? whose_q >> 1 : whose_q;
      if (taken) whose_q[count_q-3'(ends)] <= mul_x;
      count_q <= count_q + 3'(taken) - 3'(ends);
    end
  end

  logic stalled_q = 1'b0;
  logic stalled_x_q;
  always_ff @(posedge clk_i) begin
    stalled_q   <= mul_valid && !ready_i && !reset_q;
    stalled_x_q <= mul_x;
  end

  // Cycles for which only the share has kept the watched context waiting.
  localparam int unsigned Patience = 30;
  logic watched_q;  // no driver: an arbitrary constant
  logic [4:0] age_q = '0;
  logic helped;
  assign helped = multiply_i == '0 && pause_i == '0 && finish_i == '1 && ready_i && cfg_ready_i &&
      !busy_i && cfg_done_i == loading_q && z_valid_i == (count_q != '0);
  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    age_q <= (helped && !rests[watched_q]) ? age_q + 1 : '0;
  end

  always_comb begin
    if (!reset_q) begin
      a_answered : assert (32'(age_q) <= Patience);
      a_modulus : assert (!mul_valid || (loaded_q && which_q == order_q[mul_x] && has_q[mul_x]));
      a_load : assert (!mul_cfg_valid || asks_q[mul_cfg_data]);
      a_idle : assert (!(mul_cfg_valid || mul_clear) || (count_q == '0 && !mul_valid));
      a_stable : assert (!stalled_q || (mul_valid && mul_x == stalled_x_q));
      a_whose : assert (!z_valid_i || z_valid == (whose_q[0] ? 2'b10 : 2'b01));
      a_one : assert (z_valid_i || z_valid == '0);
      a_none : assert ({has_q, waits_q, ended_q} != '0 || share_busy || !loaded_q);
      a_cleared : assert (!(dirty_q && {has_q, waits_q, ended_q} == '0) || share_busy);
    end
  end
endmodule
