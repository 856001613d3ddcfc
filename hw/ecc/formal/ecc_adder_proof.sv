// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_ecc_adder`, for any sequence of sums and differences, any pauses
/// between their rows, and any modulus.
///
/// a_row: each output row is the row of a + b mod m, or of a - b mod m.
/// a_zero: after the last row, zero tells whether the result is zero.
/// a_reduced: reduced tells whether the result differs from the plain sum or difference.
/// a_prompt: a result is output in consecutive cycles right after its last row is input.
module ecc_adder_proof
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Width = 2,  // Row width in bits.
    parameter int unsigned Rows  = 2   // Rows of an operand; the bookkeeping below assumes 2.
) (
    input logic clk_i,
    input logic subtract_i,  // High: the next operation is a difference; sampled with row 0.
    input logic [Width*Rows-1:0] a_i,  // Operand a, all rows, sampled with row 0; below m_q.
    input logic [Width*Rows-1:0] b_i,  // Operand b, all rows, sampled with row 0; below m_q.
    input logic pause_i  // High: no row is input in this cycle.
);
  localparam int unsigned Bits = Width * Rows;
  logic [Bits-1:0] m_q;  // modulus, an arbitrary constant
  logic [Bits-1:0] a_q, b_q, a, b, less, expected, expected_q, leaving_q;
  logic run_q = 1'b0;
  logic second_q = 1'b0;
  logic [1:0] left_q = 2'd0;
  logic subtract_q, subtract, step, last_q, corrected, corrected_q, left_corrected_q, over_q;
  logic valid, row;
  logic [Bits:0] plain;
  logic [Width-1:0] data;
  sum_t sum;
  target_t unused_target;
  adder_t state;
  logic m_row;

  // Row 0 comes from the inputs, row 1 of the same operands from registers.
  assign a = second_q ? a_q : a_i;
  assign b = second_q ? b_q : b_i;
  assign subtract = second_q ? subtract_q : subtract_i;
  assign step = run_q && !pause_i;
  always_comb begin
    sum          = '0;
    sum.subtract = subtract;
  end
  always_comb begin
    m_below : assume (a < m_q && b < m_q);
  end

  montcore_ecc_adder #(
      .Width(Width),
      .Rows (Rows)
  ) u_dut (
      .clk_i,
      .rst_ni     (run_q),
      .clear_i    (1'b0),
      .clear_row_i('0),
      .last_row_i (1'b1),
      .step_i     (step),
      .row_i      (second_q),
      .a_i        (second_q ? a[Bits-1:Width] : a[Width-1:0]),
      .b_i        (second_q ? b[Bits-1:Width] : b[Width-1:0]),
      .sum_i      (sum),
      .m_row_o    (m_row),
      .m_i        (m_row ? m_q[Bits-1:Width] : m_q[Width-1:0]),
      .valid_o    (valid),
      .row_o      (row),
      .data_o     (data),
      .target_o   (unused_target),
      .state_o    (state)
  );

  assign plain = subtract ? {1'b0, a} - {1'b0, b} : {1'b0, a} + {1'b0, b};
  assign corrected = subtract ? a < b : plain >= {1'b0, m_q};
  assign less = `MUTANT ? ~m_q : -m_q;
  assign expected = Bits'(plain) + (corrected ? (subtract ? m_q : less) : '0);

  always_ff @(posedge clk_i) begin
    m_q    <= m_q;
    run_q  <= 1'b1;
    last_q <= step && second_q;
    if (step) begin
      a_q        <= a;
      b_q        <= b;
      subtract_q <= subtract;
      second_q   <= !second_q;
      if (second_q) begin
        expected_q  <= expected;
        corrected_q <= corrected;
      end
    end
    if (left_q != 2'd0) left_q <= left_q - 1'b1;
    over_q <= left_q == 2'd1;
    if (run_q && last_q) begin
      left_q           <= 2'd2;
      leaving_q        <= expected_q;
      left_corrected_q <= corrected_q;
    end
  end
  logic settled;
  assign settled = over_q && left_q == 2'd0;
  always_comb begin
    if (run_q) a_prompt : assert (valid == (left_q != 2'd0));
    if (run_q && valid) begin
      a_row : assert (data == (row ? leaving_q[Bits-1:Width] : leaving_q[Width-1:0]));
    end
    if (run_q && settled) begin
      a_zero : assert (state.zero == (leaving_q == '0));
      a_reduced : assert (state.reduced == left_corrected_q);
    end
  end
endmodule
