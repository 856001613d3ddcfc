// SPDX-License-Identifier: Apache-2.0

/// What the accelerator's parts share: commands, errors, and the widths of the register map.
package montcore_pka_pkg;

  localparam int unsigned Slots = 8;  // operand slots; the key's follow them
  localparam int unsigned SlotBits = 4;  // of a slot's number
  localparam int unsigned WordBits = 8;  // of a word's number in a slot of the map
  localparam int unsigned LengthBits = 14;  // of a length in bits
  localparam logic [SlotBits-1:0] KeyModulus = 4'd8;  // slot of the key's modulus
  localparam logic [SlotBits-1:0] KeyExponent = 4'd9;  // slot of the key's exponent
  localparam logic [SlotBits-1:0] KeyCurve = 4'd8;  // first slot of the key's curve: p
  localparam logic [SlotBits-1:0] KeyOrder = 4'd9;  // its n
  localparam logic [SlotBits-1:0] Scalar = 4'd14;  // slot of a scalar or a nonce: only written
  localparam logic [SlotBits-1:0] KeyScalar = 4'd15;  // slot of a curve's key; follows that one

  localparam logic [3:0] OpLoad = 4'd1;  // x is the modulus
  localparam logic [3:0] OpPower = 4'd2;  // z = x^y
  localparam logic [3:0] OpProduct = 4'd3;  // z = x y
  localparam logic [3:0] OpKeyLoad = 4'd4;  // the key's modulus is the modulus
  localparam logic [3:0] OpKeyPower = 4'd5;  // z = x^(the key's exponent)
  localparam logic [3:0] OpClear = 4'd6;  // operand slots become zero
  localparam logic [3:0] OpLock = 4'd7;  // lock the key slots
  localparam logic [3:0] OpCurve = 4'd8;  // load a curve
  localparam logic [3:0] OpPoint = 4'd9;  // operation on points
  localparam logic [3:0] OpKeyCurve = 4'd10;  // load the key's curve
  localparam logic [3:0] OpKeyPoint = 4'd11;  // operation on points with the key
  localparam logic [3:0] OpCurveLock = 4'd12;  // lock the key slots as those of a curve
  localparam logic [3:0] OpCurveDraw = 4'd13;  // draw the key, then the same
  localparam logic [3:0] OpMultiply = 4'd14;  // z = x y R^-1, by a multiplier by itself

  // Operations on points, those of hw/ecc.
  localparam logic [2:0] PointMultiply = 3'd0;
  localparam logic [2:0] PointBase = 3'd1;
  localparam logic [2:0] PointSign = 3'd2;
  localparam logic [2:0] PointVerify = 3'd3;
  localparam logic [2:0] PointJoint = 3'd4;
  localparam logic [2:0] PointLadder = 3'd5;
  localparam logic [2:0] PointMultiplyAdd = 3'd6;

  // How a command ended; 1 to 6 are montcore_error_e, from 16 on it is the curve engine's status.
  localparam int unsigned ErrorBits = 5;
  localparam logic [ErrorBits-1:0] DoneOk = 5'd0;  // as it should
  localparam logic [ErrorBits-1:0] DoneNoModulus = 5'd6;  // no modulus is loaded
  localparam logic [ErrorBits-1:0] DoneCommand = 5'd8;  // no such command, slot or policy
  localparam logic [ErrorBits-1:0] DoneLength = 5'd9;  // a length of 0, or above the build
  localparam logic [ErrorBits-1:0] DoneKey = 5'd10;  // no locked key, one already, or not for this
  localparam logic [ErrorBits-1:0] DoneAbandoned = 5'd11;  // by zeroize
  localparam logic [ErrorBits-1:0] DoneRandom = 5'd21;  // the source of randomness failed
  localparam logic [ErrorBits-1:0] DoneNoCurve = 5'd24;  // no curve is loaded, or not the key's

  /// States of a command.
  typedef enum logic [3:0] {
    StClear     = 4'd0,  // memory is being cleared
    StIdle      = 4'd1,  // a command may come
    StCheck     = 4'd2,  // is it one that can be done
    StDraw      = 4'd3,  // a nonce or a key is drawn
    StConfigure = 4'd4,  // modulus or curve goes to the unit, which sets it up
    StX         = 4'd5,  // x goes to the unit
    StY         = 4'd6,  // y goes to the unit
    StResult    = 4'd7,  // the unit works; its answer goes to memory
    StDone      = 4'd8   // the command has ended
  } state_e;

  /// What the command register says.
  typedef struct packed {
    logic [2:0]          operation;
    logic [SlotBits-1:0] z;
    logic [SlotBits-1:0] y;
    logic [SlotBits-1:0] x;
    logic [1:0]          policy;
    logic [3:0]          op;
  } command_t;

  /// Form of a curve, as the register has it and the curve engine's packet.
  typedef struct packed {
    logic       public_only;
    logic [2:0] family;
    logic [7:0] windows;
    logic [7:0] columns;
  } form_t;

  /// What of the accelerator decides whether a command can be done.
  typedef struct packed {
    logic       loaded;        // a modulus is
    logic       key_loaded;    // it is the key's
    logic       curve_loaded;  // a curve is
    logic       key_curve;     // it is the key's
    logic       locked;        // a key is
    logic       kind;          // it is a curve's
    logic [1:0] uses;          // what a curve's key may do: 0 sign, 1 agree
  } standing_t;

  /// A packet that is to be made: header words, then numbers of slots that follow each other.
  typedef struct packed {
    logic [1:0]            headers;
    logic [1:0][31:0]      header;
    logic [2:0]            numbers;
    logic [SlotBits-1:0]   slot;
    logic [LengthBits-1:0] bits;     // of each number
  } packet_t;

  /// Numbers in the packet x of an operation on points.
  function automatic logic [2:0] x_numbers(logic [2:0] operation);
    case (operation)
      PointMultiply, PointBase, PointLadder: x_numbers = 3'd1;
      default: x_numbers = 3'd2;
    endcase
  endfunction

  /// Numbers in its packet y.
  function automatic logic [2:0] y_numbers(logic [2:0] operation);
    case (operation)
      PointBase: y_numbers = 3'd0;
      PointSign, PointMultiplyAdd: y_numbers = 3'd1;
      PointVerify: y_numbers = 3'd3;
      default: y_numbers = 3'd2;
    endcase
  endfunction

endpackage
