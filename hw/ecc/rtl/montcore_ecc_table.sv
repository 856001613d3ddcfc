// SPDX-License-Identifier: Apache-2.0

/// The curve engine's tables: 7 elements of 16 entries; a look-up reads every entry, for constant
/// time.
///
/// out = entry index_i of elements first .. first + count - 1; all 16 are read and all but one masked
/// Precondition: we_i is low while a look-up is in progress.
/// Latency: 16 rows + 1 cycles per element, plus stalls by out_ready_i.
/// Elements 0 to 2 hold the base point's multiples, 3 to 5 those of a point, 6 numbers put aside.
/// Example: start_i with slot_i = 3, count_i = 2, index_i = 5: entry 5 of elements 3, 4 and 5.
module montcore_ecc_table
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Width = 64,  // Row width in bits.
    parameter int unsigned Rows = 4,  // Rows of an element at the built width.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1,
    localparam int unsigned Depth = 7 * 16 * Rows,  // Rows of the memory.
    localparam int unsigned AddrBits = $clog2(Depth)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear of the registers, active high.
    input logic sweep_i,  // Clear the memory row sweep_row_i.
    input logic [AddrBits-1:0] sweep_row_i,  // Memory row to clear, valid with sweep_i.
    input logic [RowBits-1:0] last_row_i,  // Index of the last row of an element.
    input logic we_i,  // Write enable of a row.
    input logic [2:0] we_slot_i,  // Write address: element.
    input logic [RowBits-1:0] we_row_i,  // Write address: row of the element.
    input logic [3:0] we_entry_i,  // Write address: entry of the element.
    input logic [Width-1:0] data_i,  // Write data, valid with we_i.
    input logic start_i,  // Pulse: start a look-up.
    input logic [2:0] slot_i,  // First element to look up, sampled with start_i.
    input logic [1:0] count_i,  // Number of elements minus 1, sampled with start_i.
    input logic [3:0] index_i,  // Entry to look up, sampled with start_i.
    output look_t state_o,  // Status of the look-up.
    output logic out_valid_o,  // Output: a row is valid.
    input logic out_ready_i,  // Output: ready, the row is accepted.
    output logic [RowBits-1:0] out_row_o,  // Output: index of the row, valid with out_valid_o.
    output logic [Width-1:0] out_o  // Output: data of the row, valid with out_valid_o.
);
  logic reading_q, fetched_q, whole, step;
  logic [2:0] slot_q, slot_r_q;
  logic [1:0] left_q, element_q, element_r_q;
  logic [RowBits-1:0] row_q, row_r_q;
  logic [3:0] entry_q, entry_r_q, index_q;
  logic [Width-1:0] word, sum_q, sum;

  function automatic logic [AddrBits-1:0] address(logic [2:0] slot, logic [RowBits-1:0] row,
                                                  logic [3:0] entry);
    address = AddrBits'({montcore_pkg::multiple(4'(slot), Rows) + 32'(row), entry});
  endfunction

  montcore_block_ram #(
      .Rows (Depth),
      .Width(Width),
      .Tech (Tech)
  ) u_ram (
      .clk_i,
      .we_i   (we_i || sweep_i),
      .waddr_i(sweep_i ? sweep_row_i : address(we_slot_i, we_row_i, we_entry_i)),
      .wdata_i(sweep_i ? '0 : data_i),
      // A stalled row is read again.
      .raddr_i(step ? address(slot_q, row_q, entry_q) : address(slot_r_q, row_r_q, entry_r_q)),
      .rdata_o(word)
  );

  // A row is complete with its last entry; it is output in that cycle or waits.
  assign whole = fetched_q && entry_r_q == '1;
  assign step  = !whole || out_ready_i;
  assign sum   = ((entry_r_q == '0) ? '0 : sum_q) | (word & {Width{entry_r_q == index_q}});
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      reading_q   <= 1'b0;
      fetched_q   <= 1'b0;
      slot_q      <= '0;
      slot_r_q    <= '0;
      left_q      <= '0;
      element_q   <= '0;
      element_r_q <= '0;
      row_q       <= '0;
      row_r_q     <= '0;
      entry_q     <= '0;
      entry_r_q   <= '0;
      index_q     <= '0;
      sum_q       <= '0;
    end else begin
      if (start_i) begin
        reading_q <= 1'b1;
        slot_q    <= slot_i;
        left_q    <= count_i;
        element_q <= '0;
        row_q     <= '0;
        entry_q   <= '0;
        index_q   <= index_i;
      end
      if (step) begin
        fetched_q <= reading_q;
        if (reading_q) begin
          entry_r_q   <= entry_q;
          slot_r_q    <= slot_q;
          row_r_q     <= row_q;
          element_r_q <= element_q;
          entry_q     <= entry_q + 1'b1;
          if (entry_q == '1) begin
            row_q <= row_q + 1'b1;
            if (row_q == last_row_i) begin
              row_q     <= '0;
              slot_q    <= slot_q + 1'b1;
              element_q <= element_q + 1'b1;
              left_q    <= left_q - 1'b1;
              if (left_q == '0) reading_q <= 1'b0;
            end
          end
        end
        if (fetched_q) sum_q <= sum;
      end
    end
  end
  assign out_valid_o = whole;
  assign out_row_o = row_r_q;
  assign out_o = sum;
  assign state_o.busy = reading_q || fetched_q;
  assign state_o.done = whole && out_ready_i && row_r_q == last_row_i;
  assign state_o.element = element_r_q;
endmodule
