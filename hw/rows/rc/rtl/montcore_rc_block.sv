// SPDX-License-Identifier: Apache-2.0

/// A word of the row of `rc`: two adders one after the other, and no carries but those out of them.
///
/// S <- S / 2 + a B + q N + both carries in, less what goes out as carries of weight 2^Width.
/// The block above works a cycle later, so that its lowest bit comes an iteration late and then
/// belongs a place lower: it is added at place Width - 2, and its carry takes the top place, which
/// the shift has emptied.
/// Precondition: none.
/// Latency: 1, for the carries too.
/// Source: mmm-mx-2006, Algorithm 1, with words for its cells.
/// Example, Width = 4, from S = 0: B = 0b0101, a = 1, q = 0 -> S = 0b0101, no carries.
module montcore_rc_block #(
    /// Bits, 3 or more.
    parameter int unsigned Width = 32
) (
    /// Clock, rising edge.
    input  logic             clk_i,
    /// Take a word of N.
    input  logic             n_we_i,
    /// The word of N.
    input  logic [Width-1:0] n_i,
    /// Take a word of B.
    input  logic             b_we_i,
    /// The word of B.
    input  logic [Width-1:0] b_i,
    /// The next iteration is a product's first: S becomes zero.
    input  logic             clear_i,
    /// The bit of A.
    input  logic             a_i,
    /// The quotient digit.
    input  logic             q_i,
    /// The quotient digit that the lowest bit asks for.
    output logic             q_o,
    /// The late bit: the lowest one of the block above.
    input  logic             late_i,
    /// Carries of the block below: of its first adder and of its second.
    input  logic [      1:0] carry_i,
    /// Carries of this one.
    output logic [      1:0] carry_o,
    /// S.
    output logic [Width-1:0] s_o
);
  logic [Width-1:0] b_q, n_q, s_q, s_in;
  logic [1:0] carry_q;

  always_ff @(posedge clk_i) begin
    if (n_we_i) n_q <= n_i;
    if (b_we_i) b_q <= b_i;
  end

  assign s_in = {s_q[Width-1] & late_i, s_q[Width-1] ^ late_i, s_q[Width-2:1]};

  // Both carries in stand below the lowest bit, where a carry chain begins. The first sum is kept, so
  // that synthesis does not make a carry-save adder of the two: each bit of each adder is one table.
  (* keep *) logic [Width+1:0] first;
  logic [Width+1:0] second;
  logic unused_below;
  assign first = {1'b0, s_in, 1'b1} + {1'b0, b_q & {Width{a_i}}, carry_i[0]};
  assign second = {1'b0, first[Width:1], 1'b1} + {1'b0, n_q & {Width{q_i}}, carry_i[1]};
  assign q_o = s_in[0] ^ (b_q[0] & a_i) ^ carry_i[0];
  assign unused_below = ^{first[0], second[0]};

  always_ff @(posedge clk_i) begin
    s_q <= clear_i ? '0 : second[Width:1];
    carry_q <= {second[Width+1], first[Width+1]};
  end
  assign s_o = s_q;
  assign carry_o = carry_q;
endmodule
