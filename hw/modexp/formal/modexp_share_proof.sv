// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_modexp_share`, for two slots that begin requests, multiply and end
/// whenever they like, moduli that come when both rest, and a multiplier that answers whenever it
/// likes, in order.
///
/// a_modulus: a product goes to the multiplier only while that has the modulus in force.
/// a_load: what is loaded is the whole modulus of a slot that asks, from its first beat on.
/// a_idle: the multiplier is loaded or cleared only with no product under way.
/// a_stable: operands that are offered stay until they are taken.
/// a_whose: a result goes to the slot whose product is the oldest.
/// a_one: nothing goes to a slot but the results of products under way.
/// a_told: a slot is told that the modulus is loaded only while it waits for that.
/// a_cleared: the share is busy as long as what requests have left is not cleared, when none works.
/// a_helped: if the multiplier lacks the modulus in force, a slot has it loaded or will ask for it.
/// a_await: with Await no operands follow a product that is to be reduced before its result.
module modexp_share_proof (
    /// Clock, rising edge.
    input logic       clk_i,
    /// A slot goes on: begins a request, or asks for the modulus.
    input logic [1:0] go_i,
    /// It begins a product.
    input logic [1:0] multiply_i,
    /// The product is to be reduced.
    input logic [1:0] canonical_i,
    /// It makes a pause between beats.
    input logic [1:0] pause_i,
    /// It ends its request or its set-up.
    input logic [1:0] finish_i,
    /// A new modulus comes.
    input logic       modulus_i,
    /// It will be accepted.
    input logic       good_i,
    /// The multiplier takes operands.
    input logic       ready_i,
    /// It takes a modulus.
    input logic       cfg_ready_i,
    /// It has loaded it.
    input logic       cfg_done_i,
    /// A beat of a result comes.
    input logic       z_valid_i,
    /// It is busy.
    input logic       busy_i
);
  localparam int unsigned Beats = 2;
  // Faults that the properties must find.
`ifdef MUTANT_END
  localparam logic PretendedEnd = 1'b1;
`else
  localparam logic PretendedEnd = 1'b0;
`endif
`ifdef MUTANT_BEATS
  localparam logic [1:0] CountedBeats = 2'd1;
`else
  localparam logic [1:0] CountedBeats = 2'(Beats);
`endif
`ifdef MUTANT_FORGET
  localparam logic Forget = 1'b0;
`else
  localparam logic Forget = 1'b1;
`endif
`ifdef AWAIT
  localparam logic Await = 1'b1;
  localparam logic Awaited = 1'b1;
`else
  localparam logic Await = 1'b0;
`ifdef MUTANT_AWAIT
  localparam logic Awaited = 1'b1;
`else
  localparam logic Awaited = 1'b0;
`endif
`endif
  logic reset_q = 1'b1;
  always_ff @(posedge clk_i) reset_q <= 1'b0;

  // ---- two slots ---------------------------------------------------------------------------------
  // At rest, at work, ended (a request, or a modulus packet: it will ask), asking, waiting.
  logic [1:0] rests_q = 2'b11;
  logic [1:0] works_q = '0;
  logic [1:0] ended_q = '0;
  logic [1:0] asks_q = '0;
  logic [1:0] waits_q = '0;
  logic set_up;  // a modulus is being set up
  logic [1:0] sets_up_q = '0;  // in this slot
  logic exists_q = 1'b0;  // there is a modulus in force
  logic [1:0] sends_q = '0;  // it offers operands
  logic [1:0] open_q = '0;  // its result has not come
  logic [1:0] beat_q, canonical_q;
  logic [1:0] cfg_ready, cfg_done, ready, z_valid, valid, last, begins, ends, clears, may;
  logic mul_clear, mul_cfg_valid, mul_valid, mul_last, mul_x, mul_y, mul_cfg_data, mul_cfg_last;
  logic mul_canonical, share_busy, new_modulus;
  logic z_second_q = 1'b0;

  assign new_modulus = modulus_i && rests_q == 2'b11 && !reset_q;
  assign set_up = sets_up_q != '0;
  for (genvar k = 0; k < 2; k++) begin : g_slot
    logic result, idle;
    assign result = z_valid[k] && z_second_q;
    assign idle = works_q[k] && !sends_q[k] && !open_q[k];
    assign begins[k] = rests_q[k] && go_i[k] && !new_modulus && !set_up && !reset_q;
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
  // A beat of operands that is offered stays on offer.
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
      .clk_i          (clk_i),
      .rst_ni         (!reset_q),
      .zeroize_i      (1'b0),
      .beats_i        (CountedBeats),
      .busy_o         (share_busy),
      .forget_i       (new_modulus && Forget),
      .begin_i        (begins | {2{new_modulus}}),
      .end_i          (ends | {1'b0, PretendedEnd && go_i[0]}),
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
      .mul_y_o        (mul_y),
      .mul_last_o     (mul_last),
      .mul_canonical_o(mul_canonical),
      .mul_z_valid_i  (z_valid_i),
      .mul_z_error_i  (1'b0)
  );

  // ---- the multiplier ----------------------------------------------------------------------------
  logic loading_q = 1'b0;  // the modulus has been sent
  logic cfg_second_q = 1'b0;  // its first beat has
  logic loaded_q = 1'b0;  // it has the modulus in force
  logic awaits_q = 1'b0;  // the newest product is to be reduced
  logic dirty_q = 1'b0, taken;
  logic [1:0] whose_q;  // the owners of the products under way, the oldest lowest
  logic [1:0] count_q = 2'd0;
  logic ends_one, z_come;
  assign taken = mul_valid && ready_i && mul_last;
  assign z_come = z_valid_i && count_q != '0;
  assign ends_one = z_come && z_second_q;
  always_comb begin
    m_done : assume (!cfg_done_i || loading_q);
    // While it is told to clear, a beat of what was abandoned may still come.
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

  always_comb begin
    if (!reset_q) begin
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
      a_await : assert (!Awaited || !mul_valid || !awaits_q);
    end
  end
  logic unused;
  assign unused = mul_y;
endmodule
