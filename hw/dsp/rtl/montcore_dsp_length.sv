// SPDX-License-Identifier: Apache-2.0

/// Sizes of a product from the run-time length: a table.
///
/// h = min(32 words_i, Length); n = ceil((h + 36) / 17); r / 2 = ceil((n + 1) / (2 Alpha))
/// Precondition: 1 <= words_i <= Words.
/// Latency: 0.
/// Source: dsp48-2007, Algorithm 2, whose n = ceil((h + 35) / 17) and r = 2 ceil(ceil(n / Alpha) / 2)
/// come to the same at 512, 1024, 1536 and 2048 bits, but at some lengths break 4 Mt < 2^(17 n), or
/// leave no room for the n + 1 words of S.
/// Example, Length = 2048, Alpha = 17, words_i = 16: n = 33, 17 pairs, half = 1.
module montcore_dsp_length #(
    /// Built width L in bits.
    parameter int unsigned Length = 512,
    /// Number of blocks.
    parameter int unsigned Alpha = 17,
    /// Words of 32 bits built (do not change).
    localparam int unsigned Words = (Length + 31) / 32,
    /// Words of 17 bits built (do not change).
    localparam int unsigned Digits = (Length + 36 + 16) / 17,
    /// Pairs of words of a block (do not change).
    localparam int unsigned Pairs = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha),
    /// Bits of a count of 32-bit words (do not change).
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    /// Bits of a word count (do not change).
    localparam int unsigned DigitBits = $clog2(Digits + 2),
    /// Bits of a pair count (do not change).
    localparam int unsigned PairBits = $clog2((Digits + 1) / 2 + 1),
    /// Bits of a pair number in a block (do not change).
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1
) (
    /// Words of 32 bits of the modulus.
    input  logic [WordCountBits-1:0] words_i,
    /// n.
    output logic [    DigitBits-1:0] digits_o,
    /// Pairs of words.
    output logic [     PairBits-1:0] pairs_o,
    /// r / 2 - 1.
    output logic [     SlotBits-1:0] last_slot_o
);
  always_comb begin
    digits_o    = '0;
    pairs_o     = '0;
    last_slot_o = '0;
    for (int unsigned k = 1; k <= Words; k++) begin
      if (words_i == WordCountBits'(k)) begin
        digits_o |= DigitBits'((((k == Words) ? Length : 32 * k) + 36 + 16) / 17);
        pairs_o |= PairBits'(((((k == Words) ? Length : 32 * k) + 36 + 16) / 17 + 1) / 2);
        last_slot_o |= SlotBits'(
            ((((k == Words) ? Length : 32 * k) + 36 + 16) / 17 + 2 * Alpha) / (2 * Alpha) - 1);
      end
    end
  end
endmodule
