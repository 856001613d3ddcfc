// SPDX-License-Identifier: Apache-2.0

/// `hr` as the exponentiator's multiplier: lazy products, whose words are fed back as they are
/// output. It has the ports of `montcore_modexp_multiplier`, as the lazy unit of every core has.
///
/// z = x * y * 2^(-Radix n) mod m, n = ceil((WordBits ceil(length / WordBits) + 4) / Radix), below
/// 49/24 m; below 2 m if x or y is below m. canonical_i changes nothing.
/// Precondition: m odd and below 2^length; x, y results of this module or below m; operand beats
/// have no gaps; z is always accepted; the modulus is loaded only while idle.
/// Latency: n + 7 cycles from the first beats of x and y to the first beat of z, which may be the first
/// beat of the next product in the same cycle. A product that does not depend on it can start n
/// cycles after the previous one.
/// Source: the row and the final division of `montcore_hr`; why the sign is not needed:
/// src/montcore/model/row_high.py.
/// Example, length 1024, Radix = 8, WordBits = 32: 33 beats; a chain takes 136 cycles a product.
module montcore_modexp_hr #(
    parameter int unsigned Length     = 256,  // Built width L in bits, 2 or more.
    parameter int unsigned Radix      = 8,    // Bits per cycle: 2, 4, 6 or 8.
    /// Word size w in bits, a power of two, 16 or more and 4 Radix or more.
    parameter int unsigned WordBits   = 32,
    parameter int unsigned BeatBits   = 4,    // Width of a beat count in bits.
    /// Width of a length in bits; Length + WordBits + 1 fits.
    parameter int unsigned LengthBits = 13
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,  // High while a product, a modulus or a clear is in progress.
    input logic [LengthBits-1:0] length_i,  // Length of the modulus in bits.
    output logic [BeatBits-1:0] beats_o,  // Beats of an operand, one cycle after length_i.
    /// log2 of the radix of a product, one cycle after length_i.
    output logic [LengthBits-1:0] radix_o,
    /// e, for which 2^e times that radix is the square of the radix.
    output logic [LengthBits-1:0] power_o,
    /// Beat whose lowest bit is 1 in the factor with which a product leaves the domain.
    output logic [BeatBits-1:0] leave_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,  // Pulse: the constants of the modulus are ready.
    input logic xy_valid_i,  // Operand streams: valid, x and y together.
    output logic xy_ready_o,  // Operand streams: ready, x and y together.
    input logic [WordBits-1:0] x_data_i,
    input logic [WordBits-1:0] y_data_i,
    input logic xy_last_i,  // Operand streams: last beat.
    /// High: the product is to be below 2 m, which it is if an operand is below m.
    input logic canonical_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_error_o  // Always low: no product is refused.
);
  // Operands have two bits more than the modulus; the row has a block for each of their words.
  localparam int unsigned ExtraBits = 2;
  localparam int unsigned Margin = 4;
  localparam int unsigned WordShift = $clog2(WordBits);
  localparam int unsigned Words = (Length + ExtraBits + WordBits - 1) / WordBits;
  localparam int unsigned CountBits = $clog2(Words + 1);
  localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1;
  localparam int unsigned SweepCycles = 3 * Words + 2 * Radix + 24;
  localparam int unsigned SweepBits = $clog2(SweepCycles);

  // Words of the modulus and of operands, and log2 of the radix.
  logic [CountBits-1:0] words_q, beats_q;
  logic [LengthBits-1:0] radix;
  always_ff @(posedge clk_i) begin
    words_q <= CountBits'((length_i + LengthBits'(WordBits - 1)) >> WordShift);
    beats_q <= CountBits'((length_i + LengthBits'(WordBits + ExtraBits - 1)) >> WordShift);
  end
  always_comb begin
    radix = '0;
    for (int unsigned j = 1; j <= Words; j++) begin
      if (words_q == CountBits'(j)) begin
        radix |= LengthBits'(Radix * ((WordBits * j + Margin + Radix - 1) / Radix));
      end
    end
  end
  assign beats_o = BeatBits'(beats_q);
  assign radix_o = radix;
  assign power_o = radix;
  assign leave_o = '0;

  // Zeroize and set-up count rows; during set-up the blocks above the words in use load zeros,
  // while -1 / M is computed, and then N is computed.
  logic clear, loading_q, filling_q, unit_q, making_q, fill_end, fill_above, at_rest;
  logic cfg_we, cfg_end, unit_done, run, open_q, end_q, last_iteration_q, take_q, divide_busy;
  logic [SweepBits-1:0] sweep;
  logic [CountBits-1:0] m_count_q;
  montcore_sweep #(
      .Ticks(SweepCycles)
  ) u_sweep (
      .clk_i,
      .rst_ni,
      .tick_i (1'b1),
      .zeroize_i,
      .count_i(filling_q),
      .clear_o(clear),
      .index_o(sweep)
  );
  assign at_rest = !run && !open_q && !end_q && !last_iteration_q && !divide_busy;
  assign cfg_ready_o = !clear && !filling_q && !unit_q && !making_q && (loading_q || at_rest);
  assign cfg_we = cfg_valid_i && cfg_ready_o;
  assign cfg_end = cfg_we && cfg_last_i;
  assign fill_end = sweep == SweepBits'(Words + 2 * Radix + 3);
  assign fill_above = filling_q && sweep >= SweepBits'(beats_q) && sweep < SweepBits'(Words);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || clear) begin
      loading_q  <= 1'b0;
      filling_q  <= 1'b0;
      unit_q     <= 1'b0;
      making_q   <= 1'b0;
      m_count_q  <= '0;
      cfg_done_o <= 1'b0;
    end else begin
      if (cfg_we) begin
        loading_q <= !cfg_last_i;
        m_count_q <= cfg_last_i ? '0 : m_count_q + 1;
      end
      filling_q  <= filling_q ? !fill_end : cfg_end;
      unit_q     <= filling_q && fill_end;
      making_q   <= unit_q || (making_q && !unit_done);
      cfg_done_o <= unit_done;
    end
  end
  logic m_we;
  logic [CountBits-1:0] m_index;
  assign m_we = cfg_we || fill_above || (clear && sweep < SweepBits'(Words));
  assign m_index = (clear || filling_q) ? CountBits'(sweep) : m_count_q;

  // A product starts with its first beat; the next one may start after the last digit of X.
  logic xy_we, go, last;
  logic [CountBits-1:0] x_count_q, x_index;
  logic [Radix-1:0] digit;
  logic [WordBits-1:0] x_word;
  assign xy_ready_o = !clear && !loading_q && !filling_q && !unit_q && !making_q &&
                      (open_q || !run);
  assign xy_we = xy_valid_i && xy_ready_o;
  assign go = xy_we && !open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || clear) begin
      open_q    <= 1'b0;
      x_count_q <= '0;
    end else if (xy_we) begin
      open_q    <= !xy_last_i;
      x_count_q <= xy_last_i ? '0 : x_count_q + 1;
    end
  end
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_x (
      .clk_i,
      .we_i   (xy_we || (clear && sweep < SweepBits'(Words))),
      .wzero_i(clear),
      .waddr_i(clear ? AddrBits'(sweep) : AddrBits'(x_count_q)),
      .wdata_i(x_data_i),
      .raddr_i(AddrBits'(x_index)),
      .rdata_o(x_word)
  );
  logic unused_more;
  montcore_hr_feed #(
      .Radix   (Radix),
      .WordBits(WordBits),
      .Words   (Words)
  ) u_feed (
      .clk_i,
      .rst_ni,
      .clear_i (clear),
      .words_i (words_q),
      .beats_i (beats_q),
      .go_i    (go),
      .direct_i(go),
      .data_i  (x_data_i),
      .word_i  (x_word),
      .run_o   (run),
      .index_o (x_index),
      .more_o  (unused_more),
      .stop_i  (1'b0),
      .last_o  (last),
      .digit_o (digit)
  );

  // Block j loads word j of Y a cycle after its beat; block 0 starts in the cycle after that.
  logic begin_q, y_we_q;
  logic [CountBits-1:0] y_index_q;
  logic [ WordBits-1:0] y_word_q;
  always_ff @(posedge clk_i) begin
    begin_q          <= clear || (rst_ni && (go || filling_q));
    end_q            <= run && last && rst_ni && !clear;
    last_iteration_q <= end_q && rst_ni && !clear;
    take_q           <= last_iteration_q && rst_ni && !clear;
    y_we_q           <= xy_we && rst_ni && !clear;
    y_index_q        <= x_count_q;
    y_word_q         <= y_data_i & {WordBits{xy_we && !clear}};
  end

  logic n_first, n_sign, up;
  logic [WordBits-1:0] n_data, word_a, word_b;
  logic [Radix-1:0] low;
  logic [Radix/2-1:0][2:0] q;
  montcore_hr_row #(
      .Radix   (Radix),
      .WordBits(WordBits),
      .Words   (Words)
  ) u_row (
      .clk_i,
      .rst_ni,
      .clear_i      (clear),
      .words_i      (words_q),
      .n_first_i    (n_first),
      .n_data_i     (n_data),
      .n_sign_i     (n_sign),
      .all_i        (clear || filling_q),
      .digit_first_i(go),
      .digit_i      (digit),
      .begin_i      (begin_q),
      .y_first_i    (go),
      .y_low_i      (y_data_i[Radix-1:0]),
      .y_we_i       (y_we_q),
      .y_index_i    (y_index_q),
      .y_word_i     (y_word_q),
      .last_i       (last_iteration_q),
      .take_i       (take_q),
      .low_o        (low),
      .q_o          (q),
      .up_o         (up),
      .a_o          (word_a),
      .b_o          (word_b)
  );

  logic unused_last, unused_sign, z_valid;
  logic [AddrBits-1:0] unused_index;
  logic [WordBits-1:0] unused_word, unused_m;
  montcore_hr_divide #(
      .Radix   (Radix),
      .WordBits(WordBits),
      .Words   (Words),
      .Offset  (1'b1)
  ) u_divide (
      .clk_i,
      .rst_ni,
      .clear_i    (clear),
      .words_i    (words_q),
      .count_i    (beats_q),
      .m_we_i     (m_we),
      .m_index_i  (m_index),
      .m_data_i   (cfg_data_i & {WordBits{cfg_we}}),
      .invert_i   (filling_q && sweep == '0),
      .m_row_i    (AddrBits'(1'b0)),
      .m_word_o   (unused_word),
      .unit_i     (unit_q),
      .unit_done_o(unit_done),
      .n_first_o  (n_first),
      .n_data_o   (n_data),
      .n_sign_o   (n_sign),
      .last_i     (last_iteration_q),
      .low_i      (low),
      .q_i        (q),
      .up_i       (up),
      .a_i        (word_a),
      .b_i        (word_b),
      .s_valid_o  (z_valid),
      .s_last_o   (unused_last),
      .s_index_o  (unused_index),
      .s_o        (z_data_o),
      .s_sign_o   (unused_sign),
      .m_o        (unused_m),
      .m_next_i   (1'b0),
      .busy_o     (divide_busy)
  );
  assign z_valid_o = z_valid && !clear;
  assign z_error_o = 1'b0;
  assign busy_o = clear || loading_q || filling_q || unit_q || making_q || !at_rest;
  logic unused;
  assign unused = ^{canonical_i, z_ready_i};
endmodule
