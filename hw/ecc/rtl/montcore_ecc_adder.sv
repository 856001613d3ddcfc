// SPDX-License-Identifier: Apache-2.0

/// The curve engine's adder: sums and differences modulo m, one row per cycle.
///
/// result = a + b, minus m if that is not below m; or a - b, plus m if that is negative
/// Precondition: a + b below 2 m; a and b below m for a difference; plain: no correction.
/// Latency: rows + 1 cycles from the first row read to the first row of the result, if step_i is high
/// throughout; a result can be produced every `rows` cycles.
/// Sum and corrected sum are stored row by row until the last row decides which one is output.
/// Example, one row, m = 0x8b: 0x53 + 0x42 = 0x0a, reduced; 0x42 - 0x53 = 0x7a.
module montcore_ecc_adder
  import montcore_ecc_pkg::*;
#(
    parameter int unsigned Width = 64,  // Row width in bits.
    parameter int unsigned Rows = 4,  // Rows of an operand at the built width.
    localparam int unsigned RowBits = (Rows > 1) ? $clog2(Rows) : 1,
    /// Rows of the result memory, 8 or more so that it maps to a memory.
    localparam int unsigned KeptRows = (Rows < 8) ? 8 : Rows,
    localparam int unsigned KeptBits = $clog2(KeptRows)
) (
    input logic clk_i,
    input logic rst_ni,
    /// Synchronous clear, active high: clears registers, and the memory row clear_row_i.
    input logic clear_i,
    input logic [KeptBits-1:0] clear_row_i,  // Memory row to clear, valid with clear_i.
    input logic [RowBits-1:0] last_row_i,  // Index of the last row of an operand.
    input logic step_i,  // A row of both operands is input in this cycle.
    input logic [RowBits-1:0] row_i,  // Index of the row that is input.
    input logic [Width-1:0] a_i,  // Row row_i of operand a, valid with step_i.
    input logic [Width-1:0] b_i,  // Row row_i of operand b, valid with step_i.
    input sum_t sum_i,  // Operation and destination of the sum, valid with step_i.
    output logic [RowBits-1:0] m_row_o,  // Index of the modulus row that is needed in this cycle.
    input logic [Width-1:0] m_i,  // Row m_row_o of the modulus, in the same cycle.
    output logic valid_o,  // A result row is valid; there is no back-pressure.
    output logic [RowBits-1:0] row_o,  // Index of the result row, valid with valid_o.
    output logic [Width-1:0] data_o,  // Result row, valid with valid_o.
    output target_t target_o,  // Destination of the result, valid with valid_o.
    /// Status of the adder; zero and reduced are valid while no sum is in flight.
    output adder_t state_o
);
  // ---- first stage: the sum --------------------------------------------------------------------
  logic [Width-1:0] left, right, sum_q;
  logic [Width:0] total;
  logic carry_q, valid_q, last_q, subtract_q, plain_q, last;
  logic [RowBits-1:0] row_q;
  target_t target_q, target_now;

  assign left = a_i & {Width{!sum_i.drop_a}};
  assign right = (b_i & {Width{!sum_i.drop_b}}) ^ {Width{sum_i.subtract}};
  assign total = {1'b0, left} + {1'b0, right} +
                 (Width + 1)'((row_i == '0) ? sum_i.subtract : carry_q);
  assign last = row_i == last_row_i;
  assign target_now.place = sum_i.place;
  assign target_now.d = sum_i.d;
  assign target_now.entry = sum_i.entry;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      valid_q    <= 1'b0;
      last_q     <= 1'b0;
      sum_q      <= '0;
      carry_q    <= 1'b0;
      row_q      <= '0;
      subtract_q <= 1'b0;
      plain_q    <= 1'b0;
      target_q   <= '0;
    end else begin
      valid_q <= step_i;
      last_q  <= step_i && last;
      if (step_i) begin
        sum_q      <= total[Width-1:0];
        carry_q    <= total[Width];
        row_q      <= row_i;
        subtract_q <= sum_i.subtract;
        plain_q    <= sum_i.plain;
        target_q   <= target_now;
      end
    end
  end

  // ---- second stage: the corrected sum ---------------------------------------------------------
  // carry_q is the carry of the sum up to this row: the first stage still holds it in that cycle.
  logic [Width:0] corrected;
  logic carry2_q, correct;
  logic [Width-1:0] kept, kept_corrected;
  logic [RowBits-1:0] write_row_q;

  assign m_row_o = row_q;
  assign corrected = {1'b0, sum_q} + {1'b0, m_i ^ {Width{!subtract_q}}} +
                     (Width + 1)'((row_q == '0) ? !subtract_q : carry2_q);
  assign correct = !plain_q && (subtract_q ? !carry_q : (carry_q || corrected[Width]));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      carry2_q <= 1'b0;
    end else if (valid_q) begin
      carry2_q <= corrected[Width];
    end
  end
  // While everything is cleared sum_q is zero: the memory then gets zero and -m, and once the
  // modulus is cleared too, zero.
  montcore_ram #(
      .Rows (KeptRows),
      .Width(2 * Width)
  ) u_kept (
      .clk_i,
      .we_i   (valid_q || clear_i),
      .wzero_i(1'b0),
      .waddr_i(clear_i ? clear_row_i : KeptBits'(row_q)),
      .wdata_i({corrected[Width-1:0], sum_q}),
      .raddr_i(KeptBits'(write_row_q)),
      .rdata_o({kept_corrected, kept})
  );

  // ---- third stage: the result -----------------------------------------------------------------
  logic writing_q, choose_q, nonzero_q, reduced_q;
  target_t write_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      writing_q   <= 1'b0;
      choose_q    <= 1'b0;
      nonzero_q   <= 1'b0;
      reduced_q   <= 1'b0;
      write_row_q <= '0;
      write_q     <= '0;
    end else begin
      if (writing_q) begin
        write_row_q <= write_row_q + 1'b1;
        nonzero_q   <= (nonzero_q && write_row_q != '0) || data_o != '0;
        if (write_row_q == last_row_i) writing_q <= 1'b0;
      end
      if (last_q) begin
        writing_q   <= 1'b1;
        write_row_q <= '0;
        choose_q    <= correct;
        reduced_q   <= correct;
        write_q     <= target_q;
      end
    end
  end
  assign valid_o = writing_q;
  assign row_o = write_row_q;
  assign data_o = choose_q ? kept_corrected : kept;
  assign target_o = write_q;
  assign state_o.busy = valid_q || writing_q;
  assign state_o.putting = (valid_q && target_q.place == ToTable) ||
                           (writing_q && write_q.place == ToTable);
  assign state_o.storing = (valid_q && target_q.place == ToScalar) ||
                           (writing_q && write_q.place == ToScalar);
  assign state_o.zero = !nonzero_q;
  assign state_o.reduced = reduced_q;
  logic unused;
  assign unused = ^{sum_i.a, sum_i.b};
endmodule
