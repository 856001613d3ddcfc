// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_modexp_table` with constant_i.
///
/// Two tables get the same commands, with different powers and different digits.
/// a_address: both read the same rows in the same cycles.
/// a_busy: both are busy in the same cycles.
module modexp_table_proof #(
    parameter int unsigned Width  = 1,  // Beat width in bits.
    parameter int unsigned Beats  = 3,  // Beats of a power.
    parameter int unsigned Window = 3   // Window width in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] beats_i,  // Beats in use, 1 or more.
    input logic we_i,  // Write enable of a beat of a power.
    input logic [Window-1:0] power_i,  // Index of the power to write.
    input logic chosen_we_i,  // Write enable of a beat of the chosen power.
    input logic [1:0] index_i,  // Index of the beat to write or read.
    input logic [1:0][Width-1:0] data_i,  // Write data, one beat per table.
    input logic choose_i,  // Pulse: start a choice.
    input logic [1:0][Window-1:0] digit_i  // Digit that selects the power, one per table.
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
        .sweep_i   ('0),
        .data_i    (data_i[k]),
        .chosen_i  (data_i[k]),
        .next_i    (index_i),
        .constant_i(!`MUTANT),
        .digit_i   (digit_i[k]),
        .busy_o    (busy[k]),
        .chosen_o  (unused_chosen[k]),
        .*
    );
    assign raddr[k] = 4'(u_dut.raddr);
  end

  // Addresses are compared while a choice is in progress; before, the counters may differ.
  always_comb begin
    if (run_q) a_busy : assert (busy[0] == busy[1]);
    if (run_q && g_table[0].u_dut.run_q) a_address : assert (raddr[0] == raddr[1]);
  end
endmodule
