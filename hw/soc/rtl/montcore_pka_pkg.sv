// SPDX-License-Identifier: Apache-2.0

/// What the accelerator's parts share: commands, errors, and the widths of the register map.
package montcore_pka_pkg;

  localparam int unsigned Slots = 8;  // operand slots; two key slots follow them
  localparam int unsigned SlotBits = 4;  // of a slot's number
  localparam int unsigned WordBits = 8;  // of a word's number in a slot of the map
  localparam int unsigned LengthBits = 14;  // of a length in bits
  localparam int unsigned KeyModulus = 8;  // slot of the key's modulus
  localparam int unsigned KeyExponent = 9;  // slot of the key's exponent

  localparam logic [3:0] OpLoad = 4'd1;  // x is the modulus
  localparam logic [3:0] OpPower = 4'd2;  // z = x^y
  localparam logic [3:0] OpProduct = 4'd3;  // z = x y
  localparam logic [3:0] OpKeyLoad = 4'd4;  // the key's modulus is the modulus
  localparam logic [3:0] OpKeyPower = 4'd5;  // z = x^(the key's exponent)
  localparam logic [3:0] OpClear = 4'd6;  // operand slots become zero
  localparam logic [3:0] OpLock = 4'd7;  // lock the key slots

  // How a command ended; 1 to 6 are montcore_error_e.
  localparam logic [3:0] DoneOk = 4'd0;  // as it should
  localparam logic [3:0] DoneNoModulus = 4'd6;  // no modulus is loaded
  localparam logic [3:0] DoneCommand = 4'd8;  // no such command, slot or policy
  localparam logic [3:0] DoneLength = 4'd9;  // a length of 0, or above the build
  localparam logic [3:0] DoneKey = 4'd10;  // no locked key, or one already
  localparam logic [3:0] DoneAbandoned = 4'd11;  // by zeroize

  /// States of a command.
  typedef enum logic [2:0] {
    StClear     = 3'd0,  // memory is being cleared
    StIdle      = 3'd1,  // a command may come
    StCheck     = 3'd2,  // is it one that can be done
    StConfigure = 3'd3,  // the modulus goes to the unit, which sets it up
    StX         = 3'd4,  // x goes to the unit
    StY         = 3'd5,  // y goes to the unit
    StResult    = 3'd6,  // the unit works; its answer goes to memory
    StDone      = 3'd7   // the command has ended
  } state_e;

  /// What the command register says.
  typedef struct packed {
    logic [SlotBits-1:0] z;
    logic [SlotBits-1:0] y;
    logic [SlotBits-1:0] x;
    logic [1:0]          policy;
    logic [3:0]          op;
  } command_t;

endpackage
