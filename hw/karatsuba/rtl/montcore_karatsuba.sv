// SPDX-License-Identifier: Apache-2.0

/// Full-word Montgomery multiplier by Karatsuba splitting.
///
/// z = x * y * R^-1 mod m, R = 2^n, n = Length rounded up to a multiple of 4 (Depth = 1, at least 8)
/// or 16 (Depth = 2, at least 32)
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// Latency: fast schedule 20 cycles in the datapath, one product every 2 cycles, with three
/// multipliers 21 and 3; paper schedule 29 cycles (Depth = 1) or 38 (Depth = 2), one product at a
/// time; independent of the length of m.
/// The streams have n / 2 bits per beat.
/// Source: karatsuba-2018.
/// Example, Length = 8: x = 0x53, y = 0x2a, m = 0x8b -> z = 0x45 (R = 2^8).
module montcore_karatsuba #(
    parameter int unsigned Length = 256,  // Built width L in bits, 2 to 1024.
    parameter int unsigned Depth = 1,  // 1: four-parts splitting; 2: deep four-parts splitting.
    parameter bit PaperSchedule = 1'b0,  // 1: the schedule of the paper; 0: the fast one.
    parameter int unsigned Units = 4,  // Half-length multipliers of the fast schedule, 4 or 3.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned Bits = (Depth == 2) ? ((Length <= 32) ? 32 : (Length + 15) / 16 * 16) :
        (Length <= 8) ? 8 : (Length + 3) / 4 * 4,
    localparam int unsigned BusWidth = Bits / 2  // Beat width in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [BusWidth-1:0] cfg_data_i,  // Modulus stream: data, least significant half first.
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [BusWidth-1:0] x_data_i,  // X stream: data, least significant half first.
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [BusWidth-1:0] y_data_i,  // Y stream: data, least significant half first.
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    /// Z stream: data, least significant half first, or the error code.
    output logic [BusWidth-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o
);
  import montcore_pkg::montcore_error_e;

  localparam int unsigned Words = (Length + BusWidth - 1) / BusWidth;
  localparam int unsigned WordCountBits = $clog2(Words + 1);
  localparam int unsigned Style = montcore_karatsuba_pkg::style_of(Tech, PaperSchedule);
  // Room for every product in flight, or for one result.
  localparam int unsigned QueueRows = PaperSchedule ? 1 : 12;
  localparam int unsigned QueueRowBits = PaperSchedule ? 1 : $clog2(QueueRows);

  if (Length < 2 || Length > 1024) begin : g_bad_length
    $fatal(1, "%m: the built width must lie between 2 and 1024 bits");
  end
  if (Depth < 1 || Depth > 2) begin : g_bad_depth
    $fatal(1, "%m: depth must be 1 (four-parts splitting) or 2 (deep)");
  end
  if (Units < 3 || Units > 4) begin : g_bad_units
    $fatal(1, "%m: the half-length multipliers must be 4 or 3");
  end

  // Zeroize: long-lived registers are cleared, zeros are shifted through all others, and the rows
  // of the queue are cleared one by one.
  localparam int unsigned SweepCycles = 32;
  localparam int unsigned SweepBits = $clog2(SweepCycles);
  logic clear, cfg_we, setup, setup_done, loaded, idle, front_busy;
  logic load_we, load_complete, pending_q, take, available, out_of_range, reject, release_bank;
  logic [SweepBits-1:0] sweep;
  logic [QueueRowBits-1:0] clear_row;
  logic [WordCountBits-1:0] cfg_index, load_index, words;
  logic [BusWidth-1:0] m_word;
  logic [Bits-1:0] m_q, x_q, y_q;
  montcore_error_e cfg_error, reject_error;
  logic unused_cfg_row, unused_cfg_lane, unused_rows, unused_load_row, unused_load_lane;
  logic unused_load_bank, unused_use_bank;
  montcore_front #(
      .Length    (Length),
      .WordBits  (BusWidth),
      .Lanes     (Words),
      .ClearTicks(SweepCycles)
  ) u_front (
      .tick_i        (1'b1),
      .count_i       (1'b0),
      .clear_o       (clear),
      .sweep_o       (sweep),
      .idle_i        (idle),
      .stall_i       (pending_q && !take),
      .defer_i       (1'b0),
      .busy_o        (front_busy),
      .cfg_error_o   (cfg_error),
      .cfg_we_o      (cfg_we),
      .cfg_index_o   (cfg_index),
      .cfg_row_o     (unused_cfg_row),
      .cfg_lane_o    (unused_cfg_lane),
      .setup_o       (setup),
      .setup_done_i  (setup_done),
      .loaded_o      (loaded),
      .words_o       (words),
      .rows_o        (unused_rows),
      .m_word_i      (m_word),
      .load_we_o     (load_we),
      .load_bank_o   (unused_load_bank),
      .load_index_o  (load_index),
      .load_row_o    (unused_load_row),
      .load_lane_o   (unused_load_lane),
      .use_bank_o    (unused_use_bank),
      .available_o   (available),
      .out_of_range_o(out_of_range),
      .reject_o      (reject),
      .reject_error_o(reject_error),
      .release_i     (release_bank),
      .*
  );
  assign cfg_error_o = cfg_error;
  assign clear_row = (sweep < SweepBits'(QueueRows)) ? QueueRowBits'(sweep) : '0;
  assign m_word = (load_index == 0) ? m_q[BusWidth-1:0] : m_q[Bits-1:BusWidth];

  // The datapath samples a pair in the cycle in which it releases it, so that one buffer suffices:
  // until then the next pair waits. The first beat of a number clears its upper half.
  assign take = release_bank && !reject;
  assign load_complete = load_we && loaded && load_index == words - 1 && x_last_i && y_last_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) pending_q <= 1'b0;
    else pending_q <= load_complete || (pending_q && !take);
  end

  // The staged datapath has the same cycles as that of the paper; it has blocks for factors of up
  // to 54 bits, and digits that are longer than the excess of a sum.
  localparam bit Staged = PaperSchedule && Tech == montcore_pkg::TechMult18 && Depth == 1 &&
      Bits >= 32 && Bits <= 4 * 53;

  // With it, control signals of wide registers come from few levels of logic, since their wires are
  // long: the clear of the data begins a cycle late, but ends in time for a modulus that waits, and
  // a number's upper half is zero for as long as the modulus has one beat.
  logic clear_data;
  if (Staged) begin : g_late
    (* keep *) logic clear_q, short_q;
    always_ff @(posedge clk_i) begin
      clear_q <= clear && rst_ni && sweep != SweepBits'(SweepCycles - 1);
      short_q <= clear || words == WordCountBits'(1);
    end
    assign clear_data = clear_q;
    always_ff @(posedge clk_i) begin
      if (clear_q) begin
        x_q[BusWidth-1:0] <= '0;
        y_q[BusWidth-1:0] <= '0;
      end else if (load_we && load_index == 0) begin
        x_q[BusWidth-1:0] <= x_data_i;
        y_q[BusWidth-1:0] <= y_data_i;
      end
      if (short_q) begin
        x_q[Bits-1:BusWidth] <= '0;
        y_q[Bits-1:BusWidth] <= '0;
      end else if (load_we && load_index != 0) begin
        x_q[Bits-1:BusWidth] <= x_data_i;
        y_q[Bits-1:BusWidth] <= y_data_i;
      end
    end
  end else begin : g_now
    assign clear_data = clear;
    always_ff @(posedge clk_i) begin
      if (clear) begin
        x_q <= '0;
        y_q <= '0;
      end else if (load_we && load_index == 0) begin
        x_q <= Bits'(x_data_i);
        y_q <= Bits'(y_data_i);
      end else if (load_we) begin
        x_q[Bits-1:BusWidth] <= x_data_i;
        y_q[Bits-1:BusWidth] <= y_data_i;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_data) m_q <= '0;
    else if (cfg_we && cfg_index == 0) m_q <= Bits'(cfg_data_i);
    else if (cfg_we) m_q[Bits-1:BusWidth] <= cfg_data_i;
  end

  // Datapath and output queue.
  logic room, queue_idle, reserve, write, z_valid, start, done;
  logic [2:0] result_error;
  logic [Bits-1:0] result;

  if (PaperSchedule) begin : g_paper
    logic engine_busy;
    montcore_karatsuba_paper #(
        .Bits  (Bits),
        .Depth (Depth),
        .Style (Style),
        .Staged(Staged)
    ) u_paper (
        .clk_i,
        .rst_ni,
        .clear_i       (clear),
        .m_i           (m_q),
        .setup_i       (setup),
        .setup_done_o  (setup_done),
        .x_i           (x_q),
        .y_i           (y_q),
        .available_i   (available),
        .reject_i      (reject),
        .reject_error_i(reject_error),
        .out_of_range_i(out_of_range),
        .release_o     (release_bank),
        .room_i        (room),
        .busy_o        (engine_busy),
        .start_o       (start),
        .write_o       (write),
        .error_o       (result_error),
        .z_o           (result),
        .done_o        (done)
    );
    assign reserve = write;
    assign idle = queue_idle && !engine_busy;
  end else begin : g_fast
    montcore_karatsuba_fast #(
        .Half (BusWidth),
        .Units(Units),
        .Depth(Depth),
        .Style(Style)
    ) u_fast (
        .clk_i,
        .rst_ni,
        .clear_i       (clear),
        .m_i           (m_q),
        .setup_i       (setup),
        .setup_done_o  (setup_done),
        .x_i           (x_q),
        .y_i           (y_q),
        .available_i   (available),
        .reject_i      (reject),
        .reject_error_i(reject_error),
        .out_of_range_i(out_of_range),
        .release_o     (release_bank),
        .room_i        (room),
        .idle_i        (queue_idle),
        .reserve_o     (reserve),
        .start_o       (start),
        .write_o       (write),
        .error_o       (result_error),
        .z_o           (result),
        .done_o        (done)
    );
    assign idle = queue_idle;
  end

  montcore_karatsuba_queue #(
      .Rows (QueueRows),
      .Half (BusWidth),
      .Words(Words)
  ) u_queue (
      .clk_i,
      .rst_ni,
      .clear_i    (clear_data),
      .clear_row_i(clear_row),
      .words_i    (words),
      .reserve_i  (reserve),
      .room_o     (room),
      .idle_o     (queue_idle),
      .write_i    (write),
      .error_i    (result_error),
      .z_i        (result),
      .z_valid_o  (z_valid),
      .z_ready_i,
      .z_data_o,
      .z_last_o,
      .z_error_o
  );

  // In the first cycle of zeroize the output registers still hold a result: it is masked.
  assign z_valid_o = z_valid && !clear;
  assign core_start_o = start && !clear;
  assign core_done_o = done && !clear;
  assign busy_o = front_busy || !idle;
endmodule
