// SPDX-License-Identifier: Apache-2.0

/// The table of powers, and the chosen one, which is multiplied next.
///
/// chosen := power digit_i
/// Precondition: chosen_we_i is not used, and chosen_o not read, while a choice is in progress.
/// Latency: a choice takes 2 + beats_i * 2^(Window - 1) cycles (constant_i), else 2 + beats_i.
/// With constant_i all powers are read in the same order for every digit; the wrong ones are
/// masked. Two memories hold the even and the odd powers, so that two powers are read at a time.
/// Example, Window = 2, powers (1, 5, 8, 3), digit_i = 2: chosen = 8 after 2 + 2 beats_i cycles.
module montcore_modexp_table #(
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned Beats = 16,  // Beats of a number at the built width.
    parameter int unsigned Window = 5,  // Window width in bits.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned BeatBits = $clog2(Beats + 1),
    localparam int unsigned AddrBits = (Beats > 1) ? $clog2(Beats) : 1,
    localparam int unsigned Rows = Beats * 2 ** (Window - 1),  // Rows of each memory.
    localparam int unsigned SweepBits = $clog2(Rows + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; memories are cleared row by row.
    input logic [SweepBits-1:0] sweep_i,  // Memory row to clear, valid with clear_i.
    input logic [BeatBits-1:0] beats_i,  // Beats of a power at the present length.
    input logic we_i,  // Write enable of a beat of a power.
    input logic [Window-1:0] power_i,  // Index of the power to write.
    input logic chosen_we_i,  // Write enable of a beat of the chosen power.
    input logic [BeatBits-1:0] index_i,  // Index of the beat that is written, of either.
    input logic [Width-1:0] data_i,  // Beat of a power to write, valid with we_i.
    input logic [Width-1:0] chosen_i,  // Beat of the chosen power to write; zero if there is none.
    input logic [BeatBits-1:0] next_i,  // Index of the beat of the chosen power to read.
    input logic choose_i,  // Pulse: start a choice.
    /// 1: the same time and order of accesses for every digit; with choose_i.
    input logic constant_i,
    input logic [Window-1:0] digit_i,  // Index of the power to choose, with choose_i.
    output logic busy_o,  // High while a choice is in progress.
    output logic [Width-1:0] chosen_o  // Beat of the chosen power, next_i of the cycle before.
);
  localparam int unsigned HalfBits = Window - 1;
  localparam int unsigned RowBits = $clog2(Rows);

  logic run_q, valid_q, last_q, step_last, all_last, constant_q, first_q;
  logic [Window-1:0] digit_q;
  logic [HalfBits-1:0] half_q, half_read_q;
  logic [BeatBits-1:0] beat_q, beat_read_q;
  logic [Width-1:0] even, odd, hit, sum_q, sum;
  logic [RowBits-1:0] waddr, raddr;
  logic sweep, sweep_chosen;

  assign step_last = !constant_q || half_q == '1;
  assign all_last = step_last && beat_q == beats_i - 1;
  assign sweep = clear_i && sweep_i < SweepBits'(Rows);
  assign sweep_chosen = clear_i && sweep_i < SweepBits'(Beats);
  assign waddr = clear_i ? RowBits'(sweep_i) : RowBits'({AddrBits'(index_i), power_i[Window-1:1]});
  assign raddr = RowBits'({AddrBits'(beat_q), half_q});

  montcore_block_ram #(
      .Rows (Rows),
      .Width(Width),
      .Apart(1'b1),
      .Tech (Tech)
  ) u_even (
      .clk_i,
      .we_i   ((we_i && !power_i[0]) || sweep),
      .waddr_i(waddr),
      .wdata_i(clear_i ? '0 : data_i),
      .raddr_i(raddr),
      .rdata_o(even)
  );
  montcore_block_ram #(
      .Rows (Rows),
      .Width(Width),
      .Apart(1'b1),
      .Tech (Tech)
  ) u_odd (
      .clk_i,
      .we_i   ((we_i && power_i[0]) || sweep),
      .waddr_i(waddr),
      .wdata_i(clear_i ? '0 : data_i),
      .raddr_i(raddr),
      .rdata_o(odd)
  );

  // A beat of the chosen power is the OR of all powers' masked beats.
  assign hit = (digit_q[0] ? odd : even) & {Width{half_read_q == digit_q[Window-1:1]}};
  assign sum = hit | (first_q ? '0 : sum_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q   <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      valid_q <= run_q;
      if (choose_i) run_q <= 1'b1;
      else if (all_last) run_q <= 1'b0;
    end
    if (clear_i) begin
      digit_q     <= '0;
      sum_q       <= '0;
      half_q      <= '0;
      beat_q      <= '0;
      half_read_q <= '0;
    end else begin
      if (choose_i) begin
        digit_q    <= digit_i;
        constant_q <= constant_i;
        half_q     <= constant_i ? '0 : digit_i[Window-1:1];
        beat_q     <= '0;
      end else if (run_q) begin
        if (constant_q) half_q <= half_q + 1;
        if (step_last) beat_q <= beat_q + 1;
      end
      half_read_q <= half_q;
      sum_q       <= sum;
    end
    beat_read_q <= beat_q;
    last_q      <= step_last;
    first_q     <= !constant_q || half_q == '0;
  end
  assign busy_o = run_q || valid_q;

  // At least two rows, the minimum of a block RAM.
  localparam int unsigned ChosenRows = (Beats > 1) ? Beats : 2;
  montcore_block_ram #(
      .Rows (ChosenRows),
      .Width(Width),
      .Apart(1'b1),
      .Tech (Tech)
  ) u_chosen (
      .clk_i,
      .we_i   (chosen_we_i || (valid_q && last_q) || sweep_chosen),
      .waddr_i(clear_i ? AddrBits'(sweep_i) : AddrBits'(valid_q ? beat_read_q : index_i)),
      .wdata_i(({Width{valid_q && !clear_i}} & sum) | chosen_i),
      .raddr_i(AddrBits'(next_i)),
      .rdata_o(chosen_o)
  );
  logic unused_counts;  // counts reach one more than the last index
  assign unused_counts = ^{next_i, index_i};
endmodule
