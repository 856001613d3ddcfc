// SPDX-License-Identifier: Apache-2.0

/// Addend of the product in `montcore_mul_add`.
package montcore_mul_add_pkg;

  localparam int unsigned AddNothing = 0;  // no addend
  localparam int unsigned AddCascade = 1;  // the cascade input
  localparam int unsigned AddShifted = 2;  // the cascade input shifted down by 17 bits
  localparam int unsigned AddOwn = 3;  // own last sum or the cascade, shifted down by 17
  localparam int unsigned AddCarry = 4;  // the same, with a carry

endpackage
