// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_cs4_digit` and `montcore_cs4_recode`.
///
/// Low is the value of the two lowest cells; in a cycle it becomes their new value plus the carry
/// of low + q N, N any odd number.
/// a_digit: except in the first cycle of a product, low + q N = 0 mod 4; in the first q = 0.
/// a_low: low becomes the cells' sum plus (low + (q N mod 4)) / 4, exactly, or in a first
/// cycle the cells' sum alone.
/// a_recode: digit + carry before = 4 carry after + a, with a from {-1, 0, 1, 2}.
module cs4_digit_proof (
    input logic clk_i,
    input logic begin_i,  // High: the next cycle is the first of a product.
    input logic n_bit_i,  // Bit 1 of N, constant.
    input logic [2:0] next_i,  // Next state of the two lowest cells: C of cell 0, S of both.
    input logic [1:0] digit_i  // Digit of A, 0 to 3.
);
  logic first_q = 1'b1;
  logic [2:0] q, low, a;

  montcore_cs4_digit u_digit (
      .clk_i,
      .begin_i,
      .first_i(first_q),
      .n_bit_i,
      .next_i,
      .q_o    (q),
      .low_o  (low)
  );
  montcore_cs4_recode u_recode (
      .clk_i,
      .digit_i,
      .a_o(a)
  );

  // Value of a digit coded as lines {-1, 2, 1}.
  function automatic logic signed [4:0] value(logic [2:0] lines);
    return $signed(5'(lines[0])) + $signed(5'(lines[1]) << 1) - $signed(5'(lines[2]));
  endfunction

  logic started_q = 1'b0;
  logic n_bit_q, carry_before_q;
  logic [1:0] digit_q;
  logic signed [4:0] n, q_n, want_q, sum;
  logic [4:0] total;
  // N mod 4 is sufficient; it is constant during a product.
  assign n = n_bit_i ? 5'sd3 : 5'sd1;
  assign q_n = value(q) * n;
  assign sum = $signed(
      5'(next_i[0])
  ) + ($signed(
      5'(next_i[1])
  ) <<< 1) + ($signed(
      5'(next_i[2])
  ) <<< 1);
  // q N mod 4, which makes low a multiple of four.
  assign total = 5'(low) + 5'(q_n[1:0]);
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    first_q <= begin_i;
    n_bit_q <= n_bit_i;
    digit_q <= digit_i;
    carry_before_q <= u_recode.carry_q;
    want_q <= (first_q && !`MUTANT) ? sum : sum + $signed(5'(total[4:2]));
  end
  always_comb begin
    if (started_q) m_n : assume (n_bit_i == n_bit_q);
    if (!started_q) m_q : assume (q == 0);
    a_digit : assert (first_q ? q == 0 : total[1:0] == 0);
    if (started_q) a_low : assert ($signed(5'(low)) == want_q);
    if (started_q)
      a_recode :
      assert ($signed(
          5'(digit_q)
      ) + $signed(
          5'(carry_before_q)
      ) == ($signed(
          5'(u_recode.carry_q)
      ) <<< 2) + value(
          a
      ));
  end
endmodule
