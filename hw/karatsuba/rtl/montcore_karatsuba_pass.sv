// SPDX-License-Identifier: Apache-2.0

/// Multiplier by four-parts splitting for the schedule of the paper: one product at a time, its
/// sums in one accumulator.
///
/// p_o = a * b in the cycle of done_o; with Inner = 1, from the cycle after it until the next start
/// Precondition: a_i and b_i are stable from start_i to done_o; with Signed = 0, they are not
/// negative; Depth = 2 only with Inner = 0, Signed = 0, and Part = 4 c with c at least 2.
/// Latency: done_o is high 6 cycles after start_i (Depth = 1), 5 with Inner = 1, or 9 (Depth = 2).
/// With B = 2^Part, Pi = ai bi and Nij = (ai - aj) (bj - bi):
///   a b = U (1 + B) (1 + B^2) + N10 B + N20 B^2 + (N30 + N21) B^3 + N31 B^4 + N32 B^5,
///   U = P0 + P1 B + P2 B^2 + P3 B^3.
/// The N are signed. Those with another one above them are made positive by adding 2^(position of
/// the sign); the accumulator starts at minus the sum of these.
/// Source: karatsuba-2018, Equation 4 and Figures 2 to 4, with its sums in another order.
/// Example, Part = 4: a = 0x1234, b = 0x0005 -> p = 0x5b04.
module montcore_karatsuba_pass #(
    parameter int unsigned Part = 16,  // Width of a part in bits, 2 or more.
    /// 1: the ten products are computed directly; 2: each is split into four again.
    parameter int unsigned Depth = 1,
    /// Style of the products, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles,
    parameter bit Signed = 1'b0,  // 1: a and b may be negative; 0: they are not.
    /// 1: no register between products and sums, and p_o is held after done_o.
    parameter bit Inner = 1'b0,
    localparam int unsigned Width = 4 * Part + 1  // Width of a factor in bits.
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear, active high; drops the product.
    input logic start_i,  // Pulse: the factors are valid.
    input logic [Width-1:0] a_i,  // First factor, stable from start_i to done_o.
    input logic [Width-1:0] b_i,  // Second factor, stable from start_i to done_o.
    /// Product; valid with done_o, with Inner = 1 from the next cycle on.
    output logic [2*Width-1:0] p_o,
    output logic done_o  // High for one cycle: the product is complete.
);
  localparam int unsigned Products = 10;
  // Part widths that `montcore_karatsuba_columns` accepts: a difference has two more bits, a block
  // 18.
  localparam int unsigned MinColumnsPart = 3;
  localparam int unsigned MaxColumnsPart = 16;
  localparam int unsigned Extra = 2 * 32'(Signed);
  localparam int unsigned ProductBits = 2 * Part + 2 + Extra;
  // Widths of N10, N20, N21; of the other N; of N30 + N21.
  localparam int unsigned InnerBits = 2 * Part + 1;
  localparam int unsigned OuterBits = InnerBits + Extra;
  localparam int unsigned BothBits = OuterBits + 1;

  localparam int unsigned FactorBits = Part + 1 + 32'(Signed);
  logic [Products-1:0][FactorBits-1:0] a_side, b_side;
  logic [Products-1:0][ProductBits-1:0] product;
  montcore_karatsuba_factors #(
      .Part  (Part),
      .Signed(Signed)
  ) u_factors (
      .a_i,
      .b_i,
      .a_o(a_side),
      .b_o(b_side)
  );

  for (genvar i = 0; i < Products; i++) begin : g_product
    localparam bit Positive = i < (Signed ? 3 : 4);
    // Kept, so that synthesis does not merge an addition here with later ones: `montcore_sum`.
    (* keep *)logic [ProductBits-1:0] whole;
    logic [ProductBits-1:0] made;

    if (Depth == 1) begin : g_whole
      montcore_karatsuba_product #(
          .Width(FactorBits),
          .Style(Style)
      ) u_product (
          .clk_i,
          .a_i(a_side[i]),
          .b_i(b_side[i]),
          .p_o(whole)
      );
    end else if (Style == montcore_karatsuba_pkg::StyleColumns &&
                 Part >= 4 * MinColumnsPart &&
                 Part <= 4 * MaxColumnsPart) begin : g_columns
      montcore_karatsuba_columns #(
          .Part  (Part / 4),
          .Signed(!Positive)
      ) u_columns (
          .clk_i,
          .clear_i,
          .start_i,
          .a_i(a_side[i]),
          .b_i(b_side[i]),
          .p_o(whole)
      );
    end else begin : g_deep
      logic unused_done;
      montcore_karatsuba_pass #(
          .Part  (Part / 4),
          .Depth (1),
          .Style (Style),
          .Signed(!Positive),
          .Inner (1'b1)
      ) u_pass (
          .clk_i,
          .clear_i,
          .start_i,
          .a_i   (a_side[i]),
          .b_i   (b_side[i]),
          .p_o   (whole),
          .done_o(unused_done)
      );
    end

    if (Positive) begin : g_positive
      logic unused_sign;
      assign made = ProductBits'(whole[2*Part-1:0]);
      assign unused_sign = ^whole[ProductBits-1:2*Part];
    end else begin : g_any
      assign made = whole;
    end
    if (Depth == 1 && !Inner) begin : g_collect
      logic [ProductBits-1:0] made_q;
      always_ff @(posedge clk_i) made_q <= made;
      assign product[i] = made_q;
    end else begin : g_direct
      assign product[i] = made;
    end
  end

  // U; V = U (1 + B); W = V (1 + B^2). Unsigned they are below B^5, B^6 and B^8.
  localparam int unsigned UBits = 5 * Part + Extra;
  localparam int unsigned VBits = 6 * Part + Extra;
  localparam int unsigned WBits = 8 * Part + Extra;
  localparam int unsigned HighBits = 2 * Part + Extra;
  logic [UBits-1:0] u_q;
  logic [VBits-1:0] v_q;
  logic [WBits-1:0] w_q;
  logic u_sign, v_sign;
  assign u_sign = Signed && u_q[UBits-1];
  assign v_sign = Signed && v_q[VBits-1];

  // Step 1: U, and N30 + N21; step 2: V; step 3: W. The accumulator runs in parallel.
  logic [BothBits-1:0] both_q;
  always_ff @(posedge clk_i) begin
    u_q <= {
      {{(Part + Extra) {1'b0}}, product[2][2*Part-1:0], product[0][2*Part-1:Part]} +
      {product[3][HighBits-1:0], product[1][2*Part-1:0]},
      product[0][Part-1:0]
    };
    v_q <= {{{Part{u_sign}}, u_q[UBits-1:Part]} + u_q, u_q[Part-1:0]};
    w_q <= {{{(2 * Part) {v_sign}}, v_q[VBits-1:2*Part]} + v_q, v_q[2*Part-1:0]};
    both_q <= {product[8][OuterBits-1], product[8][OuterBits-1:0]} +
        {{(BothBits - InnerBits) {product[9][InnerBits-1]}}, product[9][InnerBits-1:0]};
  end

  // All parts of the product except the lowest, which is that of P0.
  localparam int unsigned SumBits = 7 * Part + 2;
  localparam logic [SumBits-1:0] One = SumBits'(1);
  localparam logic [SumBits-1:0] Start = -((One << (2 * Part)) + (One << (3 * Part)) +
                                           (One << (2 * Part + BothBits - 1)));
  logic [3:0][SumBits-1:0] vectors;
  logic [SumBits-1:0] sum, held;
  assign vectors[0] = {
    {(4 * Part + 2 - OuterBits) {product[7][OuterBits-1]}},
    product[7][OuterBits-1:0],
    {(Part - 1) {1'b0}},
    !product[4][InnerBits-1],
    product[4][InnerBits-2:0]
  };
  assign vectors[1] = {
    {(3 * Part + 2 - OuterBits) {product[5][OuterBits-1]}},
    product[5][OuterBits-1:0],
    {(Part - 1) {1'b0}},
    !product[6][InnerBits-1],
    product[6][InnerBits-2:0],
    {Part{1'b0}}
  };
  assign vectors[2] = {
    {(5 * Part + 2 - BothBits) {1'b0}},
    !both_q[BothBits-1],
    both_q[BothBits-2:0],
    {(2 * Part) {1'b0}}
  };
  if (Signed) begin : g_signed
    assign vectors[3] = w_q[WBits-1:Part];
  end else begin : g_unsigned
    assign vectors[3] = {2'b00, w_q[WBits-1:Part]};
  end

  montcore_karatsuba_accumulator #(
      .Width  (SumBits),
      .Vectors(4),
      .First  ((Depth == 2) ? 6 : Inner ? 2 : 3),
      .Start  (Start)
  ) u_accumulator (
      .clk_i,
      .clear_i,
      .start_i,
      .vectors_i(vectors),
      .sum_o    (sum),
      .done_o,
      .held_o   (held)
  );
  assign p_o = {Inner ? held : sum, w_q[Part-1:0]};

  logic unused_product;
  assign unused_product = ^product;
endmodule
