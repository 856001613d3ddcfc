// SPDX-License-Identifier: Apache-2.0

/// The operand word of a half-iteration, common to all blocks: of B, of a number that is reduced,
/// or a quotient digit.
/// Product: word i of B, then q_(i-1). Digits of a reduction: word i of z. Reduction: first 1, then
/// Product: word i of B, then q_(i-1). Digits of a reduction: word i of z. Reduction: 1 once, then
/// the two digits of q.
/// Precondition: pairs of B arrive in order, pairs_i of them per product, before they are
/// read.
/// Latency: 0; a pair of B can be read from the tick after its write on.
/// Source: dsp48-2007, Algorithm 2.
/// Example, op_i = OpProduct, iteration_i = 1, first pair of B = 2^17 + 5: operand_o = 1.
module montcore_dsp_operand #(
    /// Pairs of words of an operand at the built width.
    parameter  int unsigned WordPairs  = 16,
    /// Width of a word count in bits.
    parameter  int unsigned DigitBits  = 6,
    /// Width of the sweep's row index in bits.
    parameter  int unsigned SweepBits  = 5,
    /// 1: b is written one tick late, through a register.
    parameter  bit          LateWrites = 1'b0,
    /// Width of a pair count in bits (do not change).
    localparam int unsigned PairBits   = $clog2(WordPairs + 1)
) (
    /// Clock, rising edge.
    input logic clk_i,
    /// Clock enable of all registers.
    input logic tick_i,
    /// Synchronous reset, active low: clears control, not data.
    input logic rst_ni,
    /// Synchronous clear, active high.
    input logic clear_i,
    /// Memory row to clear, valid with clear_i.
    input logic [SweepBits-1:0] sweep_i,
    /// Words n of the present modulus.
    input logic [DigitBits-1:0] digits_i,
    /// Pairs of words of an operand.
    input logic [PairBits-1:0] pairs_i,
    /// A pair of B is valid.
    input logic b_we_i,
    /// The pair, low word first; valid with b_we_i.
    input logic [33:0] b_data_i,
    /// High while half-iterations are in progress; operand_o is 0 otherwise.
    input logic run_i,
    /// Operation, `montcore_dsp_pkg::Op...`.
    input logic [1:0] op_i,
    /// Index of the iteration in the operation.
    input logic [DigitBits-1:0] iteration_i,
    /// High: the half-iteration is that of the modulus.
    input logic multiply_m_i,
    /// Stores z_i, the number to be reduced.
    input logic z_we_i,
    /// Lowest pair of the number to be reduced, valid with z_we_i.
    input logic [33:0] z_i,
    /// A quotient digit is computed in this tick.
    input logic digit_valid_i,
    /// High: it is that of an iteration with an odd index; valid with digit_valid_i.
    input logic digit_odd_i,
    /// Quotient digit, valid with digit_valid_i.
    input logic [16:0] digit_i,
    /// Latest quotient digit of an iteration with an even index, registered.
    input logic [16:0] even_digit_i,
    /// Latest quotient digit of an iteration with an odd index, registered.
    input logic [16:0] odd_digit_i,
    /// Stores inverse_i as q of the reduction that yields M''.
    input logic inverse_we_i,
    /// M' mod 2^34, valid with inverse_we_i.
    input logic [33:0] inverse_i,
    /// Stores the latest digits of both parities as q of a reduction.
    input logic reduce_we_i,
    /// Operand word of the half-iteration.
    output logic [16:0] operand_o
);
  import montcore_dsp_pkg::OpProduct;
  import montcore_dsp_pkg::OpDigits;

  localparam int unsigned AddrBits = (WordPairs > 1) ? $clog2(WordPairs) : 1;

  logic [PairBits-1:0] count_q;
  logic [33:0] b_pair, z_q, reduce_q;
  logic [16:0] b_word, z_word, reduce_low, reduce_high;
  logic later;

  logic b_we;
  logic [AddrBits-1:0] b_index;
  logic [33:0] b_data;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) count_q <= '0;
    else if (tick_i && b_we_i) count_q <= (count_q == pairs_i - 1) ? '0 : count_q + 1;
  end
  if (LateWrites) begin : g_late
    logic we_q;
    logic [AddrBits-1:0] index_q;
    logic [33:0] data_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        we_q   <= 1'b0;
        data_q <= '0;
      end else if (tick_i) begin
        we_q   <= b_we_i;
        data_q <= b_data_i;
      end
      if (tick_i) index_q <= AddrBits'(count_q);
    end
    assign b_we = we_q;
    assign b_index = index_q;
    assign b_data = data_q;
  end else begin : g_at_once
    assign b_we = b_we_i;
    assign b_index = AddrBits'(count_q);
    assign b_data = b_data_i;
  end
  montcore_ram #(
      .Rows (WordPairs),
      .Width(34)
  ) u_b (
      .clk_i  (clk_i),
      .we_i   ((b_we && tick_i) || (clear_i && sweep_i < SweepBits'(WordPairs))),
      .wzero_i(clear_i),
      .waddr_i(clear_i ? AddrBits'(sweep_i) : b_index),
      .wdata_i(b_data),
      .raddr_i(AddrBits'(iteration_i >> 1)),
      .rdata_o(b_pair)
  );
  assign b_word = iteration_i[0] ? b_pair[33:17] : b_pair[16:0];
  assign z_word = iteration_i[0] ? z_q[33:17] : z_q[16:0];
  assign {reduce_high, reduce_low} = reduce_q;
  assign later = iteration_i[DigitBits-1:1] != '0;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      z_q      <= '0;
      reduce_q <= '0;
    end else if (tick_i) begin
      if (z_we_i) z_q <= z_i;
      if (inverse_we_i) reduce_q <= inverse_i;
      else if (reduce_we_i) reduce_q <= {odd_digit_i, even_digit_i};
    end
  end

  // Iteration i multiplies the modulus by q_(i-1), the digit of iteration i - 2: the latest one of
  // its parity, since that of iteration i itself is not complete. If it is computed in this tick, it
  // arrives last and has the shortest path.
  logic [16:0] others;
  logic quotient, take_new;
  assign quotient  = run_i && op_i == OpProduct && multiply_m_i && later;
  assign take_new  = quotient && digit_valid_i && digit_odd_i == iteration_i[0];
  assign operand_o = others | (digit_i & {17{take_new}});
  always_comb begin
    others = '0;
    unique case (op_i)
      OpProduct: begin
        if (!multiply_m_i) begin
          if (iteration_i < digits_i) others = b_word;
        end else if (later && !take_new) begin
          others = iteration_i[0] ? odd_digit_i : even_digit_i;
        end
      end
      OpDigits: begin
        if (!multiply_m_i) others = z_word;
      end
      default: begin
        if (!multiply_m_i) others = 17'(iteration_i == '0);
        else if (iteration_i == '0) others = reduce_low;
        else if (iteration_i == DigitBits'(1)) others = reduce_high;
      end
    endcase
    if (!run_i) others = '0;
  end
endmodule
