// SPDX-License-Identifier: Apache-2.0

/// Output stage: a queue with room for every product in flight, and the result stream.
///
/// Each entry leaves as one packet of words_i beats, or as one error beat.
/// Precondition: at most Rows products between reserve_i and their last beat, which room_o ensures.
/// Latency: a result that is written to the empty queue is valid in the next cycle; a beat a cycle.
/// Example, Half = 8, words_i = 2: z = 0x0da3 -> beats 0xa3, 0x0d.
module montcore_karatsuba_queue #(
    /// Results that it holds.
    parameter int unsigned Rows = 12,
    /// Bits of a beat, 3 or more.
    parameter int unsigned Half = 128,
    /// Beats built, 1 or 2.
    parameter int unsigned Words = 2,
    /// Bits of a beat count (do not change).
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    /// Bits of a row number (do not change).
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1
) (
    /// Clock, rising edge.
    input  logic                     clk_i,
    /// Synchronous reset, active low.
    input  logic                     rst_ni,
    /// Abandon everything and clear row clear_row_i.
    input  logic                     clear_i,
    /// Row to clear.
    input  logic [      RowBits-1:0] clear_row_i,
    /// Beats of a result.
    input  logic [WordCountBits-1:0] words_i,
    /// A product is taken up.
    input  logic                     reserve_i,
    /// Another product may be taken up.
    output logic                     room_o,
    /// No product is under way and no result waits.
    output logic                     idle_o,
    /// A result is there.
    input  logic                     write_i,
    /// Its error (montcore_error_e), 0 for none.
    input  logic [              2:0] error_i,
    /// Its value.
    input  logic [       2*Half-1:0] z_i,
    /// Result stream: a beat is offered, until it is taken.
    output logic                     z_valid_o,
    /// Result stream: the beat is taken at this edge if it is valid.
    input  logic                     z_ready_i,
    /// Result stream: data, or the error.
    output logic [         Half-1:0] z_data_o,
    /// Result stream: last beat.
    output logic                     z_last_o,
    /// Result stream: the beat is an error.
    output logic                     z_error_o
);
  localparam int unsigned CountBits = $clog2(Rows + 1);

  logic [CountBits-1:0] taken_q, waiting_q;
  logic [RowBits-1:0] write_row_q, read_row_q, write_row;
  logic second_q;
  logic step, gone;
  logic [2:0] error;
  logic [2*Half-1:0] z;

  assign write_row = clear_i ? clear_row_i : write_row_q;

  montcore_ram #(
      .Rows (Rows),
      .Width(2 * Half)
  ) u_results (
      .clk_i  (clk_i),
      .we_i   (write_i || clear_i),
      .wzero_i(clear_i),
      .waddr_i(write_row),
      .wdata_i(z_i),
      .raddr_i(read_row_q),
      .rdata_o(z)
  );
  // A separate memory, so that no result reaches the logic that decides the length of a packet.
  montcore_ram #(
      .Rows (Rows),
      .Width(3)
  ) u_errors (
      .clk_i  (clk_i),
      .we_i   (write_i || clear_i),
      .wzero_i(clear_i),
      .waddr_i(write_row),
      .wdata_i(error_i),
      .raddr_i(read_row_q),
      .rdata_o(error)
  );

  assign z_valid_o = waiting_q != 0;
  assign z_error_o = error != montcore_pkg::ErrNone;
  assign z_data_o = z_error_o ? Half'(error) : second_q ? z[2*Half-1:Half] : z[Half-1:0];
  assign z_last_o = z_error_o || second_q || words_i == WordCountBits'(1);
  assign step = z_valid_o && z_ready_i;
  assign gone = step && z_last_o;
  assign room_o = taken_q != CountBits'(Rows);
  assign idle_o = taken_q == 0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      taken_q     <= '0;
      waiting_q   <= '0;
      write_row_q <= '0;
      read_row_q  <= '0;
      second_q    <= 1'b0;
    end else begin
      taken_q   <= taken_q + CountBits'(reserve_i) - CountBits'(gone);
      waiting_q <= waiting_q + CountBits'(write_i) - CountBits'(gone);
      if (write_i) write_row_q <= (write_row_q == RowBits'(Rows - 1)) ? '0 : write_row_q + 1;
      if (gone) read_row_q <= (read_row_q == RowBits'(Rows - 1)) ? '0 : read_row_q + 1;
      if (step) second_q <= !z_last_o;
    end
  end
endmodule
