// SPDX-License-Identifier: Apache-2.0

/// What the sequencer of the fast schedule tells the datapath about a pass.
package montcore_smm_fast_pkg;

  /// Where the multiplier word of a pass comes from.
  typedef enum logic [1:0] {
    OpZero,     // nothing is added
    OpX,        // the next word of X
    OpLow,      // the lowest word of T (quotient digit of the scaled modulus)
    OpQuotient  // product of the low-word multiplier
  } smm_op_e;

  /// Which rows of the operand memory a pass reads.
  typedef enum logic [1:0] {
    RegionY0     = 2'd0,
    RegionY1     = 2'd1,
    RegionScaled = 2'd2,  // (m n0' + 1) / 2^WordBits
    RegionM      = 2'd3
  } smm_region_e;

  /// A pass over all rows, as it travels with its slots.
  typedef struct packed {
    logic fresh;        // start a new sum
    logic shift;        // shift T down by one word
    logic from_f;       // go on with the sum in F
    logic f_from_head;  // F takes what leaves the queue of T
    logic capture;      // word 0 is the next quotient digit
    logic result;       // the sum is a result (of a product or of the set-up)
    logic moved;        // the result of the pass before is in F when this pass ends
  } smm_pass_t;

endpackage
