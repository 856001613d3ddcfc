// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_dsp_inverse` for every odd m of 34 bits.
///
/// a_inverse: at the end, the bits b_i of the inverse satisfy 1 + sum of b_i 2^i m = 0 mod 2^34,
/// and inverse_o is the number with these bits: so inverse_o * m = -1 mod 2^34.
/// a_cycles: it ends exactly 34 ticks after the start, for every m.
/// The sum of multiples is accumulated here by additions, so that no solver has to multiply.
module dsp_inverse_proof (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic start_i  // High: start if idle.
);
  logic started_q = 1'b0, busy_q = 1'b0, due_q = 1'b0;
  logic [33:0] m_q;  // any value, constant
  always_ff @(posedge clk_i) m_q <= m_q;
  logic [33:0] inverse, multiples_q, bits_q;
  logic [5:0] count_q = '0;
  logic done, start;

  assign start = start_i && started_q && !busy_q;
  always_comb m_odd : assume (m_q[0]);

  montcore_dsp_inverse u_dut (
      .clk_i,
      .tick_i,
      .rst_ni   (started_q),
      .clear_i  (1'b0),
      .start_i  (start),
      .m_i      (m_q),
      .done_o   (done),
      .inverse_o(inverse)
  );

  // The bit of the inverse that is decided in this cycle.
  logic set;
  assign set = u_dut.sum_q[0];
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (started_q && tick_i) begin
      due_q <= busy_q && count_q == 6'd33;
      if (start) begin
        busy_q      <= 1'b1;
        count_q     <= '0;
        multiples_q <= '0;
        bits_q      <= '0;
      end else if (busy_q) begin
        count_q <= count_q + 1;
        if (set && !(`MUTANT && count_q == 6'd2)) multiples_q <= multiples_q + (m_q << count_q);
        if (set) bits_q <= bits_q | (34'd1 << count_q);
        if (count_q == 6'd33) busy_q <= 1'b0;
      end
    end
  end

  always_comb begin
    if (started_q) begin
      a_cycles : assert (done == due_q);
      a_run : assert (u_dut.run_q == busy_q);
      if (busy_q) begin
        a_count : assert (u_dut.count_q == count_q && count_q < 6'd34);
        a_sum : assert (34'(multiples_q + 1) == 34'(u_dut.sum_q << count_q));
        a_bits : assert (34'(inverse >> (6'd34 - count_q)) == bits_q);
        a_none : assert (count_q != 0 || bits_q == 0);
      end
      if (due_q) a_inverse : assert (34'(multiples_q + 1) == 0 && inverse == bits_q);
    end
  end
endmodule
