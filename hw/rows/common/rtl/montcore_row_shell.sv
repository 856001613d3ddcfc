// SPDX-License-Identifier: Apache-2.0

/// Common part of the digit-serial rows: port, operands, and output stage.
///
/// A core is this module and its row, which accumulates digits of X times Y and multiples of M.
/// A product starts with Y word by word (word j in the cycle before block j starts), and X digit
/// by digit; n = words * WordBits / DigitBits + 2 digits of CyclesPerDigit cycles each.
/// Precondition: block j of the row works j cycles after block 0; the row supplies first_i and the
/// words of its result as `montcore_row_back` requires.
/// Latency: two cycles from the last operand beat to begin_o, words_o + 3 from first_i to the result.
/// With cycle 0 the one after begin_o, digit_o has the digit of cycle c in cycle c - 1, and take_o is
/// high in cycle n * CyclesPerDigit, in which block 0 outputs the result.
/// Source: mmm-mx-2006, Figure 4.
/// Example, Length = 8, WordBits = 8, DigitBits = 1, x = 0x53 -> digit_o is 1, 1, 0, 0, 1, 0, 1,
/// 0, 0, 0 after begin_o.
module montcore_row_shell #(
    parameter int unsigned Length = 256,  // Built width L in bits, 2 or more.
    /// Word size w in bits, a power of two: width of the streams and of a block.
    parameter int unsigned WordBits = 32,
    /// Minimum word size at which a result is sent before the next one is complete, 8 or 16.
    parameter int unsigned MinWordBits = 8,
    parameter int unsigned DigitBits = 1,  // Bits of X consumed per iteration.
    parameter int unsigned CyclesPerDigit = 1,  // Cycles of an iteration, 1 or 2.
    parameter bit Signed = 1'b0,  // 1: the row's result is signed, between -m and m; 0: below 2 m.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    localparam int unsigned WordCountBits = $clog2(Words + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [WordBits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [WordBits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [WordBits-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o,
    output logic clear_o,  // High while the core clears itself by shifting in zeros.
    output logic [WordCountBits-1:0] words_o,  // Words of the modulus; 1 after reset or clear.
    output logic m_we_o,  // Write enable of a word of M.
    output logic [WordCountBits-1:0] m_index_o,  // Index of the word of M, valid with m_we_o.
    output logic [WordBits-1:0] m_data_o,  // Word of M, valid with m_we_o.
    output logic all_o,  // High: the blocks above the words in use load Y (zeros) as well.
    output logic begin_o,  // High: block 0 starts a product in the next cycle.
    output logic [WordBits-1:0] y_word_o,  // Word of Y for the block that starts in the next cycle.
    output logic [DigitBits-1:0] digit_o,  // Digit of X for block 0 in the next cycle.
    /// High: block 0 is in the second cycle of an iteration in the next cycle.
    output logic phase_o,
    output logic take_o,  // High: block 0 outputs its result in this cycle.
    input logic first_i,  // High with word 0 of the result; the others follow, one per cycle.
    input logic [WordBits-1:0] a_i,  // First vector of the carry-save result, one word per cycle.
    input logic [WordBits-1:0] b_i  // Second vector of the carry-save result, one word per cycle.
);
  if (WordBits < MinWordBits || WordBits > 256 || 2 ** $clog2(WordBits) != WordBits) begin : g_word
    if (MinWordBits == 16) begin : g_bad_wide_word
      $fatal(1, "%m: the word size w must be 16, 32, 64, 128 or 256");
    end else begin : g_bad_word
      $fatal(1, "%m: the word size w must be 8, 16, 32, 64, 128 or 256");
    end
  end
  if (Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end

  logic room, reserve, error;
  import montcore_pkg::montcore_error_e;
  montcore_error_e cfg_error, error_code, reject_error;

  // ---- front end: modulus and operands, and the sequence of products ----------------------------
  localparam int unsigned ExtraDigits = 2;  // Iterations after the digits of X.
  localparam int unsigned Digits = WordBits / DigitBits;
  localparam int unsigned BitBits = $clog2(Digits);
  localparam int unsigned XAddrBits = $clog2(2 * Words);
  localparam int unsigned MAddrBits = (Words > 1) ? $clog2(Words) : 1;
  localparam bit TwoCycles = CyclesPerDigit == 2;

  // Zeroize sweeps the memories while zeros pass the row, one block after the other, and the output
  // stage.
  localparam int unsigned SweepCycles = 3 * Words + 12;
  localparam int unsigned SweepBits = $clog2(SweepCycles);
  logic cfg_we, loaded, run_q, front_busy, cfg_lane, load_lane;
  logic clear, clear_q, front_clear, sweep_operands, setup, filling_q, fill_end;
  logic load_we, load_bank, use_bank, available, available_q, out_of_range, reject, release_bank;
  logic [SweepBits-1:0] sweep;
  logic [WordCountBits-1:0] cfg_index, cfg_row, words, words_again, load_index, load_row;
  logic [WordBits-1:0] m_check, m_ahead;
  montcore_front #(
      .Length    (Length),
      .WordBits  (WordBits),
      .Lanes     (1),
      .ClearTicks(SweepCycles),
      .Tech      (Tech)
  ) u_front (
      .tick_i        (1'b1),
      .count_i       (filling_q),
      .clear_o       (front_clear),
      .sweep_o       (sweep),
      .idle_i        (!run_q && room),
      .stall_i       (1'b0),
      .defer_i       (1'b0),
      .busy_o        (front_busy),
      .cfg_we_o      (cfg_we),
      .cfg_index_o   (cfg_index),
      .cfg_row_o     (cfg_row),
      .cfg_lane_o    (cfg_lane),
      .setup_o       (setup),
      .setup_done_i  (filling_q && fill_end),
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
      .cfg_error_o   (cfg_error),
      .*
  );
  // A register equal to the front end's clear, on which the ready outputs depend: it drives the row.
  always_ff @(posedge clk_i) begin
    clear_q <= rst_ni && (zeroize_i || (clear_q && sweep != SweepBits'(SweepCycles - 1)));
  end
  assign clear = clear_q;
  assign clear_o = clear;
  assign words_o = words;

  // Set-up: the blocks above the words in use load zeros for M and Y.
  assign fill_end = sweep == SweepBits'(Words + 3);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i || clear) filling_q <= 1'b0;
    else filling_q <= filling_q ? !fill_end : setup;
  end
  logic fill_above;
  assign fill_above = filling_q && sweep >= SweepBits'(words) && sweep < SweepBits'(Words);
  logic m_we;
  logic [WordCountBits-1:0] m_index;
  logic [WordBits-1:0] m_data;
  assign m_we = cfg_we || fill_above || (clear && sweep < SweepBits'(Words));
  assign m_index = (clear || filling_q) ? WordCountBits'(sweep) : cfg_index;
  assign m_data = (clear || filling_q) ? '0 : cfg_data_i;
  if (Tech >= montcore_pkg::TechFpga) begin : g_late
    // On an FPGA the path from the handshake to every block is long, so M is written one cycle
    // later.
    always_ff @(posedge clk_i) begin
      m_we_o    <= m_we;
      m_index_o <= m_index;
      m_data_o  <= m_data;
    end
  end else begin : g_direct
    assign m_we_o = m_we;
    assign m_index_o = m_index;
    assign m_data_o = m_data;
  end
  assign all_o = clear || filling_q;

  // Operand memories: two banks of X, two of Y, and M for the range check of the operands.
  logic [XAddrBits-1:0] load_addr, x_addr, y_addr;
  logic [WordCountBits-1:0] x_index_q, y_index_q;
  logic [WordBits-1:0] x_word, y_word;
  assign load_addr = load_bank ? XAddrBits'(Words) + XAddrBits'(load_index)
                               : XAddrBits'(load_index);
  assign x_addr = use_bank ? XAddrBits'(Words) + XAddrBits'(x_index_q) : XAddrBits'(x_index_q);
  assign y_addr = use_bank ? XAddrBits'(Words) + XAddrBits'(y_index_q) : XAddrBits'(y_index_q);

  logic operand_we;
  logic [XAddrBits-1:0] operand_addr;
  assign operand_we = sweep_operands || load_we;
  assign sweep_operands = clear && sweep < SweepBits'(2 * Words);
  assign operand_addr = clear ? XAddrBits'(sweep) : load_addr;
  montcore_ram #(
      .Rows (2 * Words),
      .Width(WordBits)
  ) u_x (
      .clk_i,
      .we_i   (operand_we),
      .wzero_i(clear),
      .waddr_i(operand_addr),
      .wdata_i(x_data_i),
      .raddr_i(x_addr),
      .rdata_o(x_word)
  );
  montcore_ram #(
      .Rows (2 * Words),
      .Width(WordBits)
  ) u_y (
      .clk_i,
      .we_i   (operand_we),
      .wzero_i(clear),
      .waddr_i(operand_addr),
      .wdata_i(y_data_i),
      .raddr_i(y_addr),
      .rdata_o(y_word)
  );
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_m_check (
      .clk_i,
      .we_i   (m_we_o && m_index_o != 0),
      .wzero_i(clear),
      .waddr_i(MAddrBits'(32'(m_index_o) - 1)),
      .wdata_i(m_data_o),
      .raddr_i(MAddrBits'(load_index)),
      .rdata_o(m_ahead)
  );

  // The word for the range check comes straight from a register, read one word ahead: row j of the
  // memory holds word j + 1. From the end of a packet to the next beat, also while a bad packet is
  // drained, it is word 0. A packet without a modulus ends with its first beat.
  logic over, between_q;
  logic [WordBits-1:0] m_first_q, m_check_q;
  assign over = !loaded || x_last_i || y_last_i || load_index == words - 1;
  always_ff @(posedge clk_i) begin
    if (m_we_o && m_index_o == '0) m_first_q <= m_data_o;
    if (!rst_ni || clear) between_q <= 1'b1;
    else if (load_we) between_q <= over;
    if (clear) m_check_q <= '0;
    else if (load_we || between_q) m_check_q <= (load_we && !over) ? m_ahead : m_first_q;
  end
  assign m_check = m_check_q;

  // Sequence of a product. run_q is high from begin_o on, while digits are output.
  logic [WordCountBits-1:0] word_q;
  logic [BitBits-1:0] bit_q;
  logic phase_q, again_q, go, error_go, step, last_bit, tail, last_issue, decide, end_q, y_run_q;
  logic go_q, start_q, y_in_range, x_in_range, keep_q;
  logic [WordBits-1:0] x_q;

  assign step = !TwoCycles || phase_q;
  assign tail = word_q == words;
  assign last_bit = tail ? bit_q == BitBits'(ExtraDigits - 1) : bit_q == BitBits'(Digits - 1);
  assign last_issue = run_q && tail && last_bit && step;
  // Decided two cycles before the last digit: with room for the result the operands are released;
  // without, the product is repeated until there is room.
  if (TwoCycles) begin : g_decide_two
    assign decide = run_q && tail && bit_q == BitBits'(ExtraDigits - 2) && phase_q;
  end else begin : g_decide_one
    assign decide = run_q && word_q == words - 1 && bit_q == BitBits'(Digits + ExtraDigits - 3);
  end
  assign reserve = decide && room;
  assign release_bank = reserve || error_go;
  assign go = available_q && !out_of_range && (!run_q || last_issue) &&
              (!(again_q || (run_q && !keep_q)) || room) && !clear;
  assign core_start_o = start_q;
  assign error_go = !run_q && room && !clear && (reject || (available_q && out_of_range));
  assign error = error_go;
  always_comb begin
    error_code = montcore_pkg::ErrOperandRange;
    if (reject) error_code = reject_error;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      run_q       <= 1'b0;
      go_q        <= 1'b0;
      again_q     <= 1'b0;
      keep_q      <= 1'b0;
      available_q <= 1'b0;
      end_q       <= 1'b0;
      take_o      <= 1'b0;
      y_run_q     <= 1'b0;
      phase_q     <= 1'b0;
      bit_q       <= '0;
      word_q      <= '0;
      x_index_q   <= '0;
      y_index_q   <= '0;
    end else begin
      available_q <= available && !release_bank;
      go_q        <= go;
      if (decide) keep_q <= room;
      end_q  <= last_issue && keep_q;
      take_o <= end_q;
      if (last_issue || go) begin
        run_q   <= go;
        again_q <= run_q && !keep_q;
        if (go) again_q <= 1'b0;
      end
      if (run_q) begin
        phase_q <= TwoCycles && !phase_q;
        if (step) begin
          bit_q <= last_bit ? '0 : bit_q + 1;
          if (last_bit) word_q <= tail ? '0 : word_q + 1;
          if (bit_q == BitBits'(Digits - 1)) x_index_q <= x_in_range ? x_index_q + 1 : '0;
        end
      end
      if (go) begin
        x_index_q <= WordCountBits'(1);
        y_index_q <= WordCountBits'(1);
        y_run_q   <= 1'b1;
      end else if (y_run_q) begin
        y_run_q   <= y_in_range;
        y_index_q <= y_in_range ? y_index_q + 1 : '0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    start_q <= go && !(again_q || (run_q && !keep_q)) && rst_ni && !zeroize_i;
  end
  assign y_in_range = y_index_q < words;
  assign x_in_range = x_index_q < words;

  // Data registers of the row's inputs.
  always_ff @(posedge clk_i) begin
    y_word_o <= (!clear && !filling_q && y_in_range) ? y_word : '0;
    if (clear) x_q <= '0;
    else if (go) x_q <= x_word;
    else if (step) begin
      if (bit_q == BitBits'(Digits - 1)) x_q <= (x_in_range && !tail) ? x_word : '0;
      else x_q <= x_q >> DigitBits;
    end
  end
  assign begin_o = go_q || clear || filling_q;
  assign digit_o = run_q ? x_q[DigitBits-1:0] : '0;
  assign phase_o = phase_q;
  logic unused;
  assign unused = ^{front_clear, cfg_row, cfg_lane, words_again, load_row, load_lane};
  assign cfg_error_o = cfg_error;

  montcore_row_back #(
      .WordBits(WordBits),
      .Words(Words),
      .Signed(Signed)
  ) u_back (
      .clear_i(clear_o),
      .words_i(words_o),
      .m_we_i(m_we_o),
      .m_index_i(m_index_o),
      .m_data_i(m_data_o),
      .reserve_i(reserve),
      .room_o(room),
      .error_i(error),
      .error_code_i(error_code),
      .done_o(core_done_o),
      .*
  );
  assign busy_o = front_busy || filling_q || run_q || !room;
endmodule
