// SPDX-License-Identifier: Apache-2.0

/// The operand memory: operand slots, followed by the slots of a key.
///
/// Software reads and writes words of the operand slots and only writes words of the key slots; the
/// engine reads and writes all of them. engine_i says which of the two has the memory.
/// refused_o: the access of software is not allowed; nothing is written, and zero is read.
/// Precondition: Length at most 8192. clear_i clears the row sweep_i; Rows cycles clear all rows.
/// Latency: 1 for a read, 1 for a write.
/// Example, Length = 64: slot 1, word 1 is row 3; bytes 0x11 written with strobe 0b0001 change its
/// lowest byte.
module montcore_pka_memory
  import montcore_pka_pkg::*;
#(
    parameter int unsigned Length = 512,  // Built width L of a slot in bits.
    parameter int unsigned KeySlots = 2,  // Number of key slots: 0, 2 or 8.
    /// Technology, `montcore_pkg::Tech...`.
    parameter int unsigned Tech = montcore_pkg::TechGeneric,
    localparam int unsigned Words = (Length + 31) / 32,  // Words of a slot.
    localparam int unsigned Rows = (Slots + KeySlots) * Words,  // Rows of the memory, all slots.
    localparam int unsigned RowBits = $clog2(Rows)
) (
    input logic clk_i,
    input logic engine_i,  // High: the engine owns the memory; accesses of software are refused.
    input logic locked_i,  // High: key slots are write-protected, except the scalar slot.
    input logic req_i,  // Software access request, one cycle per access.
    input logic write_i,  // High for a write, low for a read; valid with req_i.
    /// Byte address in the register map, operand slots from 0x4000 on; valid with req_i.
    input logic [15:0] addr_i,
    input logic [31:0] wdata_i,  // Word to write, valid with req_i.
    input logic [3:0] strb_i,  // Byte enables of a write, valid with req_i.
    output logic refused_o,  // The access is refused; combinational, valid with req_i.
    output logic [31:0] rdata_o,  // Word read in the previous cycle, by software or by the engine.
    input logic [SlotBits-1:0] slot_i,  // Engine read address: slot.
    input logic [WordBits-1:0] word_i,  // Engine read address: word in the slot.
    input logic we_i,  // Engine write enable, for the whole word.
    input logic [SlotBits-1:0] wslot_i,  // Engine write address: slot.
    input logic [WordBits-1:0] wword_i,  // Engine write address: word in the slot.
    input logic [31:0] result_i,  // Engine write data, valid with we_i.
    input logic clear_i,  // Clears the row sweep_i; takes priority over all writes.
    input logic [RowBits-1:0] sweep_i  // Row to clear, valid with clear_i.
);
  if (Length < 2 || Length > 8192) begin : g_bad_length
    $fatal(1, "%m: the accelerator is built for 2 to 8192 bits");
  end

  logic is_operand, is_key, hidden, exists, allowed, unused;
  logic [SlotBits-1:0] slot;
  logic [WordBits-1:0] word;
  logic [RowBits-1:0] raddr, waddr;
  logic [31:0] wdata;
  logic [ 3:0] we;

  // 0x4000: operand slots of 1024 bytes each; 0x8000: key slots.
  assign is_operand = addr_i[15:13] == 3'b010;
  assign is_key = addr_i[15:13] == 3'b100 && 32'(addr_i[12:10]) + 1 <= KeySlots;
  assign slot = {is_key, addr_i[12:10]};
  assign hidden = slot == Scalar;
  assign word = addr_i[9:2];
  assign exists = 32'(word) < Words;
  assign allowed = exists && (is_operand || (is_key && write_i && (!locked_i || hidden)));
  assign refused_o = req_i && (engine_i || !allowed);
  assign unused = ^addr_i[1:0];

  function automatic logic [RowBits-1:0] row_of(logic [SlotBits-1:0] of_slot,
                                                logic [WordBits-1:0] of_word);
    return RowBits'(montcore_pkg::multiple(of_slot, Words) + 32'(of_word));
  endfunction
  assign raddr = engine_i ? row_of(slot_i, word_i) : row_of(slot, word);
  assign waddr = clear_i ? sweep_i : engine_i ? row_of(wslot_i, wword_i) : row_of(slot, word);
  assign wdata = clear_i ? '0 : engine_i ? result_i : wdata_i;
  assign we = (clear_i || (engine_i && we_i)) ? '1 : (req_i && write_i && !refused_o) ? strb_i : '0;

  for (genvar k = 0; k < 4; k++) begin : g_byte
    montcore_block_ram #(
        .Rows (Rows),
        .Width(8),
        .Tech (Tech)
    ) u_ram (
        .clk_i,
        .we_i   (we[k]),
        .waddr_i(waddr),
        .wdata_i(wdata[8*k+:8]),
        .raddr_i(raddr),
        .rdata_o(rdata_o[8*k+:8])
    );
  end
endmodule
