// SPDX-License-Identifier: Apache-2.0

/// The row of `mx` as the exponentiator's multiplier: results are fed back as they leave it, as two
/// vectors. It has the ports of `montcore_modexp_multiplier`, as the lazy unit of every core has.
///
/// z = x * y * R^-1 mod m, below 2 m, R = 2^(k + 2), k = WordBits * beats of the modulus; with
/// canonical_i below m
/// A beat of x, y and z is {top, carry, sum}: the number is the sum over all beats j of (sum + carry)
/// 2^(WordBits j), and top, which only the last beat may have, weighs 2^k. A number below m is its own
/// sum without carry and top; with canonical_i z is one.
/// Results are not converted between products: x is added bit by bit, as the row reads it, and
/// y word by word, each in the cycle before its block loads it, so that neither costs time.
/// Precondition: m odd and below 2^length; x, y results of this module or below m; operand beats
/// have no gaps; z is always accepted.
/// Latency: 2 (k + 2) + 4 cycles from the first operand beat to the first beat of z, in which the next
/// product may start; with canonical_i words + 1 more, and the next one after the last beat of z.
/// Source: mmm-mx-2006, Algorithm 3 and sections 1 and 7.
/// Example, Length = 8, WordBits = 8, m = 0x8b: x = 0x53, y = 0x2a -> sum + carry = 0x34 or 0xbf.
module montcore_modexp_mx #(
    parameter int unsigned Length = 256,  // Built width L in bits, 2 or more.
    parameter int unsigned WordBits = 32,  // Word size w in bits, a power of two.
    parameter int unsigned BeatBits = 4,  // Width of a beat count in bits.
    parameter int unsigned LengthBits = 13,  // Width of a length in bits.
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    localparam int unsigned PairBits = 2 * WordBits + 1  // Width of a beat of operands and results.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,  // High while a product, a modulus or a clear is in progress.
    input logic [LengthBits-1:0] length_i,  // Length of the modulus in bits.
    output logic [BeatBits-1:0] beats_o,  // Beats of an operand.
    output logic [LengthBits-1:0] radix_o,  // log2 of the radix of a product.
    /// e, for which 2^e times that radix is the square of the radix.
    output logic [LengthBits-1:0] power_o,
    /// Beat with the factor with which a canonical product leaves the domain: 0.
    output logic [BeatBits-1:0] leave_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,  // Pulse: the modulus is loaded.
    input logic xy_valid_i,  // Operand streams: valid, x and y together.
    output logic xy_ready_o,  // Operand streams: ready, x and y together.
    input logic [PairBits-1:0] x_data_i,
    input logic [PairBits-1:0] y_data_i,
    input logic xy_last_i,  // Operand streams: last beat.
    input logic canonical_i,  // High: the product is canonical; sampled with the first beat.
    output logic z_valid_o,
    input logic z_ready_i,  // Z stream: ready; ignored, z is always accepted.
    output logic [PairBits-1:0] z_data_o,
    output logic z_error_o  // Always low: no product is refused.
);
  localparam int unsigned WordCountBits = $clog2(Words + 1);
  localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1;
  localparam int unsigned BitBits = $clog2(WordBits);

  logic [LengthBits-1:0] words_long;
  logic [WordCountBits-1:0] words;
  assign words_long = (length_i + LengthBits'(WordBits - 1)) >> BitBits;
  assign words = WordCountBits'(words_long);
  assign beats_o = BeatBits'(words_long);
  assign radix_o = (words_long << BitBits) + LengthBits'(2'd2);
  assign power_o = radix_o;
  assign leave_o = '0;

  // ---- modulus, and zeros for the whole row ----------------------------------------------------
  // As in montcore_row_shell: a zeroize lasts until zeros have passed row and output stage. After a
  // modulus the blocks above its words load zeros.
  localparam int unsigned SweepCycles = 3 * Words + 12;
  localparam int unsigned SweepBits = $clog2(SweepCycles);
  logic clear, fill_q, fill_end, cfg_we, m_we_q, loading_q, awaited_q, open_q;
  logic [SweepBits-1:0] sweep;
  logic [WordCountBits-1:0] m_count_q, m_index_q;
  logic [WordBits-1:0] m_data_q;
  montcore_sweep #(
      .Ticks(SweepCycles)
  ) u_sweep (
      .clk_i,
      .rst_ni,
      .tick_i (1'b1),
      .zeroize_i,
      .count_i(fill_q),
      .clear_o(clear),
      .index_o(sweep)
  );
  assign fill_end = sweep == SweepBits'(Words + 3);
  assign cfg_ready_o = !clear && !fill_q && !awaited_q;
  assign cfg_we = cfg_valid_i && cfg_ready_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || clear) begin
      fill_q     <= 1'b0;
      loading_q  <= 1'b0;
      m_count_q  <= '0;
      cfg_done_o <= 1'b0;
    end else begin
      fill_q     <= fill_q ? !fill_end : cfg_we && cfg_last_i;
      cfg_done_o <= fill_q && fill_end;
      if (cfg_we) begin
        loading_q <= !cfg_last_i;
        m_count_q <= cfg_last_i ? '0 : m_count_q + 1;
      end
    end
    // One cycle late, since it goes to all blocks.
    m_we_q <= cfg_we || (clear && sweep < SweepBits'(Words)) ||
              (fill_q && sweep >= SweepBits'(words) && sweep < SweepBits'(Words));
    m_index_q <= (clear || fill_q) ? WordCountBits'(sweep) : m_count_q;
    m_data_q <= (clear || fill_q) ? '0 : cfg_data_i;
  end

  // ---- operands ------------------------------------------------------------------------------------
  logic xy_we, start, start_q, canonical_q, z_first, back_last;
  logic [WordBits-1:0] x_sum, x_carry, y_sum, y_carry;
  logic x_top, y_top;
  assign {x_top, x_carry, x_sum} = x_data_i;
  assign {y_top, y_carry, y_sum} = y_data_i & {PairBits{xy_we}};
  assign xy_ready_o = !clear && !fill_q && !loading_q && (open_q || !awaited_q || z_first);
  assign xy_we = xy_valid_i && xy_ready_o;
  assign start = xy_we && !open_q;

  // Word j of y, one cycle after its beat, when block j loads it; the head loads the carry of the
  // last one, which is never high together with top.
  logic [WordBits-1:0] y_word_q;
  logic [WordBits:0] y_total;
  logic y_carry_q;
  assign y_total = {1'b0, y_sum} + {1'b0, y_carry} + {{WordBits{1'b0}}, y_carry_q};
  always_ff @(posedge clk_i) begin
    y_word_q  <= y_total[WordBits-1:0] & {WordBits{!clear}};
    y_carry_q <= (y_total[WordBits] || (y_top && xy_last_i)) && rst_ni && !clear;
  end

  // Words of x are buffered in a memory. Of the one in use a bit is added every second cycle.
  logic [WordCountBits-1:0] x_count_q, word_q, next_word;
  logic [BitBits-1:0] bit_q;
  logic [WordBits-1:0] sum_q, carry_q;
  logic [2*WordBits-1:0] x_word, above;
  logic run_q, phase_q, x_top_q, add_q, tail, last_bit, last_step, end_q, take_q, digit;
  montcore_ram #(
      .Rows (Words),
      .Width(2 * WordBits)
  ) u_x (
      .clk_i,
      .we_i   (xy_we || (clear && sweep < SweepBits'(Words))),
      .wzero_i(clear),
      .waddr_i(clear ? AddrBits'(sweep) : AddrBits'(x_count_q)),
      .wdata_i({x_carry, x_sum}),
      .raddr_i(AddrBits'(next_word)),
      .rdata_o(x_word)
  );
  assign next_word = word_q + 1;
  assign tail = word_q == words;
  assign last_bit = bit_q == (tail ? BitBits'(1'b1) : BitBits'(WordBits - 1));
  assign last_step = run_q && tail && last_bit && phase_q;
  // Above the words there is only the top bit, and the carry into it.
  assign above = (next_word < words) ? x_word : (2 * WordBits)'(x_top_q && !tail);
  assign digit = sum_q[0] ^ carry_q[0] ^ add_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      open_q      <= 1'b0;
      x_count_q   <= '0;
      awaited_q   <= 1'b0;
      canonical_q <= 1'b0;
      start_q     <= 1'b0;
      run_q       <= 1'b0;
      phase_q     <= 1'b0;
      bit_q       <= '0;
      word_q      <= '0;
      end_q       <= 1'b0;
      take_q      <= 1'b0;
    end else begin
      if (xy_we) begin
        open_q    <= !xy_last_i;
        x_count_q <= xy_last_i ? '0 : x_count_q + 1;
      end
      if (start) begin
        awaited_q   <= 1'b1;
        canonical_q <= canonical_i;
      end else if (z_first || back_last) begin
        awaited_q <= 1'b0;
      end
      start_q <= start;
      end_q   <= last_step;
      take_q  <= end_q;
      if (start) run_q <= 1'b1;
      else if (last_step) run_q <= 1'b0;
      if (run_q) begin
        phase_q <= !phase_q;
        if (phase_q) begin
          bit_q <= last_bit ? '0 : bit_q + 1;
          if (last_bit) word_q <= tail ? '0 : next_word;
        end
      end
    end
    if (clear) begin
      sum_q   <= '0;
      carry_q <= '0;
      add_q   <= 1'b0;
      x_top_q <= 1'b0;
    end else begin
      if (xy_we && xy_last_i) x_top_q <= x_top;
      if (start) begin
        {carry_q, sum_q} <= {x_carry, x_sum};
        add_q            <= 1'b0;
      end else if (phase_q) begin
        if (last_bit) {carry_q, sum_q} <= above;
        else {carry_q, sum_q} <= {carry_q >> 1, sum_q >> 1};
        add_q <= (sum_q[0] && carry_q[0]) || (add_q && (sum_q[0] || carry_q[0]));
      end
    end
  end

  // ---- the row -------------------------------------------------------------------------------------
  logic first;
  logic [WordBits-1:0] word_a, word_b;
  montcore_mx_row #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_row (
      .clk_i,
      .rst_ni,
      .clear_i  (clear),
      .words_i  (words),
      .m_we_i   (m_we_q),
      .m_index_i(m_index_q),
      .m_data_i (m_data_q),
      .all_i    (clear || fill_q),
      .begin_i  (start_q || clear || fill_q),
      .y_word_i (y_word_q),
      .digit_i  (run_q && digit),
      .phase_i  (phase_q),
      .take_i   (take_q),
      .first_o  (first),
      .a_o      (word_a),
      .b_o      (word_b)
  );

  // ---- results: as two vectors, or through the port's output stage
  // --------------------------------- A word waits one cycle, until the part above the last one is
  // known: at most one bit.
  logic [WordBits-1:0] z_a_q, z_b_q, back_data, back_word;
  logic [WordCountBits-1:0] z_count_q;
  logic z_valid_q, z_last, back_valid, back_end, back_room, back_done, back_error, unused;
  assign z_first = z_valid_q && z_count_q == '0;
  assign z_last  = z_count_q == words - 1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      z_valid_q <= 1'b0;
      z_count_q <= '0;
    end else begin
      z_valid_q <= (first && !canonical_q) || (z_valid_q && !z_last);
      if (z_valid_q) z_count_q <= z_last ? '0 : z_count_q + 1;
    end
    z_a_q <= word_a & {WordBits{!clear}};
    z_b_q <= word_b & {WordBits{!clear}};
  end
  montcore_row_back #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_back (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .clear_i     (clear),
      .words_i     (words),
      .m_we_i      (m_we_q),
      .m_index_i   (m_index_q),
      .m_data_i    (m_data_q),
      .reserve_i   (1'b0),
      .room_o      (back_room),
      .first_i     (first && canonical_q),
      .a_i         (word_a),
      .b_i         (word_b),
      .error_i     (1'b0),
      .error_code_i(montcore_pkg::ErrNone),
      .done_o      (back_done),
      .z_valid_o   (back_valid),
      .z_ready_i   (1'b1),
      .z_data_o    (back_data),
      .z_last_o    (back_end),
      .z_error_o   (back_error)
  );
  assign back_last = back_valid && back_end;
  assign back_word = back_data & {WordBits{back_valid}};
  assign z_valid_o = (z_valid_q && !clear) || back_valid;
  assign z_data_o = z_valid_q ? {z_last && (word_a[0] || word_b[0]), z_b_q, z_a_q} :
      PairBits'(back_word);
  assign z_error_o = 1'b0;
  assign busy_o = clear || fill_q || loading_q || awaited_q || z_valid_q;
  assign unused = ^{z_ready_i, back_room, back_done, back_error};
endmodule
