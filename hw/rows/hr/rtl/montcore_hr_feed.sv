// SPDX-License-Identifier: Apache-2.0

/// The digits of X of a product of `hr`, lowest first, and the margin of zeros above X.
///
/// n digits, n = ceil((WordBits words_i + 4) / Radix); the words of X come from a memory, the first one
/// from it or from data_i.
/// Precondition: word j is in the memory when index_o is j; above the bits of words_i and the margin of
/// 4 bits X is zero. go_i comes not before last_o, or with stop_i or after it.
/// Latency: digit_o is the lowest digit in the cycle after go_i, the next one a cycle later; last_o with
/// the last one.
/// Example, Radix = 4, WordBits = 16, one word: x = 0x53 -> digits 3, 5, 0, 0, 0.
module montcore_hr_feed #(
    /// Bits of X that an iteration consumes, even.
    parameter int unsigned Radix = 4,
    /// Word size w in bits, a power of two, at least 4 Radix.
    parameter int unsigned WordBits = 32,
    /// Words built.
    parameter int unsigned Words = 8,
    /// Bits of a word count (do not change).
    localparam int unsigned WordCountBits = $clog2(Words + 1)
) (
    /// Clock, rising edge.
    input  logic                     clk_i,
    /// Synchronous reset, active low.
    input  logic                     rst_ni,
    /// High while zeros run through everything.
    input  logic                     clear_i,
    /// Words of the modulus.
    input  logic [WordCountBits-1:0] words_i,
    /// Words of X; one more than that where X has bits above them.
    input  logic [WordCountBits-1:0] beats_i,
    /// A product begins.
    input  logic                     go_i,
    /// Its lowest word is data_i and not yet in the memory.
    input  logic                     direct_i,
    /// The word.
    input  logic [     WordBits-1:0] data_i,
    /// Word index_o.
    input  logic [     WordBits-1:0] word_i,
    /// High: digits are shown.
    output logic                     run_o,
    /// Word that comes next; 0 if there is none.
    output logic [WordCountBits-1:0] index_o,
    /// High: there is one.
    output logic                     more_o,
    /// The product is given up.
    input  logic                     stop_i,
    /// The last digit is shown; of meaning while run_o is high.
    output logic                     last_o,
    /// The digit; 0 while run_o is low.
    output logic [        Radix-1:0] digit_o
);
  localparam int unsigned PlaceBits = $clog2(WordBits);
  localparam int unsigned LeftBits = WordCountBits + PlaceBits;
  // Bits of X in the register: a word, and what is left when the next one comes.
  localparam int unsigned XBits = (WordBits % Radix == 0) ? WordBits : WordBits + Radix - 2;

  logic run_q, last_q, reload_q, more_q;
  logic [WordCountBits-1:0] index_q;
  logic [LeftBits-1:0] left, left_q;
  logic [PlaceBits-1:0] held;
  logic [XBits-1:0] x_q, x_shifted;

  // Bits of X and of the margin that are left, this digit's included.
  assign left = go_i ? {words_i, PlaceBits'(4)} : left_q - LeftBits'(Radix);
  assign held = PlaceBits'(left - LeftBits'(3'd4));
  always_ff @(posedge clk_i) begin
    // At rest it stands still, so that nothing tells how long the last product is ago.
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

  // The next word of X comes above what is left of the one before.
  localparam int unsigned Places = (WordBits % Radix == 0) ? 1 : Radix / 2;
  logic [PlaceBits-1:0] place_q;
  logic [Places-1:0] place_at;
  logic [XBits-1:0] x_in;
  assign x_shifted = x_q >> Radix;
  always_ff @(posedge clk_i) place_q <= held - PlaceBits'(Radix);
  always_comb begin
    x_in = (XBits'(data_i) & {XBits{direct_i}}) | (x_shifted & {XBits{~go_i}});
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
  assign digit_o = run_q ? x_q[Radix-1:0] : '0;
endmodule
