// SPDX-License-Identifier: Apache-2.0

/// Carry-save tree for rows with gaps: a column of two bits is left alone where it can be.
///
/// sum_o + carry_o = sum of all rows mod 2^Width
/// Precondition: a row is zero where its mask is zero.
/// Latency: 0 (1 full adder for 3 rows, 2 for 4, 3 for 6, 4 for 9, 5 for 13, 6 for 19).
/// Each level turns three rows into two, like `montcore_csa_tree`. Where only two of three rows have
/// a bit, that tree spends a half adder, which does not reduce the number of bits. Here both bits
/// pass, unless a carry from the column below takes the second place.
/// Example, Rows = 3, Width = 4, Masks = 1111, 0110, 1100: 9, 6, 4 -> sum = 11, carry = 8.
module montcore_karatsuba_tree #(
    parameter int unsigned Rows = 4,  // Number of addends, 2 or more.
    parameter int unsigned Width = 32,  // Width of each number in bits.
    /// Where each row may have ones, row 0 in the lowest bits.
    parameter logic [Rows*Width-1:0] Masks = '1
) (
    input logic [Rows-1:0][Width-1:0] rows_i,  // Addends, one per row, unsigned.
    output logic [Width-1:0] sum_o,  // First of the two results, which add up to the sum.
    output logic [Width-1:0] carry_o  // Second of the two results, which add up to the sum.
);
  localparam int unsigned Triples = Rows / 3;
  localparam int unsigned Rest = Rows % 3;
  localparam int unsigned NextRows = 2 * Triples + Rest;

  /// Masks of the rows of the next level, or, with `passing`, the columns of each three rows whose
  /// two bits pass.
  function automatic logic [Rows*Width-1:0] level(logic [Rows*Width-1:0] masks, logic passing);
    logic [Rows*Width-1:0] next;
    logic [Width-1:0] first, second, third, two, pass;
    logic carried;
    next = '0;
    for (int unsigned row = 0; row + 2 < Rows; row = row + 3) begin
      first = masks[row*Width+:Width];
      second = masks[(row+1)*Width+:Width];
      third = masks[(row+2)*Width+:Width];
      two = (first & second) | (first & third) | (second & third);
      carried = 1'b0;
      for (int unsigned column = 0; column < Width; column = column + 1) begin
        pass[column] = two[column] & ~(first[column] & second[column] & third[column]) & ~carried;
        carried = two[column] & ~pass[column];
      end
      next[row/3*2*Width+:Width] = passing ? pass : first | second | third;
      next[(row/3*2+1)*Width+:Width] = ((two & ~pass) << 1) | pass;
    end
    for (int unsigned row = 3 * Triples; row < Rows; row = row + 1) begin
      next[(row-Triples)*Width+:Width] = masks[row*Width+:Width];
    end
    return next;
  endfunction

  localparam logic [Rows*Width-1:0] NextMasks = level(Masks, 1'b0);
  localparam logic [Rows*Width-1:0] Passes = level(Masks, 1'b1);

  if (Rows <= 2) begin : g_leaf
    assign sum_o   = rows_i[0];
    assign carry_o = rows_i[Rows-1];
  end else begin : g_level
    logic [NextRows-1:0][Width-1:0] next_rows;

    for (genvar i = 0; i < Triples; i++) begin : g_adder
      localparam logic [Width-1:0] HasA = Masks[3*i*Width+:Width];
      localparam logic [Width-1:0] HasC = Masks[(3*i+2)*Width+:Width];
      localparam logic [Width-1:0] Pass = Passes[2*i*Width+:Width];
      logic [Width-1:0] a, b, c, majority;
      assign a = rows_i[3*i];
      assign b = rows_i[3*i+1];
      assign c = rows_i[3*i+2];
      assign majority = ((a & b) | (a & c) | (b & c)) & ~Pass;
      assign next_rows[2*i] = ((a ^ b ^ c) & ~Pass) | (a & Pass & HasA) | (b & Pass & ~HasA);
      assign next_rows[2*i+1] = (majority << 1) | (c & Pass & HasC) | (b & Pass & ~HasC);
    end
    for (genvar i = 0; i < Rest; i++) begin : g_rest
      assign next_rows[2*Triples+i] = rows_i[3*Triples+i];
    end

    montcore_karatsuba_tree #(
        .Rows (NextRows),
        .Width(Width),
        .Masks(NextMasks[NextRows*Width-1:0])
    ) u_next (
        .rows_i(next_rows),
        .sum_o,
        .carry_o
    );
  end
endmodule
