// SPDX-License-Identifier: Apache-2.0

/// A source of randomness for simulation only: its words are predictable.
///
/// word = upper halves of s <- s 6364136223846793005 + 1442695040888963407, s = 1 at first
/// Precondition: none. Bits 31:28 of a curve's first beat, which the engine is not shown, say what
/// the source does (0: words; 1: none ever; 2: it says that it fails; 3: always the same word;
/// 4: now and then), bit 27 that every product, sum and instruction is printed.
/// Latency: none.
/// Example, 32 bits: the first word is 0x6c576fac, of s after one step.
module montcore_ecc_bench_random #(
    /// Bits of a beat.
    parameter int unsigned Width = 32
) (
    /// Clock, rising edge.
    input  logic             clk_i,
    /// Synchronous reset, active low.
    input  logic             rst_ni,
    /// A beat of a curve's packet is taken.
    input  logic             cfg_beat_i,
    /// It is the last one.
    input  logic             cfg_last_i,
    /// Its data.
    input  logic [Width-1:0] cfg_data_i,
    /// What the engine is shown of it.
    output logic [Width-1:0] cfg_data_o,
    /// What is done is to be printed.
    output logic             trace_o,
    /// A word is there.
    output logic             valid_o,
    /// It is taken.
    input  logic             ready_i,
    /// The word.
    output logic [Width-1:0] data_o,
    /// The source says that it fails.
    output logic             fail_o
);
  localparam int unsigned Parts = (Width + 31) / 32;
  localparam logic [63:0] Factor = 64'd6364136223846793005;
  localparam logic [63:0] Increment = 64'd1442695040888963407;

  logic [63:0] state_q, state;
  logic [32*Parts-1:0] word;
  logic [3:0] count_q, mode_q;
  logic within_q, trace_q;  // beats of a curve's packet have been; what is done is printed
  always_comb begin
    state = state_q;
    for (int unsigned k = 0; k < Parts; k++) begin
      state = state * Factor + Increment;
      word[32*k+:32] = (mode_q == 4'd3) ? 32'h5a5a5a5a : state[63:32];
    end
  end
  assign valid_o = (mode_q == 4'd4) ? count_q == '0 : mode_q != 4'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= 64'd1;
      count_q  <= '0;
      mode_q   <= '0;
      trace_q  <= 1'b0;
      within_q <= 1'b0;
    end else begin
      if (cfg_beat_i) begin
        within_q <= !cfg_last_i;
        if (!within_q) {mode_q, trace_q} <= cfg_data_i[31:27];
      end
      if (valid_o && ready_i) state_q <= state;
      count_q <= count_q + 1'b1;
    end
  end

  always_comb begin
    cfg_data_o = cfg_data_i;
    if (!within_q) cfg_data_o[31:27] = '0;
  end
  assign data_o  = word[Width-1:0];
  assign fail_o  = mode_q == 4'd2;
  assign trace_o = trace_q;
endmodule
