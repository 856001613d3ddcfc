// SPDX-License-Identifier: Apache-2.0

/// Multiplier with a carry-save result, without a long carry-propagate adder.
///
/// sum_o + carry_o = a * b + 2^(2 Width), exactly, without overflow (OutWidth = 2 Width + 1);
/// with a smaller OutWidth, a * b mod 2^OutWidth.
/// Precondition: Width even; code_i made by `montcore_recode` with the same Width and Tech.
/// Latency: 0 (Booth selection and 6 full adders for Width = 32).
/// The constant 2^(2 Width) results from the sign extension of the Booth rows when no carry is
/// dropped; because it is constant, a user can split the sum and carry at any weight.
/// Example, Width = 4: a = 7, b = 9 -> sum + carry = 63 + 256 = 319.
module montcore_mul_cs #(
    parameter int unsigned Width = 32,  // Word width in bits, even, 4 or more.
    /// Width of the result in bits, at most 2 * Width + 1.
    parameter int unsigned OutWidth = 2 * Width + 1,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned Digits = Width / 2 + 1,  // Number of radix-4 digits.
    localparam int unsigned CodeBits = (Tech == montcore_pkg::TechAsic) ? 3 * Digits : Width
) (
    input logic [CodeBits-1:0] code_i,  // Multiplier word a, recoded by montcore_recode.
    input logic [Width-1:0] b_i,  // Multiplicand b, unsigned.
    output logic [OutWidth-1:0] sum_o,  // First word of the carry-save result.
    output logic [OutWidth-1:0] carry_o  // Second word of the carry-save result.
);
  localparam int unsigned Full = 2 * Width + 1;
  localparam int unsigned Tile = 17;

  if (Tech == montcore_pkg::TechAsic) begin : g_tree
    // Row i is digit[i] * b * 4^i; the +1 of a negative digit i is in the empty low bits of row
    // i + 1. A sign s at weight 2^n is written as -s = (1 - s) - 1, and all the -1 together give
    // the constant ones above the rows (row 0: ~s s s, others: 1 ~s), one of which, at weight
    // 2^(2 Width), is omitted so that exactly 2^(2 Width) remains.
    logic [Digits-1:0][Full-1:0] rows;
    logic [Digits-1:0][OutWidth-1:0] used;

    for (genvar i = 0; i < Digits; i++) begin : g_row
      logic negative, two, one;
      assign {negative, two, one} = code_i[3*i+:3];

      if (i == Digits - 1) begin : g_last
        logic unused_code;
        assign rows[i] = Full'({b_i & {Width{one}}, 1'b0, code_i[3*i-1]}) << (Width - 2);
        assign unused_code = negative ^ two;
      end else begin : g_digit
        logic [Width:0] magnitude;
        assign magnitude = (({1'b0, b_i} & {(Width + 1) {one}}) |
                            ({b_i, 1'b0} & {(Width + 1) {two}})) ^ {(Width + 1) {negative}};
        if (i == 0) begin : g_first
          assign rows[i] = Full'({~negative, negative, negative, magnitude});
        end else if (i == Digits - 2) begin : g_top
          assign rows[i] = Full'({~negative, magnitude, 1'b0, code_i[3*i-1]}) << (2 * i - 2);
        end else begin : g_middle
          assign rows[i] = Full'({1'b1, ~negative, magnitude, 1'b0, code_i[3*i-1]}) << (2 * i - 2);
        end
      end
      assign used[i] = rows[i][OutWidth-1:0];
    end

    if (OutWidth < Full) begin : g_unused
      logic [Digits-1:0][Full-OutWidth-1:0] unused_high;
      for (genvar i = 0; i < Digits; i++) begin : g_row_high
        assign unused_high[i] = rows[i][Full-1:OutWidth];
      end
    end

    montcore_csa_tree #(
        .Rows (Digits),
        .Width(OutWidth)
    ) u_tree (
        .rows_i(used),
        .sum_o,
        .carry_o
    );
  end else if (montcore_pkg::has_tiles(
          Tech
      ) && Width > Tile && Width <= 2 * Tile && OutWidth > Tile) begin : g_tiles
    // Four products of halves, cut at 17 bits: the outer two concatenated, the inner two added.
    logic [Tile-1:0] a_low, b_low;
    logic [Width-Tile-1:0] a_high, b_high;
    logic [2*Tile-1:0] low_low;
    logic [2*(Width-Tile)-1:0] high_high;
    logic [Width-1:0] low_high, high_low;
    logic [Width:0] middle;

    assign {a_high, a_low} = code_i;
    assign {b_high, b_low} = b_i;
    assign low_low = (2 * Tile)'(a_low) * (2 * Tile)'(b_low);
    assign high_high = (2 * (Width - Tile))'(a_high) * (2 * (Width - Tile))'(b_high);
    assign low_high = Width'(a_low) * Width'(b_high);
    assign high_low = Width'(a_high) * Width'(b_low);
    assign middle = {1'b0, low_high} + {1'b0, high_low};
    assign sum_o = OutWidth'({1'b1, high_high, low_low});
    assign carry_o = OutWidth'({middle, {Tile{1'b0}}});
    if (OutWidth < Full) begin : g_unused_tiles
      logic unused_high;
      assign unused_high = ^{high_high, middle};
    end
  end else begin : g_infer
    localparam int unsigned ProductBits = (OutWidth < 2 * Width) ? OutWidth : 2 * Width;
    logic [ProductBits-1:0] product;

    montcore_mul_dsp #(
        .Tech(Tech),
        .Width   (Width),
        .OutWidth(ProductBits)
    ) u_product (
        .a_i(code_i),
        .b_i,
        .p_o(product)
    );
    assign carry_o = '0;
    if (OutWidth == Full) begin : g_constant
      assign sum_o = {1'b1, product};
    end else begin : g_product
      assign sum_o = product;
    end
  end
endmodule
