// SPDX-License-Identifier: Apache-2.0

/// Common part of arrays of rows: everything except the rows themselves, behind the common port.
///
/// z = S / 2 + C, minus m if it is not below m; S and C come from the rows, which get m, x and y.
/// Precondition: m odd, 3 <= m < 2^Length, x < m, y < m; anything else is answered with an error.
/// The rows start a product every CyclesPerRow cycles; the operands of second_o start in the next
/// cycle, T. y_word_i[j] is word j of Y in cycle T + j, and word j of S and C is valid in
/// cycle T + CyclesPerRow (k + 2) + Stages + j, k = WordBits * Words.
/// Latency: CyclesPerRow (k + 2) + Stages + Words + 4 cycles in the datapath, three more at the
/// port; a product every CyclesPerRow cycles. A number is one beat.
/// Source: mmm-mx-2006, Design 1.
/// Example, Length = 8, WordBits = 8, m = 0x8b: S = 0x132, C = 0x33 (0xcc) -> z = 0x41.
module montcore_row_array #(
    parameter int unsigned Length = 128,  // Built width L in bits, 2 to 512.
    /// Width in bits of a block of a row and of a carry chain, a power of two, 8 or more.
    parameter int unsigned WordBits = 32,
    parameter int unsigned CyclesPerRow = 2,  // Cycles that a row takes for a product, 1 or 2.
    parameter int unsigned Stages = 0,  // Pipeline stages between the last row and S and C.
    parameter int unsigned RowsPerCopy = 16,  // Number of rows that share a copy of m.
    /// Words of an operand at the built width.
    localparam int unsigned Words = (Length + WordBits - 1) / WordBits,
    localparam int unsigned Bits = Words * WordBits  // Beat width in bits.
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,
    output logic busy_o,
    input logic cfg_valid_i,
    output logic cfg_ready_o,
    input logic [Bits-1:0] cfg_data_i,
    input logic cfg_last_i,
    output logic cfg_done_o,
    output logic [2:0] cfg_error_o,
    input logic x_valid_i,
    output logic x_ready_o,
    input logic [Bits-1:0] x_data_i,
    input logic x_last_i,
    input logic y_valid_i,
    output logic y_ready_o,
    input logic [Bits-1:0] y_data_i,
    input logic y_last_i,
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [Bits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o,
    output logic core_start_o,
    output logic core_done_o,
    /// High in the last cycle of row 0 for a product: operands are sampled at its end.
    output logic second_o,
    output logic [Bits-1:0] n_o,  // Modulus m, for the rows.
    output logic [Bits-1:0] a_o,  // Operand X for the rows; zero unless x_valid_i is high.
    output logic [Bits-1:0] b_o,  // Operand Y for the rows; zero unless y_valid_i is high.
    input logic [Words-1:0][WordBits-1:0] y_word_i,  // Words of Y in row 0, word j in cycle T + j.
    input logic [Bits-1:0] n_last_i,  // Copy of m that accompanies the last row.
    /// Sum vector S of the last row, word j in its own cycle.
    input logic [Words:0][WordBits-1:0] s_i,
    /// Carry vector C of the last row, word j in its own cycle.
    input logic [Words:0][WordBits-1:0] c_i
);
  localparam int unsigned Rows = Bits + 2;
  localparam int unsigned CoreCycles = CyclesPerRow * Rows + Stages + Words + 4;
  // Room for the products of CoreCycles + 4 cycles, and one that starts.
  localparam int unsigned Results = (CoreCycles + 4) / CyclesPerRow + 1;
  localparam int unsigned Copies = (Rows + RowsPerCopy - 1) / RowsPerCopy;

  logic clear, front_busy, room, idle, take, token, status_valid, cfg_done;
  logic [2:0] status;
  logic [Bits-1:0] m, z;
  import montcore_pkg::montcore_error_e;
  montcore_error_e cfg_error;

  montcore_row_array_front #(
      .Length      (Length),
      .WordBits    (WordBits),
      .CyclesPerRow(CyclesPerRow),
      .ClearCycles (CoreCycles + Words + 8),
      .SetupCycles (Copies)
  ) u_front (
      .clear_o       (clear),
      .busy_o        (front_busy),
      .cfg_done_o    (cfg_done),
      .cfg_error_o   (cfg_error),
      .room_i        (room),
      .idle_i        (idle),
      .m_o           (m),
      .take_o        (take),
      .token_o       (token),
      .status_valid_o(status_valid),
      .status_o      (status),
      .*
  );

  // The rows take whatever is at the inputs, accepted or not; data that was not accepted has no
  // token and is ignored at the output.
  assign n_o = m;
  assign a_o = x_data_i & {Bits{x_valid_i && !clear}};
  assign b_o = y_data_i & {Bits{y_valid_i && !clear}};

  montcore_row_array_back #(
      .WordBits(WordBits),
      .Words   (Words)
  ) u_back (
      .clk_i,
      .n_i(n_last_i),
      .s_i,
      .c_i,
      .z_o(z)
  );

  logic [  CoreCycles:0] under_way;
  logic [CoreCycles-1:0] under_way_q;
  assign under_way = {under_way_q, token};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) under_way_q <= '0;
    else under_way_q <= under_way[CoreCycles-1:0];
  end

  montcore_row_array_queue #(
      .Rows(Results),
      .Bits(Bits)
  ) u_queue (
      .clk_i,
      .rst_ni,
      .clear_i       (clear),
      .take_i        (take),
      .room_o        (room),
      .idle_o        (idle),
      .status_valid_i(status_valid),
      .status_i      (status),
      .result_valid_i(under_way[CoreCycles]),
      .result_i      (z),
      .z_valid_o,
      .z_ready_i,
      .z_data_o,
      .z_error_o
  );

  assign z_last_o = 1'b1;
  // In the first cycle of clear the registers may still hold a start or a result: both are masked.
  assign core_start_o = token && !clear;
  assign core_done_o = under_way[CoreCycles] && !clear;
  assign cfg_done_o = cfg_done && !clear;
  assign cfg_error_o = cfg_error;
  assign busy_o = front_busy || !idle;
endmodule
