// SPDX-License-Identifier: Apache-2.0

/// Keeps R^2 mod m of one modulus of a pair, so that setting up this modulus again takes a few
/// passes over its beats instead of eight or more products.
///
/// recall_o: the modulus that is set up is the kept one; its R^2 is z_data_o
/// Only a modulus whose header is marked is compared, and kept: for public moduli, since whether
/// it is the kept one decides on the time of its set-up. Others leave what is kept as it is.
/// While recall_o is high, the sequencer of the exponentiator doubles once, squares once and
/// multiplies once (radix_o, power_o); each of these products has z_data_o as its result, and the
/// last one is stored as R^2.
/// Precondition: one set-up at a time; every product of a set-up has beats_i beats.
/// Latency: recall_o is high from the cycle after the last beat of the modulus until end_i.
/// Example: m = 0x8b is set up marked, then 0x65 and 0x6d without a mark, then 0x8b marked: the
/// fourth set-up is short.
module montcore_modexp_pair_kept
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Beats = 17,  // Beats of an operand at the built width, 2 or more.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,  // High while the memory is cleared.
    input logic begin_i,  // Pulse: the header of a modulus is accepted.
    input logic mark_i,  // High: R^2 of this modulus is to be kept; valid with begin_i.
    input logic end_i,  // Pulse: the modulus was accepted or refused.
    input logic accepted_i,  // High: it was accepted; valid with end_i.
    /// Length of the modulus in bits; stable from its first beat on.
    input logic [LengthBits-1:0] length_i,
    input logic [BeatBits-1:0] beats_i,  // Beats of an operand.
    input logic m_valid_i,  // A beat of the modulus goes to the multiplier.
    input logic [33:0] m_data_i,  // Beat of the modulus.
    input logic m_last_i,  // Last beat of the modulus.
    /// The multiplier returns a beat of a result to the exponentiator that is set up.
    input logic z_valid_i,
    input logic [33:0] z_data_i,  // Beat of the result.
    input logic taken_i,  // With recall_o: the exponentiator takes z_data_o.
    output logic recall_o,  // High: products of this set-up are answered with z_data_o.
    output logic [33:0] z_data_o,  // Beat of the kept R^2, valid with recall_o.
    /// log2 of the radix for which the set-up doubles once; valid with recall_o.
    output logic [LengthBits-1:0] radix_o,
    /// The exponent for which it squares once and multiplies once.
    output logic [LengthBits-1:0] power_o
);
  localparam int unsigned Rows = 2 * Beats;
  localparam int unsigned RowBits = $clog2(Rows);
  localparam int unsigned SweepBits = $clog2(Rows + 1);

  logic marked_q, equal_q, results_q, recall_q, same, same_beat, move, last, we;
  logic [BeatBits-1:0] index_q, next_index;
  logic [LengthBits-1:0] length_q, place_q, top_q, place;
  logic [SweepBits-1:0] sweep_q;
  logic [RowBits-1:0] waddr, raddr;
  logic [33:0] word;

  // ---- clearing ------------------------------------------------------------------------------------
  assign busy_o = sweep_q != SweepBits'(Rows);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) sweep_q <= '0;
    else if (busy_o) sweep_q <= sweep_q + 1;
  end

  // ---- memory: beats of m in even rows, of R^2 in odd ones; read ahead ------------------------------
  assign last = m_valid_i ? m_last_i : index_q == beats_i - 1;
  assign move = marked_q && (m_valid_i || (results_q && (recall_q ? taken_i : z_valid_i)));
  assign next_index = !move ? index_q : last ? '0 : index_q + 1;
  assign we = busy_o || (move && !recall_q);
  assign waddr = busy_o ? RowBits'(sweep_q) : RowBits'({index_q, results_q});
  assign raddr = RowBits'({next_index, results_q});
  montcore_block_ram #(
      .Rows (Rows),
      .Width(34),
      .Tech (Tech)
  ) u_ram (
      .clk_i,
      .we_i   (we),
      .waddr_i(waddr),
      .wdata_i(busy_o ? '0 : results_q ? z_data_i : m_data_i),
      .raddr_i(raddr),
      .rdata_o(word)
  );

  // ---- comparison ----------------------------------------------------------------------------------
  // A length of 0: nothing is kept. A set-up that has begun ends, unless everything is cleared.
  assign same_beat = word == m_data_i;
  assign same = equal_q && same_beat && length_q == length_i;
  assign place = place_q + LengthBits'(8'd34);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      marked_q  <= 1'b0;
      equal_q   <= 1'b0;
      results_q <= 1'b0;
      recall_q  <= 1'b0;
      index_q   <= '0;
      length_q  <= '0;
      place_q   <= '0;
      top_q     <= '0;
    end else if (begin_i) begin
      marked_q <= mark_i;
      equal_q  <= 1'b1;
      place_q  <= '0;
    end else if (end_i) begin
      if (marked_q && accepted_i) length_q <= length_i;
      marked_q  <= 1'b0;
      results_q <= 1'b0;
      recall_q  <= 1'b0;
      index_q   <= '0;
    end else if (move) begin
      index_q <= next_index;
      if (m_valid_i) begin
        equal_q <= equal_q && same_beat;
        place_q <= place;
        if (m_data_i != '0) top_q <= place;
        if (m_last_i) begin
          recall_q  <= same;
          results_q <= 1'b1;
        end
      end
    end
  end
  assign recall_o = recall_q;
  assign z_data_o = word;
  // The set-up starts with 2^top and ends its doublings with 2^(radix + 17).
  assign radix_o  = top_q - LengthBits'(8'd16);
  assign power_o  = LengthBits'(2'd2);
endmodule
