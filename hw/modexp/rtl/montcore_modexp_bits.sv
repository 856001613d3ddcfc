// SPDX-License-Identifier: Apache-2.0

/// The exponent, with its next Window bits in a register, most significant first.
///
/// look_o = the next count_o bits, left-aligned
/// Precondition: load_i after the exponent is written; take_i at most count_o bits.
/// Latency: one bit per cycle while granted_i, the first bit of a beat three cycles after the beat is
/// read; the same addresses in the same order for every exponent of a length. The exponent is in a
/// memory with a registered output that others read too. The beat and its next two bits have
/// registers of their own, so that neither the memory nor the next address is on a path with take_i.
/// Example, Window = 5, exponent 0b1011010, length 7: look_o = 0b10110; after take_i = 3: 0b11010.
module montcore_modexp_bits #(
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned Beats = 16,  // Beats of a number at the built width.
    parameter int unsigned LengthBits = 13,  // Width of an exponent's length in bits.
    parameter int unsigned Window = 5,  // Window width in bits.
    localparam int unsigned BeatBits = $clog2(Beats + 1),
    localparam int unsigned PlaceBits = $clog2(Width),  // Width of a bit position in a beat.
    localparam int unsigned CountBits = $clog2(Window + 1)  // Width of a count of window bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    output logic [BeatBits-1:0] beat_o,  // Beat of the exponent to read next.
    input logic granted_i,  // High: beat_o is read in this cycle.
    input logic [Width-1:0] word_i,  // Word read in the previous cycle.
    /// Pulse: start with the top bit of an exponent of length_i bits, 1 or more.
    input logic load_i,
    input logic [LengthBits-1:0] length_i,  // Length of the exponent in bits, sampled with load_i.
    /// Index of the exponent's last beat, sampled with load_i.
    input logic [BeatBits-1:0] top_beat_i,
    /// Position of the top bit in that beat, sampled with load_i.
    input logic [PlaceBits-1:0] top_place_i,
    input logic [CountBits-1:0] take_i,  // Number of bits to consume in this cycle, 0 for none.
    output logic [Window-1:0] look_o,  // Next bits of the exponent, left-aligned.
    output logic [CountBits-1:0] count_o,  // Number of valid bits in look_o.
    output logic ready_o,  // High: look_o is full, or has all remaining bits.
    output logic [LengthBits-1:0] left_o  // Number of bits that are not consumed yet.
);
  logic [BeatBits-1:0] beat_q, next_beat;
  logic [ PlaceBits-1:0] place_q;
  logic [LengthBits-1:0] fetch_q;  // bits that are not fetched yet
  logic fetch, insert;
  logic read_q, valid_q;  // word_i, word_q holds beat beat_q
  logic [Width-1:0] word_q;
  logic [1:0] ahead_q, ahead_count_q;  // fetched bits, the older one in bit 0; how many

  assign next_beat = load_i ? top_beat_i : beat_q - BeatBits'(fetch && place_q == '0);
  assign beat_o = next_beat;
  always_ff @(posedge clk_i) begin
    beat_q  <= clear_i ? '0 : next_beat;
    read_q  <= granted_i;
    valid_q <= (read_q || valid_q) && !clear_i && !load_i && !(fetch && place_q == '0);
    if (read_q) word_q <= word_i;
    if (clear_i) word_q <= '0;
  end
  // One bit is fetched per cycle at most, so there is room for it while fewer than two wait.
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
      // A fetched bit is placed after the bits that remain.
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
