// SPDX-License-Identifier: Apache-2.0

/// A block of the cells of `hr`: Radix full adders each, with one sum and one carry bit.
///
/// S + 2 C <- (S + 2 C) / 2^Radix + floor(q N) + floor(a B) + carries, q and a of Radix / 2 digits
/// The floor of a negative multiple is its complement: the missing 1 comes with carry_i.
/// C bit p is the carry out of cell p and has the weight of cell p + 1. The Radix lowest bits of
/// S and of 2 C go to the block below as down_s_o and down_c_o. The block above works one cycle
/// later, so that its bits arrive one iteration late and then belong Radix cells lower, to the
/// cells from WordBits - 2 Radix on: two more adders in each of these, one in the cell above them.
/// The topmost block has Radix + 2 more cells and no carry leaves it: T has an offset of
/// 2^(WordBits + Radix + 1) and is never negative. A multiple's sign is inverted, and the constant
/// that compensates for it and for the division of the offset is a 1 in the same cells.
/// Block 0 lacks the Radix lowest cells: they are in `montcore_hr_lowest`.
/// In the first two iterations of a product the late bits belong to another product and are
/// ignored.
/// Precondition: none.
/// Latency: 1.
/// Source: H. Orup, "Simplifying Quotient Determination in High-Radix Modular Multiplication" (1995).
/// Example, Radix = 2, WordBits = 16: B = 0x15, a = 2, q = 0 in the first iteration -> S = 0x2a, C = 0.
module montcore_hr_block #(
    parameter int unsigned Radix = 4,  // Bits of X per iteration, even.
    parameter int unsigned WordBits = 32,  // Word width w in bits, at least 4 Radix.
    parameter bit Bottom = 1'b0,  // 1: this is block 0, without the lowest Radix cells.
    parameter bit Top = 1'b0,  // 1: this is the topmost block, with sign and offset.
    localparam int unsigned Pairs = Radix / 2,  // Number of radix-4 digits.
    localparam int unsigned Width = Top ? WordBits + Radix + 2 : WordBits  // Number of cells.
) (
    input logic clk_i,
    input logic n_we_i,  // Write enable of the word of N.
    input logic [WordBits-1:0] n_i,  // Word of N, valid with n_we_i.
    input logic n_sign_i,  // Sign of N, 1 if negative; used in the topmost block.
    input logic [Radix-2:0] n_below_i,  // Bits of N below the word, from the block below.
    input logic b_we_i,  // Write enable of the word of B and of the bits below it.
    input logic [WordBits-1:0] b_i,  // Word of B, valid with b_we_i.
    input logic b_sign_i,  // Sign of B, used in the topmost block.
    input logic [Radix-2:0] b_below_i,  // Bits of B below the word, valid with b_we_i.
    /// High: the next iteration is the first of a product, and starts from zero.
    input logic begin_i,
    input logic [Pairs-1:0][2:0] a_i,  // Digits of A, coded as lines {-1, 2, 1}.
    input logic [Pairs-1:0][2:0] q_i,  // Quotient digits, coded as lines {-2, -1, 1}.
    input logic [Radix-2:0] carry_i,  // Carries from the block below.
    input logic carry_low_i,  // Block 0: carry of the lowest columns into its C.
    input logic [Radix-1:0] above_s_i,  // Late bits of S from the block above.
    input logic [Radix-1:0] above_c_i,  // Late bits of 2 C from the block above.
    output logic [Radix-1:0] down_s_o,  // Lowest bits of S, for the block below.
    output logic [Radix-1:0] down_c_o,  // Lowest bits of 2 C, for the block below.
    output logic [Radix-2:0] up_o,  // Carries to the block above, of the cycle before.
    output logic [Radix-1:0] n_low_o,  // Lowest bits of N, for the lowest columns.
    output logic [Radix-2:0] n_high_o,  // Highest bits of N, for the block above.
    output logic [Width-1:0] s_o,  // Sum bits S, registered.
    output logic [Width-1:0] c_o  // Carry bits C, registered.
);
  localparam int unsigned Low = Bottom ? Radix : 0;
  localparam int unsigned Rows = Radix + 2;
  localparam int unsigned LateCell = WordBits - 2 * Radix;

  logic [WordBits-1:0] n_q;
  logic [WordBits+Radix-2:0] b_q;
  logic [WordBits+Radix:0] n, b;
  logic [Width-1:0] s_q, c_q, s, c, s_in, c_in, sum, carry;
  logic [Radix-2:0] up, up_q;

  always_ff @(posedge clk_i) begin
    if (n_we_i) n_q <= n_i;
    if (b_we_i) b_q <= {b_i, b_below_i};
  end
  assign n_low_o = n_q[Radix-1:0];
  assign n_high_o = n_q[WordBits-1-:Radix-1];
  // Bit i + Radix - 1 of these is bit i of the number in the weights of the block.
  assign n = {{2{n_sign_i}}, n_q, n_below_i};
  assign b = {{2{b_sign_i}}, b_q};

  // The shift, and the late bits. Registers are duplicated, since each drives many gates.
  logic first_q, live_q, late_ok_q;
  always_ff @(posedge clk_i) begin
    first_q   <= begin_i;
    live_q    <= ~begin_i;
    late_ok_q <= ~(begin_i | first_q);
  end
  assign s = s_q & {Width{live_q}};
  assign c = c_q & {Width{~first_q}};
  if (Top) begin : g_no_late
    logic unused_late;
    for (genvar i = 0; i < Width; i++) begin : g_cell
      localparam bit HasS = i + Radix < Width;
      localparam bit HasC = i + Radix - 1 < Width;
      if (i == WordBits + 1) begin : g_offset
        assign s_in[i] = s[i+Radix] | first_q;
      end else if (HasS) begin : g_s
        assign s_in[i] = s[i+Radix];
      end else begin : g_no_s
        assign s_in[i] = 1'b0;
      end
      if (HasC) begin : g_c
        assign c_in[i] = c[i+Radix-1];
      end else begin : g_no_c
        assign c_in[i] = 1'b0;
      end
    end
    assign unused_late = ^{above_s_i, above_c_i, late_ok_q, s[Radix-1:0], c[Radix-2:0]};
  end else begin : g_late
    logic [Radix-1:0] late_s, late_c, mid, mid_carry, last, last_carry;
    logic one, two, unused_low;
    assign late_s = above_s_i & {Radix{late_ok_q}};
    assign late_c = above_c_i & {Radix{late_ok_q}};
    for (genvar i = 0; i < Radix; i++) begin : g_late_cell
      logic s_own, c_own, half;
      assign s_own = s_q[LateCell+Radix+i];
      assign c_own = c_q[LateCell+Radix-1+i];
      assign half = (s_own ^ c_own) & live_q;
      assign mid[i] = half ^ late_s[i];
      assign mid_carry[i] = (s_own & c_own & live_q) | (half & late_s[i]);
      if (i == 0) begin : g_first
        assign {last_carry[i], last[i]} = 2'(mid[i]) + 2'(late_c[i]);
      end else begin : g_other
        assign {last_carry[i], last[i]} = 2'(mid[i]) + 2'(late_c[i]) + 2'(mid_carry[i-1]);
      end
    end
    assign {two, one} = 2'(c[WordBits-1]) + 2'(mid_carry[Radix-1]) + 2'(last_carry[Radix-1]);
    for (genvar i = 0; i < Width; i++) begin : g_cell
      if (i < LateCell) begin : g_shifted
        assign s_in[i] = s[i+Radix];
        assign c_in[i] = c[i+Radix-1];
      end else if (i == LateCell) begin : g_lowest_late
        assign s_in[i] = last[0];
        assign c_in[i] = 1'b0;
      end else if (i < LateCell + Radix) begin : g_with_late
        assign s_in[i] = last[i-LateCell];
        assign c_in[i] = last_carry[i-LateCell-1];
      end else if (i == LateCell + Radix) begin : g_one_above
        assign s_in[i] = one;
        assign c_in[i] = 1'b0;
      end else begin : g_above
        assign s_in[i] = 1'b0;
        assign c_in[i] = (i == LateCell + Radix + 1) ? two : 1'b0;
      end
    end
    assign unused_low = ^{s[Radix-1:0], c[Radix-2:0]};
  end

  // Multiples of B and N.
  logic [Rows-1:0][Width-1:0] rows;
  for (genvar p = 0; p < Pairs; p++) begin : g_multiple
    for (genvar i = 0; i < Width; i++) begin : g_cell
      localparam int Place = i + int'(Radix) - 1 - 2 * p;
      localparam int Sign = int'(WordBits) + 2 * p + 1;
      if (i < Sign) begin : g_bit
        assign rows[p][i] = (a_i[p][0] & b[Place]) | (a_i[p][1] & b[Place-1]) |
                            (a_i[p][2] & ~b[Place]);
        assign rows[Pairs+p][i] = (q_i[p][0] & n[Place]) | (q_i[p][1] & ~n[Place]) |
                                  (q_i[p][2] & ~n[Place-1]);
      end else if (i == Sign) begin : g_sign
        // Both signs inverted, plus 1: u + v + 1 = (u xnor v) + 2 (u or v).
        logic a_sign, q_sign;
        assign a_sign = a_i[p][2] ^ (b_sign_i & (|a_i[p]));
        assign q_sign = (q_i[p][1] | q_i[p][2]) ^ (n_sign_i & (|q_i[p]));
        assign rows[p][i] = ~(a_sign ^ q_sign);
        assign rows[p][i+1] = ~(a_sign & q_sign);
        assign rows[Pairs+p][i] = 1'b0;
        assign rows[Pairs+p][i+1] = 1'b0;
      end else if (i > Sign + 1) begin : g_above
        assign rows[p][i] = 1'b0;
        assign rows[Pairs+p][i] = 1'b0;
      end
    end
  end
  assign rows[Rows-2] = s_in;
  assign rows[Rows-1] = c_in;

  logic [Rows-1:0][Width-Low-1:0] cells;
  for (genvar r = 0; r < Rows; r++) begin : g_row
    assign cells[r] = rows[r][Width-1:Low];
  end
  montcore_hr_tree #(
      .Rows (Rows),
      .Width(Width - Low)
  ) u_tree (
      .rows_i (cells),
      .carry_i,
      .sum_o  (sum[Width-1:Low]),
      .carry_o(carry[Width-1:Low]),
      .up_o   (up)
  );
  if (Bottom) begin : g_bottom
    logic [Rows-1:0] unused_rows;
    assign sum[Low-1:0]   = '0;
    assign carry[Low-1:0] = {carry_low_i, {(Low - 1) {1'b0}}};
    for (genvar r = 0; r < Rows; r++) begin : g_unused
      assign unused_rows[r] = ^rows[r][Low-1:0];
    end
  end else begin : g_not_bottom
    logic unused_carry;
    assign unused_carry = carry_low_i;
  end
  always_ff @(posedge clk_i) begin
    s_q  <= sum;
    c_q  <= carry;
    up_q <= up;
  end
  assign up_o = up_q;
  assign down_s_o = s_q[Radix-1:0];
  assign down_c_o = {c_q[Radix-2:0], 1'b0};
  assign s_o = s_q;
  assign c_o = c_q;
endmodule
