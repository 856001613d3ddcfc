// SPDX-License-Identifier: Apache-2.0

/// The final division of `hr`, word by word: S, or S + M.
///
/// S = (2^Radix T + U + q* M) / 2^(2 Radix), T from two vectors, q* from `montcore_hr_quotient`. With
/// unit_i the same for T = 0, U = 1: S is then N = 2^(-2 Radix) mod M and goes to the row. With Offset
/// a product's words are those of S + M; N is computed without it.
/// Precondition: after last_i words 0 .. words_i of both vectors come one per cycle, word 0 two
/// cycles later; low_i, q_i and up_i are U in the cycle of last_i and T mod 2^Radix in the next one.
/// last_i comes words_i + 1 or more cycles after the previous one. m_next_i comes with the last
/// word of a result or later, before the next last_i.
/// Latency: word 0 of S 6 cycles after last_i.
/// Example, Radix = 2, M = 11, unit_i: q* = -3, S = (1 - 33) / 16 = -2, the N of 11.
module montcore_hr_divide #(
    parameter int unsigned Radix = 4,  // Bits of X per iteration, even, 2 to 8.
    parameter int unsigned WordBits = 32,  // Word width w in bits.
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    /// 1: M is added to the result, which is then not negative if S is above -M.
    parameter bit Offset = 1'b0,
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [WordCountBits-1:0] words_i,  // Words of the modulus.
    /// Words of a result: as many as of the modulus, or with Offset one more.
    input logic [WordCountBits-1:0] count_i,
    input logic m_we_i,  // Write enable of a word of M.
    input logic [WordCountBits-1:0] m_index_i,  // Index of the word of M, valid with m_we_i.
    input logic [WordBits-1:0] m_data_i,  // Word of M, valid with m_we_i.
    /// Pulse: the modulus is loaded; compute the division's constant, in 2 Radix + 1 cycles.
    input logic invert_i,
    /// Row of M to read for the range check: row j has word j + 1, the last one word 0.
    input logic [AddrBits-1:0] m_row_i,
    output logic [WordBits-1:0] m_word_o,  // Word in row m_row_i.
    input logic unit_i,  // Pulse: compute the constant N.
    output logic unit_done_o,  // Pulse: N is complete.
    output logic n_first_o,  // High with word 0 of N for the row; the others follow, one per cycle.
    output logic [WordBits-1:0] n_data_o,  // Word of N, one per cycle from n_first_o on.
    output logic n_sign_o,  // Sign of N, valid with its topmost word.
    input logic last_i,  // High: the row is in the last iteration of a product.
    /// Lowest columns of the row; U in the cycle of last_i, then T mod 2^Radix.
    input logic [Radix-1:0] low_i,
    input logic [Radix/2-1:0][2:0] q_i,  // Digits of low_i, coded as lines {-2, -1, 1}.
    input logic up_i,  // Carry above these digits.
    input logic [WordBits-1:0] a_i,  // First vector of the carry-save result, one word per cycle.
    input logic [WordBits-1:0] b_i,  // Second vector of the carry-save result, one word per cycle.
    output logic s_valid_o,  // A word of the result is valid.
    output logic s_last_o,  // High with the last word of the result.
    output logic [AddrBits-1:0] s_index_o,  // Index of the word, valid with s_valid_o.
    output logic [WordBits-1:0] s_o,  // Word of the result, valid with s_valid_o.
    output logic s_sign_o,  // Sign of S, valid with the last word if there is no Offset.
    /// Word of M for the output: word 0 from the last word of the result on, then as m_next_i says.
    output logic [WordBits-1:0] m_o,
    input logic m_next_i,  // Pulse: m_o is the next word of M in the next cycle.
    output logic busy_o  // High while a division is in progress.
);
  localparam int unsigned Bits = 2 * Radix;
  localparam int unsigned Rows = Offset ? Radix + 2 : Radix + 1;
  localparam int unsigned Ups = (Rows > 3) ? Rows - 3 : 1;

  // Cycles after last_i for word 0: 1 selected in the row; 2 vectors added; 3 multiples of M added;
  // 4 carries added; 6 output, when word 1 is available.
  localparam int unsigned AtSum = 2;
  localparam int unsigned AtTree = 3;
  localparam int unsigned AtCarry = 4;
  localparam int unsigned AtWrite = 6;
  logic [AtWrite:1] at_q;
  logic start;
  logic unit_q, read_q, write_q, fetch_q, write_last_q, read, write, read_last, write_more;
  logic [WordCountBits-1:0] limit, write_limit, read_index_q, write_index_q, write_index;
  assign limit = unit_q ? WordCountBits'(Words) : words_i;
  assign read = at_q[AtSum] || read_q;
  assign read_last = read && read_index_q == limit;
  assign write = at_q[AtWrite] || write_q;
  assign write_limit = unit_q ? WordCountBits'(Words) : count_i;
  assign write_more = write && !write_last_q;
  assign write_index = write_more ? write_index_q + 1 : '0;
  assign start = last_i || unit_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      at_q          <= '0;
      unit_q        <= 1'b0;
      read_q        <= 1'b0;
      write_q       <= 1'b0;
      fetch_q       <= 1'b0;
      write_last_q  <= 1'b0;
      read_index_q  <= '0;
      write_index_q <= '0;
      unit_done_o   <= 1'b0;
    end else begin
      at_q <= {at_q[AtWrite-1:1], start};
      if (unit_i) unit_q <= 1'b1;
      else if (write_last_q) unit_q <= 1'b0;
      read_q        <= read && !read_last;
      read_index_q  <= (read && !read_last) ? read_index_q + 1 : '0;
      write_q       <= write_more;
      write_index_q <= write_index;
      // A cycle ahead, since the choice of the result depends on it.
      write_last_q  <= (at_q[AtWrite-1] || write_more) && write_index == write_limit - 1;
      fetch_q       <= read_last;
      unit_done_o   <= write_last_q && unit_q;
    end
  end

  // Digits of q*. N is computed from U = 1, with the row idle and empty.
  logic [WordBits-1:0] m_q;
  logic [Radix-1:0] u_q;
  logic [Radix-1:0][2:0] digits;
  logic [Radix/2-1:0][2:0] q;
  always_ff @(posedge clk_i) begin
    if (clear_i) u_q <= '0;
    else if (start) u_q <= low_i | Radix'(unit_i);
  end
  for (genvar p = 0; p < Radix / 2; p++) begin : g_digit
    assign q[p] = q_i[p] | {2'd0, unit_i & (p == 0)};
  end
  montcore_hr_quotient #(
      .Radix(Radix)
  ) u_quotient (
      .clk_i,
      .rst_ni,
      .clear_i,
      .m_i     (m_q[Bits-1:0]),
      .invert_i,
      .last_i  (start),
      .q_i     (q),
      .up_i,
      .digits_o(digits)
  );

  // T, and V = 2^Radix T + U.
  logic [WordBits-1:0] t_q, v;
  logic [WordBits:0] t;
  logic [Radix-1:0] t_below_q;
  logic t_carry_q;
  assign t = {1'b0, a_i} + {1'b0, b_i} + {{WordBits{1'b0}}, t_carry_q & ~at_q[AtSum]};
  always_ff @(posedge clk_i) begin
    t_q       <= t[WordBits-1:0];
    t_carry_q <= t[WordBits];
    t_below_q <= t_q[WordBits-1-:Radix];
  end
  assign v = {t_q[WordBits-Radix-1:0], at_q[AtTree] ? u_q : t_below_q};

  // M, and the bits below its word. The register has the lowest bits for the inverse as they are
  // loaded, and after a division word 0 for the output. The second memory has the words for the range
  // check of operands.
  logic [WordBits-1:0] m_word;
  logic [Bits-1:0] m_below_q;
  logic [AddrBits-1:0] write_row, read_row_q;
  logic m_step;
  localparam logic [AddrBits-1:0] LastRow = AddrBits'(Words - 1);
  assign write_row = (m_index_i == '0) ? LastRow : AddrBits'(m_index_i) - AddrBits'(1'd1);
  assign m_step    = read || fetch_q || m_next_i;
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_m (
      .clk_i,
      .we_i   (m_we_i),
      .wzero_i(clear_i),
      .waddr_i(write_row),
      .wdata_i(m_data_i),
      .raddr_i(read_row_q),
      .rdata_o(m_word)
  );
  montcore_ram #(
      .Rows (Words),
      .Width(WordBits)
  ) u_check (
      .clk_i,
      .we_i   (m_we_i),
      .wzero_i(clear_i),
      .waddr_i(write_row),
      .wdata_i(m_data_i),
      .raddr_i(m_row_i),
      .rdata_o(m_word_o)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || at_q[AtSum-1] || read_last) read_row_q <= LastRow;
    else if (m_step) read_row_q <= (read_row_q == LastRow) ? '0 : read_row_q + 1;
    if (clear_i || read_last) m_q <= '0;
    else if (m_step) m_q <= m_word;
    else if (m_we_i && m_index_i == '0) m_q[Bits-1:0] <= m_data_i[Bits-1:0];
    m_below_q <= m_q[WordBits-1-:Bits];
  end

  // V + q* M. The ones that complete negative multiples are added with word 0.
  logic [Rows-1:0][WordBits-1:0] rows;
  logic [WordBits+Bits-1:0] m;
  logic [Rows-2:0] ones;
  logic [WordBits-1:0] sum, carry, sum_q, carry_q;
  logic [Ups-1:0] up, up_q, up_in;
  logic carry_top_q;
  assign m = {m_q, m_below_q & {Bits{~at_q[AtTree]}}};
  for (genvar p = 0; p < Radix; p++) begin : g_multiple
    localparam int Place = int'(Bits) - 2 * p;
    assign ones[p] = digits[p][1] | digits[p][2];
    assign rows[p] = (m[Place+:WordBits] & {WordBits{digits[p][0]}}) |
                     (~m[Place+:WordBits] & {WordBits{digits[p][1]}}) |
                     (~m[Place-1+:WordBits] & {WordBits{digits[p][2]}});
  end
  if (Offset) begin : g_offset
    assign ones[Rows-2] = 1'b0;
    assign rows[Rows-2] = m[WordBits-1:0] & {WordBits{~unit_q}};
  end else begin : g_no_offset
    logic unused_m;
    assign unused_m = m[0];
  end
  assign rows[Rows-1] = v;
  if (Rows == 3) begin : g_no_up
    logic unused_up;
    assign up_in = '0;
    assign unused_up = ^up_q;
  end else begin : g_up
    assign up_in = at_q[AtTree] ? ones[Ups-1:0] : up_q;
  end
  montcore_hr_tree #(
      .Rows (Rows),
      .Width(WordBits)
  ) u_tree (
      .rows_i (rows),
      .carry_i(up_in),
      .sum_o  (sum),
      .carry_o(carry),
      .up_o   (up)
  );
  logic [WordBits:0] rest;
  logic [WordBits-1:0] rest_q;
  logic rest_carry_q;
  assign rest = {1'b0, sum_q} + {1'b0, carry_q} +
                {{WordBits{1'b0}}, at_q[AtCarry] ? ones[Rows-2] : rest_carry_q};
  always_ff @(posedge clk_i) begin
    sum_q        <= sum;
    carry_q      <= {carry[WordBits-2:0], at_q[AtTree] ? ones[Rows-3] : carry_top_q};
    carry_top_q  <= carry[WordBits-1];
    up_q         <= up;
    rest_q       <= rest[WordBits-1:0];
    rest_carry_q <= rest[WordBits];
  end

  // S is above the 2 Radix lowest bits, which are zero. Word words_i has no word above it.
  logic [WordBits-Bits-1:0] before_q;
  logic [Bits-1:0] above;
  always_ff @(posedge clk_i) before_q <= rest_q[WordBits-1:Bits];
  assign above = rest_q[Bits-1:0] & {Bits{~Offset || unit_q || write_index_q != words_i}};
  assign s_o = {above, before_q};
  assign s_sign_o = rest_q[WordBits-1];
  assign s_valid_o = write && !unit_q;
  assign s_last_o = write_last_q && !unit_q;
  assign s_index_o = AddrBits'(write_index_q);
  assign m_o = m_q;
  assign n_first_o = at_q[AtWrite] && unit_q;
  assign n_data_o = s_o;
  assign n_sign_o = s_sign_o;
  assign busy_o = at_q != '0 || read_q || write_q;
endmodule
