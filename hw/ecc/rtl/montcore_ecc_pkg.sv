// SPDX-License-Identifier: Apache-2.0

/// Encodings of the curve engine's instructions, as in src/montcore/ecc/isa.py.
package montcore_ecc_pkg;

  /// Width of an instruction: op 21:17, d 16:12, a 11:6, b 5:0.
  localparam int unsigned CodeBits = 22;
  /// Width of a program address in bits.
  localparam int unsigned AddressBits = 10;
  /// Width of a length in bits.
  localparam int unsigned LengthBits = 13;
  /// Bits of the random factor that blinds a scalar.
  localparam int unsigned BlindBits = 64;

  /// Opcodes; isa.py describes each of them.
  localparam logic [4:0] OpEnd = 5'd0;
  localparam logic [4:0] OpMul = 5'd1;
  localparam logic [4:0] OpAdd = 5'd2;
  localparam logic [4:0] OpSub = 5'd3;
  localparam logic [4:0] OpNeg = 5'd4;
  localparam logic [4:0] OpSel = 5'd5;
  localparam logic [4:0] OpPut = 5'd6;
  localparam logic [4:0] OpSput = 5'd7;
  localparam logic [4:0] OpLook = 5'd8;
  localparam logic [4:0] OpDigit = 5'd9;
  localparam logic [4:0] OpPoint = 5'd10;
  localparam logic [4:0] OpPass = 5'd11;
  localparam logic [4:0] OpRandom = 5'd12;
  localparam logic [4:0] OpModulus = 5'd13;
  localparam logic [4:0] OpTest = 5'd14;
  localparam logic [4:0] OpSet = 5'd15;
  localparam logic [4:0] OpLoop = 5'd16;
  localparam logic [4:0] OpJump = 5'd17;
  localparam logic [4:0] OpCall = 5'd18;
  localparam logic [4:0] OpReturn = 5'd19;
  localparam logic [4:0] OpStep = 5'd20;

  /// Status of an operation, the first beat of the answer.
  typedef enum logic [3:0] {
    StatusOk        = 4'd0,
    StatusInfinity  = 4'd1,  // the result is the point at infinity, which has no coordinates
    StatusRange     = 4'd2,  // a scalar or a coordinate is out of range
    StatusPoint     = 4'd3,  // the point is not on the curve
    StatusSignature = 4'd4,  // the signature is not valid
    StatusRandom    = 4'd5,  // the random source failed
    StatusFault     = 4'd6,  // the result is not on the curve
    StatusLength    = 4'd7,  // packet of wrong length, or unknown operation
    StatusCurve     = 4'd8,  // no curve is loaded
    StatusRetry     = 4'd9   // r or s is zero: retry with another nonce
  } status_e;

  /// Operand code of the constant zero; 33 is the constant one.
  localparam logic [5:0] OperandZero = 6'd32;

  /// Modes of OpDigit and OpPoint.
  localparam logic [2:0] ModeWindow = 3'd0;
  localparam logic [2:0] ModeComb = 3'd1;
  localparam logic [2:0] ModeExponent = 3'd2;
  localparam logic [2:0] ModeLadder = 3'd3;
  localparam logic [2:0] ModeWhole = 3'd4;
  localparam logic [2:0] ModeHalf = 3'd5;

  /// Values of d of OpPass; 1 makes the first scalar odd.
  localparam logic [1:0] PassBlind = 2'd0;
  localparam logic [1:0] PassOddSecond = 2'd2;
  localparam logic [1:0] PassBlindAny = 2'd3;

  /// Destination of a sum.
  typedef enum logic [1:0] {
    ToElement = 2'd0,
    ToTable   = 2'd1,
    ToScalar  = 2'd2
  } place_e;

  /// A sum in flight: operation and destination.
  typedef struct packed {
    logic       subtract;  // a - b
    logic       drop_a;    // a is dropped: the result is b
    logic       drop_b;    // b is dropped: the result is a
    logic       plain;     // no modular reduction
    logic [5:0] a;         // operand a
    logic [5:0] b;         // operand b
    place_e     place;
    logic [4:0] d;         // destination: element, table and coordinate, or scalar memory
    logic [3:0] entry;     // entry of the table
  } sum_t;

  /// The part of sum_t that accompanies the result.
  typedef struct packed {
    place_e     place;
    logic [4:0] d;
    logic [3:0] entry;
  } target_t;

  /// Issue of an instruction to the units: one select per unit, and the instruction's fields.
  typedef struct packed {
    logic       mul;     // start a product
    logic       look;    // start a look-up of `entry`
    logic [3:0] entry;
    logic       pass;    // start a pass over the scalars
    logic       point;   // set the digit pointers
    logic       digit;   // compute a digit
    logic       random;  // draw a random element
    logic       reload;  // load the multiplier's modulus
    logic       order;   // always valid: the modulus is n, not p
    logic [3:0] made;    // always valid: destination of the random element
    logic [4:0] d;
    logic [5:0] a;
    logic [5:0] b;
  } command_t;

  /// Status of the multiplier interface.
  typedef struct packed {
    logic       free;     // a product can be started
    logic       room;     // there is room to record one more product's destination
    logic       open;     // products are in flight
    logic       reading;  // operands are still read after this cycle
    logic [5:0] a;        // operands that are being read
    logic [5:0] b;
    logic       reload;   // the modulus is loaded and its constants are computed
    logic       loading;  // beats of the modulus are being read
  } stream_t;

  /// Status of the adder.
  typedef struct packed {
    logic busy;     // sums are in flight beyond the first stage
    logic putting;  // one of these goes to the table
    logic storing;  // one of these goes to a scalar memory
    logic zero;     // the last sum is zero
    logic reduced;  // the last sum was corrected
  } adder_t;

  /// Status of a look-up.
  typedef struct packed {
    logic       busy;
    logic       done;     // the last row of an element is being written
    logic [1:0] element;  // destination element, 12 plus this number
  } look_t;

  /// Status of the scalar unit.
  typedef struct packed {
    logic       busy;
    logic       gathering;  // random words are requested
    logic [3:0] entry;      // table entry of the digit
    logic       negative;   // the digit is negative
    logic       swap;       // the ladder swaps
  } digits_t;

  /// Status of the random numbers.
  typedef struct packed {
    logic busy;
    logic done;  // the last beat of an element is being written
    logic fail;  // the random source has failed
  } random_t;

  /// Loop counts of the program, from the curve's packet.
  typedef struct packed {
    logic [2:0]            family;
    logic [7:0]            columns;  // columns of the comb
    logic [7:0]            windows;  // windows of a scalar that is not blinded
    logic [7:0]            nibbles;  // windows of an exponent, four bits each
    logic [LengthBits-1:0] bits;     // length of a blinded scalar
    logic [LengthBits-1:0] radix;    // log2 of the multiplier's radix
  } counts_t;

  /// Bits of `count` digits of five bits; a product could take a multiplier block of an FPGA.
  function automatic logic [LengthBits-1:0] five_times(logic [7:0] count);
    return LengthBits'({count, 2'b0}) + LengthBits'(count);
  endfunction

endpackage
