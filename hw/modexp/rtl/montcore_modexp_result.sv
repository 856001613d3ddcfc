// SPDX-License-Identifier: Apache-2.0

/// The result of a slot's product, from the multiplier on until the slot takes it.
///
/// A shared multiplier gives its results in the order of the products, and is never made to wait.
/// Precondition: the next result comes when this one has been taken; nothing comes while busy_o.
/// Latency: 0 from a beat of the multiplier to valid_o, if those before it are taken.
/// Example: beats_i = 2, ready_i low: two beats come in a row and wait; then two cycles of ready_i
/// take them.
module montcore_modexp_result #(
    /// Bits of a beat.
    parameter int unsigned Width = 32,
    /// Beats of a result at the built width.
    parameter int unsigned Beats = 8,
    /// Bits of a beat count (do not change).
    localparam int unsigned BeatBits = $clog2(Beats + 1)
) (
    /// Clock, rising edge.
    input  logic                clk_i,
    /// Synchronous reset, active low.
    input  logic                rst_ni,
    /// Pulse: clear it.
    input  logic                clear_i,
    /// It is being cleared.
    output logic                busy_o,
    /// Beats of a result at the length in force.
    input  logic [BeatBits-1:0] beats_i,
    /// A beat comes.
    input  logic                we_i,
    /// The beat.
    input  logic [   Width-1:0] data_i,
    /// The product was refused: the beat is the only one.
    input  logic                error_i,
    /// A beat is there.
    output logic                valid_o,
    /// It is taken.
    input  logic                ready_i,
    /// The beat; valid with valid_o.
    output logic [   Width-1:0] data_o,
    /// It says that the product was refused; valid with valid_o.
    output logic                error_o
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
      // come_q: the row that is cleared.
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
      .clk_i  (clk_i),
      .we_i   (we_i || busy_q),
      .wzero_i(busy_q),
      .waddr_i(AddrBits'(come_q)),
      .wdata_i(data_i),
      .raddr_i(AddrBits'(taken_q)),
      .rdata_o(stored)
  );
endmodule
