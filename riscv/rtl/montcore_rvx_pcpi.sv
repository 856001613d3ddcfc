// SPDX-License-Identifier: Apache-2.0

/// The units of montcore_rvx_cfu on picorv32's co-processor interface (PCPI).
///
/// Accepts the R-type instructions of opcode custom-0 and writes rd; it ignores all others.
/// Precondition: the core holds `valid_i` until `ready_o`.
/// Latency: that of the unit plus one cycle.
/// Source: montcore_rvx_cfu; PCPI as documented by picorv32.
/// Example: instruction 0x0020808b (mul64 x1, x1, x2 has 0x0020808b & 0x7f = 0x0b): rd = rs1 * rs2.
module montcore_rvx_pcpi #(
    parameter bit [3:0] Units = 4'b1111,  // Units built, one bit each, as in montcore_rvx_cfu.
    parameter bit Wide = 1'b0  // 1: montcore_rvx_mac accumulates into 160 bits; 0: into 96 bits.
) (
    input logic clk_i,
    /// Synchronous reset of control, active low; data is cleared by `zeroize_i` only.
    input logic rst_ni,
    /// Synchronous clear of every register with operands or results, active high.
    input logic zeroize_i,
    input logic valid_i,  // High: insn_i is an instruction that the core does not decode itself.
    input logic [31:0] insn_i,  // Instruction word, valid with valid_i.
    input logic [31:0] rs1_i,  // Value of register rs1, valid with valid_i.
    input logic [31:0] rs2_i,  // Value of register rs2, valid with valid_i.
    output logic wr_o,  // Write rd_o to register rd; valid with ready_o.
    output logic [31:0] rd_o,  // Result of the instruction, valid with ready_o.
    output logic wait_o,  // High while insn_i is an instruction of these units.
    output logic ready_o  // High for one cycle: the instruction is complete.
);
  localparam logic [6:0] CUSTOM_0 = 7'h0b;

  logic ours, sent_q, cmd_ready, rsp_valid;

  // The core drops `valid_i` the cycle after `ready_o`, so that no instruction is executed twice.
  assign ours = valid_i && insn_i[6:0] == CUSTOM_0;
  assign wait_o = ours;
  assign ready_o = ours && sent_q && rsp_valid;
  assign wr_o = ready_o;

  montcore_rvx_cfu #(
      .Units(Units),
      .Wide (Wide)
  ) u_cfu (
      .clk_i,
      .rst_ni,
      .zeroize_i,
      .cmd_valid_i   (ours && !sent_q),
      .cmd_ready_o   (cmd_ready),
      .cmd_function_i({insn_i[31:25], insn_i[14:12]}),
      .cmd_a_i       (rs1_i),
      .cmd_b_i       (rs2_i),
      .rsp_valid_o   (rsp_valid),
      .rsp_ready_i   (ready_o),
      .rsp_result_o  (rd_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_q <= 1'b0;
    end else if (ready_o) begin
      sent_q <= 1'b0;
    end else if (ours && cmd_ready) begin
      sent_q <= 1'b1;
    end
  end

  logic unused_insn;
  assign unused_insn = ^{insn_i[24:15], insn_i[11:7]};
endmodule
