// SPDX-License-Identifier: Apache-2.0

/// Recodes a multiplier word for `montcore_mul_cs`: radix-4 Booth digits, or the word unchanged.
///
/// word = sum of digit[i] * 4^i, digit[i] in {-2 .. 2}, the last one in {0, 1}
/// Precondition: Width even.
/// Latency: 0.
/// Example, Width = 4, TechAsic: word 0x7 -> digits -1, 2, 0 (-1 + 2 * 4 = 7).
module montcore_recode #(
    parameter int unsigned Width = 32,  // Word width in bits, even.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned Digits = Width / 2 + 1,  // Number of radix-4 digits.
    localparam int unsigned CodeBits = (Tech == montcore_pkg::TechAsic) ? 3 * Digits : Width
) (
    input logic [Width-1:0] word_i,  // Multiplier word, unsigned.
    /// Recoded word: {negative, two, one} per digit, or the word unchanged.
    output logic [CodeBits-1:0] code_o
);
  if (Tech == montcore_pkg::TechAsic) begin : g_booth
    logic [Width+2:0] padded;

    // With one zero below the word and two above, every digit is a window of three bits.
    assign padded = {2'b00, word_i, 1'b0};
    for (genvar i = 0; i < Digits; i++) begin : g_digit
      logic high, mid, low;
      assign {high, mid, low} = padded[2*i+:3];
      assign code_o[3*i+:3]   = {high, (high & ~mid & ~low) | (~high & mid & low), mid ^ low};
    end
  end else begin : g_plain
    assign code_o = word_i;
  end
endmodule
