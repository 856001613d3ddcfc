// SPDX-License-Identifier: Apache-2.0

/// States, and the structs of control signals between the exponentiator's modules.
///
/// Control must not depend on a base or on an exponent of the constant policies. Selections by a
/// bit of the exponent are in `operands_t` only, which leads to data only. No struct holds both
/// commands to the multiplier and decisions that its answer in the same cycle makes, which
/// simulators that evaluate a struct as a whole would see as a loop.
package montcore_modexp_pkg;

  /// Width of a length in bits.
  localparam int unsigned LengthBits = 13;
  /// The header of y: this many bits of length, then the policy, then zeros.
  localparam int unsigned HeaderBits = 14;

  /// States of the exponentiator. From StFirst to StResult products are computed;
  /// `montcore_modexp_route` defines their operands.
  typedef enum logic [5:0] {
    // modulus packet
    StIdle,
    StHeader,
    StModulus,
    StFill,           // zeros above the modulus
    StVerdict,        // the modulus is refused or accepted
    StConfigure,      // the multiplier is loaded with the modulus
    // R^2 mod m
    StSetUp,
    StLead,
    StPower,
    StDouble,
    StCorrect,
    StPowerSquare,
    StPowerStore,
    StPowerFactor,    // only where R^2 is made with lazy products
    StReduce,         // v - m, or v if that is negative; also for a result
    StKeep,
    // operand packets
    StOperands,
    StFactor,         // second factor of a product
    StCheck,          // the base is compared with m
    StJudge,          // the request is refused or started
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
    RegionSquare   = 2'd3   // R^2 mod m
  } region_e;

  /// The policy of the last header of y, one-hot.
  typedef struct packed {
    logic constant;
    logic sliding;
    logic ladder;
    logic by_factor;  // policy 3, a product
  } policy_t;

  /// Status of the packets for the sequencer.
  typedef struct packed {
    logic cfg_valid;      // a modulus is offered
    logic xy_valid;       // an operand is offered
    logic cfg_beat;       // a beat of the modulus packet is transferred
    logic cfg_last;       // the offered beat is its last
    logic length_bad;     // its header is invalid; valid from the beat after the header on
    logic operands_done;  // x and y are complete; for a product, x and the header
    logic factor_done;    // the second factor is complete
    logic factor;         // the first factor was checked, the second one is due
  } packets_t;

  /// Status of the multiplier and the table for the sequencer.
  typedef struct packed {
    logic cfg_ready;   // ready for a beat of the modulus
    logic cfg_done;    // pulse: the multiplier's constants are ready
    logic z_valid;     // a beat of a result is valid
    logic z_error;     // that beat is an error
    logic table_busy;  // a power is being chosen
  } feedback_t;

  /// Requests of the sequencer to the multiplier.
  typedef struct packed {
    logic cfg_valid;  // a beat of the modulus is valid
    logic xy_valid;   // a beat of both operands is valid
    logic canonical;  // the product is reduced below 2 m
  } request_t;

  /// The beat of this cycle's transfer.
  typedef struct packed {
    logic move;    // the beat moves in this cycle
    logic first;
    logic last;
    logic seed;    // the beat is a lone 1: StPower
    logic factor;  // the beat is a lone 1 of the factor that leaves the domain or leads to R^2
  } transfer_t;

  /// Decisions that depend on the multiplier's answer in this cycle.
  typedef struct packed {
    logic z_ready;  // a beat of the result is accepted, if valid
    logic refused;  // the beat accepted is an error
  } taking_t;

  /// Routing of beats, as a function of the state only.
  typedef struct packed {
    logic    doubling;         // the adder doubles; with neither, it corrects
    logic    subtracting;      // the adder subtracts m
    logic    shifted;          // the adder gets 2^Width m in place of m
    logic    to_table;         // results go to the table
    logic    to_chosen;        // results go to the chosen number's memory
    logic    to_store;         // results go to the store
    logic    sum_to_chosen;    // sums go to the chosen number's memory
    logic    seed_to_chosen;   // zeros and the seed go to the chosen number's memory
    logic    chosen_to_store;  // the chosen number goes to the store
    logic    chosen_shown;     // the chosen number is at the store's input, written or not
    logic    blind;            // a power is chosen in the same time and order for every digit
    region_e read_region;
    region_e write_region;
  } route_t;

  /// Sources of the multiplier's operands; at most one is high for each operand.
  typedef struct packed {
    logic x_one;     // the constant 1
    logic x_stored;
    logic x_result;
    logic x_chosen;
    logic y_stored;
    logic y_result;
    logic y_chosen;
    logic y_factor;  // the factor that takes a result out of the domain, or leads to R^2
  } operands_t;

endpackage
