// SPDX-License-Identifier: Apache-2.0

/// Scalable word-serial Montgomery multiplier: one row of NumPe processing elements.
///
/// z = x * y * R^-1 mod m, R = 2^(WordBits * words), words = beats of the modulus
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency, rows = ceil(words / NumPe): fast schedule 2 words rows + 7, 7, 9 cycles for 1, 2, 3
/// rows, one product every 2 words rows cycles; built for four rows or more 2 words rows + 8, 7, 6,
/// 6, one product every 2 words rows + 3, 2, 1, 1 cycles; paper schedule 5 rows + 2 words rows + 7
/// cycles in the datapath.
/// Source: smm-2021.
/// Example, Length = 8, WordBits = 4: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x45 (R = 2^8).
module montcore_smm #(
    parameter int unsigned Length = 256,  // Built width L in bits, 2 or more.
    parameter int unsigned WordBits = 32,  // Word size w in bits: 4, 8, 16, 32 or 64.
    parameter int unsigned NumPe = 4,  // Number of processing elements, 1 .. number of words.
    parameter bit PaperSchedule = 1'b0,  // 1: the schedule of the paper; 0: the fast one.
    /// 1: the processing elements drawn in the paper, only with its schedule; 0: ours.
    parameter bit PaperElement = 1'b0,
    parameter int unsigned Tech = montcore_pkg::TechGeneric
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
    output logic core_done_o
);
  import montcore_pkg::montcore_error_e;
  import montcore_smm_fast_pkg::smm_region_e;

  localparam int unsigned Words = (Length + WordBits - 1) / WordBits;
  // A NumPe of 0 must still elaborate up to its refusal below.
  localparam int unsigned Lanes = (NumPe > 0) ? NumPe : 1;
  localparam int unsigned Rows = (Words + Lanes - 1) / Lanes;
  localparam int unsigned WordCountBits = $clog2(Words + 1);
  localparam int unsigned RowBits = $clog2(Rows + 1);
  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1;
  localparam int unsigned MAddrBits = (Words > 1) ? $clog2(Words) : 1;

  if (WordBits < 4 || WordBits > 64 || 2 ** $clog2(WordBits) != WordBits) begin : g_bad_word
    $fatal(1, "%m: the word size w must be 4, 8, 16, 32 or 64");
  end
  if (Length < 2) begin : g_bad_length
    $fatal(1, "%m: the built width must be at least 2 bits");
  end
  if (NumPe < 1 || NumPe > Words) begin : g_bad_npe
    $fatal(
        1,
        "%m: npe must lie between 1 and the number of words (%0d of %0d bits in %0d)",
        Words,
        WordBits,
        Length
    );
  end

  if (PaperElement && !PaperSchedule) begin : g_bad_element
    $fatal(1, "%m: the paper's element needs the paper's schedule");
  end

  // The memories are cleared row by row while zeros pass the datapath's registers, and
  // first, so that no data read from them is left in a register at the end.
  localparam int unsigned MostRows = 3 * Rows + 1;
  localparam int unsigned SweepRows = (MostRows > 2 * Words) ? MostRows : 2 * Words;
  localparam int unsigned SweepCycles = SweepRows + 8;
  localparam int unsigned SweepBits = $clog2(SweepCycles);
  logic clear, cfg_we, setup, setup_ready, loaded, engine_busy, front_busy, z_valid, start, done;
  logic load_we, load_bank, use_bank, available, out_of_range, reject, release_bank, plq_we;
  logic [SweepBits-1:0] sweep;
  logic [WordCountBits-1:0] cfg_index, load_index, words;
  logic [RowBits-1:0] cfg_row, load_row, rows;
  logic [LaneBits-1:0] cfg_lane, load_lane;
  logic [WordBits-1:0] m_check;
  montcore_error_e cfg_error, reject_error;
  montcore_front #(
      .Length    (Length),
      .WordBits  (WordBits),
      .Lanes     (Lanes),
      .ClearTicks(SweepCycles),
      .Tech      (Tech)
  ) u_front (
      .tick_i        (1'b1),
      .count_i       (1'b0),
      .clear_o       (clear),
      .sweep_o       (sweep),
      .idle_i        (!engine_busy),
      .stall_i       (plq_we),
      .defer_i       (1'b0),
      .busy_o        (front_busy),
      .cfg_error_o   (cfg_error),
      .cfg_we_o      (cfg_we),
      .cfg_index_o   (cfg_index),
      .cfg_row_o     (cfg_row),
      .cfg_lane_o    (cfg_lane),
      .setup_o       (setup),
      .setup_done_i  (setup_ready),
      .loaded_o      (loaded),
      .words_o       (words),
      .rows_o        (rows),
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
  assign cfg_error_o = cfg_error;

  // Words of M, to be written into the memories. Set-up reads none of them before the third cycle after the
  // last one was accepted. On FPGAs without adders behind their multipliers they are therefore registered:
  // the decision whether a beat is accepted is on a long path.
  logic m_take;
  logic [WordCountBits-1:0] m_index_in;
  logic [RowBits-1:0] m_row_in;
  logic [LaneBits-1:0] m_lane_in;
  logic [WordBits-1:0] m_data_in;
  if (montcore_pkg::has_tiles(Tech) && !PaperSchedule) begin : g_late
    always_ff @(posedge clk_i) begin
      m_take     <= cfg_we && rst_ni;
      m_index_in <= cfg_index;
      m_row_in   <= cfg_row;
      m_lane_in  <= cfg_lane;
      m_data_in  <= clear ? '0 : cfg_data_i;
    end
  end else begin : g_at_once
    assign {m_take, m_index_in, m_row_in, m_lane_in, m_data_in} = {
      cfg_we, cfg_index, cfg_row, cfg_lane, cfg_data_i
    };
  end

  // M by words, for the range check of the operands.
  logic m_we;
  logic [MAddrBits-1:0] m_addr;
  assign m_we   = m_take || (clear && sweep < SweepBits'(Words));
  assign m_addr = clear ? MAddrBits'(sweep) : MAddrBits'(m_index_in);
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_m_check (
      .clk_i,
      .we_i   (m_we),
      .wzero_i(clear),
      .waddr_i(m_addr),
      .wdata_i(m_data_in),
      .raddr_i(MAddrBits'(load_index)),
      .rdata_o(m_check)
  );
  // Counts reach one more than the last index; addresses do not need that bit.
  logic unused_index;
  assign unused_index = ^{loaded, m_index_in, m_row_in, m_lane_in, load_index};

  if (!PaperSchedule) begin : g_fast
    logic scaled_we, inverse_we;
    logic [WordCountBits-1:0] x_index, m_index;
    logic [WordBits-1:0] x_word, m_word, z_data, kept_data;
    logic [Lanes-1:0][WordBits-1:0] row, m_row;
    logic [RowBits-1:0] row_index, m_row_index, scaled_row;
    logic [LaneBits-1:0] scaled_lane;
    smm_region_e region;
    logic setup_done, setup_done_q;

    montcore_smm_fast_memory #(
        .NumPe    (Lanes),
        .WordBits (WordBits),
        .Words    (Words),
        .SweepBits(SweepBits),
        .Tech     (Tech)
    ) u_memory (
        .clk_i,
        .clear_i      (clear),
        .sweep_i      (sweep),
        .cfg_we_i     (m_take),
        .cfg_index_i  (m_index_in),
        .cfg_row_i    (m_row_in),
        .cfg_lane_i   (m_lane_in),
        .cfg_data_i   (m_data_in),
        .load_we_i    (load_we),
        .load_bank_i  (load_bank),
        .load_index_i (load_index),
        .load_row_i   (load_row),
        .load_lane_i  (load_lane),
        .x_data_i,
        .y_data_i,
        .scaled_we_i  (scaled_we),
        .scaled_row_i (scaled_row),
        .scaled_lane_i(scaled_lane),
        .inverse_we_i (inverse_we),
        .scaled_data_i(kept_data),
        .use_bank_i   (use_bank),
        .x_index_i    (x_index),
        .x_word_o     (x_word),
        .region_i     (region),
        .row_i        (row_index),
        .row_o        (row),
        .m_row_i      (m_row_index),
        .m_row_o      (m_row),
        .m_index_i    (m_index),
        .m_word_o     (m_word)
    );
    // The last word of the scaled modulus is written one cycle late, and set-up ends with it, so
    // that it does not collide with the first operand.
    always_ff @(posedge clk_i) setup_done_q <= setup_done && !clear;

    montcore_smm_fast #(
        .NumPe   (Lanes),
        .WordBits(WordBits),
        .Words   (Words),
        .Tech(Tech)
    ) u_fast (
        .clk_i,
        .rst_ni,
        .clear_i       (clear),
        .words_i       (words),
        .rows_i        (rows),
        .setup_i       (setup),
        .setup_done_o  (setup_done),
        .available_i   (available),
        .out_of_range_i(out_of_range),
        .reject_i      (reject),
        .reject_error_i(reject_error),
        .release_o     (release_bank),
        .busy_o        (engine_busy),
        .x_index_o     (x_index),
        .x_word_i      (x_word),
        .region_o      (region),
        .row_o         (row_index),
        .row_i         (row),
        .m_row_index_o (m_row_index),
        .m_row_i       (m_row),
        .m_index_o     (m_index),
        .m_word_i      (m_word),
        .scaled_we_o   (scaled_we),
        .scaled_row_o  (scaled_row),
        .inverse_we_o  (inverse_we),
        .scaled_lane_o (scaled_lane),
        .kept_data_o   (kept_data),
        .start_o       (start),
        .done_o        (done),
        .z_valid_o     (z_valid),
        .z_ready_i,
        .z_data_o      (z_data),
        .z_last_o,
        .z_error_o
    );
    assign z_data_o = z_data;
    assign setup_ready = setup_done_q;
    assign plq_we = 1'b0;
  end else begin : g_paper
    // Memories of this schedule, and its datapath.
    logic m_region, x_plq;
    logic [Lanes-1:0][WordBits-1:0] row, x_row, plq;
    logic [RowBits-1:0] row_index, x_row_index, plq_row;

    // The operand memories, as in the paper's Figure 4: Y and M by rows; X and PLQ by rows. In both: bank
    // 0, bank 1, and a third region. X and Y have two banks, so that the next operands can be loaded
    // while a product is in flight; no word is loaded in a cycle in which a row of PLQ is written.
    // A partially written row ends in zeros.
    localparam int unsigned Depth = 3 * Rows;
    localparam int unsigned AddrBits = $clog2(Depth);

    function automatic logic [AddrBits-1:0] address(logic bank, logic third,
                                                    logic [RowBits-1:0] index);
      return (third ? AddrBits'(2 * Rows) : bank ? AddrBits'(Rows) : '0) + AddrBits'(index);
    endfunction

    logic memory_sweep;
    logic [AddrBits-1:0] sweep_addr;
    assign memory_sweep = clear && sweep < SweepBits'(Depth);
    assign sweep_addr   = AddrBits'(sweep);

    logic [AddrBits-1:0] load_addr, y_m_addr, x_plq_addr;
    assign load_addr  = address(load_bank, 1'b0, load_row);
    assign y_m_addr   = cfg_we ? address(1'b0, 1'b1, cfg_row) : load_addr;
    assign x_plq_addr = plq_we ? address(1'b0, 1'b1, plq_row) : load_addr;

    montcore_smm_operand_memory #(
        .NumPe   (Lanes),
        .WordBits(WordBits),
        .Depth   (Depth)
    ) u_y_m (
        .clk_i,
        .clear_i(memory_sweep),
        .we_i   (cfg_we || load_we),
        .waddr_i(clear ? sweep_addr : y_m_addr),
        .lane_i (cfg_we ? cfg_lane : load_lane),
        .wdata_i(cfg_we ? cfg_data_i : y_data_i),
        .raddr_i(address(use_bank, m_region, row_index)),
        .rdata_o(row)
    );

    // X is written word by word, like Y, but PLQ by rows.
    for (genvar k = 0; k < Lanes; k++) begin : g_x_plq
      logic own;
      assign own = load_lane == LaneBits'(k);

      montcore_ram #(
          .Rows (Depth),
          .Width(WordBits)
      ) u_ram (
          .clk_i,
          .we_i   (memory_sweep || plq_we || (load_we && (own || load_lane == '0))),
          .wzero_i(clear || (!plq_we && !own)),
          .waddr_i(clear ? sweep_addr : x_plq_addr),
          .wdata_i(plq_we ? plq[k] : x_data_i),
          .raddr_i(address(use_bank, x_plq, x_row_index)),
          .rdata_o(x_row[k])
      );
    end

    montcore_smm_paper #(
        .NumPe   (Lanes),
        .WordBits(WordBits),
        .Words   (Words),
        .Drawn   (PaperElement),
        .Tech    (Tech)
    ) u_paper (
        .clk_i,
        .rst_ni,
        .clear_i       (clear),
        .words_i       (words),
        .rows_i        (rows),
        .setup_i       (setup),
        .setup_done_o  (setup_ready),
        .available_i   (available),
        .out_of_range_i(out_of_range),
        .reject_i      (reject),
        .reject_error_i(reject_error),
        .release_o     (release_bank),
        .busy_o        (engine_busy),
        .x_plq_o       (x_plq),
        .x_row_o       (x_row_index),
        .x_row_i       (x_row),
        .plq_we_o      (plq_we),
        .plq_row_o     (plq_row),
        .plq_o         (plq),
        .m_o           (m_region),
        .row_o         (row_index),
        .row_i         (row),
        .start_o       (start),
        .done_o        (done),
        .z_valid_o     (z_valid),
        .z_ready_i,
        .z_data_o,
        .z_last_o,
        .z_error_o
    );
  end

  // In the first cycle of zeroize the registers behind the outputs still hold pending values.
  assign z_valid_o = z_valid && !clear;
  assign core_start_o = start && !clear;
  assign core_done_o = done && !clear;
  assign busy_o = front_busy || engine_busy;
endmodule
