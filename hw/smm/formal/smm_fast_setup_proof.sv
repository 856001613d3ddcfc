// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_smm_fast_setup` with `montcore_smm_quotient`, connected as in
///
/// a_inverse: for every odd n0, the multiplier word of the pass n0' * M satisfies
///   n0 * n0' == -1 mod 2^WordBits.
/// a_cycles: the pass is requested exactly 4 log2(WordBits) - 1 cycles after the start, for every
/// n0. The registers are arbitrary before the start.
module smm_fast_setup_proof #(
    parameter int unsigned WordBits = 4,
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
    input logic start_i,  // Pulse: start the set-up.
    input logic finished_i,  // The result of the pass has been sent.
    input logic [WordBits-1:0] other_i  // Other values of the lowest word of T, arbitrary.
);
  localparam int unsigned CodeBits =
      (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits;
  localparam int unsigned PassCycle = 4 * $clog2(WordBits) - 1;

  logic started_q = 1'b0;
  logic [WordBits-1:0] n0_q;  // no driver: an arbitrary constant
  logic [WordBits-1:0] low_q, product, op_word;
  logic [CodeBits-1:0] op_code;
  logic take_n0, take_product, plus_two, factor_one, factor_load, pass, active, done;
  logic pass_q = 1'b0, counting_q = 1'b0;
  logic [7:0] count_q = '0;

  always_comb begin
    m_odd : assume (n0_q[0]);
    if (!started_q || active || pass_q) m_start : assume (!start_i);
  end

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
  assign op_word = (factor_load || pass_q) ? product : other_i;
  montcore_recode #(
      .Width(WordBits),
      .Tech (Tech)
  ) u_recode (
      .word_i(op_word),
      .code_o(op_code)
  );
  montcore_smm_quotient #(
      .WordBits(WordBits),
      .Tech(Tech)
  ) u_quotient (
      .clk_i,
      .factor_code_i (op_code),
      .factor_load_i (factor_load),
      .factor_one_i  (factor_one),
      .multiplicand_i(low_q),
      .plus_two_i    (plus_two),
      .product_o     (product)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    n0_q      <= n0_q;
    low_q     <= take_n0 ? n0_q : take_product ? product : other_i;
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
`ifdef MUTANT
      if (pass_q) a_inverse : assert (WordBits'(n0_q * op_word) == WordBits'(1));
`else
      if (pass_q) a_inverse : assert (WordBits'(n0_q * op_word) == '1);
`endif
      if (done) a_done : assert (active && finished_i);
    end
  end
endmodule
