// SPDX-License-Identifier: Apache-2.0

/// The curve engine, with MONTCORE_ECC_CONTEXTS that of several contexts, and a predictable random
/// source, for simulation only.
///
/// Precondition: the first beat of a curve selects the random source's mode, see
/// montcore_ecc_bench_random. Latency: as the engine.
/// Example: as the engine, whose ports these are.
module montcore_ecc_bench #(
`ifdef MONTCORE_ECC_CONTEXTS
    parameter int unsigned Contexts = 2,  // Number of engines, and of open operations.
`endif
    parameter int unsigned Length = 256,  // Built width in bits, of the longer of p and n.
    parameter int unsigned Width = 32,  // Beat width in bits, 32 or more.
    parameter int unsigned Beats = 8,  // Beats of an element at the built width.
    parameter int unsigned Lanes = 2,  // Beats that the adder processes per cycle, 1 or 2.
    /// Maximum number of products in flight; a power of two, 2 or more.
    parameter int unsigned Open = 4,
    parameter int unsigned Tech = montcore_pkg::TechGeneric
) (
    input logic clk_i,
`ifdef MONTCORE_CURVE_CLK2X
    /// Clock of the blocks at twice the rate; each edge of clk_i is one of its edges.
    input logic clk2x_i,
`endif
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon the operation and clear all state, secrets included.
    output logic busy_o,  // High while a packet or operation is open or memories are being cleared.
    input logic cfg_valid_i,  // Curve stream: valid.
    output logic cfg_ready_o,  // Curve stream: ready.
    /// Curve stream: data; bits 31:27 of the first beat select mode and trace.
    input logic [Width-1:0] cfg_data_i,
    input logic cfg_last_i,  // Curve stream: last beat.
    output logic cfg_done_o,  // Pulse: the curve was accepted or refused.
    /// Reason: 0 accepted, 1 even, 3 length, 4 constant out of range or base point off the curve.
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,  // Scalar stream: valid.
    output logic x_ready_o,  // Scalar stream: ready.
    input logic [Width-1:0] x_data_i,  // Scalar stream: data, least significant beat first.
    input logic x_last_i,  // Scalar stream: last beat.
    input logic y_valid_i,  // Stream of operation and points: valid.
    output logic y_ready_o,  // Stream of operation and points: ready.
    input logic [Width-1:0] y_data_i,  // Stream of operation and points: data, the operation first.
    input logic y_last_i,  // Stream of operation and points: last beat.
    output logic z_valid_o,  // Answer stream: valid.
    input logic z_ready_i,  // Answer stream: ready.
    output logic [Width-1:0] z_data_o,  // Answer stream: data, the status first, then two numbers.
    output logic z_last_o,  // Answer stream: last beat.
    /// Always low: the status of an operation is in the answer's first beat.
    output logic z_error_o,
    output logic core_start_o,  // Pulse: an operation starts.
    output logic core_done_o  // Pulse: the last beat of the answer is transferred.
);
  logic [Width-1:0] cfg_data, random_word;
  logic random_valid, random_ready, random_fail, trace;
  montcore_ecc_bench_random #(
      .Width(Width)
  ) u_random (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .cfg_beat_i(cfg_valid_i && cfg_ready_o),
      .cfg_last_i,
      .cfg_data_i,
      .cfg_data_o(cfg_data),
      .trace_o   (trace),
      .valid_o   (random_valid),
      .ready_i   (random_ready),
      .data_o    (random_word),
      .fail_o    (random_fail)
  );
`ifdef MONTCORE_ECC_CONTEXTS
  montcore_ecc_contexts #(
      .Contexts(Contexts),
`else
  montcore_ecc #(
`endif
      .Length(Length),
      .Width (Width),
      .Beats (Beats),
      .Lanes (Lanes),
      .Open  (Open),
      .Tech  (Tech)
  ) u_ecc (
      .cfg_data_i    (cfg_data),
      .random_valid_i(random_valid),
      .random_ready_o(random_ready),
      .random_data_i (random_word),
      .random_fail_i (random_fail),
      .*
  );

`ifdef MONTCORE_ECC_CONTEXTS
  logic unused;
  assign unused = trace;  // for one context

  // Each word of the source goes to one context, and none to any other. Before the first reset
  // random_ready is unknown.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert ($isunknown(
          u_ecc.random_ready
      ) || $countones(
          u_ecc.random_valid & u_ecc.random_ready
      ) == 32'(random_valid && random_ready))
      else $fatal(1, "a random word goes to no context or to several");
    end
  end
`else
  logic [Beats*Width-1:0] product_q, product;
  // Sized for every value of the row index: Verilator writes beyond a vector's end.
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
`endif
endmodule
