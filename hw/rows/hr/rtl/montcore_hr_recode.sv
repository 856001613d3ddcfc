// SPDX-License-Identifier: Apache-2.0

/// Recodes bits of A, lowest first, to radix-4 digits from {-1, 0, 1, 2}: 3 becomes 4 - 1.
///
/// sum of a_o 2^(Radix i) = sum of bits_i 2^(Radix i), i from 0 on, if the last bits are zeros or a
/// sign; the carry above a sign is dropped.
/// Precondition: first_i with the lowest bits.
/// Latency: 1.
/// Example, Radix = 4: 0xb, 0x0 -> {-1, -1}, {1, 0}, digits lowest first (11 = -1 - 4 + 16).
module montcore_hr_recode #(
    parameter int unsigned Radix = 4,  // Bits per cycle, even.
    localparam int unsigned Pairs = Radix / 2  // Number of radix-4 digits.
) (
    input logic clk_i,
    input logic first_i,  // High with the lowest bits of A.
    input logic [Radix-1:0] bits_i,  // Bits of A, Radix per cycle.
    /// Digits of the previous cycle's bits, coded as lines {-1, 2, 1}.
    output logic [Pairs-1:0][2:0] a_o
);
  logic carry_q;
  // A carry chain in one vector looks like a loop to Verilator unless the vector is split.
  logic [Pairs:0] carry  /* verilator split_var */;
  logic [Pairs-1:0][2:0] a;
  assign carry[0] = carry_q & ~first_i;
  for (genvar p = 0; p < Pairs; p++) begin : g_pair
    logic [1:0] pair;
    assign pair = bits_i[2*p+:2];
    assign a[p][0] = pair == (carry[p] ? 2'd0 : 2'd1);
    assign a[p][1] = pair == (carry[p] ? 2'd1 : 2'd2);
    assign a[p][2] = pair == (carry[p] ? 2'd2 : 2'd3);
    assign carry[p+1] = pair[1] & (pair[0] | carry[p]);
  end
  always_ff @(posedge clk_i) begin
    carry_q <= carry[Pairs];
    a_o     <= a;
  end
endmodule
