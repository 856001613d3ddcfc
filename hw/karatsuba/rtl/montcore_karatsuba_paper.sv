// SPDX-License-Identifier: Apache-2.0

/// Schedule and datapath of the paper: one full-width multiplier, three products in sequence.
///
/// z = x * y * 2^-Bits mod m, from M1 = -1 / m mod 2^Bits:
///   D = x y,  E = D M1 mod 2^Bits,  S = (D + E m) / 2^Bits < 2 m,  and m is subtracted if S >= m.
/// Precondition: m odd, x < m, y < m, all below 2^Bits; else the result is marked.
/// Latency, start_o to done_o: 29 cycles (Depth = 1) or 38 (Depth = 2). A product is: load, 7 or 10
/// cycles of the multiplier, write; after the third: addition, comparison and selection.
/// Source: karatsuba-2018, Figures 2 to 6, Algorithms 1 to 3.
/// Example, Bits = 8: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x45.
module montcore_karatsuba_paper
  import montcore_karatsuba_pkg::*;
#(
    /// Width of a number in bits, a multiple of 4 (Depth = 1) or 16 (Depth = 2).
    parameter int unsigned Bits = 256,
    parameter int unsigned Depth = 1,  // 1: four-parts splitting; 2: deep four-parts splitting.
    /// Style of the multiplier, `montcore_karatsuba_pkg::Style...`; not used with Staged.
    parameter int unsigned Style = StyleTiles,
    /// 1: the datapath is `montcore_karatsuba_staged`, for Depth = 1.
    parameter bit Staged = 1'b0
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
  // A pass: load in step 0, multiply from step 1 on, and write.
  localparam int unsigned MultiplierCycles = (Depth == 2) ? 10 : 7;
  localparam int unsigned LastStep = MultiplierCycles + 1;
  localparam int unsigned Rounds = $clog2(Bits);
  localparam int unsigned RoundBits = $clog2(Rounds + 1);

  paper_state_e state_q;
  logic [3:0] step_q;
  logic [RoundBits-1:0] round_q;
  montcore_pkg::montcore_error_e error_q;
  logic start_q, done_q, last, choose, finish, take;

  assign last = step_q == 4'(LastStep);
  // In the last state, step 0 adds, step 1 subtracts, and step 2 selects and waits for room.
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
        error_q <= montcore_pkg::ErrNone;
        if (out_of_range_i) error_q <= montcore_pkg::ErrOperandRange;
        if (reject_i) error_q <= reject_error_i;
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
          if (step_q == 4'(MultiplierCycles)) begin
            state_q <= StEnd;
            step_q  <= '0;
          end
        end
        StEnd, StReject: begin
          if (finish) begin
            if (take) state_q <= StFirst;
            else state_q <= StIdle;
          end
        end
        StModulus: if (last) state_q <= StInverse;
        StInverse: begin
          if (last) begin
            round_q <= round_q + 1;
            if (setup_done_o) state_q <= StIdle;
            else state_q <= StModulus;
          end
        end
        default:   state_q <= StIdle;
      endcase
    end
  end

  if (Staged) begin : g_staged
    montcore_karatsuba_staged #(
        .Bits(Bits),
        .Tech(montcore_pkg::TechMult18)
    ) u_staged (
        .clk_i,
        .clear_i,
        .state_i(state_q),
        .step_i (step_q),
        .last_i (last),
        .m_i,
        .setup_i,
        .start_i(start_q),
        .x_i,
        .y_i,
        .z_o
    );
  end else begin : g_passes
    // Operands of the multiplier. Newton's iteration x <- x (m x + 2) from x = 1 computes the
    // constant: the first factor is then the last product plus 0, 1 or 2; the first product is
    // zero.
    logic [Bits-1:0] a_q, b_q, inverse_q, high_q, again;
    logic [2*Bits-1:0] product_q;
    logic [2*Bits+1:0] product;
    logic [1:0] plus;
    logic carry_q, load;

    always_comb begin
      plus = 2'd0;
      if (state_q == StModulus && round_q == 0) plus = 2'd1;
      else if (state_q == StInverse) plus = 2'd2;
    end
    assign again = product_q[Bits-1:0] + Bits'(plus);

    assign load  = step_q == 0 && state_q != StEnd && state_q != StReject;
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        a_q <= '0;
        b_q <= '0;
      end else if (load) begin
        a_q <= (state_q == StFirst) ? x_i : again;
        b_q <= (state_q == StFirst) ? y_i :
            (state_q == StSecond || state_q == StInverse) ? inverse_q : m_i;
      end
    end

    logic multiply, multiplied;
    assign multiply = step_q == 4'd1 && state_q != StEnd && state_q != StReject;
    montcore_karatsuba_pass #(
        .Part (Bits / 4),
        .Depth(Depth),
        .Style(Style)
    ) u_multiplier (
        .clk_i,
        .clear_i(clear_i || !rst_ni),
        .start_i(multiply),
        .a_i    ({1'b0, a_q}),
        .b_i    ({1'b0, b_q}),
        .p_o    (product),
        .done_o (multiplied)
    );
    logic unused_product;
    assign unused_product = ^product[2*Bits+1:2*Bits];

    // The high half of D is kept for that of E m. The low halves add up to 2^Bits or to zero: one
    // of them has its highest bit set, or both are zero. That bit is the carry.
    logic [Bits:0] sum, sum_q;
    logic [Bits+1:0] less;
    logic at_least_q, subtract;
    montcore_sum #(
        .Rows (2),
        .Width(Bits + 1),
        .Tree (1'b0)
    ) u_sum (
        .rows_i ({{1'b0, high_q}, {1'b0, product_q[2*Bits-1:Bits]}}),
        .carry_i(carry_q || product_q[Bits-1]),
        .sum_o  (sum)
    );
    // A subtraction compares first; then m or zero is subtracted.
    assign subtract = !choose || at_least_q;
    assign less = {1'b0, sum_q} - {2'b00, m_i & {Bits{subtract}}};
    assign z_o = less[Bits-1:0];

    always_ff @(posedge clk_i) begin
      sum_q <= sum;
      if (!choose) at_least_q <= !less[Bits+1];
      if (clear_i || setup_i) product_q <= '0;
      else if (multiplied) product_q <= product[2*Bits-1:0];
      if (clear_i || (state_q == StFirst && last)) begin
        high_q  <= product_q[2*Bits-1:Bits];
        carry_q <= product_q[Bits-1];
      end
      if (clear_i) inverse_q <= '0;
      else if (setup_i) inverse_q <= Bits'(1);
      else if (state_q == StInverse && last) inverse_q <= product_q[Bits-1:0];
    end
    logic unused_less;
    assign unused_less = less[Bits];
  end
endmodule
