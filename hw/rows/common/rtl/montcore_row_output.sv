// SPDX-License-Identifier: Apache-2.0

/// Output stage of the rows: stores two numbers word by word, and outputs one of them. With Adds it
/// stores one, and adds the other to it as it is output.
///
/// z = the number of other_i if take_other_i is high with last_i, else that of word_i. With Adds, z
/// is the number of word_i plus, if take_other_i is high with last_i, that of other_i.
/// The outputs of the result stream come from registers: the memory is read one beat ahead.
/// Precondition: words 0 .. words_i - 1 are written in this order, the last one in the cycle of
/// last_i or before; the first write, or error_i, comes only after reserve_i or while room_o is high.
/// Latency: z_valid_o one cycle after last_i or error_i; one word per cycle.
/// Example, WordBits = 4: word_i = 0x3, 0x2, other_i = 0x1, 0x0, take_other_i -> z = 0x01.
module montcore_row_output #(
    parameter int unsigned WordBits = 32,
    parameter int unsigned Words = 8,  // Words of an operand at the built width.
    parameter bit Adds = 1'b0,  // 1: last_i comes with the last word, and other_i is added.
    localparam int unsigned WordCountBits = $clog2(Words + 1),
    localparam int unsigned AddrBits = (Words > 1) ? $clog2(Words) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic zeroize_i,  // Pulse: abandon the result; clear_i follows.
    input logic clear_i,  // High while the core clears itself; at least Words + 2 cycles.
    input logic [AddrBits-1:0] clear_row_i,  // Row of the memory to clear, valid with clear_i.
    /// Words of the modulus, constant while a product is in flight.
    input logic [WordCountBits-1:0] words_i,
    input logic reserve_i,  // Pulse: reserve the memory for a product.
    output logic room_o,  // High: the memory is free.
    input logic we_i,  // Write enable of a word of both numbers.
    input logic [AddrBits-1:0] index_i,  // Index of the word, valid with we_i.
    input logic [WordBits-1:0] word_i,  // Word of the first number, valid with we_i.
    /// Word of the other number, valid with we_i; with Adds word 0 with last_i, then as by next_o.
    input logic [WordBits-1:0] other_i,
    output logic next_o,  // Pulse: with Adds, other_i is the next word in the next cycle.
    input logic last_i,  // Pulse: the result is complete.
    input logic take_other_i,  // High: the result is the other number; valid with last_i.
    input logic error_i,  // Pulse: answer with an error.
    input montcore_pkg::montcore_error_e error_code_i,  // Error code, valid with error_i.
    output logic done_o,  // Pulse: the result is complete, and its output starts.
    output logic z_valid_o,
    input logic z_ready_i,
    output logic [WordBits-1:0] z_data_o,
    output logic z_last_o,
    output logic z_error_o
);
  // read_q is the index of the word that the register loads next. With last_i that is word 0, which
  // is not yet in the memory if it is the only one.
  logic valid_q, last_q, error_q, done_q, reserved_q, take_other_q;
  logic leave, load, hold, end_read, take;
  logic [AddrBits-1:0] read_q, read;
  assign leave    = valid_q && z_ready_i;
  assign hold     = valid_q && !z_ready_i;
  assign load     = last_i || (leave && !last_q);
  assign end_read = WordCountBits'(read_q) == words_i - 1;
  assign read     = end_read ? '0 : read_q + 1;
  assign take     = last_i ? take_other_i : take_other_q;
  always_ff @(posedge clk_i) begin
    // In the first cycle of clear_i the outputs are already low.
    if (!rst_ni || zeroize_i || clear_i) begin
      valid_q    <= 1'b0;
      last_q     <= 1'b0;
      error_q    <= 1'b0;
      done_q     <= 1'b0;
      reserved_q <= 1'b0;
      read_q     <= '0;
    end else begin
      valid_q <= load || hold || error_i;
      last_q  <= error_i || (load ? end_read : hold && last_q);
      error_q <= error_i || (hold && error_q);
      done_q  <= last_i;
      if (load) read_q <= read;
      if (leave && last_q) reserved_q <= 1'b0;
      else if (reserve_i || error_i) reserved_q <= 1'b1;
    end
  end

  localparam int unsigned StoredBits = Adds ? WordBits : 2 * WordBits;
  logic [StoredBits-1:0] stored;
  logic [  WordBits-1:0] word;
  montcore_ram #(
      .Rows (Words),
      .Width(StoredBits)
  ) u_result (
      .clk_i,
      .we_i   (clear_i || we_i),
      .wzero_i(clear_i),
      .waddr_i(clear_i ? clear_row_i : index_i),
      .wdata_i(StoredBits'({other_i, word_i})),
      .raddr_i(Adds ? read : read_q),
      .rdata_o(stored)
  );
  if (Adds) begin : g_adds
    // A register has the word that leaves next. Word 0 goes to it as it is written, and so does
    // word 1 if it is the last one; a number of one word goes past it.
    logic [WordBits-1:0] first, ahead_q;
    logic [WordBits:0] sum;
    logic direct, single_q, carry_q;
    assign direct = we_i && (index_i == '0 || index_i == read);
    assign first = single_q ? word_i : ahead_q;
    assign sum = {1'b0, first} + {1'b0, other_i} + {{WordBits{1'b0}}, carry_q & ~last_i};
    assign word = (first & {WordBits{load && !take}}) |
                  (sum[WordBits-1:0] & {WordBits{load && take}});
    always_ff @(posedge clk_i) begin
      single_q <= words_i == WordCountBits'(1);
      if (clear_i) ahead_q <= '0;
      else if (load || (we_i && index_i == '0)) ahead_q <= direct ? word_i : stored;
      if (clear_i) carry_q <= 1'b0;
      else if (load) carry_q <= sum[WordBits];
    end
  end else begin : g_both
    logic [WordBits-1:0] first, other;
    logic only;
    assign {other, first} = stored;
    assign only = last_i && we_i && index_i == '0;
    assign word = (first & {WordBits{load && !only && !take}}) |
                  (other & {WordBits{load && !only && take}}) |
                  ((take_other_i ? other_i : word_i) & {WordBits{only}});
  end

  // The register of the port is zero unless it holds a beat, so that clear_i clears it too.
  logic [WordBits-1:0] data_q;
  logic [2:0] code;
  assign code = error_code_i;
  always_ff @(posedge clk_i) begin
    // The three bits of the error code are too narrow an operand for Verilator 5.006.
    // verilator lint_off WIDTH
    data_q <= word | (data_q & {WordBits{hold}}) | WordBits'(code & {3{error_i}});
    // verilator lint_on WIDTH
    if (clear_i) take_other_q <= 1'b0;
    else if (last_i) take_other_q <= take_other_i;
  end

  assign next_o = load;
  assign room_o = !reserved_q;
  assign done_o = done_q;
  assign z_valid_o = valid_q;
  assign z_data_o = data_q;
  assign z_last_o = last_q;
  assign z_error_o = error_q;
endmodule
