// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_hr_quotient`.
///
/// a_quotient: from three cycles after last_i on, q* = n V mod 2^(2 Radix), V = 2^Radix T + U,
/// for any n. With n = -1 / M (`hr_inverse_proof`), V + q* M is a multiple of 2^(2 Radix).
module hr_quotient_proof #(
    parameter int unsigned Radix = 2,  // Bits of X per iteration, even.
    localparam int unsigned Pairs = Radix / 2  // Number of radix-4 digits.
) (
    input logic clk_i,
    input logic last_i,  // Pulse: the digits of U are valid.
    input logic [Pairs-1:0][1:0] q_i,  // Digits of U and T, coded: 0, 1, 2 for -2, and 3 for -1.
    input logic up_i  // Carry above the digits of U.
);
  localparam int unsigned Bits = 2 * Radix;

  logic [Pairs-1:0][2:0] lines;
  logic [Radix-1:0][2:0] digits;
  logic [Bits-1:0] value, v_q, q, want;
  logic [1:0] age_q;
  logic started_q;
  initial {age_q, started_q} = '0;
  montcore_hr_quotient #(
      .Radix(Radix)
  ) u_dut (
      .clk_i,
      .rst_ni  (1'b1),
      .clear_i (1'b0),
      .m_i     ('0),
      .invert_i(1'b0),
      .last_i,
      .q_i     (lines),
      .up_i,
      .digits_o(digits)
  );
  always_comb begin
    value = '0;
    for (int unsigned p = 0; p < Pairs; p++) begin
      lines[p] = {q_i[p] == 2, q_i[p] == 3, q_i[p] == 1};
      value += (Bits'(lines[p][0]) - Bits'(lines[p][1]) - (Bits'(lines[p][2]) << 1)) << (2 * p);
    end
    q = '0;
    for (int unsigned p = 0; p < Radix; p++) begin
      q += (Bits'(digits[p][0]) - Bits'(digits[p][1]) - (Bits'(digits[p][2]) << 1)) << (2 * p);
    end
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (last_i) age_q <= 2'd1;
    else if (age_q != '0 && age_q != '1) age_q <= age_q + 1;
    if (last_i) v_q <= value + (Bits'(up_i) << Radix);
    else if (age_q == 2'd1) v_q <= v_q + (value << Radix) + Bits'(`MUTANT);
  end
  assign want = v_q * u_dut.n_q;
  always_comb begin
    if (!started_q) m_rest : assume (!u_dut.making_q && !u_dut.stage_q && !u_dut.late_q);
    if (age_q != '0 && age_q != '1) m_waits : assume (!last_i);
    if (age_q == '1) a_quotient : assert (q == want);
  end
endmodule
