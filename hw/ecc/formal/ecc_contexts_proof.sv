// SPDX-License-Identifier: Apache-2.0

/// Any values, other ones in each cycle: the .sby file makes them of it.
(* blackbox *)
module ecc_any #(
    /// Bits.
    parameter int unsigned WIDTH = 1
) (
    /// The values.
    output logic [WIDTH-1:0] Y
);
endmodule

/// An engine of which nothing is known but what `ecc_packets_proof` proves of its streams; and that it
/// answers with the number that it was given, so that answers can be told apart.
module montcore_ecc_engine
  import montcore_ecc_pkg::*;
#(
    /// As at the engine.
    parameter int unsigned Length = 40,
    /// As at the engine.
    parameter int unsigned Width = 32,
    /// As at the engine.
    parameter int unsigned Beats = 2,
    /// As at the engine.
    parameter int unsigned Lanes = 1,
    /// As at the engine.
    parameter int unsigned Open = 2,
    /// As at the engine.
    parameter int unsigned Tech = 0,
    /// As at the engine.
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    /// As at the engine, and all others.
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   zeroize_i,
    output logic                   busy_o,
    input  logic                   cfg_valid_i,
    output logic                   cfg_ready_o,
    input  logic [      Width-1:0] cfg_data_i,
    input  logic                   cfg_last_i,
    output logic                   cfg_done_o,
    output logic [            2:0] cfg_error_o,
    input  logic                   x_valid_i,
    output logic                   x_ready_o,
    input  logic [      Width-1:0] x_data_i,
    input  logic                   x_last_i,
    input  logic                   y_valid_i,
    output logic                   y_ready_o,
    input  logic [      Width-1:0] y_data_i,
    input  logic                   y_last_i,
    output logic                   z_valid_o,
    input  logic                   z_ready_i,
    output logic [      Width-1:0] z_data_o,
    output logic                   z_last_o,
    output logic                   z_error_o,
    input  logic                   random_valid_i,
    output logic                   random_ready_o,
    input  logic [      Width-1:0] random_data_i,
    input  logic                   random_fail_i,
    output logic                   core_start_o,
    output logic                   core_done_o,
    output logic [AddressBits-1:0] address_o,
    input  logic [   CodeBits-1:0] word_i,
    output logic                   mul_clear_o,
    input  logic                   mul_busy_i,
    output logic [ LengthBits-1:0] mul_length_o,
    input  logic [   BeatBits-1:0] mul_beats_i,
    input  logic [ LengthBits-1:0] mul_radix_i,
    output logic                   mul_cfg_valid_o,
    input  logic                   mul_cfg_ready_i,
    output logic [      Width-1:0] mul_cfg_data_o,
    output logic                   mul_order_o,
    input  logic                   mul_cfg_done_i,
    output logic                   mul_valid_o,
    input  logic                   mul_ready_i,
    output logic [      Width-1:0] mul_x_o,
    output logic [      Width-1:0] mul_y_o,
    output logic                   mul_last_o,
    input  logic                   mul_z_valid_i,
    input  logic [      Width-1:0] mul_z_data_i,
    input  logic                   mul_z_error_i
);
  logic x_begun_q = 1'b0, x_open_q = 1'b0, y_begun_q = 1'b0, y_open_q = 1'b0;
  logic cfg_begun_q = 1'b0, cfg_due_q = 1'b0, second_q = 1'b0, held_q = 1'b0, forgot_q = 1'b1;
  logic held_last_q, tag_q, cfg_moves, x_moves, y_moves, z_moves;
  ecc_any #(
      .WIDTH(10)
  ) u_any (
      .Y({
        busy_o,
        cfg_ready_o,
        cfg_done_o,
        x_ready_o,
        y_ready_o,
        z_valid_o,
        z_last_o,
        random_ready_o,
        core_start_o,
        mul_clear_o
      })
  );
  // Answers have the number that was given; the same curve makes the same answer in all engines.
  assign z_data_o = Width'(tag_q);
  assign cfg_error_o = 3'd4;
  assign z_error_o = 1'b0;
  assign core_done_o = 1'b0;
  assign address_o = '0;
  assign mul_length_o = '0;
  assign mul_cfg_valid_o = 1'b0;
  assign mul_cfg_data_o = '0;
  assign mul_order_o = 1'b0;
  assign mul_valid_o = 1'b0;
  assign mul_x_o = '0;
  assign mul_y_o = '0;
  assign mul_last_o = 1'b0;
  assign cfg_moves = cfg_valid_i && cfg_ready_o;
  assign x_moves = x_valid_i && x_ready_o;
  assign y_moves = y_valid_i && y_ready_o;
  assign z_moves = z_valid_o && z_ready_i;
  always_ff @(posedge clk_i) begin
    forgot_q    <= !rst_ni || zeroize_i;
    held_q      <= z_valid_o && !z_ready_i;
    held_last_q <= z_last_o;
    if (cfg_moves) {cfg_begun_q, cfg_due_q} <= {!cfg_last_i, cfg_last_i};
    if (cfg_done_o) cfg_due_q <= 1'b0;
    if (x_moves) {x_begun_q, x_open_q} <= {!x_last_i, x_last_i};
    if (x_moves) tag_q <= x_data_i[0];
    if (y_moves) {y_begun_q, y_open_q} <= {!y_last_i, y_last_i};
    if (z_moves) second_q <= !z_last_o;
    if (z_moves && z_last_o) {x_open_q, y_open_q} <= '0;
    if (!rst_ni || zeroize_i) begin
      {x_begun_q, x_open_q, y_begun_q, y_open_q} <= '0;
      {cfg_begun_q, cfg_due_q, second_q, held_q} <= '0;
    end
  end
  always_comb begin
    m_pair : assume (!z_valid_o || (x_open_q && y_open_q));
    m_one : assume (!(x_ready_o && x_open_q) && !(y_ready_o && y_open_q));
    m_held : assume (!held_q || (z_valid_o && z_last_o == held_last_q));
    m_two : assume (!z_valid_o || z_last_o == second_q);
    m_alone :
    assume (!cfg_ready_o || !(x_begun_q || x_open_q || y_begun_q || y_open_q || x_ready_o || y_ready_o));
    m_due : assume (!cfg_ready_o || !cfg_due_q);
    m_begun : assume (!(cfg_begun_q || cfg_due_q) || !(x_ready_o || y_ready_o));
    m_done : assume (!cfg_done_o || cfg_due_q);
    m_busy :
    assume (busy_o || !(cfg_begun_q || (cfg_due_q && !cfg_done_o) || x_begun_q || x_open_q ||
                        y_begun_q || y_open_q || z_valid_o));
    m_silent : assume (!forgot_q || !(z_valid_o || cfg_done_o || core_start_o));
  end
