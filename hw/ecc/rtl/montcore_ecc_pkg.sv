// SPDX-License-Identifier: Apache-2.0

/// Numbers of the curve engine's instructions, as src/montcore/ecc/isa.py has them.
package montcore_ecc_pkg;

  /// Bits of an instruction: op 21:17, d 16:12, a 11:6, b 5:0.
  localparam int unsigned CodeBits = 22;
  /// Bits of an address of the program.
  localparam int unsigned AddressBits = 10;
  /// Bits of a length in bits.
  localparam int unsigned LengthBits = 13;
  /// Bits by which a scalar is blinded.
  localparam int unsigned BlindBits = 64;

  /// Operations; see isa.py for what each does.
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

  /// How an operation ends; the first beat of an answer.
  typedef enum logic [3:0] {
    StatusOk        = 4'd0,
    StatusInfinity  = 4'd1,  // the point at infinity has no coordinates
    StatusRange     = 4'd2,  // a scalar or a coordinate is out of range
    StatusPoint     = 4'd3,  // the point is not on the curve
    StatusSignature = 4'd4,  // the signature does not fit
    StatusRandom    = 4'd5,  // the source of randomness failed
    StatusFault     = 4'd6,  // the result is not on the curve
    StatusLength    = 4'd7,  // a packet of the wrong length, an unknown operation
    StatusCurve     = 4'd8,  // no curve is loaded
    StatusRetry     = 4'd9   // r or s is zero: sign with another nonce
  } status_e;

  /// Operand beyond the elements; 33 is one.
  localparam logic [5:0] OperandZero = 6'd32;

  /// Modes of OpDigit and OpPoint.
  localparam logic [2:0] ModeWindow = 3'd0;
  localparam logic [2:0] ModeComb = 3'd1;
  localparam logic [2:0] ModeExponent = 3'd2;
  localparam logic [2:0] ModeLadder = 3'd3;
  localparam logic [2:0] ModeWhole = 3'd4;

  /// Passes of OpPass; 1 makes the first scalar odd.
  localparam logic [1:0] PassBlind = 2'd0;
  localparam logic [1:0] PassOddSecond = 2'd2;
  localparam logic [1:0] PassBlindAny = 2'd3;

  /// Where a sum goes.
  typedef enum logic [1:0] {
    ToElement = 2'd0,
    ToTable   = 2'd1,
    ToScalar  = 2'd2
  } place_e;

  /// A sum on its way: what it is, and where it goes.
  typedef struct packed {
    logic       subtract;  // a - b
    logic       drop_a;    // b alone
    logic       drop_b;    // a alone
    logic       plain;     // not reduced
    logic [5:0] a;         // operand
    logic [5:0] b;         // operand
    place_e     place;
    logic [4:0] d;         // element, table and coordinate, or scalar memory
    logic [3:0] entry;     // of the table
  } sum_t;

  /// What of a sum its result needs.
  typedef struct packed {
    place_e     place;
    logic [4:0] d;
    logic [3:0] entry;
  } target_t;

  /// What the sequencer tells the units: which of them begins, and the fields of the instruction.
  typedef struct packed {
    logic       mul;     // a product
    logic       look;    // a look-up, of this entry
    logic [3:0] entry;
    logic       pass;    // a pass over the scalars
    logic       point;   // pointers of digits
    logic       digit;   // a digit
    logic       random;  // a random element
    logic       reload;  // the multiplier's modulus
    logic       order;   // at any time: the modulus is n, and not p
    logic [3:0] made;    // at any time: element for the random numbers
    logic [4:0] d;
    logic [5:0] a;
    logic [5:0] b;
  } command_t;

  /// How the way to the multiplier stands.
  typedef struct packed {
    logic       free;     // a product can be begun
    logic       room;     // and its result's place be kept
    logic       open;     // products are under way
    logic       reading;  // operands are read beyond this cycle
    logic [5:0] a;        // those that are read
    logic [5:0] b;
    logic       reload;   // the modulus is being loaded, and what follows from it computed
    logic       loading;  // its beats are being read
  } stream_t;

  /// How the adder stands.
  typedef struct packed {
    logic busy;     // sums are under way beyond the first stage
    logic putting;  // one of these goes to the table
    logic storing;  // one of these goes to a scalar memory
    logic zero;     // the last sum is zero
    logic reduced;  // the last sum was corrected
  } adder_t;

  /// How a look-up stands.
  typedef struct packed {
    logic       busy;
    logic       done;     // an element is written
    logic [1:0] element;  // which one
  } look_t;

  /// How the scalar unit stands.
  typedef struct packed {
    logic       busy;
    logic       gathering;  // it asks for random words
    logic [3:0] entry;      // of the digit
    logic       negative;   // the digit is
    logic       swap;       // the ladder swaps
  } digits_t;

  /// How the random numbers stand.
  typedef struct packed {
    logic busy;
    logic done;  // an element is there
    logic fail;  // the source has failed
  } random_t;

  /// Numbers of the curve that programs count with.
  typedef struct packed {
    logic [2:0]            family;
    logic [7:0]            columns;  // of the comb
    logic [7:0]            windows;  // of a scalar that is not blinded
    logic [7:0]            nibbles;  // of an exponent
    logic [LengthBits-1:0] bits;     // of a blinded scalar
    logic [LengthBits-1:0] radix;    // log2 of the multiplier's
  } counts_t;

endpackage
