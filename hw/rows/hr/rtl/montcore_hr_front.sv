// SPDX-License-Identifier: Apache-2.0

/// Front end of `hr`: receives modulus and operands, and feeds products to the row.
///
/// A product may start with the first beat of its operands, if the row is free: block j needs word j
/// of Y j cycles later and X is read more slowly, so that beats without gaps come in time. If a beat
/// is not there when it is needed, the product is restarted. It is committed when its operands are
/// complete and in range and the result memory is free; if that does not happen before its last
/// digit, it is restarted as well. The words of Y go to the row as they come and stay there, so the
/// next operands, good or bad, wait for a committed product's last digit.
/// Precondition: block j of the row works j cycles after block 0.
/// Latency, with cycle 0 that of block 0's first iteration: first beat and first digit of X in cycle
/// -2, begin_o and word 0 of Y in cycle -1, last_o in cycle n - 1, take_o in cycle n, n =
/// ceil((WordBits words + 4) / Radix). The next product's cycle 0 is cycle n at the earliest.
/// Example, Radix = 4, WordBits = 16: x = 0x53 -> digits 3, 5, 0, 0, 0.
module montcore_hr_front #(
    parameter int unsigned Length = 256,
    parameter int unsigned Radix = 4,  // Bits of X consumed per iteration, even.
    parameter int unsigned WordBits = 32,  // Word size w in bits, a power of two, at least 4 Radix.
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic clear_o,  // High while the core clears itself by shifting in zeros.
    /// High while clearing, or while modulus or operands are received, pending or in use.
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    /// Reason for the refusal, ErrNone if accepted; valid with cfg_done_o.
    output montcore_pkg::montcore_error_e cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [WordBits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [WordBits-1:0] y_data_i,
    input logic y_last_i,
    output logic [WordCountBits-1:0] words_o,  // Words of the modulus; 1 after reset or clear.
    output logic m_we_o,  // Write enable of a word of M.
    output logic [WordCountBits-1:0] m_index_o,  // Index of the word of M, valid with m_we_o.
    output logic [WordBits-1:0] m_data_o,  // Word of M, valid with m_we_o.
    /// Row of M's memory to read: row j has word j + 1, the last one word 0.
    output logic [AddrBits-1:0] m_row_o,
    input logic [WordBits-1:0] m_word_i,  // Word in row m_row_o.
    output logic invert_o,  // Pulse: the modulus is loaded, its constants can be computed.
    output logic unit_o,  // Pulse of one cycle, 2 Radix + 2 or more cycles later: compute N.
    input logic unit_done_i,  // Pulse: N is in the row.
    output logic all_o,  // High: all blocks load zeros for Y.
    output logic begin_o,  // High: block 0 starts a product in the next cycle.
    output logic y_first_o,  // High: y_low_o is valid, in the cycle before word 0 of Y.
    output logic [Radix-1:0] y_low_o,  // Lowest bits of Y.
    output logic y_we_o,  // High: y_word_o is a word of Y.
    output logic [WordCountBits-1:0] y_index_o,  // Index of the word, valid with y_we_o.
    output logic [WordBits-1:0] y_word_o,  // Word of Y; zero while y_we_o is low.
    output logic digit_first_o,  // High with the lowest digit of X.
    output logic [Radix-1:0] digit_o,  // Digit of X for block 0 two cycles later.
    output logic last_o,  // High: block 0 is in its last iteration.
    output logic take_o,  // High: block 0 outputs the result in this cycle.
    output logic start_o,  // Pulse: the operands of the present product are complete and in range.
    input logic room_i,  // High: the result memory is free.
    output logic reserve_o,  // Pulse: reserve the result memory for a product.
    output logic error_o,  // Pulse: operands are answered with an error.
    output montcore_pkg::montcore_error_e error_code_o  // Error code, valid with error_o.
);
  // Zeroize sweeps the memories while zeros pass the row, one block after the other, and the output
  // stage.
  localparam int unsigned SweepCycles = 3 * Words + 2 * Radix + 24;
  localparam int unsigned SweepBits = $clog2(SweepCycles);
  logic cfg_we, loaded, run, front_busy, cfg_lane, load_lane, stall;
  logic clear, clear_q, front_clear, setup, filling_q, fill_end, unit_q;
  logic load_we, load_bank, use_bank, available, available_q, out_of_range, reject, release_bank;
  logic [SweepBits-1:0] sweep;
  logic [WordCountBits-1:0] cfg_index, cfg_row, words, words_again, load_index, load_row;
  logic [WordBits-1:0] m_check;
  import montcore_pkg::montcore_error_e;
  montcore_error_e reject_error;
  montcore_front #(
      .Length    (Length),
      .WordBits  (WordBits),
      .Lanes     (1),
      .ClearTicks(SweepCycles)
  ) u_front (
      .tick_i        (1'b1),
      .count_i       (filling_q),
      .clear_o       (front_clear),
      .sweep_o       (sweep),
      .idle_i        (!run && room_i),
      .stall_i       (stall),
      .defer_i       (1'b0),
      .busy_o        (front_busy),
      .cfg_we_o      (cfg_we),
      .cfg_index_o   (cfg_index),
      .cfg_row_o     (cfg_row),
      .cfg_lane_o    (cfg_lane),
      .setup_o       (setup),
      .setup_done_i  (unit_done_i),
      .loaded_o      (loaded),
      .words_o       (words),
      .rows_o        (words_again),
      .m_word_i      (m_check),
      .load_we_o     (load_we),
      .load_bank_o   (load_bank),
      .load_index_o  (load_index),
      .load_row_o    (load_row),
      .load_lane_o   (load_lane),
      .use_bank_o    (use_bank),
      .available_o   (available),
      .out_of_range_o(out_of_range),
      .reject_o      (reject),
      .reject_error_o(reject_error),
      .release_i     (release_bank),
      .*
  );
  // A register equal to the front end's clear, on which the ready outputs depend: it drives the row.
  always_ff @(posedge clk_i) begin
    clear_q <= rst_ni && (zeroize_i || (clear_q && sweep != SweepBits'(SweepCycles - 1)));
  end
  assign clear = clear_q;
  assign clear_o = clear;
  assign words_o = words;

  // Set-up: the blocks above the words in use load zeros for M and Y; then N is computed.
  assign fill_end = sweep == SweepBits'(Words + 2 * Radix + 3);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || clear) begin
      filling_q <= 1'b0;
      unit_q    <= 1'b0;
    end else begin
      filling_q <= filling_q ? !fill_end : setup;
      unit_q    <= filling_q && fill_end;
    end
  end
  assign invert_o = setup;
  assign unit_o   = unit_q;
  logic fill_above;
  assign fill_above = filling_q && sweep >= SweepBits'(words) && sweep < SweepBits'(Words);
  assign m_we_o = cfg_we || fill_above || (clear && sweep < SweepBits'(Words));
  assign m_index_o = (clear || filling_q) ? WordCountBits'(sweep) : cfg_index;
  assign m_data_o = (clear || filling_q) ? '0 : cfg_data_i;
  assign all_o = clear || filling_q;

  // The memory of X; Y is in the row.
  logic [WordCountBits-1:0] x_index, y_due_q;
  logic [WordBits-1:0] x_word;
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_x (
      .clk_i,
      .we_i   ((clear && sweep < SweepBits'(Words)) || load_we),
      .wzero_i(clear),
      .waddr_i(clear ? AddrBits'(sweep) : AddrBits'(load_index)),
      .wdata_i(x_data_i),
      .raddr_i(AddrBits'(x_index)),
      .rdata_o(x_word)
  );
  always_ff @(posedge clk_i) begin
    y_we_o    <= load_we && rst_ni && !clear;
    y_index_o <= load_index;
    y_word_o  <= y_data_i & {WordBits{load_we && !clear}};
  end
  assign y_first_o = load_we && load_index == '0 && !clear;
  assign y_low_o   = y_data_i[Radix-1:0];

  // The word for the range check comes from a register, read one word ahead, and word 0 between two
  // packets.
  logic [WordBits-1:0] m_check_q;
  logic at_first, first_in_q;
  assign at_first = load_index == '0 && !first_in_q;
  assign m_row_o  = at_first ? AddrBits'(Words - 1) : AddrBits'(load_index);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear || m_we_o || load_we) first_in_q <= 1'b0;
    else if (at_first) first_in_q <= 1'b1;
    if (clear) m_check_q <= '0;
    else if (load_we || at_first) m_check_q <= m_word_i;
  end
  assign m_check = m_check_q;

  // Sequence of a product. It starts early, with the first beat and the digit in it, or with the
  // digits of X's memory a cycle after go; run is high with the digits from then on.
  logic
      go,
      early,
      partly,
      again,
      again_q,
      digit_first,
      begin_q,
      abort,
      miss,
      accept,
      commit,
      committed_q,
      told_q,
      free;
  logic last, unused_more, y_run_q, error_go, end_q, last_iteration_q, open;
  montcore_hr_feed #(
      .Radix   (Radix),
      .WordBits(WordBits),
      .Words   (Words)
  ) u_feed (
      .clk_i,
      .rst_ni,
      .clear_i (clear),
      .words_i (words),
      .beats_i (words),
      .go_i    (go),
      .direct_i(early),
      .data_i  (x_data_i),
      .word_i  (x_word),
      .run_o   (run),
      .index_o (x_index),
      .more_o  (unused_more),
      .stop_i  (abort),
      .last_o  (last),
      .digit_o
  );

  assign open = run && !committed_q;
  assign accept = available_q && !out_of_range;
  assign miss = !available_q && y_run_q && y_due_q >= load_index;
  assign abort = open && (miss || reject || (available_q && out_of_range));
  assign free = (!run || last) && !abort && !clear;
  assign commit = open && accept && room_i && !last;
  assign early = !run && !clear && loaded && load_we && load_index == '0 && load_bank == use_bank;
  assign partly = free && load_bank == use_bank && load_index != '0 && !available_q;
  assign again = free && accept;
  assign go = early || partly || again;
  assign digit_first = early || again_q;
  assign start_o = run && accept && !told_q && !clear;
  assign reserve_o = commit && !clear;
  assign error_go = !run && room_i && !clear && (reject || (available_q && out_of_range));
  assign error_o = error_go;
  always_comb begin
    error_code_o = montcore_pkg::ErrOperandRange;
    if (reject) error_code_o = reject_error;
  end
  assign release_bank = commit || error_go;
  // One packet at a time, also while a bad one waits for its answer. Y is in use until the last
  // iteration: each block has ended its own when the word of the next operand is there.
  assign stall = available_q || reject || at_first || (run && committed_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      again_q          <= 1'b0;
      begin_q          <= clear;
      available_q      <= 1'b0;
      committed_q      <= 1'b0;
      told_q           <= 1'b0;
      end_q            <= 1'b0;
      last_iteration_q <= 1'b0;
      take_o           <= 1'b0;
      y_run_q          <= 1'b0;
      y_due_q          <= '0;
    end else begin
      available_q      <= available && !release_bank;
      again_q          <= partly || again;
      begin_q          <= digit_first || filling_q;
      told_q           <= (told_q || start_o) && !release_bank;
      committed_q      <= !go && (committed_q || commit);
      end_q            <= run && last && committed_q;
      last_iteration_q <= end_q;
      take_o           <= last_iteration_q;
      if (abort || (run && last)) begin
        y_run_q <= 1'b0;
        y_due_q <= '0;
      end else if (digit_first) begin
        y_run_q <= 1'b1;
        y_due_q <= '0;
      end else if (y_run_q) begin
        y_run_q <= y_due_q != words - 1;
        y_due_q <= (y_due_q != words - 1) ? y_due_q + 1 : '0;
      end
    end
  end

  assign begin_o = begin_q;
  assign digit_first_o = digit_first;
  assign last_o = last_iteration_q;
  assign busy_o = front_busy || filling_q || run;
  logic unused;
  assign unused = ^{front_clear, cfg_row, cfg_lane, words_again, load_row, load_lane, x_index};
endmodule
