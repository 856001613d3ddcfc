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
    /// Number of addends, 2 or more.
    parameter int unsigned Rows = 4,
    /// Width of each number in bits.
    parameter int unsigned Width = 32,
    /// Where each row may have ones, row 0 in the lowest bits.
    parameter logic [Rows*Width-1:0] Masks = '1
) (
    /// Addends, one per row, unsigned.
    input  logic [ Rows-1:0][Width-1:0] rows_i,
    /// First of the two results, which add up to the sum.
    output logic [Width-1:0]            sum_o,
    /// Second of the two results, which add up to the sum.
    output logic [Width-1:0]            carry_o
);
  localparam int unsigned Triples = Rows / 3;
  localparam int unsigned Rest = Rows % 3;
  localparam int unsigned NextRows = 2 * Triples + Rest;

  /// Columns of three rows whose two bits pass.
  function automatic logic [Width-1:0] passes(logic [Width-1:0] a, logic [Width-1:0] b,
                                              logic [Width-1:0] c);
    logic [Width-1:0] pass;
    logic carried;
    carried = 1'b0;
    for (int unsigned i = 0; i < Width; i++) begin
      pass[i] = ((a[i] & b[i]) | (a[i] & c[i]) | (b[i] & c[i])) & ~(a[i] & b[i] & c[i]) & ~carried;
      carried = ((a[i] & b[i]) | (a[i] & c[i]) | (b[i] & c[i])) & ~pass[i];
    end
    return pass;
  endfunction

  /// Masks of the rows of the next level.
  function automatic logic [NextRows*Width-1:0] next_masks();
    logic [NextRows*Width-1:0] masks;
    logic [Width-1:0] a, b, c, pass;
    for (int unsigned i = 0; i < Triples; i++) begin
      a = Masks[3*i*Width+:Width];
      b = Masks[(3*i+1)*Width+:Width];
      c = Masks[(3*i+2)*Width+:Width];
      pass = passes(a, b, c);
      masks[2*i*Width+:Width] = a | b | c;
      masks[(2*i+1)*Width+:Width] = ((((a & b) | (a & c) | (b & c)) & ~pass) << 1) | pass;
    end
    for (int unsigned i = 0; i < Rest; i++) begin
      masks[(2*Triples+i)*Width+:Width] = Masks[(3*Triples+i)*Width+:Width];
    end
    return masks;
  endfunction

  if (Rows <= 2) begin : g_leaf
    assign sum_o   = rows_i[0];
    assign carry_o = rows_i[Rows-1];
  end else begin : g_level
    logic [NextRows-1:0][Width-1:0] next_rows;

    for (genvar i = 0; i < Triples; i++) begin : g_adder
      localparam logic [Width-1:0] HasA = Masks[3*i*Width+:Width];
      localparam logic [Width-1:0] HasC = Masks[(3*i+2)*Width+:Width];
      localparam logic [Width-1:0] Pass = passes(HasA, Masks[(3*i+1)*Width+:Width], HasC);
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
        .Masks(next_masks())
    ) u_next (
        .rows_i (next_rows),
        .sum_o  (sum_o),
        .carry_o(carry_o)
    );
  end
endmodule
