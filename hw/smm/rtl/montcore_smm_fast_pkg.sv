// SPDX-License-Identifier: Apache-2.0

/// What the sequencer of the fast schedule tells the datapath about a pass.
package montcore_smm_fast_pkg;

  /// Where the multiplier word of a pass comes from.
  typedef enum logic [1:0] {
    OpZero,     // nothing is added
    OpX,        // the next word of X
    OpLow,      // the lowest word of T (quotient digit of the scaled modulus)
    OpQuotient  // the last quotient digit, or n0' in the set-up pass
  } smm_op_e;

  /// Which rows of the operand memory a pass reads.
  typedef enum logic [2:0] {
    RegionY0      = 3'd0,
    RegionY1      = 3'd1,
    RegionScaled  = 3'd2,  // (m n0' + 1) / 2^WordBits
    RegionInverse = 3'd3,  // n0' in lane 0; one row, where element 0 makes the last digit
    RegionM       = 3'd4
  } smm_region_e;

  /// High: element 0 makes the last quotient digit in a slot of its own, and results go from T into F
  /// as they are made. With fewer rows a multiplier of its own does, and T moves through F.
  function automatic bit shares(int unsigned rows);
    return rows > 3;
  endfunction

  /// High: a product is four registered DSP blocks, whose products are added in the accumulation: the
  /// registers of stages M and A are those of the blocks.
  function automatic bit registered_tiles(int unsigned word_bits, int unsigned tech);
    return tech == montcore_pkg::TechMult18 && word_bits > 17 && word_bits <= 34;
  endfunction

  /// Bits of the carry that a word of T defers. Registered tiles carry nothing out of a product's low
  /// word, which then is below 3 2^w instead of 2^w, and a word of T below 13 2^w instead of 7 2^w.
  function automatic int unsigned carry_bits(int unsigned word_bits, int unsigned tech);
    return registered_tiles(word_bits, tech) ? 4 : 3;
  endfunction

  /// A pass over all rows, as it travels with its slots.
  typedef struct packed {
    logic hold;         // T and its edge stay as they are: no row of a pass
    logic fresh;        // start a new sum
    logic shift;        // shift T down by one word
    logic from_f;       // go on with the sum in F
    logic f_from_head;  // F takes what leaves the queue of T
    logic capture;      // word 0 is the next quotient digit
    logic result;       // the sum is a result (of a product or of the set-up)
    logic moved;        // the result of the pass before is in F when this pass ends
  } smm_pass_t;

endpackage
