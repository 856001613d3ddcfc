// SPDX-License-Identifier: Apache-2.0

/// Tells which products of an exponentiator with fixed windows are squares, by counting them.
///
/// A power of policy 0 has 2^Window products for its table, then Window squares and one product for
/// each further window, then a canonical one. Operands are not compared: the answer
/// depends on the policy and on the number of products alone, never on data.
/// Precondition: header_i before the first product of a request; clear_i after the last one.
/// Latency: 0 from the first beat of a product to square_o.
/// Example, Window = 2, a power of policy 0: products 4, 5, 7, 8, 10, 11, ... are squares, counted
/// from 0, unless they are canonical.
module montcore_modexp_squares #(
    /// Window width in bits, 2 or more.
    parameter int unsigned Window = 5
) (
    /// Clock, rising edge.
    input  logic clk_i,
    /// Synchronous reset, active low.
    input  logic rst_ni,
    /// Pulse: the request has ended, or is abandoned.
    input  logic clear_i,
    /// Pulse: the header of a request is accepted.
    input  logic header_i,
    /// High: its policy is 0; valid with header_i.
    input  logic constant_i,
    /// The last beat of a product's operands is accepted.
    input  logic given_i,
    /// High: the product is canonical.
    input  logic canonical_i,
    /// High: the product whose operands come now, or next, is a square.
    output logic square_o
);
  localparam int unsigned RoundBits = $clog2(Window + 1);
  logic constant_q, table_q;
  logic [Window-1:0] count_q;
  logic [RoundBits-1:0] round_q;

  assign square_o = constant_q && !table_q && round_q != RoundBits'(Window) && !canonical_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      constant_q <= 1'b0;
      table_q    <= 1'b0;
      count_q    <= '0;
      round_q    <= '0;
    end else if (header_i) begin
      constant_q <= constant_i;
      table_q    <= 1'b1;
      count_q    <= '0;
      round_q    <= '0;
    end else if (given_i) begin
      count_q <= count_q + 1'b1;
      if (table_q) table_q <= count_q != '1;
      else round_q <= (round_q == RoundBits'(Window)) ? '0 : round_q + 1'b1;
    end
  end
endmodule
