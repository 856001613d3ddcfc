// SPDX-License-Identifier: Apache-2.0

/// The exponentiator's memories: exponent, base, m and R^2; the table of powers; the chosen number.
/// With them the adder between the last two, and the choice of the multiplier's operands.
///
/// x, y: at most one source each, as operands_i says; sum_o = chosen number, doubled or not, -+ m
/// Precondition: at most one writer of each memory in a cycle.
/// Latency: what is read was addressed in the cycle before: next_index_i of that cycle is index_i.
/// Example: operands_i.x_result and y_chosen: x_o = result_i, y_o = the chosen number's beat.
module montcore_modexp_store
  import montcore_modexp_pkg::*;
#(
    /// Bits of a beat, 16 or more.
    parameter int unsigned Width = 34,
    /// Bits of a beat of operands and results; a number is in the low Width of them, below zeros.
    parameter int unsigned OperandWidth = Width,
    /// Beats of the multiplier's operands at the built width.
    parameter int unsigned Beats = 17,
    /// Window in bits, 2 or more.
    parameter int unsigned Window = 5,
    /// Technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    /// Bits of a beat count (do not change).
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    /// Clock, rising edge.
    input  logic                         clk_i,
    /// Synchronous reset, active low.
    input  logic                         rst_ni,
    /// Pulse: clear everything.
    input  logic                         zeroize_i,
    /// Pulse: clear all that depends on x or e.
    input  logic                         wipe_i,
    /// The multiplier is busy; clearing waits until it is not.
    input  logic                         mul_busy_i,
    /// Zeroize the multiplier.
    output logic                         mul_zeroize_o,
    /// Everything that depends on x or e is being cleared.
    output logic                         clear_o,
    /// All registers are cleared, the modulus's included.
    output logic                         forget_o,
    /// Write enables for a beat of a packet: [0] into the store, [1] into the chosen number.
    input  logic      [             1:0] packet_we_i,
    /// Beat of the store to write; equal to index_i during a transfer.
    input  logic      [    BeatBits-1:0] store_index_i,
    /// Beat to write into the store; 0 if no packet is coming in.
    input  logic      [       Width-1:0] store_data_i,
    /// Beat of the chosen number to write; equal to index_i during a transfer.
    input  logic      [    BeatBits-1:0] chosen_index_i,
    /// Beat to write into the chosen number; 0 if no packet is coming in.
    input  logic      [       Width-1:0] chosen_data_i,
    /// Destinations of the beats of a transfer.
    input  route_t                       route_i,
    /// Source of the beats of a transfer.
    input  transfer_t                    transfer_i,
    /// Sources of the multiplier's operands, one at most for each.
    input  operands_t                    operands_i,
    /// Beats of a number at the length in force.
    input  logic      [    BeatBits-1:0] beats_i,
    /// Beat that is transferred in this cycle.
    input  logic      [    BeatBits-1:0] index_i,
    /// Beat that is transferred in the next cycle: the address of every read.
    input  logic      [    BeatBits-1:0] next_index_i,
    /// Beat of the exponent to read for the next cycle.
    input  logic      [    BeatBits-1:0] e_beat_i,
    /// Table entry to write.
    input  logic      [      Window-1:0] power_index_i,
    /// Pulse: copy the table entry digit_i into the chosen number.
    input  logic                         choose_i,
    /// Table entry to choose; valid with choose_i.
    input  logic      [      Window-1:0] digit_i,
    /// A table entry is being copied into the chosen number.
    output logic                         table_busy_o,
    /// Beat whose lowest bit is 1 in the factor that converts out of the Montgomery domain.
    input  logic      [    BeatBits-1:0] leave_i,
    /// Beat of the multiplier's result.
    input  logic      [OperandWidth-1:0] result_i,
    /// Beat of the multiplier's x.
    output logic      [OperandWidth-1:0] x_o,
    /// Beat of the multiplier's y.
    output logic      [OperandWidth-1:0] y_o,
    /// Beat of the store, as that of a number.
    output logic      [       Width-1:0] stored_o,
    /// Beat of the sum.
    output logic      [       Width-1:0] sum_o,
    /// The last sum is negative; valid in the cycle after its last beat.
    output logic                         negative_o
);
  localparam int unsigned AddrBits = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int unsigned StoreRows = 4 * 2 ** AddrBits;
  localparam int unsigned StoreBits = $clog2(StoreRows);
  localparam int unsigned TableRows = Beats * 2 ** (Window - 1);
  localparam int unsigned TableSweepBits = $clog2(TableRows + 1);
  localparam int unsigned SweepBits = $clog2(((TableRows > StoreRows) ? TableRows : StoreRows) + 1);

  logic clear, sweep_store, table_we, chosen_we, store_we;
  logic [SweepBits-1:0] sweep;
  logic [OperandWidth-1:0] chosen, chosen_wdata, stored, store_wdata;
  logic [Width-1:0] chosen_number;
  logic [AddrBits-1:0] write_index, read_index;

  montcore_modexp_clear #(
      .StoreRows(StoreRows),
      .TableRows(TableRows)
  ) u_clear (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .zeroize_i    (zeroize_i),
      .wipe_i       (wipe_i),
      .power_we_i   (table_we),
      .mul_busy_i   (mul_busy_i),
      .mul_zeroize_o(mul_zeroize_o),
      .clear_o      (clear),
      .forget_o     (forget_o),
      .row_o        (sweep),
      .store_we_o   (sweep_store)
  );
  assign clear_o = clear;

  // ---- the store -------------------------------------------------------------------------------
  assign store_we = packet_we_i[0] || sweep_store ||
                    (transfer_i.move && (route_i.to_base || route_i.chosen_to_store));
  assign store_wdata = OperandWidth'(store_data_i) | (result_i & {OperandWidth{route_i.to_base}}) |
                       (chosen & {OperandWidth{route_i.chosen_shown}});
  assign write_index = AddrBits'(store_index_i);
  assign read_index = (route_i.read_region == RegionExponent) ? AddrBits'(e_beat_i) :
      AddrBits'(next_index_i);
  logic unused_counts;  // counts reach one beyond the last index
  assign unused_counts = ^{store_index_i, e_beat_i};
  montcore_block_ram #(
      .Rows (StoreRows),
      .Width(OperandWidth),
      .Tech (Tech)
  ) u_ram (
      .clk_i  (clk_i),
      .we_i   (store_we),
      .waddr_i(clear ? StoreBits'(sweep) : {route_i.write_region, write_index}),
      .wdata_i(store_wdata),
      .raddr_i({route_i.read_region, read_index}),
      .rdata_o(stored)
  );
  assign stored_o = stored[Width-1:0];

  // ---- the table and the chosen number ---------------------------------------------------------
  assign table_we = transfer_i.move && route_i.to_table;
  assign chosen_we = packet_we_i[1] ||
                     (transfer_i.move &&
                      (route_i.to_chosen || route_i.sum_to_chosen || route_i.seed_to_chosen));
  assign chosen_number = (sum_o & {Width{route_i.sum_to_chosen}}) | chosen_data_i |
                         Width'(transfer_i.seed);
  assign chosen_wdata = (result_i & {OperandWidth{route_i.to_chosen}}) |
                        OperandWidth'(chosen_number);
  montcore_modexp_table #(
      .Width (OperandWidth),
      .Beats (Beats),
      .Window(Window),
      .Tech  (Tech)
  ) u_table (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .clear_i(clear),
      .sweep_i    ((sweep < SweepBits'(TableRows)) ? TableSweepBits'(sweep)
                                                   : TableSweepBits'(TableRows)),
      .beats_i(beats_i),
      .we_i(table_we),
      .power_i(power_index_i),
      .chosen_we_i(chosen_we),
      .index_i(chosen_index_i),
      .data_i(result_i),
      .chosen_i(chosen_wdata),
      .next_i(next_index_i),
      .choose_i(choose_i),
      .constant_i(route_i.blind),
      .digit_i(digit_i),
      .busy_o(table_busy_o),
      .chosen_o(chosen)
  );

  montcore_modexp_adder #(
      .Width(Width)
  ) u_adder (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .clear_i   (clear),
      .step_i    (transfer_i.move),
      .first_i   (transfer_i.first),
      .last_i    (transfer_i.last),
      .double_i  (route_i.doubling),
      .subtract_i(route_i.subtracting),
      .v_i       (chosen[Width-1:0]),
      .m_i       (stored[Width-1:0]),
      .sum_o     (sum_o),
      .negative_o(negative_o)
  );

  // ---- the multiplier's operands ---------------------------------------------------------------
  // One at most is let through: AND and OR take fewer tables than a choice.
  assign x_o = (result_i & {OperandWidth{operands_i.x_result}}) |
               (chosen & {OperandWidth{operands_i.x_chosen}}) |
               (stored & {OperandWidth{operands_i.x_stored}}) |
               OperandWidth'(operands_i.x_one && transfer_i.first);
  assign y_o = (result_i & {OperandWidth{operands_i.y_result}}) |
               (chosen & {OperandWidth{operands_i.y_chosen}}) |
               (stored & {OperandWidth{operands_i.y_stored}}) |
               OperandWidth'(operands_i.y_leave && index_i == leave_i);
endmodule
