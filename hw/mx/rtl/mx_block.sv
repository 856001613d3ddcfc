// SPDX-License-Identifier: Apache-2.0

/// A block of the cells of `mx`: gated full adders, used in two alternating cycles.
///
/// First cycle:  (C, S) <- S / 2 + C / 2 + a B;  second cycle:  (C, S) <- S + C + q N.
/// Bit p of c_q is the carry out of cell p and so has the weight of cell p + 1.
/// The block above works one cycle later. What it hands down with the shift, its lowest sum bit,
/// comes late, in the second cycle; the top cell therefore keeps a B apart in its first cycle and
/// adds five bits in its second, with two full adders.
/// Precondition: first_i is high in both cycles of a product's first iteration.
/// Latency: 1.
/// Source: mmm-mx-2006, Figures 1 and 4.
/// Example, Width = 4: B = 0b0101, a = 1, first -> S = 0b0101, C = 0.
module mx_block #(
    /// Cells.
    parameter int unsigned Width = 32
) (
    /// Clock.
    input  logic             clk_i,
    /// Take a word of N.
    input  logic             n_we_i,
    /// The word of N.
    input  logic [Width-1:0] n_i,
    /// Take a word of B.
    input  logic             b_we_i,
    /// The word of B.
    input  logic [Width-1:0] b_i,
    /// Second cycle of an iteration.
    input  logic             second_i,
    /// First iteration of a product: nothing is in S and C.
    input  logic             first_i,
    /// The bit of A; zero in the second cycle.
    input  logic             a_i,
    /// The quotient digit; zero in the first cycle.
    input  logic             q_i,
    /// Carry from the block below, in the second cycle.
    input  logic             carry_i,
    /// Carry to the block above.
    output logic             carry_o,
    /// Lowest sum bit of the block above.
    input  logic             above_i,
    /// S.
    output logic [Width-1:0] s_o,
    /// C.
    output logic [Width-1:0] c_o
);
  logic [Width-1:0] b_q, n_q, s_q, c_q, gated, s_in, c_in, sum, carry;
  logic shift, late, up_q, top_sum, top_up;

  always_ff @(posedge clk_i) begin
    if (n_we_i) n_q <= n_i;
    if (b_we_i) b_q <= b_i;
  end

  assign shift = !second_i && !first_i;
  assign gated = (b_q & {Width{a_i}}) | (n_q & {Width{q_i}});
  assign late = above_i && !first_i;

  // The cells below the top.
  assign s_in[Width-2:0] = (s_q[Width-1:1] & {(Width - 1) {shift}}) |
                           (s_q[Width-2:0] & {(Width - 1) {second_i}});
  assign c_in[Width-2:0] = (c_q[Width-2:0] & {(Width - 1) {shift}}) |
                           ({c_q[Width-3:0], carry_i} & {(Width - 1) {second_i}});
  for (genvar i = 0; i < Width - 1; i++) begin : g_cell
    assign {carry[i], sum[i]} = {1'b0, s_in[i]} + {1'b0, c_in[i]} + {1'b0, gated[i]};
  end

  // The top cell: C and a B wait for the second cycle; then C + a B + late bit, whose carry goes up,
  // and the sum of it + carry from below + q N, whose carry stays.
  assign s_in[Width-1] = s_q[Width-1] & second_i;
  assign c_in[Width-1] = c_q[Width-1] & (shift | second_i);
  assign {top_up, top_sum} = {1'b0, s_in[Width-1]} + {1'b0, c_in[Width-1]} +
                             {1'b0, late & second_i};
  assign {carry[Width-1], sum[Width-1]} = {1'b0, top_sum} + {1'b0, c_q[Width-2]} +
                                          {1'b0, gated[Width-1]};

  always_ff @(posedge clk_i) begin
    s_q[Width-2:0] <= sum[Width-2:0];
    c_q[Width-2:0] <= carry[Width-2:0];
    s_q[Width-1]   <= second_i ? sum[Width-1] : gated[Width-1];
    c_q[Width-1]   <= second_i ? carry[Width-1] : c_in[Width-1];
    up_q           <= top_up & second_i;
  end
  assign carry_o = up_q;
  assign s_o = s_q;
  assign c_o = c_q;
endmodule
