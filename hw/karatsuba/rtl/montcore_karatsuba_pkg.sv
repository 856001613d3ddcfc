// SPDX-License-Identifier: Apache-2.0

/// Constants of `karatsuba`: styles of products, their offsets, the states of the paper's schedule,
/// and the timing of the fast one.
package montcore_karatsuba_pkg;

  // Implementation style of a `montcore_karatsuba_leaf`.
  localparam int unsigned StyleTiles = 0;  // DSP blocks of 18 x 18 bits, by Karatsuba
  localparam int unsigned StyleTree = 1;  // Booth rows and carry-save trees, for standard cells
  localparam int unsigned StyleGrid = 2;  // DSP blocks of 25 x 18 bits with an adder, schoolbook
  localparam int unsigned StyleColumns = 3;  // and sums of products in them, where they fit

  /// Style for a technology: the paper's schedule computes sums of products in wide DSP blocks.
  function automatic int unsigned style_of(int unsigned tech, bit paper_schedule);
    if (tech == montcore_pkg::TechAsic) return StyleTree;
    if (!paper_schedule) return StyleTiles;
    if (tech == montcore_pkg::TechDsp48e) return StyleGrid;
    if (tech == montcore_pkg::TechDsp48e1) return StyleColumns;
    return StyleTiles;
  endfunction

  /// States of the paper's schedule: the three products of a pair and their end, or an error, and
  /// the two products of a round of the set-up.
  typedef enum logic [2:0] {
    StIdle,
    StFirst,
    StSecond,
    StThird,
    StEnd,
    StReject,
    StModulus,
    StInverse
  } paper_state_e;

  /// Wide enough for any constant of a built width up to 1024 bits.
  localparam int unsigned ConstBits = 2048;

  /// Cycles from an operand of a `montcore_karatsuba_unit` to its result.
  localparam int unsigned UnitCycles = 4;

  // Timing of a product in the fast schedule, in cycles after its start. Products share the
  // multipliers: their starts are a whole number of intervals apart. The product with M' starts
  // after UnitCycles.
  localparam int unsigned TimeLow = 2 * UnitCycles + 1;  // q = low half of that sum * n0'

  /// Cycles between products: eight half-length products on four multipliers, or on three.
  function automatic int unsigned interval_of(int unsigned multipliers);
    return (multipliers == 4) ? 2 : 3;
  endfunction

  /// Start of q * M: with three multipliers q waits one cycle for them.
  function automatic int unsigned time_modulus(int unsigned multipliers);
    return TimeLow + UnitCycles + ((multipliers == 4) ? 0 : 1);
  endfunction

  /// The result is valid three cycles after q * M: S, and the subtractions from it.
  function automatic int unsigned time_done(int unsigned multipliers);
    return time_modulus(multipliers) + UnitCycles + 3;
  endfunction

  /// Offset that `montcore_karatsuba_booth` adds to a product of signed numbers of `width` bits.
  ///
  /// Row i of the tree is 2^width * 4^i too large, because its sign bit is inverted.
  function automatic logic [ConstBits-1:0] booth_offset(int unsigned width);
    logic [ConstBits-1:0] sum;
    sum = '0;
    for (int unsigned i = 0; i < (width + 1) / 2; i++) sum[width+2*i] = 1'b1;
    return sum;
  endfunction

endpackage
