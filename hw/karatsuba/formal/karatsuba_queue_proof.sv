// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_karatsuba_queue`, for any traffic: a product is reserved only with room,
/// and written at any later time.
///
/// a_order: one arbitrary result is output as it was written, after all results before it, in
/// beats from the lowest, or as one error beat.
/// a_room: while room is high, there are fewer products than rows; a_idle: idle means no products.
/// a_stable: a beat that is not accepted stays unchanged.
/// a_valid: the output is valid from the cycle after a write until the last beat; a_zero: otherwise
/// its data are zero.
module karatsuba_queue_proof #(
    parameter int unsigned Rows = 2,  // Rows of the queue.
    localparam int unsigned Half = 4,  // Width of a beat in bits.
    localparam int unsigned CountBits = $clog2(Rows + 1)
) (
    input logic clk_i,
    input logic two_i,  // High: results have two beats; low: one. Sampled once.
    input logic reserve_i,  // High: reserve a product, if there is room.
    input logic write_i,  // High: write a result, if one is due.
    input logic [2:0] error_i,  // Error code of the result, 0 for none; valid with write_i.
    input logic [2*Half-1:0] z_i,  // Value of the result, valid with write_i.
    input logic z_ready_i,
    input logic choose_i  // High: track this result, once.
);
  logic started_q = 1'b0;
  logic two_q = 1'b0;
  logic room, idle, reserve, write, valid, last, error;
  logic [Half-1:0] data;

  // Products started and not written; results written and not sent.
  logic [CountBits-1:0] under_way_q = '0, stored_q = '0;
  assign reserve = started_q && reserve_i && room;
  assign write   = started_q && write_i && under_way_q != 0;

  montcore_karatsuba_queue #(
      .Rows(Rows),
      .Half(Half)
  ) u_dut (
      .clk_i,
      .rst_ni     (started_q),
      .clear_i    (1'b0),
      .clear_row_i('0),
      .words_i    (two_q ? 2'd2 : 2'd1),
      .reserve_i  (reserve),
      .room_o     (room),
      .idle_o     (idle),
      .write_i    (write),
      .error_i,
      .z_i,
      .z_valid_o  (valid),
      .z_ready_i,
      .z_data_o   (data),
      .z_last_o   (last),
      .z_error_o  (error)
  );

  // The tracked result, and the number of results before it.
  logic watching_q = 1'b0, seen_q = 1'b0, second_q = 1'b0;
  logic [CountBits-1:0] before_q = '0;
  logic [2:0] want_error_q;
  logic [2*Half-1:0] want_q;
  logic gone;
  assign gone = valid && z_ready_i && last;

  // ran_q: the core was out of reset in the cycle before.
  logic held_q = 1'b0, ran_q = 1'b0;
  logic [Half+1:0] held_beat_q;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    ran_q     <= started_q;
    if (!started_q) two_q <= two_i;
    if (started_q) begin
      under_way_q <= under_way_q + CountBits'(reserve) - CountBits'(write);
      stored_q    <= stored_q + CountBits'(write) - CountBits'(gone);
      if (write && choose_i && !seen_q) begin
        seen_q       <= 1'b1;
        watching_q   <= 1'b1;
        before_q     <= stored_q - CountBits'(gone);
        want_error_q <= error_i;
        want_q       <= z_i;
      end else if (watching_q && gone) begin
        if (before_q == 0) watching_q <= 1'b0;
        else before_q <= before_q - 1;
      end
      if (valid && z_ready_i) second_q <= !last;
      held_q      <= valid && !z_ready_i;
      held_beat_q <= {data, last, error};
    end
  end

  always_comb begin
    if (started_q) begin
      if (room) a_room : assert (32'(under_way_q) + 32'(stored_q) < Rows);
      if (idle) a_idle : assert (under_way_q == 0 && stored_q == 0);
      a_valid : assert (valid == (stored_q != 0));
      if (!valid && ran_q) a_zero : assert (data == '0);
      if (held_q) a_stable : assert (valid && {data, last, error} == held_beat_q);
      if (watching_q && before_q == 0 && valid) begin
        if (want_error_q != 0) begin
          a_error : assert (error && last && data == Half'(want_error_q));
        end else begin
          a_order : assert (!error && data == want_q[(second_q&&!`MUTANT)*Half+:Half]);
          a_last : assert (last == (second_q || !two_q));
        end
      end
    end
  end
endmodule
