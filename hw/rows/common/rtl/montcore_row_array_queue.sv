// SPDX-License-Identifier: Apache-2.0

/// Queue of an array's results for the port, in order.
///
/// Room for a result is reserved when its operands are accepted, so that the array never stalls: as
/// many rows as there are products in flight. Statuses arrive before results, both in order.
/// Precondition: take_i only with room_o; for each take_i one status_valid_i, and later one
/// result_valid_i.
/// Latency: two cycles from result_valid_i to z_valid_o; one result per cycle.
/// Example, Rows = 16, Bits = 8: status ErrNone, then result 0x41 -> z_data_o = 0x41.
module montcore_row_array_queue #(
    parameter int unsigned Rows = 140,  // Number of results that the queue holds.
    parameter int unsigned Bits = 128   // Width of a result in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; at least Rows cycles long.
    input logic take_i,  // Reserves room for one result.
    output logic room_o,  // High: room for at least one more result.
    output logic idle_o,  // High: no product is in flight and no result is pending.
    input logic status_valid_i,  // A status is written in this cycle.
    input logic [2:0] status_i,  // Status, a montcore_error_e; valid with status_valid_i.
    input logic result_valid_i,  // A result is written in this cycle.
    input logic [Bits-1:0] result_i,  // Result, valid with result_valid_i.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [Bits-1:0] z_data_o,
    output logic z_error_o  // Result stream: the beat is an error code.
);
  localparam int unsigned AddrBits = $clog2(Rows);
  localparam int unsigned CountBits = $clog2(Rows + 1);

  logic [AddrBits-1:0] status_at_q, result_at_q, read_at_q, status_next, result_next, read_next;
  logic [CountBits-1:0] taken_q, waiting_q;
  logic fetch, waits_q, room_q, valid_q;
  assign status_next = (status_at_q == AddrBits'(Rows - 1)) ? '0 : status_at_q + 1;
  assign result_next = (result_at_q == AddrBits'(Rows - 1)) ? '0 : result_at_q + 1;
  assign read_next = (read_at_q == AddrBits'(Rows - 1)) ? '0 : read_at_q + 1;

  // room_q still counts a row that is being read as occupied: this removes an adder input.
  assign fetch = waits_q && (!valid_q || z_ready_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      taken_q   <= '0;
      waiting_q <= '0;
      waits_q   <= 1'b0;
      room_q    <= 1'b0;
      valid_q   <= 1'b0;
    end else begin
      taken_q   <= taken_q + CountBits'(take_i) - CountBits'(fetch);
      waiting_q <= waiting_q + CountBits'(result_valid_i) - CountBits'(fetch);
      waits_q   <= result_valid_i || waiting_q > CountBits'(fetch);
      room_q    <= taken_q + CountBits'(take_i) < CountBits'(Rows);
      valid_q   <= fetch || (valid_q && !z_ready_i);
    end
    // Zeroize sweeps the rows with all three addresses, which keeps them equal.
    if (!rst_ni) result_at_q <= '0;
    else if (result_valid_i || clear_i) result_at_q <= result_next;
    if (!rst_ni) status_at_q <= '0;
    else if (clear_i) status_at_q <= result_next;
    else if (status_valid_i) status_at_q <= status_next;
    if (!rst_ni) read_at_q <= '0;
    else if (clear_i) read_at_q <= result_next;
    else if (fetch) read_at_q <= read_next;
  end
  assign room_o = room_q;
  assign idle_o = taken_q == 0 && !valid_q;

  logic [Bits-1:0] result, data_q;
  logic [2:0] status, status_q;
  logic result_we, status_we;
  assign result_we = result_valid_i || clear_i;
  assign status_we = status_valid_i || clear_i;
  montcore_ram #(
      .Rows (Rows),
      .Width(Bits)
  ) u_results (
      .clk_i,
      .we_i   (result_we),
      .wzero_i(clear_i),
      .waddr_i(result_at_q),
      .wdata_i(result_i),
      .raddr_i(read_at_q),
      .rdata_o(result)
  );
  montcore_ram #(
      .Rows (Rows),
      .Width(3)
  ) u_statuses (
      .clk_i,
      .we_i   (status_we),
      .wzero_i(clear_i),
      .waddr_i(status_at_q),
      .wdata_i(status_i),
      .raddr_i(read_at_q),
      .rdata_o(status)
  );
  // The memories are slow: their outputs are registered directly.
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      data_q   <= '0;
      status_q <= montcore_pkg::ErrNone;
    end else if (fetch) begin
      data_q   <= result;
      status_q <= status;
    end
  end
  assign z_valid_o = valid_q && !clear_i;
  assign z_error_o = status_q != montcore_pkg::ErrNone;
  assign z_data_o  = z_error_o ? Bits'(status_q) : data_q;
endmodule
