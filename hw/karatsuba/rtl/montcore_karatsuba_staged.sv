// SPDX-License-Identifier: Apache-2.0

/// Datapath of `montcore_karatsuba_paper`, Depth = 1, for FPGAs with DSP blocks of 18 x 18 bits, in
/// stages that leave time for wires.
///
/// z = x * y * 2^-Bits mod m, from M1 = -1 / m mod 2^Bits:
///   D = x y,  E = D M1 mod 2^Bits,  S = (D + E m) / 2^Bits < 2 m,  and m is subtracted if S >= m.
/// Precondition: m odd, x < m, y < m, all below 2^Bits; else the control marks the result.
/// Latency, start_i to z_o: 28 cycles. A product of whole numbers takes nine from one load of the
/// factors to the next:
///   1 differences; 2 wires to the DSP blocks; 3 products, and sums of two of equal weight;
///   4 products of parts; 5 to 7 their sums, digit by digit; 8 carries from digit to digit of each
///   quarter of the result, with and without a carry into it; 9 selection of these.
/// Load is in step 0 of a state, stages 1 to 8 are steps 1 to 8, and stage 9 is the next step 0. In
/// StEnd, step 0 is stage 8 of the third product, step 1 stage 9, and step 2 selects S or S - m.
/// The third product is added to the high half of D in stages 5 and 6, and S - m is computed in
/// stage 9, in which S becomes known, for each possible carry.
/// Source: karatsuba-2018, Figures 2 to 6, Algorithms 1 to 3.
/// Example, Bits = 32: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x18.
module montcore_karatsuba_staged
  import montcore_karatsuba_pkg::*;
