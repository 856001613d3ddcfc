// SPDX-License-Identifier: Apache-2.0

/// The curve engine with a source of randomness, for simulation only: its words are predictable.
///
/// Precondition: the first beat of a curve says what the source does, see montcore_ecc_bench_random.
/// Latency: as the engine.
/// Example: as the engine.
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
`ifdef MONTCORE_CURVE_CLK2X
    /// As at the engine.
    input  logic             clk2x_i,
`endif
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
  logic [Width-1:0] cfg_data, random_word;
  logic random_valid, random_ready, random_fail, trace;
  montcore_ecc_bench_random #(
      .Width(Width)
  ) u_random (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .cfg_beat_i(cfg_valid_i && cfg_ready_o),
      .cfg_last_i(cfg_last_i),
      .cfg_data_i(cfg_data_i),
      .cfg_data_o(cfg_data),
      .trace_o   (trace),
      .valid_o   (random_valid),
      .ready_i   (random_ready),
      .data_o    (random_word),
      .fail_o    (random_fail)
  );
  montcore_ecc #(
      .Length(Length),
      .Width (Width),
      .Beats (Beats),
      .Lanes (Lanes),
      .Open  (Open),
      .Tech  (Tech)
  ) u_ecc (
      .clk_i         (clk_i),
`ifdef MONTCORE_CURVE_CLK2X
      .clk2x_i       (clk2x_i),
`endif
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
      .random_data_i (random_word),
      .random_fail_i (random_fail),
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
    if (!rst_ni || !trace) begin
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
