// SPDX-License-Identifier: Apache-2.0

/// Front end of `hr`: takes modulus and operands, and feeds the row with products.
///
/// A product may begin with the first beat of its operands, if the row is free: the row takes a word of
/// Y each cycle and X more slowly, so that it is never ahead of beats without gaps. If a beat is not
/// there when it is needed, the product is begun again. It is committed
/// when its operands are complete and in range and the result memory is free; if that does not come
/// before its last digit, it is run again as well. From then on the rows of X and Y that it
/// has read take the next operands: there is one memory row for each word.
/// Precondition: the row's block j works j cycles behind block 0.
/// Latency, with cycle 0 that of block 0's first iteration: first beat in cycle -3; digits of X from
/// cycle -2 on, begin_o and word 0 of Y in cycle -1, last_o in cycle n - 1, take_o in cycle n, n =
/// ceil((WordBits words + 4) / Radix). The next product's cycle 0 is at the earliest cycle n.
/// Example, Radix = 4, WordBits = 16: x = 0x53 -> digits 3, 5, 0, 0, 0.
module montcore_hr_front #(
    /// Built width L in bits.
    parameter int unsigned Length = 256,
    /// Bits of X that an iteration consumes, even.
    parameter int unsigned Radix = 4,
    /// Word size w in bits, a power of two, at least 4 Radix.
    parameter int unsigned WordBits = 32,
    /// Words built (do not change).
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    /// Bits of a word count (do not change).
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    /// Bits of a row number (do not change).
    localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1
) (
    /// Clock, rising edge.
    input  logic                                              clk_i,
    /// Synchronous reset, active low.
    input  logic                                              rst_ni,
    /// Pulse: clear everything.
    input  logic                                              zeroize_i,
    /// High while zeros run through everything.
    output logic                                              clear_o,
    /// A modulus is in or coming in, or operands are.
    output logic                                              busy_o,
    /// Modulus stream: a beat is offered, until it is taken.
    input  logic                                              cfg_valid_i,
    /// Modulus stream: the beat is taken at this edge if it is valid.
    output logic                                              cfg_ready_o,
    /// Modulus stream: data.
    input  logic                          [     WordBits-1:0] cfg_data_i,
    /// Modulus stream: last beat.
    input  logic                                              cfg_last_i,
    /// Pulse of one cycle: the modulus was accepted or refused.
    output logic                                              cfg_done_o,
    /// Why it was refused.
    output montcore_pkg::montcore_error_e                     cfg_error_o,
    /// X stream: a beat is offered, until it is taken.
    input  logic                                              x_valid_i,
    /// X stream: the beat is taken at this edge if it is valid.
    output logic                                              x_ready_o,
    /// X stream: data.
    input  logic                          [     WordBits-1:0] x_data_i,
    /// X stream: last beat.
    input  logic                                              x_last_i,
    /// Y stream: a beat is offered, until it is taken.
    input  logic                                              y_valid_i,
    /// Y stream: the beat is taken at this edge if it is valid.
    output logic                                              y_ready_o,
    /// Y stream: data.
    input  logic                          [     WordBits-1:0] y_data_i,
    /// Y stream: last beat.
    input  logic                                              y_last_i,
    /// Words of the modulus.
    output logic                          [WordCountBits-1:0] words_o,
    /// Write a word of M.
    output logic                                              m_we_o,
    /// Its number.
    output logic                          [WordCountBits-1:0] m_index_o,
    /// The word.
    output logic                          [     WordBits-1:0] m_data_o,
    /// Row of the memory of M: row j has word j + 1, the last one word 0.
    output logic                          [     AddrBits-1:0] m_row_o,
    /// The word in it, if m_reading_i is low.
    input  logic                          [     WordBits-1:0] m_word_i,
    /// High: the output stage reads the memory.
    input  logic                                              m_reading_i,
    /// Pulse of one cycle: the modulus is in, and its constants may be made.
    output logic                                              invert_o,
    /// Pulse of one cycle, 2 Radix + 2 cycles later at the earliest: make N.
    output logic                                              unit_o,
    /// Pulse of one cycle: N is in the row.
    input  logic                                              unit_done_i,
    /// Blocks above the words in use take Y (zeros) as well.
    output logic                                              all_o,
    /// The next cycle is block 0's first of a product; block 0 takes its word of Y now.
    output logic                                              begin_o,
    /// Word of Y for the block that begins in the next cycle.
    output logic                          [     WordBits-1:0] y_word_o,
    /// The lowest digit of X is shown.
    output logic                                              digit_first_o,
    /// Digit of X for block 0 two cycles later.
    output logic                          [        Radix-1:0] digit_o,
    /// Block 0 is in its last iteration.
    output logic                                              last_o,
    /// Block 0 shows the result in this cycle.
    output logic                                              take_o,
    /// The operands of a product under way are complete and in range (pulse).
    output logic                                              start_o,
    /// The result memory is free.
    input  logic                                              room_i,
    /// A product will fill it.
    output logic                                              reserve_o,
    /// Operands are answered with an error.
    output logic                                              error_o,
    /// Which error.
    output montcore_pkg::montcore_error_e                     error_code_o
);
  // Zeroize sweeps the memories while zeros go through the row, whose blocks take them one after
  // the other, and through the output stage.
  localparam int unsigned SweepCycles = 3 * Words + 2 * Radix + 24;
  localparam int unsigned SweepBits = $clog2(SweepCycles);
  logic cfg_we, loaded, run, front_busy, cfg_lane, load_lane, stall;
  logic clear, setup, filling_q, fill_end, unit_q;
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
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .tick_i        (1'b1),
      .zeroize_i     (zeroize_i),
      .count_i       (filling_q),
      .clear_o       (clear),
      .sweep_o       (sweep),
      .idle_i        (!run && room_i),
      .stall_i       (stall),
      .defer_i       (1'b0),
      .busy_o        (front_busy),
      .cfg_valid_i   (cfg_valid_i),
      .cfg_ready_o   (cfg_ready_o),
      .cfg_data_i    (cfg_data_i),
      .cfg_last_i    (cfg_last_i),
      .cfg_done_o    (cfg_done_o),
      .cfg_error_o   (cfg_error_o),
      .cfg_we_o      (cfg_we),
      .cfg_index_o   (cfg_index),
      .cfg_row_o     (cfg_row),
      .cfg_lane_o    (cfg_lane),
      .setup_o       (setup),
      .setup_done_i  (unit_done_i),
      .loaded_o      (loaded),
      .words_o       (words),
      .rows_o        (words_again),
      .x_valid_i     (x_valid_i),
      .x_ready_o     (x_ready_o),
      .x_data_i      (x_data_i),
      .x_last_i      (x_last_i),
      .y_valid_i     (y_valid_i),
      .y_ready_o     (y_ready_o),
      .y_data_i      (y_data_i),
      .y_last_i      (y_last_i),
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
      .release_i     (release_bank)
  );
  assign clear_o  = clear;
  assign words_o  = words;

  // Set-up: the blocks above the words in use take zeros for M and Y; then N is made.
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

  // Operand memories.
  logic operand_we;
  logic [AddrBits-1:0] operand_addr;
  logic [WordCountBits-1:0] x_index, y_index_q;
  logic [WordBits-1:0] x_word, y_word;
  assign operand_we   = (clear && sweep < SweepBits'(Words)) || load_we;
  assign operand_addr = clear ? AddrBits'(sweep) : AddrBits'(load_index);
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_x (
      .clk_i  (clk_i),
      .we_i   (operand_we),
      .wzero_i(clear),
      .waddr_i(operand_addr),
      .wdata_i(x_data_i),
      .raddr_i(AddrBits'(x_index)),
      .rdata_o(x_word)
  );
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_y (
      .clk_i  (clk_i),
      .we_i   (operand_we),
      .wzero_i(clear),
      .waddr_i(operand_addr),
      .wdata_i(y_data_i),
      .raddr_i(AddrBits'(y_index_q)),
      .rdata_o(y_word)
  );
  // The word that the operands are compared with comes from a register: the next one is read ahead,
  // and word 0 between two packets. The output stage has the memory, and uses it first.
  logic [WordBits-1:0] m_check_q;
  logic at_first, first_in_q;
  assign at_first = load_index == '0 && !first_in_q;
  assign m_row_o  = at_first ? AddrBits'(Words - 1) : AddrBits'(load_index);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear || m_we_o || load_we) first_in_q <= 1'b0;
    else if (at_first && !m_reading_i) first_in_q <= 1'b1;
    if (clear) m_check_q <= '0;
    else if (load_we || at_first) m_check_q <= m_word_i;
  end
  assign m_check = m_check_q;

  // The sequence of a product. run is high while digits are shown.
  logic
      go,
      early,
      partly,
      again,
      go_q,
      begin_q,
      abort,
      miss,
      accept,
      commit,
      committed_q,
      told_q,
      free;
  logic last, x_more, y_run_q, error_go, end_q, last_iteration_q, open;
  montcore_hr_feed #(
      .Radix   (Radix),
      .WordBits(WordBits),
      .Words   (Words)
  ) u_feed (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .clear_i (clear),
      .words_i (words),
      .beats_i (words),
      .go_i    (go),
      .direct_i(early),
      .data_i  (x_data_i),
      .word_i  (x_word),
      .run_o   (run),
      .index_o (x_index),
      .more_o  (x_more),
      .stop_i  (abort),
      .last_o  (last),
      .digit_o (digit_o)
  );

  assign open = run && !committed_q;
  assign accept = available_q && !out_of_range;
  assign miss = !available_q && y_run_q && y_index_q >= load_index;
  assign abort = open && (miss || reject || (available_q && out_of_range));
  assign free = (!run || last) && !abort && !clear;
  assign commit = open && accept && room_i && !last;
  assign early = free && loaded && load_we && load_index == '0 && load_bank == use_bank;
  assign partly = free && load_bank == use_bank && load_index != '0 && !available_q;
  assign again = free && accept;
  assign go = early || partly || again;
  assign start_o = run && accept && !told_q && !clear;
  assign reserve_o = commit && !clear;
  assign error_go = !run && room_i && !clear && (reject || (available_q && out_of_range));
  assign error_o = error_go;
  assign error_code_o = reject ? reject_error : montcore_pkg::ErrOperandRange;
  assign release_bank = commit || error_go;
  // One packet at a time, also while a wrong one waits for its answer: the memories have one bank.
  // A row of X is free when the committed product has read it; that of Y is by then.
  assign stall = available_q || reject || at_first || m_reading_i ||
                 (run && x_more && committed_q && load_index >= x_index);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      go_q             <= 1'b0;
      begin_q          <= clear;
      available_q      <= 1'b0;
      committed_q      <= 1'b0;
      told_q           <= 1'b0;
      end_q            <= 1'b0;
      last_iteration_q <= 1'b0;
      take_o           <= 1'b0;
      y_run_q          <= 1'b0;
      y_index_q        <= '0;
    end else begin
      available_q      <= available && !release_bank;
      go_q             <= go;
      begin_q          <= go_q || filling_q;
      told_q           <= (told_q || start_o) && !release_bank;
      committed_q      <= !go && (committed_q || commit);
      end_q            <= run && last && committed_q;
      last_iteration_q <= end_q;
      take_o           <= last_iteration_q;
      if (go) begin
        y_run_q   <= 1'b1;
        y_index_q <= '0;
      end else if (abort || (run && last)) begin
        y_run_q   <= 1'b0;
        y_index_q <= '0;
      end else if (y_run_q) begin
        y_run_q   <= y_index_q != words - 1;
        y_index_q <= (y_index_q != words - 1) ? y_index_q + 1 : '0;
      end
    end
  end

  always_ff @(posedge clk_i) y_word_o <= (y_run_q && !clear) ? y_word : '0;
  assign begin_o = begin_q;
  assign digit_first_o = go_q;
  assign last_o = last_iteration_q;
  assign busy_o = front_busy || filling_q || run;
  logic unused;
  assign unused = ^{cfg_row, cfg_lane, words_again, load_row, load_lane};
endmodule
