// SPDX-License-Identifier: Apache-2.0

/// Splits the exponent into windows, most significant first.
///
/// digit_o = the next window: Window bits, or with sliding_i, which starts with a 1, without the
/// zeros at its end; for a short exponent, single_o, its first bit only
/// Precondition: load_i after the exponent is written; take_window_i and take_bit_i only while
/// ready_o, and never both.
/// Latency: one bit per cycle while granted_i, the first bit of a beat three cycles after the beat is
/// read; the same addresses in the same order for every exponent of a length.
/// Example, Window = 5, exponent 0b1011010: fixed windows 0b10 (first_i, first_length_i = 2) and
/// 0b11010; sliding windows 0b1011 and, after a zero, 0b1.
module montcore_modexp_window
  import montcore_modexp_pkg::LengthBits;
#(
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned Beats = 16,  // Beats of the longest exponent.
    parameter int unsigned Window = 5,  // Window width in bits, 2 or more.
    localparam int unsigned BeatBits = $clog2(Beats + 1),
    localparam int unsigned PlaceBits = $clog2(Width),  // Width of a bit position in a beat.
    localparam int unsigned CountBits = $clog2(Window + 1)  // Width of a count of window bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; drops the exponent.
    output logic [BeatBits-1:0] beat_o,  // Beat of the exponent to read next.
    input logic granted_i,  // High: beat_o is read in this cycle.
    input logic [Width-1:0] word_i,  // Word read in the previous cycle.
    input logic load_i,  // Pulse: start with the top bit.
    input logic [LengthBits-1:0] length_i,  // Length of the exponent in bits, sampled with load_i.
    input logic [BeatBits-1:0] top_beat_i,  // Beat of the top bit, sampled with load_i.
    /// Position of the top bit in that beat, sampled with load_i.
    input logic [PlaceBits-1:0] top_place_i,
    input logic sliding_i,  // 1: sliding windows; 0: fixed windows.
    input logic first_i,  // High: the next fixed window is the first one.
    input logic [CountBits-1:0] first_length_i,  // Bits of the first fixed window, 1 .. Window.
    input logic take_window_i,  // Pulse: consume a window.
    input logic take_bit_i,  // Pulse: consume a bit.
    output logic [Window-1:0] digit_o,  // Next window; valid with ready_o.
    output logic [CountBits-1:0] length_o,  // Bits of the next sliding window; valid with ready_o.
    /// High: sliding windows of one bit; valid from the cycle after load_i on.
    output logic single_o,
    output logic bit_o,  // Next bit of the exponent; valid with ready_o.
    output logic ready_o,  // High: Window bits, or all remaining ones, are available.
    output logic [LengthBits-1:0] left_o  // Number of bits that are not consumed yet.
);
  // Windows of one bit cost such an exponent at most as many more products as a table of odd powers
  // has after the first one.
  localparam int unsigned SingleBits = 2 ** (Window - 1) + 1;

  logic [CountBits-1:0] take, look_count, longest, full_length, odd_length, fixed_length;
  logic [Window-1:0] look, odd_digit, fixed_digit;

  // look has the next look_count bits of the exponent, left-aligned. The exponent is in a memory with a
  // registered output that others read too. The beat and its next two bits have registers of their
  // own, so that neither the memory nor the next address is on a path with take.
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
  assign insert  = look_count != CountBits'(Window) && ahead_count_q != '0 && take == '0;
  assign ready_o = look_count == CountBits'(Window) || (fetch_q == '0 && ahead_count_q == '0);
  assign left_o  = fetch_q + LengthBits'(ahead_count_q) + LengthBits'(look_count);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      look          <= '0;
      look_count    <= '0;
      fetch_q       <= '0;
      ahead_q       <= '0;
      ahead_count_q <= '0;
    end else if (load_i) begin
      look          <= '0;
      look_count    <= '0;
      fetch_q       <= length_i;
      place_q       <= top_place_i;
      ahead_q       <= '0;
      ahead_count_q <= '0;
    end else begin
      if (take != '0) begin
        look <= look << take;
        look_count <= look_count - take;
      end else if (insert) begin
        look <= look | (Window'(ahead_q[0]) << (CountBits'(Window - 1) - look_count));
        look_count <= look_count + 1;
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) single_o <= 1'b0;
    else if (load_i) single_o <= sliding_i && length_i <= LengthBits'(SingleBits);
  end
  assign longest = single_o ? CountBits'(1'b1) : CountBits'(Window);
  assign full_length = (look_count < longest) ? look_count : longest;
  always_comb begin
    odd_length = full_length;
    odd_digit  = look >> (CountBits'(Window) - full_length);
    for (int unsigned k = 0; k < Window - 1; k++) begin
      if (!odd_digit[0] && odd_digit != '0) begin
        odd_digit  = odd_digit >> 1;
        odd_length = odd_length - 1;
      end
    end
  end
  assign fixed_length = first_i ? first_length_i : CountBits'(Window);
  assign fixed_digit = look >> (CountBits'(Window) - fixed_length);

  assign digit_o = sliding_i ? odd_digit : fixed_digit;
  assign length_o = odd_length;
  assign bit_o = look[Window-1];
  assign take = take_window_i ? (sliding_i ? odd_length : fixed_length) : CountBits'(take_bit_i);
endmodule
