// SPDX-License-Identifier: Apache-2.0

/// Output stage: a queue with room for every product in flight, and the result stream.
///
/// Each entry is sent as one packet of words_i beats, or as one error beat.
/// Precondition: at most Rows products between reserve_i and their last beat, which room_o ensures.
/// Latency: a result written to the empty queue is valid in the next cycle; one beat per cycle.
/// Example, Half = 8, words_i = 2: z = 0x0da3 -> beats 0xa3, 0x0d.
module montcore_karatsuba_queue #(
    parameter int unsigned Rows = 12,  // Number of results that the queue holds.
    parameter int unsigned Half = 128,  // Width of a beat in bits, 3 or more.
    parameter int unsigned Words = 2,  // Beats of a result at the built width, 1 or 2.
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; also clears row clear_row_i.
    input logic [RowBits-1:0] clear_row_i,  // Row to clear, valid with clear_i.
    /// Beats of a result, constant while the queue is not idle.
    input logic [WordCountBits-1:0] words_i,
    input logic reserve_i,  // Pulse: a product starts and needs a row.
    output logic room_o,  // High: another product may start.
    output logic idle_o,  // High: no product is in flight and no result is pending.
    input logic write_i,  // Write enable: a result is complete.
    /// Error code of the result (montcore_error_e), 0 for none; valid with write_i.
    input logic [2:0] error_i,
    input logic [2*Half-1:0] z_i,  // Value of the result, valid with write_i.
    output logic z_valid_o,
    input logic z_ready_i,
    /// Result stream: data, least significant half first, or the error code.
    output logic [Half-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o
);
  localparam int unsigned CountBits = $clog2(Rows + 1);

  // The output has registers of its own. A beat is fetched into them when they are empty or
  // accepted: from the oldest result stored, or from the result being written if none is stored.
  logic [CountBits-1:0] taken_q, stored_q;
  logic [RowBits-1:0] write_row_q, read_row_q, write_row;
  logic valid_q, last_q, error_q, second_q;
  logic [Half-1:0] data_q;
  logic keep, fetch, stored, fetch_error, fetch_last, freed;
  logic [2:0] stored_error, error;
  logic [Half-1:0] low, high;

  assign write_row = clear_i ? clear_row_i : write_row_q;

  if (Rows > 1) begin : g_rows
    montcore_ram #(
        .Rows (Rows),
        .Width(2 * Half)
    ) u_results (
        .clk_i,
        .we_i   (write_i || clear_i),
        .wzero_i(clear_i),
        .waddr_i(write_row),
        .wdata_i(z_i),
        .raddr_i(read_row_q),
        .rdata_o({high, low})
    );
    // A separate memory, so that no result data reaches the logic that decides the length of a
    // packet.
    montcore_ram #(
        .Rows (Rows),
        .Width(3)
    ) u_errors (
        .clk_i,
        .we_i   (write_i || clear_i),
        .wzero_i(clear_i),
        .waddr_i(write_row),
        .wdata_i(error_i),
        .raddr_i(read_row_q),
        .rdata_o(stored_error)
    );
  end else begin : g_one
    // The result is written while the output is empty: only its second beat is ever stored.
    logic [Half-1:0] high_q;
    logic unused_row;
    always_ff @(posedge clk_i) begin
      if (clear_i) high_q <= '0;
      else if (write_i) high_q <= z_i[2*Half-1:Half];
    end
    assign low = '0;
    assign high = high_q;
    assign stored_error = montcore_pkg::ErrNone;
    assign unused_row = ^{write_row, read_row_q};
  end

  assign stored = stored_q != 0;
  assign keep = valid_q && !z_ready_i;
  assign fetch = !keep && (stored || write_i);
  assign error = stored ? stored_error : error_i;
  assign fetch_error = error != montcore_pkg::ErrNone;
  assign fetch_last = fetch_error || second_q || words_i == WordCountBits'(1);
  assign freed = fetch && fetch_last;

  assign z_valid_o = valid_q;
  assign z_data_o = data_q;
  assign z_last_o = last_q;
  assign z_error_o = error_q;
  assign room_o = taken_q != CountBits'(Rows);
  assign idle_o = taken_q == 0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      taken_q     <= '0;
      stored_q    <= '0;
      write_row_q <= '0;
      read_row_q  <= '0;
      second_q    <= 1'b0;
      valid_q     <= 1'b0;
      last_q      <= 1'b0;
      error_q     <= 1'b0;
    end else begin
      taken_q <= taken_q + CountBits'(reserve_i) - CountBits'(valid_q && z_ready_i && last_q);
      // freed, which depends on the memory, only enables.
      if (write_i != freed) stored_q <= write_i ? stored_q + 1 : stored_q - 1;
      valid_q <= keep || fetch;
      if (write_i) write_row_q <= (write_row_q == RowBits'(Rows - 1)) ? '0 : write_row_q + 1;
      if (freed) read_row_q <= (read_row_q == RowBits'(Rows - 1)) ? '0 : read_row_q + 1;
      if (fetch) begin
        second_q <= !fetch_last;
        last_q   <= fetch_last;
        error_q  <= fetch_error;
      end
    end
  end

  // A beat that was accepted does not stay in the register.
  always_ff @(posedge clk_i) begin
    if (clear_i || (!keep && !fetch)) data_q <= '0;
    else if (fetch && fetch_error) data_q <= Half'(error);
    else if (fetch) data_q <= !stored ? z_i[Half-1:0] : second_q ? high : low;
  end
endmodule
