// SPDX-License-Identifier: Apache-2.0

/// Properties of `modexp_powers`.
///
/// a_power: after a setting v is the power of two that was asked for.
/// a_double: after a doubling v is 2 v mod m, whatever v was.
/// a_below: v stays below m.
module modexp_powers_proof #(
    /// Bits of a beat.
    parameter int unsigned Width = 3,
    /// Beats.
    parameter int unsigned Beats = 2
) (
    /// Clock.
    input logic       clk_i,
    /// Set v.
    input logic       set_i,
    /// Double v.
    input logic       double_i,
    /// Beat of the power's one bit.
    input logic [1:0] power_beat_i,
    /// Its place there.
    input logic [1:0] power_place_i
);
  localparam int unsigned Bits = Width * Beats;
  logic [Bits-1:0] m_q;  // never written: any value, for ever
  logic [Bits-1:0] expected_q, power;
  logic [1:0] index, power_beat_q, power_place_q;
  logic [1:0] step_q = 2'd0;
  logic reset_q = 1'b0;
  logic busy_q = 1'b0;
  logic set_once_q = 1'b0;
  logic doubling_q = 1'b0;
  logic done, idle;
  logic [Width-1:0] v, low_q;
  logic [Bits:0] twice;

  assign power = Bits'(1) << (power_beat_q * Width + power_place_q);
  assign twice = {expected_q, 1'b0};
  assign idle  = !busy_q && step_q == 2'd0;
  always_comb begin
    m_odd : assume (m_q[0] && m_q != 1);
    m_one : assume (!(set_i && double_i));
    m_first : assume (set_once_q || !double_i);
    m_idle : assume (idle && reset_q || !(set_i || double_i));
    m_beat : assume (32'(power_beat_i) < Beats && 32'(power_place_i) < Width);
    m_power : assume (!set_i || (Bits'(1) << (power_beat_i * Width + power_place_i)) < m_q);
  end

  modexp_powers #(
      .Width(Width),
      .Beats(Beats)
  ) u_dut (
      .clk_i        (clk_i),
      .rst_ni       (reset_q),
      .clear_i      (1'b0),
      .sweep_i      (2'd0),
      .beats_i      (2'(Beats)),
      .set_i        (set_i),
      .power_beat_i (power_beat_q),
      .power_place_i(power_place_q),
      .double_i     (double_i),
      .done_o       (done),
      .index_o      (index),
      .m_i          (index[0] ? m_q[2*Width-1:Width] : m_q[Width-1:0]),
      .we_i         (1'b0),
      .index_i      (step_q == 2'd2 ? 2'd1 : 2'd0),
      .data_i       ('0),
      .v_o          (v)
  );

  // After each command both beats of v are read and compared.
  always_ff @(posedge clk_i) begin
    m_q     <= m_q;
    reset_q <= 1'b1;
    if (set_i || double_i) begin
      busy_q     <= 1'b1;
      doubling_q <= double_i;
      if (set_i) begin
        set_once_q    <= 1'b1;
        power_beat_q  <= power_beat_i;
        power_place_q <= power_place_i;
      end
    end
    if (busy_q && done) begin
      busy_q <= 1'b0;
      step_q <= 2'd1;
`ifdef MUTANT
      expected_q <= !doubling_q ? power : (twice > {1'b0, m_q}) ? Bits'(twice - m_q) + 1 :
                                                                 Bits'(twice);
`else
      expected_q <= !doubling_q ? power : (twice > {1'b0, m_q}) ? Bits'(twice - m_q) : Bits'(twice);
`endif
    end
    if (step_q == 2'd1) step_q <= 2'd2;
    if (step_q == 2'd2) step_q <= 2'd0;
    if (step_q == 2'd1) low_q <= v;
  end

  always_comb begin
    if (step_q == 2'd2 && !doubling_q) a_power : assert ({v, low_q} == expected_q);
    if (step_q == 2'd2 && doubling_q) a_double : assert ({v, low_q} == expected_q);
    if (step_q == 2'd2) a_below : assert ({v, low_q} < m_q);
  end
endmodule
