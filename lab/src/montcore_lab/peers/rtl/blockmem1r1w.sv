// SPDX-License-Identifier: Apache-2.0

/// A memory with the ports of that of secworks' modexp, 256 words of 32 bits, as a macro of our flow.
// Its ports have the names that they have there.
// verilog_lint: waive-start port-name-suffix
module blockmem1r1w (
    input wire clk,
    input wire [7:0] read_addr,
    output logic [31:0] read_data,
    input wire wr,
    input wire [7:0] write_addr,
    input wire [31:0] write_data
);
  // verilog_lint: waive-stop port-name-suffix
  logic [31:0] word;
  montcore_ram_macro #(
      .Rows (256),
      .Width(32)
  ) u_macro (
      .clk_i  (clk),
      .we_i   (wr),
      .waddr_i(write_addr),
      .wdata_i(write_data),
      .raddr_i(read_addr),
      .rdata_o(word)
  );
  always_ff @(posedge clk) read_data <= word;
endmodule
