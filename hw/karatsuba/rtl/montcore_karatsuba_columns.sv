// SPDX-License-Identifier: Apache-2.0

/// Multiplier by four-parts splitting whose sums of products are computed in DSP blocks with
/// adders.
///
/// p_o = a * b, from 6 cycles after start_i on
/// Precondition: a_i and b_i are stable for 6 cycles; with Signed = 0, they are not negative.
/// Latency: 6 cycles; one product at a time, which is held until the next one starts.
/// With B = 2^Part, Pi = ai bi and Nij = (ai - aj) (bj - bi), a b is the sum of Sk B^k:
///   S0 = P0,  S1 = P0 + P1 + N10,  S2 = P0 + P1 + P2 + N20,
///   S3 = P0 + P1 + P2 + P3 + N30 + N21,
///   S4 = P3 + P2 + P1 + N31,  S5 = P3 + P2 + N32,  S6 = P3.
/// One chain of blocks accumulates P0, P1, P2, P3 from below; a second one, a cycle later, P3, P2,
/// P1 from above: three products are computed twice, and no sum of products uses look-up tables.
/// The Sk are added in three groups that do not overlap. S3 may be negative, and S6 is above it: it
/// is made positive by 2^(2 Part + 2), and the accumulator starts at minus that.
/// Source: karatsuba-2018, Equation 4, with its sums in another order.
/// Example, Part = 4: a = 0x1234, b = 0x0005 -> p = 0x5b04.
module montcore_karatsuba_columns #(
    parameter int unsigned Part = 16,  // Width of a part in bits, 3 to 16.
    parameter bit Signed = 1'b1,  // 1: a and b may be negative; 0: they are not.
    localparam int unsigned Width = 4 * Part + 1  // Width of a factor in bits.
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear, active high; drops the product.
    input logic start_i,  // Pulse: the factors are valid.
    input logic [Width-1:0] a_i,  // First factor, stable for 6 cycles from start_i on.
    input logic [Width-1:0] b_i,  // Second factor, stable for 6 cycles from start_i on.
    output logic [2*Width-1:0] p_o  // Product, valid from 6 cycles after start_i on.
);
  localparam int unsigned PartBits = Part + 1;
  localparam int unsigned DiffBits = PartBits + 32'(Signed);
  // Wide enough for four products of differences.
  localparam int unsigned ColumnBits = 2 * Part + 6;
  localparam int unsigned TotalBits = 8 * Part + 2;
  // Index pairs of the differences: 10, 20, 30, 21, 31, 32.
  localparam int unsigned Pairs = 6;

  typedef logic signed [ColumnBits-1:0] column_t;

  // Cycle 1: parts, and the differences of b. Cycle 2: the differences of a, which the DSP block
  // computes itself, and the parts again.
  logic signed [PartBits-1:0] a_q[4], b_q[4], a_again_q[4], b_again_q[4];
  logic signed [PartBits-1:0] a_part[4], b_part[4];
  logic signed [DiffBits-1:0] a_diff_q[Pairs], b_diff_q[Pairs], b_diff_again_q[Pairs];
  for (genvar i = 0; i < 4; i++) begin : g_part
    if (i == 3 && Signed) begin : g_signed
      assign a_part[i] = $signed(a_i[Width-1:3*Part]);
      assign b_part[i] = $signed(b_i[Width-1:3*Part]);
    end else begin : g_positive
      assign a_part[i] = $signed({1'b0, a_i[i*Part+:Part]});
      assign b_part[i] = $signed({1'b0, b_i[i*Part+:Part]});
    end
    always_ff @(posedge clk_i) begin
      a_q[i]       <= a_part[i];
      b_q[i]       <= b_part[i];
      a_again_q[i] <= a_q[i];
      b_again_q[i] <= b_q[i];
    end
  end
  if (!Signed) begin : g_sign
    logic unused_sign;
    assign unused_sign = a_i[Width-1] ^ b_i[Width-1];
  end
  for (genvar i = 0; i < Pairs; i++) begin : g_diff
    localparam int unsigned High = (i == 0) ? 1 : (i == 1 || i == 3) ? 2 : 3;
    localparam int unsigned Low = (i < 3) ? 0 : (i < 5) ? 1 : 2;
    always_ff @(posedge clk_i) begin
      b_diff_q[i]       <= DiffBits'(b_part[Low]) - DiffBits'(b_part[High]);
      a_diff_q[i]       <= DiffBits'(a_q[High]) - DiffBits'(a_q[Low]);
      b_diff_again_q[i] <= b_diff_q[i];
    end
  end

  // The two chains: P0 + ... + Pi, and Pi + ... + P3. Each is valid one cycle after its parts.
  column_t below[4]  /* verilator split_var */;
  column_t above[4]  /* verilator split_var */;
  column_t below_q[4], above_q[4];
  assign below[0] = a_q[0] * b_q[0];
  assign above[3] = a_again_q[3] * b_again_q[3];
  for (genvar i = 1; i < 4; i++) begin : g_chain
    assign below[i]   = a_q[i] * b_q[i] + below[i-1];
    assign above[3-i] = a_again_q[3-i] * b_again_q[3-i] + above[4-i];
  end
  for (genvar i = 0; i < 4; i++) begin : g_sum
    always_ff @(posedge clk_i) begin
      below_q[i] <= below[i];
      above_q[i] <= above[i];
    end
  end

  // The terms of each power of B: S1, S2, S3 from cycle 3 on, S4 and S5 from cycle 4 on.
  column_t with_30, column_q[1:5];
  assign with_30 = a_diff_q[2] * b_diff_again_q[2] + below_q[3];
  always_ff @(posedge clk_i) begin
    column_q[1] <= a_diff_q[0] * b_diff_again_q[0] + below_q[1];
    column_q[2] <= a_diff_q[1] * b_diff_again_q[1] + below_q[2];
    column_q[3] <= a_diff_q[3] * b_diff_again_q[3] + with_30;
    column_q[4] <= a_diff_q[4] * b_diff_again_q[4] + above_q[1];
    column_q[5] <= a_diff_q[5] * b_diff_again_q[5] + above_q[2];
  end

  localparam int unsigned S1Bits = 2 * Part + 1;
  localparam int unsigned S2Bits = 2 * Part + 2;
  localparam int unsigned S3Bits = 2 * Part + 3;
  localparam logic [TotalBits-1:0] One = TotalBits'(1);
  localparam logic [TotalBits-1:0] Start = -(One << (3 * Part + S3Bits - 1));
  logic [2:0][TotalBits-1:0] vectors;
  logic signed [4*Part+1:0] s4;
  logic signed [3*Part+1:0] s5;
  logic signed [2*Part+1:0] s6;
  assign s4 = (4 * Part + 2)'(column_q[4]);
  assign s5 = (3 * Part + 2)'(column_q[5]);
  assign s6 = (2 * Part + 2)'(above_q[3]);
  assign vectors[0] = {
    $unsigned(s6),
    {(3 * Part - S3Bits) {1'b0}},
    !column_q[3][S3Bits-1],
    $unsigned(column_q[3][S3Bits-2:0]),
    {(3 * Part) {1'b0}}
  };
  assign vectors[1] = {
    $unsigned(s4), {(3 * Part - S1Bits) {1'b0}}, $unsigned(column_q[1][S1Bits-1:0]), {Part{1'b0}}
  };
  assign vectors[2] = {
    $unsigned(s5),
    {(3 * Part - S2Bits) {1'b0}},
    $unsigned(column_q[2][S2Bits-1:0]),
    $unsigned(below_q[0][2*Part-1:0])
  };

  logic unused_done;
  logic [TotalBits-1:0] unused_sum;
  montcore_karatsuba_accumulator #(
      .Width  (TotalBits),
      .Vectors(3),
      .First  (3),
      .Start  (Start)
  ) u_accumulator (
      .clk_i,
      .clear_i,
      .start_i,
      .vectors_i(vectors),
      .sum_o    (unused_sum),
      .done_o   (unused_done),
      .held_o   (p_o)
  );
endmodule
