// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_modexp_share`, for two slots that start requests, multiply and end
/// at any time, moduli that come when both are idle, and a multiplier that answers at any
/// time, in order.
///
/// a_modulus: a product goes to the multiplier only while it holds the present modulus.
/// a_load: a modulus is loaded completely, from its first beat on, by a slot that requests it.
/// a_idle: the multiplier is loaded or cleared only with no product in flight.
/// a_stable: offered operands are stable until they are accepted.
/// a_whose: a result goes to the slot of the oldest product.
/// a_one: a slot gets results of products in flight only.
/// a_told: a slot gets cfg_done only while it waits for it.
/// a_cleared: the share is busy until the residue of requests is cleared, when no slot works.
/// a_helped: if the multiplier lacks the present modulus, a slot loads it or will request it.
/// a_answered: from any state a slot comes to rest again within Patience cycles in which neither the
/// slots nor the multiplier make it wait.
/// a_await: with Await no operands follow a product to be reduced before its result.
module modexp_share_proof #(
    parameter bit Await = 1'b0  // Of `montcore_modexp_share`.
) (
    input logic clk_i,
    /// Per slot: proceed, by starting a request or by requesting the modulus.
    input logic [1:0] go_i,
    input logic [1:0] multiply_i,  // Per slot: start a product, if it may.
    input logic [1:0] canonical_i,  // Per slot: the product is to be reduced.
    input logic [1:0] pause_i,  // Per slot: pause between beats, no beat is valid.
    input logic [1:0] finish_i,  // Per slot: end the request or the set-up.
    input logic modulus_i,  // High: a new modulus comes, if both slots are idle.
    input logic good_i,  // High: the new modulus will be accepted.
    input logic ready_i,  // Multiplier: ready for a beat of operands.
    input logic cfg_ready_i,  // Multiplier: ready for a beat of the modulus.
    input logic cfg_done_i,  // Multiplier: pulse, the modulus is loaded.
    input logic z_valid_i,  // Multiplier: a beat of a result is valid.
    input logic busy_i  // Multiplier: busy, it is still clearing itself.
);
  localparam int unsigned Beats = 2;

  logic reset_q = 1'b1;
  always_ff @(posedge clk_i) reset_q <= 1'b0;

  // ---- two slots ---------------------------------------------------------------------------------
  // Idle; working; ended (a request or a modulus packet: it will request); requesting; waiting.
  logic [1:0] rests_q = 2'b11;
  logic [1:0] works_q = '0;
  logic [1:0] ended_q = '0;
  logic [1:0] asks_q = '0;
  logic [1:0] waits_q = '0;
  logic set_up;  // a modulus is being set up
  logic [1:0] sets_up_q = '0;  // in this slot
  logic exists_q = 1'b0;  // a modulus is accepted
  logic [1:0] sends_q = '0;  // operands are offered
  logic [1:0] open_q = '0;  // the result is outstanding
  logic [1:0] beat_q, canonical_q;
  logic [1:0] cfg_ready, cfg_done, ready, z_valid, valid, last, begins, ends, clears, may;
  logic mul_clear, mul_cfg_valid, mul_valid, mul_last, mul_x, mul_cfg_data, mul_cfg_last;
  logic mul_canonical, share_busy, new_modulus;
  logic z_second_q = 1'b0;

  assign new_modulus = modulus_i && rests_q == 2'b11 && !reset_q;
  assign set_up = sets_up_q != '0;
  for (genvar k = 0; k < 2; k++) begin : g_slot
    logic result, idle;
    assign result = z_valid[k] && z_second_q;
    assign idle = works_q[k] && !sends_q[k] && !open_q[k];
    assign begins[k] = rests_q[k] && go_i[k] && !new_modulus && !reset_q &&
        (`MUTANT == 5 || !set_up);
    assign valid[k] = sends_q[k] && !pause_i[k];
    assign last[k] = beat_q[k];
    assign ends[k] = (idle || (ended_q[k] && !exists_q)) && sets_up_q[k] && finish_i[k];
    assign clears[k] = idle && !sets_up_q[k] && finish_i[k];
    // After a request the slot waits until its clearing has ended, and with it the multiplier's.
    assign may[k] = sets_up_q[k] || !share_busy;
    always_ff @(posedge clk_i) begin
      if (!reset_q) begin
        if (new_modulus) begin
          rests_q[k]   <= 1'b0;
          ended_q[k]   <= 1'b1;
          sets_up_q[k] <= 1'b1;
        end else if (begins[k]) begin
          rests_q[k] <= 1'b0;
          works_q[k] <= 1'b1;
        end
        if (ends[k]) begin
          works_q[k]   <= 1'b0;
          ended_q[k]   <= 1'b0;
          rests_q[k]   <= 1'b1;
          sets_up_q[k] <= 1'b0;
        end else if (clears[k]) begin
          works_q[k] <= 1'b0;
          ended_q[k] <= 1'b1;
        end else if (ended_q[k] && go_i[k] && may[k]) begin
          if (exists_q) begin
            ended_q[k] <= 1'b0;
            asks_q[k]  <= 1'b1;
            beat_q[k]  <= 1'b0;
          end else if (!sets_up_q[k]) begin
            ended_q[k] <= 1'b0;
            rests_q[k] <= 1'b1;
          end
        end else if (works_q[k] && exists_q && multiply_i[k] && !sends_q[k] && !open_q[k]) begin
          sends_q[k]     <= 1'b1;
          beat_q[k]      <= 1'b0;
          canonical_q[k] <= canonical_i[k];
        end
        if (asks_q[k] && cfg_ready[k] && !pause_i[k]) begin
          beat_q[k] <= !beat_q[k];
          if (beat_q[k]) begin
            asks_q[k]  <= 1'b0;
            waits_q[k] <= 1'b1;
          end
        end
        if (waits_q[k] && cfg_done[k]) begin
          waits_q[k] <= 1'b0;
          if (sets_up_q[k]) works_q[k] <= 1'b1;
          else rests_q[k] <= 1'b1;
        end
        if (valid[k] && ready[k]) begin
          beat_q[k] <= !beat_q[k];
          if (beat_q[k]) begin
            sends_q[k] <= 1'b0;
            open_q[k]  <= 1'b1;
          end
        end
        if (result) open_q[k] <= 1'b0;
      end
    end
  end
  // An offered beat of operands stays valid until it is accepted.
  logic [1:0] offered_q = '0;
  always_ff @(posedge clk_i) offered_q <= valid & ~ready;
  always_comb begin
    m_stays : assume ((offered_q & pause_i) == '0);
  end

  montcore_modexp_share #(
      .Slots(2),
      .Width(1),
      .Beats(Beats),
      .Await(Await)
  ) u_dut (
      .clk_i,
      .rst_ni         (!reset_q),
      .zeroize_i      (1'b0),
      .beats_i        (`MUTANT == 2 ? 2'd1 : 2'(Beats)),
      .busy_o         (share_busy),
      .forget_i       (new_modulus && `MUTANT != 4),
      .begin_i        (begins | {2{new_modulus}}),
      .end_i          (ends | {1'b0, `MUTANT == 1 && go_i[0]}),
      .clear_i        (clears),
      .cfg_valid_i    (asks_q & ~pause_i),
      .cfg_ready_o    (cfg_ready),
      .cfg_data_i     (2'b10),
      .cfg_done_o     (cfg_done),
      .last_i         (last),
      .valid_i        (valid),
      .ready_o        (ready),
      .x_i            (2'b10),
      .y_i            (2'b10),
      .canonical_i    (canonical_q),
      .z_valid_o      (z_valid),
      .mul_clear_o    (mul_clear),
      .mul_busy_i     (busy_i),
      .mul_cfg_valid_o(mul_cfg_valid),
      .mul_cfg_ready_i(cfg_ready_i),
      .mul_cfg_data_o (mul_cfg_data),
      .mul_cfg_last_o (mul_cfg_last),
      .mul_cfg_done_i (cfg_done_i),
      .mul_valid_o    (mul_valid),
      .mul_ready_i    (ready_i),
      .mul_x_o        (mul_x),
      .mul_y_o        (),
      .mul_last_o     (mul_last),
      .mul_canonical_o(mul_canonical),
      .mul_z_valid_i  (z_valid_i),
      .mul_z_error_i  (1'b0)
  );

  // ---- the multiplier ----------------------------------------------------------------------------
  logic loading_q = 1'b0;  // the modulus has been sent
  logic cfg_second_q = 1'b0;  // its first beat has been sent
  logic loaded_q = 1'b0;  // the multiplier holds the present modulus
  logic awaits_q = 1'b0;  // the latest product is to be reduced
  logic dirty_q = 1'b0, taken;
  logic [1:0] whose_q;  // slots of the products in flight, the oldest in bit 0
  logic [1:0] count_q = 2'd0;
  logic ends_one, z_come;
  assign taken = mul_valid && ready_i && mul_last;
  assign z_come = z_valid_i && count_q != '0;
  assign ends_one = z_come && z_second_q;
  always_comb begin
    m_done : assume (!cfg_done_i || loading_q);
    // While a clear is requested, a beat of an abandoned product may still come.
    m_result : assume (!z_valid_i || count_q != '0 || mul_clear);
  end
  always_ff @(posedge clk_i) begin
    if (!reset_q) begin
      if (mul_clear) begin
        loaded_q <= 1'b0;
        dirty_q  <= 1'b0;
      end
      if (clears != '0) dirty_q <= 1'b1;
      if (new_modulus) begin
        loaded_q <= 1'b0;
        exists_q <= good_i;
      end
      if (mul_cfg_valid && cfg_ready_i) begin
        loaded_q     <= 1'b0;
        cfg_second_q <= !mul_cfg_last;
        if (mul_cfg_last) loading_q <= 1'b1;
      end
      if (cfg_done_i) begin
        loading_q <= 1'b0;
        loaded_q  <= 1'b1;
      end
      if (z_come) z_second_q <= !z_second_q;
      whose_q <= ends_one ? whose_q >> 1 : whose_q;
      if (taken) whose_q[1'(count_q-2'(ends_one))] <= mul_x;
      count_q <= count_q + 2'(taken) - 2'(ends_one);
      if (taken) awaits_q <= mul_canonical;
      else if (ends_one && count_q == 2'd1) awaits_q <= 1'b0;
    end
  end

  logic stalled_q = 1'b0;
  logic stalled_x_q;
  always_ff @(posedge clk_i) begin
    stalled_q   <= mul_valid && !ready_i && !reset_q;
    stalled_x_q <= mul_x;
  end

  // Cycles for which only the share has kept the watched slot from being at rest.
  localparam int unsigned Patience = 30;
  logic watched_q;  // no driver: an arbitrary constant
  logic [4:0] age_q = '0;
  logic helped;
  assign helped = go_i == '1 && pause_i == '0 && finish_i == '1 && ready_i && cfg_ready_i &&
      !busy_i && cfg_done_i == loading_q && z_valid_i == (count_q != '0);
  always_ff @(posedge clk_i) begin
    watched_q <= watched_q;
    age_q <= (helped && !rests_q[watched_q]) ? age_q + 1 : '0;
  end

  always_comb begin
    if (!reset_q) begin
      a_answered : assert (32'(age_q) <= Patience);
      a_modulus : assert (!mul_valid || loaded_q);
      a_load :
      assert (!mul_cfg_valid || (asks_q[mul_cfg_data] && beat_q[mul_cfg_data] == cfg_second_q));
      a_idle : assert (!(mul_cfg_valid || mul_clear) || (count_q == '0 && !mul_valid));
      a_stable : assert (!stalled_q || (mul_valid && mul_x == stalled_x_q));
      a_whose : assert (!z_come || z_valid == (whose_q[0] ? 2'b10 : 2'b01));
      a_one : assert (z_come || z_valid == '0);
      a_told : assert ((cfg_done & ~waits_q) == '0);
      a_cleared : assert (!dirty_q || works_q != '0 || share_busy);
      a_helped : assert (!exists_q || loaded_q || loading_q || {ended_q, asks_q} != '0);
      a_await : assert (!(Await || `MUTANT == 3) || !mul_valid || !awaits_q);
    end
  end
endmodule
