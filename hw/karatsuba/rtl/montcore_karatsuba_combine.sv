// SPDX-License-Identifier: Apache-2.0

/// Sums the three products of Karatsuba's multiplication and an addend, for standard cells.
///
/// result_o = p1 4^Part + (p1 + p0 - p2) 2^Part + p0 + addend mod 2^ResultBits
/// Precondition: sum_i[k] + carry_i[k] = p_k plus its offset, `montcore_karatsuba_pkg::booth_offset`,
/// or with Depth = 2 the weight of the sign bit; the true value is below 2^ResultBits.
/// Latency: 2 cycles; one result per cycle.
/// Example, Part = 2, Depth = 2: products 6, 2, -1 and addend 5 -> 6 + 4 * 9 + 16 * 2 + 5 = 79.
module montcore_karatsuba_combine #(
    parameter  int unsigned Part        = 64,            // Width of a part in bits.
    /// 1: products are pairs with the offset of Booth rows; 2: numbers with inverted sign bits.
    parameter  int unsigned Depth       = 1,
    /// 1: the addend counts; 0: it is zero, and the tree has no row for it.
    parameter  int unsigned Adds        = 1,
    localparam int unsigned ProductBits = 2 * Part + 2,
    localparam int unsigned ResultBits  = 4 * Part + 2
) (
    input logic clk_i,
    /// First words of the products: of the low parts, of the high ones, of the differences.
    input logic [2:0][ProductBits-1:0] sum_i,
    input logic [2:0][ProductBits-1:0] carry_i,  // Second words of the products.
    input logic [ResultBits-1:0] addend_i,  // Number to add, valid with the products.
    output logic [ResultBits-1:0] result_o  // Product plus addend.
);
  import montcore_karatsuba_pkg::ConstBits;
  import montcore_karatsuba_pkg::booth_offset;

  // Exact except for the last carries, which are above the result: each product
  // is Offset too large, and its bits above 2 Part have rows of their own. -D = ~D's halves + 2 +
  // Offset - 2^(ProductBits + 1).
  localparam logic [ConstBits-1:0] BoothOffset = booth_offset(Part + 1);
  localparam logic [ResultBits-1:0] One = ResultBits'(1);
  localparam logic [ResultBits-1:0] Offset = (Depth == 2) ? One << (ProductBits - 1) :
      BoothOffset[ResultBits-1:0];
  localparam logic [ResultBits-1:0] Correction = (One << (Part + 1)) - Offset -
      (Offset << Part) - (Offset << (2 * Part)) - (One << (Part + ProductBits + 1));

  // Each row has ones only where its mask has some. The order, found by a search,
  // leaves few full and half adders.
  localparam int unsigned Rows = (Adds == 1) ? 12 : 11;
  localparam logic [ResultBits-1:0] All = '1;
  localparam logic [ResultBits-1:0] Product = All >> (ResultBits - ProductBits);
  localparam logic [ResultBits-1:0] Low = Product << Part;
  localparam logic [ResultBits-1:0] High = (Product >> (2 * Part)) << (2 * Part);
  localparam logic [12*ResultBits-1:0] Masks = {
    All, All, All, High, Correction, High, Low, Low, Low, Low, Low, Low
  };

  logic [ResultBits-1:0] outer_sum, outer_carry, high_sum, high_carry;
  logic [2:0][ResultBits-1:0] mid_sum, mid_carry;
  logic [Rows-1:0][ResultBits-1:0] rows;
  logic [ProductBits-1:0] sum_inverse, carry_inverse;
  logic [ResultBits-1:0] tree_sum, tree_carry, sum_q, carry_q, result;

  assign sum_inverse = ~sum_i[2];
  assign carry_inverse = ~carry_i[2];
  assign outer_sum = {sum_i[1], sum_i[0][2*Part-1:0]};
  assign outer_carry = {carry_i[1], carry_i[0][2*Part-1:0]};
  assign high_sum = ResultBits'(sum_i[0][ProductBits-1:2*Part]) << (2 * Part);
  assign high_carry = ResultBits'(carry_i[0][ProductBits-1:2*Part]) << (2 * Part);
  for (genvar i = 0; i < 2; i++) begin : g_mid
    assign mid_sum[i]   = ResultBits'(sum_i[i]) << Part;
    assign mid_carry[i] = ResultBits'(carry_i[i]) << Part;
  end
  assign mid_sum[2] = ResultBits'(sum_inverse) << Part;
  assign mid_carry[2] = ResultBits'(carry_inverse) << Part;

  assign rows[10:0] = {
    outer_sum,
    outer_carry,
    high_carry,
    Correction,
    high_sum,
    mid_sum[1],
    mid_carry[2],
    mid_sum[0],
    mid_carry[0],
    mid_carry[1],
    mid_sum[2]
  };
  if (Adds == 1) begin : g_adds
    assign rows[Rows-1] = addend_i;
  end else begin : g_product
    logic unused_addend;
    assign unused_addend = ^addend_i;
  end

  montcore_karatsuba_tree #(
      .Rows (Rows),
      .Width(ResultBits),
      .Masks(Masks[Rows*ResultBits-1:0])
  ) u_tree (
      .rows_i (rows),
      .sum_o  (tree_sum),
      .carry_o(tree_carry)
  );
  always_ff @(posedge clk_i) begin
    sum_q   <= tree_sum;
    carry_q <= tree_carry;
  end
  montcore_karatsuba_adder #(
      .Width(ResultBits),
      .Group(3)
  ) u_result (
      .a_i    (sum_q),
      .b_i    (carry_q),
      .carry_i(1'b0),
      .sum_o  (result)
  );

  always_ff @(posedge clk_i) result_o <= result;
endmodule
