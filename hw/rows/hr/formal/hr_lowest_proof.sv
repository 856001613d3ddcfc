// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_hr_lowest` and `montcore_hr_recode`.
///
/// The registers of step 0 are arbitrary; the properties look back two cycles, so that four steps are
/// a proof for any number of cycles, but for over below 3, which a_low gives the next cycle.
/// a_low: low and what goes above the columns (up_o and carry_o, each of weight 2^Radix) = S and 2 C in
///   the columns + the multiples of the digits that were given a cycle before, mod 2^Radix each, with
///   their missing ones + (low - q) / 2^Radix, or in the last cycle without its carry; in a first cycle
///   the multiples alone.
/// a_digits: the digits that the cells get a cycle later are those of low mod 2^Radix.
/// a_over: low is below 3 2^Radix.
/// a_recode: bits + carry before = 2^Radix carry after + digits, from {-1, 0, 1, 2}.
module hr_lowest_proof #(
    /// Bits an iteration.
    parameter int unsigned Radix = 2,
    /// Digits (do not change).
    localparam int unsigned Pairs = Radix / 2
) (
    /// Clock.
    input logic             clk_i,
    /// The next cycle is a product's first.
    input logic             begin_i,
    /// Last cycle of a product.
    input logic             last_i,
    /// Bits of A.
    input logic [Radix-1:0] bits_i,
    /// Lowest bits of A.
    input logic             digit_first_i,
    /// Bits of B.
    input logic [Radix-1:0] b_i,
    /// Bits of N.
    input logic [Radix-1:0] n_i,
    /// S above the columns.
    input logic [Radix-1:0] s_i,
    /// C above the columns.
    input logic [Radix-1:0] c_i
);
  localparam int unsigned Wide = 2 * Radix + 6;
  logic [Pairs-1:0][2:0] a, before;
  logic [Radix+1:0] low;
  logic [Radix-2:0] up;
  logic carry, first_q;
  always_ff @(posedge clk_i) first_q <= begin_i;

  montcore_hr_recode #(
      .Radix(Radix)
  ) u_recode (
      .clk_i  (clk_i),
      .first_i(digit_first_i),
      .bits_i (bits_i),
      .a_o    (a)
  );
  montcore_hr_lowest #(
      .Radix(Radix)
  ) u_lowest (
      .clk_i   (clk_i),
      .begin_i (begin_i),
      .first_i (first_q),
      .last_i  (last_i),
      .a_i     (a),
      .b_i     (b_i),
      .n_i     (n_i),
      .s_i     (s_i),
      .c_i     (c_i),
      .low_o   (low),
      .before_o(before),
      .up_o    (up),
      .carry_o (carry)
  );

  // The values of {-1, 2, 1} and of {-2, -1, 1} lines.
  function automatic logic signed [Wide-1:0] operand(logic [Pairs-1:0][2:0] lines);
    operand = '0;
    for (int unsigned p = 0; p < Pairs; p++) begin
      operand += (Wide'(lines[p][0]) + (Wide'(lines[p][1]) << 1) - Wide'(lines[p][2])) << (2 * p);
    end
  endfunction
  function automatic logic signed [Wide-1:0] quotient(logic [Pairs-1:0][2:0] lines);
    quotient = '0;
    for (int unsigned p = 0; p < Pairs; p++) begin
      quotient += (Wide'(lines[p][0]) - Wide'(lines[p][1]) - (Wide'(lines[p][2]) << 1)) << (2 * p);
    end
  endfunction
  // A multiple's part in the columns, with the ones below it and the one that it misses.
  function automatic logic [Wide-1:0] part(logic [Radix-1:0] number, logic one, logic two,
                                           logic negative, int unsigned place);
    logic [Radix-1:0] bits;
    bits = one ? number : two ? Radix'({number, 1'b0}) : '0;
    bits = Radix'(bits << (2 * place));
    if (negative) bits = ~bits;
    return Wide'(bits) + Wide'(negative);
  endfunction

  // What the multiples of the digits given in this cycle are in the columns.
  logic [Pairs-1:0][2:0] q;
  logic [Wide-1:0] multiples, multiples_q, above, want_q, got;
  logic signed [Wide-1:0] digits_q;
  logic two_q, one_q, carry_before_q;
  logic [Radix-1:0] bits_q;
  assign q = begin_i ? '0 : u_lowest.q_q;
  always_comb begin
    multiples = '0;
    for (int unsigned p = 0; p < Pairs; p++) begin
      multiples += part(b_i, a[p][0] | a[p][2], a[p][1], a[p][2], p);
      multiples += part(n_i, q[p][0] | q[p][1], q[p][2], q[p][1] | q[p][2], p);
    end
    above = Wide'(carry);
    for (int unsigned i = 0; i < Radix - 1; i++) above += Wide'(up[i]);
    got = Wide'(low) + (above_q << Radix);
  end
  // low - q, or low mod 2^Radix in place of q.
  logic signed [Wide-1:0] rest;
  logic [Wide-1:0] above_q;
  assign rest = $signed(Wide'(low)) - (last_i ? $signed(Wide'(low[Radix-1:0])) : quotient(u_lowest.q_q));
  always_ff @(posedge clk_i) begin
    multiples_q <= multiples;
    above_q <= above;
`ifdef MUTANT
    want_q <= multiples_q + Wide'(s_i) + Wide'(c_i) + Wide'(rest >>> Radix);
`else
    want_q <= multiples_q + (first_q ? '0 : Wide'(s_i) + Wide'(c_i) + Wide'(rest >>> Radix));
`endif
    one_q <= 1'b1;
    two_q <= one_q;
    digits_q <= begin_i ? '0 : quotient(u_lowest.q_q);
    carry_before_q <= u_recode.carry_q & ~digit_first_i;
    bits_q <= bits_i;
  end
  initial {one_q, two_q} = '0;
  always_comb begin
    // Until the first registers of a whole cycle are there.
    if (!one_q) m_low : assume (low < (Radix + 2)'(3) << Radix);
    if (!one_q)
      m_digits :
      assume (rest[Radix-1:0] == '0 && (u_lowest.carry_q || last_i || rest[Wide-1:Radix] == low[Radix+1:Radix]));
    if (two_q) a_low : assert (got == want_q);
    a_over : assert (low < (Radix + 2)'(3) << Radix);
    if (one_q) a_digits : assert (quotient(before) == digits_q);
    if (one_q)
      a_recode :
      assert ($signed(Wide'(bits_q)) + $signed(Wide'(carry_before_q)) ==
              ($signed(Wide'(u_recode.carry_q)) <<< Radix) + operand(a));
  end
endmodule
