// SPDX-License-Identifier: Apache-2.0

/// Datapath of the paper for FPGAs with DSP blocks of 18 x 18 bits: `montcore_karatsuba_paper` with
/// Depth = 1, in stages that leave time for wires.
///
/// z = x * y * 2^-Bits mod m, from M1 = -1 / m mod 2^Bits:
///   D = x y,  E = D M1 mod 2^Bits,  S = (D + E m) / 2^Bits < 2 m,  and m is subtracted if S >= m.
/// Precondition: m odd, x < m, y < m, all below 2^Bits; else the result is marked.
/// Latency, start_o to done_o: 29 cycles. A product of whole numbers takes nine from one load of the
/// factors to the next:
///   1 differences; 2 wires to the DSP blocks; 3 products, and sums of two of equal weight;
///   4 products of parts; 5 to 7 their sums, digit by digit; 8 carries from digit to digit of each
///   quarter of the result, with and without a carry into it; 9 selection of these.
/// The third product is added to the high half of D in stages 5 and 6, and S - m is computed in
/// stage 9, in which S becomes known, for each possible carry.
/// Source: karatsuba-2018, Figures 2 to 6, Algorithms 1 to 3.
/// Example, Bits = 32: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x18.
module montcore_karatsuba_staged #(
    parameter int unsigned Bits = 192,  // Width of a number in bits, a multiple of 4, 32 to 212.
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
    input logic rst_ni,
    /// Synchronous clear, active high; all registers become zero within 32 cycles.
    input logic clear_i,
    input logic [Bits-1:0] m_i,  // Modulus, odd; stable from setup_i on.
    input logic setup_i,  // Pulse: compute the constant of the modulus on m_i.
    output logic setup_done_o,  // Pulse: the constant of the modulus is ready.
    input logic [Bits-1:0] x_i,  // X of the pending product; valid with available_i.
    input logic [Bits-1:0] y_i,  // Y of the pending product; valid with available_i.
    input logic available_i,  // High: both operands are complete, or become complete in this cycle.
    input logic reject_i,  // High: answer the pending product with an error instead of a result.
    /// Error code of that answer; valid with reject_i.
    input montcore_pkg::montcore_error_e reject_error_i,
    /// High: an operand is not below the modulus; valid from the cycle after available_i.
    input logic out_of_range_i,
    output logic release_o,  // Pulse: the operands have been sampled and may be overwritten.
    input logic room_i,  // High: the output queue has room for another result.
    output logic busy_o,  // High while a product or a set-up is in progress.
    output logic start_o,  // Pulse: a product starts.
    output logic write_o,  // Write enable of the output queue, for error_o and z_o.
    output logic [2:0] error_o,  // Error code of the answer, montcore_error_e; valid with write_o.
    output logic [Bits-1:0] z_o,  // Product, if error_o is 0; valid with write_o.
    output logic done_o  // Pulse: a product is complete; its result was valid one cycle earlier.
);
  localparam int unsigned Part = Bits / 4;
  // A product: load in step 0, its first stages in steps 1 to 8, the last in the next step 0.
  localparam int unsigned LastStep = 8;
  localparam int unsigned Rounds = $clog2(Bits);
  localparam int unsigned RoundBits = $clog2(Rounds + 1);

  typedef enum logic [2:0] {
    StIdle,
    StFirst,
    StSecond,
    StThird,
    StEnd,
    StReject,
    StModulus,
    StInverse
  } state_e;

  state_e state_q;
  logic [3:0] step_q;
  logic [RoundBits-1:0] round_q;
  montcore_pkg::montcore_error_e error_q;
  logic start_q, done_q, last, choose, finish, take;

  assign last = step_q == 4'(LastStep);
  // In the last state, step 0 is stage 8 of the third product, step 1 stage 9, and step 2 selects
  // S or S - m and waits for room.
  assign choose = state_q == StEnd && step_q == 4'd2;
  assign finish = (choose || state_q == StReject) && room_i;
  assign take = (available_i || reject_i) && !start_q && (state_q == StIdle || finish);
  assign release_o = start_q;
  assign start_o = start_q && !reject_i;
  assign busy_o = state_q != StIdle;
  assign setup_done_o = state_q == StInverse && last && round_q == RoundBits'(Rounds - 1);
  assign write_o = finish;
  assign error_o = error_q;
  assign done_o = done_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
      step_q  <= '0;
      round_q <= '0;
      start_q <= 1'b0;
      done_q  <= 1'b0;
      error_q <= montcore_pkg::ErrNone;
    end else begin
      start_q <= take;
      done_q  <= choose && room_i;
      step_q  <= (last || state_q == StIdle || finish) ? '0 : choose ? step_q : step_q + 1;
      if (start_q) begin
        error_q <= reject_i ? reject_error_i :
            out_of_range_i ? montcore_pkg::ErrOperandRange : montcore_pkg::ErrNone;
      end
      unique case (state_q)
        StIdle: begin
          round_q <= '0;
          if (setup_i) state_q <= StModulus;
          else if (take) state_q <= StFirst;
        end
        StFirst: begin
          if (start_q && reject_i) state_q <= StReject;
          else if (last) state_q <= StSecond;
        end
        StSecond:  if (last) state_q <= StThird;
        StThird: begin
          if (step_q == 4'(LastStep - 1)) begin
            state_q <= StEnd;
            step_q  <= '0;
          end
        end
        StEnd, StReject: begin
          if (finish) begin
            state_q <= take ? StFirst : StIdle;
          end
        end
        StModulus: if (last) state_q <= StInverse;
        StInverse: begin
          if (last) begin
            round_q <= round_q + 1;
            state_q <= setup_done_o ? StIdle : StModulus;
          end
        end
        default:   state_q <= StIdle;
      endcase
    end
  end

  // Control signals of wide registers come straight from registers, since their wires are long. The
  // clear of the data is a cycle late.
  (* keep *) logic clear_q;
  logic next_q, begin_q, by_inverse_q, invert_q;
  always_ff @(posedge clk_i) begin
    clear_q <= clear_i;
    next_q <= last && !clear_i && state_q == StInverse;
    begin_q <= setup_i;
    by_inverse_q <= state_q == StFirst || state_q == StModulus;
    invert_q <= begin_q || (next_q && (state_q == StModulus || state_q == StIdle));
  end

  // Factors, which only the next cycle needs: those of a product, and what stage 9 of the last one
  // gives. Newton's iteration x <- x (m x + 2) from x = 1 computes the constant; the 2 is added in
  // stage 8. The first factor is then 1, x or m x + 2. The last x is also loaded.
  logic [Bits-1:0] a_q, b_q, inverse_q, low;
  always_ff @(posedge clk_i) begin
    if (clear_q || begin_q) a_q <= Bits'(!clear_q);
    else a_q <= start_q ? x_i : low;
    if (clear_q) b_q <= '0;
    else b_q <= start_q ? y_i : by_inverse_q ? inverse_q : m_i;
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
    if (clear_q || start_q) nonzero_q <= 1'b0;
    else if (state_q == StSecond && step_q == 4'd2) nonzero_q <= |some_q;
  end

  // Stage 8: quarters of the result, and whether there is a carry out of them; `up` are those with
  // a carry into them. The lowest has none into it, but the 2 of the iteration.
  localparam int unsigned Pair = 2 * Part;
  logic [3:0][Pair+1:0] digit, excess;
  logic [3:0][Pair+1:0] quarter_q;
  logic [3:1][Pair+1:0] up_q;
  logic plus_q, unused_digits;
  assign unused_digits = ^digits;
  always_ff @(posedge clk_i) plus_q <= state_q == StModulus && step_q == 4'(LastStep - 1);
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
    keep_q <= clear_i || (state_q == StFirst && last) || (state_q == StEnd && step_q == 0);
    if (start_q || clear_q) high_q <= Begin;
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
