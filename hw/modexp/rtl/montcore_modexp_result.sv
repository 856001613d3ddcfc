// SPDX-License-Identifier: Apache-2.0

/// Buffer for the result of a slot's product, from the multiplier until the slot reads it.
///
/// A shared multiplier outputs its results in the order of the products, and is never stalled.
/// Precondition: the next result comes after this one has been read; none comes while busy_o.
/// Latency: 0 from a beat of the multiplier to valid_o, if the buffer is empty.
/// Example: beats_i = 2, ready_i low: two beats arrive in a row and are stored; then two cycles of
/// ready_i read them.
module montcore_modexp_result #(
    parameter int unsigned Width = 32,  // Beat width in bits.
    parameter int unsigned Beats = 8,  // Beats of a result at the built width.
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // Pulse: clear the buffer.
    output logic busy_o,  // High while the buffer is being cleared.
    input logic [BeatBits-1:0] beats_i,  // Beats of a result at the present length.
    input logic we_i,  // A beat arrives and is stored.
    input logic [Width-1:0] data_i,  // Data of the beat, valid with we_i.
    input logic error_i,  // The product was refused: the beat is the only one.
    output logic valid_o,  // Output stream: a beat is valid.
    input logic ready_i,  // Output stream: ready, the beat is read.
    output logic [Width-1:0] data_o,  // Output stream: data, valid with valid_o.
    output logic error_o  // Output stream: the product was refused; valid with valid_o.
);
  localparam int unsigned AddrBits = (Beats > 1) ? $clog2(Beats) : 1;

  logic [BeatBits-1:0] come_q, taken_q;
  logic [Width-1:0] stored;
  logic busy_q, error_q, waits, take;

  assign waits = come_q != taken_q;
  assign valid_o = waits || we_i;
  assign take = valid_o && ready_i;
  assign data_o = waits ? stored : data_i;
  assign error_o = waits ? error_q : we_i && error_i;
  assign busy_o = busy_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      come_q  <= '0;
      taken_q <= '0;
      error_q <= 1'b0;
      busy_q  <= clear_i;
    end else if (busy_q) begin
      // come_q counts the row to clear.
      come_q  <= come_q + 1'b1;
      taken_q <= come_q + 1'b1;
      if (come_q == BeatBits'(Beats - 1)) begin
        come_q  <= '0;
        taken_q <= '0;
        busy_q  <= 1'b0;
      end
    end else begin
      if (we_i) begin
        come_q  <= come_q + 1'b1;
        error_q <= error_i;
      end
      if (take) taken_q <= taken_q + 1'b1;
      if (take && (error_o || taken_q == beats_i - 1'b1)) begin
        come_q  <= '0;
        taken_q <= '0;
        error_q <= 1'b0;
      end
    end
  end

  montcore_ram #(
      .Rows (Beats),
      .Width(Width)
  ) u_ram (
      .clk_i,
      .we_i   (we_i || busy_q),
      .wzero_i(busy_q),
      .waddr_i(AddrBits'(come_q)),
      .wdata_i(data_i),
      .raddr_i(AddrBits'(taken_q)),
      .rdata_o(stored)
  );
endmodule