endmodule

/// No program.
module montcore_ecc_rom (
    /// As at the program.
    input  logic [ 9:0] address_i,
    /// As at the program.
    output logic [21:0] word_o
);
  assign word_o = '0;
endmodule

/// A multiplier that is never used: what engines do with it is `ecc_share_proof`'s matter.
module montcore_ecc_multiplier (
    /// As at the multiplier, and all others.
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        zeroize_i,
    output logic        busy_o,
    input  logic [12:0] length_i,
    output logic [ 1:0] beats_o,
    output logic [12:0] radix_o,
    output logic [12:0] power_o,
    output logic [ 1:0] leave_o,
    input  logic        cfg_valid_i,
    output logic        cfg_ready_o,
    input  logic [31:0] cfg_data_i,
    input  logic        cfg_last_i,
    output logic        cfg_done_o,
    input  logic        xy_valid_i,
    output logic        xy_ready_o,
    input  logic [31:0] x_data_i,
    input  logic [31:0] y_data_i,
    input  logic        xy_last_i,
    input  logic        canonical_i,
    output logic        z_valid_o,
    input  logic        z_ready_i,
    output logic [31:0] z_data_o,
    output logic        z_error_o
);
  assign {busy_o, beats_o, radix_o, power_o, leave_o} = '0;
  assign {cfg_ready_o, cfg_done_o, xy_ready_o, z_valid_o, z_data_o, z_error_o} = '0;
endmodule

/// Properties of the streams of `montcore_ecc_contexts`, as those of `ecc_packets_proof`, for two
/// engines of which nothing else is known.
///
/// a_pair, a_held, a_last, a_curve_alone, a_done, a_busy, a_silent: as there, of all operations
/// together.
/// a_order: an answer is that of the oldest operation that has none.
/// a_room: no more operations are taken than there are engines.
module ecc_contexts_proof (
    /// Clock.
    input logic       clk_i,
    /// Everything is forgotten.
    input logic       zeroize_i,
    /// The host offers a beat of a curve, of x, of y.
    input logic [2:0] offer_i,
    /// It is the last one of its packet.
    input logic [2:0] last_i,
    /// The number that the answer has to have.
    input logic       tag_i,
    /// The host takes a beat of the answer.
    input logic       take_i,
    /// The source has a word.
    input logic       random_i
);
`ifdef MUTANT_LAST
  localparam logic PretendedLast = 1'b1;
`else
  localparam logic PretendedLast = 1'b0;
