// SPDX-License-Identifier: Apache-2.0

/// Properties of the constant of `montcore_hr_quotient`.
///
/// a_inverse: 2 Radix + 1 cycles after invert_i, 1 + n M = 0 mod 2^(2 Radix), for every odd M.
module hr_inverse_proof #(
    parameter int unsigned Radix = 2  // Bits of X per iteration, even.
) (
    input logic clk_i,
    input logic [2*Radix-1:0] m_i  // Lowest bits of the modulus M, odd and constant.
);
  localparam int unsigned Bits = 2 * Radix;
  logic [Bits-1:0] m_q, product;
  logic [$clog2(Bits+2):0] age_q;
  logic started_q;
  initial {age_q, started_q} = '0;
  montcore_hr_quotient #(
      .Radix(Radix)
  ) u_dut (
      .clk_i,
      .rst_ni  (1'b1),
      .clear_i (1'b0),
      .m_i,
      .invert_i(!started_q),
      .last_i  (1'b0),
      .q_i     ('0),
      .up_i    (1'b0),
      .digits_o()
  );
  always_ff @(posedge clk_i) begin
    m_q <= m_i;
    started_q <= 1'b1;
    if (age_q <= ($clog2(Bits + 2) + 1)'(Bits)) age_q <= age_q + 1;
  end
  assign product = u_dut.n_q * m_i + (`MUTANT ? '0 : Bits'(1));
  always_comb begin
    m_odd : assume (m_i[0]);
    if (started_q) m_stays : assume (m_i == m_q);
    if (!started_q) m_rest : assume (!u_dut.making_q && u_dut.count_q == '0);
    if (age_q == ($clog2(Bits + 2) + 1)'(Bits + 1)) a_inverse : assert (product == '0);
  end
endmodule
