// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_ecc_table`.
///
/// Two tables get the same commands, with different contents and different entries to look up.
/// a_address: both read the same rows in the same cycles.
/// a_state: both are busy and done in the same cycles, with the same element.
/// a_valid: both output rows in the same cycles, with the same row index.
/// a_ends: a look-up of one element of two rows takes at most 33 cycles without back-pressure.
module ecc_table_proof
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Width = 1,  // Row width in bits.
    parameter int unsigned Rows  = 2   // Rows of an element.
) (
    input logic clk_i,
    input logic last_row_i,  // Index of the last row in use, constant.
    input logic we_i,  // Write enable of a row, common to both tables.
    input logic [1:0] we_slot_i,  // Write address: element.
    input logic we_row_i,  // Write address: row of the element.
    input logic [3:0] we_entry_i,  // Write address: entry of the element.
    input logic [1:0][Width-1:0] data_i,  // Write data, one word per table.
    input logic start_i,  // Pulse: start a look-up.
    input logic [1:0] slot_i,  // First element to look up, sampled with start_i.
    input logic [1:0] count_i,  // Number of elements minus 1, sampled with start_i.
    input logic [1:0][3:0] index_i,  // Entry to look up, one per table, sampled with start_i.
    input logic ready_i  // Output ready, common to both tables.
);
  logic run_q = 1'b0;
  logic row_q, last_row;
  look_t [1:0] state;
  logic [1:0] valid, row;
  logic [1:0][7:0] raddr;
  logic [1:0][Width-1:0] unused_out;
  logic [5:0] cycles_q = 6'd0;
  logic [1:0] count_q;
  logic waited_q;

  assign last_row = run_q ? row_q : last_row_i;
  always_comb begin
    m_start : assume (!start_i || (run_q && !state[0].busy));
    m_slots : assume (3'(slot_i) + 3'(count_i) < 3'd7 && count_i != 2'd3);
  end

  for (genvar k = 0; k < 2; k++) begin : g_table
    montcore_ecc_table #(
        .Width(Width),
        .Rows (Rows)
    ) u_dut (
        .rst_ni     (run_q),
        .clear_i    (1'b0),
        .sweep_i    (1'b0),
        .sweep_row_i('0),
        .last_row_i (last_row),
        .we_slot_i  (3'(we_slot_i)),
        .data_i     (data_i[k]),
        .slot_i     (3'(slot_i)),
        .count_i    ((`MUTANT && index_i[k] == 4'd9) ? 2'd0 : count_i),
        .index_i    (index_i[k]),
        .state_o    (state[k]),
        .out_valid_o(valid[k]),
        .out_ready_i(ready_i),
        .out_row_o  (row[k]),
        .out_o      (unused_out[k]),
        .*
    );
    assign raddr[k] = 8'(u_dut.u_ram.raddr_i);
  end

  always_ff @(posedge clk_i) begin
    run_q <= 1'b1;
    row_q <= last_row;
    if (start_i) begin
      cycles_q <= 6'd0;
      count_q  <= count_i;
      waited_q <= 1'b0;
    end else begin
      if (cycles_q != '1) cycles_q <= cycles_q + 1'b1;
      if (!ready_i) waited_q <= 1'b1;
    end
  end
  always_comb begin
    if (run_q) begin
      a_address : assert (raddr[0] == raddr[1]);
      a_state : assert (state[0] == state[1]);
      a_valid : assert (valid[0] == valid[1] && row[0] == row[1]);
      if (state[0].busy && count_q == 2'd0 && !waited_q) a_ends : assert (cycles_q <= 6'd33);
    end
  end
endmodule
