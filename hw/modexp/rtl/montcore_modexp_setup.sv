// SPDX-License-Identifier: Apache-2.0

/// Counts the doublings and the squares on the way to R^2 mod m, for the sequencer.
///
/// LazySetUp = 0: 2^(Width top) is doubled to 2^(radix + a), a the LeadBits leading bits of e; for
/// each further bit of e a square, and for a 1 a doubling. They end with R^2 = 2^(radix + e).
/// LazySetUp = 1: 2^(Width (top + 1)) is doubled, modulo 2^Width m, to 2^(radix + Width / 2); a
/// square for each bit of e, and a product with 2^(Width f), f = e without its leading 1. They end
/// with R^2 = 2^(Width e).
/// Precondition: e > 0; with LazySetUp e > 1, and Width is even.
/// Latency: 0; the counts change in the cycle after the last beat of a step.
/// Example, LazySetUp = 1, Width = 34, e = 63, R = 2^(17 * 63): 6 squares lead from 2^17 R to
/// 2^(34 * 32) R, and the factor 2^(34 * 31) to 2^(34 * 63) = R^2.
module montcore_modexp_setup
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Width = 34,  // Bits of a beat.
    parameter bit LazySetUp = 1'b1,  // 1: R^2 is made with lazy products.
    parameter int unsigned BeatBits = 5  // Width of a beat count in bits.
) (
    input logic clk_i,
    input state_e state_i,  // State of the sequencer.
    input logic move_i,  // A beat of the transfer moves.
    input logic moved_last_i,  // Its last beat moves.
    input logic [BeatBits-1:0] index_i,  // Index of the beat.
    input logic [BeatBits-1:0] top_beat_i,  // Index of the modulus's highest beat that is not zero.
    input logic [LengthBits-1:0] radix_i,  // log2 of the radix of a product on the way to R^2.
    input logic [LengthBits-1:0] power_i,  // The exponent e.
    output logic led_o,  // High: the number of doublings is known; read in StLead only.
    output logic seed_o,  // High: the beat is the one with the seed.
    output logic last_double_o,  // High: the doubling is the last one in a row.
    output logic bit_o,  // Present bit of e.
    output logic last_bit_o,  // High: it is the lowest bit.
    output logic done_o,  // High: no bit is left.
    /// Beat whose lowest bit is 1 in the factor 2^(Width f); read in StPowerFactor only.
    output logic [BeatBits-1:0] factor_o
);
  localparam int unsigned BitBits = $clog2(LengthBits + 1);
  // A bit more saves a square, and costs on average 12 doublings at 5 bits and 24 at 6.
  localparam int unsigned LeadBits = 5;

  logic [LengthBits-1:0] doublings_q, first_count;
  logic [ BitBits-1:0] bit_q;
  logic [BeatBits-1:0] seed_beat;
  logic next_bit, one_more;

  assign bit_o = 1'(power_i >> bit_q);
  assign last_bit_o = bit_q == '0;
  assign done_o = bit_q == '1;
  assign last_double_o = doublings_q == LengthBits'(1'b1);
  assign seed_beat = top_beat_i + BeatBits'(LazySetUp);
  assign seed_o = index_i == seed_beat;
  assign factor_o = BeatBits'(doublings_q);
  // All bits of e are in doublings_q, or LeadBits of them from the highest 1 on.
  assign led_o = LazySetUp ? bit_o : doublings_q[LeadBits-1] || done_o;
  assign first_count = LazySetUp ? LengthBits'(Width / 2) : doublings_q;
  assign next_bit = LazySetUp ? (state_i == StPowerSquare || state_i == StPowerStore) :
      (state_i == StReduce || (state_i == StPowerStore && !bit_o && !last_bit_o));
  assign one_more = !LazySetUp && state_i == StReduce;

  always_ff @(posedge clk_i) begin
    if (state_i == StSetUp) begin
      doublings_q <= '0;
      bit_q       <= BitBits'(LengthBits - 1);
    end else if (state_i == StLead) begin
      if (led_o) doublings_q <= radix_i + first_count;
      else begin
        doublings_q <= {doublings_q[LengthBits-2:0], bit_o};
        bit_q       <= bit_q - 1;
      end
    end else if (state_i == StPower) begin
      if (move_i && index_i < seed_beat) doublings_q <= doublings_q - LengthBits'(Width);
    end else if (moved_last_i) begin
      if (state_i == StDouble) doublings_q <= doublings_q - 1;
      if (next_bit) bit_q <= bit_q - 1;
      if (one_more) doublings_q <= LengthBits'(1'b1);
      // 0 before: the bits of e below its leading 1, which StPowerSquare has passed, are f.
      if (LazySetUp && state_i == StPowerStore) begin
        doublings_q <= {doublings_q[LengthBits-2:0], bit_o};
      end
    end
    // The reductions of results have counted too.
    if (state_i == StWipe) bit_q <= '0;
  end
endmodule
