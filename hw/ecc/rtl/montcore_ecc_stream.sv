// SPDX-License-Identifier: Apache-2.0

/// The curve engine's multiplier interface: sends operands and the modulus, receives results in
/// order.
///
/// Precondition: a product starts only with free and room, a reload only with no product in flight.
/// Latency: the first beat of the operands is output in the cycle after the command.
/// If an operand is a result that is still arriving, its beats wait until they are written.
/// Example: a product, then xy_valid_o for beats_i beats; later z_valid_i for as many, element d.
module montcore_ecc_stream
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    /// Maximum number of products in flight; a power of two, 2 or more.
    parameter int unsigned Open = 4,
    localparam int unsigned BeatBits = $clog2(Beats + 1),
    localparam int unsigned OpenBits = $clog2(Open)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Synchronous clear, active high; drops all products.
    input logic [BeatBits-1:0] beats_i,  // Beats of an element at the present length.
    input command_t command_i,  // Command: start a product, or load the modulus.
    output stream_t state_o,  // Status of this interface.
    output logic [BeatBits-1:0] beat_o,  // Index of the beat that is read, of operands or modulus.
    output logic xy_valid_o,  // Multiplier, operand streams: valid.
    input logic xy_ready_i,  // Multiplier, operand streams: ready.
    output logic last_o,  // Last beat of the operands or of the modulus.
    input logic z_valid_i,  // Multiplier, result stream: valid.
    input logic z_error_i,  // Multiplier, result stream: the product was refused.
    output logic [3:0] z_index_o,  // Destination element of the oldest product.
    output logic [BeatBits-1:0] z_count_o,  // Beats of its result received so far.
    output logic cfg_valid_o,  // Multiplier, modulus stream: valid.
    input logic cfg_ready_i,  // Multiplier, modulus stream: ready.
    input logic cfg_done_i  // Multiplier, pulse: the modulus is loaded.
);
  logic active_q, cfg_q, wait_q, blocked, moves;
  logic [5:0] a_q, b_q;
  logic [BeatBits-1:0] beat_q, z_count_q;
  logic [Open-1:0][3:0] place_q;
  logic [OpenBits-1:0] head_q, tail_q;
  logic [OpenBits:0] open_q;
  logic z_last;

  function automatic logic late(logic [5:0] operand, logic [3:0] index, logic [BeatBits-1:0] beat,
                                logic [BeatBits-1:0] count);
    late = operand[5:4] == '0 && operand[3:0] == index && count != '0 && beat >= count;
  endfunction

  assign blocked = late(
      a_q, z_index_o, beat_q, z_count_q
  ) || late(
      b_q, z_index_o, beat_q, z_count_q
  );
  assign xy_valid_o = active_q && !blocked;
  assign cfg_valid_o = cfg_q;
  assign last_o = beat_q == beats_i - 1'b1;
  assign moves = (xy_valid_o && xy_ready_i) || (cfg_q && cfg_ready_i);
  assign state_o.free = !active_q || (moves && last_o);
  assign state_o.reading = active_q && !(moves && last_o);
  assign state_o.room = open_q != (OpenBits + 1)'(Open);
  assign state_o.open = open_q != '0;
  assign state_o.a = a_q;
  assign state_o.b = b_q;
  assign state_o.reload = cfg_q || wait_q;
  assign state_o.loading = cfg_q;
  assign beat_o = beat_q;
  assign z_index_o = place_q[head_q];
  assign z_count_o = z_count_q;
  assign z_last = z_valid_i && (z_error_i || z_count_q == beats_i - 1'b1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      active_q  <= 1'b0;
      cfg_q     <= 1'b0;
      wait_q    <= 1'b0;
      a_q       <= '0;
      b_q       <= '0;
      beat_q    <= '0;
      z_count_q <= '0;
      place_q   <= '0;
      head_q    <= '0;
      tail_q    <= '0;
      open_q    <= '0;
    end else begin
      if (moves) begin
        beat_q <= beat_q + 1'b1;
        if (last_o) begin
          beat_q   <= '0;
          active_q <= 1'b0;
          cfg_q    <= 1'b0;
        end
      end
      if (command_i.mul) begin
        active_q        <= 1'b1;
        a_q             <= command_i.a;
        b_q             <= command_i.b;
        place_q[tail_q] <= command_i.d[3:0];
        tail_q          <= tail_q + 1'b1;
      end
      if (z_valid_i) z_count_q <= z_last ? '0 : z_count_q + 1'b1;
      if (z_last) head_q <= head_q + 1'b1;
      open_q <= open_q + (OpenBits + 1)'(command_i.mul) - (OpenBits + 1)'(z_last);
      if (command_i.reload) begin
        cfg_q  <= 1'b1;
        wait_q <= 1'b1;
      end
      if (cfg_done_i) wait_q <= 1'b0;
    end
  end
  logic unused;
  assign unused = ^command_i;
endmodule
