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

  /// What a core is built for, its parameter `Tech`: how something is built, never what it computes
  /// nor in how many cycles. From TechFpga on, FPGAs, whose look-up tables are small memories.
  ///
  /// The parameters are of type `int unsigned`: Icarus Verilog 11 has none of an enumeration.
  typedef enum int unsigned {
    TechGeneric = 0,  // plain behaviour: simulation, and what is not named here
    TechAsic    = 1,  // standard cells: trees of carry-save adders
    TechFpga    = 2,  // multipliers of 18 x 18 bits
    TechDsp48   = 3,  // Virtex-4: the same, and its DSP48 instantiated
    TechDsp48e  = 4,  // Virtex-5: multipliers of 25 x 18 bits, DSP48E instantiated
    TechDsp48e1 = 5,  // Virtex-6 and later: and an adder before the multiplier
    TechMult18  = 6   // ECP5: multipliers of 18 x 18 bits, MULT18X18D instantiated
  } montcore_tech_e;

  /// High: products come from blocks of 18 x 18 bits without adders behind them.
  function automatic bit has_tiles(int unsigned tech);
    return tech == TechFpga || tech == TechMult18;
  endfunction

endpackage
