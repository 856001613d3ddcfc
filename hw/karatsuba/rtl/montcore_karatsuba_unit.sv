// SPDX-License-Identifier: Apache-2.0

/// Pipelined multiply-add of half-length numbers: three products by Karatsuba, one result per
/// cycle.
///
/// result_o = a * b + addend mod 2^(2 Half + 2)
/// Precondition: the true value is below 2^(2 Half + 2).
/// Latency: 4 cycles from a_i and b_i, 2 from addend_i; one pair per cycle.
/// With Q = Half / 2 bits in a part: a * b = a1 b1 4^Q + (a1 b1 + a0 b0 - (a1 - a0) (b1 - b0)) 2^Q +
/// a0 b0; the differences are signed and have Q + 1 bits.
/// Example, Half = 8: a = 0x53, b = 0x2a, two cycles later addend = 5 -> result = 0xda3.
module montcore_karatsuba_unit #(
    parameter int unsigned Half = 128,  // Width of each factor in bits, even, 4 or more.
    /// 1: products of Half / 2 bits are computed directly; 2: they are split into four.
    parameter int unsigned Depth = 1,
    /// Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles,
    /// 1: the addend counts; 0: it is zero, and trees have no row for it.
    parameter int unsigned Adds = 1,
    localparam int unsigned ResultBits = 2 * Half + 2
) (
    input logic clk_i,
    input logic [Half-1:0] a_i,  // First factor, unsigned, a new one in each cycle.
    input logic [Half-1:0] b_i,  // Second factor, unsigned, a new one in each cycle.
    input logic [ResultBits-1:0] addend_i,  // Number to add, two cycles after the factors.
    /// Sum of product and addend, four cycles after the factors.
    output logic [ResultBits-1:0] result_o
);
  import montcore_karatsuba_pkg::booth_offset;

  localparam bit Tree = Style == montcore_karatsuba_pkg::StyleTree;
  localparam int unsigned Part = Half / 2;
  localparam int unsigned LeafBits = Part + 1;
  localparam int unsigned ProductBits = 2 * LeafBits;

  // `montcore_karatsuba_combine` relies on it.
  if (Tree && (booth_offset(LeafBits) >> ProductBits) != '0) begin : g_too_wide
    $fatal(1, "%m: the offset of a product's rows must not be wider than the product");
  end

  if (Tree && Depth == 1) begin : g_coded
    logic [2:0][Part/2:0][3:0] code;
    montcore_karatsuba_digits #(
        .Part(Part)
    ) u_digits (
        .clk_i,
        .a_i,
        .code_o(code)
    );
    montcore_karatsuba_coded #(
        .Part(Part),
        .Adds(Adds)
    ) u_product (
        .clk_i,
        .code_i(code),
        .b_i,
        .addend_i,
        .result_o
    );
  end else begin : g_parts
    logic [2:0][LeafBits-1:0] a  /* verilator split_var */;
    logic [2:0][LeafBits-1:0] b  /* verilator split_var */;
    logic [2:0][ProductBits-1:0] sum, carry;

    assign a[0] = {1'b0, a_i[Part-1:0]};
    assign a[1] = {1'b0, a_i[Half-1:Part]};
    assign b[0] = {1'b0, b_i[Part-1:0]};
    assign b[1] = {1'b0, b_i[Half-1:Part]};

    // a1 - a0 and b1 - b0.
    montcore_karatsuba_difference #(
        .Width(LeafBits),
        .Tree (Tree)
    ) u_a (
        .a_i         (a[1]),
        .b_i         (a[0]),
        .difference_o(a[2])
    );
    montcore_karatsuba_difference #(
        .Width(LeafBits),
        .Tree (Tree)
    ) u_b (
        .a_i         (b[1]),
        .b_i         (b[0]),
        .difference_o(b[2])
    );

    for (genvar i = 0; i < 3; i++) begin : g_leaf
      if (Depth == 2) begin : g_four
        // A single number; for a tree its sign bit is inverted.
        logic [ProductBits-1:0] product;
        montcore_karatsuba_four #(
            .Part (Part / 4),
            .Style(Style)
        ) u_four (
            .clk_i,
            .a_i(a[i]),
            .b_i(b[i]),
            .p_o(product)
        );
        if (Tree) begin : g_offset
          assign sum[i] = {~product[ProductBits-1], product[ProductBits-2:0]};
        end else begin : g_signed
          assign sum[i] = product;
        end
        assign carry[i] = '0;
      end else begin : g_whole
        montcore_karatsuba_leaf #(
            .Width(LeafBits),
            .Style(Style)
        ) u_leaf (
            .clk_i,
            .a_i    (a[i]),
            .b_i    (b[i]),
            .sum_o  (sum[i]),
            .carry_o(carry[i])
        );
      end
    end

    if (Tree) begin : g_tree
      montcore_karatsuba_combine #(
          .Part (Part),
          .Depth(Depth),
          .Adds (Adds)
      ) u_combine (
          .clk_i,
          .sum_i  (sum),
          .carry_i(carry),
          .addend_i,
          .result_o
      );
    end else begin : g_chain
      logic [ProductBits-1:0] mid, mid_q;
      logic [4*Part-1:0] outer_q;
      logic [ResultBits-1:0] addend_q, result;
      logic unused_bits;

      // a1 b0 + a0 b1 is not negative and below 2^(2 Part + 1).
      montcore_karatsuba_middle #(
          .Width(ProductBits)
      ) u_mid (
          .high_i  (sum[1]),
          .low_i   (sum[0]),
          .diff_i  (sum[2]),
          .middle_o(mid)
      );
      always_ff @(posedge clk_i) begin
        mid_q    <= mid;
        outer_q  <= {sum[1][2*Part-1:0], sum[0][2*Part-1:0]};
        addend_q <= addend_i;
      end
      montcore_sum #(
          .Rows (3),
          .Width(ResultBits),
          .Tree (1'b0)
      ) u_result (
          .rows_i ({addend_q, ResultBits'(mid_q) << Part, ResultBits'(outer_q)}),
          .carry_i(1'b0),
          .sum_o  (result)
      );
      always_ff @(posedge clk_i) result_o <= result;
      assign unused_bits = ^{carry, sum};
    end
  end
endmodule
