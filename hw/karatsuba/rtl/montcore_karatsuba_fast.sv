// SPDX-License-Identifier: Apache-2.0

/// Datapath of the fast schedule, with four half-length multipliers and one product every second
/// cycle, and of the lean one, with three multipliers and one product every third.
///
/// z = x * y * 2^-(2 Half) mod m, from the constants n0' = -1 / m mod 2^Half and M' = 2^-Half mod m:
///   T = x y                                     (three products of halves, by Karatsuba)
///   T' = floor(T / 2^Half) + (T mod 2^Half) M'  (two)
///   q = (T' mod 2^Half) n0' mod 2^Half          (one)
///   S = (T' + q m) / 2^Half < 3 m               (two), and 0, m or 2 m is subtracted.
/// These eight products take four multipliers two cycles, three of them three; each step depends on
/// the one before it, and other products of the same modulus fill the idle cycles.
/// Precondition: m odd, x < m, y < m, all below 2^(2 Half); else the result is marked.
/// Latency: 20 cycles (lean: 21) from start_o to done_o; starts are a multiple of 2 (3) cycles apart.
/// setup_done_o is high 10 clog2(Half) + 5 cycles (lean: + 6) after setup_i.
/// Source: karatsuba-2018 for the multiplier; H. Orup, ARITH 1995, for M'.
/// Example, Half = 4: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x45.
module montcore_karatsuba_fast #(
    parameter int unsigned Half = 128,  // Width of half a number in bits, even, 4 or more.
    /// Half-length multipliers: 4 for the fast schedule, 3 for the lean one.
    parameter int unsigned Units = 4,
    /// 1: half-length products are computed directly; 2: each is split into four.
    parameter int unsigned Depth = 1,
    /// Style of each multiplier, `montcore_karatsuba_pkg::Style...`.
    parameter int unsigned Style = montcore_karatsuba_pkg::StyleTiles
) (
    input logic clk_i,
    input logic rst_ni,
    /// Synchronous clear, active high; all registers become zero within 32 cycles.
    input logic clear_i,
    input logic [2*Half-1:0] m_i,  // Modulus, odd; stable from setup_i on.
    input logic setup_i,  // Pulse: compute the constants of the modulus on m_i.
    output logic setup_done_o,  // Pulse: the constants of the modulus are ready.
    input logic [2*Half-1:0] x_i,  // X of the pending product; valid with available_i.
    input logic [2*Half-1:0] y_i,  // Y of the pending product; valid with available_i.
    input logic available_i,  // High: both operands are complete, or become complete in this cycle.
    input logic reject_i,  // High: answer the pending product with an error instead of a result.
    /// Error code of that answer; valid with reject_i.
    input montcore_pkg::montcore_error_e reject_error_i,
    /// High: an operand is not below the modulus; valid from the cycle after available_i.
    input logic out_of_range_i,
    output logic release_o,  // Pulse: the operands have been sampled and may be overwritten.
    input logic room_i,  // High: the output queue has room for another result.
    input logic idle_i,  // High: no product is in flight and the output queue is empty.
    output logic reserve_o,  // High: a product or an error answer starts in the next cycle.
    output logic start_o,  // Pulse: a product starts.
    output logic write_o,  // Write enable of the output queue, for error_o and z_o.
    output logic [2:0] error_o,  // Error code of the answer, montcore_error_e; valid with write_o.
    output logic [2*Half-1:0] z_o,  // Product, if error_o is 0; valid with write_o.
    output logic done_o  // Pulse: a product is complete; its result was valid one cycle earlier.
);

  localparam bit Tree = Style == montcore_karatsuba_pkg::StyleTree;
  localparam int unsigned Bits = 2 * Half;
  localparam int unsigned ResultBits = Bits + 2;
  localparam int unsigned TimeDone = montcore_karatsuba_pkg::time_done(Units);
  // Cycles of a product, modulo the interval: 0 is the phase of its start, Last the phase before.
  localparam logic [1:0] Last = 2'(montcore_karatsuba_pkg::interval_of(Units) - 1);
  // The phase of the first sum of T, and that in which T' is ready, in cycle 8.
  localparam logic [1:0] OuterPhase = 2'(montcore_karatsuba_pkg::UnitCycles % (32'(Last) + 1));
  localparam logic [1:0] LowPhase = 2'((montcore_karatsuba_pkg::TimeLow - 1) % (32'(Last) + 1));
  // Stages that T' passes until it is added, one for each interval, and those of its carry.
  localparam int unsigned Stations = 3;
  localparam int unsigned CarryStations = Units;

  // Control: a shift register holds which product is in which stage.
  logic [1:0] phase_q;
  logic start_q;
  logic [TimeDone:1] valid_q;
  logic [TimeDone:1][2:0] error_q;
  logic [2:0] error;
  logic setup_active, take_modulus, take_product, take_inverse;

  assign reserve_o = (available_i || reject_i) && room_i && (idle_i || phase_q == Last);
  assign error = reject_i ? reject_error_i :
      out_of_range_i ? montcore_pkg::ErrOperandRange : montcore_pkg::ErrNone;
  assign release_o = start_q;
  assign start_o = start_q && !reject_i;
  assign write_o = valid_q[TimeDone-1];
  assign error_o = error_q[TimeDone-1];
  assign done_o = valid_q[TimeDone] && (error_q[TimeDone] == montcore_pkg::ErrNone ||
                                        error_q[TimeDone] == montcore_pkg::ErrOperandRange);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      start_q <= 1'b0;
      valid_q <= '0;
    end else begin
      start_q <= reserve_o;
      valid_q <= {valid_q[TimeDone-1:1], start_q};
    end
    // The phase before a start is also that of the pass that computes M'.
    if (!rst_ni || reserve_o) phase_q <= '0;
    else if (setup_i || setup_active) phase_q <= Last;
    else phase_q <= (phase_q == Last) ? '0 : phase_q + 1;
    error_q <= {error_q[TimeDone-1:1], clear_i ? 3'd0 : error};
  end

  // Sequencer for the constants of a modulus. Newton's iteration x <- x * (m x + 2) mod 2^Half doubles
  // the correct bits of x = n0', from x = 1; each of its two products takes five cycles.
  // M' = (n0' m + 1) / 2^Half is one last pass.
  localparam logic [2:0] LastStep = (Units == 4) ? 3'd4 : 3'd5;
  localparam int unsigned Rounds = $clog2(Half);
  localparam int unsigned RoundBits = $clog2(Rounds + 1);

  typedef enum logic [1:0] {
    StIdle,
    StModulus,
    StInverse,
    StScaled
  } state_e;

  state_e state_q;
  logic [2:0] step_q;
  logic [RoundBits-1:0] round_q;
  logic last;

  assign last = step_q == ((state_q == StScaled) ? LastStep : 3'd4);
  assign setup_active = state_q != StIdle;
  assign take_modulus = setup_i || (state_q == StInverse && last);
  assign take_product = state_q == StModulus && last;
  assign take_inverse = state_q == StInverse && last;
  assign setup_done_o = state_q == StScaled && last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= StIdle;
      step_q  <= '0;
      round_q <= '0;
    end else begin
      step_q <= (last || !setup_active) ? '0 : step_q + 1;
      unique case (state_q)
        StIdle: begin
          round_q <= RoundBits'(1);
          if (setup_i) state_q <= StModulus;
        end
        StModulus: if (last) state_q <= StInverse;
        StInverse: begin
          if (last) begin
            round_q <= round_q + 1;
            if (round_q == RoundBits'(Rounds)) state_q <= StScaled;
            else state_q <= StModulus;
          end
        end
        StScaled:  if (last) state_q <= StIdle;
        default:   state_q <= StIdle;
      endcase
    end
  end

  // The multipliers, four or three.
  logic [Half-1:0] inverse_q, x_diff_q, y_diff_q, x_diff, y_diff, low_q, next;
  logic [Bits-1:0] scaled_q;
  logic [Bits-1:0] outer_0, outer_1, distance;
  logic [ResultBits-1:0] sum_0, sum_1;
  logic [3*Half-1:0] total;
  logic [Stations-1:0][Bits:0] kept_q;

  if (Units == 4) begin : g_fast
    // The four multipliers of the fast schedule; each is busy in both of its cycles. In even cycles they
    // compute x0 y0, x1 y1, and (T mod 2^Half) M'; in odd ones (T' mod 2^Half) n0', |x1 - x0| |y1 - y0|,
    // and q m. Both T mod 2^Half and q are the low half of the result of the first.
    logic odd, unused_phase;
    logic [3:0][ResultBits-1:0] result;
    logic [Half-1:0] again;
    logic [ResultBits-1:0] addend_0, addend_1;

    assign odd = phase_q[0];
    assign unused_phase = phase_q[1];
    assign again = result[0][Half-1:0];
    assign addend_0 = odd ? '0 : ResultBits'(total[Bits-1:0]);
    assign addend_1 = !odd ? {2'b00, total[3*Half-1:Bits], {Half{1'b0}}} :
        setup_active ? '0 : ResultBits'(kept_q[Stations-1]);

    montcore_karatsuba_unit #(
        .Half (Half),
        .Depth(Depth),
        .Style(Style),
        .Adds (0)
    ) u_first (
        .clk_i,
        .a_i     (odd ? low_q : x_i[Half-1:0]),
        .b_i     (odd ? inverse_q : y_i[Half-1:0]),
        .addend_i(ResultBits'(0)),
        .result_o(result[0])
    );
    montcore_karatsuba_unit #(
        .Half (Half),
        .Depth(Depth),
        .Style(Style),
        .Adds (0)
    ) u_second (
        .clk_i,
        .a_i     (odd ? x_diff_q : x_i[Bits-1:Half]),
        .b_i     (odd ? y_diff_q : y_i[Bits-1:Half]),
        .addend_i(ResultBits'(0)),
        .result_o(result[1])
    );
    // Two multiply-adds with a common factor, of which both use the same Booth digits.
    logic [2*Half-1:0] b;
    assign b = odd ? m_i : scaled_q;
    logic [1:0][ResultBits-1:0] addend;
    assign addend = {addend_1, addend_0};
    localparam bit Coded = Style == montcore_karatsuba_pkg::StyleTree && Depth == 1;
    localparam int unsigned Part = Half / 2;

    if (Coded) begin : g_coded
      logic [2:0][Part/2:0][3:0] code;
      montcore_karatsuba_digits #(
          .Part(Part)
      ) u_digits (
          .clk_i,
          .a_i(again),
          .code_o(code)
      );
      for (genvar i = 0; i < 2; i++) begin : g_product
        montcore_karatsuba_coded #(
            .Part(Part)
        ) u_product (
            .clk_i,
            .code_i  (code),
            .b_i     (b[i*Half+:Half]),
            .addend_i(addend[i]),
            .result_o(result[2+i])
        );
      end
    end else begin : g_units
      for (genvar i = 0; i < 2; i++) begin : g_unit
        montcore_karatsuba_unit #(
            .Half (Half),
            .Depth(Depth),
            .Style(Style)
        ) u_unit (
            .clk_i,
            .a_i     (again),
            .b_i     (b[i*Half+:Half]),
            .addend_i(addend[i]),
            .result_o(result[2+i])
        );
      end
    end

    assign outer_0  = result[0][Bits-1:0];
    assign outer_1  = result[1][Bits-1:0];
    assign distance = result[1][Bits-1:0];
    assign sum_0    = result[2];
    assign sum_1    = result[3];
    assign next     = again;
  end else begin : g_lean
    // The three multipliers of the lean schedule: eight of their nine cycles are used.
    // | cycle mod 3 | first          | second          | third                 |
    // | 0           | x0 y0          | x1 y1           | (T' mod 2^Half) n0'   |
    // | 1           | (T mod 2^Half) M', low and high  | |x1 - x0| |y1 - y0|   |
    // | 2           | q m, low and high half           | -                     |
    // T mod 2^Half is a result of the first in that cycle; q is a result of the third one cycle before.
    logic [2:0][ResultBits-1:0] result;
    logic [2:0][Half-1:0] a;
    logic [Half-1:0] b_third, again, digit_q;
    logic [Bits-1:0] b_pair;
    logic [1:0][ResultBits-1:0] addend;

    assign again = result[0][Half-1:0];
    assign a[0] = (phase_q == 0) ? x_i[Half-1:0] : (phase_q == 1) ? again : digit_q;
    assign a[1] = (phase_q == 0) ? x_i[Bits-1:Half] : (phase_q == 1) ? again : digit_q;
    assign b_pair = (phase_q == 0) ? y_i : (phase_q == 1) ? scaled_q : m_i;
    assign a[2] = (phase_q == 1) ? x_diff_q : low_q;
    assign b_third = (phase_q == 1) ? y_diff_q : inverse_q;

    // Addends are due two cycles after the factors.
    assign addend[0] = (phase_q == 0) ? ResultBits'(total[Bits-1:0]) : '0;
    assign addend[1] = (phase_q == 0) ? {2'b00, total[3*Half-1:Bits], {Half{1'b0}}} :
        (phase_q == 1) ? ResultBits'(kept_q[Stations-1]) : '0;

    for (genvar i = 0; i < 2; i++) begin : g_pair
      montcore_karatsuba_unit #(
          .Half (Half),
          .Depth(Depth),
          .Style(Style)
      ) u_unit (
          .clk_i,
          .a_i     (a[i]),
          .b_i     (b_pair[i*Half+:Half]),
          .addend_i(addend[i]),
          .result_o(result[i])
      );
    end
    montcore_karatsuba_unit #(
        .Half (Half),
        .Depth(Depth),
        .Style(Style),
        .Adds (0)
    ) u_third (
        .clk_i,
        .a_i     (a[2]),
        .b_i     (b_third),
        .addend_i(ResultBits'(0)),
        .result_o(result[2])
    );

    always_ff @(posedge clk_i) digit_q <= next;

    assign outer_0  = result[0][Bits-1:0];
    assign outer_1  = result[1][Bits-1:0];
    assign distance = result[2][Bits-1:0];
    assign sum_0    = result[0];
    assign sum_1    = result[1];
    assign next     = result[2][Half-1:0];
  end

  // Cycle 0: the differences of the halves, and the sign of their product, which decides in cycle 4
  // whether that product is added or subtracted in cycle 5.
  logic x_negative, y_negative;
  localparam int unsigned SignStations = montcore_karatsuba_pkg::UnitCycles;
  logic [SignStations-1:0] negative_q;

  montcore_karatsuba_distance #(
      .Width(Half),
      .Tree (Tree)
  ) u_x_diff (
      .a_i       (x_i[Bits-1:Half]),
      .b_i       (x_i[Half-1:0]),
      .distance_o(x_diff),
      .negative_o(x_negative)
  );
  montcore_karatsuba_distance #(
      .Width(Half),
      .Tree (Tree)
  ) u_y_diff (
      .a_i       (y_i[Bits-1:Half]),
      .b_i       (y_i[Half-1:0]),
      .distance_o(y_diff),
      .negative_o(y_negative)
  );

  // Cycles 4 and 5: T / 2^Half. In cycle 6 it is added to the products with M'.
  montcore_karatsuba_total #(
      .Half(Half),
      .Tree(Tree)
  ) u_total (
      .clk_i,
      .outer_i   (phase_q == OuterPhase),
      .negative_i(negative_q[SignStations-1]),
      .outer_0_i (outer_0),
      .outer_1_i (outer_1),
      .distance_i(distance),
      .total_o   (total)
  );

  // Cycle 8: T' as one number, without its low half. Four cycles after the start of q m: S. The low
  // halves of T' and q m add up to 2^Half or to zero: one of them has its highest bit set, or both
  // are zero. That bit is the carry. T' and S take turns in one adder.
  logic take_low, keep_q;
  logic [CarryStations-1:0] carry_q;
  logic [ResultBits-1:0] sum, sum_q;
  assign take_low = phase_q == LowPhase && !setup_active;
  montcore_karatsuba_sum #(
      .Rows (2),
      .Width(ResultBits),
      .Tree (Tree),
      .Group(3)
  ) u_sum (
      .rows_i ({sum_1, ResultBits'(sum_0[ResultBits-1:Half])}),
      .carry_i(!take_low && (carry_q[CarryStations-1] || sum_0[Half-1])),
      .sum_o  (sum)
  );

  // In the next cycle m and 2 m are subtracted; then one of the three numbers is the result.
  logic [Bits-1:0] whole_q, less_1_q, less_2_q;
  logic at_least_1_q, at_least_2_q;
  logic [ResultBits:0] less_1, less_2;
  montcore_karatsuba_difference #(
      .Width(ResultBits + 1),
      .Tree (Tree),
      .Group(3)
  ) u_less_1 (
      .a_i         ({1'b0, sum_q}),
      .b_i         ({3'b000, m_i}),
      .difference_o(less_1)
  );
  montcore_karatsuba_difference #(
      .Width(ResultBits + 1),
      .Tree (Tree),
      .Group(3)
  ) u_less_2 (
      .a_i         ({1'b0, sum_q}),
      .b_i         ({2'b00, m_i, 1'b0}),
      .difference_o(less_2)
  );
  assign z_o = at_least_2_q ? less_2_q : at_least_1_q ? less_1_q : whole_q;

  always_ff @(posedge clk_i) begin
    x_diff_q   <= x_diff;
    y_diff_q   <= y_diff;
    negative_q <= {negative_q[SignStations-2:0], x_negative ^ y_negative};
    keep_q     <= take_low;
    if (keep_q) kept_q <= {kept_q[Stations-2:0], sum_q[Bits:0]};
    if (take_low) carry_q <= {carry_q[CarryStations-2:0], low_q[Half-1]};
    if (take_modulus && !clear_i) low_q <= m_i[Half-1:0];
    else if (take_product) low_q <= next + {{(Half - 2) {1'b0}}, 2'b10};
    else if (take_low) low_q <= sum_0[Half-1:0];

    sum_q        <= sum;
    whole_q      <= sum_q[Bits-1:0];
    less_1_q     <= less_1[Bits-1:0];
    less_2_q     <= less_2[Bits-1:0];
    at_least_1_q <= !less_1[ResultBits];
    at_least_2_q <= !less_2[ResultBits];

    // While registers are cleared, the constants take products of zeros.
    if (setup_i && !clear_i) inverse_q <= Half'(1);
    else if (take_inverse || clear_i) inverse_q <= next;
    if (setup_done_o || clear_i) scaled_q <= sum_q[Bits-1:0];
  end
endmodule
