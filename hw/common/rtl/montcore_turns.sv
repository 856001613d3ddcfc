// SPDX-License-Identifier: Apache-2.0

/// Shares one multiplier among several users: products in turns, each result to its user.
///
/// A packet of operands goes to the multiplier as a whole, from its first valid beat to its last.
/// The next packet is that of the next user, round robin, that offers one. Results come in the
/// order of the operands.
/// Precondition: an offered beat is stable until it is accepted; a user has at most Open products
/// in flight; results are always accepted.
/// Latency: 0 from a user to the multiplier and back.
/// Example: users 0 and 2 of 4 offer packets after one of user 1: user 2 is served, then user 0.
module montcore_turns #(
    parameter int unsigned Users = 2,  // Number of users, 2 or more.
    /// Width in bits of a beat of both operands, and of what accompanies them.
    parameter int unsigned Width = 64,
    parameter int unsigned Beats = 8,  // Beats of an operand at the built width.
    parameter int unsigned Open = 1,  // Maximum number of products in flight per user.
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon all products and clear all state.
    /// Beats of an operand and of a result at the present length.
    input logic [BeatBits-1:0] beats_i,
    output logic empty_o,  // High while no product is in flight.
    output logic held_o,  // High: the packet selected in an earlier cycle is not yet complete.
    input logic [Users-1:0] valid_i,  // Per user, operand streams: valid, stable until accepted.
    output logic [Users-1:0] ready_o,  // Per user, operand streams: ready.
    input logic [Users-1:0] last_i,  // Per user, operand streams: last beat.
    /// Per user, operand streams: data, valid with valid_i.
    input logic [Users-1:0][Width-1:0] data_i,
    output logic [Users-1:0] z_valid_o,  // Per user: the result beat in this cycle is for it.
    output logic mul_valid_o,  // Multiplier, operand streams: valid.
    input logic mul_ready_i,  // Multiplier, operand streams: ready.
    output logic mul_last_o,  // Multiplier, operand streams: last beat.
    /// Multiplier, operand streams: data, valid with mul_valid_o.
    output logic [Width-1:0] mul_data_o,
    input logic mul_z_valid_i,  // Multiplier, result stream: valid.
    input logic mul_z_error_i  // Multiplier, result stream: error; the answer has this beat only.
);
  localparam int unsigned IndexBits = $clog2(Users);
  localparam int unsigned Depth = Users * Open;
  localparam int unsigned DepthBits = $clog2(Depth);

  // ---- operands ----------------------------------------------------------------------------------
  logic [IndexBits-1:0] turn_q, chosen, next;
  logic held_q, taken;
  always_comb begin
    next = turn_q;
    // The next valid user after the last one served.
    for (int unsigned k = Users; k > 0; k--) begin
      if (valid_i[(32'(turn_q)+k)%Users]) next = IndexBits'((32'(turn_q) + k) % Users);
    end
  end
  assign held_o = held_q;
  assign chosen = held_q ? turn_q : next;
  assign mul_valid_o = valid_i[chosen];
  assign mul_data_o = data_i[chosen];
  assign mul_last_o = last_i[chosen];
  assign taken = mul_valid_o && mul_ready_i && mul_last_o;
  always_comb begin
    ready_o = '0;
    ready_o[chosen] = mul_ready_i;
  end

  // ---- routing of the results
  logic [Depth-1:0][IndexBits-1:0] whose_q;
  logic [DepthBits-1:0] head_q, tail_q;
  logic [DepthBits:0] open_q;
  logic [BeatBits-1:0] count_q;
  logic z_last;
  assign empty_o = open_q == '0;
  assign z_last  = mul_z_valid_i && (mul_z_error_i || count_q == beats_i - 1'b1);
  always_comb begin
    z_valid_o = '0;
    z_valid_o[whose_q[head_q]] = mul_z_valid_i;
  end

  function automatic logic [DepthBits-1:0] after(logic [DepthBits-1:0] place);
    after = (place == DepthBits'(Depth - 1)) ? '0 : place + 1'b1;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroize_i) begin
      turn_q  <= '0;
      held_q  <= 1'b0;
      whose_q <= '0;
      head_q  <= '0;
      tail_q  <= '0;
      open_q  <= '0;
      count_q <= '0;
    end else begin
      if (mul_valid_o) begin
        turn_q <= chosen;
        held_q <= !taken;
      end
      if (taken) begin
        whose_q[tail_q] <= chosen;
        tail_q          <= after(tail_q);
      end
      if (mul_z_valid_i) count_q <= z_last ? '0 : count_q + 1'b1;
      if (z_last) head_q <= after(head_q);
      open_q <= open_q + (DepthBits + 1)'(taken) - (DepthBits + 1)'(z_last);
    end
  end
endmodule
