// SPDX-License-Identifier: Apache-2.0

/// Sizes of a product as a function of the run-time length: a table.
///
/// h = min(32 words_i, Length); n = ceil((h + 36) / 17); r / 2 = ceil((n + 1) / (2 Alpha))
/// Precondition: 1 <= words_i <= Words.
/// Latency: 0; on an FPGA, where the table is several levels deep, 1.
/// Source: dsp48-2007, Algorithm 2, whose n = ceil((h + 35) / 17) and r = 2 ceil(ceil(n / Alpha) / 2)
/// give the same at 512, 1024, 1536 and 2048 bits, but at some lengths violate 4 Mt < 2^(17 n), or
/// leave no room for the n + 1 words of S.
/// Example, Length = 2048, Alpha = 17, words_i = 16: n = 33, 17 pairs, half = 1.
module montcore_dsp_length #(
    parameter int unsigned Length = 512,
    parameter int unsigned Alpha = 17,  // Number of blocks of the row.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned Words = (Length + 31) / 32,  // Words of 32 bits built.
    localparam int unsigned Digits = (Length + 36 + 16) / 17,  // Words of 17 bits built.
    /// Pairs of words per block.
    localparam int unsigned Pairs = (Digits + 1 + 2 * Alpha - 1) / (2 * Alpha),
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned DigitBits = $clog2(Digits + 2),
    localparam int unsigned PairBits = $clog2((Digits + 1) / 2 + 1),
    localparam int unsigned SlotBits = (Pairs > 1) ? $clog2(Pairs) : 1
) (
    /// Clock, rising edge; used on an FPGA only, where the outputs are registered.
    input logic clk_i,
    input logic [WordCountBits-1:0] words_i,  // Words of 32 bits of the modulus.
    output logic [DigitBits-1:0] digits_o,  // Number n of 17-bit words of an operand.
    output logic [PairBits-1:0] pairs_o,  // Number of pairs of words of an operand.
    output logic [SlotBits-1:0] last_slot_o  // Pairs of a half-iteration minus 1, r / 2 - 1.
);
  logic [DigitBits-1:0] digits;
  logic [ PairBits-1:0] pairs;
  logic [ SlotBits-1:0] last_slot;
  always_comb begin
    digits    = '0;
    pairs     = '0;
    last_slot = '0;
    for (int unsigned k = 1; k <= Words; k++) begin
      if (words_i == WordCountBits'(k)) begin
        digits |= DigitBits'((((k == Words) ? Length : 32 * k) + 36 + 16) / 17);
        pairs |= PairBits'(((((k == Words) ? Length : 32 * k) + 36 + 16) / 17 + 1) / 2);
        last_slot |= SlotBits'(
            ((((k == Words) ? Length : 32 * k) + 36 + 16) / 17 + 2 * Alpha) / (2 * Alpha) - 1);
      end
    end
  end
  if (Tech >= montcore_pkg::TechFpga) begin : g_registers
    always_ff @(posedge clk_i) begin
      digits_o    <= digits;
      pairs_o     <= pairs;
      last_slot_o <= last_slot;
    end
  end else begin : g_table
    logic unused_clock;
    assign digits_o = digits;
    assign pairs_o = pairs;
    assign last_slot_o = last_slot;
    assign unused_clock = clk_i;
  end
endmodule
