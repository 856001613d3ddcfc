// SPDX-License-Identifier: Apache-2.0

/// What every multiplier core shares: the error statuses of the common port.
package montcore_pkg;

  /// Status of a configuration (`cfg_error_o`) or of a product (data of the error beat on z).
  typedef enum logic [2:0] {
    ErrNone          = 3'd0,  // no error
    ErrModulusEven   = 3'd1,  // the modulus is even (zero included)
    ErrModulusOne    = 3'd2,  // the modulus is one
    ErrModulusLength = 3'd3,  // the modulus has more bits or beats than were built
    ErrOperandRange  = 3'd4,  // X or Y is not below the modulus
    ErrOperandLength = 3'd5,  // X or Y ended on another beat than the modulus did
    ErrNoModulus     = 3'd6   // no valid modulus is loaded
  } montcore_error_e;

endpackage
