// SPDX-License-Identifier: Apache-2.0

/// The curve engine's elements and moduli, the adder between them, and the arbitration of writes.
///
/// Product elements are written by the multiplier, packets, look-ups or the random source; sum
/// elements by the adder.
/// Precondition: those of the modules inside; packets come only while no product is in flight.
/// Latency: that of the adder for a sum; a written beat or row can be read in the next cycle.
/// A result of the multiplier never waits; look-ups and random numbers do.
/// While clear_i is high only zeros are written to the memories: no product is written, and the
/// adder's memory reads zero from its row 0 on.
/// Example: z_valid_i with z_index_i = 8, z_count_i = 3: beat 3 of element 8 is z_data_i.
module montcore_ecc_datapath
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 2,  // Beats that the adder processes per cycle, 1 or 2.
    parameter int unsigned SweepBits = 9,  // Width of the sweep's row index in bits.
    localparam int unsigned Rows = (Beats + Lanes - 1) / Lanes,  // Rows of an element.
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1,
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Clear all elements except those of the curve, row sweep_i.
    input logic forget_i,  // Clear the curve's elements and moduli too, row sweep_i.
    input logic [SweepBits-1:0] sweep_i,  // Row to clear, valid with clear_i or forget_i.
    input logic [RowBits-1:0] last_row_i,  // Index of the last row of an element.
    input logic packet_we_i,  // Packets: write a beat of an element.
    input logic [3:0] packet_number_i,  // Packets: element to write, valid with packet_we_i.
    input logic modulus_we_i,  // Packets: write a beat of a modulus.
    input logic modulus_i,  // Packets: modulus to write, 0 p, 1 n; valid with modulus_we_i.
    /// Packets: beat to write; while answer_i is high, beat to read.
    input logic [BeatBits-1:0] packet_beat_i,
    /// Packets: data to write, valid with packet_we_i or modulus_we_i.
    input logic [Width-1:0] packet_data_i,
    input logic answer_i,  // High: x_o reads the answer for the packet unit.
    input logic second_i,  // Answer: 0 first number, 1 second number.
    input command_t command_i,  // Command that starts in this cycle.
    /// Multiplier interface: operands that are read, and whether the modulus is.
    input stream_t stream_i,
    /// Multiplier interface: beat of operands or modulus that is read.
    input logic [BeatBits-1:0] stream_beat_i,
    /// Beat stream_beat_i of operand x, or of the answer; combinational.
    output logic [Width-1:0] x_o,
    output logic [Width-1:0] y_o,  // Beat stream_beat_i of operand y; combinational.
    /// Beat stream_beat_i of the modulus; combinational, while it is loaded.
    output logic [Width-1:0] modulus_o,
    input logic z_valid_i,  // Multiplier: a beat of a result is valid.
    input logic [3:0] z_index_i,  // Multiplier: destination element of the result.
    input logic [BeatBits-1:0] z_count_i,  // Multiplier: index of the beat.
    input logic [Width-1:0] z_data_i,  // Multiplier: data of the beat.
    input logic look_valid_i,  // Look-up: a row is valid.
    output logic look_ready_o,  // Look-up: ready, the row is written in this cycle.
    input logic [1:0] look_element_i,  // Look-up: destination element, 12 plus this number.
    input logic [RowBits-1:0] look_row_i,  // Look-up: index of the row.
    input logic [Lanes*Width-1:0] look_data_i,  // Look-up: data of the row.
    input logic random_valid_i,  // Random source: a beat of an element is valid.
    output logic random_ready_o,  // Random source: ready, the beat is written in this cycle.
    input logic [BeatBits-1:0] random_beat_i,  // Random source: index of the beat.
    input logic [Width-1:0] random_data_i,  // Random source: data of the beat.
    input sum_t sum_i,  // Sum whose operands are read.
    input logic step_i,  // Adder: a row of both operands is read in this cycle.
    input logic [RowBits-1:0] sum_row_i,  // Adder: index of the row read, valid with step_i.
    output logic sum_valid_o,  // Adder: a result row is valid.
    output logic [RowBits-1:0] sum_row_o,  // Adder: index of the result row.
    output logic [Lanes*Width-1:0] sum_data_o,  // Adder: result row, valid with sum_valid_o.
    output target_t target_o,  // Adder: destination of the result, valid with sum_valid_o.
    output adder_t adder_o  // Adder: status flags.
);
  localparam int unsigned RowWidth = Lanes * Width;
  // Elements 0 to 3 of both banks belong to the curve and are kept.
  localparam int unsigned KeptBits = (RowBits < 3) ? 3 : RowBits;

  logic [3:0] m_index, s_index;
  logic [RowBits-1:0] m_row, s_row, adder_row, modulus_row;
  logic [Lanes-1:0] m_we;
  logic [RowWidth-1:0] m_data, a_row, b_row, modulus;
  logic [BeatBits-1:0] word_beat;
  logic [Width-1:0] beat_data;
  logic s_we, look, random, one_beat, sweep;
  logic [3:0] sweep_index;
  logic [RowBits-1:0] sweep_row;

  // ---- clearing --------------------------------------------------------------------------------
  // The sweep wraps around: elements have fewer rows than the largest memory.
  assign {sweep_index, sweep_row} = (RowBits + 4)'(sweep_i);
  assign sweep = clear_i && (forget_i || sweep_index[3:2] != '0);

  // ---- products --------------------------------------------------------------------------------
  assign look_ready_o = !z_valid_i && !packet_we_i;
  assign random_ready_o = look_ready_o && !look_valid_i;
  assign look = look_valid_i && look_ready_o;
  assign random = random_valid_i && random_ready_o;
  assign one_beat = z_valid_i || packet_we_i || random;
  // At most one select is high; AND-OR logic gives zero if none is.
  assign beat_data = (z_data_i & {Width{z_valid_i}}) |
                     (packet_data_i & {Width{packet_we_i && !z_valid_i}}) |
                     (random_data_i & {Width{random}});
  // Beats are written in order. A beat of lane 0 clears lane 1, as it may be the last one.
  for (genvar k = 0; k < Lanes; k++) begin : g_data
    assign m_data[k*Width+:Width] = (beat_data & {Width{k == 0 || word_beat[0]}}) |
                                    (look_data_i[k*Width+:Width] & {Width{look}});
  end
  always_comb begin
    m_index   = command_i.made;
    word_beat = random_beat_i;
    if (z_valid_i) begin
      m_index   = z_index_i;
      word_beat = z_count_i;
    end else if (packet_we_i) begin
      m_index   = packet_number_i;
      word_beat = packet_beat_i;
    end
    m_row = RowBits'(word_beat / BeatBits'(Lanes));
    m_we  = '0;
    if (one_beat) m_we = (Lanes > 1 && word_beat[0]) ? Lanes'(2'd2) : '1;
    if (look) begin
      m_index = 4'd12 + {2'd0, look_element_i};
      m_row   = look_row_i;
      m_we    = '1;
    end
    if (clear_i) begin
      m_index = sweep_index;
      m_row   = sweep_row;
      m_we    = {Lanes{sweep}};
    end
  end

  // ---- elements --------------------------------------------------------------------------------
  assign s_index = clear_i ? sweep_index : target_o.d[3:0];
  assign s_row = clear_i ? sweep_row : sum_row_o;
  assign s_we = clear_i ? sweep : sum_valid_o && target_o.place == ToElement;
  // 16 products and 16 sums. Each of the four read ports has a copy of both banks, so that four
  // operands are read, and both banks written, in each cycle. Operands: 0 to 15 a product, 16 to 31
  // a sum, 32 zero, 33 one.
  logic [BeatBits-1:0] beat;
  assign beat = answer_i ? packet_beat_i : stream_beat_i;
  localparam int unsigned Depth = 16 * 2 ** RowBits;

  logic [3:0][5:0] operand;
  logic [3:0][RowBits-1:0] row;
  logic [3:0][Lanes*Width-1:0] word;
  logic [RowBits-1:0] beat_row;
  logic lane;

  assign beat_row = RowBits'(beat / BeatBits'(Lanes));
  assign lane = (Lanes > 1) && beat[0];
  assign operand = {
    sum_i.b, sum_i.a, stream_i.b, (answer_i ? {2'b01, 3'b111, second_i} : stream_i.a)
  };
  assign row = {sum_row_i, sum_row_i, beat_row, beat_row};

  for (genvar port = 0; port < 4; port++) begin : g_port
    logic [Lanes*Width-1:0] product, sum;
    for (genvar k = 0; k < Lanes; k++) begin : g_elements_lanes
      montcore_ram #(
          .Rows (Depth),
          .Width(Width)
      ) u_products (
          .clk_i,
          .we_i   (m_we[k]),
          .wzero_i(1'b0),
          .waddr_i({m_index, m_row}),
          .wdata_i(m_data[k*Width+:Width]),
          .raddr_i({operand[port][3:0], row[port]}),
          .rdata_o(product[k*Width+:Width])
      );
      montcore_ram #(
          .Rows (Depth),
          .Width(Width)
      ) u_sums (
          .clk_i,
          .we_i   (s_we),
          .wzero_i(1'b0),
          .waddr_i({s_index, s_row}),
          .wdata_i(sum_data_o[k*Width+:Width]),
          .raddr_i({operand[port][3:0], row[port]}),
          .rdata_o(sum[k*Width+:Width])
      );
    end
    assign word[port] = operand[port][5] ? '0 : operand[port][4] ? sum : product;
  end

  // The constants zero and one.
  logic [3:0] one;
  for (genvar port = 0; port < 4; port++) begin : g_one
    assign one[port] = operand[port][5] && operand[port][0] &&
                       ((port < 2) ? beat == '0 : sum_row_i == '0);
  end
  if (Lanes > 1) begin : g_select
    assign x_o = (lane ? word[0][Width+:Width] : word[0][Width-1:0]) | Width'(one[0]);
    assign y_o = (lane ? word[1][Width+:Width] : word[1][Width-1:0]) | Width'(one[1]);
  end else begin : g_single
    logic unused_lane;
    assign unused_lane = lane;
    assign x_o = word[0] | Width'(one[0]);
    assign y_o = word[1] | Width'(one[1]);
  end
  assign a_row = word[2] | (Lanes * Width)'(one[2]);
  assign b_row = word[3] | (Lanes * Width)'(one[3]);

  // ---- moduli ----------------------------------------------------------------------------------
  assign modulus_row = stream_i.loading ? RowBits'(stream_beat_i / BeatBits'(Lanes)) : adder_row;
  logic [Lanes-1:0] lane_we, lane_zero;
  assign lane_we   = Lanes'({1'b1, Lanes == 1 || !packet_beat_i[0]});
  assign lane_zero = Lanes'({!packet_beat_i[0], 1'b0});
  for (genvar k = 0; k < Lanes; k++) begin : g_modulus
    montcore_ram #(
        .Rows (2 * 2 ** RowBits),
        .Width(Width)
    ) u_ram (
        .clk_i,
        .we_i(forget_i || (modulus_we_i && lane_we[k])),
        .wzero_i(forget_i || lane_zero[k]),
        .waddr_i(forget_i ? (RowBits + 1)'(sweep_i) :
                 {modulus_i, RowBits'(packet_beat_i / BeatBits'(Lanes))}),
        .wdata_i(packet_data_i),
        .raddr_i({command_i.order, modulus_row}),
        .rdata_o(modulus[k*Width+:Width])
    );
  end
  if (Lanes > 1) begin : g_lanes
    assign modulus_o = stream_beat_i[0] ? modulus[Width+:Width] : modulus[Width-1:0];
  end else begin : g_lane
    assign modulus_o = modulus;
  end

  // ---- adder -----------------------------------------------------------------------------------
  montcore_ecc_adder #(
      .Width(RowWidth),
      .Rows (Rows)
  ) u_adder (
      .clk_i,
      .rst_ni,
      .clear_i    (clear_i || forget_i),
      // Descending: the adder's row 0 is zero before the sweep of the other memories begins.
      .clear_row_i(~KeptBits'(sweep_i)),
      .last_row_i,
      .step_i,
      .row_i      (sum_row_i),
      .a_i        (a_row),
      .b_i        (b_row),
      .sum_i,
      .m_row_o    (adder_row),
      .m_i        (modulus),
      .valid_o    (sum_valid_o),
      .row_o      (sum_row_o),
      .data_o     (sum_data_o),
      .target_o,
      .state_o    (adder_o)
  );
  logic unused;
  assign unused = ^{command_i, stream_i, sweep_i};
endmodule
