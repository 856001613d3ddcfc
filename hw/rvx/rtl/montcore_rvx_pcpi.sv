// SPDX-License-Identifier: Apache-2.0

/// The same units on picorv32's co-processor interface (PCPI).
///
/// Takes the R-type instructions of opcode custom-0 and writes rd; it ignores all others.
/// Precondition: the core keeps `valid_i` until `ready_o`.
/// Latency: that of the unit, a cycle more.
/// Source: montcore_rvx_cfu; PCPI as picorv32 states it.
/// Example: instruction 0x0020808b (mul64 x1, x1, x2 has 0x0020808b & 0x7f = 0x0b): rd = rs1 * rs2.
module montcore_rvx_pcpi #(
    /// Which units are built, as in montcore_rvx_cfu.
    parameter bit [3:0] Units = 4'b1111,
    /// montcore_rvx_mac accumulates into 160 bits instead of 96.
    parameter bit Wide = 1'b0
) (
    /// Clock, rising edge.
    input  logic        clk_i,
    /// Synchronous reset of control, active low.
    input  logic        rst_ni,
    /// Clears every register that held an operand or a result.
    input  logic        zeroize_i,
    /// An instruction that the core does not know.
    input  logic        valid_i,
    /// The instruction.
    input  logic [31:0] insn_i,
    /// Content of rs1.
    input  logic [31:0] rs1_i,
    /// Content of rs2.
    input  logic [31:0] rs2_i,
    /// The result is to be written.
    output logic        wr_o,
    /// The result.
    output logic [31:0] rd_o,
    /// The instruction is one of this unit and in progress.
    output logic        wait_o,
    /// It is done.
    output logic        ready_o
);
  localparam logic [6:0] CUSTOM_0 = 7'h0b;

  logic ours, sent_q, cmd_ready, rsp_valid;

  // The core drops `valid_i` the cycle after `ready_o`, so that nothing is done twice.
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