`endif
  logic reset_q = 1'b1;
  always_ff @(posedge clk_i) reset_q <= 1'b0;
  logic cfg_ready, x_ready, y_ready, z_valid, z_last, z_error, cfg_done, busy, forgets;
  logic random_ready, start, done;
  logic [2:0] cfg_error, taken;
  logic [31:0] z_data;
  assign forgets = zeroize_i || reset_q;

  logic [2:0] held_q = '0;
  logic [2:0] held_last_q;
  logic held_tag_q;
  assign taken = offer_i & {y_ready, x_ready, cfg_ready};
  always_ff @(posedge clk_i) begin
    held_q      <= forgets ? '0 : offer_i & ~taken;
    held_last_q <= last_i;
    held_tag_q  <= tag_i;
  end
  always_comb begin
    m_offer : assume ((held_q & ~offer_i) == '0);
    m_last : assume ((held_q & (held_last_q ^ last_i)) == '0);
    m_tag : assume (!held_q[1] || held_tag_q == tag_i);
  end

  montcore_ecc_contexts #(
      .Contexts(2),
      .Length  (40),
      .Width   (32),
      .Beats   (2),
      .Lanes   (1),
      .Open    (2)
  ) u_dut (
      .clk_i         (clk_i),
      .rst_ni        (!reset_q),
      .zeroize_i     (zeroize_i),
      .busy_o        (busy),
      .cfg_valid_i   (offer_i[0]),
      .cfg_ready_o   (cfg_ready),
      .cfg_data_i    (32'd0),
      .cfg_last_i    (last_i[0]),
      .cfg_done_o    (cfg_done),
      .cfg_error_o   (cfg_error),
      .x_valid_i     (offer_i[1]),
      .x_ready_o     (x_ready),
      .x_data_i      (32'(tag_i)),
      .x_last_i      (last_i[1]),
      .y_valid_i     (offer_i[2]),
      .y_ready_o     (y_ready),
      .y_data_i      (32'd0),
      .y_last_i      (last_i[2] || PretendedLast),
      .z_valid_o     (z_valid),
      .z_ready_i     (take_i),
      .z_data_o      (z_data),
      .z_last_o      (z_last),
      .z_error_o     (z_error),
      .random_valid_i(random_i),
      .random_ready_o(random_ready),
      .random_data_i (32'd0),
      .random_fail_i (1'b0),
      .core_start_o  (start),
      .core_done_o   (done)
  );

  // ---- what has been taken: packets of x and y that have no answer, with the tags of x ------------
  logic [1:0] x_open_q = '0, y_open_q = '0;
  logic [2:0] tags_q;
  logic x_begun_q = 1'b0, y_begun_q = 1'b0, cfg_begun_q = 1'b0, cfg_due_q = 1'b0;
  logic z_held_q = 1'b0, z_held_last_q, z_held_tag_q, second_q = 1'b0, forgot_q = 1'b0, ends;
  logic done_q = 1'b0;
  assign ends = z_valid && take_i && z_last;
  always_ff @(posedge clk_i) begin
    forgot_q      <= forgets;
    done_q        <= cfg_done;
    z_held_q      <= z_valid && !take_i && !forgets;
    z_held_last_q <= z_last;
    z_held_tag_q  <= z_data[0];
    if (cfg_done) cfg_due_q <= 1'b0;
    if (taken[0]) {cfg_begun_q, cfg_due_q} <= {!last_i[0], last_i[0]};
    if (taken[1]) x_begun_q <= !last_i[1];
    if (taken[2]) y_begun_q <= !last_i[2];
    if (z_valid && take_i) second_q <= !z_last;
    x_open_q <= x_open_q + 2'(taken[1] && last_i[1]) - 2'(ends);
    y_open_q <= y_open_q + 2'(taken[2] && last_i[2]) - 2'(ends);
    tags_q   <= ends ? tags_q >> 1 : tags_q;
    if (taken[1] && last_i[1]) tags_q[x_open_q-2'(ends)] <= tag_i;
    if (forgets) begin
      {x_open_q, y_open_q, x_begun_q, y_begun_q}   <= '0;
      {cfg_begun_q, cfg_due_q, second_q, z_held_q} <= '0;
    end
  end

  logic waits;
  assign waits = x_begun_q || y_begun_q || x_open_q != '0 || y_open_q != '0;
  always_comb begin
    if (!reset_q) begin
      a_pair : assert (!z_valid || (x_open_q != '0 && y_open_q != '0));
      a_order : assert (!z_valid || z_data[0] == tags_q[0]);
      a_held :
      assert (!z_held_q || (z_valid && z_last == z_held_last_q && z_data[0] == z_held_tag_q));
      a_last : assert (!z_valid || z_last == second_q);
      a_room : assert (x_open_q <= 2'd2 && y_open_q <= 2'd2);
      a_curve_alone : assert (!taken[0] || !waits);
      a_done : assert (!cfg_done || (cfg_due_q && !done_q && cfg_error == 3'd4));
      a_busy : assert (busy || !(cfg_begun_q || (cfg_due_q && !cfg_done) || waits));
      a_silent : assert (!forgot_q || !(z_valid || cfg_done));
    end
  end
  logic unused;
  assign unused = ^{z_error, random_ready, start, done, z_data[31:1]};
endmodule
