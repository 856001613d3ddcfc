// SPDX-License-Identifier: Apache-2.0

/// What every multiplier core shares: the error statuses of the common port, and the technologies.
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

  // What a core is built for, the parameter `Tech`: how something is built, never what it computes
  // nor in how many cycles. Numbers, since Icarus Verilog 11 has no parameters of an enumeration.
  /* verilator lint_off UNUSEDPARAM */  // a core names only the technologies that it tells apart
  localparam int unsigned TechGeneric = 0;  // plain behaviour: simulation, and the rest
  localparam int unsigned TechAsic = 1;  // standard cells: trees of carry-save adders
  localparam int unsigned TechFpga = 2;  // and above, FPGAs: memory in look-up tables; 18 x 18 bits
  localparam int unsigned TechDsp48 = 3;  // Virtex-4: the same, and its DSP48 instantiated
  localparam int unsigned TechDsp48e = 4;  // Virtex-5: multipliers of 25 x 18, DSP48E instantiated
  localparam int unsigned TechDsp48e1 = 5;  // Virtex-6 and later: an adder before the multiplier
  /* verilator lint_on UNUSEDPARAM */

endpackage
