// SPDX-License-Identifier: Apache-2.0

/// Delays word j of a number by j steps.
///
/// words_o[j] = words_i[j] of j steps ago; stage i loads at the end of a cycle in which step_i[i]
/// is high.
/// Precondition: none.
/// Latency: j steps.
/// Example, WordBits = 8, Words = 2, a step in every cycle: 0x1234 -> 0x34 at once, 0x12 in the
/// next cycle.
module montcore_row_array_skew #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 4  // Number of words.
) (
    input logic clk_i,
    input logic [Words-1:0] step_i,  // Load enable of each stage.
    input logic [Words-1:0][WordBits-1:0] words_i,  // Number to delay, all words at the same time.
    /// Words of the number, word j delayed by j steps.
    output logic [Words-1:0][WordBits-1:0] words_o
);
  assign words_o[0] = words_i[0];
  for (genvar i = 0; i < Words - 1; i++) begin : g_stage
    // Words that need further stages; the lowest of them is complete.
    logic [Words-2-i:0][WordBits-1:0] late, late_q;
    if (i == 0) begin : g_first
      assign late = words_i[Words-1:1];
    end else begin : g_next
      assign late = g_stage[i-1].late_q[Words-1-i:1];
    end
    always_ff @(posedge clk_i) if (step_i[i]) late_q <= late;
    assign words_o[i+1] = late_q[0];
  end
  logic unused;
  assign unused = ^{clk_i, step_i[Words-1]};
endmodule
