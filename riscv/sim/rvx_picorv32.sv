// SPDX-License-Identifier: Apache-2.0

// The ports have the names of the core.
// verilog_lint: waive-start port-name-suffix

/// picorv32 with the units of riscv/rtl on its co-processor interface; memory port as in the core.
module rvx_picorv32 #(
    parameter bit [3:0] Units = 4'b1111,  // Units built, one bit each, as in montcore_rvx_cfu.
    parameter bit Wide = 1'b0  // 1: montcore_rvx_mac accumulates into 160 bits; 0: into 96 bits.
) (
    input logic clk,
    input logic resetn,
    output logic mem_valid,
    input logic mem_ready,
    output logic [31:0] mem_addr,
    output logic [31:0] mem_wdata,
    output logic [3:0] mem_wstrb,
    input logic [31:0] mem_rdata
);
  // verilog_lint: waive-stop port-name-suffix
  logic pcpi_valid, pcpi_wr, pcpi_wait, pcpi_ready;
  logic [31:0] pcpi_insn, pcpi_rs1, pcpi_rs2, pcpi_rd;

  picorv32 #(
      .COMPRESSED_ISA (1),
      .BARREL_SHIFTER (1),
      .ENABLE_FAST_MUL(1),
      .ENABLE_PCPI    (1),
      .PROGADDR_RESET (32'h0001_0000)
  ) u_core (
      .clk,
      .resetn,
      .trap(),
      .mem_valid,
      .mem_instr(),
      .mem_ready,
      .mem_addr,
      .mem_wdata,
      .mem_wstrb,
      .mem_rdata,
      .mem_la_read(),
      .mem_la_write(),
      .mem_la_addr(),
      .mem_la_wdata(),
      .mem_la_wstrb(),
      .pcpi_valid,
      .pcpi_insn,
      .pcpi_rs1,
      .pcpi_rs2,
      .pcpi_wr,
      .pcpi_rd,
      .pcpi_wait,
      .pcpi_ready,
      .irq(32'd0),
      .eoi(),
      .trace_valid(),
      .trace_data()
  );

  montcore_rvx_pcpi #(
      .Units(Units),
      .Wide (Wide)
  ) u_pcpi (
      .clk_i    (clk),
      .rst_ni   (resetn),
      .zeroize_i(!resetn),
      .valid_i  (pcpi_valid),
      .insn_i   (pcpi_insn),
      .rs1_i    (pcpi_rs1),
      .rs2_i    (pcpi_rs2),
      .wr_o     (pcpi_wr),
      .rd_o     (pcpi_rd),
      .wait_o   (pcpi_wait),
      .ready_o  (pcpi_ready)
  );
endmodule
