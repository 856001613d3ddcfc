// SPDX-License-Identifier: Apache-2.0

/// The curve engine with a source of randomness, for simulation only: its words are predictable.
///
/// word = upper halves of s <- s 6364136223846793005 + 1442695040888963407, s = 1 at first
/// Precondition: none. Bits 31:28 of a curve's first beat, which the engine is not shown, say what
/// the source does (0: words; 1: none ever; 2: it says that it fails; 3: always the same word;
/// 4: now and then), bit 27 that every product, sum and instruction is printed.
/// Latency: none.
/// Example, 32 bits: the first word is 0x6c576fac, of s after one step.
module montcore_ecc_bench #(
    /// Built width in bits.
    parameter int unsigned Length = 256,
    /// Bits of a beat.
    parameter int unsigned Width  = 32,
    /// Beats of an element at the built width.
    parameter int unsigned Beats  = 8,
    /// Beats that the adder takes in a cycle.
    parameter int unsigned Lanes  = 2,
    /// Products under way at most.
    parameter int unsigned Open   = 4,
    /// Technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech   = montcore_pkg::TechGeneric
) (
    /// As at the engine.
    input  logic             clk_i,
    /// As at the engine.
    input  logic             rst_ni,
    /// As at the engine.
    input  logic             zeroize_i,
    /// As at the engine.
    output logic             busy_o,
    /// As at the engine.
    input  logic             cfg_valid_i,
    /// As at the engine.
    output logic             cfg_ready_o,
    /// As at the engine.
    input  logic [Width-1:0] cfg_data_i,
    /// As at the engine.
    input  logic             cfg_last_i,
    /// As at the engine.
    output logic             cfg_done_o,
    /// As at the engine.
    output logic [      2:0] cfg_error_o,
    /// As at the engine.
    input  logic             x_valid_i,
    /// As at the engine.
    output logic             x_ready_o,
    /// As at the engine.
    input  logic [Width-1:0] x_data_i,
    /// As at the engine.
    input  logic             x_last_i,
    /// As at the engine.
    input  logic             y_valid_i,
    /// As at the engine.
    output logic             y_ready_o,
    /// As at the engine.
    input  logic [Width-1:0] y_data_i,
    /// As at the engine.
    input  logic             y_last_i,
    /// As at the engine.
    output logic             z_valid_o,
    /// As at the engine.
    input  logic             z_ready_i,
    /// As at the engine.
    output logic [Width-1:0] z_data_o,
    /// As at the engine.
    output logic             z_last_o,
    /// As at the engine.
    output logic             z_error_o,
    /// As at the engine.
    output logic             core_start_o,
    /// As at the engine.
    output logic             core_done_o
);
  localparam int unsigned Parts = (Width + 31) / 32;
  localparam logic [63:0] Factor = 64'd6364136223846793005;
  localparam logic [63:0] Increment = 64'd1442695040888963407;

  logic [63:0] state_q, state;
  logic [32*Parts-1:0] word;
  logic [3:0] count_q, mode_q;
  logic within_q, trace_q;  // beats of a curve's packet have been; what is done is printed
  logic [Width-1:0] cfg_data;
  logic random_valid, random_ready;
  always_comb begin
    state = state_q;
    for (int unsigned k = 0; k < Parts; k++) begin
      state = state * Factor + Increment;
      word[32*k+:32] = (mode_q == 4'd3) ? 32'h5a5a5a5a : state[63:32];
    end
  end
  assign random_valid = (mode_q == 4'd4) ? count_q == '0 : mode_q != 4'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= 64'd1;
      count_q  <= '0;
      mode_q   <= '0;
      trace_q  <= 1'b0;
      within_q <= 1'b0;
    end else begin
      if (cfg_valid_i && cfg_ready_o) begin
        within_q <= !cfg_last_i;
        if (!within_q) {mode_q, trace_q} <= cfg_data_i[31:27];
      end
      if (random_valid && random_ready) state_q <= state;
      count_q <= count_q + 1'b1;
    end
  end

  always_comb begin
    cfg_data = cfg_data_i;
    if (!within_q) cfg_data[31:27] = '0;
  end
  montcore_ecc #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats),
      .Lanes (Lanes),
      .Open  (Open),
      .Tech  (Tech)
  ) u_ecc (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .zeroize_i     (zeroize_i),
      .busy_o        (busy_o),
      .cfg_valid_i   (cfg_valid_i),
      .cfg_ready_o   (cfg_ready_o),
      .cfg_data_i    (cfg_data),
      .cfg_last_i    (cfg_last_i),
      .cfg_done_o    (cfg_done_o),
      .cfg_error_o   (cfg_error_o),
      .x_valid_i     (x_valid_i),
      .x_ready_o     (x_ready_o),
      .x_data_i      (x_data_i),
      .x_last_i      (x_last_i),
      .y_valid_i     (y_valid_i),
      .y_ready_o     (y_ready_o),
      .y_data_i      (y_data_i),
      .y_last_i      (y_last_i),
      .z_valid_o     (z_valid_o),
      .z_ready_i     (z_ready_i),
      .z_data_o      (z_data_o),
      .z_last_o      (z_last_o),
      .z_error_o     (z_error_o),
      .random_valid_i(random_valid),
      .random_ready_o(random_ready),
      .random_data_i (word[Width-1:0]),
      .random_fail_i (mode_q == 4'd2),
      .core_start_o  (core_start_o),
      .core_done_o   (core_done_o)
  );

  logic [Beats*Width-1:0] product_q, product;
  // Room for every number that a row can have: Verilator writes beyond a vector's end.
  logic [2**$bits(u_ecc.u_engine.write_row)*Lanes*Width-1:0] sum_q, sum;
  always_comb begin
    product = (u_ecc.u_engine.z_count == '0) ? '0 : product_q;
    product[u_ecc.u_engine.z_count*Width+:Width] = u_ecc.z_data;
    sum = (u_ecc.u_engine.write_row == '0) ? '0 : sum_q;
    sum[u_ecc.u_engine.write_row*Lanes*Width+:Lanes*Width] = u_ecc.u_engine.sum_data;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !trace_q) begin
      product_q <= '0;
      sum_q     <= '0;
    end else begin
      if (u_ecc.z_valid) begin
        product_q <= product;
        if (u_ecc.u_engine.z_count == u_ecc.beats - 1'b1) $display("product 0x%0h", product);
      end
      if (u_ecc.u_engine.sum_valid) begin
        sum_q <= sum;
        if (u_ecc.u_engine.write_row == u_ecc.u_engine.last_row) $display("sum 0x%0h", sum);
      end
      if (u_ecc.u_engine.u_sequence.issue) $display("issue %0d", u_ecc.u_engine.u_sequence.op);
    end
  end
endmodule
