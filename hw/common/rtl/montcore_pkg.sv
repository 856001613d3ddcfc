// SPDX-License-Identifier: Apache-2.0

/// Common to all multiplier cores: error codes of the common port, and technologies.
package montcore_pkg;

  /// Error code of a configuration (`cfg_error_o`) or of a product (data of the error beat on z).
  typedef enum logic [2:0] {
    ErrNone          = 3'd0,  // no error
    ErrModulusEven   = 3'd1,  // the modulus is even, or zero
    ErrModulusOne    = 3'd2,  // the modulus is one
    ErrModulusLength = 3'd3,  // the modulus has more bits or beats than the built width
    ErrOperandRange  = 3'd4,  // X or Y is not below the modulus
    ErrOperandLength = 3'd5,  // X or Y has another number of beats than the modulus
    ErrNoModulus     = 3'd6   // no valid modulus is loaded
  } montcore_error_e;

  /// Target technology, a core's parameter `Tech`: it selects the circuit, never the function
  /// or the cycle count. TechFpga and above are FPGAs, whose look-up tables are small memories.
  ///
  /// They are no enum: Icarus Verilog 11 has no parameters of such a type, and 13 fails over one
  /// that is unsigned. No core uses all of them.
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned TechGeneric = 0;  // behavioural: simulation, and targets not listed here
  localparam int unsigned TechAsic = 1;  // standard cells: carry-save trees
  localparam int unsigned TechFpga = 2;  // FPGA with multipliers of 18 x 18 bits, inferred
  localparam int unsigned TechDsp48 = 3;  // Virtex-4: 18 x 18 bits, DSP48 instantiated
  localparam int unsigned TechDsp48e = 4;  // Virtex-5: 25 x 18 bits, DSP48E instantiated
  localparam int unsigned TechDsp48e1 = 5;  // Virtex-6 and later: as above, plus pre-adder
  localparam int unsigned TechMult18 = 6;  // ECP5: 18 x 18 bits, MULT18X18D instantiated
  /* verilator lint_on UNUSEDPARAM */

  /// True if products come from 18 x 18 bit blocks without adders.
  function automatic bit has_tiles(int unsigned tech);
    return tech == TechFpga || tech == TechMult18;
  endfunction

  /// index * step as a table of constants: a product could take a multiplier block of an FPGA.
  function automatic logic [31:0] multiple(logic [3:0] index, int unsigned step);
    multiple = 0;
    for (int unsigned k = 1; k < 16; k++) if (index == 4'(k)) multiple = k * step;
  endfunction

endpackage
