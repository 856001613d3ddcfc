// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_recode` with `montcore_mul_cs`, for every word a and b.
///
/// a_digit, a_last_digit, a_digits: the Booth digits lie in {-2 .. 2} (the last in {0, 1}); their
/// weighted sum is a.
/// a_row: each Booth row equals exactly digit * b * 4^i, minus the +1 that the next row holds, plus
/// the +1 of the previous row, plus a constant; no row is ever negative. a_constants: the constants
///   add up to 2^(2 Width).
/// Together with a_sum and a_exact of `montcore_csa_proof` they prove the product at any width: see
///   docs/soundness.md.
/// a_product (Product = 1): the complete product: sum + carry == a * b + 2^(2 Width) as integers.
/// a_low (Product = 1): a multiplier built for its low word gives a * b mod 2^Width.
module montcore_mul_cs_proof #(
    parameter int unsigned Width = 8,  // Word width in bits.
    /// 1: state the complete product too, which solvers handle for small words only.
    parameter bit Product = 1'b1
) (
    input logic clk_i,  // Clock, rising edge; present because bit-level provers need a register.
    input logic [Width-1:0] a_i,  // Multiplier word a, unsigned.
    input logic [Width-1:0] b_i  // Multiplicand b, unsigned.
);
  localparam int unsigned Digits = Width / 2 + 1;
  localparam int unsigned Full = 2 * Width + 1;
  // Wide enough for the exact sum of all rows, with a sign.
  localparam int unsigned Exact = Full + $clog2(Digits) + 2;

  logic [Width-1:0] a_q, b_q;
  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
  end

  logic [3*Digits-1:0] code;
  logic [Full-1:0] sum, carry;
  logic [Width-1:0] low_sum, low_carry;

  montcore_recode #(
      .Width(Width),
      .Tech (montcore_pkg::TechAsic)
  ) u_recode (
      .word_i(a_q),
      .code_o(code)
  );
  montcore_mul_cs #(
      .Width(Width),
      .Tech (montcore_pkg::TechAsic)
  ) u_mul (
      .code_i (code),
      .b_i    (b_q),
      .sum_o  (sum),
      .carry_o(carry)
  );
  montcore_mul_cs #(
      .Width   (Width),
      .OutWidth(Width),
      .Tech    (montcore_pkg::TechAsic)
  ) u_low (
      .code_i (code),
      .b_i    (b_q),
      .sum_o  (low_sum),
      .carry_o(low_carry)
  );

  logic signed [Digits-1:0][2:0] digit;
  logic signed [Exact-1:0] b;
  assign b = $signed(Exact'(b_q));

  // Digits 0 .. k have the value of the low 2 k + 2 bits of a, the highest of them counted as
  // negative: one induction step per digit, since a solver cannot handle the complete sum.
  logic [Width+1:0] a_padded;
  assign a_padded = {2'b00, a_q};
  for (genvar i = 0; i < Digits; i++) begin : g_digit
    logic signed [Exact-1:0] below, worth;
    logic negative, two, one;
    assign {negative, two, one} = code[3*i+:3];
    // A negative digit is minus its magnitude; a negative zero is allowed: -0 - 1 + 1.
    assign digit[i] = negative ? -$signed({1'b0, two, one}) : $signed({1'b0, two, one});
    if (i == 0) begin : g_none
      assign below = '0;
    end else begin : g_some
      assign below = Exact'($signed(a_padded[2*i-1:0]));
    end
    assign worth = Exact'($signed(a_padded[2*i+1:0]));
    always_comb begin
      a_digit : assert (!(two && one));
      a_digits : assert (worth == below + (Exact'($signed(digit[i])) <<< (2 * i)));
      if (i == Digits - 1) begin
        a_last_digit : assert (!negative && !two && worth == $signed(Exact'(a_q)));
      end
    end
  end

  // The constant in row i that results from its sign extension.
  function automatic logic signed [Exact-1:0] row_constant(int unsigned i);
    if (i == 0) return Exact'(1) <<< (Width + 3);
    if (i == Digits - 1) return '0;
    if (i == Digits - 2) return Exact'(1) <<< (2 * Width - 1);
    return Exact'(3) <<< (Width + 1 + 2 * i);
  endfunction

  logic signed [Exact-1:0] constants;
  always_comb begin
    constants = '0;
    for (int unsigned i = 0; i < Digits; i++) constants += row_constant(i);
    a_constants : assert (constants == Exact'(1) <<< (2 * Width));
  end

  for (genvar i = 0; i < Digits; i++) begin : g_row
    logic signed [Exact-1:0] magnitude, multiple, plus_one, expected;
    assign magnitude = code[3*i] ? b : code[3*i+1] ? b <<< 1 : '0;
    // A negative digit gives digit * b - 1 = ~magnitude; the missing 1 is in the next row.
    assign multiple  = code[3*i+2] ? ~magnitude : magnitude;
    if (i == 0) begin : g_first
      assign plus_one = '0;
    end else begin : g_other
      assign plus_one = Exact'(code[3*i-1]) <<< (2 * i - 2);
    end
    // Mutant: the specification omits the 1 of the row before.
    assign expected = (multiple <<< (2 * i)) + (`MUTANT ? '0 : plus_one) + row_constant(i);
    always_comb a_row : assert ($signed(Exact'(u_mul.g_tree.rows[i])) == expected);
  end

  if (Product) begin : g_product
    logic [Full-1:0] product;
    assign product = Full'((2 * Width)'(a_q) * (2 * Width)'(b_q));
    always_comb begin
      a_product : assert ({1'b0, sum} + {1'b0, carry} == {2'b01, product[2*Width-1:0]});
      a_low : assert (Width'(low_sum + low_carry) == product[Width-1:0]);
    end
  end
endmodule
