// SPDX-License-Identifier: Apache-2.0

/// Digits of q* = -V / M mod 2^(2 Radix), for the final division of a product.
///
/// V = 2^Radix T + U, U = the quotient digits before the last + 2^Radix up; q* = V n. n = -1 / M
/// mod 2^(2 Radix) is computed bit by bit after invert_i: R <- (R + x M) / 2 from R = 1, x its
/// lowest bit. q* has digits from {-2, -1, 0, 1}, lowest first; its sign is dropped.
/// Precondition: M is odd; T's digits come one cycle after U's; last_i is low in the two cycles
/// after.
/// Latency: 2 Radix + 1 cycles from invert_i to n; 3 from last_i to the digits, which are then
/// stable.
/// Example, Radix = 2: M = 11 -> n = 13; U = 1, T = 0 -> q* = 13 in digits 1, -1.
module montcore_hr_quotient #(
    parameter int unsigned Radix = 4,  // Bits of X per iteration, even.
    localparam int unsigned Pairs = Radix / 2  // Number of radix-4 digits of a row's digit.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [2*Radix-1:0] m_i,  // M mod 2^(2 Radix).
    input logic invert_i,  // Pulse: M is valid, compute n.
    input logic last_i,  // Pulse: the digits of U are valid.
    /// Digits of U, one cycle later those of T mod 2^Radix, coded as lines {-2, -1, 1}.
    input logic [Pairs-1:0][2:0] q_i,
    input logic up_i,  // Carry above the digits of U, valid with last_i.
    /// Digits of q*, lowest first, coded as lines {-2, -1, 1}.
    output logic [Radix-1:0][2:0] digits_o
);
  localparam int unsigned Bits = 2 * Radix;

  // n, and the remainder of its computation; the bits of n are shifted in from the top.
  logic [Bits-1:0] n_q, rest_q;
  logic making_q;
  logic [Bits:0] rest;
  logic [$clog2(Bits)-1:0] count_q;
  assign rest = {1'b0, rest_q} + {1'b0, m_i & {Bits{rest_q[0]}}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      making_q <= 1'b0;
      count_q  <= '0;
    end else begin
      making_q <= invert_i || (making_q && count_q != ($clog2(Bits))'(Bits - 1));
      count_q  <= making_q ? count_q + 1 : '0;
    end
    if (clear_i) begin
      n_q    <= '0;
      rest_q <= '0;
    end else if (invert_i) begin
      rest_q <= Bits'(1);
    end else if (making_q) begin
      n_q    <= {rest_q[0], n_q[Bits-1:1]};
      rest_q <= rest[Bits:1];
    end
  end

  // With last_i: U n in carry-save form. A negative multiple is a complement, with ones below, plus
  // 1.
  logic [Pairs:0][Bits-1:0] u_rows;
  logic [Bits-1:0] u_sum, u_carry, u_sum_q, u_carry_q;
  logic up_q;
  logic [Pairs-1:0] negative;
  for (genvar p = 0; p < Pairs; p++) begin : g_u
    assign negative[p] = q_i[p][1] | q_i[p][2];
    logic [Bits-1:0] number;
    assign number = (n_q & {Bits{q_i[p][0] | q_i[p][1]}}) | ((n_q << 1) & {Bits{q_i[p][2]}});
    assign u_rows[p] = (number << (2 * p)) ^ {Bits{q_i[p][1] | q_i[p][2]}};
  end
  logic [Bits-1:0] u_ones;
  always_comb begin
    u_ones = '0;
    for (int unsigned p = 0; p < Pairs; p++) u_ones += Bits'(negative[p]);
  end
  assign u_rows[Pairs] = u_ones;
  montcore_csa_tree #(
      .Rows (Pairs + 1),
      .Width(Bits)
  ) u_first (
      .rows_i (u_rows),
      .sum_o  (u_sum),
      .carry_o(u_carry)
  );

  // One cycle later: the lower half is added, and T n and up n are added to the upper half.
  logic stage_q;
  logic [Pairs+3:0][Radix-1:0] t_rows;
  logic [Radix-1:0] t_sum, t_carry, t_sum_q, t_carry_q, low_q;
  logic [Radix:0] low;
  logic low_carry_q;
  for (genvar p = 0; p < Pairs; p++) begin : g_t
    logic [Radix-1:0] number;
    assign number = (n_q[Radix-1:0] & {Radix{q_i[p][0] | q_i[p][1]}}) |
                    ({n_q[Radix-2:0], 1'b0} & {Radix{q_i[p][2]}});
    assign t_rows[p] = (number << (2 * p)) ^ {Radix{q_i[p][1] | q_i[p][2]}};
  end
  assign t_rows[Pairs]   = u_ones[Radix-1:0];
  assign t_rows[Pairs+1] = n_q[Radix-1:0] & {Radix{up_q}};
  assign t_rows[Pairs+2] = u_sum_q[Bits-1:Radix];
  assign t_rows[Pairs+3] = u_carry_q[Bits-1:Radix];
  montcore_csa_tree #(
      .Rows (Pairs + 4),
      .Width(Radix)
  ) u_second (
      .rows_i (t_rows),
      .sum_o  (t_sum),
      .carry_o(t_carry)
  );
  assign low = {1'b0, u_sum_q[Radix-1:0]} + {1'b0, u_carry_q[Radix-1:0]};

  // Another cycle later: the upper half is added, and both are recoded.
  logic late_q;
  logic [Bits-1:0] shifted;
  logic [Radix-1:0][2:0] digits, digits_q;
  assign shifted = {t_sum_q, low_q} + {t_carry_q, {Radix{1'b0}}} + {Radix{2'b10}} +
                   (Bits'(low_carry_q) << Radix);
  montcore_hr_digits #(
      .Pairs(Radix)
  ) u_digits (
      .shifted_i(shifted),
      .digits_o (digits)
  );
  always_ff @(posedge clk_i) begin
    stage_q     <= last_i & rst_ni & ~clear_i;
    late_q      <= stage_q & rst_ni & ~clear_i;
    u_sum_q     <= u_sum;
    u_carry_q   <= u_carry;
    up_q        <= up_i;
    low_q       <= low[Radix-1:0];
    low_carry_q <= low[Radix];
    t_sum_q     <= t_sum;
    t_carry_q   <= t_carry;
    if (clear_i) digits_q <= '0;
    else if (late_q) digits_q <= digits;
  end
  assign digits_o = digits_q;
  logic unused;
  assign unused = rest[0];
endmodule
