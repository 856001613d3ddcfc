// SPDX-License-Identifier: Apache-2.0

/// The full product T without its low half, from the three products of halves, in two cycles.
///
/// total_o = floor((x0 y0 + (x0 y0 + x1 y1 - d) 2^Half + x1 y1 2^(2 Half)) / 2^Half), d = (x1 - x0)
/// (y1 - y0)
/// Precondition: outer_0_i and outer_1_i are valid in the cycle before distance_i.
/// Latency: 1 cycle from distance_i; both sums take turns in one adder and in one register.
/// Example, Half = 4: x = 0x53, y = 0x2a: products 0x1e and 0xa, then |d| = 0x10 with d negative -> 0xd9.
module montcore_karatsuba_total #(
    parameter int unsigned Half = 128,  // Width of half a number in bits.
    parameter bit          Tree = 1'b1  // 1: for standard cells; 0: for FPGAs.
) (
    input logic clk_i,
    input logic outer_i,  // High in the cycle before distance_i is valid.
    input logic negative_i,  // Sign of d: 1 if it is negative; valid with outer_i.
    input logic [2*Half-1:0] outer_0_i,  // Product x0 y0, valid with outer_i.
    input logic [2*Half-1:0] outer_1_i,  // Product x1 y1, valid with outer_i.
    input logic [2*Half-1:0] distance_i,  // Magnitude of d, valid in the cycle after outer_i.
    output logic [3*Half-1:0] total_o  // T / 2^Half, registered.
);
  localparam int unsigned Width = 3 * Half;

  // In the second cycle d is added or subtracted; each of the selections has a register, since all
  // bits depend on it.
  logic second_q, add_q, subtract_q;
  logic [Width-1:0] shifted, high, low, distance, inverse, total;

  assign shifted = {outer_1_i, outer_0_i[2*Half-1:Half]};
  assign high = Width'(outer_1_i);
  assign low = Width'(outer_0_i);
  assign distance = Width'(distance_i);
  assign inverse = ~distance;

  if (Tree) begin : g_tree
    logic first_q;
    logic [Width-1:0] outer_sum, outer_carry;
    montcore_csa #(
        .Width(Width)
    ) u_outer (
        .a_i    (shifted),
        .b_i    (high),
        .c_i    (low),
        .sum_o  (outer_sum),
        .carry_o(outer_carry)
    );
    montcore_karatsuba_adder #(
        .Width(Width)
    ) u_adder (
        .a_i((outer_sum & {Width{first_q}}) | (total_o & {Width{second_q}})),
        .b_i    ((outer_carry & {Width{first_q}}) | (distance & {Width{add_q}}) |
                 (inverse & {Width{subtract_q}})),
        .carry_i(subtract_q),
        .sum_o(total)
    );
    always_ff @(posedge clk_i) first_q <= !outer_i;
  end else begin : g_chain
    logic unused_add;
    montcore_sum #(
        .Rows (3),
        .Width(Width),
        .Tree (1'b0)
    ) u_sum (
        .rows_i({
          second_q ? total_o : shifted,
          second_q ? distance ^ {Width{subtract_q}} : high,
          low & ~{Width{second_q}}
        }),
        .carry_i(subtract_q),
        .sum_o(total)
    );
    assign unused_add = ^{add_q, inverse};
  end

  always_ff @(posedge clk_i) begin
    second_q   <= outer_i;
    add_q      <= outer_i && negative_i;
    subtract_q <= outer_i && !negative_i;
    total_o    <= total;
  end
endmodule
