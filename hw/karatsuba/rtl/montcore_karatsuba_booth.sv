// SPDX-License-Identifier: Apache-2.0

/// Signed multiplier for standard cells: radix-4 Booth rows and a carry-save tree.
///
/// sum_o + carry_o = a * b + booth_offset(Width), exactly: never more than 2 * Width bits
/// Precondition: code_i is the output of `montcore_karatsuba_recode` for a, one cycle after b_i.
/// Latency: 2 cycles from b_i, 1 from code_i, plus two full adders after the last register.
/// The sign bit of each row is inverted instead of extended, which adds a constant to the product;
/// the user subtracts it together with a constant that it adds anyway
/// (`montcore_karatsuba_pkg::booth_offset`).
/// Example, Width = 4: a = -3, b = 5 -> sum + carry = -15 + 80 = 65 (offset 2^4 + 2^6).
module montcore_karatsuba_booth #(
    parameter int unsigned Width = 65,  // Width of each factor in bits, 3 or more.
    localparam int unsigned Digits = (Width + 1) / 2  // Digits of a factor.
) (
    input logic clk_i,
    /// First factor a as digits, registered, one cycle after b_i.
    input logic [Digits-1:0][3:0] code_i,
    input logic [Width-1:0] b_i,  // Second factor b, signed.
    output logic [2*Width-1:0] sum_o,  // First word of the carry-save product.
    output logic [2*Width-1:0] carry_o  // Second word of the carry-save product.
);
  localparam int unsigned OutWidth = 2 * Width;
  // One more row holds the +1 of a negative last digit; two trees of at least two rows each.
  localparam int unsigned HalfRows = (Digits + 2) / 2 < 2 ? 2 : (Digits + 2) / 2;

  // Where the halves of the tree have bits: the rows of the first add up to less than 2^LowTop.
  localparam int unsigned LowRows = 2 * HalfRows + Width;
  localparam int unsigned LowTop = (LowRows < OutWidth) ? LowRows : OutWidth;
  localparam int unsigned HighStart = 2 * HalfRows - 2;
  localparam logic [OutWidth-1:0] All = '1;
  localparam logic [OutWidth-1:0] One = OutWidth'(1);
  localparam logic [OutWidth-1:0] LowMask = All >> (OutWidth - LowTop);
  localparam logic [OutWidth-1:0] HighMask = All << HighStart;
  localparam logic [4*OutWidth-1:0] HalfMasks = {HighMask, HighMask, LowMask, LowMask};

  /// Where the rows of a half have bits; `start` is the number of its first row.
  function automatic logic [HalfRows*OutWidth-1:0] row_masks(int unsigned start);
    logic [HalfRows*OutWidth-1:0] masks;
    logic [OutWidth-1:0] bits, plus;
    for (int unsigned row = 0; row < HalfRows; row++) begin
      bits = (start + row < Digits) ? (All >> (OutWidth - Width - 1)) << (2 * (start + row)) : '0;
      plus = (start + row > 0 && start + row <= Digits) ? One << (2 * (start + row) - 2) : '0;
      masks[row*OutWidth+:OutWidth] = bits | plus;
    end
    return masks;
  endfunction

  logic [Width-1:0] b_q, inverse_q;
  logic [1:0][HalfRows-1:0][OutWidth-1:0] rows;
  logic [3:0][OutWidth-1:0] half, half_q;

  // Row i is digit[i] * b * 4^i, with the +1 of a negative digit i - 1 in its empty low bits. A bit
  // takes two cells of the kind and-or-invert: the first gives b, its inverse or zero, and the
  // second selects one of two neighbours. For that, b and the selections are registered in both
  // polarities. The second is written as or-and: an inverter before an adder would be merged into
  // the adder by synthesis and come out of it again.
  for (genvar i = 0; i < 2 * HalfRows; i++) begin : g_row
    if (i < Digits) begin : g_digit
      logic negative, positive, two, one;
      logic [Width:0] signed_b, magnitude;
      assign {negative, positive, two, one} = code_i[i];
      assign signed_b = {(b_q & {Width{positive}}) | (inverse_q & {Width{negative}}), negative};
      assign magnitude = {
        ~signed_b[Width],
        (signed_b[Width:1] | {Width{~one}}) & (signed_b[Width-1:0] | {Width{~two}})
      };
      if (i == 0) begin : g_first
        assign rows[i/HalfRows][i%HalfRows] = OutWidth'(magnitude);
      end else begin : g_next
        assign rows[i/HalfRows][i%HalfRows] =
            OutWidth'({magnitude, 1'b0, code_i[i-1][3]}) << (2 * i - 2);
      end
    end else if (i == Digits) begin : g_last
      assign rows[i/HalfRows][i%HalfRows] = OutWidth'(code_i[i-1][3]) << (2 * i - 2);
    end else begin : g_none
      assign rows[i/HalfRows][i%HalfRows] = '0;
    end
  end

  for (genvar i = 0; i < 2; i++) begin : g_half
    montcore_karatsuba_tree #(
        .Rows (HalfRows),
        .Width(OutWidth),
        .Masks(row_masks(i * HalfRows))
    ) u_tree (
        .rows_i (rows[i]),
        .sum_o  (half[2*i]),
        .carry_o(half[2*i+1])
    );
  end

  always_ff @(posedge clk_i) begin
    b_q       <= b_i;
    inverse_q <= ~b_i;
    half_q[0] <= half[0] & LowMask;
    half_q[1] <= half[1] & LowMask;
    half_q[2] <= half[2] & HighMask;
    half_q[3] <= half[3] & HighMask;
  end

  montcore_karatsuba_tree #(
      .Rows (4),
      .Width(OutWidth),
      .Masks(HalfMasks)
  ) u_join (
      .rows_i(half_q),
      .sum_o,
      .carry_o
  );
endmodule
