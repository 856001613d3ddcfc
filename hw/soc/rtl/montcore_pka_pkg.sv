// SPDX-License-Identifier: Apache-2.0

/// Types and constants of the accelerator: commands, error codes, widths of the register map.
package montcore_pka_pkg;

  localparam int unsigned Slots = 8;  // operand slots; the key slots follow them
  localparam int unsigned SlotBits = 4;  // width of a slot index
  localparam int unsigned WordBits = 8;  // width of a word index in a slot
  localparam int unsigned LengthBits = 14;  // width of a length in bits
  localparam logic [SlotBits-1:0] KeyModulus = 4'd8;  // slot of the key's modulus
  localparam logic [SlotBits-1:0] KeyExponent = 4'd9;  // slot of the key's exponent
  localparam logic [SlotBits-1:0] KeyCurve = 4'd8;  // first slot of the key's curve: p
  localparam logic [SlotBits-1:0] KeyOrder = 4'd9;  // slot of the order n of the key's curve
  localparam logic [SlotBits-1:0] Scalar = 4'd14;  // slot of a scalar or nonce, write-only
  localparam logic [SlotBits-1:0] KeyScalar = 4'd15;  // slot of a curve key's scalar

  localparam logic [3:0] OpLoad = 4'd1;  // load the modulus from slot x
  localparam logic [3:0] OpPower = 4'd2;  // z = x^y
  localparam logic [3:0] OpProduct = 4'd3;  // z = x y
  localparam logic [3:0] OpKeyLoad = 4'd4;  // load the key's modulus
  localparam logic [3:0] OpKeyPower = 4'd5;  // z = x^d, d the key's exponent
  localparam logic [3:0] OpClear = 4'd6;  // clear the operand slots
  localparam logic [3:0] OpLock = 4'd7;  // lock the key slots
  localparam logic [3:0] OpCurve = 4'd8;  // load a curve from the slots from x on
  localparam logic [3:0] OpPoint = 4'd9;  // operation on points
  localparam logic [3:0] OpKeyCurve = 4'd10;  // load the curve of the key
  localparam logic [3:0] OpKeyPoint = 4'd11;  // operation on points with the key's scalar
  localparam logic [3:0] OpCurveLock = 4'd12;  // lock the key slots as a curve key
  localparam logic [3:0] OpCurveDraw = 4'd13;  // draw a key's scalar, then lock as OpCurveLock
  localparam logic [3:0] OpMultiply = 4'd14;  // z = x y R^-1, by the stand-alone multiplier

  // Operations on points, encoded as in hw/ecc.
  localparam logic [2:0] PointMultiply = 3'd0;
  localparam logic [2:0] PointBase = 3'd1;
  localparam logic [2:0] PointSign = 3'd2;
  localparam logic [2:0] PointVerify = 3'd3;
  localparam logic [2:0] PointJoint = 3'd4;
  localparam logic [2:0] PointLadder = 3'd5;
  localparam logic [2:0] PointMultiplyAdd = 3'd6;

  // Result of a command; 1 to 6 are montcore_error_e, from 16 on 16 + the curve engine's status.
  localparam int unsigned ErrorBits = 5;
  localparam logic [ErrorBits-1:0] DoneOk = 5'd0;  // success
  localparam logic [ErrorBits-1:0] DoneNoModulus = 5'd6;  // no modulus is loaded
  localparam logic [ErrorBits-1:0] DoneCommand = 5'd8;  // unknown command, slot or policy
  localparam logic [ErrorBits-1:0] DoneLength = 5'd9;  // a length of 0, or above the built width
  localparam logic [ErrorBits-1:0] DoneKey = 5'd10;  // no locked key, one already, or wrong use
  localparam logic [ErrorBits-1:0] DoneAbandoned = 5'd11;  // abandoned by zeroize
  localparam logic [ErrorBits-1:0] DoneRandom = 5'd21;  // the random source failed
  localparam logic [ErrorBits-1:0] DoneNoCurve = 5'd24;  // no curve loaded, or not the key's curve

  /// States of a command. A state that checks it or starts a unit lasts one cycle, and no flipped
  /// bit leads to it from one that waits for a unit, so that a fault starts nothing twice.
  typedef enum logic [3:0] {
    StClear       = 4'b1000,  // memory is being cleared
    StIdle        = 4'b0100,  // ready for a command
    StCheck       = 4'b0001,  // the command is being checked
    StDraw        = 4'b0000,  // drawing of a nonce or a key starts
    StDrawing     = 4'b1100,  // a nonce or a key is being drawn
    StConfigure   = 4'b0011,  // the packet of the modulus or curve starts
    StConfiguring = 4'b1111,  // it is sent to the unit, which sets it up
    StX           = 4'b0101,  // the packet of x starts
    StSendingX    = 4'b0110,  // it is sent to the unit
    StY           = 4'b1001,  // the packet of y starts
    StSendingY    = 4'b1010,  // it is sent to the unit
    StResult      = 4'b1110,  // the unit computes; its answer goes to memory
    StDone        = 4'b0010   // the command has ended
  } state_e;

  /// Fields of the command register.
  typedef struct packed {
    logic [2:0]          operation;
    logic [SlotBits-1:0] z;
    logic [SlotBits-1:0] y;
    logic [SlotBits-1:0] x;
    logic [1:0]          policy;
    logic [3:0]          op;
  } command_t;

  /// Form of a curve, as in the curve register and in the curve engine's packet.
  typedef struct packed {
    logic       public_only;
    logic [2:0] family;
    logic [7:0] windows;
    logic [7:0] columns;
  } form_t;

  /// State of the accelerator on which the check of a command depends.
  typedef struct packed {
    logic       loaded;        // a modulus is loaded
    logic       key_loaded;    // the loaded modulus is the key's
    logic       curve_loaded;  // a curve is loaded
    logic       key_curve;     // the loaded curve is the key's
    logic       locked;        // a key is locked
    logic       kind;          // the locked key is a curve key
    logic [1:0] uses;          // allowed uses of a curve key: bit 0 sign, bit 1 agree
  } standing_t;

  /// A packet to send: header words, then numbers in consecutive slots.
  typedef struct packed {
    logic [1:0]            headers;
    logic [1:0][31:0]      header;
    logic [2:0]            numbers;
    logic [SlotBits-1:0]   slot;
    logic [LengthBits-1:0] bits;     // length of each number
  } packet_t;

  /// Returns the count of numbers in packet x of an operation on points.
  function automatic logic [2:0] x_numbers(logic [2:0] operation);
    case (operation)
      PointMultiply, PointBase, PointLadder: x_numbers = 3'd1;
      default: x_numbers = 3'd2;
    endcase
  endfunction

  /// Returns the count of numbers in packet y of an operation on points.
  function automatic logic [2:0] y_numbers(logic [2:0] operation);
    case (operation)
      PointBase: y_numbers = 3'd0;
      PointSign, PointMultiplyAdd: y_numbers = 3'd1;
      PointVerify: y_numbers = 3'd3;
      default: y_numbers = 3'd2;
    endcase
  endfunction

endpackage
