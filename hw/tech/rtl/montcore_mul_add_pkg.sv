// SPDX-License-Identifier: Apache-2.0

/// What a `montcore_mul_add` adds to its product.
package montcore_mul_add_pkg;

  localparam int unsigned AddNothing = 0;  // nothing
  localparam int unsigned AddCascade = 1;  // the cascade
  localparam int unsigned AddShifted = 2;  // the cascade shifted down by 17 bits
  localparam int unsigned AddOwn = 3;  // its own last sum or the cascade, shifted down by 17 bits

endpackage