#(
    parameter int unsigned Bits = 192,  // Width of a number in bits, a multiple of 4, 32 to 212.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
    /// Synchronous clear, active high; all registers become zero within 32 cycles.
    input logic clear_i,
    input paper_state_e state_i,  // State of the control.
    input logic [3:0] step_i,  // Cycle within the state, 0 to 8.
    input logic last_i,  // High: step 8.
    input logic [Bits-1:0] m_i,  // Modulus, odd; stable from setup_i on.
    input logic setup_i,  // Pulse: compute the constant of the modulus on m_i.
    input logic start_i,  // Pulse: load x_i and y_i.
    input logic [Bits-1:0] x_i,  // X; valid with start_i.
    input logic [Bits-1:0] y_i,  // Y; valid with start_i.
    output logic [Bits-1:0] z_o  // Product; valid from step 2 of StEnd until start_i.
);
  localparam int unsigned Part = Bits / 4;

  // Control signals of wide registers come straight from registers, since their wires are long. The
  // clear of the data is a cycle late.
  (* keep *) logic clear_q;
  logic next_q, begin_q, by_inverse_q, invert_q;
  always_ff @(posedge clk_i) begin
    clear_q <= clear_i;
    next_q <= last_i && !clear_i && state_i == StInverse;
    begin_q <= setup_i;
    by_inverse_q <= state_i == StFirst || state_i == StModulus;
    invert_q <= begin_q || (next_q && (state_i == StModulus || state_i == StIdle));
  end

  // Factors, which only the next cycle needs: those of a product, and what stage 9 of the last one
  // gives. Newton's iteration x <- x (m x + 2) from x = 1 computes the constant; the 2 is added in
  // stage 8. The first factor is then 1, x or m x + 2. The last x is also loaded.
  logic [Bits-1:0] a_q, b_q, inverse_q, low;
  always_ff @(posedge clk_i) begin
    if (clear_q || begin_q) a_q <= Bits'(!clear_q);
    else a_q <= start_i ? x_i : low;
    if (clear_q) b_q <= '0;
    else b_q <= start_i ? y_i : by_inverse_q ? inverse_q : m_i;
    if (clear_q) inverse_q <= '0;
    else if (invert_q) inverse_q <= a_q;
  end

  // Stage 1.
  logic [9:0][Part:0] a_side, b_side, a_side_q, b_side_q;
  montcore_karatsuba_factors #(
      .Part  (Part),
      .Signed(1'b0)
  ) u_factors (
      .a_i({1'b0, a_q}),
      .b_i({1'b0, b_q}),
      .a_o(a_side),
      .b_o(b_side)
  );
  always_ff @(posedge clk_i) begin
    a_side_q <= a_side;
    b_side_q <= b_side;
  end

  // Stages 2 to 4.
  localparam int unsigned LowBits = 3 * ((Part + 2) / 3) + 2;
  localparam int unsigned HighBits = Part + 2;
  localparam int unsigned DigitBits = LowBits + 4;
  logic [9:0][ LowBits-1:0] lows;
  logic [9:0][HighBits-1:0] highs;
  for (genvar i = 0; i < 10; i++) begin : g_product
    montcore_karatsuba_nine #(
        .Tech(Tech),
        .Part(Part)
    ) u_nine (
        .clk_i,
        .a_i   (a_side_q[i]),
        .b_i   (b_side_q[i]),
        .low_o (lows[i]),
        .high_o(highs[i])
    );
  end

  // Stages 5 to 7. The sums have an offset in the high half; twice the offset is subtracted from
  // that of D and none from E m, so that S has none.
  localparam int unsigned HighWidth = Bits + 2;
  localparam logic [HighWidth-1:0] Offset = (HighWidth'(1) << 1) + (HighWidth'(1) << (Part + 2)) +
      (HighWidth'(1) << (2 * Part + 1)) + (HighWidth'(1) << (3 * Part + 1));
  localparam logic [HighWidth-1:0] Begin = -(Offset << 1);
  logic [HighWidth-1:0] high_q;
  logic nonzero_q;
  logic [7:0][DigitBits-1:0] digits;
  montcore_karatsuba_gather #(
      .Part(Part)
  ) u_gather (
      .clk_i,
      .low_i   (lows),
      .high_i  (highs),
      .kept_i  (high_q),
      .unit_i  (nonzero_q),
      .digits_o(digits)
  );

  // The low halves of D and E m add up to 2^Bits or to zero: to one more in S if that of D is not
  // zero. It is the first factor in step 1 of the second product.
  logic [Part-1:0] some_q;
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Part; i++) some_q[i] <= |a_q[4*i+:4];
    if (clear_q || start_i) nonzero_q <= 1'b0;
    else if (state_i == StSecond && step_i == 4'd2) nonzero_q <= |some_q;
  end

  // Stage 8: quarters of the result, and whether there is a carry out of them; `up` are those with
  // a carry into them. The lowest has none into it, but the 2 of the iteration.
  localparam int unsigned Pair = 2 * Part;
  logic [3:0][Pair+1:0] digit, excess;
  logic [3:0][Pair+1:0] quarter_q;
  logic [3:1][Pair+1:0] up_q;
  logic plus_q, unused_digits;
  assign unused_digits = ^digits;
  always_ff @(posedge clk_i) plus_q <= state_i == StModulus && step_i == 4'd7;
  for (genvar i = 0; i < 4; i++) begin : g_quarter
    localparam int unsigned TopBits = (i == 3) ? Part + 2 : Part;
    logic [Part-1:0] below;
    assign digit[i]  = (Pair + 2)'({digits[2*i+1][TopBits-1:0], digits[2*i][Part-1:0]});
    assign excess[i] = {(Part + 2)'(digits[2*i][DigitBits-1:Part]), below};
    if (i == 0) begin : g_lowest
      assign below = Part'({plus_q, 1'b0});
    end else begin : g_other
      logic unused_up;
      assign below = Part'(digits[2*i-1][DigitBits-1:Part]);
      always_ff @(posedge clk_i) begin
        {up_q[i], unused_up} <= {digit[i], 1'b1} + {excess[i], 1'b1};
      end
    end
    always_ff @(posedge clk_i) quarter_q[i] <= digit[i] + excess[i];
  end

  // Stage 9: which quarters have a carry into them.
  logic [3:1] carry, carry_q;
  assign carry[1] = quarter_q[0][Pair];
  assign carry[2] = carry[1] ? up_q[1][Pair] : quarter_q[1][Pair];
  assign carry[3] = carry[2] ? up_q[2][Pair] : quarter_q[2][Pair];
  assign low = {carry[1] ? up_q[1][Pair-1:0] : quarter_q[1][Pair-1:0], quarter_q[0][Pair-1:0]};

  // Stage 9 for the high half, and S - m: its lower quarter, without and with a carry, and the upper
  // one less one, as it is, and plus one.
  logic keep_q;
  logic [1:0][Pair:0] lower_q;
  logic [2:0][Pair+1:0] upper_q;
  always_ff @(posedge clk_i) begin
    keep_q <= clear_i || (state_i == StFirst && last_i) || (state_i == StEnd && step_i == 0);
    if (start_i || clear_q) high_q <= Begin;
    else if (keep_q) begin
      high_q <= {
        carry[3] ? up_q[3] : quarter_q[3], carry[2] ? up_q[2][Pair-1:0] : quarter_q[2][Pair-1:0]
      };
    end
    if (keep_q) begin
      carry_q <= carry;
      lower_q[0] <= {1'b0, quarter_q[2][Pair-1:0]} - {1'b0, m_i[Pair-1:0]};
      lower_q[1] <= {1'b0, up_q[2][Pair-1:0]} - {1'b0, m_i[Pair-1:0]};
      upper_q[0] <= quarter_q[3] + {2'b11, ~m_i[Bits-1:Pair]};
      upper_q[1] <= quarter_q[3] - {2'b00, m_i[Bits-1:Pair]};
      upper_q[2] <= up_q[3] - {2'b00, m_i[Bits-1:Pair]};
    end
  end

  // Selection: S if S - m is negative.
  logic [  Pair:0] lower;
  logic [Pair+1:0] upper;
  logic borrow, less;
  assign lower = lower_q[carry_q[2]];
  assign borrow = lower[Pair];
  assign upper = (carry_q[3] && !borrow) ? upper_q[2] : (carry_q[3] || !borrow) ? upper_q[1] :
      upper_q[0];
  assign less = upper[Pair+1];
  assign z_o = less ? high_q[Bits-1:0] : {upper[Pair-1:0], lower[Pair-1:0]};
  logic unused_bits;
  assign unused_bits = ^{quarter_q, upper, carry_q[1], high_q};
endmodule
