// SPDX-License-Identifier: Apache-2.0

/// The digits of X of a product of `hr`, lowest first, followed by a margin of zeros.
///
/// n digits, n = ceil((WordBits words_i + 4) / Radix); the words of X come from a memory, the first one
/// from it or from data_i.
/// Precondition: word j is in the memory when index_o is j; X is zero above the bits of words_i and
/// the margin of 4 bits. After a product has started, the next go_i comes with last_o or later, with
/// direct_i after last_o; if stop_i ends the product, after stop_i.
/// Latency: digit_o is the lowest digit in the cycle of go_i with direct_i, or else in the next one;
/// then one digit per cycle; last_o is high with the last one.
/// Example, Radix = 4, WordBits = 16, one word: x = 0x53 -> digits 3, 5, 0, 0, 0.
module montcore_hr_feed #(
    parameter int unsigned Radix = 4,  // Bits of X consumed per iteration, even.
    parameter int unsigned WordBits = 32,  // Word size w in bits, a power of two, at least 4 Radix.
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    localparam int unsigned WordCountBits = $clog2(Words + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    /// Words of X; one more than words_i if X has bits above them.
    input logic [WordCountBits-1:0] beats_i,
    input logic go_i,  // Pulse: a product starts.
    input logic direct_i,  // High: the lowest word is data_i and not yet in the memory.
    input logic [WordBits-1:0] data_i,  // Lowest word of X, used if direct_i is high.
    input logic [WordBits-1:0] word_i,  // Word index_o of X, from the memory.
    output logic run_o,  // High while digits are output that come from the register.
    output logic [WordCountBits-1:0] index_o,  // Index of the next word of X; 0 if there is none.
    output logic more_o,  // High: there is a next word.
    input logic stop_i,  // Pulse: abandon the product.
    output logic last_o,  // High with the last digit; valid while run_o is high.
    output logic [Radix-1:0] digit_o  // Digit of X; 0 while there is none.
);
  localparam int unsigned PlaceBits = $clog2(WordBits);
  localparam int unsigned LeftBits = WordCountBits + PlaceBits;
  // Bits of X in the register: a word, and the remaining bits of the one before.
  localparam int unsigned XBits = (WordBits % Radix == 0) ? WordBits : WordBits + Radix - 2;

  logic run_q, last_q, reload_q, more_q;
  logic [WordCountBits-1:0] index_q;
  logic direct;
  logic [LeftBits-1:0] all, left, left_q;
  logic [PlaceBits-1:0] held;
  logic [XBits-1:0] x_q, x_shifted;

  // Remaining bits of X and of the margin, including the next cycle's digit.
  assign direct = go_i && direct_i;
  assign all = {words_i, PlaceBits'(4)};
  assign left = (go_i && !direct_i) ? all : (direct ? all : left_q) - LeftBits'(Radix);
  assign held = PlaceBits'(left - LeftBits'(3'd4));
  always_ff @(posedge clk_i) begin
    // Cleared when idle, so that it does not show how long ago the last product was.
    left_q   <= (go_i || run_q) ? left : '0;
    last_q   <= left <= LeftBits'(Radix);
    reload_q <= held >= PlaceBits'(Radix) && held < PlaceBits'(2 * Radix);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q   <= 1'b0;
      more_q  <= 1'b0;
      index_q <= '0;
    end else if (go_i) begin
      run_q   <= 1'b1;
      more_q  <= beats_i != WordCountBits'(1);
      index_q <= (beats_i != WordCountBits'(1)) ? WordCountBits'(1) : '0;
    end else if (stop_i || (run_q && last_q)) begin
      run_q   <= 1'b0;
      more_q  <= 1'b0;
      index_q <= '0;
    end else if (run_q && reload_q && more_q) begin
      more_q  <= index_q != beats_i - 1;
      index_q <= (index_q != beats_i - 1) ? index_q + 1 : '0;
    end
  end

  // The next word of X is placed above the remaining bits of the one before.
  localparam int unsigned Places = (WordBits % Radix == 0) ? 1 : Radix / 2;
  logic [PlaceBits-1:0] place_q;
  logic [Places-1:0] place_at;
  logic [XBits-1:0] x_in;
  assign x_shifted = x_q >> Radix;
  always_ff @(posedge clk_i) place_q <= held - PlaceBits'(Radix);
  always_comb begin
    x_in = (XBits'(data_i >> Radix) & {XBits{direct_i}}) | (x_shifted & {XBits{~go_i}});
    for (int unsigned place = 0; place < Places; place++) begin
      place_at[place] = go_i ? (!direct_i && place == 0) : reload_q && more_q &&
                                                           place_q == PlaceBits'(2 * place);
      x_in |= (XBits'(word_i) << (2 * place)) & {XBits{place_at[place]}};
    end
  end
  always_ff @(posedge clk_i) x_q <= x_in & {XBits{~clear_i}};
  assign run_o   = run_q;
  assign index_o = index_q;
  assign more_o  = more_q;
  assign last_o  = last_q;
  assign digit_o = (x_q[Radix-1:0] & {Radix{run_q}}) | (data_i[Radix-1:0] & {Radix{direct}});
endmodule
