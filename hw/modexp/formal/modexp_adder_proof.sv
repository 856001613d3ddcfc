// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_modexp_adder`, with the number in flip-flops.
///
/// a_double: doubling gives 2 v mod m, minus m if it is negative, for any previous state.
/// a_subtract: so does v - m of a number below 2 m, and negative_o tells whether it was below m.
/// a_correct: after a correction v is not negative.
/// a_below: the value that v represents is below m.
module modexp_adder_proof #(
    parameter int unsigned Width = 3,  // Beat width in bits.
    parameter int unsigned Beats = 2   // Beats of a number.
) (
    input logic clk_i,
    /// Next operation: 0 none, 1 double, 2 subtract m from a new number, 3 correct.
    input logic [1:0] command_i,
    input logic [Width*Beats-1:0] number_i  // New number, below 2 m; used by command 2.
);
  localparam int unsigned Bits = Width * Beats;
  logic [Bits-1:0] m_q;  // modulus, an arbitrary constant
  logic [Bits-1:0] v_q, expected_q, next;
  logic [1:0] command_q = 2'd0;
  logic step_q = 1'b0;
  logic reset_q = 1'b0;
  logic known_q = 1'b0;
  logic checked_q = 1'b0;
  logic negative, first, last;
  logic [Width-1:0] beat, m_beat, sum;
  logic [Bits:0] twice, value;

  assign first  = !step_q;
  assign last   = step_q;
  assign beat   = step_q ? v_q[Bits-1:Width] : v_q[Width-1:0];
  assign m_beat = step_q ? m_q[Bits-1:Width] : m_q[Width-1:0];
  always_comb begin
    m_positive : assume (m_q != '0);
    m_number : assume ({1'b0, number_i} < {m_q, 1'b0});
    m_first : assume (known_q || command_i == 2'd0 || command_i == 2'd2);
    m_reset : assume (reset_q || command_i == 2'd0);
  end

  montcore_modexp_adder #(
      .Width(Width)
  ) u_dut (
      .clk_i,
      .rst_ni    (reset_q),
      .clear_i   (1'b0),
      .step_i    (command_q != 2'd0),
      .first_i   (first),
      .last_i    (last),
      .double_i  (command_q == 2'd1),
      .subtract_i(command_q == 2'd2),
      .v_i       (beat),
      .m_i       (m_beat),
      .sum_o     (sum),
      .negative_o(negative)
  );

  // The value below m that v represents: v, or v + m.
  assign value = {1'b0, v_q} + (negative ? {1'b0, m_q} : '0);
  assign twice = {expected_q, 1'b0};
  assign next  = (twice >= {1'b0, m_q}) ? Bits'(twice - m_q) + Bits'(`MUTANT) : Bits'(twice);

  always_ff @(posedge clk_i) begin
    m_q       <= m_q;
    reset_q   <= 1'b1;
    checked_q <= 1'b0;
    if (command_q == 2'd0) begin
      command_q <= command_i;
      step_q    <= 1'b0;
      if (command_i == 2'd1) expected_q <= next;
      if (command_i == 2'd2) begin
        v_q        <= number_i;
        known_q    <= 1'b1;
        expected_q <= (number_i >= m_q) ? number_i - m_q : number_i;
      end
    end else begin
      if (step_q) v_q[Bits-1:Width] <= sum;
      else v_q[Width-1:0] <= sum;
      step_q <= !step_q;
      if (last) begin
        command_q <= 2'd0;
        checked_q <= 1'b1;
      end
    end
  end

  logic [1:0] done_q;
  always_ff @(posedge clk_i) done_q <= command_q;
  always_comb begin
    if (checked_q && done_q == 2'd1) a_double : assert (Bits'(value) == expected_q);
    if (checked_q && done_q == 2'd2) a_subtract : assert (Bits'(value) == expected_q);
    if (checked_q && done_q == 2'd3) begin
      a_correct : assert (!negative && v_q == expected_q);
    end
    if (checked_q) a_below : assert (expected_q < m_q);
  end
endmodule
