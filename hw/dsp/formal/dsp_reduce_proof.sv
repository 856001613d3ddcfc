// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_dsp_reduce` for every m and every z < 2 m of Pairs pairs, with pauses anywhere.
///
/// a_pair: while a result is held, d_o is the next pair of z - (z >= m ? m : 0).
/// a_full: a result is held from the cycle after its last pair until its last pair is consumed.
module dsp_reduce_proof #(
    parameter int unsigned Pairs = 2  // Number of pairs of an operand.
) (
    input logic clk_i,
    input logic m_we_i,  // High: write a pair of m, until m is complete.
    input logic z_we_i,  // High: write a pair of z, if m is complete and no result is held.
    input logic step_i,  // High: consume a pair of the result.
    input logic [34*Pairs-1:0] z_i  // Value of the next z, arbitrary.
);
  localparam int unsigned PairBits = $clog2(Pairs + 1);

  logic started_q = 1'b0, held_q = 1'b0;
  logic [34*Pairs-1:0] m_q, z_q, d;
  logic [PairBits-1:0] m_count_q = '0, z_count_q = '0, d_count_q = '0;
  logic m_we, z_we, step, full, m_there;
  logic [33:0] pair;

  // m is an arbitrary constant; z is a new value for each result.
  always_ff @(posedge clk_i) m_q <= m_q;
  always_comb m_below : assume ({1'b0, z_q} < {m_q, 1'b0});

  assign m_there = m_count_q == PairBits'(Pairs);
  assign m_we = started_q && m_we_i && !m_there;
  assign z_we = started_q && z_we_i && m_there && !held_q;
  assign step = started_q && step_i && held_q;

  montcore_dsp_reduce #(
      .WordPairs(Pairs)
  ) u_dut (
      .clk_i,
      .rst_ni  (started_q),
      .clear_i (1'b0),
      .sweep_i ('0),
      .m_we_i  (m_we),
      .m_data_i(34'(m_q >> (34 * m_count_q))),
      .m_last_i(m_count_q == PairBits'(Pairs - 1)),
      .z_we_i  (z_we),
      .z_data_i(34'(z_q >> (34 * z_count_q))),
      .z_last_i(z_count_q == PairBits'(Pairs - 1)),
      .full_o  (full),
      .step_i  (step),
      .free_i  (step && d_count_q == PairBits'(Pairs - 1)),
      .d_o     (pair)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (m_we) m_count_q <= m_count_q + 1;
    if (z_we) begin
      z_count_q <= (z_count_q == PairBits'(Pairs - 1)) ? '0 : z_count_q + 1;
      if (z_count_q == PairBits'(Pairs - 1)) held_q <= 1'b1;
    end
    if (step) begin
      d_count_q <= (d_count_q == PairBits'(Pairs - 1)) ? '0 : d_count_q + 1;
      if (d_count_q == PairBits'(Pairs - 1)) begin
        held_q <= 1'b0;
        z_q    <= z_i;
      end
    end
  end

  assign d = (z_q >= m_q && !(`MUTANT && z_q == m_q)) ? z_q - m_q : z_q;
  always_comb begin
    if (started_q) begin
      a_full : assert (full == held_q);
      if (full) a_pair : assert (pair == 34'(d >> (34 * d_count_q)));
    end
  end
endmodule
