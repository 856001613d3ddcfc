// SPDX-License-Identifier: Apache-2.0

/// The exponentiator's memories: exponent, base, m and R^2; the table of powers; the chosen number.
/// Also the adder between the last two, and the selection of the multiplier's operands.
///
/// x, y: at most one source each, as operands_i says; sum_o = chosen number, doubled or not, -+ m
/// Precondition: at most one writer of each memory in a cycle.
/// Latency: data read was addressed in the cycle before: next_index_i of that cycle is index_i.
/// Example: operands_i.x_result and y_chosen: x_o = result_i, y_o = the chosen number's beat.
module montcore_modexp_store
  import montcore_modexp_pkg::*;
#(
    parameter int unsigned Width = 34,  // Bits of a beat, 16 or more.
    /// Width of a beat of operands and results in bits; a number is in the low Width of them.
    parameter int unsigned OperandWidth = Width,
    parameter int unsigned Beats = 17,  // Beats of the multiplier's operands at the built width.
    parameter int unsigned Window = 5,  // Window width in bits, 2 or more.
    /// 1: sums are written to the chosen number a cycle late, through a register. A number must then have
    /// two beats or more.
    parameter bit LateSums = 1'b0,
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: clear everything, the modulus included.
    input logic wipe_i,  // Pulse: clear all data that depends on x or e.
    input logic mul_busy_i,  // High while the multiplier is busy; clearing waits for it.
    output logic mul_zeroize_o,  // Pulse: zeroize the multiplier.
    output logic clear_o,  // High while data that depends on x or e is cleared.
    output logic forget_o,  // High while all registers are cleared, including the modulus's.
    /// Write enables for a beat of a packet: [0] store, [1] chosen number.
    input logic [1:0] packet_we_i,
    /// Beat of the store to write; equal to index_i during a transfer.
    input logic [BeatBits-1:0] store_index_i,
    /// Beat to write to the store; 0 if no packet is received.
    input logic [Width-1:0] store_data_i,
    /// Beat of the chosen number to write; equal to index_i during a transfer.
    input logic [BeatBits-1:0] chosen_index_i,
    /// Beat to write to the chosen number; 0 if no packet is received.
    input logic [Width-1:0] chosen_data_i,
    input route_t route_i,  // Destinations of the beats of a transfer.
    input transfer_t transfer_i,  // Source of the beats of a transfer.
    input operands_t operands_i,  // Sources of the multiplier's operands, at most one for each.
    input logic [BeatBits-1:0] beats_i,  // Beats of a number at the present length.
    /// Index of the beat transferred in this cycle; with route_i.shifted one moves in every cycle.
    input logic [BeatBits-1:0] index_i,
    /// Index of the beat transferred in the next cycle: the read address.
    input logic [BeatBits-1:0] next_index_i,
    input logic [BeatBits-1:0] e_beat_i,  // Beat of the exponent to read for the next cycle.
    input logic [Window-1:0] power_index_i,  // Index of the table entry to write.
    input logic choose_i,  // Pulse: copy the table entry digit_i to the chosen number.
    input logic [Window-1:0] digit_i,  // Table entry to choose; valid with choose_i.
    output logic table_busy_o,  // High while a table entry is copied to the chosen number.
    input logic [OperandWidth-1:0] result_i,  // Beat of the multiplier's result, index index_i.
    output logic [OperandWidth-1:0] x_o,  // Beat of the multiplier's operand x.
    output logic [OperandWidth-1:0] y_o,  // Beat of the multiplier's operand y.
    output logic [Width-1:0] stored_o,  // Beat read from the store, the low Width bits.
    output logic [Width-1:0] sum_o,  // Beat of the adder's sum.
    /// High: the last sum is negative; valid in the cycle after its last beat.
    output logic negative_o
);
  localparam int unsigned AddrBits = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int unsigned StoreRows = 4 * 2 ** AddrBits;
  localparam int unsigned StoreBits = $clog2(StoreRows);
  localparam int unsigned TableRows = Beats * 2 ** (Window - 1);
  localparam int unsigned TableSweepBits = $clog2(TableRows + 1);

  logic clear, sweep_store, table_we, chosen_we, store_we, sum_we;
  logic [OperandWidth-1:0] chosen, chosen_wdata, stored, store_wdata;
  logic [Width-1:0] chosen_number, modulus, written_sum;
  logic [BeatBits-1:0] written_index;
  logic [AddrBits-1:0] write_index, read_index;

  // ---- clearing --------------------------------------------------------------------------------
  // zeroize_i and reset clear everything. A wipe, the end of a request, clears the exponent, the base,
  // the table, the chosen power and the whole multiplier; the modulus and R^2 are kept. clear is high
  // for 1 + rows cycles, and until mul_busy_i is low. The first half of the store holds secrets; the
  // table is swept if powers were written since the last clear.
  localparam int unsigned SecretRows = StoreRows / 2;
  localparam int unsigned PowerRows = (TableRows > SecretRows) ? TableRows : SecretRows;
  localparam int unsigned AllRows = (TableRows > StoreRows) ? TableRows : StoreRows;
  localparam int unsigned SweepBits = $clog2(AllRows + 1);

  logic clear_q, all_q, table_q, reset_q;
  logic [SweepBits-1:0] row_q, rows, sweep;

  assign rows = all_q ? SweepBits'(AllRows) :
      table_q ? SweepBits'(PowerRows) : SweepBits'(SecretRows);
  always_ff @(posedge clk_i) begin
    // A reset does not erase powers that were written before it.
    reset_q <= !rst_ni;
    if (!rst_ni) begin
      clear_q <= 1'b1;
      all_q   <= 1'b1;
      table_q <= 1'b0;
      row_q   <= '0;
    end else if (zeroize_i || wipe_i) begin
      clear_q <= 1'b1;
      all_q   <= zeroize_i;
      row_q   <= '0;
    end else if (clear_q) begin
      if (row_q != rows) begin
        row_q <= row_q + 1;
      end else if (!mul_busy_i) begin
        clear_q <= 1'b0;
        table_q <= 1'b0;
      end
    end else if (table_we) begin
      table_q <= 1'b1;
    end
  end

  assign mul_zeroize_o = zeroize_i || wipe_i || reset_q;
  assign clear = clear_q;
  assign forget_o = zeroize_i || (clear_q && all_q);
  assign sweep = row_q;
  assign sweep_store = clear_q && row_q < (all_q ? SweepBits'(StoreRows) : SweepBits'(SecretRows));
  assign clear_o = clear;

  // ---- the store -------------------------------------------------------------------------------
  assign store_we = packet_we_i[0] || sweep_store ||
                    (transfer_i.move && (route_i.to_store || route_i.chosen_to_store));
  assign store_wdata = OperandWidth'(store_data_i) | (result_i & {OperandWidth{route_i.to_store}}) |
                       (chosen & {OperandWidth{route_i.chosen_shown}});
  assign write_index = AddrBits'(store_index_i);
  // Shifted by a beat: the next one's index minus 1 is that of the beat that moves now.
  assign read_index = (route_i.read_region == RegionExponent) ? AddrBits'(e_beat_i) :
      route_i.shifted ? AddrBits'(index_i) : AddrBits'(next_index_i);
  assign modulus = stored[Width-1:0] & ~{Width{route_i.shifted && transfer_i.first}};
  logic unused_counts;  // counts reach one more than the last index
  assign unused_counts = ^{store_index_i, index_i, e_beat_i};
  montcore_block_ram #(
      .Rows (StoreRows),
      .Width(OperandWidth),
      .Apart(1'b1),
      .Tech (Tech)
  ) u_ram (
      .clk_i,
      .we_i   (store_we),
      .waddr_i(clear ? StoreBits'(sweep) : {route_i.write_region, write_index}),
      .wdata_i(store_wdata),
      .raddr_i({route_i.read_region, read_index}),
      .rdata_o(stored)
  );
  assign stored_o = stored[Width-1:0];

  // ---- the table and the chosen number ---------------------------------------------------------
  assign table_we = transfer_i.move && route_i.to_table;
  // The sum of a beat, or its register: on an FPGA the path from memory through the adder to memory is
  // the longest one. A beat that is written late is read again two cycles later at the earliest,
  // since the first beat of the next pass takes a cycle; nothing else is written in that cycle.
  if (LateSums) begin : g_late
    logic sum_we_q;
    logic [BeatBits-1:0] index_q;
    logic [Width-1:0] sum_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear || forget_o) begin
        sum_we_q <= 1'b0;
        sum_q    <= '0;
      end else begin
        sum_we_q <= transfer_i.move && route_i.sum_to_chosen;
        sum_q    <= sum_o & {Width{route_i.sum_to_chosen}};
      end
      index_q <= index_i;
    end
    assign sum_we = sum_we_q;
    assign written_sum = sum_q & {Width{sum_we_q}};
    assign written_index = sum_we_q ? index_q : chosen_index_i;
  end else begin : g_at_once
    assign sum_we = transfer_i.move && route_i.sum_to_chosen;
    assign written_sum = sum_o & {Width{route_i.sum_to_chosen}};
    assign written_index = chosen_index_i;
  end
  assign chosen_we = packet_we_i[1] || sum_we ||
                     (transfer_i.move && (route_i.to_chosen || route_i.seed_to_chosen));
  assign chosen_number = written_sum | chosen_data_i | Width'(transfer_i.seed);
  assign chosen_wdata = (result_i & {OperandWidth{route_i.to_chosen}}) |
                        OperandWidth'(chosen_number);
  montcore_modexp_table #(
      .Width (OperandWidth),
      .Beats (Beats),
      .Window(Window),
      .Tech  (Tech)
  ) u_table (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .sweep_i    ((sweep < SweepBits'(TableRows)) ? TableSweepBits'(sweep)
                                                   : TableSweepBits'(TableRows)),
      .beats_i,
      .we_i(table_we),
      .power_i(power_index_i),
      .chosen_we_i(chosen_we),
      .index_i(written_index),
      .data_i(result_i),
      .chosen_i(chosen_wdata),
      .next_i(next_index_i),
      .choose_i,
      .constant_i(route_i.blind),
      .digit_i,
      .busy_o(table_busy_o),
      .chosen_o(chosen)
  );

  montcore_modexp_adder #(
      .Width(Width)
  ) u_adder (
      .clk_i,
      .rst_ni,
      .clear_i   (clear),
      .step_i    (transfer_i.move),
      .first_i   (transfer_i.first),
      .last_i    (transfer_i.last),
      .double_i  (route_i.doubling),
      .subtract_i(route_i.subtracting),
      .v_i       (chosen[Width-1:0]),
      .m_i       (modulus),
      .sum_o,
      .negative_o
  );

  // ---- the multiplier's operands ---------------------------------------------------------------
  // At most one source is selected: AND-OR logic takes fewer tables than a multiplexer.
  assign x_o = (result_i & {OperandWidth{operands_i.x_result}}) |
               (chosen & {OperandWidth{operands_i.x_chosen}}) |
               (stored & {OperandWidth{operands_i.x_stored}}) |
               OperandWidth'(operands_i.x_one && transfer_i.first);
  assign y_o = (result_i & {OperandWidth{operands_i.y_result}}) |
               (chosen & {OperandWidth{operands_i.y_chosen}}) |
               (stored & {OperandWidth{operands_i.y_stored}}) |
               OperandWidth'(operands_i.y_factor && transfer_i.factor);
endmodule
