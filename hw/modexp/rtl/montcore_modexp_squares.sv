// SPDX-License-Identifier: Apache-2.0

/// Tells which products of an exponentiator are squares, by counting them.
///
/// A power of policy 0 has 2^Window products for its table, then Window squares and one product for
/// each further window, then a canonical one. One of policy 1 with an exponent of at most
/// 2^(Window - 1) + 1 bits has one product for its table, then for each bit below the leading 1 a
/// square, and after it a product if the bit is 1; then a canonical one. Operands are not
/// compared: the answer depends on the policy, on the number of products and, with policy 1, on
/// the exponent, which is public. For other requests square_o stays low.
/// Precondition: header_i before the first product of a request; clear_i after the last one.
/// Leading zeros of a short exponent are skipped from e_i on, one in a cycle: that has ended when
/// the exponentiator, which does the same after its first product, gives a square.
/// Latency: 0 from the first beat of a product to square_o.
/// Example, Window = 2, a power of policy 0: products 4, 5, 7, 8, 10, 11, ... are squares, counted
/// from 0, unless they are canonical; of policy 1 with the exponent 0b101: 1 and 2.
module montcore_modexp_squares
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Window = 5  // Window width in bits, 2 or more.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Pulse: the request has ended, or is abandoned.
    input logic header_i,  // Pulse: the header of a request is accepted.
    input logic e_i,  // Pulse: a beat of the exponent is accepted.
    /// The header or the beat of the exponent, valid with header_i and e_i.
    input logic [33:0] y_data_i,
    input logic given_i,  // The last beat of a product's operands is accepted.
    input logic canonical_i,  // High: the product is canonical.
    output logic square_o  // High: the product whose operands come now, or next, is a square.
);
  localparam int unsigned RoundBits = $clog2(Window + 1);
  /// Longest exponent that policy 1 processes bit by bit.
  localparam int unsigned ShortBits = 2 ** (Window - 1) + 1;
  localparam logic [1:0] PolicyConstant = 2'd0;
  localparam logic [1:0] PolicySliding = 2'd1;
  logic
      active_q, constant, sliding, short_q, load_q, led_q, product_q, table_q, square, unused_bits;
  logic [Window-1:0] count_q;
  logic [RoundBits-1:0] round_q;
  logic [ShortBits-1:0] bits_q;
  logic [1:0] policy_q;

  assign unused_bits = ^y_data_i;
  assign constant = policy_q == PolicyConstant;
  assign sliding = policy_q == PolicySliding;
  assign square = constant ? round_q != RoundBits'(Window) : sliding && short_q && !product_q;
  assign square_o = active_q && square && !table_q && !canonical_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      active_q <= 1'b0;
      policy_q <= '0;
      short_q  <= 1'b0;
      table_q  <= 1'b0;
      count_q  <= '0;
      round_q  <= '0;
    end else if (header_i) begin
      active_q <= 1'b1;
      policy_q <= y_data_i[HeaderBits+:2];
      short_q  <= y_data_i[HeaderBits-1:0] <= HeaderBits'(ShortBits);
      table_q  <= 1'b1;
      count_q  <= '0;
      round_q  <= '0;
    end else if (given_i) begin
      count_q <= count_q + 1'b1;
      if (table_q) table_q <= constant && count_q != '1;
      else round_q <= (round_q == RoundBits'(Window)) ? '0 : round_q + 1'b1;
    end
  end

  // ---- bits of a short public exponent: the leading 1 is shifted out, then one for each square ------
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || header_i) begin
      load_q    <= rst_ni && !clear_i;
      led_q     <= 1'b0;
      product_q <= 1'b0;
      bits_q    <= '0;
    end else if (sliding && short_q) begin
      if (load_q) begin
        if (e_i) begin
          load_q <= 1'b0;
          bits_q <= y_data_i[ShortBits-1:0];
        end
      end else if (!led_q) begin
        led_q  <= bits_q[ShortBits-1];
        bits_q <= bits_q << 1;
      end else if (given_i && !table_q) begin
        product_q <= !product_q && bits_q[ShortBits-1];
        if (!product_q) bits_q <= bits_q << 1;
      end
    end
  end
endmodule
