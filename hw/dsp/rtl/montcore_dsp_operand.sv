// SPDX-License-Identifier: Apache-2.0

/// The operand word of a half-iteration, common to all blocks: of B, of a number that is reduced,
/// or a quotient digit.
/// Product: word i of B, then q_(i-1). Digits of a reduction: word i of z, the last two digits of
/// the product. Reduction: digit i of q, and 1 for the rest of z. Set-up: the same with M' for q.
/// Precondition: pairs of B arrive in order, pairs_i of them per product, before they are
/// read.
/// Latency: 0; a pair of B can be read from the tick after its write on, with LateWrites one tick later,
/// except the first one with Forward.
/// Source: dsp48-2007, Algorithm 2.
/// Example, op_i = OpProduct, iteration_i = 1, first pair of B = 2^17 + 5: operand_o = 1.
module montcore_dsp_operand #(
    parameter int unsigned WordPairs = 16,  // Pairs of words of an operand at the built width.
    parameter int unsigned DigitBits = 6,  // Width of a word count in bits.
    parameter int unsigned SweepBits = 5,  // Width of the sweep's row index in bits.
    parameter bit LateWrites = 1'b0,  // 1: b is written one tick late, through a register.
    /// 1: with LateWrites, the first pair of b can be read while it waits for its write.
    parameter bit Forward = 1'b0,
    localparam int unsigned PairBits = $clog2(WordPairs + 1)
) (
    input logic clk_i,
    input logic tick_i,  // Clock enable of all registers.
    input logic rst_ni,
    input logic clear_i,
    input logic [SweepBits-1:0] sweep_i,  // Memory row to clear, valid with clear_i.
    input logic odd_digits_i,  // Lowest bit of the number n of words of the present modulus.
    input logic [PairBits-1:0] pairs_i,  // Pairs of words of an operand.
    input logic b_we_i,  // A pair of B is valid.
    input logic [33:0] b_data_i,  // The pair, low word first; valid with b_we_i.
    input logic run_i,  // High while half-iterations are in progress; operand_o is 0 otherwise.
    input logic [1:0] op_i,  // Operation, `montcore_dsp_pkg::Op...`.
    input logic [DigitBits-1:0] iteration_i,  // Index of the iteration in the operation.
    /// High: it is n or more, so that B has no word for it; valid in a product.
    input logic beyond_i,
    input logic multiply_m_i,  // High: the half-iteration is that of the modulus.
    /// The digit that is computed in this tick is a product's last one.
    input logic product_first_i,
    input logic digit_valid_i,  // A quotient digit is computed in this tick.
    /// High: it is that of an iteration with an odd index; valid with digit_valid_i.
    input logic digit_odd_i,
    input logic [16:0] digit_i,  // Quotient digit, valid with digit_valid_i.
    /// Latest quotient digit of an iteration with an even index, registered.
    input logic [16:0] even_digit_i,
    /// Latest quotient digit of an iteration with an odd index, registered.
    input logic [16:0] odd_digit_i,
    input logic [33:0] inverse_i,  // M' mod 2^34.
    output logic [16:0] operand_o  // Operand word of the half-iteration.
);
  import montcore_dsp_pkg::OpProduct;
  import montcore_dsp_pkg::OpDigits;
  import montcore_dsp_pkg::OpReduce;

  localparam int unsigned AddrBits = (WordPairs > 1) ? $clog2(WordPairs) : 1;

  logic [PairBits-1:0] count_q;
  logic [33:0] b_pair, b_stored;
  logic [16:0] b_word, last_digit_q;

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
    if (Forward) begin : g_forward
      // All other pairs are read at least four ticks after they come.
      logic first_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i) first_q <= 1'b0;
        else if (tick_i) first_q <= b_we_i && count_q == '0;
      end
      assign b_pair = (first_q && iteration_i[DigitBits-1:1] == '0) ? data_q : b_stored;
    end else begin : g_wait
      assign b_pair = b_stored;
    end
  end else begin : g_at_once
    assign b_we = b_we_i;
    assign b_index = AddrBits'(count_q);
    assign b_data = b_data_i;
    assign b_pair = b_stored;
  end
  montcore_ram #(
      .Rows (WordPairs),
      .Width(34)
  ) u_b (
      .clk_i,
      .we_i   ((b_we && tick_i) || (clear_i && sweep_i < SweepBits'(WordPairs))),
      .wzero_i(clear_i),
      .waddr_i(clear_i ? AddrBits'(sweep_i) : b_index),
      .wdata_i(b_data),
      .raddr_i(AddrBits'(iteration_i >> 1)),
      .rdata_o(b_stored)
  );
  assign b_word = iteration_i[0] ? b_pair[33:17] : b_pair[16:0];

  // The digit of a product's last iteration is kept: the first digit of q may have its parity.
  always_ff @(posedge clk_i) begin
    if (clear_i) last_digit_q <= '0;
    else if (tick_i && product_first_i) last_digit_q <= digit_i;
  end

  // Iteration i of a product multiplies the modulus by q_(i-1), the digit of iteration i - 2: the
  // latest one of its parity, since that of iteration i itself is not complete. A reduction takes
  // the digits of q in the same way, and for q the digits of iterations n and n + 1 are the low
  // words of z. If the digit is computed in this tick, it arrives last and has the shortest path.
  logic [16:0] others, latest;
  logic quotient, last_digit, parity, take_new;
  always_comb begin
    unique case (op_i)
      OpProduct: quotient = multiply_m_i && iteration_i[DigitBits-1:1] != '0;
      OpDigits:  quotient = !iteration_i[0];
      OpReduce:  quotient = multiply_m_i;
      default:   quotient = 1'b0;
    endcase
  end
  assign last_digit = op_i == OpDigits && iteration_i[0];
  assign parity = (op_i == OpDigits) ? odd_digits_i : iteration_i[0];
  assign latest = parity ? odd_digit_i : even_digit_i;
  assign take_new   = run_i && ((quotient && digit_valid_i && digit_odd_i == parity) ||
                                (last_digit && product_first_i));
  assign operand_o = others | (digit_i & {17{take_new}});
  always_comb begin
    others = '0;
    if (quotient) begin
      others = latest;
    end else begin
      unique case (op_i)
        OpProduct: if (!multiply_m_i && !beyond_i) others = b_word;
        OpDigits:  others = last_digit_q;
        OpReduce:  others = 17'(iteration_i == DigitBits'(1));
        default: begin
          if (!multiply_m_i) others = 17'(iteration_i == DigitBits'(1));
          else others = iteration_i[0] ? inverse_i[33:17] : inverse_i[16:0];
        end
      endcase
    end
    if (!run_i || take_new) others = '0;
  end
endmodule
