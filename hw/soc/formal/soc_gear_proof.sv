// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_soc_gear`.
///
/// One bit of the stream, any one, is followed by its number: a_bit: it leaves at its place. a_room:
/// what comes does not overrun what is there.
module soc_gear_proof #(
    /// Bits of a word that comes.
    parameter int unsigned In  = 4,
    /// Bits of a word that leaves.
    parameter int unsigned Out = 6
) (
    /// Clock, rising edge.
    input logic          clk_i,
    /// Clear.
    input logic          clear_i,
    /// A word is offered.
    input logic          valid_i,
    /// The word.
    input logic [In-1:0] data_i,
    /// It is taken.
    input logic          ready_i,
    /// No word will come.
    input logic          flush_i,
    /// Number of the bit that is followed.
    input logic [   4:0] number_i
);
  logic run_q = 1'b0, flush_q, ready, valid, seen_q, value_q;
  logic [4:0] number_q;
  logic [5:0] came_q, left_q;  // bits
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
      .clk_i      (clk_i),
      .clear_i    (clear_i),
      .in_valid_i (valid_i),
      .in_ready_o (ready),
      .in_data_i  (data_i),
      .flush_i    (flush_i),
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
      // Bits are counted as far as the one that is followed may be.
      if (valid_i && ready && came_q < 6'd40) came_q <= came_q + 6'(In);
      if (valid && ready_i && left_q < 6'd40) left_q <= left_q + 6'(Out);
      if (arrives) begin
        seen_q <= 1'b1;
`ifdef MUTANT
        value_q <= data_i[In-1-arrival];
`else
        value_q <= data_i[arrival];
`endif
      end
    end
  end
  always_comb begin
    // A bit that never came is one of the zeros behind the last one.
    if (leaves) a_bit : assert (data[place] == (seen_q && value_q));
    if (leaves && !flush_i) a_room : assert (seen_q);
  end
endmodule
