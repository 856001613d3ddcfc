// SPDX-License-Identifier: Apache-2.0

/// The curve engine's scalar unit: two scalars and the group order, blinding, digit recoding.
///
/// blinding: first = second + r order, r random of 64 bits: the lowest makes the sum odd, or the
/// lowest three are zero; odd scalars: + order if even.
/// digits: of k = sum of d_i 32^i with d_i odd, |d_i| < 32, for odd k; or five bits of k that are
/// `columns` apart, signed likewise; or four bits; or one bit, for the ladder
/// Precondition: an operation starts while busy is low; the order is odd if a scalar is made odd.
/// Latency: blinding 65 passes of one cycle per row, pointers about ten cycles, a digit one cycle
/// per bit; none depends on data.
/// For odd k < 32^t, v = (k >> 1) + 2^(5 t - 1) has the digits v_i = (d_i + 31) / 2: the top bit of v_i
/// is the sign, and the others, inverted if it is low, are the entry of a table of 1, 3, ... 31.
/// Example: k = 0x1f, t = 1: v = 0x1f, positive, entry 15: the digit is 31.
module montcore_ecc_scalar
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Length = 256,  // Built width in bits, of the longer of p and n.
    parameter int unsigned Width = 64,  // Row width in bits.
    parameter int unsigned Rows = 4,  // Rows of an element at the built width.
    parameter int unsigned WordWidth = 32,  // Width of a random word in bits.
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1,
    /// Rows of a scalar memory.
    localparam int unsigned Depth = (Length + BlindBits + 6 + Width - 1) / Width,
    localparam int unsigned DepthBits = $clog2(Depth + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    /// Synchronous clear, active high: clears registers, and row clear_row_i of the scalars.
    input logic clear_i,
    input logic [DepthBits-1:0] clear_row_i,  // Row to clear, valid with clear_i.
    input logic clear_order_i,  // Clear the order too, together with clear_i.
    input logic [RowBits-1:0] last_row_i,  // Index of the last row of an element.
    input counts_t counts_i,  // Loop counts of the curve, constant while an operation runs.
    input logic we_i,  // Write a row of a scalar memory.
    input logic [1:0] we_memory_i,  // Memory to write: 0 first scalar, 1 second scalar, 2 order.
    input logic [RowBits-1:0] we_row_i,  // Index of the row, valid with we_i.
    input logic [Width-1:0] data_i,  // Row to write, valid with we_i.
    /// Command: a pass, pointers or a digit, selected by d; the digit is of scalar a.
    input command_t command_i,
    output digits_t state_o,  // Status: busy, digit and ladder swap.
    input logic random_fail_i,  // The random source has failed: the pass is abandoned.
    input logic random_valid_i,  // A random word is valid, while gathering.
    input logic [WordWidth-1:0] random_i  // Random word, valid with random_valid_i.
);
  localparam int unsigned BitBits = $clog2(Width);
  localparam int unsigned MemoryRows = (Depth < 8) ? 8 : Depth;
  localparam int unsigned AddrBits = $clog2(MemoryRows);
  localparam int unsigned PlaceBits = $clog2(Length + BlindBits + 8);
  localparam int unsigned Words = (BlindBits + WordWidth - 1) / WordWidth;
  localparam int unsigned WordBits = $clog2(Words + 1);

  typedef enum logic [3:0] {
    StIdle,
    StFill,    // clears the rows above a scalar that was written
    StGather,  // collects random words
    StDouble,  // first = 2 first + bit order
    StSum,     // first = first + second
    StOdd,     // adds the order to an even scalar
    StPlace,   // computes the pointers
    StDigit
  } state_e;

  state_e state_q;
  logic [DepthBits-1:0] row_q;
  logic [BlindBits-1:0] factor_q;
  logic [6:0] count_q;
  logic [WordBits-1:0] gathered_q;
  logic [2:0][Width-1:0] word;
  logic [2:0] we;
  logic [Width-1:0] wdata, addend, base;
  logic [Width:0] total;
  logic [AddrBits-1:0] raddr, waddr;
  logic carry_q, top_q, odd_any_q, second_q, first_pass_q, fill_second_q, last_row;
  logic fill_order_q;
  logic [1:0] odd_q;  // lowest bits of the scalars when written

  // ---- memories --------------------------------------------------------------------------------
  // Bit positions as row and bit in the row: the comb's topmost tooth, the distance of its teeth,
  // the window, and the bit that is read, in row row_q.
  logic [DepthBits-1:0] top_row_q, gap_row_q, window_row_q, place_row_q;
  logic [BitBits-1:0] top_place_q, gap_place_q, window_place_q, bit_place_q;
  logic [2:0] mode;
  logic [1:0] kind;
  assign mode  = command_i.d[2:0];
  assign kind  = command_i.d[1:0];
  assign raddr = AddrBits'(row_q);
  logic [DepthBits-1:0] write_row;
  assign write_row = clear_i ? clear_row_i : we_i ? DepthBits'(we_row_i) : row_q;
  assign waddr = AddrBits'(write_row);
  assign last_row = row_q == DepthBits'(Depth - 1);
  for (genvar k = 0; k < 3; k++) begin : g_memory
    montcore_ram #(
        // At least 8 rows, so that it maps to a memory and not to flip-flops.
        .Rows (MemoryRows),
        .Width(Width)
    ) u_ram (
        .clk_i,
        .we_i   (we[k]),
        .wzero_i(1'b0),
        .waddr_i(waddr),
        .wdata_i(wdata),
        .raddr_i(raddr),
        .rdata_o(word[k])
    );
  end
  logic filling, adding, to_second;
  assign filling = state_q == StFill;
  assign adding = state_q == StDouble || state_q == StSum || state_q == StOdd;
  assign to_second = state_q == StOdd && second_q;
  assign we[0] = clear_i || (we_i && we_memory_i == 2'd0) || (adding && !to_second) ||
                 (filling && !fill_second_q && !fill_order_q);
  assign we[1] = clear_i || (we_i && we_memory_i == 2'd1) || to_second ||
                 (filling && fill_second_q);
  assign we[2] = (clear_i && clear_order_i) || (we_i && we_memory_i == 2'd2) ||
                 (filling && fill_order_q);
  // Zero if nothing is written or added, that is while rows are filled or cleared.
  assign wdata = (data_i & {Width{we_i}}) | (total[Width-1:0] & {Width{adding && !we_i}});

  // ---- passes ----------------------------------------------------------------------------------
  always_comb begin
    unique case (state_q)
      StDouble: begin
        base   = first_pass_q ? '0 : {word[0][Width-2:0], top_q && row_q != '0};
        addend = word[2] & {Width{factor_q[BlindBits-1]}};
      end
      StSum: begin
        base   = word[0];
        addend = word[1];
      end
      default: begin
        base   = second_q ? word[1] : word[0];
        addend = word[2] & {Width{!odd_q[second_q]}};
      end
    endcase
  end
  assign total = {1'b0, base} + {1'b0, addend} + (Width + 1)'(carry_q && row_q != '0);

  // ---- pointers --------------------------------------------------------------------------------
  logic [DepthBits-1:0] bit_row;
  logic [BitBits-1:0] bit_place;
  logic [BitBits:0] below;
  logic [PlaceBits-1:0] place_q, five;
  logic [2:0] mode_q, left_q;
  logic comb_first_q, window_first_q, ended_q, bit_now, forced, comb, gap_known_q;
  logic [4:0] digit_q;
  logic last_bit_q, swap_q, negative;

  assign comb = mode_q == ModeComb;
  // The braces are for Icarus Verilog 11, which casts no call of a function.
  assign five = PlaceBits'({
    five_times((state_q == StIdle && mode == ModeWhole) ? counts_i.windows : counts_i.columns)
  });
  // Position of the bit that is read next.
  assign below = {1'b0, bit_place_q} - (comb ? {1'b0, gap_place_q} : (BitBits + 1)'(1'b1));
  assign bit_place = below[BitBits] ? BitBits'(below + (BitBits + 1)'(Width)) : BitBits'(below);
  assign bit_row = row_q - (comb ? gap_row_q : '0) - DepthBits'(below[BitBits]);
  assign forced = comb ? (comb_first_q && left_q == 3'd4) : window_first_q;
  assign bit_now = forced || (!ended_q && 1'((second_q ? word[1] : word[0]) >> bit_place_q));

  // The first word is the least significant one.
  logic [BlindBits-1:0] gathered;
  if (WordWidth < BlindBits) begin : g_words
    assign gathered = {random_i, factor_q[BlindBits-1:WordWidth]};
  end else begin : g_word
    assign gathered = random_i[BlindBits-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q        <= StIdle;
      row_q          <= '0;
      factor_q       <= '0;
      count_q        <= '0;
      gathered_q     <= '0;
      carry_q        <= 1'b0;
      top_q          <= 1'b0;
      odd_any_q      <= 1'b0;
      second_q       <= 1'b0;
      first_pass_q   <= 1'b0;
      fill_second_q  <= 1'b0;
      fill_order_q   <= 1'b0;
      odd_q          <= '0;
      top_row_q      <= '0;
      top_place_q    <= '0;
      gap_row_q      <= '0;
      gap_place_q    <= '0;
      gap_known_q    <= 1'b0;
      window_row_q   <= '0;
      window_place_q <= '0;
      bit_place_q    <= '0;
      place_q        <= '0;
      place_row_q    <= '0;
      mode_q         <= '0;
      left_q         <= '0;
      comb_first_q   <= 1'b0;
      window_first_q <= 1'b0;
      ended_q        <= 1'b0;
      digit_q        <= '0;
      last_bit_q     <= 1'b0;
      swap_q         <= 1'b0;
    end else begin
      if (we_i) begin
        if (we_row_i == '0 && !we_memory_i[1]) odd_q[we_memory_i[0]] <= data_i[0];
        if (we_row_i == last_row_i) begin
          if (DepthBits'(last_row_i) == DepthBits'(Depth - 1)) state_q <= StIdle;
          else state_q <= StFill;
          row_q         <= DepthBits'(last_row_i) + 1'b1;
          fill_second_q <= we_memory_i == 2'd1;
          fill_order_q  <= we_memory_i == 2'd2;
        end
      end
      if (adding) begin
        carry_q <= total[Width];
        top_q   <= word[0][Width-1];
      end
      unique case (state_q)
        StIdle: begin
          row_q <= we_i && we_row_i == last_row_i ? DepthBits'(last_row_i) + 1'b1 : '0;
          if (command_i.pass) begin
            if (kind == PassBlind || kind == PassBlindAny) state_q <= StGather;
            else state_q <= StOdd;
            second_q     <= kind == PassOddSecond;
            odd_any_q    <= kind == PassBlindAny;
            gathered_q   <= '0;
            count_q      <= '0;
            first_pass_q <= 1'b1;
          end
          if (command_i.point) begin
            state_q     <= StPlace;
            mode_q      <= mode;
            gap_known_q <= mode != ModeComb;
            place_row_q <= '0;
            unique case (mode)
              ModeComb:              place_q <= PlaceBits'(counts_i.columns);
              ModeWindow, ModeWhole: place_q <= five;
              ModeExponent:          place_q <= (PlaceBits'(counts_i.nibbles) << 2) - 1'b1;
              ModeHalf:              place_q <= PlaceBits'(counts_i.nibbles) << 2;
              default:               place_q <= PlaceBits'(counts_i.bits) - 1'b1;
            endcase
            if (mode == ModeComb) comb_first_q <= 1'b1;
            else begin
              window_first_q <= mode == ModeWindow || mode == ModeWhole;
              ended_q        <= 1'b0;
              last_bit_q     <= 1'b0;
            end
          end
          if (command_i.digit) begin
            state_q  <= StDigit;
            mode_q   <= mode;
            second_q <= command_i.a[0];
            // The next column of the comb is one bit lower.
            if (mode == ModeComb) begin
              row_q <= top_row_q;
              bit_place_q <= top_place_q;
              top_place_q <= (top_place_q == '0) ? BitBits'(Width - 1) : top_place_q - 1'b1;
              if (top_place_q == '0) top_row_q <= top_row_q - 1'b1;
            end else begin
              row_q <= window_row_q;
              bit_place_q <= window_place_q;
            end
            digit_q <= '0;
            left_q  <= (mode == ModeLadder) ? 3'd0 : (mode == ModeExponent) ? 3'd3 : 3'd4;
          end
        end
        StFill: begin
          row_q <= row_q + 1'b1;
          if (last_row) begin
            state_q <= StIdle;
            row_q   <= '0;
          end
        end
        StGather: begin
          if (random_valid_i) begin
            factor_q   <= gathered;
            gathered_q <= gathered_q + 1'b1;
          end
          if (gathered_q == WordBits'(Words)) begin
            if (odd_any_q) factor_q[2:0] <= '0;
            else factor_q[0] <= !odd_q[1];
            state_q <= StDouble;
            row_q   <= '0;
          end
          if (random_fail_i) state_q <= StIdle;
        end
        StDouble: begin
          row_q <= row_q + 1'b1;
          if (last_row) begin
            row_q        <= '0;
            first_pass_q <= 1'b0;
            count_q      <= count_q + 1'b1;
            factor_q     <= factor_q << 1;
            if (count_q == 7'(BlindBits - 1)) state_q <= StSum;
          end
        end
        StSum, StOdd: begin
          row_q <= row_q + 1'b1;
          if (last_row) begin
            row_q    <= '0;
            state_q  <= StIdle;
            second_q <= 1'b0;
          end
        end
        StPlace: begin
          // Converts a bit position to row and bit by repeated subtraction of the row width.
          if (place_q >= PlaceBits'(Width)) begin
            place_q     <= place_q - PlaceBits'(Width);
            place_row_q <= place_row_q + 1'b1;
          end else begin
            place_row_q <= '0;
            place_q     <= five;
            gap_known_q <= 1'b1;
            if (!gap_known_q) begin
              gap_row_q   <= place_row_q;
              gap_place_q <= BitBits'(place_q);
            end else begin
              state_q <= StIdle;
              if (comb) begin
                top_row_q   <= place_row_q;
                top_place_q <= BitBits'(place_q);
              end else begin
                window_row_q   <= place_row_q;
                window_place_q <= BitBits'(place_q);
              end
            end
          end
        end
        StDigit: begin
          digit_q     <= {digit_q[3:0], bit_now};
          row_q       <= bit_row;
          bit_place_q <= bit_place;
          if (!comb && {row_q, bit_place_q} == '0) ended_q <= 1'b1;
          left_q <= left_q - 1'b1;
          if (!comb) window_first_q <= 1'b0;
          if (mode_q == ModeLadder) begin
            swap_q     <= bit_now != last_bit_q;
            last_bit_q <= bit_now;
          end
          if (left_q == '0) begin
            state_q  <= StIdle;
            second_q <= 1'b0;
            if (comb) begin
              comb_first_q <= 1'b0;
            end else begin
              window_row_q   <= bit_row;
              window_place_q <= bit_place;
            end
          end
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  logic unused;
  assign unused = ^{counts_i, command_i, random_i};
  assign state_o.busy = state_q != StIdle;
  assign state_o.gathering = state_q == StGather && gathered_q != WordBits'(Words);
  assign negative = mode_q != ModeExponent && !digit_q[4];
  assign state_o.negative = negative;
  assign state_o.entry = digit_q[3:0] ^ {4{negative}};
  assign state_o.swap = swap_q;
endmodule
