// SPDX-License-Identifier: Apache-2.0

/// Processing element of the fast schedule: multiply, then accumulate one word of T.
///
/// Stage M: (low, high) words of a * b in carry-save form, registered.
/// Stage A: sum_o = base + low word of own product + high word of the neighbour's product, where
///   base = low_i + 2^WordBits * carry_i, or low_i + carry_i when the pass shifts T by a word.
/// Precondition: the mathematical sum is below 2^(WordBits + 3); it is, since carry_i <= 4.
/// Latency: 2 cycles from code_i and b_i to sum_o (combinational in stage A). With registered tiles,
/// code_i and b_i are loaded one cycle earlier, into the DSP blocks, a product is one low and one high word,
/// and the sum is below 2^(WordBits + 4).
/// Source: smm-2021, Figure 5, with the adders of the paper merged into one carry-save sum.
/// Example, WordBits = 4: a * b = 7 * 9 = 0x3f, base 0, neighbour's high word 2 -> sum = 0x11.
module montcore_smm_fast_pe #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned CarryBits = montcore_smm_fast_pkg::carry_bits(WordBits, Tech),
    localparam int unsigned CodeBits =
        (Tech == montcore_pkg::TechAsic) ? 3 * (WordBits / 2 + 1) : WordBits
) (
    input logic clk_i,
    /// Multiplier word a, recoded (stage M; for registered tiles stage R, loaded with load_i).
    input logic [CodeBits-1:0] code_i,
    input logic load_i,  // Load enable of the multiplier word (stage R; registered tiles only).
    input logic clear_i,  // Clear of the blocks' registers (registered tiles only).
    input logic [WordBits-1:0] b_i,  // Multiplicand word b (stage M; for registered tiles stage R).
    input logic [WordBits-1:0] low_i,  // Low word of the base (stage A).
    input logic [CarryBits-1:0] carry_i,  // Deferred carry of this word (stage A).
    /// The pass shifts T by one word: the deferred carry has the weight of the low word (stage A).
    input logic shift_i,
    /// Neighbour's high word, first part, with the constant 2^WordBits (stage A).
    input logic [WordBits:0] high_sum_i,
    input logic [WordBits:0] high_carry_i,  // Neighbour's high word, second part (stage A).
    input logic kappa_i,  // Carry out of the neighbour's low word (stage A).
    /// Own high word, first part, with the constant 2^WordBits (stage A).
    output logic [WordBits:0] high_sum_o,
    output logic [WordBits:0] high_carry_o,  // Own high word, second part (stage A).
    /// Carry out of the own low word, to be added together with the own high word (stage A).
    output logic kappa_o,
    /// Low word of the own product, without the carry out of it (stage A; registered tiles only).
    output logic [WordBits-1:0] low_o,
    /// New word of T with its deferred carry on top (stage A).
    output logic [WordBits+CarryBits-1:0] sum_o,
    /// Lowest WordBits bits of sum_o in the first slot of a pass that does not shift, with less delay (stage A).
    output logic [WordBits-1:0] word_o
);
  localparam int unsigned SumBits = WordBits + CarryBits;
  localparam int unsigned Tile = 17;

  if (montcore_smm_fast_pkg::registered_tiles(WordBits, Tech)) begin : g_registered
    localparam int unsigned Rest = WordBits - Tile;
    logic [1:0][Tile-1:0] a, b;
    logic [1:0][1:0][2*Tile-1:0] p;
    logic [WordBits-1:0] low_high, high_low;
    logic [2*WordBits-1:0] outer;
    assign a = (2 * Tile)'(code_i);
    assign b = (2 * Tile)'(b_i);
    for (genvar i = 0; i < 2; i++) begin : g_a
      for (genvar j = 0; j < 2; j++) begin : g_b
        montcore_mul_registered #(
            .Tech (Tech),
            .Width(Tile)
        ) u_tile (
            .clk_i,
            .clear_i,
            .a_load_i(load_i),
            .a_i     (a[i]),
            .b_i     (b[j]),
            .p_o     (p[i][j])
        );
      end
    end
    assign outer = {p[1][1][2*Rest-1:0], p[0][0]};
    assign low_high = p[0][1][WordBits-1:0];
    assign high_low = p[1][0][WordBits-1:0];

    // The four products are summed into a low and a high word before their register. The carry out of the low
    // word stays on top of it, so that the two sums are short and parallel.
    logic [Rest+1:0] low_sum, low_carry;
    montcore_csa #(
        .Width(Rest + 2)
    ) u_low (
        .a_i    ((Rest + 2)'(outer[WordBits-1:Tile])),
        .b_i    ((Rest + 2)'(low_high[Rest-1:0])),
        .c_i    ((Rest + 2)'(high_low[Rest-1:0])),
        .sum_o  (low_sum),
        .carry_o(low_carry)
    );

    // The inner products end at bit Tile of the high word. The carry from bit Tile into the bits above is added with
    // the next word, so that this chain is no longer than that of the low word.
    localparam int unsigned Joint = Tile + 1;
    logic [Joint:0] high_sum, high_carry, joint;
    logic [WordBits-1:0] above, high_q;
    logic [WordBits+1:0] low_q;
    logic over_q;
    montcore_csa #(
        .Width(Joint + 1)
    ) u_high (
        .a_i    ({1'b0, outer[WordBits+:Joint]}),
        .b_i    ((Joint + 1)'(low_high[WordBits-1:Rest])),
        .c_i    ((Joint + 1)'(high_low[WordBits-1:Rest])),
        .sum_o  (high_sum),
        .carry_o(high_carry)
    );
    assign joint = high_sum + high_carry;
    assign above = (outer[2*WordBits-1:WordBits] >> Joint) << Joint;
    always_ff @(posedge clk_i) begin
      low_q  <= {low_sum + low_carry, outer[Tile-1:0]};
      high_q <= above | WordBits'(joint[Joint-1:0]);
      over_q <= joint[Joint];
    end
    assign high_sum_o = {1'b0, high_q};
    assign high_carry_o = (WordBits + 1)'(over_q) << Joint;
    assign kappa_o = 1'b0;

    // The base is added last: it closes the loop from the previous pass's sum.
    logic [SumBits-1:0] early_sum, early_carry, last_sum, last_carry;
    montcore_csa #(
        .Width(SumBits)
    ) u_early (
        .a_i    (SumBits'(low_q)),
        .b_i    (SumBits'(high_sum_i)),
        .c_i    (SumBits'(high_carry_i) | SumBits'({shift_i ? carry_i : CarryBits'(0)})),
        .sum_o  (early_sum),
        .carry_o(early_carry)
    );
    montcore_csa #(
        .Width(SumBits)
    ) u_last (
        .a_i    (early_sum),
        .b_i    (early_carry),
        .c_i    ({shift_i ? CarryBits'(0) : carry_i, low_i}),
        .sum_o  (last_sum),
        .carry_o(last_carry)
    );
    assign sum_o = last_sum + last_carry;

    // In the first slot the neighbour adds nothing except the 2 of the set-up, whose base is zero.
    logic unused_high;
    assign word_o = low_q[WordBits-1:0] + (low_i | WordBits'({high_sum_i[1], 1'b0}));
    assign unused_high = ^{p, kappa_i};
    assign low_o = low_q[WordBits-1:0];
  end else begin : g_plain
    // Only an inferred multiplier has no second part.
    localparam bit Tiles = montcore_pkg::has_tiles(Tech) && WordBits > Tile && WordBits <= 2 * Tile;
    localparam bit TwoHalves = Tech == montcore_pkg::TechAsic || Tiles;
    localparam int unsigned SumRows = TwoHalves ? 6 : 4;

    logic unused_inside;
    assign unused_inside = ^{load_i, clear_i};
    assign word_o = sum_o[WordBits-1:0];
    assign low_o = '0;
    logic [2*WordBits:0] product_sum, product_carry, sum_q, carry_q;
    logic [WordBits-1:0] low_sum, low_carry, unused_low;
    logic [SumRows-1:0][SumBits-1:0] rows;

    montcore_mul_cs #(
        .Width(WordBits),
        .Tech (Tech)
    ) u_mul (
        .code_i,
        .b_i,
        .sum_o  (product_sum),
        .carry_o(product_carry)
    );

    always_ff @(posedge clk_i) begin
      sum_q   <= product_sum;
      carry_q <= product_carry;
    end

    assign {high_sum_o, low_sum} = sum_q;
    assign {high_carry_o, low_carry} = carry_q;
    if (Tiles) begin : g_short_kappa
      // The second part begins at bit 17.
      logic [WordBits-18:0] unused_top;
      assign {kappa_o, unused_top} = {1'b0, low_sum[WordBits-1:17]} +
                                     {1'b0, low_carry[WordBits-1:17]};
      assign unused_low = '0;
    end else begin : g_kappa
      assign {kappa_o, unused_low} = {1'b0, low_sum} + {1'b0, low_carry};
    end

    // The ones above low_sum subtract the multiplier's constant 2^WordBits, which is in the
    // neighbour's high word, and the own carry kappa, which is added with the next word.
    // Base: the deferred carry has the weight above the low word, or of its lowest bit if T is
    // shifted.
    assign rows[0] = {shift_i ? 3'd0 : carry_i, low_i};
    assign rows[1] = SumBits'({shift_i ? carry_i : 3'd0});
    assign rows[2] = {2'b11, ~kappa_o, low_sum};
    assign rows[3] = {2'b00, high_sum_i};
    if (TwoHalves) begin : g_carries
      assign rows[4] = {3'b000, low_carry};
      assign rows[5] = {2'b00, high_carry_i};
    end else begin : g_no_carries
      logic unused_carries;
      assign unused_carries = ^{low_carry, high_carry_i};
    end

    if (Tiles) begin : g_base_last
      // The base arrives last: it is the loop from the sum of the previous pass.
      logic [SumRows-2:0][SumBits-1:0] early;
      logic [SumBits-1:0] early_sum, early_carry, last_sum, last_carry;
      logic unused_bit;
      assign early = rows[SumRows-1:1];
      montcore_csa_tree #(
          .Rows (SumRows - 1),
          .Width(SumBits)
      ) u_early (
          .rows_i (early),
          .sum_o  (early_sum),
          .carry_o(early_carry)
      );
      montcore_csa #(
          .Width(SumBits)
      ) u_last (
          .a_i    (early_sum),
          .b_i    (early_carry),
          .c_i    (rows[0]),
          .sum_o  (last_sum),
          .carry_o(last_carry)
      );
      // An extra bit at the lower end of the chain is the carry in.
      assign {sum_o, unused_bit} = {last_sum, 1'b1} + {last_carry, kappa_i};
    end else begin : g_sum
      montcore_sum #(
          .Rows (SumRows),
          .Width(SumBits),
          .Tree (Tech == montcore_pkg::TechAsic)
      ) u_sum (
          .rows_i (rows),
          .carry_i(kappa_i),
          .sum_o
      );
    end
  end
endmodule
