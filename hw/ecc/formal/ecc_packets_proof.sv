// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_ecc_packets`, the streams of the curve engine, for a host that offers
/// beats and accepts answers at any time, in packets of any length, and a program that ends at any
/// time with any status. The host keeps an offered beat stable until it is accepted.
///
/// a_pair: an answer is given only to a complete pair of packets.
/// a_one: no beat of the next pair is accepted before the answer has been read.
/// a_held: a beat of the answer stays stable until it is accepted.
/// a_last: an answer has the status and two numbers; without a curve only the status.
/// a_zero: the numbers are zero unless the status is 0.
/// a_curve_alone: no beat of a curve is accepted while an operation is open.
/// a_done: cfg_done_o follows each complete packet once, for one cycle.
/// a_error: cfg_error_o is stable until the next curve.
/// a_accepted: a curve is accepted only if its packet has the right length.
/// a_start: an operation starts only with a curve loaded and the right count of numbers.
/// a_place: a beat of an operand is written in the cycle of its transfer, to the element and beat
/// given by its position in the packet; nothing else is written.
/// a_prompt: three cycles after a pair is complete it has been answered or started.
/// a_busy: busy_o is high while a packet or an operation is open.
/// a_silent: in the cycle after a clear no output is valid.
module ecc_packets_proof (
    input logic clk_i,
    input logic forget_i,  // Clear: all state is dropped.
    input logic clear_i,  // High while memories are being cleared: no packet is accepted.
    input logic [2:0] offer_i,  // Host: beat valid on cfg [0], x [1], y [2].
    input logic [2:0] last_i,  // Host: last beat of the packet, one bit per stream as in offer_i.
    input logic [24:0] cfg_data_i,  // Host: data of the curve stream.
    input logic [24:0] x_data_i,  // Host: data of the stream x.
    input logic [24:0] y_data_i,  // Host: data of the stream y.
    input logic take_i,  // Host: ready for a beat of the answer.
    input logic done_i,  // Program: pulse, the operation ends.
    input logic [3:0] status_i  // Program: status of the operation, valid with done_i.
);
  // The smallest beat that holds a header.
  localparam int unsigned Width = 25;
  localparam int unsigned Length = 40;
  localparam int unsigned Beats = 2;
  // Counters of numbers and beats of x and y saturate above what any operation takes.
  localparam int unsigned CountBits = 4;
  localparam logic [CountBits-1:0] Most = '1;

  logic reset_q = 1'b1;
  always_ff @(posedge clk_i) reset_q <= 1'b0;

  logic cfg_ready, x_ready, y_ready, z_valid, z_last, cfg_done, start, busy, forgets;
  logic we, modulus_we, modulus, second, answer, wipe, asked;
  logic [2:0] cfg_error, operation, family;
  logic [3:0] number;
  logic [1:0] beat, beats;
  logic [12:0] p_length, n_length, length;
  logic [7:0] columns, windows;
  logic [Width-1:0] z_data, data, word;
  assign forgets = forget_i || reset_q;

  // ---- host: an offered beat is stable until accepted
  logic [2:0] held_q = '0;
  logic [2:0] held_last_q, taken;
  logic [Width-1:0] held_cfg_q, held_x_q, held_y_q;
  assign taken = offer_i & {y_ready, x_ready, cfg_ready};
  always_ff @(posedge clk_i) begin
    held_q      <= forgets ? '0 : offer_i & ~taken;
    held_last_q <= last_i;
    held_cfg_q  <= cfg_data_i;
    held_x_q    <= x_data_i;
    held_y_q    <= y_data_i;
  end
  always_comb begin
    m_offer : assume ((held_q & ~offer_i) == '0);
    m_last : assume ((held_q & (held_last_q ^ last_i)) == '0);
    m_cfg : assume (!held_q[0] || held_cfg_q == cfg_data_i);
    m_x : assume (!held_q[1] || held_x_q == x_data_i);
    m_y : assume (!held_q[2] || held_y_q == y_data_i);
  end

  // ---- program: ends each operation that was started; its numbers are constant
  logic running_q = 1'b0;
  logic [1:0][1:0][1:0] numbers_q;
  always_ff @(posedge clk_i) begin
    running_q <= !forgets && (start || (running_q && !done_i));
    numbers_q <= numbers_q;
  end
  assign word  = Width'(numbers_q[second][beat[0]]);
  assign beats = (length > 13'(Width)) ? 2'd2 : 2'd1;
  always_comb begin
    m_done : assume (!done_i || running_q);
  end

  montcore_ecc_packets #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats)
  ) u_dut (
      .rst_ni      (!reset_q),
      .cfg_valid_i (offer_i[0]),
      .cfg_ready_o (cfg_ready),
      .cfg_last_i  (last_i[0]),
      .cfg_done_o  (cfg_done),
      .cfg_error_o (cfg_error),
      .x_valid_i   (offer_i[1]),
      .x_ready_o   (x_ready),
      .x_last_i    (last_i[1] || `MUTANT == 2),
      .y_valid_i   (offer_i[2]),
      .y_ready_o   (y_ready),
      .y_last_i    (last_i[2]),
      .z_valid_o   (z_valid),
      .z_ready_i   (take_i || `MUTANT == 1),
      .z_data_o    (z_data),
      .z_last_o    (z_last),
      .p_length_o  (p_length),
      .n_length_o  (n_length),
      .length_o    (length),
      .beats_i     (beats),
      .family_o    (family),
      .columns_o   (columns),
      .windows_o   (windows),
      .we_o        (we),
      .number_o    (number),
      .modulus_we_o(modulus_we),
      .modulus_o   (modulus),
      .beat_o      (beat),
      .data_o      (data),
      .asked_o     (asked),
      .start_o     (start),
      .operation_o (operation),
      .answer_o    (answer),
      .second_o    (second),
      .word_i      (word),
      .wipe_o      (wipe),
      .busy_o      (busy),
      .*
  );

  // ---- reference model of the packets accepted
  logic x_begun_q = 1'b0, x_open_q = 1'b0, y_begun_q = 1'b0, y_open_q = 1'b0;
  logic cfg_begun_q = 1'b0, cfg_due_q = 1'b0, loaded_q = 1'b0;
  logic z_held_q = 1'b0, z_held_last_q, done_q = 1'b0, forgot_q = 1'b0;
  logic [Width-1:0] z_held_data_q;
  logic [CountBits-1:0] x_count_q = '0, y_count_q = '0, cfg_count_q = '0;
  logic [2:0] z_count_q = '0, operation_q, error_q = '0;
  logic [1:0] waits_q = '0;
  logic known_q, failed_q, z_moves;
  assign z_moves = z_valid && take_i;

  function automatic logic [CountBits-1:0] up(logic [CountBits-1:0] count);
    up = (count == Most) ? Most : count + 1'b1;
  endfunction

  always_ff @(posedge clk_i) begin
    forgot_q      <= forgets;
    done_q        <= cfg_done;
    error_q       <= cfg_error;
    z_held_q      <= z_valid && !take_i && !forgets;
    z_held_data_q <= z_data;
    z_held_last_q <= z_last;
    if (taken[0]) begin
      cfg_begun_q <= !last_i[0];
      cfg_due_q   <= last_i[0];
      cfg_count_q <= cfg_begun_q ? up(cfg_count_q) : CountBits'(1'b1);
      loaded_q    <= 1'b0;
    end
    if (cfg_done) begin
      cfg_due_q <= 1'b0;
      loaded_q  <= cfg_error == '0;
    end
    if (taken[1]) begin
      x_begun_q <= !last_i[1];
      x_open_q  <= last_i[1];
      x_count_q <= up(x_count_q);
    end
    if (taken[2]) begin
      y_begun_q <= !last_i[2];
      y_open_q  <= last_i[2];
      y_count_q <= up(y_count_q);
      if (y_count_q == '0) begin
        operation_q <= y_data_i[2:0];
        known_q     <= y_data_i[Width-1:3] == '0 && y_data_i[2:0] != 3'd7;
      end
    end
    waits_q <= (x_open_q && y_open_q && !start && !z_valid && !running_q) ? waits_q + 1'b1 : '0;
    if (z_moves) begin
      z_count_q <= z_last ? '0 : z_count_q + 1'b1;
      if (z_count_q == '0) failed_q <= z_data != '0;
      if (z_last) {x_open_q, y_open_q, x_count_q, y_count_q} <= '0;
    end
    if (forgets) begin
      {x_begun_q, x_open_q, y_begun_q, y_open_q} <= '0;
      {cfg_begun_q, cfg_due_q, loaded_q}         <= '0;
      {x_count_q, y_count_q, cfg_count_q}        <= '0;
      {z_count_q, waits_q}                       <= '0;
    end
  end

  // Beats of packets x and y of each operation.
  logic [CountBits-1:0] x_wanted, y_wanted;
  always_comb begin
    unique case (operation_q)
      3'd0, 3'd5: {x_wanted, y_wanted} = {4'd1, 4'd2};
      3'd1: {x_wanted, y_wanted} = {4'd1, 4'd0};
      3'd3: {x_wanted, y_wanted} = {4'd2, 4'd3};
      3'd4: {x_wanted, y_wanted} = {4'd2, 4'd2};
      default: {x_wanted, y_wanted} = {4'd2, 4'd1};
    endcase
    if (beats == 2'd2) {x_wanted, y_wanted} = {x_wanted << 1, y_wanted << 1};
    y_wanted = y_wanted + 1'b1;
  end
  // Number that the next beat of x or y belongs to.
  logic [CountBits-1:0] x_place, y_place;
  logic in_x, in_y, in_y_header, first_three;
  assign in_x = taken[1];
  assign in_y_header = taken[2] && y_count_q == '0;
  assign in_y = taken[2] && y_count_q != '0;
  assign x_place = (beats == 2'd2) ? x_count_q >> 1 : x_count_q;
  assign y_place = (beats == 2'd2) ? (y_count_q - 1'b1) >> 1 : y_count_q - 1'b1;
  assign first_three = in_x ? x_place < 4'd3 : y_place < 4'd3;

  always_comb begin
    if (!reset_q) begin
      a_pair : assert (!z_valid || (x_open_q && y_open_q));
      a_one : assert (!(taken[1] && x_open_q) && !(taken[2] && y_open_q));
      a_held :
      assert (!z_held_q || (z_valid && z_data == z_held_data_q && z_last == z_held_last_q));
      a_last :
      assert (!z_valid || z_last == (loaded_q ? z_count_q == {beats, 1'b0} : z_count_q == '0));
      a_zero : assert (z_count_q == '0 || !failed_q || z_data == '0);
      a_curve_alone :
      assert (!taken[0] || !(x_begun_q || x_open_q || y_begun_q || y_open_q || z_valid));
      a_done : assert (!cfg_done || (cfg_due_q && !done_q));
      a_error : assert (forgot_q || cfg_done || cfg_error == error_q);
      a_accepted :
      assert (!(cfg_done && cfg_error == '0) || cfg_count_q == ((beats == 2'd2) ? 4'd14 : 4'd8));
      a_start :
      assert (!start || cfg_due_q || (loaded_q && x_open_q && y_open_q && known_q &&
                                      x_count_q == x_wanted && y_count_q == y_wanted &&
                                      operation == operation_q));
      a_place_x :
      assert (!(in_x && first_three) ||
              (we && data == x_data_i && number == 4'd4 + x_place &&
               beat == ((beats == 2'd2) ? 2'(x_count_q[0]) : 2'd0)));
      a_place_y :
      assert (!(in_y && first_three) ||
              (we && data == y_data_i && number == 4'd8 + y_place &&
               beat == ((beats == 2'd2) ? 2'(!y_count_q[0]) : 2'd0)));
      a_place_else : assert (!we || (taken[0] ^ (in_x && first_three) ^ (in_y && first_three)));
      a_place_header : assert (!(in_y_header && we));
      a_prompt : assert (waits_q != '1);
      a_busy :
      assert (busy || !(cfg_begun_q || (cfg_due_q && !cfg_done) || x_begun_q || x_open_q ||
                        y_begun_q || y_open_q));
      a_silent : assert (!forgot_q || !(z_valid || cfg_done || start));
    end
  end
endmodule
