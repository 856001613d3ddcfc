// SPDX-License-Identifier: Apache-2.0

/// Layers of full adders: reduce Rows numbers to two; each layer has a carry to the next word.
///
/// sum of all rows + sum of carry_i = sum_o + 2 carry_o + 2^Width * (sum of up_o), sums of bits.
/// Each layer takes the three oldest numbers and leaves its carries and then its sums, which are
/// later in the cycle; the carries of the last layer are carry_o.
/// Precondition: none.
/// Latency: 0.
/// Example, Rows = 4, Width = 4: 9, 9, 9, 9 and no carry in -> up_o = 1, sum_o = 2, carry_o = 9.
module montcore_hr_tree #(
    parameter int unsigned Rows = 8,  // Number of addends, 3 or more.
    parameter int unsigned Width = 32,  // Width of each addend in bits.
    /// Number of layers with a carry to the next word.
    localparam int unsigned Ups = (Rows > 3) ? Rows - 3 : 1
) (
    /// Addends; those that arrive late in the cycle are last.
    input logic [Rows-1:0][Width-1:0] rows_i,
    input logic [Ups-1:0] carry_i,  // Carries into the lowest cell, one per layer.
    output logic [Width-1:0] sum_o,  // Sum bits of the last layer.
    /// Carries of the last layer; bit p has the weight of cell p + 1.
    output logic [Width-1:0] carry_o,
    output logic [Ups-1:0] up_o  // Carries out of the highest cell, of all layers but the last.
);
  localparam int unsigned Layers = Rows - 2;
  for (genvar i = 0; i < Rows + 2 * Layers; i++) begin : g_queue
    logic [Width-1:0] bits;
    if (i < Rows) begin : g_row
      assign bits = rows_i[i];
    end
  end
  for (genvar x = 0; x < Layers; x++) begin : g_layer
    logic [Width-1:0] a, b, c, majority;
    assign a = g_queue[3*x].bits;
    assign b = g_queue[3*x+1].bits;
    assign c = g_queue[3*x+2].bits;
    assign majority = (a & b) | (c & (a | b));
    assign g_queue[int'(Rows)+2*x+1].bits = a ^ b ^ c;
    if (x == Layers - 1) begin : g_last
      assign g_queue[int'(Rows)+2*x].bits = majority;
    end else begin : g_inner
      assign g_queue[int'(Rows)+2*x].bits = {majority[Width-2:0], carry_i[x]};
      assign up_o[x] = majority[Width-1];
    end
  end
  assign sum_o   = g_queue[Rows+2*Layers-1].bits;
  assign carry_o = g_queue[Rows+2*Layers-2].bits;
  if (Rows == 3) begin : g_one_layer
    logic unused;
    assign up_o   = '0;
    assign unused = ^carry_i;
  end
endmodule
