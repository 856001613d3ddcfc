// SPDX-License-Identifier: Apache-2.0

/// The exponent, and a look ahead at its next Window bits, most significant first.
///
/// look_o = the next count_o bits, left-aligned
/// Precondition: load_i after the exponent is written; take_i at most count_o bits.
/// Latency: a bit a cycle while granted_i, the first one of a beat three cycles after the beat was
/// read; the same addresses in the same order for every exponent of a length. The exponent is in a
/// memory with a registered output that others read too. Its beat and the next two bits wait in
/// registers of their own: neither the memory nor the next address is in a path with take_i.
/// Example, Window = 5, exponent 0b1011010, length 7: look_o = 0b10110; after take_i = 3: 0b11010.
module montcore_modexp_bits #(
    /// Bits of a beat.
    parameter int unsigned Width = 32,
    /// Beats built.
    parameter int unsigned Beats = 16,
    /// Bits of an exponent's length.
    parameter int unsigned LengthBits = 13,
    /// Window in bits.
    parameter int unsigned Window = 5,
    /// Bits of a beat count (do not change).
    localparam int unsigned BeatBits = $clog2(Beats + 1),
    /// Bits of a bit number in a beat (do not change).
    localparam int unsigned PlaceBits = $clog2(Width),
    /// Bits of a count of window bits (do not change).
    localparam int unsigned CountBits = $clog2(Window + 1)
) (
    /// Clock.
    input  logic                  clk_i,
    /// Synchronous reset, active low.
    input  logic                  rst_ni,
    /// Clear everything.
    input  logic                  clear_i,
    /// Beat of the exponent that is wanted next.
    output logic [  BeatBits-1:0] beat_o,
    /// It is read in this cycle.
    input  logic                  granted_i,
    /// What was read in the cycle before.
    input  logic [     Width-1:0] word_i,
    /// Begin with the top bit of an exponent of length_i bits, 1 or more.
    input  logic                  load_i,
    /// Length in bits.
    input  logic [LengthBits-1:0] length_i,
    /// Last beat of the exponent.
    input  logic [  BeatBits-1:0] top_beat_i,
    /// Place of its top bit there.
    input  logic [ PlaceBits-1:0] top_place_i,
    /// Bits that are used up.
    input  logic [ CountBits-1:0] take_i,
    /// Next bits.
    output logic [    Window-1:0] look_o,
    /// How many of them there are.
    output logic [ CountBits-1:0] count_o,
    /// No more can come.
    output logic                  ready_o,
    /// Bits that are not used up yet.
    output logic [LengthBits-1:0] left_o
);
  logic [BeatBits-1:0] beat_q, next_beat;
  logic [ PlaceBits-1:0] place_q;
  logic [LengthBits-1:0] fetch_q;  // bits that are not fetched yet
  logic fetch, insert, read_q, valid_q;  // in word_i, and in word_q, is beat beat_q
  logic [Width-1:0] word_q;
  logic [1:0] ahead_q, ahead_count_q;  // fetched bits, the older one in bit 0, and their number

  assign next_beat = load_i ? top_beat_i : beat_q - BeatBits'(fetch && place_q == '0);
  assign beat_o = next_beat;
  always_ff @(posedge clk_i) begin
    beat_q  <= clear_i ? '0 : next_beat;
    read_q  <= granted_i;
    valid_q <= (read_q || valid_q) && !clear_i && !load_i && !(fetch && place_q == '0);
    if (read_q) word_q <= word_i;
    if (clear_i) word_q <= '0;
  end
  // At most one bit goes in a cycle: with fewer than two a fetched one has its place.
  assign fetch   = !ahead_count_q[1] && fetch_q != '0 && valid_q;
  assign insert  = count_o != CountBits'(Window) && ahead_count_q != '0 && take_i == '0;
  assign ready_o = count_o == CountBits'(Window) || (fetch_q == '0 && ahead_count_q == '0);
  assign left_o  = fetch_q + LengthBits'(ahead_count_q) + LengthBits'(count_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      look_o        <= '0;
      count_o       <= '0;
      fetch_q       <= '0;
      ahead_q       <= '0;
      ahead_count_q <= '0;
    end else if (load_i) begin
      look_o        <= '0;
      count_o       <= '0;
      fetch_q       <= length_i;
      place_q       <= top_place_i;
      ahead_q       <= '0;
      ahead_count_q <= '0;
    end else begin
      if (take_i != '0) begin
        look_o  <= look_o << take_i;
        count_o <= count_o - take_i;
      end else if (insert) begin
        look_o  <= look_o | (Window'(ahead_q[0]) << (CountBits'(Window - 1) - count_o));
        count_o <= count_o + 1;
      end
      if (fetch) begin
        fetch_q <= fetch_q - 1;
        place_q <= (place_q == '0) ? PlaceBits'(Width - 1) : place_q - 1;
      end
      // A bit that is fetched is the last one of those that stay.
      unique case ({
        insert, ahead_count_q[0]
      })
        2'b01:   ahead_q[1] <= fetch && word_q[place_q];
        2'b00:   if (fetch) ahead_q <= {1'b0, word_q[place_q]};
        2'b11:   ahead_q <= {1'b0, fetch && word_q[place_q]};
        default: ahead_q <= {1'b0, ahead_q[1]};
      endcase
      ahead_count_q <= ahead_count_q + 2'(fetch) - 2'(insert);
    end
  end
endmodule
