// SPDX-License-Identifier: Apache-2.0

/// States, and the bundles of control signals that the exponentiator's modules exchange.
///
/// Control may not depend on a base or on an exponent of the constant policies. What a bit of the
/// exponent chooses is in `operands_t` alone, which leads to data only. No bundle holds both what the
/// multiplier is told and what its answer in the same cycle decides, which simulators that take a
/// bundle as a whole would see as a loop.
package montcore_modexp_pkg;

  /// Bits of a length in bits.
  localparam int unsigned LengthBits = 13;
  /// The header of y: this many bits of length, then the policy, then nothing.
  localparam int unsigned HeaderBits = 14;

  /// What the exponentiator does. From StFirst to StResult products are made;
  /// `montcore_modexp_route` says of what.
  typedef enum logic [5:0] {
    // modulus packet
    StIdle,
    StHeader,
    StModulus,
    StFill,           // zeros above the modulus
    StVerdict,        // the modulus is refused or taken
    StConfigure,      // the multiplier is given the modulus
    // R^2 mod m
    StSetUp,
    StPower,
    StDouble,
    StPowerBit,
    StCorrect,
    StPowerSquare,
    StPowerStore,
    StReduce,         // v - m, or v if that is negative; of a result too
    StKeep,
    // operand packets
    StOperands,
    StFactor,         // second factor of a product
    StCheck,          // the base is compared with m
    StJudge,          // the request is refused or begun
    StLook,
    // powers and products
    StFirst,
    StOne,
    StTable,
    StTableEnd,
    StDigit,
    StChoose,
    StWait,
    StSquare,
    StMultiply,
    StLadderOne,
    StLadderProduct,
    StLadderSquare,
    StLadderEnd,
    StLeave,
    StResult,
    // answer
    StOutput,
    StError,
    StLast,           // the answer waits for the consumer
    StWipe
  } state_e;

  /// Regions of the store. The first two are cleared after each answer.
  typedef enum logic [1:0] {
    RegionExponent = 2'd0,
    RegionBase     = 2'd1,  // x, or the ladder's second number
    RegionModulus  = 2'd2,
    RegionSquare   = 2'd3   // R^2
  } region_e;

  /// The policy of the last header of y, one-hot.
  typedef struct packed {
    logic constant;
    logic sliding;
    logic ladder;
    logic by_factor;  // a product
  } policy_t;

  /// What the packets tell the sequence.
  typedef struct packed {
    logic cfg_valid;      // a modulus is offered
    logic xy_valid;       // an operand is offered
    logic cfg_beat;       // a beat of the modulus packet is taken
    logic cfg_last;       // the beat on offer is its last
    logic length_bad;     // its header does not fit; valid from the beat after the header on
    logic operands_done;  // x and y are in, of a product x and the header
    logic factor_done;    // the second factor is in
    logic factor;         // the first factor was checked, the second one is due
  } packets_t;

  /// What the multiplier and the table tell the sequence.
  typedef struct packed {
    logic cfg_ready;   // takes a beat of the modulus
    logic cfg_done;    // pulse: the multiplier's constants are ready
    logic z_valid;     // has a beat of a result
    logic z_error;     // that beat is an error
    logic table_busy;  // a power is being chosen
  } feedback_t;

  /// What the sequence tells the multiplier.
  typedef struct packed {
    logic cfg_valid;  // a beat of the modulus
    logic xy_valid;   // a beat of both operands
    logic canonical;  // the product is reduced below 2 m
  } request_t;

  /// The beat of this cycle's transfer.
  typedef struct packed {
    logic move;   // it moves
    logic first;
    logic last;
    logic seed;   // it is a lone 1: StPower, highest beat of the modulus
  } transfer_t;

  /// What the multiplier's answer in this cycle decides.
  typedef struct packed {
    logic z_ready;  // a beat of the result is taken, if there is one
    logic refused;  // the beat that is taken is an error
  } taking_t;

  /// Where beats go and what is done to them, by the state alone.
  typedef struct packed {
    logic    doubling;         // the adder doubles; without the next one either, it corrects
    logic    subtracting;      // it subtracts m
    logic    to_table;         // results go to the table,
    logic    to_chosen;        // to the chosen number's memory,
    logic    to_base;          // to the base's region of the store
    logic    sum_to_chosen;    // sums go to the chosen number's memory
    logic    seed_to_chosen;   // zeros and the seed do
    logic    chosen_to_store;  // the chosen number goes to the store
    logic    chosen_shown;     // it is at the store's input, whether written or not
    logic    blind;            // a power is chosen in the same time and order for every digit
    region_e read_region;
    region_e write_region;
  } route_t;

  /// Where the multiplier's operands come from; of each at most one is high.
  typedef struct packed {
    logic x_one;     // 1
    logic x_stored;
    logic x_result;
    logic x_chosen;
    logic y_stored;
    logic y_result;
    logic y_chosen;
    logic y_leave;   // the number that takes a result out of the domain
  } operands_t;

endpackage
