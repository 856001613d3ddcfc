// SPDX-License-Identifier: Apache-2.0

/// A word of the row of `rc`: two adders in series; only their carries out are stored.
///
/// S <- S / 2 + a B + q N + both carries in, minus the carries out, of weight 2^Width.
/// The block above works one cycle later, so its lowest bit arrives one iteration late and then
/// belongs one place lower: it is added at place Width - 2, and its carry takes the top place,
/// which the shift has vacated.
/// Precondition: none.
/// Latency: 1, for the carries too.
/// Latency: 1, for the carries as well.
/// Source: mmm-mx-2006, Algorithm 1, with words instead of its cells.
module montcore_rc_block #(
    parameter int unsigned Width = 32  // Width of the block in bits, 3 or more.
) (
    input logic clk_i,
    input logic n_we_i,  // Write enable of the word of N.
    input logic [Width-1:0] n_i,  // Word of N, valid with n_we_i.
    input logic b_we_i,  // Write enable of the word of B.
    input logic [Width-1:0] b_i,  // Word of B, valid with b_we_i.
    input logic clear_i,  // High: the next iteration is the first of a product; S becomes zero.
    input logic a_i,  // Bit of A of this iteration.
    input logic q_i,  // Quotient digit of this iteration.
    output logic q_o,  // Quotient digit required by the lowest bit; used from block 0.
    input logic late_i,  // The late bit: the lowest one of the block above.
    /// Carries of the block below: [0] of its first adder, [1] of its second.
    input logic [1:0] carry_i,
    /// Carries of this block: [0] of the first adder, [1] of the second.
    output logic [1:0] carry_o,
    output logic [Width-1:0] s_o  // S of this block, registered.
);
  logic [Width-1:0] b_q, n_q, s_q, s_in;
  logic [1:0] carry_q;

  always_ff @(posedge clk_i) begin
    if (n_we_i) n_q <= n_i;
    if (b_we_i) b_q <= b_i;
  end

  assign s_in = {s_q[Width-1] & late_i, s_q[Width-1] ^ late_i, s_q[Width-2:1]};

  // Both carries in are added below the lowest bit, at the start of a carry chain. The first sum is
  // kept, so that synthesis does not merge both into a carry-save adder: one table per bit and
  // adder.
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
