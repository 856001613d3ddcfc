// SPDX-License-Identifier: Apache-2.0

/// Output stage of an array: carry-save words in, a canonical number out, up to one per cycle.
///
/// z = t or t - n, whichever is in [0, n), with t = S / 2 + C below 2 n. Word j is added one cycle
/// after it arrives and n subtracted in the next, each with the carry of the word below, so that no
/// carry chain is longer than a word; then the words are delayed until the last borrow is known.
/// Precondition: word j of S and C is valid in cycle E + j, and n is constant. Inputs in other
/// cycles are ignored.
/// Latency: z_o in cycle E + Words + 4.
/// Source: mmm-mx-2006 leaves the conversion open; word-wise addition keeps the carry chains short.
/// Example, WordBits = 8, Words = 1, n = 0x8b, S = 0x132, C = 0x33 (t = 0xcc) -> z = 0x41.
module montcore_row_array_back #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 4  // Number of words.
) (
    input logic clk_i,
    input logic [Words-1:0][WordBits-1:0] n_i,  // Modulus n, constant.
    input logic [Words:0][WordBits-1:0] s_i,  // Sum vector S, word j in cycle E + j.
    input logic [Words:0][WordBits-1:0] c_i,  // Carry vector C, word j in cycle E + j.
    output logic [Words-1:0][WordBits-1:0] z_o  // Result z, all words in cycle E + Words + 4.
);
  // Carries and borrows out of each word.
  logic [Words-1:0] carry_q, borrow_q;
  // Sum and reduced sum, all words aligned in time.
  logic [Words-1:0][WordBits-1:0] total_late, reduced_late;

  for (genvar j = 0; j < Words; j++) begin : g_word
    logic [WordBits-2:0] s_q;
    logic [WordBits-1:0] c_q, total_q, kept_q, reduced_q;
    logic [WordBits:0] total, reduced;
    logic carry, borrow;
    if (j == 0) begin : g_lowest
      assign carry  = 1'b0;
      assign borrow = 1'b0;
    end else begin : g_upper
      assign carry  = carry_q[j-1];
      assign borrow = borrow_q[j-1];
    end
    // The bit shifted in from the word above arrives one cycle after this word.
    assign total   = {1'b0, s_i[j+1][0], s_q} + {1'b0, c_q} + {{WordBits{1'b0}}, carry};
    assign reduced = {1'b0, total_q} - {1'b0, n_i[j]} - {{WordBits{1'b0}}, borrow};
    always_ff @(posedge clk_i) begin
      s_q         <= s_i[j][WordBits-1:1];
      c_q         <= c_i[j];
      total_q     <= total[WordBits-1:0];
      carry_q[j]  <= total[WordBits];
      kept_q      <= total_q;
      reduced_q   <= reduced[WordBits-1:0];
      borrow_q[j] <= reduced[WordBits];
    end

    // Lower words are delayed longer.
    localparam int unsigned Wait = Words - j;
    logic [Wait-1:0][2*WordBits-1:0] late_q;
    if (Wait == 1) begin : g_one
      always_ff @(posedge clk_i) late_q <= {reduced_q, kept_q};
    end else begin : g_more
      always_ff @(posedge clk_i) late_q <= {late_q[Wait-2:0], reduced_q, kept_q};
    end
    assign {reduced_late[j], total_late[j]} = late_q[Wait-1];
  end

  // Above the words: t is below 2^(k + 1). n is subtracted if t has this bit, or without a borrow.
  logic head_s_q, head_c_q, head_q, fits_q;
  always_ff @(posedge clk_i) begin
    head_s_q <= s_i[Words][1];
    head_c_q <= c_i[Words][0];
    head_q   <= head_s_q ^ head_c_q ^ carry_q[Words-1];
    fits_q   <= head_q | ~borrow_q[Words-1];
  end

  logic [Words-1:0][WordBits-1:0] z_q;
  always_ff @(posedge clk_i) z_q <= fits_q ? reduced_late : total_late;
  assign z_o = z_q;

  logic unused;
  assign unused = ^{s_i[0][0], s_i[Words][WordBits-1:2], c_i[Words][WordBits-1:1]};
endmodule
