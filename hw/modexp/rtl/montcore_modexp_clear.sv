// SPDX-License-Identifier: Apache-2.0

/// Controls when and how far the exponentiator is cleared: everything, or what depends on secrets.
///
/// zeroize_i and reset clear everything. wipe_i, the end of a request, clears the exponent, the
/// base, the table, the chosen power and the whole multiplier; the modulus and R^2 are kept.
/// Precondition: wipe_i is not high while clear_o is.
/// Latency: clear_o is high from the next cycle on for 1 + rows cycles, and until mul_busy_i is low;
/// rows: StoreRows / 2 for a wipe, at least TableRows if powers were written since the last one, at
/// least StoreRows for zeroize.
/// Example, StoreRows = 8, TableRows = 6: a wipe takes 5 cycles, after a power 7, zeroize 9.
module montcore_modexp_clear #(
    parameter int unsigned StoreRows = 8,  // Rows of the store; the first half holds secrets.
    parameter int unsigned TableRows = 6,  // Rows of each memory of the table.
    localparam int unsigned RowBits = $clog2(((TableRows > StoreRows) ? TableRows : StoreRows) + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: clear everything, the modulus included.
    input logic wipe_i,  // Pulse: clear all data that depends on secrets.
    input logic power_we_i,  // A power is written to the table; extends the next clear.
    input logic mul_busy_i,  // High while the multiplier works or clears itself.
    output logic mul_zeroize_o,  // Pulse: clear the multiplier.
    /// High while registers with secrets, and memories row by row, are cleared.
    output logic clear_o,
    output logic forget_o,  // High while all registers are cleared.
    /// Row to clear in each memory that has it, valid with clear_o.
    output logic [RowBits-1:0] row_o,
    output logic store_we_o  // The store clears row row_o in this cycle.
);
  localparam int unsigned SecretRows = StoreRows / 2;
  localparam int unsigned PowerRows = (TableRows > SecretRows) ? TableRows : SecretRows;
  localparam int unsigned AllRows = (TableRows > StoreRows) ? TableRows : StoreRows;

  logic clear_q, all_q, table_q, reset_q;
  logic [RowBits-1:0] row_q, rows;

  assign rows = all_q ? RowBits'(AllRows) : table_q ? RowBits'(PowerRows) : RowBits'(SecretRows);
  always_ff @(posedge clk_i) begin
    // A reset does not erase powers that were written before it.
    reset_q <= !rst_ni;
    if (!rst_ni) begin
      clear_q <= 1'b1;
      all_q   <= 1'b1;
      table_q <= 1'b0;
      row_q   <= '0;
    end else if (zeroize_i || wipe_i) begin
      clear_q <= 1'b1;
      all_q   <= zeroize_i;
      row_q   <= '0;
    end else if (clear_q) begin
      if (row_q != rows) begin
        row_q <= row_q + 1;
      end else if (!mul_busy_i) begin
        clear_q <= 1'b0;
        table_q <= 1'b0;
      end
    end else if (power_we_i) begin
      table_q <= 1'b1;
    end
  end

  assign mul_zeroize_o = zeroize_i || wipe_i || reset_q;
  assign clear_o = clear_q;
  assign forget_o = zeroize_i || (clear_q && all_q);
  assign row_o = row_q;
  assign store_we_o = clear_q && row_q < (all_q ? RowBits'(StoreRows) : RowBits'(SecretRows));
endmodule
