// SPDX-License-Identifier: Apache-2.0

/// Quotient digits of `hr`, and the Radix lowest columns of block 0 as one number.
///
/// low <- S, C and the multiples, restricted to these columns, + (low - q) / 2^Radix
/// q = low mod 2^Radix in digits from {-2, -1, 0, 1}; carry_q is 1 if its value is low - 2^Radix.
/// The multiples for the next iteration are selected and reduced to two vectors one cycle ahead, so
/// that the digit's path is two adders, a short sum and the recoding. In the last iteration of a
/// product carry_q is omitted: low mod 2^Radix remains then instead of the digits.
/// Precondition: begin_i in the cycle before the first of a product, first_i in that cycle.
/// Latency: q_o belongs to low_o; before_o are the digits of the cycle before, zero in the first
/// two cycles of a product.
/// Source: H. Orup, "Simplifying Quotient Determination in High-Radix Modular Multiplication" (1995).
/// Example, Radix = 4: low = 0x1b -> q = {-1, -1} (lowest first, -5), and 2 is added to the next
/// low.
module montcore_hr_lowest #(
    parameter int unsigned Radix = 4,  // Bits of X per iteration, even.
    localparam int unsigned Pairs = Radix / 2  // Number of radix-4 digits.
) (
    input logic clk_i,
    input logic soon_i,  // High: begin_i is high in the next cycle.
    input logic begin_i,  // High: the next cycle is the first of a product.
    input logic first_i,  // High in the first cycle of a product.
    input logic last_i,  // High in the last cycle of a product.
    input logic [Pairs-1:0][2:0] a_i,  // Digits of A for the next cycle, coded as lines {-1, 2, 1}.
    input logic [Radix-1:0] b_i,  // Lowest bits of B for the next cycle.
    input logic [Radix-1:0] n_i,  // Lowest bits of N, constant.
    input logic [Radix-1:0] s_i,  // S of the cells above the columns.
    input logic [Radix-1:0] c_i,  // C of the cells from the topmost column on.
    output logic [Radix:0] low_o,  // Value of the columns, with its carry.
    output logic [Pairs-1:0][2:0] q_o,  // Digits of low_o, coded as lines {-2, -1, 1}.
    /// Carry above the digits: low mod 2^Radix is their value plus 2^Radix times it.
    output logic above_o,
    output logic [Pairs-1:0][2:0] before_o,  // Digits for the cells, those of the cycle before.
    /// Carry of the cycle before into the cell above, which is added in the next iteration.
    output logic late_o,
    output logic [Radix-2:0] up_o,  // Carries into the cell above the columns.
    output logic carry_o  // Carry that the topmost column keeps as its C.
);
  localparam int unsigned Ups = (Radix > 2) ? Radix - 2 : 1;

  logic [Radix:0] low, low_q;
  logic [Pairs-1:0][2:0] digits, q_q, q, before_q;
  logic carry_q, extra_q, late_q, live_q, own_q;

  // One cycle ahead: the multiples in the columns. A negative multiple is a complement, with ones
  // below it, plus 1.
  logic [2*Pairs-1:0][Radix-1:0] rows;
  logic [2*Pairs-1:0] ones;
  for (genvar p = 0; p < Pairs; p++) begin : g_multiple
    assign q[p] = q_q[p] & {3{own_q}};
    assign ones[p] = a_i[p][2];
    assign ones[Pairs+p] = q[p][1] | q[p][2];
    for (genvar i = 0; i < Radix; i++) begin : g_column
      if (i > 2 * p) begin : g_whole
        assign rows[p][i] = (a_i[p][0] & b_i[i-2*p]) | (a_i[p][1] & b_i[i-2*p-1]) |
                            (a_i[p][2] & ~b_i[i-2*p]);
        assign rows[Pairs+p][i] = (q[p][0] & n_i[i-2*p]) | (q[p][1] & ~n_i[i-2*p]) |
                                  (q[p][2] & ~n_i[i-2*p-1]);
      end else if (i == 2 * p) begin : g_lowest
        assign rows[p][i] = (a_i[p][0] & b_i[0]) | (a_i[p][2] & ~b_i[0]);
        assign rows[Pairs+p][i] = (q[p][0] & n_i[0]) | (q[p][1] & ~n_i[0]) | q[p][2];
      end else begin : g_below
        assign rows[p][i] = ones[p];
        assign rows[Pairs+p][i] = ones[Pairs+p];
      end
    end
  end
  logic [Radix-1:0] first, second, first_q, second_q;
  logic [Ups-1:0] out, out_q;
  if (Radix == 2) begin : g_two
    assign first  = rows[0];
    assign second = rows[1];
    assign out    = '0;
  end else begin : g_more
    logic [Radix-1:0] carry;
    if (Radix == 4) begin : g_four
      logic one;
      montcore_hr_tree #(
          .Rows (Radix),
          .Width(Radix)
      ) u_tree (
          .rows_i (rows),
          .carry_i(ones[0]),
          .sum_o  (first),
          .carry_o(carry),
          .up_o   (one)
      );
      assign out = {carry[Radix-1], one};
    end else begin : g_wide
      logic [Radix-4:0] up;
      montcore_hr_tree #(
          .Rows (Radix),
          .Width(Radix)
      ) u_tree (
          .rows_i (rows),
          .carry_i(ones[Radix-4:0]),
          .sum_o  (first),
          .carry_o(carry),
          .up_o   (up)
      );
      assign out = {carry[Radix-1], up};
    end
    assign second = {carry[Radix-2:0], ones[Radix-3]};
  end

  // Half adders for the last two ones; the carry that may result is added one iteration late.
  logic [Radix-1:0] once, once_carry;
  assign once = first ^ second ^ Radix'(ones[Radix-2]);
  assign once_carry = (first & second) | (Radix'(ones[Radix-2]) & (first | second));

  // In the cycle itself: two adders per column, and a sum with the part above low - q.
  logic [Radix-1:0] mid, mid_carry, rest, end_carry;
  assign mid = ((s_i ^ c_i) & {Radix{live_q}}) ^ first_q;
  assign mid_carry = ((s_i & c_i) | (first_q & (s_i | c_i))) & {Radix{live_q}};
  logic [Radix-1:0] mid_up;
  assign mid_up = {mid_carry[Radix-2:0], late_q & live_q};
  assign rest = mid ^ mid_up ^ second_q;
  assign end_carry = (mid & mid_up) | (second_q & (mid | mid_up));
  assign low = {1'b0, rest} + {1'b0, end_carry[Radix-2:0], carry_q & ~first_i & ~last_i} +
               {{Radix{1'b0}}, low_q[Radix] & ~first_i};
  assign carry_o = end_carry[Radix-1];
  if (Radix == 2) begin : g_up_two
    logic unused;
    assign up_o   = mid_carry[Radix-1];
    assign unused = ^out_q;
  end else begin : g_up
    assign up_o = {mid_carry[Radix-1], out_q};
  end

  // The same with 2 more in each digit; bit Radix differs from low's by the carry above the digits.
  logic [Radix:0] shifted;
  assign shifted = {1'b0, rest} + {1'b0, end_carry[Radix-2:0], carry_q & ~first_i & ~last_i} +
                   {1'b0, {Pairs{2'b10}}} + {{Radix{1'b0}}, low_q[Radix] & ~first_i};
  montcore_hr_digits #(
      .Pairs(Pairs)
  ) u_digits (
      .shifted_i(shifted[Radix-1:0]),
      .digits_o (digits)
  );

  always_ff @(posedge clk_i) begin
    own_q    <= ~(soon_i | begin_i);
    live_q   <= ~begin_i;
    first_q  <= once;
    second_q <= {once_carry[Radix-2:0], ones[Radix-1]};
    extra_q  <= once_carry[Radix-1];
    late_q   <= extra_q;
    out_q    <= out;
    low_q    <= low;
    q_q      <= digits;
    carry_q  <= shifted[Radix] ^ low[Radix];
    before_q <= q;
  end
  assign low_o = low_q;
  assign late_o = late_q;
  assign q_o = q_q;
  assign above_o = carry_q;
  assign before_o = before_q;
endmodule
