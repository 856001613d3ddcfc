// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_hr_lowest` and `montcore_hr_recode`.
///
/// The registers in step 0 are arbitrary, except that the digits match low; the properties look
/// back one cycle, so that three steps prove them for any number of cycles.
/// a_rows: the rows and ones that are added are the digits' multiples, restricted to the columns.
/// a_held, up to 6 bits per iteration: the registers one cycle later, with the carries out of the
/// columns, hold their sum. 8 bits are too hard for a solver: there hr_tree_proof shows that the
/// tree preserves the sum of its rows, and a_once that the half adders behind it preserve their
/// sum.
/// a_low: low and the carries out of the columns (up_o, carry_o and the late carry, each of weight
/// 2^Radix) = S and 2 C in the columns + the registers before + (low - q) / 2^Radix, or in the last
/// cycle without its carry, + the late carry of the cycle before; in a first cycle the registers
/// only. Together: low accumulates the multiples of the digits of the previous cycle. (As one
/// property this is the equality of two adder trees, which yices does not finish for 6 bits per
/// iteration.)
/// a_digits: q_o and above_o match low, and the cells get these digits one cycle later.
/// a_single: each digit has at most one line high.
/// a_recode: bits + carry before = 2^Radix carry after + digits, from {-1, 0, 1, 2}.
module hr_lowest_proof #(
    parameter int unsigned Radix = 2,  // Bits of X per iteration, even.
    localparam int unsigned Pairs = Radix / 2  // Number of radix-4 digits.
) (
    input logic clk_i,
    input logic soon_i,  // High: the cycle after the next one is the first of a product.
    input logic last_i,  // High in the last cycle of a product.
    input logic [Radix-1:0] bits_i,  // Bits of A, the input of the recoder.
    input logic digit_first_i,  // High with the lowest bits of A.
    input logic [Radix-1:0] b_i,  // Lowest bits of B for the next cycle.
    input logic [Radix-1:0] n_i,  // Lowest bits of N.
    input logic [Radix-1:0] s_i,  // Bits of S above the columns.
    input logic [Radix-1:0] c_i  // Bits of C above the columns.
);
  localparam int unsigned Wide = 2 * Radix + 6;
  logic [Pairs-1:0][2:0] a, q, cells;
  logic [  Radix:0] low;
  logic [Radix-2:0] up;
  logic carry, late, high, begin_q, first_q;
  always_ff @(posedge clk_i) {first_q, begin_q} <= {begin_q, soon_i};

  montcore_hr_recode #(
      .Radix(Radix)
  ) u_recode (
      .clk_i,
      .first_i(digit_first_i),
      .bits_i,
      .a_o    (a)
  );
  montcore_hr_lowest #(
      .Radix(Radix)
  ) u_lowest (
      .begin_i (begin_q),
      .first_i (first_q),
      .a_i     (a),
      .low_o   (low),
      .q_o     (q),
      .above_o (high),
      .before_o(cells),
      .late_o  (late),
      .up_o    (up),
      .carry_o (carry),
      .*
  );

  // Values of the digits coded as lines {-1, 2, 1} and {-2, -1, 1}.
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
  // The part of a multiple in the columns, with ones below it; a negative one lacks 1.
  function automatic logic [Radix-1:0] part(logic [Radix-1:0] number, logic one, logic two,
                                            logic negative, int unsigned place);
    part = one ? number : two ? Radix'({number, 1'b0}) : '0;
    part = Radix'(part << (2 * place));
    if (negative) part = ~part;
  endfunction

  // Multiples of this cycle's digits, restricted to the columns.
  logic [Pairs-1:0][2:0] given;
  logic [Wide-1:0] total, total_q, held, above, above_q, want_q, got;
  logic rows_right;
  logic signed [Wide-1:0] rest, given_q;
  logic one_q, carry_before_q;
  logic [Radix-1:0] bits_q;
  assign given = (begin_q || first_q) ? '0 : q;
  always_comb begin
    rows_right = 1'b1;
    for (int unsigned p = 0; p < Pairs; p++) begin
      rows_right &= u_lowest.rows[p] == part(b_i, a[p][0] | a[p][2], a[p][1], a[p][2], p);
      rows_right &= u_lowest.ones[p] == a[p][2];
      rows_right &= u_lowest.rows[Pairs+p] == part(
          n_i, given[p][0] | given[p][1], given[p][2], given[p][1] | given[p][2], p
      );
      rows_right &= u_lowest.ones[Pairs+p] == (given[p][1] | given[p][2]);
    end
    total = '0;
    for (int unsigned i = 0; i < Radix; i++) begin
      total += Wide'(u_lowest.rows[i]) + Wide'(u_lowest.ones[i]);
    end
    held = Wide'(u_lowest.extra_q);
    for (int unsigned i = 0; i < Radix - 2; i++) held += Wide'(u_lowest.out_q[i]);
    held  = (held << Radix) + Wide'(u_lowest.first_q) + Wide'(u_lowest.second_q);
    above = Wide'(carry) + Wide'(u_lowest.extra_q);
    for (int unsigned i = 0; i < Radix - 1; i++) above += Wide'(up[i]);
    got  = Wide'(low) + (above_q << Radix);
    // low - q, or low minus low mod 2^Radix.
    rest = $signed(Wide'(low)) - (last_i ? $signed(Wide'(low[Radix-1:0])) : quotient(q));
  end
  always_ff @(posedge clk_i) begin
    total_q <= total;
    above_q <= above;
    want_q <= held + (first_q ? '0 : Wide'(s_i) + Wide'(c_i) + Wide'(rest >>> Radix) +
                      (`MUTANT ? '0 : Wide'(late)));
    one_q <= 1'b1;
    given_q <= quotient(given);
    carry_before_q <= u_recode.carry_q & ~digit_first_i;
    bits_q <= bits_i;
  end
  initial one_q = 1'b0;
  logic belongs;
  assign belongs = $signed(Wide'(low[Radix-1:0])) == quotient(q) + ($signed(Wide'(high)) <<< Radix);
  // At most one line per digit is high.
  logic single;
  always_comb begin
    single = 1'b1;
    for (int unsigned p = 0; p < Pairs; p++) single &= $onehot0(a[p]) && $onehot0(q[p]);
  end
  always_comb begin
    if (!one_q) m_single : assume (single);
    if (one_q) a_single : assert (single);
    if (!one_q) m_digits : assume (belongs);
    if (!one_q) m_live : assume (u_lowest.live_q == !first_q);
    if (!one_q) m_own : assume (u_lowest.own_q == !(begin_q || first_q));
    a_rows : assert (rows_right);
    if (one_q && Radix <= 6) a_held : assert (held == total_q);
    a_once :
    assert (Wide'(u_lowest.once) + (Wide'(u_lowest.once_carry) << 1) ==
            Wide'(u_lowest.first) + Wide'(u_lowest.second) + Wide'(u_lowest.ones[Radix-2]));
    if (one_q) a_low : assert (got == want_q);
    if (one_q) a_digits : assert (belongs && quotient(cells) == given_q);
    if (one_q)
      a_recode :
      assert ($signed(
          Wide'(bits_q)
      ) + $signed(
          Wide'(carry_before_q)
      ) == ($signed(
          Wide'(u_recode.carry_q)
      ) <<< Radix) + operand(
          a
      ));
  end
endmodule
