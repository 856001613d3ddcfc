// SPDX-License-Identifier: Apache-2.0

/// Multiplier by four-parts splitting: ten products of parts instead of sixteen.
///
/// p_o = a * b
/// Precondition: with Signed = 0, a and b are not negative; with Depth = 2, Signed = 0 and Part = 4 c
/// with c at least 2.
/// Latency: 2 cycles and the logic after the second register; with Staged and Collect 6 cycles and
/// the last addition (Depth = 1), or 9 (Depth = 2).
/// a = a3 2^(3 Part) + a2 2^(2 Part) + a1 2^Part + a0, and likewise b. With Pi = ai bi and
/// Dij = (ai - aj) (bi - bj), ai bj + aj bi = Pi + Pj - Dij, and so
///   low  = P0 + (P0 + P1 - D10) 2^Part + P1 2^(2 Part)
///   high = P2 + (P2 + P3 - D32) 2^Part + P3 2^(2 Part)
///   mid  = (P0 + P2 - D20) + (P0 + P1 + P2 + P3 - D30 - D21) 2^Part + (P1 + P3 - D31) 2^(2 Part)
///   a b  = low + mid 2^(2 Part) + high 2^(4 Part).
/// Source: karatsuba-2018, Equation 4, with its sums in another order.
/// Example, Part = 4: a = 0x1234, b = 0x0005 -> p = 0x5b04.
module karatsuba_four #(
    /// Bits of a part, 2 or more.
    parameter int unsigned Part = 16,
    /// 1: the ten products are made whole; 2: each is again split in four.
    parameter int unsigned Depth = 1,
    /// How they are made, `karatsuba_pkg::Style...`.
    parameter int unsigned Style = karatsuba_pkg::StyleTiles,
    /// 1: a and b may be negative.
    parameter bit Signed = 1'b1,
    /// 1: a register after each of the three steps from the products to the last addition.
    parameter bit Staged = 1'b0,
    /// 1: a register between the products and those steps.
    parameter bit Collect = 1'b0,
    /// Bits of a factor (do not change).
    localparam int unsigned Width = 4 * Part + 1
) (
    /// Clock.
    input  logic               clk_i,
    /// First factor.
    input  logic [  Width-1:0] a_i,
    /// Second factor.
    input  logic [  Width-1:0] b_i,
    /// Product.
    output logic [2*Width-1:0] p_o
);
  localparam bit Tree = Style == karatsuba_pkg::StyleTree;
  // A part has Part + 1 bits with its sign; a difference with a negative part one more.
  localparam int unsigned FactorBits = Part + 1 + 32'(Signed);
  localparam int unsigned ProductBits = 2 * FactorBits;
  localparam int unsigned SumBits = 2 * Part + 5;
  localparam int unsigned Products = 10;

  logic [3:0][FactorBits-1:0] a, b;
  logic [Products-1:0][FactorBits-1:0] a_side, b_side;
  logic [Products-1:0][SumBits-1:0] made, product;

  for (genvar i = 0; i < 3; i++) begin : g_part
    assign a[i] = FactorBits'(a_i[i*Part+:Part]);
    assign b[i] = FactorBits'(b_i[i*Part+:Part]);
  end
  if (Signed) begin : g_signed
    assign a[3] = {a_i[Width-1], a_i[Width-1:3*Part]};
    assign b[3] = {b_i[Width-1], b_i[Width-1:3*Part]};
  end else begin : g_unsigned
    assign a[3] = a_i[Width-1:3*Part];
    assign b[3] = b_i[Width-1:3*Part];
  end

  // P0 .. P3, D10, D32, D20, D31, D30, D21.
  assign a_side = {
    a[2] - a[1],
    a[3] - a[0],
    a[3] - a[1],
    a[2] - a[0],
    a[3] - a[2],
    a[1] - a[0],
    a[3],
    a[2],
    a[1],
    a[0]
  };
  assign b_side = {
    b[2] - b[1],
    b[3] - b[0],
    b[3] - b[1],
    b[2] - b[0],
    b[3] - b[2],
    b[1] - b[0],
    b[3],
    b[2],
    b[1],
    b[0]
  };

  for (genvar i = 0; i < Products; i++) begin : g_product
    logic [ProductBits-1:0] whole;
    if (Depth == 2) begin : g_deep
      karatsuba_four #(
          .Part  (Part / 4),
          .Depth (1),
          .Style (Style),
          .Signed(1'b1),
          .Staged(Staged)
      ) u_four (
          .clk_i(clk_i),
          .a_i  (a_side[i]),
          .b_i  (b_side[i]),
          .p_o  (whole)
      );
    end else begin : g_leaf
      logic [ProductBits-1:0] sum, carry;
      karatsuba_leaf #(
          .Width(FactorBits),
          .Style(Style)
      ) u_leaf (
          .clk_i  (clk_i),
          .a_i    (a_side[i]),
          .b_i    (b_side[i]),
          .sum_o  (sum),
          .carry_o(carry)
      );
      if (Tree) begin : g_tree
        localparam logic [karatsuba_pkg::ConstBits-1:0] WideOffset = karatsuba_pkg::booth_offset(
            FactorBits
        );
        localparam logic [ProductBits-1:0] Offset = WideOffset[ProductBits-1:0];
        localparam logic [ProductBits-1:0] Correction = ~Offset;
        mont_sum #(
            .Rows (3),
            .Width(ProductBits)
        ) u_whole (
            .rows_i ({Correction, carry, sum}),
            .carry_i(1'b1),
            .sum_o  (whole)
        );
      end else begin : g_whole
        logic unused_carry;
        assign whole = sum;
        assign unused_carry = ^carry;
      end
    end
    if (i < (Signed ? 3 : 4)) begin : g_positive
      logic unused_sign;
      assign made[i] = SumBits'(whole[2*Part-1:0]);
      assign unused_sign = ^whole[ProductBits-1:2*Part];
    end else begin : g_any
      assign made[i] = {{(SumBits - ProductBits) {whole[ProductBits-1]}}, whole};
    end
  end

  karatsuba_stage #(
      .Width   (Products * SumBits),
      .Register(Collect)
  ) u_collect (
      .clk_i(clk_i),
      .d_i  (made),
      .q_o  (product)
  );

  // Step 1: sums of two. P0 .. P3, P0 + P1, P2 + P3, P0 + P2, P1 + P3, D30 + D21, and the other D.
  localparam int unsigned Pairs = 13;
  logic [Pairs-1:0][SumBits-1:0] pair_d, pair;
  assign pair_d = {
    product[7],
    product[6],
    product[5],
    product[4],
    product[9] + product[8],
    product[3] + product[1],
    product[2] + product[0],
    product[3] + product[2],
    product[1] + product[0],
    product[3],
    product[2],
    product[1],
    product[0]
  };
  karatsuba_stage #(
      .Width   (Pairs * SumBits),
      .Register(Staged)
  ) u_pairs (
      .clk_i(clk_i),
      .d_i  (pair_d),
      .q_o  (pair)
  );

  // Step 2: what stands at each power of 2^Part. P0 .. P3, then the middle of low and of high, then
  // mid from its lowest power.
  localparam int unsigned Powers = 9;
  logic [Powers-1:0][SumBits-1:0] power_d, power;
  assign power_d[0] = pair[0];
  assign power_d[1] = pair[1];
  assign power_d[2] = pair[2];
  assign power_d[3] = pair[3];
  logic [4:0][SumBits-1:0] middle;
  assign middle[0] = pair[4] - pair[9];
  assign middle[1] = pair[5] - pair[10];
  assign middle[2] = pair[6] - pair[11];
  assign middle[4] = pair[7] - pair[12];
  karatsuba_middle #(
      .Width(SumBits),
      .Tree (Tree)
  ) u_middle (
      .high_i  (pair[7]),
      .low_i   (pair[6]),
      .diff_i  (pair[8]),
      .middle_o(middle[3])
  );
  // Without signs the upper bits are zero: sums of two products of parts, of four in the middle.
  for (genvar i = 0; i < 5; i++) begin : g_power
    if (Signed) begin : g_signed
      assign power_d[4+i] = middle[i];
    end else begin : g_unsigned
      localparam int unsigned CrossBits = 2 * Part + ((i == 3) ? 2 : 1);
      assign power_d[4+i] = SumBits'(middle[i][CrossBits-1:0]);
    end
  end
  karatsuba_stage #(
      .Width   (Powers * SumBits),
      .Register(Staged)
  ) u_powers (
      .clk_i(clk_i),
      .d_i  (power_d),
      .q_o  (power)
  );

  // Step 3: low, high and mid.
  localparam int unsigned OuterBits = 8 * Part + 2;
  localparam int unsigned MidBits = SumBits + 2 * Part;
  logic [OuterBits-1:0] outer_d, outer;
  logic [MidBits-1:0] mid_d, mid;
  logic [SumBits-1:0] mid_1, mid_2;

  assign outer_d[Part-1:0] = power[0][Part-1:0];
  assign outer_d[4*Part-1:Part] =
      {power[1][2*Part-1:0], power[0][2*Part-1:Part]} + (3 * Part)'(power[4][2*Part:0]);
  assign outer_d[5*Part-1:4*Part] = power[2][Part-1:0];
  assign outer_d[OuterBits-1:5*Part] = {power[3][2*Part+1:0], power[2][2*Part-1:Part]} +
      {{(Part - 1) {power[5][2*Part+2]}}, power[5][2*Part+2:0]};
  assign mid_1 = power[7] + {{Part{power[6][SumBits-1]}}, power[6][SumBits-1:Part]};
  assign mid_2 = power[8] + {{Part{mid_1[SumBits-1]}}, mid_1[SumBits-1:Part]};
  assign mid_d = {mid_2, mid_1[Part-1:0], power[6][Part-1:0]};
  karatsuba_stage #(
      .Width   (OuterBits + MidBits),
      .Register(Staged)
  ) u_outer (
      .clk_i(clk_i),
      .d_i  ({mid_d, outer_d}),
      .q_o  ({mid, outer})
  );

  logic unused_middle;
  assign unused_middle = ^middle;

  // The last addition.
  assign p_o = {
    outer[OuterBits-1:2*Part] + {{(OuterBits - 2 * Part - MidBits) {mid[MidBits-1]}}, mid},
    outer[2*Part-1:0]
  };
endmodule
