// SPDX-License-Identifier: Apache-2.0

/// Common part of arrays of rows: everything except the rows themselves, behind the common port.
///
/// z = S / 2 + C, minus m if it is not below m; S and C come from the rows, which get m, x and y.
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// The rows start a product every CyclesPerRow cycles; the operands of second_o start in the next
/// cycle, T. y_word_i[j] is word j of Y in cycle T + j, and word j of S and C is valid in
/// cycle T + CyclesPerRow (k + 2) + Stages + j, k = WordBits * Words.
/// Latency: CyclesPerRow (k + 2) + Stages + Words + 4 cycles in the datapath, three more at the
/// port; a product every CyclesPerRow cycles. A number is one beat.
/// Source: mmm-mx-2006, Design 1.
/// Example, Length = 8, WordBits = 8, m = 0x8b: S = 0x132, C = 0x33 (0xcc) -> z = 0x41.
module montcore_row_array #(
    parameter int unsigned Length = 128,  // Built width L in bits, 2 to 512.
    /// Width in bits of a block of a row and of a carry chain, a power of two, 8 or more.
    parameter int unsigned WordBits = 32,
    parameter int unsigned CyclesPerRow = 2,  // Cycles that a row takes for a product, 1 or 2.
    parameter int unsigned Stages = 0,  // Pipeline stages between the last row and S and C.
    parameter int unsigned RowsPerCopy = 16,  // Number of rows that share a copy of m.
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    localparam int unsigned Bits = Words * WordBits  // Beat width in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [Bits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [Bits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [Bits-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [Bits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o,
    /// High in the last cycle of row 0 for a product: operands are sampled at its end.
    output logic second_o,
    output logic [Bits-1:0] n_o,  // Modulus m, for the rows.
    output logic [Bits-1:0] a_o,  // Operand X for the rows; zero unless x_valid_i is high.
    output logic [Bits-1:0] b_o,  // Operand Y for the rows; zero unless y_valid_i is high.
    input logic [Words-1:0][WordBits-1:0] y_word_i,  // Words of Y in row 0, word j in cycle T + j.
    input logic [Bits-1:0] n_last_i,  // Copy of m that accompanies the last row.
    /// Sum vector S of the last row, word j in its own cycle.
    input logic [Words:0][WordBits-1:0] s_i,
    /// Carry vector C of the last row, word j in its own cycle.
    input logic [Words:0][WordBits-1:0] c_i
);
  localparam int unsigned Rows = Bits + 2;
  localparam int unsigned CoreCycles = CyclesPerRow * Rows + Stages + Words + 4;
  // Room for the products of CoreCycles + 4 cycles, and one that starts.
  localparam int unsigned Results = (CoreCycles + 4) / CyclesPerRow + 1;
  localparam int unsigned Copies = (Rows + RowsPerCopy - 1) / RowsPerCopy;

  logic clear, front_busy, room, idle, status_valid, cfg_done;
  logic [2:0] status;
  import montcore_pkg::montcore_error_e;
  montcore_error_e cfg_error;

  // ---- front end: modulus and operands, and their check -----------------------------------------
  // Zeroize: zeros are shifted in until they have reached the output.
  localparam int unsigned ClearCycles = CoreCycles + Words + 8;
  logic [$clog2(ClearCycles)-1:0] unused_sweep;
  montcore_sweep #(
      .Ticks(ClearCycles)
  ) u_sweep (
      .clk_i,
      .rst_ni,
      .tick_i (1'b1),
      .zeroize_i,
      .count_i(1'b0),
      .clear_o(clear),
      .index_o(unused_sweep)
  );

  // Configuration: one beat; the copies of m are filled while the set-up counter runs.
  localparam int unsigned SetupBits = $clog2(Copies + 1);
  logic cfg_we, cfg_busy, loaded, setup, setup_q, setup_done, quiet;
  logic cfg_index, cfg_row, cfg_lane, words, rows;
  logic [SetupBits-1:0] setup_left_q;
  logic [Bits-1:0] m_q;
  montcore_config #(
      .Length  (Length),
      .WordBits(Bits),
      .Lanes   (1)
  ) u_config (
      .clk_i,
      .rst_ni,
      .clear_i     (clear),
      .ready_i     (!clear && quiet && idle),
      .cfg_valid_i,
      .cfg_ready_o,
      .cfg_data_i,
      .cfg_last_i,
      .done_o      (cfg_done),
      .error_o     (cfg_error),
      .we_o        (cfg_we),
      .index_o     (cfg_index),
      .row_o       (cfg_row),
      .lane_o      (cfg_lane),
      .setup_o     (setup),
      .setup_done_i(setup_done),
      .loaded_o    (loaded),
      .busy_o      (cfg_busy),
      .words_o     (words),
      .rows_o      (rows)
  );
  assign setup_done = setup_q && setup_left_q == 0;
  always_ff @(posedge clk_i) begin
    setup_q      <= rst_ni && !clear && (setup || (setup_q && !setup_done));
    setup_left_q <= setup_q ? setup_left_q - 1 : SetupBits'(Copies - 1);
  end
  always_ff @(posedge clk_i) begin
    if (clear) m_q <= '0;
    else if (cfg_we) m_q <= cfg_data_i;
  end

  // Operands: one pair of beats at the end of each iteration of row 0. Every pair of packets becomes
  // one token, valid or not: an invalid pair also passes the array, is answered in order, and takes
  // the same time. Longer packets are drained and answered afterwards.
  logic second_q, draining_q, x_done_q, y_done_q, owed_q, no_modulus_q;
  logic open, joint, wrong, rest, x_end, y_end, token, token_q;
  logic [2:0] code, code_q;
  assign open = !clear && !cfg_busy && !owed_q && !draining_q && !cfg_valid_i;
  assign joint = open && second_q && room && x_valid_i && y_valid_i;
  assign wrong = joint && !(x_last_i && y_last_i);
  assign token = joint ? !wrong : owed_q && second_q && room && !clear;
  assign x_ready_o = joint || (draining_q && !x_done_q && !clear);
  assign y_ready_o = joint || (draining_q && !y_done_q && !clear);
  assign x_end = x_done_q || x_valid_i && x_last_i;
  assign y_end = y_done_q || y_valid_i && y_last_i;
  assign code = (joint ? !loaded : no_modulus_q) ? montcore_pkg::ErrNoModulus
                : joint ? montcore_pkg::ErrNone : montcore_pkg::ErrOperandLength;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      draining_q <= 1'b0;
      x_done_q   <= 1'b0;
      y_done_q   <= 1'b0;
      owed_q     <= 1'b0;
      token_q    <= 1'b0;
    end else begin
      token_q <= token;
      if (wrong) begin
        draining_q <= 1'b1;
        x_done_q   <= x_last_i;
        y_done_q   <= y_last_i;
      end else if (draining_q) begin
        draining_q <= !(x_end && y_end);
        x_done_q   <= x_end;
        y_done_q   <= y_end;
        owed_q     <= x_end && y_end;
      end else if (token) begin
        owed_q <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    second_q <= rst_ni && (CyclesPerRow == 1 || !second_q || (rest && !token));
    if (clear) code_q <= montcore_pkg::ErrNone;
    else code_q <= code;
    if (wrong) no_modulus_q <= !loaded;
  end
  // The phase is held while the array is idle: operands are accepted at once, and the latency does
  // not depend on the start of the previous product.
  assign rest = quiet && idle && !clear;
  assign second_o = second_q;
  assign quiet = !draining_q && !owed_q && !token_q;
  assign front_busy = clear || cfg_busy || !quiet;

  // Compares X and Y with m, word by word from the lowest: the highest word that differs decides.
  logic [Words-1:0][WordBits-1:0] x_word, x_word_q;
  logic [Words-1:0] x_below_q, y_below_q;
  montcore_row_array_skew #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_skew (
      .clk_i,
      .step_i ({Words{1'b1}}),
      .words_i(x_data_i & {Bits{!clear && x_valid_i}}),
      .words_o(x_word)
  );
  for (genvar j = 0; j < Words; j++) begin : g_word
    logic [WordBits-1:0] m_word;
    logic x_before, y_before;
    assign m_word = m_q[j*WordBits+:WordBits];
    if (j == 0) begin : g_lowest
      assign x_before = 1'b0;
      assign y_before = 1'b0;
    end else begin : g_upper
      assign x_before = x_below_q[j-1];
      assign y_before = y_below_q[j-1];
    end
    always_ff @(posedge clk_i) begin
      x_word_q[j]  <= x_word[j];
      x_below_q[j] <= x_word_q[j] < m_word || (x_word_q[j] == m_word && x_before);
      y_below_q[j] <= y_word_i[j] < m_word || (y_word_i[j] == m_word && y_before);
    end
  end

  // The status code is delayed along with the comparison.
  logic [Words:0] valid_late;
  logic [Words:0][2:0] code_late;
  logic [Words-1:0] valid_late_q;
  logic [Words-1:0][2:0] code_late_q;
  assign valid_late = {valid_late_q, token_q};
  assign code_late  = {code_late_q, code_q};
  always_ff @(posedge clk_i) begin
    code_late_q <= code_late[Words-1:0];
    if (!rst_ni || clear) valid_late_q <= '0;
    else valid_late_q <= valid_late[Words-1:0];
  end
  assign status_valid = valid_late[Words];
  assign status = !status_valid || code_late[Words] != montcore_pkg::ErrNone ? code_late[Words]
                    : (x_below_q[Words-1] && y_below_q[Words-1]) ? montcore_pkg::ErrNone
                                                                 : montcore_pkg::ErrOperandRange;

  // The rows take whatever is at the inputs, accepted or not; data that was not accepted has no
  // token and is ignored at the output.
  assign n_o = m_q;
  assign a_o = x_data_i & {Bits{x_valid_i && !clear}};
  assign b_o = y_data_i & {Bits{y_valid_i && !clear}};

  // ---- output stage: z = t or t - n, whichever is in [0, n), with t = S / 2 + C below 2 n ---------
  // The paper leaves this conversion open. Word j is added one cycle after it arrives and n subtracted
  // in the next, each with the carry of the word below, so that no carry chain is longer than a word;
  // then the words are delayed until the last borrow is known.
  logic [Words-1:0] carry_q, borrow_q;  // out of each word
  // Sum and reduced sum, all words aligned in time.
  logic [Words-1:0][WordBits-1:0] total_late, reduced_late;

  for (genvar j = 0; j < Words; j++) begin : g_result
    logic [WordBits-2:0] s_q;
    logic [WordBits-1:0] c_q, total_q, kept_q, reduced_q;
    logic [WordBits:0] total, reduced;
    logic carry, borrow;
    if (j == 0) begin : g_no_carry
      assign carry  = 1'b0;
      assign borrow = 1'b0;
    end else begin : g_carry
      assign carry  = carry_q[j-1];
      assign borrow = borrow_q[j-1];
    end
    // The bit shifted in from the word above arrives one cycle after this word.
    assign total = {1'b0, s_i[j+1][0], s_q} + {1'b0, c_q} + {{WordBits{1'b0}}, carry};
    assign reduced = {1'b0, total_q} - {1'b0, n_last_i[WordBits*j+:WordBits]} -
                     {{WordBits{1'b0}}, borrow};
    always_ff @(posedge clk_i) begin
      s_q         <= s_i[j][WordBits-1:1];
      c_q         <= c_i[j];
      total_q     <= total[WordBits-1:0];
      carry_q[j]  <= total[WordBits];
      kept_q      <= total_q;
      reduced_q   <= reduced[WordBits-1:0];
      borrow_q[j] <= reduced[WordBits];
    end

    // Lower words are delayed longer.
    localparam int unsigned Wait = Words - j;
    logic [Wait-1:0][2*WordBits-1:0] late_q;
    if (Wait == 1) begin : g_one
      always_ff @(posedge clk_i) late_q <= {reduced_q, kept_q};
    end else begin : g_more
      always_ff @(posedge clk_i) late_q <= {late_q[Wait-2:0], reduced_q, kept_q};
    end
    assign {reduced_late[j], total_late[j]} = late_q[Wait-1];
  end

  // Above the words: t is below 2^(k + 1). n is subtracted if t has this bit, or without a borrow.
  logic head_s_q, head_c_q, head_q, fits_q;
  always_ff @(posedge clk_i) begin
    head_s_q <= s_i[Words][1];
    head_c_q <= c_i[Words][0];
    head_q   <= head_s_q ^ head_c_q ^ carry_q[Words-1];
    fits_q   <= head_q | ~borrow_q[Words-1];
  end

  logic [Words-1:0][WordBits-1:0] z_q;
  always_ff @(posedge clk_i) z_q <= fits_q ? reduced_late : total_late;

  logic unused;
  assign unused = ^{
    s_i[0][0], s_i[Words][WordBits-1:2], c_i[Words][WordBits-1:1],
    cfg_index, cfg_row, cfg_lane, words, rows
  };

  logic [  CoreCycles:0] under_way;
  logic [CoreCycles-1:0] under_way_q;
  assign under_way = {under_way_q, token_q};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) under_way_q <= '0;
    else under_way_q <= under_way[CoreCycles-1:0];
  end

  // ---- queue of results for the port, in order ------------------------------------------------
  // Room for a result is reserved when its operands are accepted, so that the array never stalls: as
  // many rows as there are products in flight. Statuses arrive before results.
  localparam int unsigned AddrBits = $clog2(Results);
  localparam int unsigned CountBits = $clog2(Results + 1);

  logic [AddrBits-1:0] status_at_q, result_at_q, read_at_q, status_next, result_next, read_next;
  logic [CountBits-1:0] taken_q, waiting_q;
  logic fetch, waits_q, room_q, valid_q;
  assign status_next = (status_at_q == AddrBits'(Results - 1)) ? '0 : status_at_q + 1;
  assign result_next = (result_at_q == AddrBits'(Results - 1)) ? '0 : result_at_q + 1;
  assign read_next = (read_at_q == AddrBits'(Results - 1)) ? '0 : read_at_q + 1;

  // room_q still counts a row that is being read as occupied: this removes an adder input.
  assign fetch = waits_q && (!valid_q || z_ready_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      taken_q   <= '0;
      waiting_q <= '0;
      waits_q   <= 1'b0;
      room_q    <= 1'b0;
      valid_q   <= 1'b0;
    end else begin
      taken_q   <= taken_q + CountBits'(token) - CountBits'(fetch);
      waiting_q <= waiting_q + CountBits'(under_way[CoreCycles]) - CountBits'(fetch);
      waits_q   <= under_way[CoreCycles] || waiting_q > CountBits'(fetch);
      room_q    <= taken_q + CountBits'(token) < CountBits'(Results);
      valid_q   <= fetch || (valid_q && !z_ready_i);
    end
    // Zeroize takes more cycles than there are rows. It sweeps them with all three addresses, which
    // keeps these equal.
    if (!rst_ni) result_at_q <= '0;
    else if (under_way[CoreCycles] || clear) result_at_q <= result_next;
    if (!rst_ni) status_at_q <= '0;
    else if (clear) status_at_q <= result_next;
    else if (status_valid) status_at_q <= status_next;
    if (!rst_ni) read_at_q <= '0;
    else if (clear) read_at_q <= result_next;
    else if (fetch) read_at_q <= read_next;
  end
  assign room = room_q;
  assign idle = taken_q == 0 && !valid_q;

  logic [Bits-1:0] result, data_q;
  logic [2:0] queue_status, status_q;
  logic result_we, status_we;
  assign result_we = under_way[CoreCycles] || clear;
  assign status_we = status_valid || clear;
  montcore_ram #(
      .Rows (Results),
      .Width(Bits)
  ) u_results (
      .clk_i,
      .we_i   (result_we),
      .wzero_i(clear),
      .waddr_i(result_at_q),
      .wdata_i(z_q),
      .raddr_i(read_at_q),
      .rdata_o(result)
  );
  montcore_ram #(
      .Rows (Results),
      .Width(3)
  ) u_statuses (
      .clk_i,
      .we_i   (status_we),
      .wzero_i(clear),
      .waddr_i(status_at_q),
      .wdata_i(status),
      .raddr_i(read_at_q),
      .rdata_o(queue_status)
  );
  // The memories are slow: their outputs are registered directly.
  always_ff @(posedge clk_i) begin
    if (clear) begin
      data_q   <= '0;
      status_q <= montcore_pkg::ErrNone;
    end else if (fetch) begin
      data_q   <= result;
      status_q <= queue_status;
    end
  end
  assign z_valid_o = valid_q && !clear;
  assign z_error_o = status_q != montcore_pkg::ErrNone;
  assign z_data_o = z_error_o ? Bits'(status_q) : data_q;

  assign z_last_o = 1'b1;
  // In the first cycle of clear the registers may still hold a start or a result: both are masked.
  assign core_start_o = token_q && !clear;
  assign core_done_o = under_way[CoreCycles] && !clear;
  assign cfg_done_o = cfg_done && !clear;
  assign cfg_error_o = cfg_error;
  assign busy_o = front_busy || !idle;
endmodule
