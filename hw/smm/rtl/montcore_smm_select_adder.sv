// SPDX-License-Identifier: Apache-2.0

/// Carry-select adder of two halves, each computed for both carries and then selected.
///
/// {carry_o, sum_o} = a_i + b_i + carry_i
/// Precondition: none. WordBits is even.
/// Latency: 0; from carry_i two multiplexers.
/// Source: smm-2021, III: adder1 and adder2 are two 16-bit carry-select adders each.
/// Example, WordBits = 4: 0xb + 0x6 + 1 -> sum_o = 2, carry_o = 1.
module montcore_smm_select_adder #(
    parameter int unsigned WordBits = 32  // Width of the addends in bits, even.
) (
    input logic [WordBits-1:0] a_i,  // First addend, unsigned.
    input logic [WordBits-1:0] b_i,  // Second addend, unsigned.
    input logic carry_i,  // Carry input, of weight 1.
    output logic [WordBits-1:0] sum_o,  // Sum modulo 2^WordBits.
    output logic carry_o  // Carry output, of weight 2^WordBits.
);
  localparam int unsigned Half = WordBits / 2;

  logic [Half:0] low_0, low_1, high_0, high_1;
  logic between;

  assign low_0 = {1'b0, a_i[Half-1:0]} + {1'b0, b_i[Half-1:0]};
  assign low_1 = {1'b0, a_i[Half-1:0]} + {1'b0, b_i[Half-1:0]} + (Half + 1)'(1);
  assign high_0 = {1'b0, a_i[WordBits-1:Half]} + {1'b0, b_i[WordBits-1:Half]};
  assign high_1 = {1'b0, a_i[WordBits-1:Half]} + {1'b0, b_i[WordBits-1:Half]} + (Half + 1)'(1);
  assign {between, sum_o[Half-1:0]} = carry_i ? low_1 : low_0;
  assign {carry_o, sum_o[WordBits-1:Half]} = between ? high_1 : high_0;
endmodule
