// SPDX-License-Identifier: Apache-2.0

/// Properties of the set-up of `montcore_smm_fast`: `montcore_smm_fast_setup` with
/// `montcore_smm_quotient`, or `montcore_smm_shared_setup` with element 0 (Shared = 1), connected as
/// there.
///
/// a_inverse: for every odd n0, the multiplier word of the pass n0' * M satisfies
/// n0 * n0' == -1 mod 2^WordBits; a_kept: with element 0 the memory holds it from two cycles later on.
/// a_cycles: the pass is requested exactly 4 log2(WordBits) cycles after the start, or one cycle
/// earlier without element 0, for every n0. The registers are arbitrary before the start.
module smm_setup_proof #(
    parameter bit Shared = 1'b0,  // 1: with element 0.
    parameter int unsigned WordBits = 4,
    parameter int unsigned Tech = montcore_pkg::TechGeneric  // Without element 0.
) (
    input logic clk_i,
    input logic start_i,  // Pulse: start the set-up.
    input logic finished_i,  // The scaled modulus has been written, or the result of the pass sent.
    input logic [WordBits-1:0] other_i  // Other values of the lowest word of T, arbitrary.
);
  localparam int unsigned PassCycle = 4 * $clog2(WordBits) - (Shared ? 0 : 1);

  logic started_q = 1'b0;
  logic [WordBits-1:0] n0_q;  // no driver: an arbitrary constant
  logic [WordBits-1:0] word;  // the multiplier word of the pass
  logic plus_two, pass, active, done;
  logic pass_q = 1'b0, counting_q = 1'b0;
  logic [7:0] count_q = '0;

  always_comb begin
    m_odd : assume (n0_q[0]);
    if (!started_q || active || pass_q) m_start : assume (!start_i);
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    n0_q      <= n0_q;
    // The sequencer has the pass in stage R one cycle after its request.
    pass_q    <= pass && started_q;
    if (start_i) begin
      counting_q <= 1'b1;
      count_q    <= 8'd0;
    end else if (counting_q) begin
      count_q <= count_q + 1;
      if (pass) counting_q <= 1'b0;
    end
  end
  always_comb begin
    if (started_q) begin
      a_cycles : assert (pass == (counting_q && 32'(count_q) == PassCycle - 1));
      if (pass_q) a_inverse : assert (WordBits'(n0_q * word) == (`MUTANT ? WordBits'(1) : '1));
      if (done) a_done : assert (active && finished_i);
    end
  end

  if (!Shared) begin : g_quotient
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits;
    logic [WordBits-1:0] low_q, product;
    logic [CodeBits-1:0] code;
    logic take_n0, take_product, factor_one, factor_load;
    montcore_smm_fast_setup #(
        .WordBits(WordBits)
    ) u_setup (
        .clk_i,
        .rst_ni        (started_q),
        .clear_i       (1'b0),
        .start_i,
        .finished_i,
        .take_n0_o     (take_n0),
        .take_product_o(take_product),
        .plus_two_o    (plus_two),
        .factor_one_o  (factor_one),
        .factor_load_o (factor_load),
        .pass_o        (pass),
        .active_o      (active),
        .done_o        (done)
    );
    assign word = (factor_load || pass_q) ? product : other_i;
    montcore_recode #(
        .Width(WordBits),
        .Tech (Tech)
    ) u_recode (
        .word_i(word),
        .code_o(code)
    );
    montcore_smm_quotient #(
        .WordBits(WordBits),
        .Tech    (Tech)
    ) u_quotient (
        .clk_i,
        .factor_code_i (code),
        .factor_load_i (factor_load),
        .factor_one_i  (factor_one),
        .multiplicand_i(low_q),
        .plus_two_i    (plus_two),
        .product_o     (product)
    );
    always_ff @(posedge clk_i) low_q <= take_n0 ? n0_q : take_product ? product : other_i;
  end else begin : g_element
    logic times_m, one, times_inverse, keep, write_q = 1'b0, set_q = 1'b0;
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
    logic [1:0] since_q = '0;
    logic [WordBits-1:0] a_q, b_q, product_q, low_q, beat_q, memory_q, kept_q;
    assign word = slot_a_q ? product_q + WordBits'({plus_two, 1'b0}) : low_q;
    always_ff @(posedge clk_i) begin
      slot_m_q  <= (times_m || times_inverse) && started_q;
      slot_a_q  <= slot_m_q;
      a_q       <= one ? WordBits'(1) : word;
      b_q       <= times_m ? n0_q : memory_q;
      product_q <= WordBits'(a_q * b_q);
      low_q     <= word;
      beat_q    <= word;
      write_q   <= keep && started_q;
      if (write_q) memory_q <= beat_q;
      if (pass_q) kept_q <= word;
      if (start_i) set_q <= 1'b0;
      else if (since_q == 2'd2) set_q <= 1'b1;
      since_q <= (pass_q && started_q) ? 2'd1 : (since_q == 2'd1) ? 2'd2 : 2'd0;
    end
    always_comb begin
      // The pass n0' * M takes longer than writing n0' to the memory.
      if (!set_q) m_finished : assume (!finished_i);
      if (started_q && set_q && !active) a_kept : assert (memory_q == kept_q);
    end
  end
endmodule
