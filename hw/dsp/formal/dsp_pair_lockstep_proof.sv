// SPDX-License-Identifier: Apache-2.0

/// The multiplicands of `montcore_dsp_pair_lockstep` in all blocks of a row with r = 4, for any number of
/// 7 words below 2^(17 7 - 1) and any part of the square of it.
/// a_upper, a_lower: the words that the blocks of a part multiply are those of U_i, or of L_i.
module dsp_pair_lockstep_proof #(
    localparam int unsigned Alpha  = 2,  // Number of blocks, enough for 8 words.
    localparam int unsigned Digits = 7   // Words of the number.
) (
    input logic clk_i,  // Clock, rising edge; the only state is that of a first cycle.
    input logic [117:0] number_i,  // The number, any value.
    input logic [2:0] part_i,  // Index of the part.
    input logic slot_i  // Pair of words in each block.
);
  localparam int unsigned Parts = 4;  // r
  localparam int unsigned Width = 17 * Alpha * Parts;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // 2 A, A_i 2^17i, and the sums of the specification.
  logic [Width-1:0] number, twice, at, below, diagonal, upper, lower;
  logic [7:0] place;
  logic [16:0] operand;
  logic above;
  assign number = Width'(number_i);
  assign twice = number << 1;
  assign place = 8'd17 * 8'(part_i);
  assign below = (Width'(1'b1) << place) - 1'b1;
  assign at = Width'(17'h1ffff) << place;
  assign diagonal = number & at;
  assign operand = 17'(number >> place);
  assign above = !`MUTANT && part_i != '0 && 1'(number >> (place - 1'b1));
  assign upper = diagonal + ((number & ~at & ~below) << 1);
  assign lower = diagonal + ((number & below) << 1);

  // What the row gives to the blocks: word i, or i + 1 in the block below the border.
  logic [3:0] first, last;
  logic [1:0] upper_border, lower_border;
  assign first = 4'(part_i);
  assign last = 4'(part_i) + 4'd1;
  assign upper_border = first[3:2];
  assign lower_border = last[3:2] + 1'b1;

  for (genvar k = 0; k < Alpha; k++) begin : g_block
    logic [33:0] memory, upper_pair, lower_pair, upper_want, lower_want;
    assign memory = 34'(twice >> (17 * Parts * k + 34 * slot_i));
    assign upper_want = 34'(upper >> (17 * Parts * k + 34 * slot_i));
    assign lower_want = 34'(lower >> (17 * Parts * k + 34 * slot_i));
    montcore_dsp_pair_lockstep u_upper (
        .pair_i     (memory),
        .slot_i,
        .last_slot_i(1'b1),
        .none_i     (upper_border > 2'(k)),
        .lower_i    (1'b0),
        .edge_i     (upper_border == 2'(k)),
        .near_i     (k > 0 && upper_border == 2'(k - 1)),
        .word_i     (first[1:0]),
        .operand_i  (operand),
        .above_i    (1'b0),
        .pair_o     (upper_pair)
    );
    montcore_dsp_pair_lockstep u_lower (
        .pair_i     (memory),
        .slot_i,
        .last_slot_i(1'b1),
        .none_i     (lower_border <= 2'(k)),
        .lower_i    (1'b1),
        .edge_i     (lower_border == 2'(k + 1)),
        .near_i     (lower_border == 2'(k + 2)),
        .word_i     (last[1:0]),
        .operand_i  (operand),
        .above_i    (above),
        .pair_o     (lower_pair)
    );
    always_comb begin
      if (started_q && part_i < 3'(Digits)) begin
        a_upper : assert (upper_pair == upper_want);
        a_lower : assert (lower_pair == lower_want);
      end
    end
  end
endmodule
