// SPDX-License-Identifier: Apache-2.0

/// Queue of rows whose length is set at run time.
///
/// head_o = the row that was pushed length_i moves ago, next_o = word 0 of the one after it.
/// Precondition: 1 <= length_i <= MaxRows, constant between the pushes that matter.
/// Latency: 1 (a row pushed with length_i = 1 is the head in the next cycle).
/// A short queue is a shift register whose rows enter at position length_i - 1; a long one is a
/// memory read ahead into two registers, so that the memory is not in the path of the sums.
/// Example, length_i = 2: push A, B, C -> head_o = B, next_o = word 0 of C.
module montcore_smm_row_queue #(
    parameter int unsigned NumPe = 4,  // Words of a row.
    parameter int unsigned WordBits = 35,
    parameter int unsigned MaxRows = 2,  // Maximum length of the queue in rows.
    localparam int unsigned LengthBits = $clog2(MaxRows + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [LengthBits-1:0] length_i,  // Present length of the queue in rows.
    input logic move_i,  // High: push row_i and move all other rows.
    input logic [NumPe-1:0][WordBits-1:0] row_i,  // Row to push, valid with move_i.
    output logic [NumPe-1:0][WordBits-1:0] head_o,  // Oldest row of the queue.
    /// Word 0 of the row after head_o (undefined for length_i = 1).
    output logic [WordBits-1:0] next_o,
    output logic [NumPe-1:0][WordBits-1:0] after_o  // What head_o becomes when row_i is pushed.
);
  // As in montcore_ram: below eight rows a memory macro does not pay. Seven rows use one too: as
  // registers they would cost more than the eighth row.
  localparam int unsigned MinMemoryRows = 7;
  localparam int unsigned Depth = (MaxRows < 8) ? 8 : MaxRows;

  if (MaxRows < MinMemoryRows) begin : g_shift
    logic [MaxRows-1:0][NumPe-1:0][WordBits-1:0] rows_q;
    logic unused_reset;

    assign unused_reset = rst_ni;
    always_ff @(posedge clk_i) begin
      if (move_i) begin
        for (int unsigned i = 0; i < MaxRows; i++) begin
          if (i == MaxRows - 1 || length_i == LengthBits'(i + 1)) rows_q[i] <= row_i;
          else rows_q[i] <= rows_q[(i==MaxRows-1)?i : i+1];
        end
      end
    end
    assign head_o = rows_q[0];
    if (MaxRows > 1) begin : g_next
      assign next_o  = rows_q[1][0];
      assign after_o = (length_i == 1) ? row_i : rows_q[1];
    end else begin : g_no_next
      assign next_o  = '0;
      assign after_o = row_i;
    end
  end else begin : g_memory
    localparam int unsigned AddrBits = $clog2(Depth);
    localparam logic [AddrBits-1:0] LastRow = AddrBits'(Depth - 1);

    // write_q: index of the next row to write. read_q: index of the row pushed length_i - 2 moves
    // ago, which becomes the second oldest with the next move.
    logic [AddrBits-1:0] write_q, write_d, read_q;
    logic [AddrBits:0] read_d;
    logic [NumPe-1:0][WordBits-1:0] head_q, next_q, ahead;

    always_comb begin
      write_d = write_q;
      if (move_i) write_d = (write_q == LastRow) ? '0 : write_q + 1;
      // Computed from a row index one round ahead, so that no value is negative.
      read_d = (AddrBits + 1)'(write_d) + (AddrBits + 1)'(Depth + 2) - (AddrBits + 1)'(length_i);
      if (read_d >= (AddrBits + 1)'(Depth)) read_d = read_d - (AddrBits + 1)'(Depth);
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) write_q <= '0;
      else write_q <= write_d;
      read_q <= read_d[AddrBits-1:0];
      if (move_i) begin
        head_q <= after_o;
        next_q <= (length_i <= 2) ? row_i : ahead;
      end
    end

    montcore_ram #(
        .Rows (Depth),
        .Width(NumPe * WordBits)
    ) u_rows (
        .clk_i,
        .we_i   (move_i),
        .wzero_i(1'b0),
        .waddr_i(write_q),
        .wdata_i(row_i),
        .raddr_i(read_q),
        .rdata_o(ahead)
    );
    assign head_o  = head_q;
    assign next_o  = next_q[0];
    assign after_o = (length_i == 1) ? row_i : next_q;

    logic unused_carry;
    assign unused_carry = read_d[AddrBits];
  end
endmodule
