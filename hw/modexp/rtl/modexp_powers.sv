// SPDX-License-Identifier: Apache-2.0

/// The number v that becomes R^2 mod m: set to a power of two below m, and doubled modulo m.
///
/// double: v := 2 v mod m
/// Precondition: m odd, v < m; one command at a time.
/// Latency: beats_i + 1 cycles for a doubling or a setting.
/// Two memories take 2 v and 2 v - m; which of them is v is known when the last borrow is.
/// Example, m = 0x8b: set 2^7 = 0x80; doubled: 0x75.
module modexp_powers #(
    /// Bits of a beat.
    parameter int unsigned Width = 32,
    /// Beats built.
    parameter int unsigned Beats = 16,
    /// Bits of a beat count (do not change).
    localparam int unsigned BeatBits = $clog2(Beats + 1),
    /// Bits of a bit number in a beat (do not change).
    localparam int unsigned PlaceBits = $clog2(Width)
) (
    /// Clock.
    input  logic                 clk_i,
    /// Synchronous reset, active low.
    input  logic                 rst_ni,
    /// Clear everything, memories row by row.
    input  logic                 clear_i,
    /// Row that is cleared.
    input  logic [ BeatBits-1:0] sweep_i,
    /// Beats of m.
    input  logic [ BeatBits-1:0] beats_i,
    /// Set v to the power of two at power_beat_i, power_place_i.
    input  logic                 set_i,
    /// Beat of its one bit.
    input  logic [ BeatBits-1:0] power_beat_i,
    /// Place of its one bit.
    input  logic [PlaceBits-1:0] power_place_i,
    /// Double v.
    input  logic                 double_i,
    /// The last command is done (one cycle).
    output logic                 done_o,
    /// Beat of m that is needed, and of v that is read.
    output logic [ BeatBits-1:0] index_o,
    /// That beat of m.
    input  logic [    Width-1:0] m_i,
    /// Write a beat of v.
    input  logic                 we_i,
    /// Beat that is written, or read while no command is under way.
    input  logic [ BeatBits-1:0] index_i,
    /// Beat to write.
    input  logic [    Width-1:0] data_i,
    /// Beat of v.
    output logic [    Width-1:0] v_o
);
  localparam int unsigned AddrBits = (Beats > 1) ? $clog2(Beats) : 1;
  logic run_q, set_q, reduced_q, borrow_q, carry_q, last, sweep;
  logic [BeatBits-1:0] index_q, index;
  logic [Width-1:0] plain, reduced, v, twice, power;
  logic [Width:0] difference;
  logic [AddrBits-1:0] waddr;

  assign index = run_q ? index_q : index_i;
  assign index_o = index_q;
  assign last = index_q == beats_i - 1;
  assign sweep = clear_i && sweep_i < BeatBits'(Beats);
  assign waddr = clear_i ? AddrBits'(sweep_i) : AddrBits'(index);
  assign v = reduced_q ? reduced : plain;
  assign v_o = v;
  assign power = (power_beat_i == index_q) ? Width'(1) << power_place_i : '0;
  assign twice = set_q ? power : {v[Width-2:0], carry_q};
  assign difference = {1'b0, twice} - {1'b0, m_i} - (Width + 1)'(borrow_q);

  mont_ram #(
      .Rows (Beats),
      .Width(Width)
  ) u_plain (
      .clk_i  (clk_i),
      .we_i   (run_q || we_i || sweep),
      .wzero_i(clear_i),
      .waddr_i(waddr),
      .wdata_i(run_q ? twice : data_i),
      .raddr_i(AddrBits'(index)),
      .rdata_o(plain)
  );
  mont_ram #(
      .Rows (Beats),
      .Width(Width)
  ) u_reduced (
      .clk_i  (clk_i),
      .we_i   (run_q || sweep),
      .wzero_i(clear_i),
      .waddr_i(waddr),
      .wdata_i(difference[Width-1:0]),
      .raddr_i(AddrBits'(index)),
      .rdata_o(reduced)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q     <= 1'b0;
      set_q     <= 1'b0;
      done_o    <= 1'b0;
      reduced_q <= 1'b0;
      borrow_q  <= 1'b0;
      carry_q   <= 1'b0;
      index_q   <= '0;
    end else begin
      done_o <= run_q && last;
      if (we_i) reduced_q <= 1'b0;
      if (set_i || double_i) begin
        run_q    <= 1'b1;
        set_q    <= set_i;
        borrow_q <= 1'b0;
        carry_q  <= 1'b0;
        index_q  <= '0;
      end else if (run_q) begin
        index_q  <= index_q + 1;
        borrow_q <= difference[Width];
        carry_q  <= v[Width-1];
        if (last) begin
          run_q     <= 1'b0;
          index_q   <= '0;
          reduced_q <= !set_q && (v[Width-1] || !difference[Width]);
        end
      end
    end
  end
endmodule
