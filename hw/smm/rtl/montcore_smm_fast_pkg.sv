// SPDX-License-Identifier: Apache-2.0

/// Control of a pass, from the sequencer of the fast schedule to the datapath.
package montcore_smm_fast_pkg;

  /// Source of the multiplier word of a pass.
  typedef enum logic [1:0] {
    OpZero,     // zero, nothing is added
    OpX,        // next word of X
    OpLow,      // lowest word of T (quotient digit of the scaled modulus)
    OpQuotient  // last quotient digit, or n0' in the set-up pass
  } smm_op_e;

  /// Rows of the operand memory that a pass reads.
  typedef enum logic [2:0] {
    RegionY0      = 3'd0,
    RegionY1      = 3'd1,
    RegionScaled  = 3'd2,  // (m n0' + 1) / 2^WordBits
    RegionInverse = 3'd3,  // n0' in lane 0; one row, if element 0 computes the last digit
    RegionM       = 3'd4
  } smm_region_e;

  /// True: element 0 computes the last quotient digit in a separate slot; results go from T to F
  /// as they are computed. With fewer rows a separate multiplier does, and T moves through F.
  function automatic bit shares(int unsigned rows);
    return rows > 3;
  endfunction

  /// True: beats of a result go from the last adder to the port without a register: on FPGAs with tiles, where the
  /// comparison ends late, and for a single element, whose F would have to turn in the cycle in which it
  /// is completed.
  function automatic bit direct(int unsigned num_pe, int unsigned rows, int unsigned tech);
    return !shares(rows) && (montcore_pkg::has_tiles(tech) || num_pe == 1);
  endfunction

  /// True: a product is four registered DSP blocks, whose products are added in the accumulation:
  /// the registers of stages M and A are those of the blocks.
  function automatic bit registered_tiles(int unsigned word_bits, int unsigned tech);
    return tech == montcore_pkg::TechMult18 && word_bits > 17 && word_bits <= 34;
  endfunction

  /// Width of the carry that a word of T defers. With registered tiles there is no carry out of a
  /// product's low word, which is then below 3 2^w instead of 2^w, and a word of T below 13 2^w
  /// instead of 7 2^w.
  function automatic int unsigned carry_bits(int unsigned word_bits, int unsigned tech);
    return registered_tiles(word_bits, tech) ? 4 : 3;
  endfunction

  /// Control of a pass over all rows; it accompanies the pass's slots.
  typedef struct packed {
    logic hold;         // T and its edge are unchanged: not a row of a pass
    logic fresh;        // start a new sum
    logic shift;        // shift T down by one word
    logic from_f;       // continue the sum in F
    logic f_from_head;  // F receives the head of T's queue
    logic capture;      // word 0 is the next quotient digit
    logic result;       // the sum is a result (of a product or of the set-up)
    logic moved;        // the result of the previous pass is in F at the end of this pass
  } smm_pass_t;

endpackage
