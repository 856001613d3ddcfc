// SPDX-License-Identifier: Apache-2.0

// The ports have the names of the core.
// verilog_lint: waive-start port-name-suffix
// verilog_lint: waive-start signal-name-style

/// VexRiscv (variant FullCfu) with the units of riscv/rtl on its CFU port; buses as in the core.
module rvx_vexriscv #(
    parameter bit [3:0] Units = 4'b1111,  // Units built, one bit each, as in montcore_rvx_cfu.
    parameter bit Wide = 1'b0  // 1: montcore_rvx_mac accumulates into 160 bits; 0: into 96 bits.
) (
    input logic clk,
    input logic reset,
    input logic [31:0] externalResetVector,
    input logic timerInterrupt,
    input logic softwareInterrupt,
    input logic [31:0] externalInterruptArray,
    output logic iBusWishbone_CYC,
    output logic iBusWishbone_STB,
    input logic iBusWishbone_ACK,
    output logic [29:0] iBusWishbone_ADR,
    input logic [31:0] iBusWishbone_DAT_MISO,
    input logic iBusWishbone_ERR,
    output logic dBusWishbone_CYC,
    output logic dBusWishbone_STB,
    input logic dBusWishbone_ACK,
    output logic dBusWishbone_WE,
    output logic [29:0] dBusWishbone_ADR,
    input logic [31:0] dBusWishbone_DAT_MISO,
    output logic [31:0] dBusWishbone_DAT_MOSI,
    output logic [3:0] dBusWishbone_SEL,
    input logic dBusWishbone_ERR
);
  // verilog_lint: waive-stop port-name-suffix
  // verilog_lint: waive-stop signal-name-style
  logic cmd_valid, cmd_ready, rsp_valid, rsp_ready;
  logic [9:0] cmd_function;
  logic [31:0] cmd_a, cmd_b, rsp_result;

  VexRiscv u_core (
      .clk,
      .reset,
      .externalResetVector,
      .timerInterrupt,
      .softwareInterrupt,
      .externalInterruptArray,
      .CfuPlugin_bus_cmd_valid(cmd_valid),
      .CfuPlugin_bus_cmd_ready(cmd_ready),
      .CfuPlugin_bus_cmd_payload_function_id(cmd_function),
      .CfuPlugin_bus_cmd_payload_inputs_0(cmd_a),
      .CfuPlugin_bus_cmd_payload_inputs_1(cmd_b),
      .CfuPlugin_bus_rsp_valid(rsp_valid),
      .CfuPlugin_bus_rsp_ready(rsp_ready),
      .CfuPlugin_bus_rsp_payload_outputs_0(rsp_result),
      .iBusWishbone_CYC,
      .iBusWishbone_STB,
      .iBusWishbone_ACK,
      .iBusWishbone_WE(),
      .iBusWishbone_ADR,
      .iBusWishbone_DAT_MISO,
      .iBusWishbone_DAT_MOSI(),
      .iBusWishbone_SEL(),
      .iBusWishbone_ERR,
      .iBusWishbone_CTI(),
      .iBusWishbone_BTE(),
      .dBusWishbone_CYC,
      .dBusWishbone_STB,
      .dBusWishbone_ACK,
      .dBusWishbone_WE,
      .dBusWishbone_ADR,
      .dBusWishbone_DAT_MISO,
      .dBusWishbone_DAT_MOSI,
      .dBusWishbone_SEL,
      .dBusWishbone_ERR,
      .dBusWishbone_CTI(),
      .dBusWishbone_BTE()
  );

  montcore_rvx_cfu #(
      .Units(Units),
      .Wide (Wide)
  ) u_cfu (
      .clk_i         (clk),
      .rst_ni        (!reset),
      .zeroize_i     (reset),
      .cmd_valid_i   (cmd_valid),
      .cmd_ready_o   (cmd_ready),
      .cmd_function_i(cmd_function),
      .cmd_a_i       (cmd_a),
      .cmd_b_i       (cmd_b),
      .rsp_valid_o   (rsp_valid),
      .rsp_ready_i   (rsp_ready),
      .rsp_result_o  (rsp_result)
  );
endmodule
