// SPDX-License-Identifier: Apache-2.0

/// Operands of each state's product, and sources and destinations of beats.
///
/// StPowerSquare: chosen chosen (R^2, on the way there)
/// StPowerStore, LazySetUp: z z, the next square
/// StPowerFactor: z times the factor that leads to R^2
/// StFirst: chosen R^2 = x R
/// StOne: 1 R^2 = R; sliding: x R x R, for odd powers; product: x R x R^2
/// StTable: z chosen, the next power; constant: the first one from x R x R
/// StSquare: z z, the first one of the chosen power
/// StMultiply: z chosen, the accumulator by a power; product: by the other factor
/// StLadderOne: z base = R0 R1, R0 = R and R1 = x R at first
/// StLadderProduct: chosen z = R0 R1
/// StLadderSquare: the square of R0 or R1, as a bit selects
/// StLeave: z times the factor that leads out of the domain
/// Precondition: policy_i is one-hot.
/// Latency: 0.
/// Example: StFirst: operands_o has x_chosen and y_stored, read_region_o is RegionSquare.
module montcore_modexp_route
  import montcore_modexp_pkg::*;
#(
    parameter bit LazySetUp = 1'b1  // 1: R^2 is made with lazy products.
) (
    input state_e state_i,  // State of the sequencer.
    input policy_t policy_i,  // Policy of the request.
    input logic pending_i,  // High: a result of the multiplier is outstanding; StLeave only.
    input logic begun_i,  // StTable: not the first product.
    input logic chosen_base_i,  // StSquare: the accumulator is the chosen power.
    /// High: the number that the ladder squares, or ends with, is in the base's region.
    input logic ladder_base_i,
    /// High: no bit of the exponent is needed from the store; StLadderSquare only.
    input logic bits_ready_i,
    input logic table_busy_i,  // High: a power is still being chosen; StMultiply only.
    /// High: the second factor is checked, not the first one or a base; StCheck only.
    input logic factor_i,
    output logic give_o,  // High: operands are sent to the multiplier.
    output logic take_o,  // High: a result is read from the multiplier.
    output logic walk_o,  // High: all beats of the chosen number pass the adder, or are output.
    output logic canonical_o,  // High: the product to start is reduced below 2 m.
    output operands_t operands_o,  // Sources of the operands of this product.
    /// All other routing; independent of the exponent's bits with policies constant and ladder.
    output route_t route_o
);
  // With LazySetUp each result is squared at once, and the last one is kept as it comes.
  logic chain, factor, keep, set_up_result;
  assign chain = LazySetUp && state_i == StPowerStore;
  assign factor = LazySetUp && state_i == StPowerFactor;
  assign keep = LazySetUp && state_i == StKeep;
  assign set_up_result = chain || factor;
  assign give_o = state_i == StPowerSquare || set_up_result || state_i == StFirst ||
                state_i == StOne || state_i == StTable || state_i == StSquare ||
                (state_i == StMultiply && !table_busy_i) || state_i == StLadderOne ||
                state_i == StLadderProduct || (state_i == StLadderSquare && bits_ready_i) ||
                state_i == StLeave;
  assign take_o = state_i == StPowerStore || factor || keep || state_i == StOne ||
                state_i == StTable ||
                state_i == StTableEnd || (state_i == StSquare && !chosen_base_i) ||
                (state_i == StMultiply && !table_busy_i) || state_i == StLadderOne ||
                state_i == StLadderProduct || (state_i == StLadderSquare && bits_ready_i) ||
                state_i == StLadderEnd || (state_i == StLeave && pending_i) || state_i == StResult;
  assign walk_o = state_i == StConfigure || state_i == StPower || state_i == StDouble ||
                state_i == StCorrect || state_i == StReduce ||
                (!LazySetUp && state_i == StKeep) || state_i == StCheck || state_i == StOutput;
  assign canonical_o = (!LazySetUp && state_i == StPowerSquare) || state_i == StLeave;

  // ---- operands --------------------------------------------------------------------------------
  logic x_one, x_either, x_stored, x_result, y_stored, y_result, y_factor;
  assign x_one = state_i == StOne && (policy_i.constant || policy_i.ladder);
  assign x_either = state_i == StLadderSquare || (state_i == StLeave && policy_i.ladder);
  assign x_stored = x_either && ladder_base_i;
  assign x_result = (state_i == StOne && (policy_i.sliding || policy_i.by_factor)) ||
                    (state_i == StTable && (policy_i.sliding || begun_i)) ||
                    (state_i == StSquare && !chosen_base_i) || state_i == StMultiply ||
                    state_i == StLadderOne || set_up_result ||
                    (state_i == StLeave && !policy_i.ladder && pending_i);
  assign y_stored = state_i == StFirst || (state_i == StOne && !policy_i.sliding) ||
                    (state_i == StMultiply && policy_i.by_factor) || state_i == StLadderOne ||
                    (state_i == StLadderSquare && ladder_base_i);
  assign y_result = (state_i == StOne && policy_i.sliding) ||
                    (state_i == StSquare && !chosen_base_i) || state_i == StLadderProduct || chain;
  assign operands_o.x_one = x_one;
  assign operands_o.x_stored = x_stored;
  assign operands_o.x_result = x_result;
  assign operands_o.x_chosen = !(x_one || x_stored || x_result);
  assign operands_o.y_stored = y_stored;
  assign operands_o.y_result = y_result;
  assign y_factor = state_i == StLeave || factor;
  assign operands_o.y_chosen = !(y_stored || y_result || y_factor);
  assign operands_o.y_factor = y_factor;

  // ---- results and sums ------------------------------------------------------------------------
  logic first_powers;
  assign first_powers = state_i == StOne && (policy_i.constant || policy_i.sliding);
  assign route_o.to_table = first_powers ||
                            (state_i == StTable && (policy_i.constant || begun_i)) ||
                            state_i == StTableEnd;
  assign route_o.to_chosen = first_powers ||
                             (state_i == StTable && policy_i.sliding && !begun_i) ||
                             state_i == StLadderOne || state_i == StLadderSquare ||
                             (!LazySetUp && state_i == StPowerStore) || state_i == StResult;
  assign route_o.to_store = (state_i == StOne && policy_i.ladder) || state_i == StLadderProduct ||
                            state_i == StLadderEnd || keep;
  assign route_o.doubling = state_i == StDouble;
  assign route_o.shifted = LazySetUp && (state_i == StDouble || state_i == StCorrect);
  assign route_o.subtracting = state_i == StReduce || state_i == StCheck;
  assign route_o.sum_to_chosen = state_i == StDouble || state_i == StCorrect || state_i == StReduce;
  // Afterwards a base comes to the chosen number's memory, in fewer beats than an operand's.
  assign route_o.seed_to_chosen = state_i == StPower || keep;
  assign route_o.chosen_to_store = (!LazySetUp && state_i == StKeep) ||
                                   (state_i == StCheck && !factor_i);
  assign route_o.blind = !policy_i.sliding;
  assign route_o.chosen_shown = (!LazySetUp && state_i == StKeep) || state_i == StCheck;

  // ---- store: one memory, read in different states ---------------------------------------------
  assign route_o.read_region = (state_i == StFirst || state_i == StOne) ? RegionSquare :
      (walk_o) ? RegionModulus :
      (state_i == StLadderOne || (state_i == StLadderSquare && bits_ready_i) ||
       state_i == StLeave || (state_i == StMultiply && policy_i.by_factor)) ? RegionBase :
      RegionExponent;
  assign route_o.write_region = (state_i == StModulus || state_i == StFill) ? RegionModulus :
      (state_i == StOperands) ? RegionExponent : (state_i == StKeep) ? RegionSquare : RegionBase;
endmodule
