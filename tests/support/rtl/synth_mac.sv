// SPDX-License-Identifier: Apache-2.0

/// A multiply-accumulate unit to try mapping recipes on: carry-save multiplier, adders, a memory.
///
/// product = a * b as a carry-save pair (explicit full adders), then two adders of Width + 3 and
/// Width bits; one operand of the first comes from a memory of 17 words.
/// Precondition: Width at most 32.
/// Latency: 3 cycles from a_i, b_i to z_o.
/// Example, Width = 4: a = 3, b = 5 gives the pair 15 + 0 or another pair of the same sum.
module synth_mac #(
    parameter int unsigned Width = 32  // Bits of an operand.
) (
    input logic clk_i,
    input logic [Width-1:0] a_i,  // Multiplier.
    input logic [Width-1:0] b_i,  // Multiplicand.
    input logic we_i,  // Write enable of the memory.
    input logic [4:0] waddr_i,  // Write address.
    input logic [4:0] raddr_i,  // Read address.
    output logic [Width+2:0] z_o,  // Low sum.
    output logic [Width-1:0] h_o  // High sum.
);
  localparam int unsigned Full = 2 * Width;
  localparam int unsigned Levels = 10;

  logic [Width-1:0] a_q, b_q, word, h_q;
  logic [Full-1:0] sum_q, carry_q;
  logic [Width+2:0] z_q;
  logic [Levels:0][Width-1:0][Full-1:0] rows;

  function automatic int unsigned rows_at(int unsigned level);
    int unsigned count = Width;
    for (int unsigned i = 0; i < level; i++) count = count - count / 3;
    return count;
  endfunction

  for (genvar i = 0; i < Width; i++) begin : g_partial
    assign rows[0][i] = b_q[i] ? Full'(a_q) << i : '0;
  end
  for (genvar level = 0; level < Levels; level++) begin : g_level
    localparam int unsigned Count = rows_at(level);
    localparam int unsigned Triples = Count / 3;
    for (genvar i = 0; i < Width; i++) begin : g_row
      if (i < 2 * Triples) begin : g_add
        logic [Full-1:0] x, y, z;
        assign x = rows[level][3*(i/2)];
        assign y = rows[level][3*(i/2)+1];
        assign z = rows[level][3*(i/2)+2];
        assign rows[level+1][i] = (i % 2) ? ((x & y) | (x & z) | (y & z)) << 1 : x ^ y ^ z;
      end else if (i < Count - Triples) begin : g_pass
        assign rows[level+1][i] = rows[level][i+Triples];
      end else begin : g_none
        assign rows[level+1][i] = '0;
      end
    end
  end

  montcore_ram_macro #(
      .Rows (17),
      .Width(Width)
  ) u_memory (
      .clk_i,
      .we_i,
      .waddr_i,
      .wdata_i(z_q[Width-1:0]),
      .raddr_i,
      .rdata_o(word)
  );

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    sum_q <= rows[Levels][0];
    carry_q <= rows[Levels][1];
    z_q <= (Width + 3)'(sum_q[Width-1:0]) + (Width + 3)'(carry_q[Width-1:0]) + (Width + 3)'(word) +
        (Width + 3)'(h_q);
    h_q <= sum_q[Full-1:Width] + carry_q[Full-1:Width] + Width'(z_q[Width+2:Width]);
  end

  assign z_o = z_q;
  assign h_o = h_q;
endmodule
