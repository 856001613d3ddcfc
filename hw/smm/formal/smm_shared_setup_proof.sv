// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_smm_shared_setup` with element 0, connected as in `montcore_smm_fast`.
///
/// a_inverse: for every odd n0, the multiplier word of the pass n0' * M satisfies
/// n0 * n0' == -1 mod 2^WordBits, and the memory holds it from two cycles later on.
/// a_cycles: the pass is requested exactly 4 log2(WordBits) cycles after the start, for every n0.
/// The registers are arbitrary before the start.
module smm_shared_setup_proof #(
    parameter int unsigned WordBits = 4
) (
    input logic clk_i,
    input logic start_i,  // Pulse: start the set-up.
    input logic finished_i  // The scaled modulus has been written.
);
  localparam int unsigned PassCycle = 4 * $clog2(WordBits);

  logic started_q = 1'b0;
  logic [WordBits-1:0] n0_q;  // no driver: an arbitrary constant
  logic times_m, one, times_inverse, plus_two, keep, pass, active, done;
  logic pass_q = 1'b0, counting_q = 1'b0, write_q = 1'b0, set_q = 1'b0;
  logic [7:0] count_q = '0;

  always_comb begin
    m_odd : assume (n0_q[0]);
    if (!started_q || active || pass_q) m_start : assume (!start_i);
    // The pass n0' * M takes longer than writing n0' to the memory.
    if (!set_q) m_finished : assume (!finished_i);
  end

  montcore_smm_shared_setup #(
      .WordBits(WordBits)
  ) u_setup (
      .clk_i,
      .rst_ni         (started_q),
      .clear_i        (1'b0),
      .start_i,
      .finished_i,
      .times_m_o      (times_m),
      .one_o          (one),
      .times_inverse_o(times_inverse),
      .plus_two_o     (plus_two),
      .keep_o         (keep),
      .pass_o         (pass),
      .active_o       (active),
      .done_o         (done)
  );

  // Stages M and A of element 0, the captured word, the output register and the memory's row.
  logic slot_m_q = 1'b0, slot_a_q = 1'b0;
  logic [WordBits-1:0] a_q, b_q, product_q, word0, low, low_q, beat_q, memory_q, kept_q;
  assign word0 = product_q + WordBits'({plus_two, 1'b0});
  assign low   = slot_a_q ? word0 : low_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    n0_q      <= n0_q;
    slot_m_q  <= (times_m || times_inverse) && started_q;
    slot_a_q  <= slot_m_q;
    a_q       <= one ? WordBits'(1) : low;
    b_q       <= times_m ? n0_q : memory_q;
    product_q <= WordBits'(a_q * b_q);
    low_q     <= low;
    beat_q    <= low;
    write_q   <= keep && started_q;
    if (write_q) memory_q <= beat_q;
    // The sequencer has the pass in stage R one cycle after its request.
    pass_q <= pass && started_q;
    if (pass_q) kept_q <= low;
    if (start_i) begin
      counting_q <= 1'b1;
      count_q    <= 8'd0;
    end else if (counting_q) begin
      count_q <= count_q + 1;
      if (pass) counting_q <= 1'b0;
    end
  end
  logic [1:0] since_q = '0;
  always_ff @(posedge clk_i) begin
    if (start_i) set_q <= 1'b0;
    else if (since_q == 2'd2) set_q <= 1'b1;
    since_q <= (pass_q && started_q) ? 2'd1 : (since_q == 2'd1) ? 2'd2 : 2'd0;
  end

  always_comb begin
    if (started_q) begin
      a_cycles : assert (pass == (counting_q && 32'(count_q) == PassCycle - 1));
`ifdef MUTANT
      if (pass_q) a_inverse : assert (WordBits'(n0_q * low) == WordBits'(1));
`else
      if (pass_q) a_inverse : assert (WordBits'(n0_q * low) == '1);
`endif
      if (set_q && !active) a_kept : assert (memory_q == kept_q);
      if (done) a_done : assert (active && finished_i);
    end
  end
endmodule
