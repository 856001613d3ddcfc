// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_soc_gear`.
///
/// One arbitrary bit of the stream is tracked by its index. a_bit: it leaves at its index. a_room:
/// input never overruns the bits that are still held.
module soc_gear_proof #(
    parameter int unsigned In  = 4,  // Input word width in bits.
    parameter int unsigned Out = 6   // Output word width in bits.
) (
    input logic clk_i,
    input logic clear_i,  // Synchronous clear, active high; assumed in the first cycle only.
    input logic valid_i,  // Input word valid; assumed low while flush_i is high.
    input logic [In-1:0] data_i,  // Input word, valid with valid_i.
    input logic ready_i,  // Output ready: the output word is consumed in this cycle.
    input logic flush_i,  // End of input: the output is padded with zeros; assumed to stay high.
    input logic [4:0] number_i  // Index of the tracked bit in the stream, constant.
);
  logic run_q = 1'b0, flush_q, ready, valid, seen_q, value_q;
  logic [4:0] number_q;
  logic [5:0] came_q, left_q;  // bits accepted and bits delivered
  logic [Out-1:0] data;
  always_ff @(posedge clk_i) run_q <= 1'b1;
  always_comb begin
    m_clear : assume (clear_i == !run_q);
    m_flush : assume (!flush_q || flush_i);
    m_quiet : assume (!(flush_i && valid_i));
    m_number : assume (!run_q || number_i == number_q);
  end
  montcore_soc_gear #(
      .In (In),
      .Out(Out)
  ) u_dut (
      .clk_i,
      .clear_i,
      .in_valid_i (valid_i),
      .in_ready_o (ready),
      .in_data_i  (data_i),
      .flush_i,
      .out_valid_o(valid),
      .out_ready_i(ready_i),
      .out_data_o (data)
  );
  logic arrives, leaves;
  logic [$clog2(In)-1:0] arrival;
  logic [$clog2(Out)-1:0] place;
  logic [5:0] number;
  assign number  = 6'(number_i);
  assign arrives = valid_i && ready && number >= came_q && number < came_q + 6'(In);
  assign arrival = $clog2(In)'(number - came_q);
  assign leaves  = !clear_i && valid && number >= left_q && number < left_q + 6'(Out);
  assign place   = $clog2(Out)'(number - left_q);
  always_ff @(posedge clk_i) begin
    number_q <= number_i;
    if (clear_i) begin
      flush_q <= 1'b0;
      came_q  <= '0;
      left_q  <= '0;
      seen_q  <= 1'b0;
      value_q <= 1'b0;
    end else begin
      flush_q <= flush_i;
      // Counts saturate above the highest index that can be tracked.
      if (valid_i && ready && came_q < 6'd40) came_q <= came_q + 6'(In);
      if (valid && ready_i && left_q < 6'd40) left_q <= left_q + 6'(Out);
      if (arrives) begin
        seen_q  <= 1'b1;
        value_q <= data_i[`MUTANT?In-1-arrival : arrival];
      end
    end
  end
  always_comb begin
    // A bit that was never input is one of the padding zeros.
    if (leaves) a_bit : assert (data[place] == (seen_q && value_q));
    if (leaves && !flush_i) a_room : assert (seen_q);
  end
endmodule
