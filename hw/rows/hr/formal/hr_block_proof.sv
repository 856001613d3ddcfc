// SPDX-License-Identifier: Apache-2.0

/// Properties of `montcore_hr_block`: each cycle preserves the value, from any state.
///
/// Values are integers in the weights of the block. The registers in step 0 are arbitrary.
/// a_exact: S + 2 C and the carries to the block above, after a cycle = S and 2 C before it after
/// the shift + the late bits Radix cells below the top + floor(q N) + floor(a B) + the carries in;
/// the first iteration of a product starts from zero. In the topmost block the multiples are
/// signed, the offset replaces what the division removes, and no carry leaves it.
/// a_down: the bits for the block below are the lowest bits of S and of 2 C.
module hr_block_proof #(
    parameter int unsigned Radix = 2,  // Bits of X per iteration, even.
    parameter int unsigned WordBits = 8,
    parameter bit Bottom = 1'b0,  // 1: the block is block 0.
    parameter bit Top = 1'b0,  // 1: the block is the topmost one.
    localparam int unsigned Pairs = Radix / 2,  // Number of radix-4 digits.
    localparam int unsigned Width = Top ? WordBits + Radix + 2 : WordBits  // Number of cells.
) (
    input logic clk_i,
    input logic begin_i,  // High: the next iteration is the first of a product.
    input logic n_sign_i,  // Sign of N, 1 if negative.
    input logic b_sign_i,  // Sign of B, 1 if negative.
    input logic [Radix-2:0] n_below_i,  // Bits of N below the word.
    input logic [Pairs-1:0][1:0] a_i,  // Digits of A, coded: 0, 1, 2, and 3 for -1.
    input logic [Pairs-1:0][1:0] q_i,  // Quotient digits, coded: 0, 1, 2 for -2, and 3 for -1.
    input logic [Radix-2:0] carry_i,  // Carries from the block below.
    input logic carry_low_i,  // Carry of the lowest columns, used in block 0 only.
    input logic [Radix-1:0] above_s_i,  // Late bits of S from the block above.
    input logic [Radix-1:0] above_c_i  // Late bits of 2 C from the block above.
);
  localparam int unsigned Low = Bottom ? Radix : 0;
  localparam int unsigned Bits = Width + Radix + 4;

  logic [Pairs-1:0][2:0] a, q;
  logic [Radix-1:0] down_s, down_c;
  logic [Radix-2:0] up;
  logic [Width-1:0] s, c;
  // Codes 0 to 3: digits 0, 1, 2 and -1 of A; 0, 1, -2 and -1 of the quotient.
  for (genvar p = 0; p < Pairs; p++) begin : g_lines
    assign a[p] = {a_i[p] == 3, a_i[p] == 2, a_i[p] == 1};
    assign q[p] = {q_i[p] == 2, q_i[p] == 3, q_i[p] == 1};
  end
  montcore_hr_block #(
      .Radix   (Radix),
      .WordBits(WordBits),
      .Bottom  (Bottom),
      .Top     (Top)
  ) u_dut (
      .n_we_i   (1'b0),
      .n_i      ('0),
      .b_we_i   (1'b0),
      .b_i      ('0),
      .b_below_i('0),
      .a_i      (a),
      .q_i      (q),
      .down_s_o (down_s),
      .down_c_o (down_c),
      .up_o     (up),
      .n_low_o  (),
      .n_high_o (),
      .s_o      (s),
      .c_o      (c),
      .*
  );

  // floor(digit * number * 4^place); the number is given from its bit 1 - Radix on.
  localparam int unsigned Wide = Bits + Radix;
  function automatic logic [Bits-1:0] multiple(logic signed [Wide-1:0] number, int digit,
                                               int unsigned place);
    logic signed [Wide-1:0] product;
    product = (digit == 2 || digit == -2) ? number <<< 1 : (digit == 0) ? '0 : number;
    if (digit < 0) product = ~product;
    return Bits'((product <<< (2 * place)) >>> (Radix - 1));
  endfunction

  localparam logic [Bits-1:0] Cells = (Bits'(1) << Width) - (Bits'(1) << Low);
  // In the topmost block the bits above the cells are the sign, and sums are modulo 2^Width.
  localparam logic [Bits-1:0] Whole = Top ? ~((Bits'(1) << Low) - 1) : Cells;
  localparam logic [Bits-1:0] Offset = (Bits'(1) << (WordBits + Radix + 1));
  logic signed [Wide-1:0] n, b;
  logic [Bits-1:0] chosen, held, late, carries, ups, found, want_q;
  logic started_q = 1'b0;
  logic first, second_q, late_mask;
  assign first = u_dut.first_q;
  assign late_mask = first || second_q;
  assign n = Wide'($signed({n_sign_i, u_dut.n_q, n_below_i}));
  assign b = Wide'($signed({b_sign_i, u_dut.b_q}));
  always_comb begin
    chosen  = '0;
    carries = Bits'(carry_low_i && Bottom) << Low;
    ups     = '0;
    for (int unsigned p = 0; p < Pairs; p++) begin
      chosen += multiple(b, (a_i[p] == 3) ? -1 : int'(a_i[p]), p) & Whole;
      chosen += multiple(n, (q_i[p] == 3) ? -1 : (q_i[p] == 2) ? -2 : int'(q_i[p]), p) & Whole;
    end
    for (int unsigned i = 0; i < Radix - 1; i++) begin
      carries += Bits'(carry_i[i]) << Low;
      ups += Bits'(up[i]) << Width;
    end
    held = first ? '0 : (Bits'(s >> Radix) & Cells) + (Bits'(c >> (Radix - 1)) & Cells);
    late = (Bits'(above_s_i) + Bits'(above_c_i)) << (WordBits - 2 * Radix);
    if ((`MUTANT ? first : late_mask) || Top) late = '0;
    if (Top) begin
      carries += Offset - (Offset >> Radix);
      if (first) carries += Offset >> Radix;
    end
    found = Bits'(s) + (Bits'(c) << 1) + ups;
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    second_q  <= first;
    want_q    <= held + late + chosen + carries;
  end
  always_comb begin
    // Three registers encode which iteration it is.
    if (!started_q) m_flags : assume (u_dut.live_q == !first && u_dut.late_ok_q == !late_mask);
    if (started_q && !Top) a_exact : assert (found == want_q);
    if (started_q && Top) a_exact_top : assert (Width'(found) == Width'(want_q));
    a_down : assert (down_s == s[Radix-1:0] && down_c == {c[Radix-2:0], 1'b0});
  end
endmodule
