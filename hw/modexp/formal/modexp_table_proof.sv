// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_modexp_table` with constant_i.
///
/// Two tables take the same commands with different powers and different digits.
/// a_address: they read the same rows in the same cycles.
/// a_busy: they are busy in the same cycles.
module modexp_table_proof #(
    /// Bits of a beat.
    parameter int unsigned Width  = 1,
    /// Beats.
    parameter int unsigned Beats  = 3,
    /// Window.
    parameter int unsigned Window = 3
) (
    /// Clock, rising edge.
    input logic                          clk_i,
    /// Reset.
    input logic                          rst_ni,
    /// Clear.
    input logic                          clear_i,
    /// Beats in use.
    input logic [       1:0]             beats_i,
    /// Write a power.
    input logic                          we_i,
    /// Which.
    input logic [Window-1:0]             power_i,
    /// Write the chosen one.
    input logic                          chosen_we_i,
    /// Which beat.
    input logic [       1:0]             index_i,
    /// Data, one for each.
    input logic [       1:0][ Width-1:0] data_i,
    /// Choose.
    input logic                          choose_i,
    /// Digits, one for each.
    input logic [       1:0][Window-1:0] digit_i
);
  logic [1:0] busy;
  logic [1:0][Width-1:0] unused_chosen;
  logic [1:0][3:0] raddr;
  logic run_q = 1'b0;
  always_ff @(posedge clk_i) run_q <= 1'b1;
  always_comb begin
    m_reset : assume (run_q || !rst_ni);
    m_beats : assume (beats_i != 2'd0);
  end

  for (genvar k = 0; k < 2; k++) begin : g_table
    montcore_modexp_table #(
        .Width (Width),
        .Beats (Beats),
        .Window(Window)
    ) u_dut (
        .clk_i      (clk_i),
        .rst_ni     (rst_ni),
        .clear_i    (clear_i),
        .sweep_i    ('0),
        .beats_i    (beats_i),
        .we_i       (we_i),
        .power_i    (power_i),
        .chosen_we_i(chosen_we_i),
        .index_i    (index_i),
        .data_i     (data_i[k]),
        .chosen_i   (data_i[k]),
        .next_i     (index_i),
        .choose_i   (choose_i),
`ifdef MUTANT
        .constant_i (1'b0),
`else
        .constant_i (1'b1),
`endif
        .digit_i    (digit_i[k]),
        .busy_o     (busy[k]),
        .chosen_o   (unused_chosen[k])
    );
    assign raddr[k] = 4'(u_dut.raddr);
  end

  // What a table reads counts while a choice is under way; before, its counters may differ.
  always_comb begin
    if (run_q) a_busy : assert (busy[0] == busy[1]);
    if (run_q && g_table[0].u_dut.run_q) a_address : assert (raddr[0] == raddr[1]);
  end
endmodule
