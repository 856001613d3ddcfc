// SPDX-License-Identifier: Apache-2.0

/// Predictable random source, for simulation only.
///
/// word = upper halves of s <- s 6364136223846793005 + 1442695040888963407, s = 1 at first
/// Precondition: none. Bits 31:28 of a curve's first beat, which are masked for the engine, select
/// the mode (0: words; 1: never a word; 2: failure; 3: always the same word; 4: a word now and
/// then); bit 27: print every product, sum and instruction.
/// Latency: none.
/// Example, 32 bits: the first word is 0x6c576fac, from s after one step.
module montcore_ecc_bench_random #(
    parameter int unsigned Width = 32  // Beat width in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Abandons the packet and the mode; the next beat is a packet's first.
    input logic cfg_beat_i,  // A beat of a curve's packet is transferred.
    input logic cfg_last_i,  // Last beat of the packet, valid with cfg_beat_i.
    input logic [Width-1:0] cfg_data_i,  // Data of the beat, with mode and trace bits.
    output logic [Width-1:0] cfg_data_o,  // Data for the engine, with mode and trace bits cleared.
    output logic trace_o,  // High: the bench prints products, sums and instructions.
    output logic valid_o,  // Random stream: valid.
    input logic ready_i,  // Random stream: ready, the word is accepted.
    output logic [Width-1:0] data_o,  // Random stream: data, valid with valid_o.
    output logic fail_o  // High in mode 2: the source reports a failure.
);
  localparam int unsigned Parts = (Width + 31) / 32;
  localparam logic [63:0] Factor = 64'd6364136223846793005;
  localparam logic [63:0] Increment = 64'd1442695040888963407;

  logic [63:0] state_q, state;
  logic [32*Parts-1:0] word;
  logic [3:0] count_q, mode_q;
  logic within_q, trace_q;  // inside a curve's packet; tracing is on
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
      if (zeroize_i) begin
        within_q          <= 1'b0;
        {mode_q, trace_q} <= '0;
      end else if (cfg_beat_i) begin
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
  // Without valid_o the data is no word of the sequence.
  assign data_o  = word[Width-1:0] ^ {Width{!valid_o}};
  assign fail_o  = mode_q == 4'd2;
  assign trace_o = trace_q;
endmodule
